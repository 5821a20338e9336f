"""Watchers, players and bots connected to a match."""

from collections import Counter
from typing import Final, final

from vinci.v1 import match_pb2
from vinci_rules.state import Seat

from ...errors import ServiceError
from .watchers import Closed, Item, Watcher

NO_SEATS: Final[frozenset[Seat]] = frozenset()
"""One object for all matches: each empty set would take 216 bytes."""


@final
class Audience:
    """Watchers, bots by seat, and chat lines of spectators by host; it stays in memory while the match sleeps."""

    __slots__ = ("_own_bots", "_streams", "bots", "chat_lines", "kept", "spectators", "watchers")

    def __init__(self, seats: int) -> None:
        self.watchers: Final[set[Watcher]] = set()
        self.bots: Final[dict[Seat, str]] = {}
        self.chat_lines: Final[Counter[str]] = Counter()
        self.spectators = 0
        self.kept = NO_SEATS
        """Seats that are kept for the bot without a seat token that had them last."""
        self._streams: Final = [0] * seats
        """Streams of the player of each seat."""
        self._own_bots = NO_SEATS
        """Seats whose bot came with the seat token: it is there for the player, and no substitute."""

    def add(self, watcher: Watcher) -> bool:
        """Add a watcher; returns whether the player of its seat was absent before."""
        self.watchers.add(watcher)
        if watcher.seat is None:
            self.spectators += 1
            return False
        was_absent = not self.is_present(watcher.seat)
        self._streams[watcher.seat] += 1
        return was_absent

    def remove(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        self.watchers.discard(watcher)
        if watcher.seat is None:
            self.spectators -= 1
        else:
            self._streams[watcher.seat] -= 1

    def seat_bot(self, seat: Seat, name: str, *, is_own: bool) -> bool:
        """Let a bot play a seat; returns whether it `is_own`, with the seat token, and the player was absent before."""
        was_absent = not self.is_present(seat)
        self.bots[seat] = name
        if is_own:
            self._own_bots |= {seat}
        return is_own and was_absent

    def unseat_bot(self, seat: Seat) -> bool:
        """Remove the bot of a seat; returns whether it was the player's own."""
        del self.bots[seat]
        is_own = seat in self._own_bots
        self._own_bots -= {seat}
        return is_own

    def is_present(self, seat: Seat) -> bool:
        """Whether the player of a seat watches, or has a bot there that bears the seat token."""
        return self._streams[seat] > 0 or seat in self._own_bots

    def can_substitute(self, seat: Seat) -> bool:
        """Whether a bot is connected that can be the substitute of a seat."""
        return seat in self.bots and seat not in self._own_bots

    def has_bot(self, seat: Seat) -> bool:
        """Whether a bot plays a seat, or it is kept for the bot that had it last."""
        return seat in self.bots or seat in self.kept

    @property
    def connected_seats(self) -> int:
        """Number of seats for which a player or a bot is connected."""
        return len({seat for seat, count in enumerate(self._streams) if count} | self.bots.keys())

    def dismiss(self, seat: Seat) -> None:
        """End the streams of a seat whose token is no longer valid."""
        for watcher in self.watchers:
            if watcher.seat == seat:
                watcher.put(Closed(ServiceError("TOKEN_CHANGED", "STREAM")))

    def has_watchers(self, *, only_players: bool = False) -> bool:
        """Whether anybody watches; with `only_players`, any player."""
        return len(self.watchers) > (self.spectators if only_players else 0)

    def show(self, item: Item, *, only_players: bool = False) -> None:
        """Send an item to all watchers, or to those with a seat."""
        for watcher in self.watchers:
            if watcher.seat is not None or not only_players:
                watcher.put(item)

    def show_chat(self, line: match_pb2.ChatLine) -> None:
        """Send a line of chat to watchers; players hear spectators only when the game is over."""
        response = match_pb2.WatchResponse(chat=line)
        for watcher in self.watchers:
            if line.seat or watcher.seat is None:
                watcher.put(response)
