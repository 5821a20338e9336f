"""Connects watchers and bots to a match and disconnects them."""

from typing import Final

from vinci_rules.state import Seat

from ..match import Match
from ..time.timekeeper import RoundTrip
from .watchers import Detail, Watcher

MOST_TOLD: Final = 20
"""Spectators up to which players are told at once of each that comes or goes; above, with the next message."""


def watch(match: Match, detail: Detail, seat: Seat | None = None) -> Watcher:
    """Return a watcher of all that happens from now on, for a seat or a spectator; end it with `unwatch`."""
    watcher = Watcher(detail, seat)
    is_back = match.audience.add(watcher)
    if seat is not None:
        match.log("player connected", seat)
        if is_back:
            match.timekeeper.arrived(seat)
        match.show_match()
    else:
        _tell_spectators(match)
    return watcher


def unwatch(match: Match, watcher: Watcher) -> None:
    """Remove a watcher."""
    match.audience.remove(watcher)
    if watcher.seat is not None:
        match.log("player disconnected", watcher.seat)
        match.timekeeper.departed(watcher.seat)
        match.show_match()
    else:
        _tell_spectators(match)


def _tell_spectators(match: Match) -> None:
    """Send players the match with the number of spectators, if they are few."""
    if match.audience.spectators <= MOST_TOLD:
        match.show_match(only_players=True)


def seat_bot(match: Match, seat: Seat, name: str, round_trip: RoundTrip, *, is_own: bool) -> None:
    """Let a connected bot play a seat; it `is_own` if it came with the seat token."""
    match.log("bot seated", seat, bot=name)
    match.timekeeper.round_trips[seat] = round_trip
    match.timekeeper.returned(seat)
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
