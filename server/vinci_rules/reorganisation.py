"""The end of the conquests: provinces kept, pawns placed in them, and forts (R-REORG-1 to R-REORG-5)."""

from collections.abc import Sequence
from typing import Final, final

from .actions import Hold, Placement
from .board import Province, Provinces, has, including, members, set_of
from .cohesion import exempt, links, parts
from .conquest import conquests, may_conquer
from .defence import PickTie, even, lowest
from .events import Log, Reorganised
from .scoring import worth
from .state import Empire, State
from .traits import FORTS, GENERAL, GENERAL_PAWNS, MEDICINE
from .violations import (
    MustConquer,
    NoFortHere,
    NotConnected,
    NotHeld,
    TooManyForts,
    Violation,
    WrongNumberOfPawns,
    WrongNumberOfProvinces,
    WrongPlacement,
)


@final
class Part:
    """A part of the empire that can be kept, with `least` to `most` pawns.

    The two differ only in a split empire, if pawns of General can leave from garrisons in this part or in others, or if
    pawns may be left in parts that are lost (R-REORG-2).
    """

    __slots__ = ("least", "most", "provinces")

    def __init__(self, provinces: Provinces, least: int, most: int) -> None:
        self.provinces: Final = provinces
        self.least: Final = least
        self.most: Final = most


@final
class Reorganisation:
    """The legal reorganisations of the seat to act.

    Attributes:
        parts: the parts of the empire, one of which is kept: a single one if it is connected or exempt from cohesion,
            none without provinces.
        connected: whether the kept provinces must be connected.
        free: whether fewer provinces may be kept than the pawns suffice for (`give_up = free`).
        forts: the number of forts that may be built.
    """

    __slots__ = ("connected", "forts", "free", "parts")

    def __init__(self, state: State) -> None:
        empire = state.empire()
        self.connected: Final = not exempt(state, empire)
        self.free: Final = state.options.give_up == "free"
        self.forts: Final = empire.copies[FORTS]
        self.parts: Final = tuple(_parts(state, empire, self.connected)) if empire.provinces else ()


def pawns_in(state: State, provinces: Provinces) -> int:
    """Return the number of pawns in a set of provinces."""
    pawns, garrison = 0, state.garrison
    for p in members(provinces):
        pawns += garrison[p]
    return pawns


def _parts(state: State, empire: Empire, connected: bool) -> list[Part]:
    garrisons = pawns_in(state, empire.provinces)
    by_general = GENERAL_PAWNS * empire.copies[GENERAL]
    pieces = parts(state.board, empire, empire.provinces) if connected else [empire.provinces]
    if len(pieces) == 1 or state.options.split_empire != "lose":
        pawns = empire.reserve + garrisons - by_general
        least = min(pawns, 1) if len(pieces) > 1 and state.options.split_empire == "lose_at_end" else pawns
        return [Part(provinces, least, pawns) for provinces in pieces]
    from_garrisons = max(by_general - empire.reserve, 0)
    reserve = empire.reserve - by_general + from_garrisons
    choices = []
    for provinces in pieces:
        here = pawns_in(state, provinces)
        most = reserve + here - max(from_garrisons - (garrisons - here), 0)
        least = reserve + here - min(from_garrisons, here)
        choices.append(Part(provinces, least, most))
    return choices


def may_hold(state: State) -> bool:
    """Return whether the seat to act may end its conquests; without provinces it may have to enter (R-ENTRY-4)."""
    empire = state.empire()
    if empire.provinces or state.options.landless_entry == "free":
        return True
    own = empire.reserve - GENERAL_PAWNS * empire.copies[GENERAL] - empire.copies[MEDICINE]
    return own <= 0 or not may_conquer(state)


def refusal(state: State, action: Hold) -> Violation | None:
    """Return why this reorganisation is illegal, or None."""
    if not may_hold(state):
        return MustConquer(set_of(conquest.province for conquest in conquests(state)))
    provinces = state.empire().provinces
    kept = placed = 0
    for p, pawns in action.pawns:
        if not has(provinces, p):
            return NotHeld("R-REORG-1", p)
        if pawns < 1 or has(kept, p):
            return WrongPlacement("R-REORG-1", p)
        kept = including(kept, p)
        placed += pawns
    return _refusal_of_kept(state, kept, placed) or _refusal_of_forts(state, action, kept)


