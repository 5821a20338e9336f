"""Play one game between bot processes at a local server: seat, start, watch and stop them."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client import processes
from vinci_client.access import OPEN, Access
from vinci_client.errors import ServerRefused
from vinci_client.session import Session
from vinci_codec import notes
from vinci_rules import record

from .. import environment
from . import sandbox
from .cpu_clock import CpuClock
from .participants import Player
from .process import MEGABYTE, BotProcess

LOOK_SECONDS: Final = 0.1
"""Interval at which to check that the bots run."""
MEASURE_SECONDS: Final = 1.0
"""Interval at which to measure memory and CPU time of the bots."""
UNLIMITED: Final = (
    "calls_per_second",
    "bytes_per_second",
    "cpu_milliseconds_per_second",
    "lag_milliseconds",
    "max_rounds",
    "target",
    "wrong_codes_per_minute",
    "analysis_seconds_per_minute",
)
"""Limits per host, lifted on a local server because all bots share one host."""
MOST: Final = 2**31 - 1
ABSENT: Final = "(absent)"
"""Name that the seat of an absent remote bot asks for; no bot can have it, since keys are needed."""
NO_STDIN: Final = "a bot connects to VINCI_ADDRESS; one that plays by lines of standard input is given as stdio:COMMAND"
LISTEN_SECONDS: Final = 0.7
"""Time after which a bot that reads its standard input is known not to connect."""
FAULTS: Final = {"clock": "its time was up", "refused": "its answers were refused until it had no tries left"}
"""Actors of forfeits that the server decides on, with the reason in words."""

Show: TypeAlias = Callable[[match_pb2.WatchResponse], None]
Ready: TypeAlias = Callable[[], Awaitable[object]]


class Unattended(Exception):
    """No bot of a game came, so that it did not begin; all of them are remote ones."""


def door(database: Path) -> Path:
    """Return the folder of the socket for bots in the sandbox of a local server with this database."""
    return database.with_suffix(".bots")


def notes_folder(database: Path) -> Path:
    """Return the folder in which a local server with this database keeps what bots note."""
    return database.with_suffix(".notes")


@contextmanager
def server(database: Path, *, analysis: bool = False, workers: int = 0, has_door: bool = False) -> Iterator[str]:
    """Run a local server; yield its address. Raises NotStarted.

    It has an analysis service if asked, with so many workers; 0 for one for each core. It `has_door` for bots in the
    sandbox.
    """
    analysing = ("--analysis", "0", "--analysis-workers", str(workers)) if analysis else ()
    socket = ("--bot-socket", str(door(database) / sandbox.SOCKET)) if has_door else ()
    if has_door:
        door(database).mkdir(mode=0o700, parents=True, exist_ok=True)
    noting = "--notes", str(notes_folder(database))
    with processes.server(database, *arguments(), *noting, *socket, *analysing) as (address, _code):
        yield address


def arguments() -> list[str]:
    """Command-line arguments of `vinci serve` for a local server. It gives bots no advice."""
    return ["--advice-workers", "0", *(word for name in UNLIMITED for word in ("--limit", f"{name}={MOST}"))]


@dataclass(frozen=True, slots=True)
class BotLimits:
    """Resource limits of a bot.

    `memory` is bytes, `start` seconds until it is connected, `end` seconds to exit after the game, `output` bytes that
    it may write to standard output and standard error. `cpu` is CPU seconds for a decision, of all its processes, in
    matches with a clock; None for no limit.
    """

    memory: int = 2048 * MEGABYTE
    start: float = 30.0
    end: float = 5.0
    output: int = 64 * MEGABYTE
    cpu: float | None = None


USUAL: Final = BotLimits()


@dataclass(frozen=True, slots=True)
class Seating:
    """Player of a seat, the seed of its random choices, and the file for its output.

    `address` is that which the bot connects to, if it is not that of the server, as for a proxy. With a `door`, the
    folder of a server's socket, it runs in the sandbox and reaches nothing else. A remote bot has neither seed nor log;
    if it `is_absent`, it forfeits.
    """

    player: Player
    seed: str = ""
    log: Path = Path()
    address: str = ""
    door: Path | None = None
    is_absent: bool = False


@dataclass(frozen=True, slots=True)
class BotForfeit:
    """Forfeit of a bot by its own fault; `seat` counts from 0.

    `reason` is `start`, `exit`, `memory`, `output`, `cpu`, `processes`, `clock`, `refused` or `absent`, `text` says it
    in words. `action` is the number of actions played before, `position` the position then, as text.
    """

    seat: int
    reason: str
    text: str
    action: int = 0
    position: str = ""


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """Resources that a bot used: CPU seconds, peak memory in bytes, milliseconds for each decision.

    `status` is its exit status after the game, None if it had to be killed; `left` names child processes that it did
    not stop. `network` is the most milliseconds that were taken off a decision for the way there and back.
    """

    cpu: float
    memory: int
    thought: tuple[int, ...]
    status: int | None
    left: tuple[str, ...] = ()
    network: int = 0


@dataclass(frozen=True, slots=True)
class LocalGame:
    """Finished game: its record, forfeits, resources used by seat (None for a dummy), and lines that bots noted."""

    match_id: str
    lines: tuple[str, ...]
    forfeits: tuple[BotForfeit, ...]
    use: tuple[ResourceUse | None, ...]
    notes: str = ""


async def play_game(
    address: str,
    request: lobby_pb2.CreateMatchRequest,
    seatings: Sequence[Seating],
    limits: BotLimits = USUAL,
    show: Show = lambda _message: None,
    access: Access = OPEN,
    code: str = "",
    ready: Ready | None = None,
    noted: Path | None = None,
) -> LocalGame:
    """Play one game at a server to its end.

    `request` gives rules and clocks; its seats are ignored. With a `request_id`, the same request goes on with the same
    game, also after a restart of the server. `seatings` are the players, seat 1 first; `show` is called with each
    message about the game. `code` is given to the bots. `ready` is awaited before the game begins, when all bots are
    connected or have failed. `noted` is the folder in which the server keeps notes; those of the game are taken from
    there. A bot forfeits (R-FORFEIT-1) if it does not connect, exits early or exceeds a limit, or if its clock or tries
    run out and the request says so. Bots may use the analysis service if the server has one. Raises ServerRefused,
    ServerGone if the connection to the server is lost, and, with a `request_id`, Unattended if no bot came in time; the
    match then stays open for the same request.
    """
    wanted = lobby_pb2.CreateMatchRequest()
    wanted.CopyFrom(request)
    wanted.start_when_full = False
    del wanted.seats[:]
    wanted.seats.extend(map(_setup, seatings))
    async with Session(address, access) as session:
        created = await session.create(wanted)
        table = _Table(session, created.match, limits, show, request.request_id, ready)
        try:
            shared = {environment.ANALYSIS: await session.analysis_address()}
            if code:
                shared[environment.CODE] = code
            for number, seating in enumerate(seatings, start=1):
                await table.sit_down(number, seating, shared)
            await table.play(created.host_token)
            game = await table.result(len(seatings))
            return replace(game, notes=_taken(noted / f"{game.match_id}{notes.SUFFIX}") if noted else "")
        finally:
            await asyncio.to_thread(table.clear)


def _setup(seating: Seating) -> lobby_pb2.SeatSetup:
    if seating.player.is_dummy:
        return lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_DUMMY)
    return lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_BOT, bot=ABSENT if seating.is_absent else seating.player.name)


@final
class _Table:
    """Match with its bots by seat number: their seat tokens and processes, and remote ones."""

    def __init__(
        self,
        session: Session,
        match: lobby_pb2.Match,
        limits: BotLimits,
        show: Show,
        request_id: str,
        ready: Ready | None,
    ) -> None:
        self._session: Final = session
        self._match: Final = match
        self._match_id: Final = match.match_id
        self._limits: Final = limits
        self._show: Final = show
        self._request_id: Final = request_id
        self._ready: Final = ready
        self._remote: Final[dict[int, str]] = {}
        self._tokens: Final[dict[int, str]] = {}
        self._processes: Final[dict[int, BotProcess]] = {}
        self._gone: Final[dict[int, BotForfeit]] = {}
        self._given_up: Final[set[int]] = set()
        self._connected: frozenset[int] = frozenset()
        self._changed: Final = asyncio.Event()
        self._started = match.status != lobby_pb2.MATCH_STATUS_OPEN
        self._begun: Final = time.monotonic()
        self._cpu: Final = None if limits.cpu is None else CpuClock(self._processes)

    async def sit_down(self, number: int, seating: Seating, shared: Mapping[str, str]) -> None:
        """Start the bot of a seat, unless it is a dummy or comes by itself; `shared` is for the environment of bots."""
        if seating.player.is_dummy:
            return
        if seating.player.remote:
            self._remote[number] = seating.player.name
            if self._match.seats[number - 1].bot == ABSENT:
                await self._replace(number)
            return
        token = await self._join(number, seating.player.name)
        contract = {
            **shared,
            environment.ADDRESS: sandbox.ADDRESS if seating.door else seating.address or self._session.address,
            environment.SEAT_TOKEN: token,
            environment.SEAT: str(number),
            environment.SEED: seating.seed,
        }
        if seating.door:
            contract.pop(environment.ANALYSIS, None)
        try:
            self._processes[number] = BotProcess(
                seating.player.command, contract, seating.log, seating.door, seating.player.folder
            )
        except (OSError, ValueError) as error:  # ValueError: a zero byte in the command
            self._leaves(number, "start", f"it could not be started: {getattr(error, 'strerror', None) or error}")

    async def _join(self, number: int, name: str) -> str:
        """Return the token of a seat, which is the same for the same request for a match."""
        request_id = str(uuid.uuid5(uuid.UUID(self._request_id), str(number))) if self._request_id else ""
        joined = await self._session.join(self._match_id, name, number, request_id=request_id)
        self._tokens[number] = joined.seat_token
        return joined.seat_token

    async def _replace(self, number: int) -> None:
        """Take the seat of a remote bot that is absent, so that it forfeits."""
        await self._join(number, self._remote[number])
        self._leaves(number, "absent", "it was not connected when the game was to begin")

    async def play(self, host: str) -> None:
        """Start the match when all bots are connected, unless it runs already, and wait for its end."""
        watching = asyncio.create_task(self._watch())
        guarding = asyncio.create_task(self._guard())
        try:
            if not self._started:
                await self._start(host)
            for number in list(self._gone):
                await self._forfeit(number)
            await asyncio.wait((watching, guarding), return_when=asyncio.FIRST_COMPLETED)
            (guarding if guarding.done() else watching).result()
        finally:
            guarding.cancel()
            watching.cancel()

    async def _start(self, host: str) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.start):
                while self._missing():
                    await self._changed.wait()
                    self._changed.clear()
        missing = self._missing()
        if self._request_id and {*self._tokens} <= self._remote.keys() <= {*missing, *self._gone} and self._remote:
            raise Unattended
        for number in missing:
            if number in self._remote:
                absent = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_BOT, bot=ABSENT)
                setting = lobby_pb2.SetSeatRequest(match_id=self._match_id, seat=number, setup=absent)
                await self._session.call(self._session.lobby.SetSeat, setting, host)
                await self._replace(number)
            else:
                why = f"it was not connected {self._limits.start:g} s after its start; {NO_STDIN}"
                self._leaves(number, "start", why)
        if self._ready is not None:
            await self._ready()
        await self._look(measures=True)
        request = lobby_pb2.StartMatchRequest(match_id=self._match_id)
        await self._session.call(self._session.lobby.StartMatch, request, host)
        self._started = True

    def _missing(self) -> list[int]:
        """Seats whose bots have neither connected nor failed."""
        seats = {**self._tokens, **self._remote}
        return [number for number in seats if number not in self._connected and number not in self._gone]

    async def _watch(self) -> None:
        async for message in self._session.watch(self._match_id, from_revision=0):
            if message.HasField("match"):
                self._connected = frozenset(seat.seat for seat in message.match.seats if seat.connected)
                self._changed.set()
            if message.HasField("clocks") and self._cpu is not None:
                self._cpu.decides(message.clocks.running)
            self._show(message)

    async def _guard(self) -> None:
        measured = time.monotonic()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if measures := time.monotonic() - measured >= MEASURE_SECONDS:
                measured = time.monotonic()
            await self._look(measures=measures)

    async def _look(self, *, measures: bool) -> None:
        """Forfeit for bots that have exited or exceed a limit."""
        if self._cpu is not None:
            self._cpu.look()
        for number, process in self._processes.items():
            if number in self._gone:
                continue
            if measures:
                await asyncio.to_thread(process.measure)
            if fault := self._excess(number, process):
                await asyncio.to_thread(process.kill)
                await self._lost(number, *fault)
                continue
            if process.has_ended():
                await self._lost(number, "exit", _ended(process.exited))
            elif not self._started and self._does_not_come(number, process):
                await asyncio.to_thread(process.kill)
                await self._lost(number, "start", f"it reads its standard input and does not connect; {NO_STDIN}")

    def _does_not_come(self, number: int, process: BotProcess) -> bool:
        """Whether a bot that has not connected waits for input, which none gets."""
        late = time.monotonic() - self._begun > LISTEN_SECONDS
        return late and number not in self._connected and process.waits_for_input()

    def _excess(self, number: int, process: BotProcess) -> tuple[str, str] | None:
        """The exceeded limit and a message about it, or None."""
        limits = self._limits
        if self._cpu is not None and limits.cpu is not None and (used := self._cpu.longest(number)) > limits.cpu:
            return "clock", f"it used {used:.2f} s of CPU for a decision, and may use {limits.cpu:g} s"
        return process.excess(limits.memory, limits.output)

    async def _lost(self, number: int, reason: str, text: str) -> None:
        self._leaves(number, reason, text)
        if self._started:
            await self._forfeit(number)

    def _leaves(self, number: int, reason: str, text: str) -> None:
        self._gone[number] = BotForfeit(number - 1, reason, text)
        self._changed.set()

    async def _forfeit(self, number: int) -> None:
        """Forfeit for a bot once, unless the game is over or the server has done so."""
        if number in self._given_up:
            return
        self._given_up.add(number)
        action = game_pb2.Action(notation=f"forfeit {number}")
        try:
            await self._session.act(self._match_id, self._tokens[number], [action])
        except ServerRefused as error:
            if error.reason not in ("GAME_OVER", "ILLEGAL_ACTION"):
                raise

    async def result(self, seats: int) -> LocalGame:
        """Collect record, forfeits and resources after the end of the game."""
        request = match_pb2.GetRecordRequest(match_id=self._match_id)
        lines = tuple((await self._session.call(self._session.match.GetRecord, request)).lines)
        times = [decision for decision in await self._session.times(self._match_id) if decision.by == "bot"]
        await asyncio.to_thread(self._let_end)
        use = tuple(self._use(number, times) for number in range(1, seats + 1))
        return LocalGame(self._match_id, lines, tuple(_placed(lines, self._gone)), use)

    def _use(self, number: int, times: Sequence[match_pb2.DecisionTime]) -> ResourceUse | None:
        """Return the resources that the bot of a seat used; None for a dummy and one that could not be started."""
        own = [decision for decision in times if decision.seat == number]
        thought, network = tuple(one.think for one in own), max((one.network for one in own), default=0)
        if process := self._processes.get(number):
            left = process.left_behind()
            return ResourceUse(process.cpu, process.memory, thought, process.exited, left, network)
        return ResourceUse(0.0, 0, thought, None, network=network) if number in self._remote else None

    def _let_end(self) -> None:
        until = time.monotonic() + self._limits.end
        for process in self._processes.values():
            process.measure()
            process.let_end()
        for process in self._processes.values():
            process.wait(until - time.monotonic())
            while process.left_behind() and time.monotonic() < until:
                time.sleep(LOOK_SECONDS)

    def clear(self) -> None:
        for process in self._processes.values():
            process.kill()


def _taken(path: Path) -> str:
    """Return what a file holds and remove it; nothing if there is none that can be read."""
    with suppress(OSError):
        text = path.read_text(encoding="utf-8", errors="replace")  # a full disk may have cut it within a character
        path.unlink()
        return text
    return ""


def _ended(status: int | None) -> str:
    if status is not None and status < 0:
        return f"it was killed by signal {-status}"
    return f"it ended with status {status} before the game was over"


def _placed(lines: Sequence[str], forfeits: dict[int, BotForfeit]) -> list[BotForfeit]:
    """List forfeits in order, with their place in the record."""
    placed = []
    for step, seat, before in record.forfeits(lines):
        own = BotForfeit(seat, step.by, FAULTS.get(step.by, "it gave up"))
        known = own if step.by in FAULTS else forfeits.get(seat + 1, own)
        placed.append(replace(known, action=step.line - 2, position=before))
    return placed
