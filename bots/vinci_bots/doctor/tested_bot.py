"""Bots under test: local ones, each started for one game, and remote ones, which connect by themselves."""

import asyncio
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final, final

from vinci.v1 import admin_pb2, game_pb2, lobby_pb2, match_pb2

from .. import environment
from ..local.local_match import BotLimits, Seating, play_game
from ..local.participants import DUMMY, Player
from ..local.process import excerpt
from ..local.sandbox import SOCKET
from ..seeds import bot_seed
from .host import Host
from .relay import BotStream, GameTalk, Relay, Tampering
from .results import Check, Fault
from .tested_game import TestedGame

SEED: Final = "doctor"
"""Seed of all games of the doctor."""
SEATS: Final = 3
FIRST_LINES: Final = 5
"""Number of first lines of a bot's output shown with a fault: Go names the cause in line 1, Node in line 5."""
WHOLE: Final = lobby_pb2.CreateMatchRequest(board="tiny", options=game_pb2.Options(settings={"target": "40"}))
SHORT: Final = lobby_pb2.CreateMatchRequest(board="tiny", options=game_pb2.Options(settings={"max_rounds": "2"}))
"""Short game; its first decision is to take a civilization."""
PROTOCOL: Final = "docs/protocol.md#access"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines(BotLimits):
    """Limits of a bot, also in seconds for each decision and to reconnect after a lost or a silent connection."""

    decision: int = 10
    back: int = 15
    silent: int = 60


class TestedBot(ABC):
    """Bot that plays games of the doctor at a host; `name` is its name, `limits` are its limits."""

    is_remote: ClassVar[bool]

    def __init__(self, name: str, limits: Deadlines, host: Host) -> None:
        self.name: Final = name
        self.limits: Final = limits
        self.host: Final = host
        self._whole: asyncio.Task[TestedGame] | None = None

    @property
    @abstractmethod
    def offered(self) -> int:
        """Number of games that it offers to play at once."""

    async def whole_game(self) -> TestedGame:
        """Play a whole game once; all checks share it. A remote bot is pinged at each decision."""
        if self._whole is None:
            self._whole = asyncio.create_task(self.play("game", request=WHOLE, pings=self.is_remote))
        return await self._whole

    async def play(
        self,
        log: str,
        tampering: Tampering | None = None,
        *,
        request: lobby_pb2.CreateMatchRequest = SHORT,
        seat: int = 1,
        seconds: int = 0,
        late: lobby_pb2.TimeoutPolicy.ValueType = lobby_pb2.TIMEOUT_POLICY_FORFEIT,
        pings: bool = False,
        others: asyncio.Barrier | None = None,
    ) -> TestedGame:
        """Play a game against dummies. Raises Fault if a remote bot does not take its seat.

        `log` names the log for the output of the bot, `seat` counts from 1, `seconds` is the time limit for each
        decision (0: the usual one) and `late` what happens after it. With `pings` the bot is pinged at each decision;
        `others` are games that begin at the same time.
        """
        tampering, seconds = tampering or Tampering(), seconds or self.limits.decision
        wanted = lobby_pb2.CreateMatchRequest(seed=SEED, sealed=True)
        wanted.MergeFrom(request)
        wanted.timing.CopyFrom(lobby_pb2.Timing(decision_seconds=seconds, on_timeout=late))
        seatings = [Seating(Player(DUMMY))] * SEATS
        async with self._relay(GameTalk(tampering)) as relay:
            tampering.relay, streams = relay, max(len(relay.streams), 1)

            def see(message: match_pb2.WatchResponse) -> None:
                if message.HasField("match"):
                    talk = relay.game(message.match.match_id)
                    talk.tampering, talk.pings = tampering, pings
                tampering.see(message)

            seatings[seat - 1], limits = self._seating(log, relay)
            ready = others.wait if others else None
            try:
                game = await play_game(self.host.address, wanted, seatings, limits, see, self.host.access, ready=ready)
            except BaseException:
                if others:
                    await others.abort()
                raise
        played = TestedGame(game, relay.game(game.match_id), relay, streams, seat, seconds)
        if played.forfeit and played.forfeit.reason == "absent":
            raise Fault(self.absence())
        return played

    @abstractmethod
    def _relay(self, talk: GameTalk) -> AbstractAsyncContextManager[Relay]:
        """Return the relay for a game; `talk` is for its messages if it is for that game alone."""

    @abstractmethod
    def _seating(self, log: str, relay: Relay) -> tuple[Seating, BotLimits]:
        """Return how the bot takes a seat over a relay, and its limits."""

    @abstractmethod
    def apart(self) -> AbstractAsyncContextManager["TestedBot"]:
        """Return the bot at a host that can be restarted."""

    def absence(self) -> str:
        """Return why it has no seat, in words."""
        return "it was not connected"

    def written(self, check: Check) -> tuple[Path | None, tuple[str, ...]]:
        """Return the log of a check's game, None if nothing was written in it, and its first and last lines."""
        return None, ()


