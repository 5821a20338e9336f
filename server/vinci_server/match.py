"""A match at work: the one place where anything happens to it.

Whatever changes a match waits in line for its lock, is made durable, becomes true in memory, is shown to watchers, and
only then answered. What is begun is ended, even if whoever asked for it goes away.
"""

import asyncio
import json
import math
import secrets
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, final

import structlog

from vinci.v1 import lobby_pb2
from vinci_codec import catalogue
from vinci_codec.refusals import refusal
from vinci_rules import dummy, notation
from vinci_rules.actions import Action, Forfeit
from vinci_rules.chance import Chance, FastChance, Recording
from vinci_rules.engine import check, default_action, ranks
from vinci_rules.state import Seat, State

from . import tokens
from .errors import ServiceError
from .ledger import Batch, Ledger
from .setup import KIND_CODES, STATUS_CODES, SeatSetup
from .store import Row, Snapshot, Store, Stored, StoreError
from .watching import Closed, Detail, Played, Watcher

DUMMY_ACTIONS_AT_ONCE: Final = 16
RETRY_SECONDS: Final = 1.0

T = TypeVar("T")
_log = structlog.get_logger()


@dataclass(slots=True)
class Outcome:
    """What a request did: actions played, and why the next one was refused, if one was.

    `before` is the position before the action that was looked at last.
    """

    revision: int
    played: list[Played] = field(default_factory=list)
    refused: ServiceError | None = None
    before: State | None = None
    repeated: bool = False


