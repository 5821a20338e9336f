"""The server: store, lobby, bots and services behind one port, started and stopped in order."""

import asyncio
import contextlib
import gc
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol, final

import grpc
import structlog
from google.protobuf.descriptor import ServiceDescriptor

from vinci.v1 import admin_pb2, bot_pb2, lobby_pb2, match_pb2, person_pb2

from .analysis.adviser import Adviser
from .analysis.reviewer import Reviewer
from .errors import ServiceError
from .limits import DAY_SECONDS, USUAL, Limits
from .lobby import Lobby
from .match.seats import tokens
from .metrics import Metrics
from .operations.discovery import Announcement, Announcer
from .operations.exposition import Exposition, MetricsCollector
from .operations.webhook import Webhook
from .rpc.access import OPEN, ServerAccess
from .rpc.admission import Admission
from .rpc.bots.desk import BotDesk
from .rpc.bots.keys import BotKeys
from .rpc.bots.notes import NoteFiles
from .rpc.listener import GRACE_SECONDS, Health, listen, listen_at, new_server, offer
from .rpc.persons import Persons
from .rpc.players import Players
from .rpc.services import admin_service
from .rpc.services.bot_service import BotService
from .rpc.services.lobby_service import Advised, LobbyService
from .rpc.services.match_service import MatchService
from .rpc.services.person_service import PersonService
from .storage.store import DamagedError, Store, StoreError

LOOPBACK: Final = "127.0.0.1"
ARCHIVE_DAYS: Final = 30
"""Days that matches that are over stay in the log."""
OPEN_DAYS: Final = 1
"""Days after which open matches that nobody joins are ended."""
GARBAGE_THRESHOLD: Final = 20_000
"""New objects before cycles are searched: a server holds many objects that stay and few cycles, and a search of all of
them, which Python does often by default, stops every match."""

_log = structlog.get_logger()


class Front(Protocol):
    """Another way to the services of a server."""

    async def stop(self) -> None:
        """Stop listening; calls under way may end."""