@final
class LocalBot(TestedBot):
    """Bot whose command is started for each game, with a folder for its output; each game has a relay of its own."""

    is_remote = False
    offered = 1

    def __init__(self, player: Player, limits: Deadlines, host: Host, folder: Path, *, sandboxed: bool = False) -> None:
        super().__init__(player.name, limits, host)
        self._sandboxed: Final = sandboxed
        self._player: Final = player
        self._folder: Final = folder

    def written(self, check: Check) -> tuple[Path | None, tuple[str, ...]]:
        """Return the log of a check's game, None if nothing was written in it, and its first and last lines."""
        log = self._folder / f"{check.log or check.name}.log"
        if not log.exists() or not log.stat().st_size:
            return None, ()
        return log, excerpt(log, FIRST_LINES)

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[TestedBot]:
        """Start another server, since games of other checks are played at the first one."""
        with tempfile.TemporaryDirectory(prefix="vinci-") as place:
            async with Host(Path(place)) as host:
                yield LocalBot(self._player, self.limits, host, self._folder, sandboxed=self._sandboxed)

    @asynccontextmanager
    async def _relay(self, talk: GameTalk) -> AsyncIterator[Relay]:
        with tempfile.TemporaryDirectory(prefix="vinci-") as place:
            relay = Relay((str(Path(place, SOCKET)), 0), talk) if self._sandboxed else Relay(only=talk)
            async with relay.proxy, self.host.behind(relay):
                yield relay

    def _seating(self, log: str, relay: Relay) -> tuple[Seating, BotLimits]:
        file, seed = self._folder / f"{log}.log", bot_seed(SEED, self.name)
        door = Path(relay.proxy.host).parent if self._sandboxed else None
        return Seating(self._player, seed, file, relay.proxy.address, door), self.limits


async def played_together(
    bot: TestedBot, games: int, log: str, tampering: Tampering | None = None, seconds: int = 0
) -> list[TestedGame]:
    """Play games that begin at the same time. Raises Fault."""
    others = asyncio.Barrier(games)
    plays = (bot.play(log, tampering, seconds=seconds, others=others) for _ in range(games))
    results = await asyncio.gather(*plays, return_exceptions=True)
    failed = [result for result in results if isinstance(result, BaseException)]
    for failure in sorted(failed, key=lambda failure: isinstance(failure, asyncio.BrokenBarrierError)):
        raise failure
    return [result for result in results if isinstance(result, TestedGame)]


@dataclass(frozen=True, slots=True)
class Invitation:
    """Invitation for the author of a remote bot: address of the server, name of the bot and its key, join code."""

    address: str
    name: str
    key: str
    code: str

    def variables(self) -> dict[str, str]:
        """Return the environment variables for the bot."""
        access = {environment.CODE: self.code} if self.code else {}
        return {
            environment.ADDRESS: self.address,
            **access,
            environment.NAME: self.name,
            environment.KEY: self.key,
        }


@final
class RemoteBot(TestedBot):
    """Bot that connects to a relay by itself, over which it is given seats of games by its name."""

    is_remote = True

    def __init__(self, invitation: Invitation, limits: Deadlines, host: Host, relay: Relay) -> None:
        super().__init__(invitation.name, limits, host)
        self.invitation: Final = invitation
        self.relay: Final = relay

    async def arrival(self) -> float:
        """Wait for the bot to be connected with its name and key; return the seconds. Raises Fault."""
        began = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.start):
                while self.stream() is None:
                    await self.relay.changed.wait()
                return time.monotonic() - began
        raise Fault(f"it did not connect within {self.limits.start:g} s: {self.trouble()}")

    def stream(self) -> BotStream | None:
        """Return its latest stream that is open and was welcomed, or None."""
        streams = (stream for stream in reversed(self.relay.streams) if stream.is_welcome and not stream.ended)
        return next((stream for stream in streams if stream.hello.name == self.name), None)

    @property
    def offered(self) -> int:
        """Games that it offers to play at once; 0 while it is not connected."""
        stream = self.stream()
        return stream.offered if stream else 0

    def trouble(self) -> str:
        """Return what came instead of the bot, in words."""
        connections, tls = self.relay.proxy.connections, self.host.has_tls
        for stream in reversed(self.relay.streams):
            if stream.greeted and stream.hello.name != self.name:
                return f"its hello has the name {stream.hello.name[:40]!r}, but seats are given to {self.name!r}"
            if stream.ended:
                return f"its stream ended: {stream.ended}" if stream.greeted else f"it said no hello: {stream.ended}"
            return "it opened a stream and said no hello"
        if connections[not tls]:
            need = f"use TLS and trust the certificate with the fingerprint in the code ({PROTOCOL})"
            return f"it connects without TLS: {need}" if tls else "it connects with TLS, and the doctor has none: --tls"
        if connections[tls]:
            trusted = f"; it has to trust the certificate with the fingerprint in the code ({PROTOCOL})" if tls else ""
            return f"it connected, but did not open BotService.Play{trusted}"
        return f"nothing has connected to {self.relay.proxy.address}"

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[TestedBot]:
        """Yield the bot itself: its checks that disturb the server are made one after the other."""
        yield self

    @asynccontextmanager
    async def _relay(self, talk: GameTalk) -> AsyncIterator[Relay]:
        yield self.relay

    def _seating(self, log: str, relay: Relay) -> tuple[Seating, BotLimits]:
        return Seating(Player(self.name, remote=True)), replace(self.limits, start=self.limits.back)

    def absence(self) -> str:
        """Return why it has no seat, in words."""
        within = f"within {self.limits.back} s"
        if self.stream() is None:
            return f"it was not connected for a new game {within}: {self.trouble()}"
        return f"it had no place for a new game {within}; it offers {self.offered} at once"


@asynccontextmanager
async def invited(
    folder: Path, listen: tuple[str, int], kind: str, name: str, limits: Deadlines
) -> AsyncIterator[RemoteBot]:
    """Run a host for a remote bot; `folder` and `kind` are those of the host.

    The bot connects to a proxy at `listen`, it to a relay with the certificate of the server, and that to the server.
    """
    relay = Relay(listen)
    async with relay.proxy, Host(folder, kind) as host, host.behind(relay):  # the proxy first: the port may be taken
        key = (await host.ask("MakeBotKey", admin_pb2.MakeBotKeyRequest(name=name))).key
        yield RemoteBot(Invitation(relay.proxy.address, name, key, host.access.code), limits, host, relay)
