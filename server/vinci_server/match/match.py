"""A match at work: the one place where anything happens to it.

Whatever changes a match waits in line for its lock, is made durable, becomes true in memory, is shown to watchers, and
only then answered. What is begun is ended, even if whoever asked for it goes away.
"""

import asyncio
import math
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Coroutine, Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Any, Final, TypeVar, final

import structlog

from vinci.v1 import match_pb2
from vinci_rules import dummy
from vinci_rules.actions import Action, Forfeit
from vinci_rules.chance import FastChance, RecordingChance
from vinci_rules.engine import default_action
from vinci_rules.state import Seat

from ..errors import ServiceError
from ..storage.store import LogRow, Store, StoreError
from .batch import Batch, snapshot, times_text
from .ledger import Ledger
from .messages import match_message
from .planning import PlayOutcome, answered, barred, check_undos, not_to_act, plan, started
from .slices import listed
from .time.timekeeper import RETRY_SECONDS, RoundTrip, Timekeeper
from .watchers import Closed, Detail, Revision, Watcher

ACTIONS_AT_ONCE: Final = 16
"""Actions that dummies and substitutes play before others get their turn."""

WITHHELD: Final = '{"nonce": "withheld"}'
"""Text of the row that empties a seat which did not reveal its nonce."""

ROWS_AT_ONCE: Final = 500
"""Rows of a match that are read, in about a millisecond, before others get their turn."""

CROWD: Final = 50
"""More watchers than this are told only when whoever is to act has been sent the decision."""

T = TypeVar("T")
_log = structlog.get_logger()


class MatchObserver:
    """Who is told what happens in matches, besides watchers: nobody, unless its methods are overridden."""

    def on_turn(self, match: "Match") -> None:
        """It may be another seat's move, or the game is over."""

    def on_seats(self, match: "Match") -> None:
        """Who sits or is to sit at the seats may have changed."""


