"""Decline, and empires that leave the board (section 4, section 5)."""

from .board import Provinces, members
from .events import Declined, DeclineVanished, EmpireCollapsed, Log
from .market import put_back
from .state import Empire, Seat, State
from .traits import lasting


def decline(state: State, seat: Seat, log: Log) -> None:
    """Put a seat's active empire into decline (R-DECL-2 to R-DECL-4). Scoring and the next choice are the caller's."""
    empire = state.active[seat]
    assert empire is not None
    vanish(state, seat, log)
    surplus = empire.reserve
    for p in members(empire.provinces):
        surplus += state.garrison[p] - 1
        state.garrison[p] = 1
    kept = lasting(empire.traits) if empire.provinces else ()
    put_back(state, empire.traits)
    for trait in kept:
        state.bag[trait] -= 1
    state.active[seat] = None
    state.declined[seat] = Empire.of(kept, empire.provinces) if empire.provinces else None
    state.must_decline = tuple(other for other in state.must_decline if other != seat)
    if log is not None:
        log.append(Declined(seat, empire.provinces, kept, surplus))


def vanish(state: State, seat: Seat, log: Log) -> None:
    """Take a seat's declined empire, if any, off the board: pawns, forts and traits (R-DECL-2, R-DECL-7)."""
    declined = state.declined[seat]
    if declined is None:
        return
    for p in members(declined.provinces):
        state.garrison[p] = 0
    state.forts &= ~declined.provinces
    put_back(state, declined.traits)
    state.declined[seat] = None
    state.campaign = None
    if log is not None:
        log.append(DeclineVanished(seat, declined.provinces, declined.traits))


def shrink_declined(state: State, seat: Seat, lost: Provinces, log: Log) -> None:
    """Take provinces that are no longer held from a declined empire; with the last one its traits go (R-DECL-7)."""
    declined = state.declined[seat]
    assert declined is not None
    state.declined[seat] = declined.having(declined.provinces & ~lost, 0)
    if not declined.provinces & ~lost:
        vanish(state, seat, log)


def collapse_if_landless(state: State, seat: Seat, log: Log) -> None:
    """Automatic decline of an active empire that another seat has just driven off the board (R-LAND-2, R-LAND-3)."""
    empire, option = state.active[seat], state.options.landless_empire
    assert empire is not None
    if empire.provinces or option == "choice":
        return
    if option == "auto_decline_no_pawn" and state.survivors[seat]:
        return
    gone = state.survivors[seat]
    state.survivors[seat] = 0
    state.must_decline = tuple(sorted((*state.must_decline, seat)))
    if log is not None:
        log.append(EmpireCollapsed(seat, gone))
    vanish(state, seat, log)