@final
class Match:
    """One match at work, asleep at first. `on_turn` is called when it may be the move of a bot.

    Asleep it has its watchers and who is there, but not its ledger; whoever asks for that wakes it.
    """

    def __init__(self, match_id: str, store: Store, on_turn: Callable[["Match"], None]) -> None:
        self.match_id: Final = match_id
        self.changed = -math.inf
        self._ledger: Ledger | None = None
        self._revision, self._status = 0, "open"
        self._store: Final = store
        self._on_turn: Final = on_turn
        self._lock: Final = asyncio.Lock()
        self._watchers: Final[set[Watcher]] = set()
        self._tasks: Final[set[asyncio.Task[Any]]] = set()
        self._closing = False
        self._present: Final[defaultdict[Seat, list[str]]] = defaultdict(list)

    # Sleeping and waking.

    @property
    def ledger(self) -> Ledger:
        """What the log adds up to. Raises ServiceError if it cannot be read."""
        if self._ledger is None:
            try:
                self._ledger = self._read(self._store.load_now(self.match_id))
            except StoreError as error:
                raise _unreadable(error) from None
        return self._ledger

    async def wake(self) -> None:
        """Have the ledger in memory; others go on while it is read. Raises ServiceError if it cannot be read."""
        if self._ledger is None:
            try:
                stored = await self._store.load(self.match_id)
            except StoreError as error:
                raise _unreadable(error) from None
            self._ledger = self._ledger or self._read(stored)  # perhaps somebody could not wait

    def _read(self, stored: Stored) -> Ledger:
        if not stored.rows:
            raise ServiceError("UNKNOWN_MATCH", f"there is no match {self.match_id!r}")
        try:
            return Ledger.read(self.match_id, stored)
        except Exception as error:
            _log.error("match cannot be read", match=self.match_id, exc_info=error)
            text = f"match {self.match_id} cannot be read; the server's log has more"
            raise ServiceError("INTERNAL", text) from None

    @property
    def is_awake(self) -> bool:
        """Whether its ledger is in memory."""
        return self._ledger is not None

    def is_idle(self) -> bool:
        """Whether nothing is in progress, so that it can sleep."""
        return not self._tasks

    def sleep(self) -> None:
        """Let go of the ledger; only while idle."""
        self._revision, self._status = self.revision, self.status
        self._ledger = None

    @property
    def revision(self) -> int:
        """The latest revision; does not wake it."""
        return self._revision if self._ledger is None else self._ledger.revision

    @property
    def status(self) -> str:
        """`open`, `running` or `over`; does not wake it."""
        return self._status if self._ledger is None else self._ledger.status

    @property
    def is_watched(self) -> bool:
        """Whether it has watchers."""
        return bool(self._watchers)

    def message(self) -> lobby_pb2.Match:
        """The match as everybody may know it."""
        ledger, state = self.ledger, self.ledger.state
        setup = ledger.setup
        return lobby_pb2.Match(
            match_id=self.match_id,
            status=STATUS_CODES[ledger.status],
            board=setup.board,
            options=catalogue.options(setup.options()),
            seats=[self._seat_message(seat) for seat in ledger.seats()],
            revision=ledger.revision,
            seed="" if setup.salt else setup.seed,
            commitment=setup.commitment(),
            vp=[] if state is None else state.vp,
            ranks=ranks(state) if state is not None and state.phase == "over" else [],
            create_time=int(ledger.created),
            from_position=bool(setup.position),
            round=0 if state is None else state.round,
        )

    def _seat_message(self, seat: Seat) -> lobby_pb2.MatchSeat:
        setup, sitter, present = self.ledger.setup.seats[seat], self.ledger.sitters[seat], self._present[seat]
        is_dummy = setup.kind == "dummy"
        return lobby_pb2.MatchSeat(
            seat=seat + 1,
            kind=KIND_CODES[setup.kind],
            bot=setup.bot,
            player=sitter.player or (present[0] if present else setup.bot or ("dummy" if is_dummy else "")),
            taken=not self._is_free(seat),
            connected=bool(present) or is_dummy,
        )

    # Before the game.

    async def join(self, seat: Seat | None, player: str, nonce: str) -> tuple[Seat, str]:
        """Take a seat, the first open human one if none is named; returns it and its token."""
        return await self._in_line(self._join(seat, player, nonce))

    async def _join(self, seat: Seat | None, player: str, nonce: str) -> tuple[Seat, str]:
        ledger = self.ledger
        if seat is None:
            if not ledger.missing():
                raise ServiceError("NO_OPEN_SEAT", "every human seat of the match is taken")
            seat = ledger.missing()[0]
        self._check_seat(seat)
        if ledger.status == "over":
            raise ServiceError("GAME_OVER", "the game is over")
        if not self._is_free(seat):
            raise ServiceError("SEAT_TAKEN", f"seat {seat + 1} is taken")
        token = tokens.new_token(self.match_id)
        name = player or f"{ledger.kind(seat)} {seat + 1}"
        nonce = nonce if ledger.state is None else ""  # the seed is mixed at the start
        text = json.dumps({"player": name, "token_hash": tokens.digest(token), "nonce": nonce})
        await self._append([ledger.row("join", seat, text)])
        await self._start_if_full()
        return seat, token

    def _is_free(self, seat: Seat) -> bool:
        """Whether a seat can be joined: nobody has, and no bot is connected for it."""
        connected = self.ledger.kind(seat) == "bot" and bool(self._present[seat])
        return self.ledger.is_open(seat) and not connected

    async def leave(self, token: str) -> None:
        """Get up again before the game starts."""
        await self._in_line(self._leave(token))

    async def _leave(self, token: str) -> None:
        await self._before_start("leave", self.ledger.seat_of(token), "{}")

    async def set_seat(self, seat: Seat, setup: SeatSetup) -> None:
        """Change who is to sit at a seat that nobody has taken."""
        await self._in_line(self._set_seat(seat, setup))

    async def _set_seat(self, seat: Seat, setup: SeatSetup) -> None:
        self._check_seat(seat)
        if self.ledger.sitters[seat].token_hash:
            raise ServiceError("SEAT_TAKEN", f"seat {seat + 1} is taken by {self.ledger.sitters[seat].player}")
        if self.ledger.setup.position and "dummy" in (setup.kind, self.ledger.kind(seat)):
            raise ServiceError("BAD_SEAT", "dummies sit where the position says so")
        await self._before_start("seat", seat, json.dumps({"kind": setup.kind, "bot": setup.bot}))

    async def _before_start(self, kind: str, seat: Seat, text: str) -> None:
        if self.ledger.state is not None:
            raise ServiceError("ALREADY_STARTED", "the match has started; to leave it, forfeit")
        await self._append([self.ledger.row(kind, seat, text)])
        self._on_turn(self)
        await self._start_if_full()

    def _check_seat(self, seat: Seat) -> None:
        if seat not in self.ledger.seats():
            raise ServiceError("BAD_SEAT", f"seat {seat + 1}: the match has seats 1 to {len(self.ledger.sitters)}")

    async def start(self) -> None:
        """Start the game; every human seat must be taken."""
        await self._in_line(self._start())

    async def _start_if_full(self) -> None:
        ledger = self.ledger
        if ledger.setup.start_when_full and ledger.state is None and not ledger.missing():
            with suppress(ServiceError):  # logged; the next start of the server tries again
                await self._start()

    async def _start(self) -> None:
        if self.ledger.state is not None:
            raise ServiceError("ALREADY_STARTED", "the match has started already")
        if missing := self.ledger.missing():
            numbers = ", ".join(str(seat + 1) for seat in missing)
            raise ServiceError("SEATS_OPEN", f"nobody sits at seat {numbers} yet", {"seats": numbers})
        row, snapshot = self.ledger.start_row()
        await self._append([row], "running", snapshot=snapshot)
        _log.info("match started", match=self.match_id, seats=len(self.ledger.sitters))
        self._show(self.ledger.history(0, 0)[0])
        self.go_on()

    # The game.

    async def act(
        self,
        seat: Seat,
        by: str,
        actions: Sequence[Action],
        *,
        request_id: str | None = None,
        expected_revision: int | None = None,
    ) -> Outcome:
        """Play actions of a seat in order until the first that is refused.

        Raises ServiceError if nothing can be played. With the id of an earlier request that was accepted nothing is
        played, and the outcome is that of the first time.
        """
        return await self._in_line(self._act(seat, by, actions, request_id, expected_revision))

    def plan(self, seat: Seat, actions: Sequence[Action], expected_revision: int | None = None) -> Outcome:
        """What `act` would do, with draws of its own; nothing is played. A refusal is in the outcome."""
        made_up = FastChance(secrets.randbits(64))
        return self._plan(seat, "player", actions, None, expected_revision, made_up)[0]

    def check_revision(self, expected: int) -> None:
        """Raises ServiceError if the match is at another revision."""
        revision = self.ledger.revision
        if expected != revision:
            raise ServiceError(
                "STALE_REVISION",
                f"the match is at revision {revision}, the action was meant for {expected}",
                {"revision": str(revision)},
            )

    async def play_default(self, seat: Seat, revision: int) -> None:
        """Play the default action of a seat that is still to act in this revision (R-FORFEIT-3)."""
        state = self.ledger.state
        if state is not None and self.ledger.revision == revision and state.phase != "over" and state.actor == seat:
            await self.act(seat, "default", [default_action(state)], expected_revision=revision)

    async def _act(
        self, seat: Seat, by: str, actions: Sequence[Action], request_id: str | None, expected_revision: int | None
    ) -> Outcome:
        if request_id is not None and request_id in self.ledger.requests:
            who, first, last = self.ledger.requests[request_id]
            if who != seat:
                raise ServiceError("BAD_REQUEST_ID", "another seat has used this request_id; use a new UUID")
            played: list[Played] = []
            with suppress(ServiceError):  # played by other rules: what happened cannot be told, but that it did
                played = self.ledger.history(first, last)
            return Outcome(last, played, repeated=True)
        outcome, batch = self._plan(seat, by, actions, request_id, expected_revision)
        if outcome.refused is not None and not outcome.played:
            raise outcome.refused
        await self._commit(batch)
        return outcome

    def _plan(
        self,
        seat: Seat,
        by: str,
        actions: Sequence[Action],
        request_id: str | None,
        expected_revision: int | None,
        chance: Chance | None = None,
    ) -> tuple[Outcome, Batch]:
        ledger = self.ledger
        if ledger.state is None:
            raise ServiceError("NOT_STARTED", "the match has not started yet")
        if expected_revision is not None:
            self.check_revision(expected_revision)
        batch = ledger.batch(chance)
        outcome = Outcome(ledger.revision, batch.played, before=ledger.state)
        for action in actions:
            outcome.before = batch.played[-1].after if batch.played else ledger.state
            outcome.refused = _refusal(batch.state, seat, action)
            if outcome.refused is not None:
                break
            batch.play(seat, by, action, request=request_id)
        outcome.revision += len(batch.rows)
        return outcome, batch

    async def _commit(self, batch: Batch) -> None:
        over = batch.state.phase == "over"
        await self._append(batch.rows, "over" if over else None, batch.played, batch.snapshot)
        if not over:
            self.go_on()  # whoever is to act hears of it before any watcher, of whom there may be many
        for played in batch.played:
            self._show(played)
        if over:
            _log.info("match over", match=self.match_id, revision=self.ledger.revision)
            self.go_on()

    async def resume(self) -> None:
        """Go on after it was made, or after a start of the server."""
        self.go_on()
        if self.status == "open":
            await self._in_line(self._start_if_full())

    def go_on(self) -> None:
        """Let dummies play, or tell the bot whose move it is."""
        self._on_turn(self)
        if self._dummy_to_act() and not self._closing:
            self._spawn(self._play_dummies())

    async def _play_dummies(self) -> None:
        while not self._closing:
            try:
                await self._in_line(self._play_some_dummies())
            except ServiceError:  # the log could not be written, which is logged; nobody else can act, so try again
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    async def _play_some_dummies(self) -> None:
        if not self._dummy_to_act():
            return
        batch = self.ledger.batch()
        state = batch.state
        while state.phase != "over" and state.options.dummies[state.actor] and len(batch.rows) < DUMMY_ACTIONS_AT_ONCE:
            rolling = Recording(batch.chance)
            action = dummy.choose(state, rolling)
            batch.play(state.actor, "dummy", action, rolls=rolling.picks)
        await self._commit(batch)

    def _dummy_to_act(self) -> bool:
        state = self.ledger.state
        return state is not None and state.phase != "over" and state.options.dummies[state.actor]

    # Watching.

    def watch(self, detail: Detail) -> Watcher:
        """A watcher of all that happens from now on; end it with `unwatch`."""
        watcher = Watcher(detail)
        self._watchers.add(watcher)
        return watcher

    def unwatch(self, watcher: Watcher) -> None:
        """Forget a watcher."""
        self._watchers.discard(watcher)

    def arrive(self, seat: Seat, player: str) -> None:
        """Somebody is there for a seat."""
        self._present[seat].append(player)
        self._show_match()

    def depart(self, seat: Seat, player: str) -> None:
        """Somebody who was there for a seat is gone."""
        self._present[seat].remove(player)
        self._show_match()

    def close(self) -> None:
        """End all streams, and let dummies play no more: the server stops."""
        self._closing = True
        for watcher in self._watchers:
            watcher.put(Closed("SHUTTING_DOWN"))

    async def settle(self) -> None:
        """Wait until everything begun is ended."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _show(self, played: Played) -> None:
        for watcher in self._watchers:
            watcher.put(played)
            if played.after.phase == "over":
                watcher.put(self.message())
                watcher.put(Closed(None))

    def _show_match(self) -> None:
        if self._watchers and not self._closing:
            message = self.message()
            for watcher in self._watchers:
                watcher.put(message)

    # One thing after the other.

    async def _in_line(self, work: Awaitable[T]) -> T:
        """Do something when its turn comes, to its end even if whoever asked for it goes away."""

        async def locked() -> T:
            async with self._lock:
                return await work

        return await asyncio.shield(self._spawn(locked()))

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ServiceError):  # whoever waits is told; perhaps nobody does
            _log.error("internal error", match=self.match_id, exc_info=error)

    async def _append(
        self,
        rows: Sequence[Row],
        status: str | None = None,
        played: Sequence[Played] = (),
        snapshot: Snapshot | None = None,
    ) -> None:
        """Make rows durable, then true in memory."""
        try:
            await self._store.append(self.match_id, rows, status, snapshot)
        except StoreError as error:
            _log.error("append failed", match=self.match_id, error=str(error))
            raise ServiceError("STORE_FAILED", f"nothing was changed: {error}") from None
        self.changed = time.monotonic()
        for place, row in enumerate(rows):
            self.ledger.fold(row, played[place] if played else None)
        if not played:
            self._show_match()


def _unreadable(error: StoreError) -> ServiceError:
    return ServiceError("STORE_FAILED", f"the match cannot be read: {error}")


def _refusal(state: State, seat: Seat, action: Action) -> ServiceError | None:
    """Why a seat may not play an action now, or None."""
    if state.phase == "over":
        return ServiceError("GAME_OVER", "the game is over")
    if isinstance(action, Forfeit) and action.seat != seat:
        return ServiceError("NOT_YOUR_SEAT", f"you can forfeit only your own seat, {seat + 1}")
    if not isinstance(action, Forfeit) and state.actor != seat:
        return ServiceError("NOT_YOUR_TURN", f"it is the move of seat {state.actor + 1}")
    violation = check(state, action)
    if violation is None:
        return None
    message = refusal(violation, state.board)
    told = " ".join(f"{name}={value}" for name, value in message.facts.items())
    text = notation.write(action, state.board)
    facts = {"rule": message.rule, "violation": message.reason, **message.facts}
    return ServiceError("ILLEGAL_ACTION", f"{text} breaks {message.rule}: {message.reason} {told}".strip(), facts)
