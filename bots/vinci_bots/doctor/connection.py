"""Checks of reconnection: after a broken stream, a lost connection, a server restart, or for good."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Final, final

import grpc

from vinci.v1.admin_pb2 import EndMatchRequest
from vinci.v1.bot_pb2 import PlayResponse
from vinci_client.errors import ServerRefused

from .relay import Relay, StreamEnd, Tampering
from .results import Fault
from .tested_bot import LocalBot, RemoteBot, TestedBot, played_together
from .tested_game import TestedGame

LAST: Final = 2
"""Number of the decision, from 1, at which the connection breaks."""
GAMES_OF_RESTART: Final = 2


@final
class _BrokenStream(Tampering):
    """End the stream right after a decision, once or on each connection."""

    def __init__(self, cut: StreamEnd, *, always: bool = False) -> None:
        self._cut: Final = cut
        self._always: Final = always
        self._asked = 0

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        if self._always and self._asked >= LAST:
            raise self._cut
        yield response
        if response.HasField("decision"):
            self._asked += 1
            if self._asked == LAST:
                raise self._cut


@final
class _AtDecision(Tampering):
    """Keep one decision of so many games from the bot, once each had two on average, and let `reached` know."""

    def __init__(self, games: int = 1) -> None:
        self.reached: Final = asyncio.Event()
        self._left = LAST * games

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        if response.HasField("decision"):
            self._left -= 1
            if self._left == 0:
                self.reached.set()
                return
        yield response


@final
class _SilentConnection(Tampering):
    """Drop all data of the connection from one decision on, once; the decision does not reach the bot."""

    def __init__(self) -> None:
        self._asked = 0

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        if response.HasField("decision"):
            self._asked += 1
            if self._asked == LAST:
                self.relay.proxy.silence()
        yield response


async def half_open(bot: TestedBot) -> str:
    """Check that the bot detects a dead connection that was not closed, opens another one, and plays on."""
    seconds, began = bot.limits.silent, time.monotonic()
    played = await bot.play("half-open", _SilentConnection(), seconds=seconds)
    if not played.again and (played.forfeit is None or played.forfeit.reason != "exit"):
        raise Fault(
            f"it did not come back within {seconds} s after its connection had gone silent: set gRPC's keepalive, "
            "or open the stream again when no ping has come for 45 s"
        )
    return f"{_came_back(played)}, {time.monotonic() - began:.0f} s in all"


async def dropped(bot: TestedBot) -> str:
    """Check that the bot reconnects with the same hello when its stream ends as UNAVAILABLE, and plays on."""
    cut = StreamEnd(grpc.StatusCode.UNAVAILABLE, "Socket closed")
    return _came_back(await bot.play("dropped-stream", _BrokenStream(cut), seconds=bot.limits.back))


async def cut(bot: RemoteBot) -> str:
    """Check that the bot reconnects when its connection is reset, and plays on."""

    async def disturb(relay: Relay) -> None:
        relay.proxy.cut()

    (played,) = await _disturbed(bot, "cut", disturb)
    return _came_back(played)


async def restart(bot: TestedBot) -> str:
    """Check that the bot reconnects after a kill and restart of the server, and goes on with its games."""
    number = min(max(bot.offered, 1), GAMES_OF_RESTART)
    async with bot.apart() as other:
        games = await _disturbed(other, "restart", other.host.restart, number)
    texts = [_came_back(played) for played in games]
    return texts[0] + (f", {number} games" if number > 1 else "")


async def ended_away(bot: RemoteBot) -> str:
    """Check that the bot plays on with a new game when its game ended while it was not connected."""

    async def disturb(relay: Relay) -> None:
        await relay.proxy.close()
        match_id = [*relay.games][-1]  # checks of the connection play one game after the other
        with suppress(ServerRefused):  # it is over
            await bot.host.ask("EndMatch", EndMatchRequest(match_id=match_id, reason="the check is over"))
        await relay.proxy.open()

    await _disturbed(bot, "ended-away", disturb)
    (await bot.play("ended-away")).must_be_faultless()
    return "came back and played a new game"


async def turned_away(bot: LocalBot) -> str:
    """Check that the bot exits when the server rejects its token, instead of reconnecting for ever."""
    cut = StreamEnd(grpc.StatusCode.UNAUTHENTICATED, "the token of seat 1 is no longer valid", "TOKEN_CHANGED")
    played = await bot.play("turned-away", _BrokenStream(cut, always=True))
    forfeit = played.forfeit
    if forfeit is None or forfeit.reason != "exit":
        raise Fault(
            f"it still ran {played.seconds} s after its stream had ended as TOKEN_CHANGED, and had come back "
            f"{len(played.again)} times: after UNAUTHENTICATED it is of no use to try again"
        )
    return forfeit.text


async def _disturbed(
    bot: TestedBot, log: str, disturb: Callable[[Relay], Awaitable[None]], games: int = 1
) -> list[TestedGame]:
    """Play games at once, and disturb them when the decision that is kept from the bot is reached. Raises Fault."""
    tampering = _AtDecision(games)
    playing = asyncio.create_task(played_together(bot, games, log, tampering, bot.limits.back))
    reached = asyncio.create_task(tampering.reached.wait())
    try:
        await asyncio.wait((playing, reached), return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            await disturb(tampering.relay)
        return await playing
    finally:
        reached.cancel()
        playing.cancel()


def _came_back(played: TestedGame) -> str:
    """Return that the bot came back with the same hello and played to the end. Raises Fault."""
    again, forfeit = played.again, played.forfeit
    if not again and forfeit is not None and forfeit.reason == "exit":
        raise Fault(f"it did not come back: {forfeit.text}")
    first = played.relay.streams[played.streams - 1].hello if again else None
    if first and again[0].hello.seat_tokens != first.seat_tokens:
        raise Fault("it came back without the seat token with which it came first")
    if not any(stream.is_welcome for stream in again):
        raise Fault(f"it did not come back within {played.seconds} s: open the stream again, with the same hello")
    played.must_be_played()
    return "came back and played on"
