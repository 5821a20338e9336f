"""Connects watchers and bots to a match and disconnects them."""

from vinci_rules.state import Seat

from ..match import Match
from ..time.timekeeper import RoundTrip
from .watchers import Detail, Watcher


def watch(match: Match, detail: Detail, seat: Seat | None = None) -> Watcher:
    """Return a watcher of all that happens from now on, for a seat or a spectator; end it with `unwatch`."""
    watcher = Watcher(detail, seat)
    is_back = match.audience.add(watcher)
    if seat is not None:
        match.log("player connected", seat)
        if is_back:
            match.timekeeper.arrived(seat)
        match.show_match()
    return watcher


def unwatch(match: Match, watcher: Watcher) -> None:
    """Remove a watcher."""
    match.audience.remove(watcher)
    if watcher.seat is not None:
        match.log("player disconnected", watcher.seat)
        match.timekeeper.departed(watcher.seat)
        match.show_match()


def seat_bot(match: Match, seat: Seat, name: str, round_trip: RoundTrip, *, is_own: bool) -> None:
    """Let a connected bot play a seat; it `is_own` if it came with the seat token."""
    match.log("bot seated", seat, bot=name)
    match.timekeeper.round_trips[seat] = round_trip
    if match.audience.seat_bot(seat, name, is_own=is_own):
        match.timekeeper.arrived(seat)
    match.timekeeper.arm()
    match.show_match()


def unseat_bot(match: Match, seat: Seat) -> None:
    """Remove the bot that played a seat."""
    match.log("bot unseated", seat, bot=match.audience.bots[seat])
    match.timekeeper.round_trips[seat] = RoundTrip()
    if match.audience.unseat_bot(seat):
        match.timekeeper.departed(seat)
    match.show_match()
