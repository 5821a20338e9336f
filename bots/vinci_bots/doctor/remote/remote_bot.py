"""Remote bot under test: it is given seats of games by its name, over the relay of the doctor."""

import asyncio
import time
from contextlib import suppress
from typing import Final, final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.errors import ServerRefused
from vinci_rules import record

from ...local.local_match import FAULTS, BotForfeit, LocalGame, ResourceUse
from ..bot_under_test import SEATS, SHORT, WHOLE, Deadlines, TestedBot, TestedGame, timed_request
from ..relay import Tampering
from ..results import Fault
from .host import Host
from .relay import BotStream

PROTOCOL: Final = "docs/protocol.md#access"


@final
class RemoteBot(TestedBot):
    """Bot that connects to the host by itself, with its limits.

    `network` is the most seconds that were taken off a decision for the way there and back.
    """

    def __init__(self, host: Host, limits: Deadlines) -> None:
        super().__init__(limits)
        self.host: Final = host
        self.name: Final = host.invitation.name
        self.network = 0.0

    async def arrival(self) -> float:
        """Wait for the bot to be connected with its name and key; return the seconds. Raises Fault."""
        began = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.start):
                while self.stream() is None:
                    await self.host.relay.changed.wait()
                return time.monotonic() - began
        raise Fault(f"it did not connect within {self.limits.start:g} s: {self.trouble()}")

    def stream(self) -> BotStream | None:
        """Return its latest stream that is open and was welcomed, or None."""
        streams = (stream for stream in reversed(self.host.relay.streams) if stream.is_welcome and not stream.ended)
        return next((stream for stream in streams if stream.hello and stream.hello.name == self.name), None)

    @property
    def offered(self) -> int:
        """Games that it offers to play at once; 0 while it is not connected."""
        stream = self.stream()
        return stream.offered if stream else 0

    def trouble(self) -> str:
        """Return what came instead of the bot, in words."""
        connections, tls = self.host.proxy.connections, self.host.has_tls
        for stream in reversed(self.host.relay.streams):
            hello = stream.hello
            if hello and hello.name != self.name:
                return f"its hello has the name {hello.name[:40]!r}, but seats are given to {self.name!r}"
            if stream.ended:
                return f"its stream ended: {stream.ended}" if hello else f"it said no hello: {stream.ended}"
            return "it opened a stream and said no hello"
        if connections[not tls]:
            need = f"use TLS and trust the certificate with the fingerprint in the code ({PROTOCOL})"
            return f"it connects without TLS: {need}" if tls else "it connects with TLS, and the doctor has none: --tls"
        if connections[tls]:
            trusted = f"; it has to trust the certificate with the fingerprint in the code ({PROTOCOL})" if tls else ""
            return f"it connected, but did not open BotService.Play{trusted}"
        return f"nothing has connected to {self.host.proxy.address}"

    async def play_whole(self) -> TestedGame:
        """Play a whole game, with a ping at each decision."""
        return await self.play("game", request=WHOLE, pings=True)

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
        """Play a game against dummies.

        With `pings` it is pinged at each decision; `others` are games that begin at the same time.
        """
        seconds = seconds or self.limits.decision
        wanted = timed_request(request, seconds, late)
        for number in range(1, SEATS + 1):
            kind = lobby_pb2.SEAT_KIND_BOT if number == seat else lobby_pb2.SEAT_KIND_DUMMY
            wanted.seats.add(kind=kind, bot=self.name if number == seat else "")
        session = self.host.session
        created = await session.create(wanted)
        match_id = created.match.match_id
        talk = self.host.relay.game(match_id)
        talk.tampering, talk.pings = tampering or Tampering(), pings
        seated = asyncio.Event()
        watching = asyncio.create_task(self._watch(match_id, seat, talk.tampering, seated))
        try:
            await self._seated(seated)
            if others is not None:
                await others.wait()
            start = lobby_pb2.StartMatchRequest(match_id=match_id)
            await session.call(session.lobby.StartMatch, start, created.host_token)
            await watching
            game = await self._result(match_id, seat)
        except Fault:
            if others is not None:
                await others.abort()
            raise
        finally:
            watching.cancel()
            with suppress(ServerRefused):  # it is over
                await self.host.end(match_id)
        return TestedGame(game, talk.transcript, seat, seconds)

    async def _seated(self, seated: asyncio.Event) -> None:
        """Wait until the bot has its seat. Raises Fault."""
        try:
            async with asyncio.timeout(self.limits.back):
                await seated.wait()
        except TimeoutError:
            within = f"within {self.limits.back} s"
            if self.stream() is None:
                raise Fault(f"it was not connected for a new game {within}: {self.trouble()}") from None
            raise Fault(f"it had no place for a new game {within}; it offers {self.offered} at once") from None

    async def _watch(self, match_id: str, seat: int, tampering: Tampering, seated: asyncio.Event) -> None:
        async for message in self.host.session.watch(match_id, from_revision=0):
            if message.HasField("match") and message.match.seats[seat - 1].connected:
                seated.set()
            tampering.see(message)

    async def _result(self, match_id: str, seat: int) -> LocalGame:
        """Return a game that is over; memory, CPU time and status of the bot are unknown."""
        session = self.host.session
        lines = (await session.call(session.match.GetRecord, match_pb2.GetRecordRequest(match_id=match_id))).lines
        times = [time for time in await session.times(match_id) if time.seat == seat and time.by == "bot"]
        self.network = max([self.network, *(time.network / 1000 for time in times)])
        use = [ResourceUse(0.0, 0, (), None) for _ in range(SEATS)]
        use[seat - 1] = ResourceUse(0.0, 0, tuple(time.think for time in times), None)
        forfeits = tuple(
            BotForfeit(loser, step.by, FAULTS.get(step.by, "it gave up"), step.line - 2, before)
            for step, loser, before in record.forfeits(lines)
        )
        return LocalGame(match_id, tuple(lines), forfeits, tuple(use))
