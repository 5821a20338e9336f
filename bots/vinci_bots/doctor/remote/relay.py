"""gRPC relay for bots that connect by themselves: records and alters the messages of each game of a stream.

It has the options of the server, so that it notices dead connections, too, and the bot gets its seats again.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, final

import grpc
from google.protobuf.message import DecodeError

from vinci.v1.bot_pb2 import Hello, PlayRequest, PlayResponse
from vinci.v1.match_pb2 import Ping

from ..relay import PLAY, StreamEnd, Tampering, Transcript, end_as, metadata_of, write_all

OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)
"""Options of a server for its connections."""


@dataclass(slots=True)
class GameTalk:
    """Messages of one game of the bot, and the changes to them.

    With `pings`, the bot is pinged at each decision, when it thinks.
    """

    tampering: Tampering = field(default_factory=Tampering)
    transcript: Transcript = field(default_factory=Transcript)
    pings: bool = False
    order: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True, eq=False)
class BotStream:
    """Stream that a bot opened: its hello, the games that it offers at once, and the status with which it ended.

    `outgoing` are the messages for the bot, and the end of the stream, None for that of the server; `pinged` the time
    of each ping of the doctor that is not answered yet.
    """

    began: float = field(default_factory=time.monotonic)
    hello: Hello | None = None
    offered: int = 0
    is_welcome: bool = False
    ended: str = ""
    outgoing: asyncio.Queue[PlayResponse | StreamEnd | None] = field(default_factory=asyncio.Queue)
    pinged: dict[int, float] = field(default_factory=dict)
    answering: set[asyncio.Task[None]] = field(default_factory=set)


@final
class RemoteRelay(grpc.GenericRpcHandler):
    """Relay on a local port, with TLS if it has `credentials`; all calls pass through it over a channel.

    `games` holds the messages of each game by match id, `streams` those of the bots in the order in which they came,
    `pongs` the seconds after which pings of the doctor were answered, `pings` their number.
    """

    def __init__(self, credentials: grpc.ServerCredentials | None) -> None:
        self.port = 0
        self.games: Final[dict[str, GameTalk]] = {}
        self.streams: Final[list[BotStream]] = []
        self.pongs: Final[list[float]] = []
        self.pings = 0
        self.changed: Final = asyncio.Event()
        self._credentials: Final = credentials
        self._server: grpc.aio.Server
        self._channel: grpc.aio.Channel

    async def open(self, channel: grpc.aio.Channel) -> None:
        """Start listening, on the same port as before if there was one; calls go over the channel, which it closes."""
        self._channel = channel
        self._server = grpc.aio.server(handlers=[self], options=OPTIONS)
        address = f"127.0.0.1:{self.port}"
        if self._credentials is None:
            self.port = self._server.add_insecure_port(address)
        else:
            self.port = self._server.add_secure_port(address, self._credentials)
        await self._server.start()

    async def close(self) -> None:
        """End all streams and stop listening."""
        await self._server.stop(0)
        await self._channel.close()

    def service(self, call: grpc.HandlerCallDetails) -> Any:
        """Return a handler that passes a call on as bytes."""
        return grpc.stream_stream_rpc_method_handler(
            self._play if call.method == PLAY else partial(self._pass, call.method)
        )

    def game(self, match_id: str) -> GameTalk:
        """Return the messages of a game."""
        return self.games.setdefault(match_id, GameTalk())

    async def _pass(
        self, method: str, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        """Pass a call on that is not of a stream of a bot."""
        call = self._call(method, context)
        upward = asyncio.create_task(write_all(call, requests))
        try:
            with suppress(grpc.aio.AioRpcError):
                async for response in call:
                    yield response
            await end_as(call, context)
        finally:
            upward.cancel()
            call.cancel()

    async def _play(
        self, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        """Pass the stream of a bot on."""
        stream, call = BotStream(), self._call(PLAY, context)
        self.streams.append(stream)
        upward = asyncio.create_task(self._up(stream, requests, call))
        downward = asyncio.create_task(self._down(stream, call))
        try:
            while (response := await stream.outgoing.get()) is not None:
                if isinstance(response, StreamEnd):
                    stream.ended = f"{response.code.name}: {response}"
                    await context.abort(response.code, str(response), response.trailers())
                yield response.SerializeToString()
            stream.ended = f"{(await call.code()).name}: {await call.details()}"
            self._change()
            await end_as(call, context)
        finally:
            stream.ended = stream.ended or "closed by the bot"
            for task in (upward, downward, *stream.answering):
                task.cancel()
            call.cancel()
            self._change()

    async def _down(self, stream: BotStream, call: Any) -> None:
        """Pass the messages of the server on."""
        with suppress(grpc.aio.AioRpcError):
            async for data in call:
                response = PlayResponse.FromString(data)
                if response.HasField("welcome"):
                    stream.is_welcome = True
                    self._change()
                try:
                    await self._tamper(stream, response)
                except StreamEnd as end:
                    stream.outgoing.put_nowait(end)
                    return
        stream.outgoing.put_nowait(None)

    async def _tamper(self, stream: BotStream, response: PlayResponse) -> None:
        match_id = _match_of(response)
        if not match_id:
            stream.outgoing.put_nowait(response)
            return
        game = self.game(match_id)
        async for passed in game.tampering.down(response):
            game.transcript.messages.append(passed)
            stream.outgoing.put_nowait(passed)
            if game.pings and passed.HasField("decision"):
                stamp = secrets.randbits(62)
                self.pings += 1
                stream.pinged[stamp] = time.monotonic()
                stream.outgoing.put_nowait(PlayResponse(ping=Ping(stamp=stamp)))

    async def _up(self, stream: BotStream, requests: AsyncIterator[bytes], call: Any) -> None:
        """Pass the messages of the bot on; answers of different games do not wait for each other."""
        writing = asyncio.Lock()

        async def write(data: bytes) -> None:
            async with writing:
                with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
                    await call.write(data)

        async def answer(request: PlayRequest) -> None:
            game = self.game(request.answer.match_id)
            async with game.order:
                game.transcript.messages.append(request)
                async for passed in game.tampering.up(request):
                    await write(passed.SerializeToString())

        async for data in requests:
            try:
                request = PlayRequest.FromString(data)
            except DecodeError:  # the server answers with the reason
                await write(data)
                continue
            if request.HasField("answer"):
                task = asyncio.create_task(answer(request))
                stream.answering.add(task)
                task.add_done_callback(stream.answering.discard)
            elif not self._is_own_pong(stream, request):
                self._note(stream, request)
                await write(data)
        with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            await call.done_writing()

    def _is_own_pong(self, stream: BotStream, request: PlayRequest) -> bool:
        """Note the answer to a ping of the doctor."""
        if not request.HasField("pong") or request.pong.stamp not in stream.pinged:
            return False
        self.pongs.append(time.monotonic() - stream.pinged.pop(request.pong.stamp))
        return True

    def _note(self, stream: BotStream, request: PlayRequest) -> None:
        """Note who the bot is and how many games it offers."""
        if request.HasField("hello"):
            stream.hello = request.hello
            stream.offered = max(request.hello.games, 1)
        elif request.HasField("set_games"):
            stream.offered = request.set_games.games
        self._change()

    def _call(self, method: str, context: grpc.aio.ServicerContext[bytes, bytes]) -> Any:
        return self._channel.stream_stream(method)(metadata=metadata_of(context))

    def _change(self) -> None:
        self.changed.set()
        self.changed.clear()


def _match_of(response: PlayResponse) -> str:
    """Return the id of the match that a message is about; empty for others."""
    kind = response.WhichOneof("kind")
    match kind:
        case "seated":
            return response.seated.match.match_id
        case "decision" | "refused" | "finished" | "request_refused":
            match_id: str = getattr(response, kind).match_id
            return match_id
    return ""
