"""A match as a full-screen terminal knows it: what the server told, in the order in which it is shown.

It knows no rules and draws nothing.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2

from ..text import events
from ..text.names import Catalogue
from .clocks import ClientClocks
from .history import History

LONGEST_LOG: Final = 2000
"""Entries that are kept."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened, in words.

    `seat` is whom it is about (0 for nobody), `rule` the id of the rule behind it (empty for none), `revision` that of
    the update that it came with.
    """

    text: str
    seat: int = 0
    rule: str = ""
    revision: int = -1
    style: str = ""


@final
@dataclass(slots=True)
class ClientMatch:
    """Everything that is known of a match.

    Attributes:
        names: names for codes.
        board_map: how the board is drawn.
        seats: the seats of the people at this terminal with their tokens; none for those who look on.
        seat: the one that is looked from, 0 for none.
        state, legal, revision: what is shown; no state before the start, and revision -1.
        connected: the stream lives. waiting: updates that are there and not shown yet.
        changed: codes of the provinces that the update shown last changed.
        replayed: it is seen again, and nothing of it is live.
    """

    names: Catalogue
    board_map: game_pb2.BoardMap
    match: lobby_pb2.Match
    seats: dict[int, str] = field(default_factory=dict)
    seat: int = 0
    state: game_pb2.State | None = None
    legal: game_pb2.Legal = field(default_factory=game_pb2.Legal)
    revision: int = -1
    log: deque[Entry] = field(default_factory=lambda: deque(maxlen=LONGEST_LOG))
    chat: deque[match_pb2.ChatLine] = field(default_factory=lambda: deque(maxlen=LONGEST_LOG))
    connected: bool = True
    waiting: deque[game_pb2.Update] = field(default_factory=deque)
    changed: frozenset[str] = frozenset()
    replayed: bool = False
    clocks: ClientClocks = field(init=False)
    _history: History = field(default_factory=History)

    def __post_init__(self) -> None:
        self.clocks = ClientClocks(self.match.timing)
        self.names.seat_players(self.match)
        self.seat = self.seat or next(iter(self.seats), 0)

    # Whose move it is.

    def my_move(self) -> bool:
        """Whether the seat that is looked from is to act, in the position that is shown and is the latest."""
        is_latest = self.connected and not self.waiting and self.state is not None
        return is_latest and bool(self.seat) and self.state is not None and self.state.seat_to_act == self.seat

    def turn(self) -> tuple[int, ...]:
        """What is the same as long as one seat acts in one turn; nothing before the start."""
        state = self.state
        return (state.round, state.turn_seat, state.seat_to_act) if state is not None else ()

    def is_drafting(self) -> bool:
        """Whether the seat that is looked from is to choose a civilization."""
        return self.state is not None and self.state.phase == game_pb2.PHASE_DRAFT and self.my_move()

    def is_barred(self) -> bool:
        """Whether that seat can do nothing now: the game is paused, or a substitute plays."""
        return self.match.paused or (bool(self.seat) and self.match.seats[self.seat - 1].substituted)

    def is_over(self) -> bool:
        """Whether nothing more happens: the end of the game is shown, or the match was ended before."""
        is_played = self.state is not None and self.state.phase == game_pb2.PHASE_OVER
        return not self.waiting and (is_played or bool(self.match.ended))

    # What the server tells.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Something that happened. Updates wait until they are shown."""
        match response.WhichOneof("kind"):
            case "match":
                self._take_match(response.match)
            case "update":
                newest = self.waiting[-1].revision if self.waiting else self.revision
                if response.update.revision > newest:
                    self.waiting.append(response.update)
            case "chat":
                self.chat.append(response.chat)
                self.tell(events.said(response.chat, self.names), response.chat.seat)
            case "clocks":
                self.clocks.take(response.clocks)

    def _take_match(self, match: lobby_pb2.Match) -> None:
        before, self.match = self.match, match
        self.names.seat_players(match)
        for line in events.changes(before, match, self.seats, self.names):
            self.tell(line, style="class:hint")
        for old, new in zip(before.seats, match.seats, strict=False):
            if old.connected != new.connected and new.seat not in self.seats:
                who = self.names.seat(new.seat)
                self.tell(events.came(who) if new.connected else events.went(who), new.seat, style="class:faint")

    def show_next(self) -> game_pb2.Update | None:
        """Show the oldest update that waits; it, or None if none does."""
        if not self.waiting:
            return None
        update = self.waiting.popleft()
        before = self.state
        if update.HasField("undo_to"):
            taken = self._history.undo(update.revision, update.undo_to)
            self.tell(events.undone(update.seat, taken, update.undo_to, self.names), update.seat)
        elif update.seat:
            is_other = self._history.note(update.revision, update.notation, update.seat, update.by)
            is_person = self.match.seats[update.seat - 1].kind == lobby_pb2.SEAT_KIND_HUMAN
            made_by = events.made_by(update.seat, update.by, self.names, is_person=is_person)
            if made_by and (is_other or update.by != "substitute"):
                self.tell(made_by, update.seat, style="class:hint")
        for event in update.events:
            rule = events.rule_of(event)
            for line in events.told(event, self.names):
                self.tell(line, _seat_of(event), rule, update.revision)
        self.state, self.legal, self.revision = update.state, update.legal, update.revision
        self.changed = frozenset(_differences(before, self.state))
        if update.state.seat_to_act in self.seats:
            self.seat = update.state.seat_to_act
        return update

    def tell(self, text: str, seat: int = 0, rule: str = "", revision: int = -1, style: str = "") -> None:
        """Add an entry to the log; an empty text is none."""
        if text:
            self.log.append(Entry(text, seat, rule, revision, style))


def _seat_of(event: game_pb2.Event) -> int:
    told = getattr(event, event.WhichOneof("kind") or "", None)
    return int(getattr(told, "seat", 0))


def _differences(before: game_pb2.State | None, after: game_pb2.State) -> Iterable[str]:
    """Codes of the provinces that are held otherwise than before."""
    if before is None:
        return
    now = zip(after.provinces, after.holdings, after.owners, after.pawns, after.forts, strict=True)
    then = zip(before.holdings, before.owners, before.pawns, before.forts, strict=True)
    for (code, *held), earlier in zip(now, then, strict=True):
        if tuple(held) != earlier:
            yield code
