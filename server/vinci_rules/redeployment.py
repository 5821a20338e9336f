"""Redeployment of survivors after the attacker's turn (R-REDEP-1 to R-REDEP-3)."""

from .actions import Placement, Redeploy
from .board import has, members
from .defence import PickTie, even, lowest
from .events import Log, Redeployed, SurvivorsInReserve
from .state import Seat, State
from .violations import NotHeld, Violation, WrongNumberOfPawns, WrongPlacement


def refusal(state: State, action: Redeploy) -> Violation | None:
    """Return why this redeployment is illegal, or None."""
    empire = state.empire()
    named = [p for p, _ in action.pawns]
    for p, pawns in action.pawns:
        if not has(empire.provinces, p):
            return NotHeld("R-REDEP-1", p)
        if pawns < 1 or named.count(p) > 1:
            return WrongPlacement("R-REDEP-1", p)
    survivors = state.survivors[state.actor]
    placed = sum(pawns for _, pawns in action.pawns)
    if placed != survivors:
        return WrongNumberOfPawns("R-REDEP-1", placed, survivors, survivors)
    return None


def redeploy(state: State, seat: Seat, pawns: Placement, log: Log, *, automatic: bool = False) -> None:
    """Place a seat's survivors."""
    for p, number in pawns:
        state.garrison[p] += number
    state.survivors[seat] = 0
    if log is not None:
        log.append(Redeployed(seat, pawns, automatic))


def settle(state: State, seat: Seat, log: Log) -> bool:
    """Place a seat's survivors if no decision is needed; return False if the seat must decide (R-REDEP-1)."""
    empire, survivors = state.active[seat], state.survivors[seat]
    if not survivors:
        return True
    assert empire is not None
    if not empire.provinces:
        state.active[seat] = empire.having(0, empire.reserve + survivors)
        state.survivors[seat] = 0
        if log is not None:
            log.append(SurvivorsInReserve(seat, survivors))
        return True
    only_one = empire.provinces.bit_count() == 1
    if only_one or seat in state.forfeited or state.options.redeployment == "automatic":
        redeploy(state, seat, suggestion(state, seat).pawns, log, automatic=True)
        return True
    return False


def suggestion(state: State, seat: Seat) -> Redeploy:
    """Return the automatic redeployment: an even defence, ties to the lowest province (R-REDEP-3)."""
    return Redeploy(spread(state, seat, lowest))


def spread(state: State, seat: Seat, pick_tie: PickTie) -> Placement:
    """Return the pawns to add for an even defence with a seat's survivors."""
    empire = state.active[seat]
    assert empire is not None
    held = members(empire.provinces)
    before = [state.garrison[p] for p in held]
    after = even(state, seat, held, before, state.survivors[seat], pick_tie)
    return tuple([(p, after[place] - before[place]) for place, p in enumerate(held) if after[place] > before[place]])
