"""Checks of reconnection: after a broken stream, a server restart, or for good."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, final

import grpc

from vinci.v1.bot_pb2 import PlayResponse
from vinci_client import processes

from ..local.local_match import arguments
from .bot_under_test import BotUnderTest, TestedGame
from .proxy import TcpProxy
from .relay import Relay, StreamEnd, Tampering
from .results import Fault

LAST: Final = 2
"""Number of the decision, from 1, at which the connection breaks."""


@final
class BrokenStream(Tampering):
    """End the stream right after a decision, once or on each connection."""

    def __init__(self, cut: StreamEnd, *, always: bool = False) -> None:
        self._cut: Final = cut
        self._always: Final = always
        self._asked = 0

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        """Yield the response, and end the stream after a decision."""
        if self._always and self._asked >= LAST:
            raise self._cut
        yield response
        if response.HasField("decision"):
            self._asked += 1
            if self._asked == LAST:
                raise self._cut


@final
class _Stopped(Tampering):
    """Pass nothing after a decision until the connection is lost."""

    def __init__(self) -> None:
        self.reached: Final = asyncio.Event()
        self._asked = 0

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        yield response
        if response.HasField("decision"):
            self._asked += 1
            if self._asked == LAST:
                self.reached.set()
                await asyncio.Event().wait()


@final
class SilentConnection(Tampering):
    """Drop all data of the connection from one decision on, once; the decision does not reach the bot."""

    def __init__(self, wire: TcpProxy) -> None:
        self._wire: Final = wire
        self._asked = 0

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        """Yield the response; drop all data from a decision on."""
        if response.HasField("decision"):
            self._asked += 1
            if self._asked == LAST:
                self._wire.silence()
        yield response


async def half_open(bot: BotUnderTest) -> str:
    """Check that the bot detects a dead connection that was not closed, opens another one, and plays on."""
    began = time.monotonic()
    relay = Relay(bot.address, Tampering())
    async with relay, TcpProxy(relay.port) as wire:
        relay.tampering = SilentConnection(wire)
        seconds = bot.limits.silent
        played = await bot.play_through(relay, "half-open", door=wire.address, seconds=seconds)
    if len(played.talk.hellos()) < 2 and (played.forfeit is None or played.forfeit.reason != "exit"):
        raise Fault(
            f"it did not come back within {seconds} s after its connection had gone silent: set gRPC's keepalive, "
            "or open the stream again when no ping has come for 45 s"
        )
    _came_back(played)
    return f"came back and played on, {time.monotonic() - began:.0f} s in all"


async def dropped(bot: BotUnderTest) -> str:
    """Check that the bot reconnects with its token when the stream breaks, and plays on."""
    cut = StreamEnd(grpc.StatusCode.UNAVAILABLE, "Socket closed")
    return _came_back(await bot.play("dropped-stream", BrokenStream(cut), seconds=bot.limits.back))


async def restart(bot: BotUnderTest) -> str:
    """Check that the bot reconnects after a kill and restart of the server, and plays on."""
    with tempfile.TemporaryDirectory(prefix="vinci-") as place:
        return await _restarted(bot, Path(place) / "restart.db")


async def turned_away(bot: BotUnderTest) -> str:
    """Check that the bot exits when the server rejects its token, instead of reconnecting for ever."""
    cut = StreamEnd(grpc.StatusCode.UNAUTHENTICATED, "the token of seat 1 is no longer valid", "TOKEN_CHANGED")
    played = await bot.play("turned-away", BrokenStream(cut, always=True))
    forfeit = played.forfeit
    if forfeit is None or forfeit.reason != "exit":
        again = played.talk.streams - 1
        raise Fault(
            f"it still ran {played.seconds} s after its stream had ended as TOKEN_CHANGED, and had come back {again} "
            "times: after UNAUTHENTICATED it is of no use to try again"
        )
    return forfeit.text


async def _restarted(bot: BotUnderTest, database: Path) -> str:
    serving = await asyncio.to_thread(processes.serve, database, *arguments())
    tampering = _Stopped()
    try:
        async with Relay(serving.address, tampering) as relay:
            playing = asyncio.create_task(bot.play_through(relay, "restart", seconds=bot.limits.back))
            reached = asyncio.create_task(tampering.reached.wait())
            try:
                await asyncio.wait((playing, reached), return_when=asyncio.FIRST_COMPLETED)
                if not playing.done():
                    await relay.close()
                    serving.process.kill()
                    serving = await asyncio.to_thread(_again, serving, database)
                    await relay.open()
                return _came_back(await playing)
            finally:
                reached.cancel()
                playing.cancel()
    finally:
        await asyncio.to_thread(processes.stop, [serving.process])


def _again(serving: processes.Serving, database: Path) -> processes.Serving:
    """Restart the server with the same database and port."""
    processes.stop([serving.process])
    return processes.serve(database, *arguments(), "--port", serving.address.rpartition(":")[2])


def _came_back(played: TestedGame) -> str:
    hellos, forfeit = played.talk.hellos(), played.forfeit
    if len(hellos) < 2:
        if forfeit is not None and forfeit.reason == "exit":
            raise Fault(f"it did not come back: {forfeit.text}")
        raise Fault(f"it did not come back within {played.seconds} s: open the stream again and say hello")
    if hellos[1].seat_tokens != hellos[0].seat_tokens:
        raise Fault("it came back without the seat token with which it came first")
    played.must_be_played()
    return "came back and played on"