@final
class Server:
    """A server that listens. Create it with `Server.start`; `stop` completes commands that have begun."""

    def __init__(
        self,
        grpc_server: grpc.aio.Server,
        store: Store,
        lobby: Lobby,
        desk: BotDesk,
        admission: Admission,
        adviser: Adviser,
        reviewer: Reviewer,
        metrics: Metrics,
    ) -> None:
        self._grpc: Final = grpc_server
        self._health: Final = Health()
        self._store: Final = store
        self.lobby: Final = lobby
        self._desk: Final = desk
        self.admission: Final = admission
        self.metrics: Final = metrics
        self.services: Mapping[ServiceDescriptor, object] = {}
        self.adviser: Final = adviser
        self.reviewer: Final = reviewer
        self._keys: BotKeys
        self._finder: LobbyService
        self.players: Players
        self._exposition: Exposition | None = None
        self._announcer: Announcer | None = None
        self._webhook: Webhook | None = None
        self._fronts: Final[list[Front]] = []
        self._for_bots: grpc.aio.Server | None = None
        self._chores: Final[list[asyncio.Task[None]]] = []
        self.damage = ""
        """Fault of the database and advice, once damage was found while serving."""
        self.port = 0
        self.loopback_port = 0

    @classmethod
    async def start(
        cls,
        host: str,
        port: int,
        database: Path,
        *,
        access: ServerAccess = OPEN,
        limits: Limits = USUAL,
        archive_days: float = ARCHIVE_DAYS,
        open_days: float = OPEN_DAYS,
        metrics_at: tuple[str, int] | None = None,
        with_loopback: bool = False,
        analysis_port: int = 0,
        advice_workers: int = 0,
        webhook: Webhook | None = None,
        bots: Sequence[str] = (),
        anonymous: bool = False,
        with_persons: bool = True,
        with_ratings: bool = True,
        bot_socket: Path | None = None,
        notes: Path | None = None,
    ) -> "Server":
        """Open the database and listen; port 0 finds a free one. Raises StoreError or AddressError.

        `metrics_at` is the host and port for metrics, `analysis_port` that of the analysis service, sent to clients;
        with one, games are reviewed.
        `advice_workers` is the number of processes that compute advice with reasons; without any, none is given.
        `webhook` tells people who are away of their turns. `bots` are names of bots that the caller starts beside the
        server when `wanted_bots` has them. `anonymous` hides the names of bots from each other.
        `with_persons` lets names belong to keys; else everybody is a guest. `with_ratings` lists players with ratings.
        `with_loopback` adds a free port without TLS that only this machine reaches, `bot_socket` a Unix socket for the
        calls of bots alone. `notes` is a folder for what bots note about their answers; else it is not kept.
        """
        note_files = NoteFiles(notes)
        metrics = Metrics()
        store = Store(database, metrics)
        try:
            token_hash = admin_service.token_hash(database.parent)
        except StoreError:
            store.close()
            raise
        lobby = Lobby(store, limits)
        desk = BotDesk(lobby, metrics, bots, anonymous=anonymous, notes=note_files)
        if webhook is not None:
            lobby.listener = webhook.before(desk)
        admission = Admission(access, limits, metrics)
        grpc_server = new_server(limits)
        adviser = Adviser(admission.traffic, advice_workers)
        reviewer = Reviewer(adviser.plans, enabled=analysis_port > 0)
        server = cls(grpc_server, store, lobby, desk, admission, adviser, reviewer, metrics)
        server._webhook = webhook
        server._keys = keys = BotKeys(store, required=bool(access.entrants))
        persons = Persons(store, keys, admission.traffic, desk.names, enabled=with_persons and not access.entrants)
        server.players = Players(store, persons, enabled=with_ratings and not access.entrants)
        administration = admin_service.AdminService(token_hash, store, lobby, desk, keys, persons, server._drain)
        advised = Advised(analysis_port, reviews=reviewer.enabled)
        server._finder = finder = LobbyService(lobby, admission, desk, keys, persons, server.players, advised)
        matches = MatchService(lobby, admission, adviser, persons, reviewer)
        server.services = services = {
            lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"]: finder,
            match_pb2.DESCRIPTOR.services_by_name["MatchService"]: matches,
            person_pb2.DESCRIPTOR.services_by_name["PersonService"]: PersonService(lobby, persons),
            bot_pb2.DESCRIPTOR.services_by_name["BotService"]: BotService(desk, admission, keys, persons),
            admin_pb2.DESCRIPTOR.services_by_name["AdminService"]: administration,
        }
        names = offer(grpc_server, services, server._health, admission, metrics)
        try:
            server.port = finder.port = listen(grpc_server, host, port, access.certificate)
            if with_loopback:
                server.loopback_port = listen(grpc_server, LOOPBACK, 0, None)
            if bot_socket is not None:
                server._for_bots = for_bots = new_server(limits)
                offer(for_bots, services, server._health, admission, metrics, plays_only=True)
                listen_at(for_bots, bot_socket)
            if metrics_at is not None:
                server._exposition = Exposition(*metrics_at, metrics, MetricsCollector(store, lobby, desk))
            await lobby.wake(archive_days, open_days)
            await grpc_server.start()
            if server._for_bots is not None:
                await server._for_bots.start()
        except BaseException:
            if server._exposition is not None:
                server._exposition.close()
            store.close()
            raise
        admission.lag.start()
        server._health.set(("", *names), serving=True)
        server._chores.append(asyncio.create_task(server._check()))
        if persons.enabled:
            server._chores.append(asyncio.create_task(server._expire(persons)))
        _log.info("server started", host=host, port=server.port, database=str(database))
        return server

    def announce(self, announcement: Announcement) -> None:
        """Make the server known on the network until it stops."""
        self._announcer = Announcer(self.lobby, announcement)
        self._announcer.start()

    def add(self, front: Front, page: str = "") -> None:
        """Stop a front with the server, and tell clients the address of its page for other machines."""
        self._fronts.append(front)
        self._finder.page = page

    def wanted_bots(self) -> list[str]:
        """Return the names that free bot seats ask for."""
        return self._desk.wanted()

    async def protected_names(self) -> Sequence[str]:
        """Return the names of bots that belong to a key. Raises ServiceError."""
        return list(await self._keys.hashes())

    def offered_games(self) -> Mapping[str, int]:
        """Return how many games the connected bots of each name play at once."""
        return self._desk.offered()

    def tell_bots(self, notice: Callable[[str], str]) -> None:
        """Tell bots by their names what `notice` returns, if anything: now if it is new, and when they connect."""
        self._desk.tell_bots(notice)

    def await_own_bots(self) -> None:
        """Stop the clocks of bots with seat tokens, which are stopped now, until they are back; in the event loop."""
        self._desk.await_own()

    def has_match(self, request_id: str) -> bool:
        """Return whether there is a match that was made by a request with this id, unless it was over at the start."""
        return self.lobby.has(tokens.match_id_for(request_id))

    async def end_matches_except(self, request_ids: Iterable[str], reason: str) -> None:
        """End the open and running matches that were not made by requests with these ids."""
        await self.lobby.end_except({tokens.match_id_for(request_id) for request_id in request_ids}, reason)

    async def _drain(self, draining: bool) -> None:
        """Refuse new matches, players and bots, or accept them again.

        Only the health of the lobby changes: clients that watch the whole server would end connections of players.
        """
        if draining == self.lobby.draining:
            return
        self.lobby.draining = draining
        self._health.set(["vinci.v1.LobbyService"], serving=not draining and not self.damage)
        _log.info("draining" if draining else "draining ended")
        if not draining:
            self._desk.resume()

    async def _check(self) -> None:
        """Look for damage in a database that was too large for that at the start; if there is any, nothing new begins.

        What runs goes on: pages without damage are as safe as before, and whoever runs the server chooses when to stop.
        """
        try:
            await self._store.check()
        except DamagedError as error:
            self.damage = str(error)
            self.lobby.is_damaged = True
            self._health.close()
            _log.error("database damaged; nothing new begins", error=self.damage)
        except StoreError as error:
            _log.error("database not checked", error=str(error))

    async def _expire(self, persons: Persons) -> None:
        """Free names that nobody uses, once a day."""
        while True:
            try:
                await persons.expire(self.lobby)
            except ServiceError as error:
                _log.error("freeing unused names failed", error=str(error))
            await asyncio.sleep(DAY_SECONDS)

    async def stop(self) -> None:
        """End streams with UNAVAILABLE, complete commands that have begun, close the database."""
        _log.info("server stopping")
        for chore in self._chores:
            chore.cancel()
        self.admission.lag.stop()
        if self._announcer is not None:
            await self._announcer.stop()
        if self._exposition is not None:
            await asyncio.to_thread(self._exposition.close)
        if self._webhook is not None:
            self._webhook.close()
        self._health.close()
        self._desk.close()
        await self.lobby.close()
        await self.players.stop()
        self.adviser.close()
        await self.reviewer.stop()
        listening = (one for one in (self._grpc, self._for_bots) if one is not None)
        await asyncio.gather(*(one.stop(GRACE_SECONDS) for one in listening), *(front.stop() for front in self._fronts))
        await self.adviser.stop()
        await self.lobby.close()
        self._store.close()
        _log.info("server stopped")

    @property
    def metrics_port(self) -> int:
        """Port of the metrics; 0 if they are not served."""
        return self._exposition.port if self._exposition else 0


async def serve(
    stop: Callable[[], Awaitable[None]],
    *beside: contextlib.AbstractAsyncContextManager[object],
    announce: Callable[[], object],
    until_stdin_closes: bool = False,
) -> None:
    """Run until SIGINT, SIGTERM or, if asked, the end of standard input; leave `beside`, then `stop`.

    `announce` tells that the server listens: whoever reads it may send a signal at once.
    """
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 20, 100)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stopping.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopping.set))
    if until_stdin_closes:
        when_stdin_closes(stopping.set)
    try:
        announce()
        async with contextlib.AsyncExitStack() as stack:
            for context in beside:
                await stack.enter_async_context(context)
            await stopping.wait()
    finally:
        await stop()


def when_stdin_closes(call: Callable[[], object]) -> None:
    """Call a function in the running loop when standard input ends."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        sys.stdin.buffer.read()
        loop.call_soon_threadsafe(call)

    threading.Thread(target=wait, daemon=True).start()


def lan_addresses() -> list[str]:
    """Return the addresses under which others on the network reach this machine."""
    addresses: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent, a route is looked up
        addresses.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        addresses += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(addresses) if not address.startswith("127.")]