@final
class Match:
    """One match at work, awake or asleep.

    Asleep it has its watchers, bots and timekeeper, but not its ledger; whoever asks for that wakes it.
    """

    def __init__(self, ledger: Ledger, store: Store, listener: MatchObserver) -> None:
        self.match_id: Final = ledger.match_id
        self.changed = -math.inf
        """When a row came last, in seconds of `time.monotonic`."""
        self.moved = -math.inf
        """The same, but for rows that only say what a clock shows."""
        self._ledger: Ledger | None = ledger
        self._revision, self._status, self._open_seats, self._counts_absence = 0, "", 0, False
        self._store: Final = store
        self._listener: Final = listener
        self._lock: Final = asyncio.Lock()
        self._waking: Final = asyncio.Lock()
        self._watchers: Final[set[Watcher]] = set()
        self._tasks: Final[set[asyncio.Task[Any]]] = set()
        self.closing = False
        self._present: Final = [0] * len(ledger.sitters)
        self.bots: Final[dict[Seat, str]] = {}
        """Names of the connected bots by the seats that they play."""
        self._own_bots: Final[set[Seat]] = set()
        """Those of these seats whose bot came with the seat token: it is there for the player, and no substitute."""
        self.said_by: Final[Counter[str]] = Counter()
        """Lines of chat that spectators said, by host."""
        self.timekeeper: Final = Timekeeper(self)

    # Sleeping and waking.

    @property
    def ledger(self) -> Ledger:
        """What the log adds up to; a match that sleeps is read while all else waits. Raises ServiceError."""
        if self._ledger is None:
            try:
                stored = self._store.load_now(self.match_id)
            except StoreError as error:
                raise unreadable(error) from None
            with reading(self.match_id):
                self._ledger = Ledger.read(self.match_id, stored)
        assert self._ledger is not None
        return self._ledger

    async def wake(self) -> None:
        """Have the ledger in memory; others go on while it is read, once for all who ask. Raises ServiceError."""
        if self._ledger is None:
            async with self._waking:
                if self._ledger is None:
                    ledger = await load(self.match_id, self._store)
                    self._ledger = self._ledger or ledger  # perhaps somebody could not wait

    @property
    def is_awake(self) -> bool:
        """Whether its ledger is in memory."""
        return self._ledger is not None

    def is_idle(self) -> bool:
        """Whether nothing is in progress or will be due, so that it can sleep."""
        return not self._tasks and not self.timekeeper.is_armed

    def sleep(self) -> None:
        """Let go of the ledger; only while idle."""
        self._revision, self._status, self._open_seats = self.revision, self.status, self.open_seats
        self._counts_absence = self.counts_absence
        self._ledger = None

    @property
    def revision(self) -> int:
        """The latest revision; does not wake it."""
        return self._revision if self._ledger is None else self._ledger.revision

    @property
    def status(self) -> str:
        """As `Ledger.status`; does not wake it."""
        return self._status if self._ledger is None else self._ledger.status

    @property
    def is_finished(self) -> bool:
        """Whether its game is over, or it was ended before; does not wake it."""
        return self.status in ("over", "ended")

    @property
    def open_seats(self) -> int:
        """How many human seats nobody has joined; does not wake it."""
        return self._open_seats if self._ledger is None else len(self._ledger.missing())

    @property
    def counts_absence(self) -> bool:
        """Whether it matters that somebody goes away; does not wake it."""
        return self._counts_absence if self._ledger is None else self._ledger.setup.timing.absence > 0

    def is_free(self, seat: Seat) -> bool:
        """Whether a seat can be joined: nobody has, and it is not a bot's."""
        return self.ledger.is_open(seat) and not self.is_of_a_bot(seat)

    def is_of_a_bot(self, seat: Seat) -> bool:
        """Whether a bot without a seat token plays a bot seat, or has played it and was not replaced since."""
        ledger = self.ledger
        if ledger.kind(seat) != "bot" or not ledger.is_open(seat) or ledger.substituted[seat]:
            return False
        return seat in self.bots or seat in ledger.bot_played

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

        Raises ServiceError if nothing can be played. With the id of an earlier request that was accepted nothing is
        played, and the outcome is that of the first time.
        """
        work = self._act(seat, by, actions, request_id, expected_revision, time.monotonic())
        outcome = await self.in_line(work)
        if outcome is None:
            assert request_id is not None
            outcome = await answered(self.ledger, seat, "act", request_id)
        return outcome

    def plan(self, seat: Seat, actions: Sequence[Action], expected_revision: int | None = None) -> PlayOutcome:
        """What `act` would do, with draws of its own; nothing is played. A refusal is in the outcome."""
        made_up = FastChance(secrets.randbits(64))
        return plan(self.ledger, seat, "player", actions, None, expected_revision, made_up)[0]

    async def undo(self, seat: Seat, to: int | None, *, request_id: str, expected_revision: int | None) -> PlayOutcome:
        """Take back actions of the seat's turn: to a revision, or only the last one. Raises ServiceError."""
        outcome = await self.in_line(self._undo(seat, to, request_id, expected_revision))
        return outcome or await answered(self.ledger, seat, "undo", request_id)

    async def _act(
        self,
        seat: Seat,
        by: str,
        actions: Sequence[Action],
        request_id: str | None,
        expected_revision: int | None,
        arrived: float,
    ) -> PlayOutcome | None:
        """None if there was a request with this id before."""
        if request_id in self.ledger.requests:
            return None
        outcome, rows = plan(self.ledger, seat, by, actions, request_id, expected_revision)
        if outcome.refused is not None and not outcome.played:
            raise outcome.refused
        rows[0] = rows[0]._replace(times=self.timekeeper.times(seat, by, arrived, outcome.played[-1].after))
        await self.commit(outcome.played, rows)
        return outcome

    async def _undo(
        self, seat: Seat, to: int | None, request_id: str, expected_revision: int | None
    ) -> PlayOutcome | None:
        """None if there was a request with this id before."""
        if request_id in self.ledger.requests:
            return None
        state = started(self.ledger, expected_revision)
        refused = barred(self.ledger, seat, "player", None) or not_to_act(state, seat)
        if refused is not None:
            raise refused
        check_undos(self.ledger, seat)
        await listed(self.ledger.learn_course())
        played, row = self.ledger.undo(seat, "player", to, request_id)
        if self.ledger.setup.timing.has_clock:
            row = row._replace(times=times_text(left=self.timekeeper.left(seat)))
        await self.commit([played], [row])
        return PlayOutcome(played.revision, [played])

    async def play(self, seat: Seat, by: str, action: Action) -> None:
        """Play one action that the server decides upon. To be called in line. Raises ServiceError."""
        await self._act(seat, by, [action], None, None, time.monotonic())

    async def out_of_tries(self, seat: Seat, by: str, revision: int) -> None:
        """Go on without the answer of a bot, which acts as `bot` or `substitute`, unless something else happened.

        What a substitute answers wrongly costs the seat no more than the default action. Raises ServiceError.
        """
        await self.in_line(self._out_of_tries(seat, by == "substitute", revision))

    async def _out_of_tries(self, seat: Seat, is_substitute: bool, revision: int) -> None:
        ledger = self.ledger
        if (ledger.to_act(), ledger.revision, ledger.substituted[seat]) == (seat, revision, is_substitute):
            await self.pass_over(seat, "default" if is_substitute else ledger.setup.mistakes.after, "refused")

    async def pass_over(self, seat: Seat, policy: str, reason: str) -> None:
        """Let a seat that is to act pay for not deciding, as one of `setup.POLICIES` says; `reason` is told as `by`.

        To be called in line. Raises ServiceError.
        """
        assert self.ledger.state is not None
        match policy:
            case "substitute":
                await self.substitute(seat, reason)
            case "forfeit":
                await self.play(seat, reason, Forfeit(seat))
            case _:
                await self.play(seat, "default", default_action(self.ledger.state))

    async def substitute(self, seat: Seat, reason: str, before: Sequence[LogRow] = ()) -> None:
        """Let a substitute play a seat until its player takes it back; rows that led to it are stored with it.

        To be called in line. Raises ServiceError.
        """
        left = self.timekeeper.left(seat)
        rows = [*before, self.ledger.row("substitute", seat, reason, after=len(before), left=left)]
        await self.change_play(rows, [seat])
        self.log("substitute plays", seat, reason=reason)

    async def vacate(self, seats: Sequence[Seat]) -> None:
        """Empty seats from which a nonce has been due for too long. To be called in line. Raises ServiceError."""
        await self.change_seats([self.ledger.row("leave", seat, WITHHELD, after=n) for n, seat in enumerate(seats)])
        for seat in seats:
            self.log("seat emptied: no nonce", seat)
            self.dismiss(seat)

    async def commit(self, played: Sequence[Revision], rows: Sequence[LogRow]) -> None:
        """Make revisions true and tell everybody. To be called in line."""
        over = played[-1].after.phase == "over"
        before = self.ledger.to_act()
        await self.append(rows, "over" if over else None, played)
        if before in [one.seat for one in played]:  # else another seat gave up, and who was to act still is
            self.timekeeper.start()
        if not over:
            self.go_on()
            if len(self._watchers) > CROWD:
                await asyncio.sleep(0)  # whoever is to act has it before a crowd is told
        for one in played:
            self._show(one)
        if over:
            self.log("match over")
            self.show_match()
            self.finish()
        else:
            self.show_clocks()

    def begin(self) -> None:
        """Let those who are to act do so: after the match was made or loaded."""
        self._listener.on_seats(self)
        self.go_on()

    def begin_game(self, opening: Revision) -> None:
        """Tell everybody that the game has begun, and let it go on."""
        self.timekeeper.start()
        self.timekeeper.excuse(self.ledger.seats())
        self.show_match()
        self._show(opening)
        self.show_clocks()
        self.begin()

    def finish(self) -> None:
        """End all streams: nothing more will happen."""
        self._show(Closed(None))
        self.go_on()

    def go_on(self) -> None:
        """Let dummies and substitutes play, or tell the bot whose move it is; also after a restart."""
        self._listener.on_turn(self)
        self.timekeeper.arm()
        seat = self.ledger.to_act()
        if seat is not None and self._played_by_server(seat) and not self.closing:
            self.spawn(self._play_for_absent())

    async def _play_for_absent(self) -> None:
        while not self.closing:
            try:
                await self.in_line(self._play_some())
            except ServiceError:  # the log could not be written, which is logged; nobody else can act, so try again
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    async def _play_some(self) -> None:
        seat = self.ledger.to_act()
        if seat is None or not self._played_by_server(seat):
            return
        batch = self.ledger.batch()
        steps = self._steps(batch)
        if all(map(self._played_by_server, self.ledger.seats())):  # nobody waits for it: others come first
            await listed(steps)
        else:
            for _ in steps:
                pass
        await self.commit(batch.played, batch.rows)

    def _steps(self, batch: Batch) -> Iterator[None]:
        """Play actions of dummies and substitutes one by one, until it is somebody else's move or many are played."""
        while (
            (state := batch.state).phase != "over"
            and self._played_by_server(state.actor)
            and len(batch.rows) < ACTIONS_AT_ONCE
        ):
            if state.options.dummies[state.actor]:
                rolling = RecordingChance(batch.chance)
                action = dummy.choose(state, rolling)
                batch.play(state.actor, "dummy", action, rolls=rolling.picks)
            else:
                batch.play(state.actor, "substitute", dummy.advise(state))
            yield

    def _played_by_server(self, seat: Seat) -> bool:
        """Whether a seat is a dummy, or has a substitute and no bot for it."""
        return self.ledger.kind(seat) == "dummy" or (self.ledger.substituted[seat] and not self.has_deputy(seat))

    def has_deputy(self, seat: Seat) -> bool:
        """Whether a connected bot is the substitute of a seat."""
        return self.ledger.substituted[seat] and seat in self.bots and seat not in self._own_bots

    async def name_rematch(self, match_id: str) -> None:
        """Settle the id of the match that follows, unless it is settled."""
        await self.in_line(self._name_rematch(match_id))

    async def _name_rematch(self, match_id: str) -> None:
        if not self.ledger.rematch:
            await self.append([self.ledger.row("rematch", None, match_id)])

    # Watching.

    def watch(self, detail: Detail, seat: Seat | None = None) -> Watcher:
        """A watcher of all that happens from now on, for a seat or a spectator; end it with `unwatch`."""
        watcher = Watcher(detail, seat)
        self._watchers.add(watcher)
        if seat is not None:
            self.log("player connected", seat)
            is_back = not self.is_present(seat)
            self._present[seat] += 1
            if is_back:
                self.timekeeper.arrived(seat)
            self.show_match()
        return watcher

    def unwatch(self, watcher: Watcher) -> None:
        """Forget a watcher."""
        self._watchers.discard(watcher)
        if watcher.seat is not None:
            self.log("player gone", watcher.seat)
            self._present[watcher.seat] -= 1
            self.timekeeper.departed(watcher.seat)
            self.show_match()

    def is_present(self, seat: Seat) -> bool:
        """Whether the player of a seat watches, or has a bot there that bears the seat token."""
        return self._present[seat] > 0 or seat in self._own_bots

    @property
    def connected_seats(self) -> int:
        """Seats for which a player or a bot is there; does not wake it."""
        return len({seat for seat, count in enumerate(self._present) if count} | self.bots.keys())

    @property
    def watchers(self) -> Set[Watcher]:
        """Who watches."""
        return self._watchers

    def dismiss(self, seat: Seat) -> None:
        """End the streams of a seat: its token is worth nothing any more."""
        for watcher in self._watchers:
            if watcher.seat == seat:
                watcher.put(Closed(ServiceError("TOKEN_CHANGED", "STREAM")))

    def seat_bot(self, seat: Seat, name: str, way: RoundTrip, *, is_own: bool) -> None:
        """A connected bot plays a seat; it `is_own` if it came with the seat token."""
        self.log("bot seated", seat, bot=name)
        self.bots[seat] = name
        self.timekeeper.ways[seat] = way
        if is_own:
            is_back = not self.is_present(seat)
            self._own_bots.add(seat)
            if is_back:
                self.timekeeper.arrived(seat)
        self.timekeeper.arm()
        self.show_match()

    def unseat_bot(self, seat: Seat) -> None:
        """The bot that played a seat is gone."""
        self.log("bot gone", seat, bot=self.bots.pop(seat))
        self.timekeeper.ways[seat] = RoundTrip()
        if seat in self._own_bots:
            self._own_bots.remove(seat)
            self.timekeeper.departed(seat)
        self.show_match()

    def close(self) -> None:
        """End all streams, and let dummies play no more: the server stops."""
        self.closing = True
        self.timekeeper.stop()
        if self.is_awake:  # the clock of one that sleeps stands still
            self.spawn(self.in_line(self.timekeeper.read()))
        self._show(Closed(ServiceError("SHUTTING_DOWN", "STREAM")))

    async def settle(self) -> None:
        """Wait until everything begun is ended; it is also ended if nobody waits any longer."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def show_match(self) -> None:
        """Tell watchers what the match is like now."""
        if self._watchers and not self.closing:
            self._show(match_pb2.WatchResponse(match=match_message(self)))

    def show_clocks(self) -> None:
        """Tell watchers what the clocks show, in a match that has them: one may have started or stopped."""
        if self._watchers and self.ledger.setup.timing.has_clock:
            self._show(match_pb2.WatchResponse(clocks=self.timekeeper.message()))

    def show_chat(self, line: match_pb2.ChatLine) -> None:
        """Tell watchers what was said; players hear spectators only when the game is over."""
        response = match_pb2.WatchResponse(chat=line)
        for watcher in self._watchers:
            if line.seat or watcher.seat is None:
                watcher.put(response)

    def _show(self, item: Revision | match_pb2.WatchResponse | Closed) -> None:
        for watcher in self._watchers:
            watcher.put(item)

    # One thing after the other.

    async def in_line(self, work: Awaitable[T]) -> T:
        """Do something when its turn comes, to its end even if whoever asked for it goes away.

        What `spawn` has begun is ended anyhow and needs no other task.
        """
        if asyncio.current_task() in self._tasks:
            return await self._locked(work)
        return await asyncio.shield(self.spawn(self._locked(work)))

    async def _locked(self, work: Awaitable[T]) -> T:
        async with self._lock:
            return await work

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin something; `settle` waits for its end."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def log(self, event: str, seat: Seat | None = None, **facts: object) -> None:
        """Write a line about the match to the server's log, with its revision and perhaps a seat."""
        about = {} if seat is None else {"seat": seat + 1}
        _log.info(event, match=self.match_id, revision=self.revision, **about, **facts)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ServiceError):  # whoever waits is told; perhaps nobody does
            _log.error("internal error", match=self.match_id, revision=self.revision, exc_info=error)

    async def append(self, rows: Sequence[LogRow], status: str | None = None, played: Sequence[Revision] = ()) -> None:
        """Make rows durable, then true in memory. To be called in line."""
        try:
            kept = snapshot(rows[-1], played[-1]) if played else None
            await self._store.append(self.match_id, rows, status, kept)
        except StoreError as error:
            _log.error("append failed", match=self.match_id, revision=self.ledger.revision, error=str(error))
            raise ServiceError("STORE_FAILED", "CHANGE", error=error) from None
        self.changed = time.monotonic()
        if any(row.kind != "clock" for row in rows):
            self.moved = self.changed
        was_open = self.ledger.state is None
        for place, row in enumerate(rows):
            self.ledger.fold(row, played[place] if played else None)
            _log.debug(
                "stored", match=self.match_id, seat=row.seat, revision=self.ledger.revision, kind=row.kind, by=row.actor
            )
        if was_open:
            self.timekeeper.expect_nonces()

    async def change_seats(self, rows: Sequence[LogRow], status: str | None = None) -> None:
        """Make rows true that are about the match rather than the game, and tell everybody. To be called in line."""
        await self.append(rows, status)
        self._listener.on_seats(self)
        self.show_match()

    async def change_play(self, rows: Sequence[LogRow], seats: Sequence[Seat]) -> None:
        """The same for rows after which somebody else plays these seats, or all play again; and let the game go on."""
        await self.append(rows)
        if self.ledger.to_act() in seats:
            self.timekeeper.start()
        self.timekeeper.excuse(seats)
        self._listener.on_seats(self)
        self.show_match()
        self.show_clocks()
        self.go_on()


async def load(match_id: str, store: Store) -> Ledger:
    """The ledger of a match as it is stored. Raises ServiceError."""
    try:
        stored = await store.load(match_id)
    except StoreError as error:
        raise unreadable(error) from None
    if not stored.rows:
        raise ServiceError("UNKNOWN_MATCH", match=match_id)
    with reading(match_id):
        ledger = Ledger(match_id, stored.snapshot)
        for start in range(0, len(stored.rows), ROWS_AT_ONCE):
            for row in stored.rows[start : start + ROWS_AT_ONCE]:
                ledger.fold(row)
            await asyncio.sleep(0)
        ledger.check()
    return ledger


@contextmanager
def reading(match_id: str) -> Iterator[None]:
    """Log any error while a stored match is read, and raise ServiceError for it."""
    try:
        yield
    except Exception as error:
        _log.error("match cannot be read", match=match_id, exc_info=error)
        raise unreadable_match(match_id) from None


def unreadable_match(match_id: str) -> ServiceError:
    """The match is stored, but not as this server can read it."""
    return ServiceError("MATCH_UNREADABLE", match=match_id)


def unreadable(error: StoreError) -> ServiceError:
    """The store could not be asked."""
    return ServiceError("STORE_FAILED", "READ", error=error)
