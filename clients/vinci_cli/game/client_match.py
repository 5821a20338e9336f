"""Everything that a client knows of a match: what the server sent, in the order in which it is shown.

The line client, the full screen, SSH, replays and reports read this one model. It knows no rules and draws nothing.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeAlias, TypeVar, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2

from ..text import events, opponents
from ..text.i18n import _
from ..text.names import Catalogue
from ..text.recap import LONGEST, Attack, Happened, happened
from ..text.timing import clock_face

T = TypeVar("T")

LOW_SECONDS: Final = 60.0
LOW_PART: Final = 0.2
"""Time is low when less is left than both LOW_SECONDS and this part of the time at the start."""


@final
class ClientClocks:
    """The time that each seat has left. `now` returns the time in seconds."""

    def __init__(self, timing: lobby_pb2.Timing, now: Callable[[], float] = time.monotonic) -> None:
        self.low: Final = min(LOW_SECONDS, LOW_PART * (timing.decision_seconds or timing.bank_seconds))
        self._now: Final = now
        self._since = 0.0
        self._left: list[float] = []
        self.running = 0
        """The seat whose clock runs, 0 for none."""

    def take(self, clocks: match_pb2.Clocks) -> None:
        """Set all clocks to what the server says."""
        self._since = self._now()
        self._left = [milliseconds / 1000 for milliseconds in clocks.left]
        self.running = clocks.running

    def stop(self) -> None:
        """Keep all clocks as they are, until the server says more."""
        if self.running:
            self._left[self.running - 1] = self.left(self.running)
            self.running = 0

    def left(self, seat: int) -> float:
        """Return the seconds that a seat has left."""
        spent = self._now() - self._since if seat == self.running else 0.0
        return max(self._left[seat - 1] - spent, 0.0)

    def face(self, seat: int) -> str:
        """Return the time left as minutes and seconds; empty for a seat without a clock."""
        return clock_face(self.left(seat)) if 0 < seat <= len(self._left) else ""


@final
class History(Generic[T]):
    """The decisions of a game that still count, by the revision that each made."""

    def __init__(self) -> None:
        self._kept: Final[list[tuple[int, T]]] = []

    def add(self, revision: int, item: T) -> None:
        """Add a decision."""
        self._kept.append((revision, item))

    def undo(self, revision: int, to: int) -> list[T]:
        """Take back everything after revision `to`, whose position gets the number `revision`; returns what it was."""
        remaining = sum(number <= to for number, _item in self._kept)
        taken = [item for _number, item in self._kept[remaining:]]
        del self._kept[remaining:]
        if self._kept and self._kept[-1][0] == to:
            self._kept[-1] = revision, self._kept[-1][1]
        return taken

    def items(self) -> list[T]:
        """Return the decisions that were not taken back, oldest first."""
        return [item for _number, item in self._kept]


LONGEST_LOG: Final = 2000
"""Log entries and chat lines that are kept."""


Ending: TypeAlias = Literal["over", "ended", "left", "lost"]
"""The end of play: the game is over or was ended before, the people left, or others have their seats now."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log.

    `seat` is the seat that it is about (0 for none), `rule` the id of the rule behind it (empty for none), `revision`
    that of the update that it came with, `short` the text in fewer words where there are some.
    """

    text: str
    seat: int = 0
    rule: str = ""
    revision: int = -1
    style: str = ""
    short: str = ""


@final
@dataclass(slots=True)
class ClientMatch:
    """A match as the people at one terminal see it.

    Attributes:
        names: names for codes.
        board_map: shape of the board; empty in a client that draws no map.
        match: the lobby's message about the match.
        seats: the seats of this terminal with their tokens; none for spectators.
        seat: the seat whose view is shown, 0 for none.
        state, legal, revision: the position that is shown; before the start there is no state, and the revision is -1.
        log: what happened, oldest first; a client that prints entries takes them out.
        connected: whether the stream is open. waiting: updates that were received and not shown yet.
        changed: codes of the provinces that were taken or lost by the update shown last.
        attacks: conquests of the update shown last.
        recent: what happened lately, for recaps.
        prospects: what each civilization could take in the position shown, by slot (0 for the present one), if known.
        replayed: whether this is a replay, in which nothing is live.
        announced: the match as the log last described it; None starts with what `match` says.
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
    attacks: Sequence[Attack] = ()
    prospects: Mapping[int, game_pb2.Prospect] = field(default_factory=dict)
    recent: deque[Happened] = field(default_factory=lambda: deque(maxlen=LONGEST))
    replayed: bool = False
    announced: lobby_pb2.Match | None = None
    clocks: ClientClocks = field(init=False)
    _history: History[tuple[tuple[int, ...], str]] = field(default_factory=History)
    _actor: tuple[int, str] = (0, "")

    def __post_init__(self) -> None:
        self.clocks = ClientClocks(self.match.timing)
        self.names.seat_players(self.match)
        self.names.own = self.seats
        self.seat = self.seat or next(iter(self.seats), 0)

    # Whose move it is.

    def my_move(self) -> bool:
        """Return whether `seat` is to act in the position shown, and that is the latest."""
        is_latest = self.connected and not self.waiting and self.state is not None
        return is_latest and bool(self.seat) and self.state is not None and self.state.seat_to_act == self.seat

    def thinks(self) -> bool:
        """Return whether a bot that is connected is to act in the position shown, and that is the latest."""
        if self.state is None or self.waiting or not self.connected or self.replayed or self.is_over():
            return False
        seat = self.match.seats[self.state.seat_to_act - 1]
        return seat.kind == lobby_pb2.SEAT_KIND_BOT and seat.connected and not seat.substituted

    def turn(self) -> tuple[int, ...]:
        """Return a key that stays the same while one seat acts in one turn; empty before the start."""
        state = self.state
        return (state.round, state.turn_seat, state.seat_to_act) if state is not None else ()

    def can_undo(self) -> bool:
        """Return whether `seat` has played something in this turn that it can take back."""
        played = self._history.items()
        return self.my_move() and bool(played) and played[-1][0] == self.turn()

    def is_drafting(self) -> bool:
        """Return whether `seat` is to choose a civilization."""
        return self.state is not None and self.state.phase == game_pb2.PHASE_DRAFT and self.my_move()

    def is_barred(self) -> bool:
        """Return whether `seat` cannot act now: the game is paused, or a substitute plays."""
        return self.match.paused or (bool(self.seat) and self.match.seats[self.seat - 1].substituted)

    def is_over(self) -> bool:
        """Return whether the end of the game is shown, or the match was ended before."""
        is_played = self.state is not None and self.state.phase == game_pb2.PHASE_OVER
        return not self.waiting and (is_played or bool(self.match.ended))

    # Messages of the server.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Take a message; updates wait for `show_next`."""
        match response.WhichOneof("kind"):
            case "match":
                self._take_match(response.match)
            case "update":
                if response.update.revision > self._newest():
                    self.waiting.append(response.update)
            case "chat":
                self.chat.append(response.chat)
                self.tell(events.chat_text(response.chat, self.names), response.chat.seat)
            case "clocks":
                self.clocks.take(response.clocks)

    def _take_match(self, match: lobby_pb2.Match) -> None:
        before, announced, self.match = self.match, self.announced or self.match, match
        self.announced = match
        self.names.seat_players(match)
        for line in events.changes(announced, match, self.seats, self.names):
            self.tell(line, style="class:hint")
        if match.status == lobby_pb2.MATCH_STATUS_OPEN:
            return
        if self.seats and announced.spectators != match.spectators:
            self._tell_spectators(announced.spectators, match.spectators)
        for old, new in zip(before.seats, match.seats, strict=False):
            if old.connected != new.connected and new.seat not in self.seats:
                self._tell_presence(new.seat, is_here=new.connected)

    def _tell_presence(self, seat: int, *, is_here: bool) -> None:
        """Tell that a player came or went; one who is back at once, such as from the waiting room, was never gone."""
        player = self.names.seat(seat)
        if is_here and self.log and self.log[-1].text == events.went(player):
            self.log.pop()
        else:
            self.tell(events.came(player) if is_here else events.went(player), seat, style="class:faint")

    def _tell_spectators(self, before: int, now: int) -> None:
        """Tell players how many spectators there are, in place of the last entry if that told the same."""
        if self.log and self.log[-1].text == events.spectators(before):
            self.log.pop()
        self.tell(events.spectators(now), style="class:faint")

    def connect(self, *, connected: bool) -> None:
        """Note that the connection was lost, so that the clocks are not known any more, or is back."""
        self.connected = connected
        if not connected:
            self.clocks.stop()

    def show_next(self) -> game_pb2.Update | None:
        """Show the oldest update that waits and return it; None if none waits."""
        if not self.waiting:
            return None
        update = self.waiting.popleft()
        before = self.state
        if update.HasField("undo_to"):
            while self.recent and self.recent[-1].revision > update.undo_to:
                self.recent.pop()
            taken = [notation for _turn, notation in self._history.undo(update.revision, update.undo_to)]
            self.tell(events.undone(update.seat, taken, update.undo_to, self.names), update.seat)
        elif update.seat:
            self._history.add(update.revision, (self.turn(), update.notation))
            previous, self._actor = self._actor, (update.seat, update.by)
            is_person = self.match.seats[update.seat - 1].kind == lobby_pb2.SEAT_KIND_HUMAN
            made_by = events.made_by(update.seat, update.by, self.names, is_person=is_person)
            if made_by and (previous != self._actor or update.by != "substitute"):
                self.tell(made_by, update.seat, style="class:hint")
        for event in update.events:
            rule = events.rule_of(event)
            for line in events.event_lines(event, self.names):
                self.tell(line, _seat_of(event), rule, update.revision, short=events.short(event, self.names))
        if self.revision < 0 and update.state.round == 0 and self._meets_dummies():
            self.tell(_(opponents.DUMMIES), style="class:hint")
        now = happened(update, before, self.names)
        self.recent.extend(now)
        self.attacks = [item.attack for item in now if item.attack is not None]
        self.prospects = {}
        update.state.last_round |= update.state.target_reached  # servers of 0.2 tell only that
        self.state, self.legal, self.revision = update.state, update.legal, update.revision
        self.changed = frozenset(_taken_or_lost(before, self.state))
        if update.state.seat_to_act in self.seats:
            self.seat = update.state.seat_to_act
        return update

    def remember(self, updates: Iterable[game_pb2.Update]) -> None:
        """Take updates from before this client was here into the log; the position is not known before the next one."""
        for update in updates:
            self.waiting.append(update)
            self.show_next()
        self.state, self.legal, self.changed, self.attacks = None, game_pb2.Legal(), frozenset(), ()

    def lose(self, seat: int) -> None:
        """Tell that a seat, already taken out of `seats`, is no longer played here."""
        self.tell(events.seat_lost(seat), style="class:hint")
        self.seat = next(iter(self.seats), 0)

    def next_revision(self) -> int | None:
        """Return the first revision that was not received; None if none was."""
        newest = self._newest()
        return newest + 1 if newest >= 0 else None

    def last_chat(self) -> int:
        """Return the number of the last chat line received, 0 for none."""
        return self.chat[-1].number if self.chat else 0

    def _newest(self) -> int:
        return self.waiting[-1].revision if self.waiting else self.revision

    def _meets_dummies(self) -> bool:
        has_dummy = any(seat.kind == lobby_pb2.SEAT_KIND_DUMMY for seat in self.match.seats)
        return bool(self.seats) and has_dummy and not self.match.from_position

    def tell(
        self, text: str, seat: int = 0, rule: str = "", revision: int = -1, style: str = "", short: str = ""
    ) -> None:
        """Add an entry to the log; an empty text adds none."""
        if text:
            self.log.append(Entry(text, seat, rule, revision, style, short))


def _seat_of(event: game_pb2.Event) -> int:
    kind = getattr(event, event.WhichOneof("kind") or "", None)
    return int(getattr(kind, "seat", 0))


def _taken_or_lost(before: game_pb2.State | None, after: game_pb2.State) -> Iterable[str]:
    """Yield the codes of the provinces that have another owner, or that an active empire took from a declined one."""
    if before is None:
        return
    now = zip(after.provinces, after.holdings, after.owners, strict=True)
    for (code, holding, owner), (was, former) in zip(
        now, zip(before.holdings, before.owners, strict=True), strict=True
    ):
        has_become_active = holding == game_pb2.HOLDING_ACTIVE and was == game_pb2.HOLDING_DECLINED
        if owner != former or has_become_active:
            yield code