def _refusal_of_kept(state: State, kept: Provinces, placed: int) -> Violation | None:
    limits = Reorganisation(state)
    if not kept:
        if not limits.parts or any(part.least == 0 for part in limits.parts):
            return None
        part = max(limits.parts, key=lambda part: part.most)
        return WrongNumberOfPawns("R-REORG-1", placed, part.least, part.most)
    part = next(part for part in limits.parts if part.provinces & kept)
    if limits.connected:
        joined = parts(state.board, state.empire(), kept)
        if len(joined) > 1:
            return NotConnected(joined[0])
    if not part.least <= placed <= part.most:
        return WrongNumberOfPawns("R-REORG-1", placed, part.least, part.most)
    needed = min(placed, part.provinces.bit_count())  # with `free` the maximum (R-REORG-3)
    if kept.bit_count() != needed and not limits.free:
        return WrongNumberOfProvinces(kept.bit_count(), needed, part.provinces)
    return None


def _refusal_of_forts(state: State, action: Hold, kept: Provinces) -> Violation | None:
    if not action.forts:
        return None
    copies = state.empire().copies[FORTS]
    if len(action.forts) > copies:
        return TooManyForts(len(action.forts), copies)
    for p in action.forts:
        if not has(kept, p) or has(state.forts, p) or action.forts.count(p) > 1:
            return NoFortHere(p)
    return None


def reorganise(state: State, action: Hold, log: Log) -> None:
    """Return the pawns of General, garrison the provinces of the action, give up the others, and build forts."""
    empire, garrison = state.empire(), state.garrison
    if log is not None:
        log.append(_reorganised(state, empire, action))
    kept = 0
    for p, pawns in action.pawns:
        kept |= 1 << p  # `including` inlined: runs for every province kept in a playout
        garrison[p] = pawns
    if given_up := empire.provinces & ~kept:
        for p in members(given_up):
            garrison[p] = 0
        state.forts &= ~given_up
    if action.forts:
        state.forts |= set_of(action.forts)
    reserve = 0 if empire.provinces else empire.reserve - GENERAL_PAWNS * empire.copies[GENERAL]
    state.active[state.actor] = empire.having(kept, reserve)


def _reorganised(state: State, empire: Empire, action: Hold) -> Reorganised:
    by_general = GENERAL_PAWNS * empire.copies[GENERAL]
    lost = 0
    if empire.provinces:
        lost = empire.reserve + pawns_in(state, empire.provinces) - by_general - sum(n for _, n in action.pawns)
    given_up = empire.provinces & ~set_of(p for p, _ in action.pawns)
    return Reorganised(state.actor, action.pawns, action.forts, given_up, by_general, lost)


def defended(state: State, kept: Sequence[Province], pawns: int, pick_tie: PickTie) -> Placement:
    """Return an even defence of the kept provinces, in board order, with so many pawns and at least one in each."""
    placed = even(state, state.actor, kept, [1] * len(kept), pawns - len(kept), pick_tie)
    return tuple([(p, placed[place]) for place, p in enumerate(kept)])


def suggestion(state: State, limits: Reorganisation | None = None) -> Hold:
    """Return a legal reorganisation: the part that scores most, with an even defence and no fort (R-FORFEIT-3).

    Pass `limits` if they are already computed for this state.
    """
    limits = limits or Reorganisation(state)
    if not limits.parts:
        return Hold()
    choices = [(_to_keep(state, limits, part), part.most) for part in limits.parts]
    if len(choices) > 1:
        value = worth(state.board, state.empire().traits)
        choices.sort(key=lambda choice: (sum(value[p] for p in choice[0]), choice[1]), reverse=True)
    kept, pawns = choices[0]
    return Hold(defended(state, kept, pawns, lowest))


def _to_keep(state: State, limits: Reorganisation, part: Part) -> tuple[Province, ...]:
    """Return the most valuable provinces to keep of a part, found by greedy growth from each of its provinces."""
    empire = state.empire()
    number = min(part.most, part.provinces.bit_count())
    if number == part.provinces.bit_count():
        return members(part.provinces)
    value, linked = worth(state.board, empire.traits), links(state.board, empire)
    best: Provinces = 0
    best_value = -1
    for start in members(part.provinces):
        kept, near, total = 0, set_of([start]), 0
        for _ in range(number):
            p = max(members(near), key=value.__getitem__)
            kept = including(kept, p)
            near = (near | linked[p] if limits.connected else part.provinces) & part.provinces & ~kept
            total += value[p]
        if total > best_value:
            best, best_value = kept, total
    return members(best)
