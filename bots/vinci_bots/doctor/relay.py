"""gRPC relay between bots and a server that records the messages of each game and can alter, delay or cut them.

It has the options of the server, so that it notices dead connections, too, and the bot gets its seats again. Bots reach
it by a proxy that cuts connections, or drops all their data without closing them, as when a laptop sleeps.
"""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, final

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from vinci.v1 import match_pb2
from vinci.v1.bot_pb2 import Answer, Decision, Hello, PlayRequest, PlayResponse, Refused
from vinci_client.address import joined

TLS_HANDSHAKE: Final = 0x16
"""First byte of a connection with TLS."""


@final
class TcpProxy:
    """Proxy to a local port, an async context manager; it listens on a host and port, 0 for a free one.

    In place of a host, the path of a Unix socket is possible.
    `target` is the port, 0 as long as there is none. `connections` counts those that have sent something, by whether
    they use TLS.
    """

    def __init__(self, host: str, port: int) -> None:
        self.target = 0
        self.host: Final = host
        self.port = port
        self.connections: Final[Counter[bool]] = Counter()
        self._writers: Final[set[asyncio.StreamWriter]] = set()
        self._silent: Final[set[asyncio.StreamWriter]] = set()
        self._passing: Final[set[asyncio.Task[None]]] = set()
        self._server: asyncio.Server

    @property
    def address(self) -> str:
        """Address that it listens on."""
        return joined(self.host, self.port)

    async def __aenter__(self) -> "TcpProxy":
        await self.open()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Start listening, on the same port as before if there was one. Raises OSError."""
        if self.host.startswith("/"):
            self._server = await asyncio.start_unix_server(self._accept, self.host)
            return
        self._server = await asyncio.start_server(self._accept, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening and cut all connections."""
        self._server.close()
        self.cut()
        await asyncio.gather(*self._passing)

    def cut(self) -> None:
        """Reset all connections; new ones work while it listens."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def silence(self) -> None:
        """Drop all further data of existing connections, both ways; new connections work."""
        self._silent.update(self._writers)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers.update((writer, back))
        for source, sink, is_request in ((reader, back, True), (there, writer, False)):
            task = asyncio.create_task(self._pass(source, sink, is_request=is_request))
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, is_request: bool) -> None:
        is_first = is_request
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if is_first:
                    self.connections[data[0] == TLS_HANDSHAKE] += 1
                    is_first = False
                if sink not in self._silent:
                    sink.write(data)
        if sink not in self._silent:
            sink.close()


PLAY: Final = "/vinci.v1.BotService/Play"
CLOSED: Final = "closed by the bot"
OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)
"""Options of a server for its connections."""


class StreamEnd(Exception):
    """End the stream of the bot with this status and, optionally, a reason code."""

    def __init__(self, code: grpc.StatusCode, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.code: Final = code
        self.reason: Final = reason

    def trailers(self) -> tuple[tuple[str, bytes], ...]:
        """Trailing metadata with the reason."""
        if not self.reason:
            return ()
        detail = any_pb2.Any()
        detail.Pack(error_details_pb2.ErrorInfo(reason=self.reason, domain="vinci"))
        status = status_pb2.Status(code=self.code.value[0], message=str(self), details=[detail])
        return (("grpc-status-details-bin", status.SerializeToString()),)


class Tampering:
    """Base class of changes to the messages of games; this one changes nothing.

    `relay` is that of the games, once one has begun.
    """

    relay: "Relay"

    async def up(self, answer: PlayRequest) -> AsyncIterator[PlayRequest]:
        """Yield the requests to pass on in place of an answer of the bot."""
        yield answer

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        """Yield the responses to pass on in place of a response. Raises StreamEnd."""
        yield response

    def see(self, message: match_pb2.WatchResponse) -> None:
        """Receive a public message about the game."""


@dataclass(slots=True)
class GameTalk:
    """Messages of one game as the bot sent and received them, and the changes to them.

    With `pings`, the bot is pinged at each decision, when it thinks. Answers pass in their `order`.
    """

    tampering: Tampering = field(default_factory=Tampering)
    pings: bool = False
    messages: list[PlayRequest | PlayResponse] = field(default_factory=list)
    order: asyncio.Lock = field(default_factory=asyncio.Lock)

    def answers(self) -> list[Answer]:
        """Answers of the bot."""
        return [sent.answer for sent in self.messages if isinstance(sent, PlayRequest)]

    def decisions(self) -> list[Decision]:
        """Decisions sent to the bot."""
        return [response.decision for response in self._responses("decision")]

    def refusals(self) -> list[Refused]:
        """Refusals of its answers."""
        return [response.refused for response in self._responses("refused")]

    def is_seated(self) -> bool:
        """Whether the server gave it the seat."""
        return any(self._responses("seated"))

    def unanswered(self) -> tuple[Decision, bool] | None:
        """Last decision if it is unanswered, with whether an answer to it was refused; else None."""
        last, stands, refused = Decision(), False, False
        for message in self.messages:
            match message.WhichOneof("kind"), message:
                case "decision", PlayResponse(decision=decision):
                    last, stands, refused = decision, True, False
                case "refused", PlayResponse(refused=refusal) if refusal.revision == last.revision:
                    stands = refused = True
                case "answer", PlayRequest(answer=answer) if answer.revision == last.revision:
                    stands = False
        return (last, refused) if stands else None

    def _responses(self, kind: str) -> Iterator[PlayResponse]:
        return (sent for sent in self.messages if isinstance(sent, PlayResponse) and sent.WhichOneof("kind") == kind)


@dataclass(slots=True, eq=False)
class BotStream:
    """Stream that a bot opened: its hello, the games that it offers at once, and the status with which it ended.

    `greeted` is the time of its hello, 0 before. `outgoing` are the messages for the bot, and the end of the stream,
    None for that of the server; `pinged` the time of each ping that is not answered yet, `own` the doctor's pings.
    """

    hello: Hello = field(default_factory=Hello)
    greeted: float = 0.0
    offered: int = 0
    is_welcome: bool = False
    ended: str = ""
    outgoing: asyncio.Queue[PlayResponse | StreamEnd | None] = field(default_factory=asyncio.Queue)
    pinged: dict[int, float] = field(default_factory=dict)
    own: set[int] = field(default_factory=set)
    answering: set[asyncio.Task[None]] = field(default_factory=set)


@final
class Relay(grpc.GenericRpcHandler):
    """Relay behind a proxy; all calls pass through both, from `began` on.

    `games` holds the messages of each game by match id, `streams` those of the bots in the order in which they came,
    `pongs` the seconds after which pings were answered, `pings` their number. A relay for one game alone takes all
    messages for those of its game, `only`.
    """

    def __init__(self, listen: tuple[str, int] = ("127.0.0.1", 0), only: GameTalk | None = None) -> None:
        self.proxy: Final = TcpProxy(*listen)
        self.games: Final[dict[str, GameTalk]] = {}
        self.streams: Final[list[BotStream]] = []
        self.pongs: Final[list[float]] = []
        self.pings = 0
        self.began: Final = time.monotonic()
        self.changed: Final = asyncio.Event()
        self._only: Final = only
        self._server: grpc.aio.Server
        self._channel: grpc.aio.Channel

    async def open(self, channel: grpc.aio.Channel, credentials: grpc.ServerCredentials | None = None) -> None:
        """Start listening, on the same port as before if there was one; calls go over the channel, which it closes."""
        self._channel = channel
        self._server = grpc.aio.server(handlers=[self], options=OPTIONS)
        address = f"127.0.0.1:{self.proxy.target}"
        if credentials is None:
            self.proxy.target = self._server.add_insecure_port(address)
        else:
            self.proxy.target = self._server.add_secure_port(address, credentials)
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
        return self._only or self.games.setdefault(match_id, GameTalk())

    async def _pass(
        self, method: str, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        """Pass a call on that is not of a stream of a bot."""
        call = self._call(method, context)
        upward = asyncio.create_task(_write_all(call, requests))
        try:
            with suppress(grpc.aio.AioRpcError):
                async for response in call:
                    yield response
            await _end_as(call, context)
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
            await _end_as(call, context)
        finally:
            stream.ended = stream.ended or CLOSED
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
        if not match_id and self._only is None:
            self._send(stream, response)
            return
        game = self.game(match_id)
        async for passed in game.tampering.down(response):
            game.messages.append(passed)
            self._send(stream, passed)
            if game.pings and passed.HasField("decision"):
                stamp = secrets.randbits(62)
                stream.own.add(stamp)
                self._send(stream, PlayResponse(ping=match_pb2.Ping(stamp=stamp)))

    def _send(self, stream: BotStream, response: PlayResponse) -> None:
        if response.HasField("ping"):
            self.pings += 1
            stream.pinged[response.ping.stamp] = time.monotonic()
        stream.outgoing.put_nowait(response)

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
                game.messages.append(request)
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
        """Note the answer to a ping; return whether the ping was the doctor's."""
        stamp = request.pong.stamp if request.HasField("pong") else -1
        if stamp in stream.pinged:
            self.pongs.append(time.monotonic() - stream.pinged.pop(stamp))
        return stamp in stream.own

    def _note(self, stream: BotStream, request: PlayRequest) -> None:
        """Note who the bot is and how many games it offers."""
        if request.HasField("hello"):
            stream.hello, stream.greeted = request.hello, time.monotonic()
            stream.offered = max(request.hello.games, 1)
        elif request.HasField("set_games"):
            stream.offered = request.set_games.games
        self._change()

    def _call(self, method: str, context: grpc.aio.ServicerContext[bytes, bytes]) -> Any:
        metadata = [
            (key, value)
            for key, value in context.invocation_metadata() or ()
            if key != "user-agent" and not key.startswith("grpc-")
        ]
        return self._channel.stream_stream(method)(metadata=metadata)

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


async def _write_all(call: Any, requests: AsyncIterator[bytes]) -> None:
    """Write requests to a call until they or the call end."""
    with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
        async for request in requests:
            await call.write(request)
        await call.done_writing()


async def _end_as(call: Any, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
    """End with the status of another call."""
    code = await call.code()
    if code is not grpc.StatusCode.OK:
        await context.abort(code, await call.details() or "", tuple(await call.trailing_metadata() or ()))
