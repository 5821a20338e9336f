"""A match: commands wait in its queue; a change is stored, applied, sent to watchers, then answered."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, final

import structlog

from vinci.v1 import lobby_pb2, match_pb2
from vinci_rules import ENGINE_VERSION, dummy
from vinci_rules.actions import Action, Forfeit
from vinci_rules.chance import RecordingChance
from vinci_rules.engine import default_action
from vinci_rules.state import Seat

from ..errors import ServiceError
from ..storage.store import DamagedError, PersonRow, Snapshot, Store, StoreError
from .audience.audience import Audience
from .audience.messages import match_message
from .audience.watchers import Closed, Revision
from .command_queue import CommandQueue, command
from .log.batch import Batch
from .log.entries import Act, Chat, Entry, Join, Leave, Substitute, Undo, encode
from .log.ledger import Ledger, MatchSummary
from .log.loading import load, load_now
from .planning import PlayOutcome, answered, barred, check_undos, not_to_act, plan, started
from .results import rated_results
from .slices import listed
from .time.timekeeper import RETRY_SECONDS, Timekeeper

ACTIONS_AT_ONCE: Final = 16
"""Actions that are played in one batch, before other commands of the match run."""


def autoplay(batch: Batch, plays: Callable[[Seat], bool]) -> Iterator[None]:
    """Play actions one by one until the server does not play the seat to act, or the batch is full."""
    while (state := batch.state).phase != "over" and plays(state.actor) and len(batch.acts) < ACTIONS_AT_ONCE:
        if state.options.dummies[state.actor]:
            rolling = RecordingChance(batch.chance)
            action = dummy.choose(state, rolling)
            batch.play(state.actor, "dummy", action, rolls=rolling.picks)
        else:
            batch.play(state.actor, "substitute", dummy.advise(state))
        yield


CROWD: Final = 50
"""With more watchers than this, the decision is sent to the next bot or player first."""

_log = structlog.get_logger()


def _persons(entries: Sequence[Entry], first: int) -> Iterator[PersonRow]:
    """Yield whom entries are about whose rows have numbers from `first` on."""
    for number, entry in enumerate(entries, start=first):
        match entry:
            case Join(seat, person=person):
                yield PersonRow(person, number, seat + 1, holds=person > 0)
            case Leave(seat):
                yield PersonRow(0, number, seat + 1, holds=False)
            case Chat(person=person) if person:
                yield PersonRow(person, number, 0, holds=False)


class MatchObserver:
    """Observer of match events; the default implementation ignores them."""

    def on_turn(self, match: "Match") -> None:
        """Called when another seat may be to act, or the game is over."""

    def on_seats(self, match: "Match") -> None:
        """Called when players, bots or the setup of seats may have changed."""


@final
class Match:
    """A match, awake or asleep: then a summary replaces its ledger. Using the ledger wakes it."""

    __slots__ = (
        "_listener", "_state", "_store", "_waking", "audience", "changed", "closing", "is_damaged", "match_id", "moved",
        "queue", "timekeeper",
    )  # fmt: skip

    def __init__(self, ledger: Ledger, store: Store, listener: MatchObserver) -> None:
        self.match_id: Final = ledger.match_id
        self.changed = -math.inf
        """Time of the last row, in seconds of `time.monotonic`."""
        self.moved = -math.inf
        """Time of the last row that is no reading of a clock."""
        self.closing = False
        self.is_damaged = False
        """Whether the database is damaged where it keeps the match, so that nothing more is stored."""
        self._state: Ledger | MatchSummary = ledger
        self._store: Final = store
        self._listener: Final = listener
        self._waking: Final = asyncio.Lock()
        self.queue: Final = CommandQueue(self._log_error)
        self.audience: Final = Audience(len(ledger.sitters))
        self.timekeeper: Final = Timekeeper(self)

    # Sleeping and waking.

    @property
    def ledger(self) -> Ledger:
        """The state of the match; if asleep it is read, blocking the event loop. Raises ServiceError."""
        state = self._state
        if isinstance(state, Ledger):
            return state
        self._state = ledger = load_now(self.match_id, self._store)
        return ledger

    async def wake(self) -> None:
        """Read the ledger while other tasks run, once for all callers. Raises ServiceError."""
        if not self.is_awake:
            async with self._waking:
                if not self.is_awake:
                    ledger = await load(self.match_id, self._store)
                    if not self.is_awake:  # `ledger` may have been used meanwhile
                        self._state = ledger

    def sleep(self) -> None:
        """Replace the ledger by a summary; only while idle."""
        self._state = self.ledger.summary()

    @property
    def is_awake(self) -> bool:
        """Whether its ledger is in memory."""
        return isinstance(self._state, Ledger)

    def is_idle(self) -> bool:
        """Whether nothing is in progress or due, so that it can sleep."""
        return self.queue.is_empty and not self.timekeeper.is_armed

    # Facts that do not wake it.

    @property
    def revision(self) -> int:
        """The latest revision."""
        return self._state.revision

    @property
    def status(self) -> str:
        """As `Ledger.status`."""
        return self._state.status

    @property
    def is_finished(self) -> bool:
        """Whether its game is over, or it was ended before."""
        return self._state.status in ("over", "ended")

    @property
    def open_seats(self) -> int:
        """Number of human seats that nobody has joined."""
        return self._state.open_seats

    @property
    def counts_absence(self) -> bool:
        """Whether a substitute replaces a player who is absent for long."""
        return self._state.counts_absence

    # Seats.

    def is_of_a_bot(self, seat: Seat) -> bool:
        """Whether a bot without a seat token has a bot seat, or has played it and was not replaced since."""
        return self.ledger.is_of_a_bot(seat, is_connected=self.audience.has_bot(seat))

    def has_deputy(self, seat: Seat) -> bool:
        """Whether a connected bot is the substitute of a seat."""
        return self.ledger.substituted[seat] and self.audience.can_substitute(seat)

    def message(self) -> lobby_pb2.Match:
        """Return the match as a message."""
        return match_message(self.ledger, self.audience)

    # The game.

    async def act(
        self,
        seat: Seat,
        by: str,
        actions: Sequence[Action],
        *,
        request_id: str | None = None,
        expected_revision: int | None = None,
    ) -> PlayOutcome:
        """Play actions of a seat in order until the first that is refused.

        Raises ServiceError if none can be played. The id of an earlier accepted request returns the outcome of that.
        """
        arrived = time.monotonic()

        async def play() -> PlayOutcome | None:
            # Within the command, as the first attempt of the same request may be in the queue before it.
            if request_id in self.ledger.requests:
                return None
            outcome, acts = plan(self.ledger, seat, by, actions, request_id, expected_revision)
            if outcome.refused is not None and not outcome.played:
                raise outcome.refused
            acts[0] = acts[0]._replace(times=self.timekeeper.times(seat, by, arrived, outcome.played[-1].after))
            await self.commit(outcome.played, acts)
            return outcome

        outcome = await self.queue.run(play())
        if outcome is None:
            assert request_id is not None
            outcome = await answered(self.ledger, seat, "act", request_id)
        return outcome

    async def undo(self, seat: Seat, to: int | None, *, request_id: str, expected_revision: int | None) -> PlayOutcome:
        """Take back actions of the seat's turn: to a revision, or only the last one. Raises ServiceError."""

        async def undo() -> PlayOutcome | None:
            if request_id in self.ledger.requests:
                return None
            state = started(self.ledger, expected_revision)
            refused = barred(self.ledger, seat, "player", None) or not_to_act(state, seat)
            if refused is not None:
                raise refused
            check_undos(self.ledger, seat)
            await listed(self.ledger.game.learn_undo_positions())
            played, entry = self.ledger.game.undo(seat, "player", to, request_id)
            if self.ledger.setup.timing.has_clock:
                entry = entry._replace(left=self.timekeeper.left_ms(seat))
            await self.commit([played], [entry])
            return PlayOutcome(played.revision, [played])

        return await self.queue.run(undo()) or await answered(self.ledger, seat, "undo", request_id)

    async def play(self, seat: Seat, by: str, action: Action) -> None:
        """Play one action on behalf of a seat. Only within a command. Raises ServiceError."""
        await self.act(seat, by, [action])

    async def pass_over(self, seat: Seat, policy: str, reason: str) -> None:
        """Apply a policy to a seat; `reason` is the `by` of its entries. Only in a command. Raises ServiceError."""
        assert self.ledger.state is not None
        match policy:
            case "substitute":
                await self.substitute(seat, reason)
            case "forfeit":
                await self.play(seat, reason, Forfeit(seat))
            case _:
                await self.play(seat, "default", default_action(self.ledger.state))

    async def substitute(self, seat: Seat, reason: str, before: Sequence[Entry] = (), bot: str = "") -> None:
        """Let a substitute play a seat, after storing `before`. Only within a command. Raises ServiceError.

        With `bot`, one of this name is the substitute.
        """
        entry = Substitute(seat, reason, self.timekeeper.left_ms(seat), bot)
        await self.change_play([*before, entry], [seat])
        self.log("substitute plays", seat, reason=reason)

    async def vacate(self, seats: Sequence[Seat]) -> None:
        """Empty seats that withhold their nonces. Only within a command. Raises ServiceError."""
        await self.change_seats([Leave(seat, withheld=True) for seat in seats])
        for seat in seats:
            self.log("seat emptied: no nonce", seat)
            self.audience.dismiss(seat)

    async def commit(self, played: Sequence[Revision], entries: Sequence[Act | Undo]) -> None:
        """Store and apply revisions, and send them to everybody. Only within a command."""
        over = played[-1].after.phase == "over"
        before = self.ledger.to_act()
        await self.append(entries, "over" if over else None, played)
        if before in [revision.seat for revision in played]:  # else another seat has forfeited
            self.timekeeper.start()
        if not over:
            self.go_on()
            if len(self.audience.watchers) > CROWD:
                await asyncio.sleep(0)  # the decision is sent before many watchers are
        for revision in played:
            self.audience.show(revision)
        if over:
            self.log("match over")
            self.show_match()
            self.finish()
        else:
            self.show_clocks()

    def begin(self) -> None:
        """Notify the observer of a match that was created or read, and continue it."""
        self._listener.on_seats(self)
        self.go_on()

    def begin_game(self, opening: Revision) -> None:
        """Send the start of the game to everybody, and continue."""
        self.timekeeper.start()
        self.timekeeper.excuse(self.ledger.seats())
        self.show_match()
        self.audience.show(opening)
        self.show_clocks()
        self.begin()

    def finish(self) -> None:
        """End all streams of a finished match."""
        self.audience.show(Closed(None))
        self.go_on()

    def go_on(self) -> None:
        """Let dummies and substitutes play, or send a bot its decision."""
        self._listener.on_turn(self)
        self.timekeeper.arm()
        seat = self.ledger.to_act()
        if seat is not None and self._played_by_server(seat) and not self.closing:
            self.queue.spawn(self._play_for_absent())

    async def _play_for_absent(self) -> None:
        while not self.closing:
            try:
                await self._play_some()
            except ServiceError:  # the log could not be written, which is logged; nobody else can act
                if self.is_damaged:
                    return
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    @command
    async def _play_some(self) -> None:
        seat = self.ledger.to_act()
        if seat is None or not self._played_by_server(seat):
            return
        batch = self.ledger.batch()
        steps = autoplay(batch, self._played_by_server)
        if all(map(self._played_by_server, self.ledger.seats())):  # nobody waits for it, so other tasks come first
            await listed(steps)
        else:
            for _ in steps:
                pass
        await self.commit(batch.played, batch.acts)

    def _played_by_server(self, seat: Seat) -> bool:
        """Whether a seat is a dummy, or has a substitute and no bot for it."""
        return self.ledger.kind(seat) == "dummy" or (self.ledger.substituted[seat] and not self.has_deputy(seat))

    # Sending.

    def close(self) -> None:
        """End all streams and stop dummies, because the server stops."""
        self.closing = True
        self.timekeeper.stop()
        if self.is_awake:  # a match asleep has no running clock
            self.queue.spawn(self.queue.run(self.timekeeper.read()))
        self.audience.show(Closed(ServiceError("SHUTTING_DOWN", "STREAM")))

    def show_match(self, *, only_players: bool = False) -> None:
        """Send watchers the match."""
        if self.audience.has_watchers(only_players=only_players) and not self.closing:
            self.audience.show(match_pb2.WatchResponse(match=self.message()), only_players=only_players)

    def show_clocks(self) -> None:
        """Send watchers the clocks, if the match has some."""
        if self.audience.watchers and self.ledger.setup.timing.has_clock:
            self.audience.show(match_pb2.WatchResponse(clocks=self.timekeeper.message()))

    # The log.

    def log(self, event: str, seat: Seat | None = None, **facts: object) -> None:
        """Write a line about the match to the server's log."""
        about = {} if seat is None else {"seat": seat + 1}
        _log.info(event, match=self.match_id, revision=self.revision, **about, **facts)

    def _log_error(self, error: BaseException) -> None:
        """Log an unexpected error of a task."""
        if not isinstance(error, ServiceError):
            _log.error("internal error", match=self.match_id, revision=self.revision, exc_info=error)

    async def append(
        self, entries: Sequence[Entry], status: str | None = None, played: Sequence[Revision] = ()
    ) -> None:
        """Store entries, then apply them. Only within a command. Raises ServiceError."""
        if self.is_damaged:
            raise ServiceError("DATABASE_DAMAGED", "MATCH", match=self.match_id)
        now, first = time.time(), self.ledger.length + 1
        rows = [encode(entry, number, now) for number, entry in enumerate(entries, start=first)]
        try:
            snapshot = Snapshot(rows[-1].sequence, ENGINE_VERSION, played[-1].position) if played else None
            persons = list(_persons(entries, first))
            results = rated_results(self.ledger, self.audience, played[-1].after) if status == "over" else ()
            await self._store.append(self.match_id, rows, status, snapshot, persons, results)
        except DamagedError as error:
            _log.error("database damaged", match=self.match_id, revision=self.ledger.revision, error=str(error))
            self.is_damaged = True
            raise ServiceError("DATABASE_DAMAGED", "MATCH", match=self.match_id) from None
        except StoreError as error:
            _log.error("append failed", match=self.match_id, revision=self.ledger.revision, error=str(error))
            raise ServiceError("STORE_FAILED", "CHANGE", error=error) from None
        self.changed = time.monotonic()
        if any(row.kind != "clock" for row in rows):
            self.moved = self.changed
        was_open = self.ledger.state is None
        for place, row in enumerate(rows):
            self.ledger.fold(row, entries[place], played[place] if played else None)
            _log.debug(
                "stored", match=self.match_id, seat=row.seat, revision=self.ledger.revision, kind=row.kind, by=row.actor
            )
        if was_open:
            self.timekeeper.expect_nonces()

    async def change_seats(self, entries: Sequence[Entry], status: str | None = None) -> None:
        """Store entries about seats or votes and notify everybody. Only within a command."""
        await self.append(entries, status)
        self._listener.on_seats(self)
        self.show_match()

    async def change_play(self, entries: Sequence[Entry], seats: Sequence[Seat]) -> None:
        """Store entries that change who plays these seats and notify everybody. Only within a command."""
        await self.append(entries)
        if self.ledger.to_act() in seats:
            self.timekeeper.start()
        self.timekeeper.excuse(seats)
        self._listener.on_seats(self)
        self.show_match()
        self.show_clocks()
        self.go_on()
