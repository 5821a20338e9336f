"""Decline, and removal of empires from the board (sections 4 and 5)."""

from .board import Provinces, members
from .events import Declined, DeclineVanished, EmpireCollapsed, Log
from .market import put_back, take_out
from .state import Empire, Seat, State
from .traits import lasting


def decline(state: State, seat: Seat, log: Log) -> None:
    """Put a seat's active empire into decline (R-DECL-2 to R-DECL-4), without scoring it."""
    empire = state.active[seat]
    assert empire is not None
    vanish(state, seat, log)
    surplus = empire.reserve
    for p in members(empire.provinces):
        surplus += state.garrison[p] - 1
        state.garrison[p] = 1
    kept = lasting(empire.traits) if empire.provinces else ()
    put_back(state, empire.traits)
    take_out(state, kept)
    state.active[seat] = None
    state.declined[seat] = Empire.of(kept, empire.provinces) if empire.provinces else None
    state.must_decline = tuple(other for other in state.must_decline if other != seat)
    if log is not None:
        log.append(Declined(seat, empire.provinces, kept, surplus))


def vanish(state: State, seat: Seat, log: Log) -> None:
    """Remove the pawns, forts and traits of a seat's declined empire, if any (R-DECL-2, R-DECL-7)."""
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
    """Remove provinces from a declined empire, and its traits with the last one (R-DECL-7)."""
    declined = state.declined[seat]
    assert declined is not None
    state.declined[seat] = declined.having(declined.provinces & ~lost, 0)
    if not declined.provinces & ~lost:
        vanish(state, seat, log)


def collapse_if_landless(state: State, seat: Seat, log: Log) -> None:
    """Bind a seat to decline if another seat took its last province (R-LAND-2, R-LAND-3)."""
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
