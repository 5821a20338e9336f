"""gRPC relay between a bot and a server that records messages and can alter, delay or cut them."""

import asyncio
import time
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

PLAY: Final = "/vinci.v1.BotService/Play"
OPTIONS: Final = (("grpc.http2.min_ping_interval_without_data_ms", 10_000),)
"""Options of the relay server; bots may ping it as often as the real one."""


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
    """Base class of changes to the messages of one game; this one changes nothing."""

    async def up(self, request: PlayRequest) -> AsyncIterator[PlayRequest]:
        """Yield the requests to pass on in place of a request of the bot."""
        yield request

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        """Yield the responses to pass on in place of a response. Raises StreamEnd."""
        yield response

    def see(self, message: match_pb2.WatchResponse) -> None:
        """Receive a public message about the game."""


@dataclass(slots=True)
class Transcript:
    """Messages between a bot and a server, as the bot sent and received them, stream after stream.

    `ends` are the statuses of streams that the bot did not end itself, `hello` the seconds until its first message,
    None if it sent none, and `streams` the number of streams that it opened.
    """

    messages: list[PlayRequest | PlayResponse] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    hello: float | None = None
    streams: int = 0

    def hellos(self) -> list[Hello]:
        """Hello of each stream."""
        return [request.hello for request in self._requests("hello")]

    def answers(self) -> list[Answer]:
        """Answers of the bot."""
        return [request.answer for request in self._requests("answer")]

    def decisions(self) -> list[Decision]:
        """Decisions sent to the bot."""
        return [response.decision for response in self._responses("decision")]

    def refusals(self) -> list[Refused]:
        """Refusals of its answers."""
        return [response.refused for response in self._responses("refused")]

    def is_seated(self) -> bool:
        """Whether the server gave it the seat."""
        return any(self._responses("seated"))

    def pings(self) -> tuple[int, int]:
        """Numbers of pings sent and answered."""
        sent = {response.ping.stamp for response in self._responses("ping")}
        answered = {request.pong.stamp for request in self._requests("pong")}
        return len(sent), len(sent & answered)

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

    def _requests(self, kind: str) -> Iterator[PlayRequest]:
        return (sent for sent in self.messages if isinstance(sent, PlayRequest) and sent.WhichOneof("kind") == kind)

    def _responses(self, kind: str) -> Iterator[PlayResponse]:
        return (sent for sent in self.messages if isinstance(sent, PlayResponse) and sent.WhichOneof("kind") == kind)


@final
class Relay(grpc.GenericRpcHandler):
    """Relay for one bot, an async context manager; all calls to the server pass through it."""

    def __init__(self, target: str, tampering: Tampering) -> None:
        self.talk: Final = Transcript()
        self.tampering = tampering
        self.port = 0
        self.target: Final = target
        self._began = time.monotonic()
        self._server: grpc.aio.Server
        self._channel: grpc.aio.Channel

    @property
    def address(self) -> str:
        """Address that the bot connects to."""
        return f"127.0.0.1:{self.port}"

    async def __aenter__(self) -> "Relay":
        await self.open()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Start listening, on the same port as before if there was one."""
        self._channel = grpc.aio.insecure_channel(self.target)
        self._server = grpc.aio.server(handlers=[self], options=OPTIONS)
        self.port = self._server.add_insecure_port(self.address)
        await self._server.start()

    async def close(self) -> None:
        """Close all connections and stop listening."""
        await self._server.stop(0)
        await self._channel.close()

    def service(self, call: grpc.HandlerCallDetails) -> Any:
        """Return a handler that passes a call on as bytes."""
        return grpc.stream_stream_rpc_method_handler(partial(self._pass, call.method))

    async def _pass(
        self, method: str, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        call = self._call(method, context)
        is_play = method == PLAY
        self.talk.streams += is_play
        upward = asyncio.create_task(write_all(call, self._up(requests) if is_play else requests))
        try:
            with suppress(grpc.aio.AioRpcError):
                async for response in self._down(call) if is_play else call:
                    yield response
            if is_play:
                self.talk.ends.append(f"{(await call.code()).name}: {await call.details()}")
            await end_as(call, context)
        except StreamEnd as cut:
            self.talk.ends.append(f"{cut.code.name}: {cut}")
            await context.abort(cut.code, str(cut), cut.trailers())
        finally:
            upward.cancel()
            call.cancel()

    async def _down(self, responses: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        async for data in responses:
            async for response in self.tampering.down(PlayResponse.FromString(data)):
                self.talk.messages.append(response)
                yield response.SerializeToString()

    async def _up(self, requests: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        async for data in requests:
            try:
                request = PlayRequest.FromString(data)
            except DecodeError:  # the server answers with the reason
                yield data
                continue
            self.talk.messages.append(request)
            self.talk.hello = self.talk.hello or time.monotonic() - self._began
            async for passed in self.tampering.up(request):
                yield passed.SerializeToString()

    def _call(self, method: str, context: grpc.aio.ServicerContext[bytes, bytes]) -> Any:
        return self._channel.stream_stream(method)(metadata=metadata_of(context))


def metadata_of(context: grpc.aio.ServicerContext[bytes, bytes]) -> list[tuple[str, Any]]:
    """Return the metadata of a call to pass on, without those of its connection."""
    return [
        (key, value)
        for key, value in context.invocation_metadata() or ()
        if key != "user-agent" and not key.startswith("grpc-")
    ]


async def write_all(call: Any, requests: AsyncIterator[bytes]) -> None:
    """Write requests to a call until they or the call end."""
    with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
        async for request in requests:
            await call.write(request)
        await call.done_writing()


async def end_as(call: Any, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
    """End with the status of another call."""
    code = await call.code()
    if code is not grpc.StatusCode.OK:
        await context.abort(code, await call.details() or "", tuple(await call.trailing_metadata() or ()))
