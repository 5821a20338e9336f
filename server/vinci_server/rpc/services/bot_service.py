"""The gRPC service for bots: one stream for many games."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, final

from vinci.v1 import bot_pb2 as pb

from ...errors import ServiceError
from ...match.seats.names import check_name
from ..bots.connected_bot import ConnectedBot
from ..bots.desk import BotDesk
from ..bots.keys import BotKeys
from ..gate import Gate
from ..handlers import Context
from .lobby_service import VERSION

PING_SECONDS: Final = 20.0
"""Seconds between pings to a bot; after twice as long without one it can assume that the connection is dead."""


@final
class BotService:
    """Serves the streams of bots."""

    def __init__(self, desk: BotDesk, gate: Gate, keys: BotKeys) -> None:
        self._desk: Final = desk
        self._gate: Final = gate
        self._keys: Final = keys

    async def play(self, requests: AsyncIterator[pb.PlayRequest], context: Context) -> AsyncIterator[pb.PlayResponse]:
        """Send a bot decisions and play its answers until it disconnects."""
        first = await anext(requests, None)
        if first is None or first.WhichOneof("kind") != "hello":
            raise ServiceError("MALFORMED", "NO_HELLO")
        name = check_name(first.hello.name)
        if not name:
            raise ServiceError("BAD_NAME", "HELLO")
        await self._keys.check(name, first.hello.key)
        bot = ConnectedBot(first.hello, name, self._gate.payer(context))
        reader = asyncio.create_task(self._read(bot, requests))
        pinging = asyncio.create_task(_ping(bot))
        try:
            wanted = pb.WantedBots(names=self._desk.wanted())
            yield pb.PlayResponse(welcome=pb.Welcome(version=VERSION, wanted=wanted))
            await self._desk.arrive(bot)
            while (item := await bot.outgoing.get()) is not None:
                if isinstance(item, ServiceError):
                    raise item
                yield item
            if not bot.is_done:
                await reader
        finally:
            pinging.cancel()
            reader.cancel()
            self._desk.depart(bot)

    async def _read(self, bot: ConnectedBot, requests: AsyncIterator[pb.PlayRequest]) -> None:
        try:
            async for request in requests:
                match request.WhichOneof("kind"):
                    case "answer":
                        await self._desk.answers.answer(bot, request.answer)
                    case "pong":
                        bot.round_trip.pong(request.pong.stamp)
                    case "take_seats":
                        await self._desk.take_seats(bot, request.take_seats.tokens)
                    case "set_games":
                        self._desk.set_games(bot, request.set_games.games)
                    case _:
                        raise ServiceError("MALFORMED", "AFTER_HELLO")
        except ServiceError as error:
            self._desk.depart(bot)  # at once: the stream ends only when the bot has read the error
            bot.end(error)
        finally:
            bot.outgoing.put_nowait(None)


async def _ping(bot: ConnectedBot) -> None:
    while True:
        await asyncio.sleep(PING_SECONDS)
        bot.outgoing.put_nowait(pb.PlayResponse(ping=bot.round_trip.ping()))
