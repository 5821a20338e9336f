"""The gRPC service for bots: one stream for many games."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Final, final

from vinci.v1 import bot_pb2 as pb

from ...errors import ServiceError
from ...lobby import VERSION
from ...match.parsing import required_bearer
from ...match.seats import tokens
from ...match.seats.names import check_name
from ..admission import Admission
from ..bots.connected_bot import ConnectedBot
from ..bots.desk import BotDesk
from ..bots.keys import BotKeys
from ..handlers import Context
from ..persons import Persons

PING_SECONDS: Final = 20.0
"""Seconds between pings to a bot; after twice as long without one it can assume that the connection is dead."""


@final
class BotService:
    """Serves the streams of bots. `_listening` are the bots of `listen`, by the hash of their token."""

    def __init__(self, desk: BotDesk, admission: Admission, keys: BotKeys, persons: Persons) -> None:
        self._desk: Final = desk
        self._admission: Final = admission
        self._keys: Final = keys
        self._persons: Final = persons
        self._listening: Final[dict[str, ConnectedBot]] = {}

    async def play(self, requests: AsyncIterator[pb.PlayRequest], context: Context) -> AsyncIterator[pb.PlayResponse]:
        """Send a bot decisions and play its answers until it disconnects."""
        first = await anext(requests, None)
        if first is None or first.WhichOneof("kind") != "hello":
            raise ServiceError("MALFORMED", "NO_HELLO")
        bot = await self._bot(first.hello, context)
        reader = asyncio.create_task(self._read(bot, requests))
        try:
            with self._connected(bot):
                yield self._welcome(bot)
                await self._desk.arrive(bot)
                async for response in _outgoing(bot):
                    yield response
                if not bot.is_done:
                    await reader
        finally:
            reader.cancel()

    async def listen(self, request: pb.ListenRequest, context: Context) -> AsyncIterator[pb.ListenResponse]:
        """Send a bot decisions until it disconnects; its answers come by `send`."""
        bot = await self._bot(request.hello, context)
        token = tokens.new_token("bot")
        hashed = tokens.digest(token)
        self._listening[hashed] = bot
        try:
            with self._connected(bot):
                yield pb.ListenResponse(token=token, response=self._welcome(bot))
                await self._desk.arrive(bot)
                async for response in _outgoing(bot):
                    yield pb.ListenResponse(response=response)
        finally:
            del self._listening[hashed]

    async def send(self, request: pb.SendRequest, context: Context) -> pb.SendResponse:
        """Take what a bot that listens says."""
        bot = self._listening.get(tokens.digest(required_bearer(context)))
        if bot is None:
            raise ServiceError("BAD_TOKEN", "LISTEN")
        with self._ended_by_errors(bot):
            for said in request.requests:
                await self._take(bot, said)
        return pb.SendResponse()

    async def _bot(self, hello: pb.Hello, context: Context) -> ConnectedBot:
        """Return the bot that says hello. Raises ServiceError."""
        name = check_name(hello.name)
        if not name:
            raise ServiceError("BAD_NAME", "HELLO")
        has_key = False
        if not (self._keys.required and hello.seat_tokens):  # tokens are checked when it arrives
            has_key = await self._keys.check(name, hello.key)
        if not has_key:
            await self._persons.check_free(name)
        return ConnectedBot(hello, name, self._admission.payer(context), context.peer(), has_key=has_key)

    def _welcome(self, bot: ConnectedBot) -> pb.PlayResponse:
        wanted, notice = pb.WantedBots(names=self._desk.wanted()), self._desk.notice(bot)
        return pb.PlayResponse(welcome=pb.Welcome(version=VERSION, wanted=wanted, notice=notice))

    @contextmanager
    def _connected(self, bot: ConnectedBot) -> Iterator[None]:
        """Return a context in which a bot is pinged, and after which it is gone. Raises ServiceError."""
        is_counted = bot.has_key and not bot.hello.seat_tokens  # a bot started for one seat is a process for each game
        with self._admission.traffic.stream_with_key(bot.name) if is_counted else nullcontext():
            pinging = asyncio.create_task(_ping(bot))
            try:
                yield
            finally:
                pinging.cancel()
                self._desk.depart(bot)

    @contextmanager
    def _ended_by_errors(self, bot: ConnectedBot) -> Iterator[None]:
        """Return a context in which a refusal ends the stream of a bot."""
        try:
            yield
        except ServiceError as error:
            self._desk.depart(bot, returns=False)  # at once: the stream ends only when the bot has read the error
            bot.end(error)
            raise

    async def _read(self, bot: ConnectedBot, requests: AsyncIterator[pb.PlayRequest]) -> None:
        try:
            with suppress(ServiceError), self._ended_by_errors(bot):
                async for request in requests:
                    await self._take(bot, request)
        finally:
            bot.outgoing.put_nowait(None)

    async def _take(self, bot: ConnectedBot, request: pb.PlayRequest) -> None:
        """Do what a bot says after hello. Raises ServiceError."""
        match request.WhichOneof("kind"):
            case "answer":
                await self._desk.answers.answer(bot, request.answer)
            case "pong":
                await bot.pong(request.pong.stamp)
            case "take_seats":
                await self._desk.take_seats(bot, request.take_seats.tokens)
            case "set_games":
                if self._keys.required and bot.hello.seat_tokens:  # until now, a token was enough
                    await self._keys.check(bot.name, bot.hello.key)
                self._desk.set_games(bot, request.set_games.games)
            case _:
                raise ServiceError("MALFORMED", "AFTER_HELLO")


async def _outgoing(bot: ConnectedBot) -> AsyncIterator[pb.PlayResponse]:
    """Yield the messages for a bot until its stream ends. Raises ServiceError."""
    while (item := await bot.outgoing.get()) is not None:
        if isinstance(item, ServiceError):
            raise item
        yield item


async def _ping(bot: ConnectedBot) -> None:
    while True:
        await asyncio.sleep(PING_SECONDS)
        bot.outgoing.put_nowait(pb.PlayResponse(ping=bot.round_trip.ping()))
