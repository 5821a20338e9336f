"""A position as one line of canonical, readable text, like FEN in chess. See docs/position.md.

Example:
    >>> state = read("tiny; seat 1 vp=24 | WEA+MIL reserve=5 ARA=1^ | - HAM; seat 2 | BAR+CUR; seat 3 | DIP+REN")
    >>> state.vp, state.phase, state.board.codes_of(state.forts)
    ([24, 10, 10], 'start', ('ARA',))
    >>> write(state)
    'tiny; rules standard; round 1; order 1 2 3; turn 1 start; seat 1 vp=24 | WEA+MIL reserve=5 ARA=1^ | - HAM; ...'
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, get_args

from . import market
from .actions import SLOTS
from .board import DEFAULT_BOARD, Board, Province, Provinces, has, including, load_board, members
from .editions import EDITIONS, FEWEST_SEATS, MOST_SEATS, STARTING_VP, OptionError, Options, Setting, options
from .state import Civilization, Empire, Phase, Seat, State
from .traits import TRAIT_BY_CODE, Trait, Traits, codes_of
from .validity import faults

_NUMBERS: Final = tuple(str(seat + 1) for seat in range(MOST_SEATS))
"""The number of each seat as text."""
_MOST_PAWNS: Final = 31
"""The most pawns in a province that `_held` has a word for."""
CLAUSES: Final = ("rules", "round", "order", "turn", "seat", "neutral", "market", "fills")


class PositionError(ValueError):
    """A text is not a position, or the position is impossible; `faults` lists every fault."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


def write(state: State) -> str:
    """Return the canonical text of a position; `read` returns an equal state."""
    turn = [f"turn {_NUMBERS[state.order[state.turn]]} {state.phase}"]
    if state.phase == "redeploy":
        turn[0] += "=" + _NUMBERS[state.actor]
    if state.spied:
        turn.append(f"spied={state.spied}")
    if state.eliminated:
        turn.append(f"eliminated={state.eliminated}")
    return "; ".join(
        [
            state.board.name,
            "rules " + state.options.text,
            f"round {state.round}" + (" reached" if state.target_reached else ""),
            "order " + " ".join([_NUMBERS[seat] for seat in state.order]),
            " ".join(turn),
            *[_write_seat(state, seat) for seat in state.seats()],
            "neutral " + (_codes(state.board, state.neutral) or "-"),
            "market " + " ".join([codes_of(c.traits) + (f":{c.markers}" if c.markers else "") for c in state.market]),
            f"fills {state.fills}",
        ]
    )


def read(text: str) -> State:
    """Parse a position.

    Args:
        text: clauses separated by semicolons. Only the board and the seats are required; docs/position.md lists the
            defaults of the others.

    Returns:
        A new state.

    Raises:
        PositionError: the text is malformed or the position is impossible.
    """
    reader = _Reader(text)
    state = reader.state()
    if all_faults := reader.faults or faults(state):
        raise PositionError(all_faults)
    return state


def _write_seat(state: State, seat: Seat) -> str:
    words = ["seat " + _NUMBERS[seat]]
    if state.options.dummies[seat]:
        words.append("dummy")
    words.append(f"vp={state.vp[seat]}")
    if state.survivors[seat]:
        words.append(f"survivors={state.survivors[seat]}")
    if state.named[seat]:
        words.append("peace=" + "+".join([_NUMBERS[other] for other in state.named[seat]]))
    if seat in state.must_decline:
        words.append("must_decline")
    if seat in state.forfeited:
        words.append(f"forfeited={state.forfeited.index(seat) + 1}")
    words.append("|")
    active, declined = state.active[seat], state.declined[seat]
    if active is None:
        words.append("-")
    else:
        words.append(codes_of(active.traits))
        if active.reserve:
            words.append(f"reserve={active.reserve}")
        _write_active(state, active.provinces, words)
    if declined is not None:
        words += ["|", codes_of(declined.traits), _write_declined(state, declined.provinces)]
    return " ".join(words)


