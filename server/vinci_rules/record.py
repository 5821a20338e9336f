"""Records: a game as JSON lines, chained by hashes. See docs/record.md.

The first line holds the setup of the game, each following line an action with its draws, the last line the result. The
hash of a line covers the hash before it, the line itself (without names and times) and the position after it, so a
replay finds the first line that was changed. The last line has a hash of the times. A replay uses the recorded draws
and actions; `verified` and `verify_chance` also draw again from the seed and recompute the actions of dummies, in the
same pass.

Example:
    >>> from vinci_rules.chance import FairChance, RecordingChance
    >>> drawn = RecordingChance(FairChance("example"))
    >>> state = new_game(load_board("tiny"), options((False, False, False)), drawn)
    >>> lines = [dump(start_line(state, drawn.picks, seed="example"))]
    >>> [step.line for step in replay(lines)], verify_chance(lines)
    ([1], 13)
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any, Final, NamedTuple, TypeAlias

from . import ENGINE_VERSION, dummy, notation, position
from .actions import Action, Forfeit
from .board import Board, load_board
from .chance import FairChance, RecordedChance, RecordingChance, commitment, mixed_seed, nonce_hash
from .editions import options
from .engine import check, new_game, play, ranks
from .events import Event
from .state import Seat, State
from .takeback import Takeback
from .violations import Violation

FORMAT: Final = 1
UNHASHED: Final = ("hash", "names", "time")
"""Keys that hashes do not cover, because they do not affect the game: played again, it has the same hashes."""

_sorted_json: Final = json.JSONEncoder(sort_keys=True).encode
_compact_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

Line: TypeAlias = dict[str, Any]


class RecordError(ValueError):
    """A record does not replay.

    Attributes:
        line: the number of the first wrong line, from 1.
        broken: the rule that its action breaks, with the facts, and the board; None for other faults.
    """

    def __init__(self, line: int, reason: str, broken: tuple[Violation, Board] | None = None) -> None:
        super().__init__(line, reason, broken)  # its arguments, so that worker processes can raise it
        self.line = line
        self.broken = broken

    def __str__(self) -> str:
        return f"line {self.line}: {self.args[1]}"


class Step(NamedTuple):
    """A replayed line.

    Attributes:
        line: its number, from 1.
        seat: the seat that acted, if any.
        by: the kind of actor, as recorded: a player, a bot, a dummy, a clock or a substitute.
        action: the action; None for the first line, an undo and the result.
        events: the events of the action.
        state: the position after the line. It changes as the replay continues: copy it to keep it.
        before: the position before the line, for the first line the one after it. It does not change.
        undo: for an undo, the number of the action to whose position it returns.
    """

    line: int
    seat: Seat | None
    by: str
    action: Action | None
    events: list[Event]
    state: State
    before: State
    undo: int | None = None


def start_line(
    state: State,
    picks: Sequence[str] = (),
    *,
    start: str = "",
    seed: str = "",
    commitment: str = "",
    sealed: bool = False,
    nonce_hashes: Sequence[str] = (),
    opening_seed: str = "",
    names: Sequence[str] = (),
) -> Line:
    """Return the first line of a game.

    Args:
        state: the state that `new_game` returned, or the position that the game starts from.
        picks: the draws of `new_game`.
        start: the text of the position that the game starts from; empty for a usual start.
        seed: the seed of an open game.
        commitment: the commitment to the seed of a secret game.
        sealed: whether the secret seed was chosen.
        nonce_hashes: the hashes of the nonces, by seat.
        opening_seed: the seed of `picks`, if it is not `seed`.
        names: the players, by seat.
    """
    usual = {
        "board": state.board.name,
        "digest": state.board.digest,
        "edition": state.options.edition,
        "options": state.options.changed,
        "seats": ["dummy" if is_dummy else "player" for is_dummy in state.options.dummies],
    }
    optional = ({"position": start} if start else usual) | {
        "names": list(names),
        "seed": seed,
        "commitment": commitment,
        "sealed": sealed,
        "nonce_hashes": list(nonce_hashes) if any(nonce_hashes) else [],
        "opening_seed": opening_seed,
    }
    line = {"vinci": FORMAT, "engine": ENGINE_VERSION, **{key: value for key, value in optional.items() if value}}
    return chained(line if start else line | {"picks": list(picks)}, "", state)


def action_line(
    number: int, seat: Seat, by: str, action: str, picks: Sequence[str], rolls: Sequence[str], time: float | None = None
) -> Line:
    """Return the line of an action, without its hash.

    Args:
        number: the number of the action, from 1.
        seat: the seat that acted.
        by: the kind of actor, such as `player`, `bot` or `dummy`.
        action: the action in notation.
        picks: the draws of the action.
        rolls: the draws by which a dummy chose the action.
        time: when the action was stored, in seconds.
    """
    line: Line = {"n": number, "seat": seat + 1, "by": by, "do": action}
    if picks:
        line["picks"] = list(picks)
    if rolls:
        line["rolls"] = list(rolls)
    return line | ({} if time is None else {"time": round(time, 3)})


def undo_line(number: int, seat: Seat, by: str, to: int, time: float | None = None) -> Line:
    """Return the line of an undo to the position after action `to` (0: the first position), without its hash."""
    line: Line = {"n": number, "seat": seat + 1, "by": by, "undo": to}
    return line | ({} if time is None else {"time": round(time, 3)})


def result_line(
    previous: str, state: State, reveal: dict[str, Any] | None = None, times: Sequence[float | None] = ()
) -> Line:
    """Return the last line of a game that is over.

    Args:
        previous: the hash of the line before.
        state: the final position.
        reveal: seed, salt and, unless the game is sealed, nonces of a secret game.
        times: the times of all lines but the first, as they are in the lines, None for a line without.
    """
    line: Line = {"result": {"vp": list(state.vp), "ranks": list(ranks(state)), "rounds": state.round}}
    line = chained(line | ({"reveal": reveal} if reveal else {}), previous, state)
    # A key that programs of earlier versions leave out of the hash, so that they read and verify the record.
    return line | ({"time": _hash_of_times(line["hash"], times)} if any(time is not None for time in times) else {})


def _hash_of_times(last: str, times: Sequence[Any]) -> str:
    return hashlib.sha256(f"{last}\n{json.dumps(times)}".encode()).hexdigest()


def chained(line: Line, previous: str, state: State) -> Line:
    """Return the line with its hash; `previous` is the hash of the line before, `state` the position after it."""
    return line | {"hash": hashed(line, previous, position.write(state))}


def hashed(line: Line, previous: str, after: str) -> str:
    """Return the hash of a line; `after` is the text of the position after it."""
    keys = [key for key in sorted(line) if key not in UNHASHED]
    content = _encoded(line, keys, ", ", ": ", encode_basestring_ascii, _sorted_json)
    return hashlib.sha256(f"{previous}\n{{{content}}}\n{after}".encode()).hexdigest()


def dump(line: Line) -> str:
    """Return a line as JSON without a line break."""
    return f"{{{_encoded(line, line, ',', ':', encode_basestring, _compact_json)}}}"


def _encoded(
    line: Line, keys: Iterable[str], comma: str, colon: str, quote: Callable[[str], str], encode: Callable[[Any], str]
) -> str:
    """Return the items of a line in JSON; `encode` is slow and only needed for values other than numbers and texts."""
    items: list[str] = []
    for key in keys:
        value = line[key]
        kind = type(value)
        if kind is str:
            text = quote(value)
        elif kind is int:
            text = str(value)
        elif kind is list and all(type(one) is str for one in value):
            text = f"[{comma.join([quote(one) for one in value])}]"
        else:
            text = encode(value)
        items.append(f"{quote(key)}{colon}{text}")
    return comma.join(items)


def last_hash(lines: Sequence[str]) -> str:
    """Return the hash of the last line, which identifies the whole record."""
    return str(json.loads(lines[-1])["hash"])


def replay(lines: Iterable[str]) -> Iterator[Step]:
    """Replay a record line by line.

    Args:
        lines: the JSON lines.

    Yields:
        A step for each line.

    Raises:
        RecordError: a line is malformed, breaks a rule, or does not match its hash; or the result is missing.
    """
    for step, _ in _replayed(lines, with_events=True):
        yield step


def verified(lines: Sequence[str]) -> Iterator[Step]:
    """Yield the steps of `replay`, without events of actions, each once it is checked as `verify_chance` does.

    Raises RecordError as that does.
    """
    for step, _ in _verified(lines):
        yield step


def verify_chance(lines: Sequence[str]) -> int:
    """Replay a record, draw again from the seed and recompute the actions of dummies.

    Args:
        lines: the JSON lines.

    Returns:
        The number of draws checked.

    Raises:
        RecordError: the record does not replay; a draw or an action of a dummy differs; the record holds no seed, as
            before the end of a secret game; or the seeds and nonces of its first and last line contradict each other.
    """
    return sum([draws for _, draws in _verified(lines)])


def forfeits(lines: Sequence[str]) -> Iterator[tuple[Step, Seat, str]]:
    """Yield each forfeit of a record: the step, the seat, and the text of the position before. Raises RecordError."""
    if not any("forfeit" in line for line in lines):
        return  # avoids a replay of most games
    for step in replay(lines):
        if isinstance(step.action, Forfeit):
            yield step, step.action.seat, position.write(step.before)


def read_json(text: str) -> Any:
    """Parse JSON. Raises ValueError, also for NaN, infinity and too deeply nested values."""
    if text.startswith("\ufeff"):
        raise ValueError("it begins with a byte order mark; save it as UTF-8 without one")
    try:
        return _decoder.decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number in JSON")


_decoder: Final = json.JSONDecoder(parse_constant=_no_number)
"""`json.loads` would create one for each text, which takes longer than parsing a line."""


@contextmanager
def _errors_at(number: int, subject: str = "") -> Iterator[None]:
    """Raise errors of a wrong line as a RecordError with its number; `subject` starts the text for missing keys."""
    try:
        yield
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(number, str(error)) from None
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RecordError(number, f"{subject}missing or of the wrong type: {error}") from None


def _parse(number: int, text: str) -> Line:
    try:
        line = read_json(text)
    except ValueError as error:
        raise RecordError(number, f"not valid JSON: {error}") from None
    if not isinstance(line, dict):
        raise RecordError(number, "not a JSON object")
    return line


def _replayed(lines: Iterable[str], *, with_events: bool) -> Iterator[tuple[Step, Line]]:
    """Yield the step of each line and the parsed line."""
    step: Step | None = None
    previous = ""
    times: list[Any] = []
    finished = False
    number = 0
    for number, text in enumerate(lines, start=1):
        if finished:
            raise RecordError(number, "the result was the last line")
        line = _parse(number, text)
        if step is None:
            step = _replay_start(number, line)
            takeback = Takeback(0, step.before)
        elif "result" in line:
            finished = True
            _check_result(number, line, step.state)
            step = Step(number, None, "", None, [], step.state, takeback.position())
        elif "undo" in line:
            step = _replay_undo(number, line, takeback)
        else:
            step = _replay_action(number, line, step.state, takeback.position(), with_events=with_events)
            assert step.seat is not None
            takeback.note(number - 1, step.seat, step.by, line.get("picks", ()), step.state.copy())
        expected = hashed(line, previous, position.write(step.state))
        if line.get("hash") != expected:
            raise RecordError(number, f"the hash is {line.get('hash')!r}; as replayed it is {expected!r}")
        previous = expected
        if finished and "time" in line:  # older records have none
            with _errors_at(number):
                if line["time"] != _hash_of_times(expected, times):
                    raise RecordError(number, "a time was changed: the times have another hash than in this line")
        if number > 1:
            times.append(line.get("time"))
        yield step, line
    if step is None:
        raise RecordError(1, "the record is empty")
    if step.state.phase == "over" and not finished:
        raise RecordError(number + 1, "the game is over, but the line with the result is missing")


def _verified(lines: Sequence[str]) -> Iterator[tuple[Step, int]]:
    """Yield the step of each line and the number of its draws, all of which were drawn again."""
    fair = chance_of(lines)
    for step, line in _replayed(lines, with_events=False):
        draws = 0
        if step.line == 1 and "position" not in line:
            drawn = RecordingChance(_opening_chance(line) or fair)
            new_game(step.state.board, step.state.options, drawn)
            draws = _compare(1, "picks", drawn, line)
        elif step.action is not None and step.seat is not None:
            if not isinstance(step.action, Forfeit) and step.before.options.dummies[step.seat]:
                rolls = RecordingChance(fair)
                chosen = dummy.choose(step.before, rolls)
                if chosen != step.action:
                    wanted = notation.write(chosen, step.before.board)
                    raise RecordError(step.line, f"the dummy plays {wanted!r} with this seed, not {line['do']!r}")
                draws = _compare(step.line, "rolls", rolls, line)
            if "picks" in line:  # otherwise nothing was drawn, or the replay would have missed a pick
                drawn = RecordingChance(fair)
                play(step.before.copy(), step.action, drawn)
                draws += _compare(step.line, "picks", drawn, line)
        yield step, draws


def _replay_start(number: int, line: Line) -> Step:
    if line.get("vinci") != FORMAT:
        raise RecordError(number, f'not a record of format {FORMAT}: it starts with {{"vinci": {FORMAT}, ...}}')
    events: list[Event] = []
    with _errors_at(number):
        if "position" in line:
            state = position.read(line["position"])
        else:
            board = load_board(line["board"])
            if line["digest"] != board.digest:
                raise RecordError(number, f"board {board.name} has changed since: digest {line['digest']!r}")
            dummies = tuple(seat == "dummy" for seat in line["seats"])
            recorded = RecordedChance(line["picks"])
            state = new_game(board, options(dummies, line["edition"], **line.get("options", {})), recorded, events)
            recorded.finish()
    return Step(number, None, "", None, events, state, state.copy())


def _replay_action(number: int, line: Line, state: State, before: State, *, with_events: bool) -> Step:
    events: list[Event] = []
    with _errors_at(number):
        if not isinstance(line["do"], str):
            raise RecordError(number, f"do is {line['do']!r}, not an action in notation")
        action = notation.read(line["do"], state.board, codes_only=True)
        seat = Seat(int(line["seat"]) - 1)
        recorded = RecordedChance(line.get("picks", []))
        forfeits = line["do"].startswith("forfeit")
        if not forfeits and state.phase != "over" and seat != state.actor:
            raise RecordError(number, f"seat {seat + 1} acts, but it is the move of seat {state.actor + 1}")
        if (violation := check(state, action)) is not None:
            raise RecordError(number, f"{line['do']!r} breaks {violation.rule}", (violation, state.board))
        play(state, action, recorded, events if with_events else None)
        recorded.finish()
    return Step(number, seat, str(line.get("by", "")), action, events, state, before)


def _replay_undo(number: int, line: Line, takeback: Takeback) -> Step:
    seat, to = line.get("seat"), line["undo"]
    if not isinstance(seat, int) or not isinstance(to, int):
        raise RecordError(number, f"seat {seat!r} and undo {to!r} must be numbers")
    positions = takeback.positions()
    if to not in positions or positions[to].actor != seat - 1:
        known = ", ".join(map(str, positions)) or "none"
        raise RecordError(number, f"seat {seat} cannot go back to action {to}; possible here: {known}")
    before = takeback.position()
    state = takeback.back(number - 1, to).copy()
    return Step(number, Seat(seat - 1), str(line.get("by", "")), None, [], state, before, to)


def _check_result(number: int, line: Line, state: State) -> None:
    if state.phase != "over":
        raise RecordError(number, "a result, but the game is not over")
    expected = {"vp": list(state.vp), "ranks": list(ranks(state)), "rounds": state.round}
    if line["result"] != expected:
        raise RecordError(number, f"the result is {line['result']}; as replayed it is {expected}")


def chance_of(lines: Sequence[str]) -> FairChance:
    """Return the draws of a recorded game, from its open seed or from the values revealed at its end."""
    if not lines:
        raise RecordError(1, "the record is empty")
    first, last = _parse(1, lines[0]), _parse(len(lines), lines[-1])
    number = len(lines) if "commitment" in first else 1
    with _errors_at(number, "the seed is "):
        if "opening_seed" in first and "seed" not in first and not first.get("sealed"):
            raise RecordError(1, "opening_seed in a game whose seed was not chosen")
        if "seed" in first and "commitment" in first:
            raise RecordError(1, "both a seed and a commitment: a seed is either open or secret")
        if "seed" in first:
            return FairChance(first["seed"])
        if "commitment" not in first:
            raise RecordError(number, "no seed, and no commitment to one: nobody can check what was drawn")
        if "reveal" not in last:
            raise RecordError(number, "no seed: it is revealed when the game is over")
        seed, salt = (last["reveal"][key] for key in ("seed", "salt"))
        if commitment(seed, salt) != first["commitment"]:
            raise RecordError(number, "the seed revealed is not the one committed to in line 1")
        if first.get("sealed"):
            if "nonce_hashes" in first or "nonces" in last["reveal"]:
                raise RecordError(number, "nonces in a sealed game: its draws come from the seed alone")
            return FairChance(seed)
        nonces = last["reveal"]["nonces"]
        hashes = first.get("nonce_hashes")  # older records have none
        if hashes is not None and [nonce_hash(nonce) if nonce else "" for nonce in nonces] != hashes:
            raise RecordError(number, "the nonces revealed are not those whose hashes are in line 1")
        return FairChance(mixed_seed(seed, salt, nonces))


def _opening_chance(first: Line) -> FairChance | None:
    """Return the draws before the first decision if they have a seed of their own, else None."""
    try:
        return FairChance(first["opening_seed"]) if "opening_seed" in first else None
    except (ValueError, TypeError) as error:
        raise RecordError(1, f"opening_seed: {error}") from None


def _compare(number: int, key: str, drawn: RecordingChance, line: Line) -> int:
    """Return the number of draws. Raises RecordError if the line has others."""
    if drawn.picks != line.get(key, []):
        raise RecordError(number, f"{key} {line.get(key, [])}; the seed gives {drawn.picks}")
    return len(drawn.picks)