def _write_active(state: State, provinces: Provinces, words: list[str]) -> None:
    """Append a word for each province, with its pawns and `^` for a fort."""
    held, garrison, forts = _held(state.board), state.garrison, state.forts
    for p in members(provinces):
        pawns = garrison[p]
        word = held[p][pawns] if pawns <= _MOST_PAWNS else f"{state.board.codes[p]}={pawns}"
        words.append(word + "^" if has(forts, p) else word)


def _write_declined(state: State, provinces: Provinces) -> str:
    """Return the codes of the provinces, with `^` for a fort."""
    forts, codes = provinces & state.forts, state.board.codes
    if not forts:
        return _codes(state.board, provinces)
    return " ".join([codes[p] + "^" if has(forts, p) else codes[p] for p in members(provinces)])


@cache
def _held(board: Board) -> tuple[tuple[str, ...], ...]:
    """Return the words for each province with 0 to `_MOST_PAWNS` pawns, such as `ALP=2`."""
    return tuple(tuple(f"{code}={pawns}" for pawns in range(_MOST_PAWNS + 1)) for code in board.codes)


@lru_cache(maxsize=256)
def _codes(board: Board, provinces: Provinces) -> str:
    """Return the codes of provinces; cached, as those of neutral pawns and of declined empires seldom change."""
    codes = board.codes
    return " ".join([codes[p] for p in members(provinces)])


class _Reader:
    """Parser of a position that collects every fault."""

    def __init__(self, text: str) -> None:
        self.faults: list[str] = []
        board, *rest = [clause.split() for clause in text.replace("|", " | ").split(";")]
        self.clauses: dict[str, list[str]] = {}
        self.seats: list[list[str]] = []
        for word, *words in filter(None, rest):
            if word not in CLAUSES:
                self.faults.append(f"unknown clause {word!r}; known: {', '.join(CLAUSES)}")
            elif word == "seat":
                self.seats.append(words)
            elif word in self.clauses:
                self.faults.append(f"clause {word} is given twice")
            else:
                self.clauses[word] = words
        self.board = self._board(board)

    def _board(self, words: list[str]) -> Board:
        try:
            return load_board(" ".join(words))
        except ValueError as error:
            self.faults.append(f"the text starts with the name of the board: {error}")
            return load_board(DEFAULT_BOARD)

    def state(self) -> State:
        """Return the state as far as it could be parsed; it is valid only if `faults` is empty."""
        state = State(self.board, self._options())
        state.lay_out(market.full_bag(state.options.deck))
        state.neutral = 0
        state.garrison = [0] * len(self.board.codes)
        self._read_round(state)
        self._read_order(state)
        self._read_turn(state)
        held: dict[Province, str] = {}
        forfeits: list[tuple[int, Seat]] = []
        for place, words in enumerate(self.seats[: state.options.seats]):
            self._read_seat(state, Seat(place), words, held, forfeits)
        state.forfeited = tuple(seat for _, seat in sorted(forfeits))
        if sorted(place for place, _ in forfeits) != list(range(1, len(forfeits) + 1)):
            self.faults.append("forfeited: seats leave one after the other, as 1, 2 and so on (R-FORFEIT-1)")
        self._read_neutral(state, held)
        self._read_market(state)
        state.fills = self._number("fills", (self.clauses.get("fills") or [str(SLOTS)])[0])
        state.target_reached |= any(vp >= state.options.target for vp in state.vp)
        return state

    def _options(self) -> Options:
        dummies = tuple("dummy" in words[: words.index("|") if "|" in words else None] for words in self.seats)
        words = self.clauses.get("rules", EDITIONS[:1])
        names_edition = not words or "=" not in words[0]
        edition = "".join(words[:1]) if names_edition else EDITIONS[0]
        usable: dict[str, Setting] = {}
        for word in words[names_edition:]:
            name, equals, value = word.partition("=")
            try:
                if not equals:
                    raise OptionError("PAIR", option=word)
                options((False,) * FEWEST_SEATS, EDITIONS[0], **{name: value})
                usable[name] = value
            except OptionError as error:
                self.faults.append(f"rules: {error}")
        number = len(dummies)
        if number < FEWEST_SEATS and (number or self.clauses or not self.faults):  # else it is no position at all
            self.faults.append(
                f"a game has {FEWEST_SEATS} to {MOST_SEATS} seats, not {number}: "
                f"the clause 'seat {number + 1} ...' is missing; is the text cut off?"
            )
        dummies += (False,) * (FEWEST_SEATS - number)
        try:
            return options(dummies, edition, **usable)
        except OptionError as error:
            self.faults.append(f"rules: {error}")
            return options((False,) * min(max(len(dummies), FEWEST_SEATS), MOST_SEATS))

    def _read_round(self, state: State) -> None:
        number, *flags = self.clauses.get("round") or ["1"]
        state.round = self._number("round", number)
        state.target_reached = flags == ["reached"]
        if flags not in ([], ["reached"]):
            self.faults.append(f"round: {' '.join(flags)!r} after the number; only 'reached' may follow")

    def _read_order(self, state: State) -> None:
        numbers = [str(seat + 1) for seat in state.seats()]
        words = self.clauses.get("order") or numbers
        if sorted(words) != numbers:
            self.faults.append(f"order: {' '.join(words)!r} does not name every seat from 1 to {len(numbers)} once")
            words = numbers
        state.order = tuple(Seat(int(word) - 1) for word in words)

    def _read_turn(self, state: State) -> None:
        number, phase, *facts = [*self.clauses.get("turn", []), "", ""][:2] + self.clauses.get("turn", [])[2:]
        seat = self._seat(state, "turn", number) if number else state.order[0]
        state.turn = state.order.index(seat)
        state.actor = seat
        name, _, actor = phase.partition("=")
        if actor:
            state.actor = self._seat(state, "turn", actor)
        known = get_args(Phase)
        if not phase:
            name = "start" if state.round else "draft"
        if name not in known or bool(actor) != (name == "redeploy"):
            self.faults.append(f"turn: phase {phase!r}; known: {', '.join(known)} (redeploy=SEAT)")
        else:
            state.phase = name  # type: ignore[assignment]  # one of the literals, as just checked
        for word, value in self._facts("turn", facts, ("spied", "eliminated")):
            setattr(state, word, self._number(f"turn: {word}", value))

    def _read_seat(
        self, state: State, seat: Seat, words: list[str], held: dict[Province, str], forfeits: list[tuple[int, Seat]]
    ) -> None:
        where = f"seat {seat + 1}"
        sections = " ".join(words).split("|")
        number, *facts = sections[0].split() or [""]
        if number != str(seat + 1):
            self.faults.append(f"{where}: seats are listed in order from 1, {number or 'no number'!r} is given here")
        state.vp[seat] = state.options.dummy_start_vp if "dummy" in facts else STARTING_VP
        flags = [fact for fact in facts if fact not in ("dummy", "must_decline")]
        if "must_decline" in facts:
            state.must_decline = (*state.must_decline, seat)
        for name, value in self._facts(where, flags, ("vp", "survivors", "peace", "forfeited")):
            match name:
                case "vp":
                    state.vp[seat] = self._number(f"{where}: vp", value)
                case "survivors":
                    state.survivors[seat] = self._number(f"{where}: survivors", value)
                case "peace":
                    state.name(seat, tuple(self._seat(state, f"{where}: peace", word) for word in value.split("+")))
                case "forfeited":
                    forfeits.append((self._number(f"{where}: forfeited", value), seat))
        if len(sections) > 3:
            self.faults.append(f"{where}: at most two empires, active | declined, follow the seat")
        empires = [self._empire(state, where, section.split(), held) for section in sections[1:3]]
        state.active[seat], state.declined[seat] = [*empires, None, None][:2]
        if empires[1:] and empires[1] is not None and empires[1].reserve:
            self.faults.append(f"{where}: a declined empire has no reserve")

    def _empire(self, state: State, where: str, words: list[str], held: dict[Province, str]) -> Empire | None:
        if words in ([], ["-"]):
            return None
        traits = self._traits(state, where, words[0])
        provinces, reserve = 0, 0
        for word in words[1:]:
            match = re.fullmatch(r"([A-Za-z]+)(?:=(\d+))?(\^?)", word, re.ASCII)
            if match and match[1] == "reserve" and match[2]:
                reserve = self._number(f"{where}: reserve", match[2])
                continue
            province = self.board.index.get(match[1]) if match else None
            if match is None or province is None:
                self.faults.append(f"{where}: {word!r} is not CODE=PAWNS, CODE=PAWNS^ (a fort) or reserve=PAWNS")
                continue
            self._hold(held, province, where)
            provinces = including(provinces, province)
            state.garrison[province] = self._number(f"{where}: {match[1]}", match[2] or "1")
            if match[3]:
                state.forts = including(state.forts, province)
        return Empire.of(traits, provinces, reserve)

    def _read_neutral(self, state: State, held: dict[Province, str]) -> None:
        if "neutral" not in self.clauses:
            words = [
                self.board.codes[p] for p in self.board.provinces if p not in held and not has(self.board.mountains, p)
            ]
        else:
            words = [word for word in self.clauses["neutral"] if word != "-"]
        for word in words:
            province = self.board.index.get(word)
            if province is None:
                self.faults.append(f"neutral: {word!r} is not a province of {self.board.name}")
                continue
            self._hold(held, province, "neutral")
            state.neutral = including(state.neutral, province)
            state.garrison[province] = 1

    def _read_market(self, state: State) -> None:
        for word in self.clauses.get("market", []):
            traits, _, markers = word.partition(":")
            pair = self._traits(state, "market", traits)
            offered = Civilization(pair, self._number("market", markers) if markers else 0)
            state.market = (*state.market, offered)
        if "market" not in self.clauses:
            while len(state.market) < SLOTS and not self.faults:
                left = [Trait(trait) for trait, copies in enumerate(state.bag) if copies > 0][:2]
                if len(left) < 2:
                    return  # empires use too many traits; the missing market adds a fault
                state.market = (*state.market, Civilization(tuple(left)))
                market.take_out(state, left)

    def _traits(self, state: State, where: str, word: str) -> Traits:
        codes = [] if word == "-" else word.split("+")
        if unknown := [code for code in codes if code not in TRAIT_BY_CODE]:
            self.faults.append(f"{where}: unknown trait {', '.join(unknown)}; known: {' '.join(TRAIT_BY_CODE)}")
        traits = tuple(TRAIT_BY_CODE[code] for code in codes if code in TRAIT_BY_CODE)
        market.take_out(state, traits)
        return traits

    def _hold(self, held: dict[Province, str], province: Province, where: str) -> None:
        if province in held:
            code, other = self.board.codes[province], held[province]
            self.faults.append(f"{where}: {code} is held already ({other}); a province has one holder (R-CONQ-6)")
        held[province] = where

    def _facts(self, where: str, words: list[str], known: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        seen: set[str] = set()
        for word in words:
            name, equals, value = word.partition("=")
            if not equals or name not in known:
                self.faults.append(f"{where}: {word!r}; known: {', '.join(f'{fact}=...' for fact in known)}")
            elif name in seen:
                self.faults.append(f"{where}: {name} is given twice")
            else:
                seen.add(name)
                yield name, value

    def _number(self, where: str, word: str) -> int:
        if not re.fullmatch(r"\d{1,5}", word, re.ASCII):
            self.faults.append(f"{where}: {word!r} is not a whole number from 0 to 99999")
            return 0
        return int(word)

    def _seat(self, state: State, where: str, word: str) -> Seat:
        number = self._number(where, word)
        if not 1 <= number <= len(state.vp):
            self.faults.append(f"{where}: seat {word}; seats are 1 to {len(state.vp)}")
            return Seat(0)
        return Seat(number - 1)
