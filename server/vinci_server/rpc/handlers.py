"""Receives calls: checks the limits before a message is read, and decodes it, so that unreadable bytes are refused like
other errors. A ServiceError becomes a status; any other exception is logged and answered with INTERNAL.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, final

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from ..errors import ServiceError
from ..limits import Peer
from ..metrics import Metrics
from .admission import Admission

Context = grpc.aio.ServicerContext[Any, Any]

Received: TypeAlias = tuple[Any, int]
"""A message, or None if the bytes were no message of this call, and the number of its bytes."""

NOTHING: Final[Received] = (None, 0)

FIRST_MESSAGE_SECONDS: Final = 10.0
"""Seconds after which a call without its first message is refused."""

WRONG_TOKENS: Final = frozenset({"NO_TOKEN", "BAD_TOKEN", "BAD_CODE", "NOT_THE_HOST", "NOT_THE_ADMIN"})
"""Reasons that are logged: somebody may be trying what is not theirs."""
LONGEST_LOGGED: Final = 64

_log = structlog.get_logger()


def handlers(
    service: ServiceDescriptor,
    implementation: object,
    admission: Admission,
    metrics: Metrics,
    *,
    name: str = "",
    needs_code: bool = True,
    play: Collection[str] = (),
) -> tuple[str, dict[str, Any]]:
    """Return the name of a service and its handlers; `implementation` has a method for each call, in snake case.

    Unary calls are `async def name(request, context) -> response`; streams of responses are async generators, and
    streams of requests are passed on as async iterators. With `needs_code` false the limits hold, but no code or
    password is required; for the calls of `play` the code of entrants suffices. `name` replaces the name of the
    service.
    """
    methods = {
        method.name: _Handler(
            method.name,
            getattr(implementation, snake(method.name)),
            admission,
            metrics,
            needs_code=needs_code,
            is_play=method.name in play,
        ).for_grpc(method)
        for method in service.methods
    }
    return name or service.full_name, methods


@final
@dataclass(frozen=True, slots=True)
class _Handler:
    """The handler of a call.

    For gRPC every call has a stream of requests: else calls that wait for their message would use unlimited memory.
    """

    name: str
    call: Callable[[Any, Context], Any]
    admission: Admission
    metrics: Metrics
    needs_code: bool
    is_play: bool

    def _admit(self, context: Context) -> Peer:
        """Return the peer of a call. Raises ServiceError."""
        return self.admission.call(context, needs_code=self.needs_code, is_play=self.is_play)

    def for_grpc(self, method: MethodDescriptor) -> Any:
        """Return the handler as gRPC registers it."""
        decode = _decoder(GetMessageClass(method.input_type))
        encode = GetMessageClass(method.output_type).SerializeToString
        if method.client_streaming or method.server_streaming:
            handle = self.bidirectional if method.client_streaming else self.server_stream
            return grpc.stream_stream_rpc_method_handler(self.metrics.counted(method, handle), decode, encode)
        return grpc.stream_unary_rpc_method_handler(self.metrics.counted(method, self.unary), decode, encode)

    async def unary(self, _: AsyncIterator[Received], context: Context) -> Any:
        """Answer a request."""
        received = NOTHING
        try:
            peer = self._admit(context)
            received = await self._request(context, peer)
            return await self.admission.payer(context).pay(self.call(_checked(received), context))
        except Exception as error:
            await self._refuse(received[0], context, error)

    async def server_stream(self, _: AsyncIterator[Received], context: Context) -> None:
        """Answer a request with a stream."""
        received = NOTHING
        try:
            peer = self._admit(context)
            received = await self._request(context, peer)
            with self.admission.traffic.stream(peer):
                responses = self.call(_checked(received), context)
                if (first := await self.admission.payer(context).pay(anext(responses, None))) is not None:
                    await context.write(first)
                del first  # it would stay in memory as long as the stream
                async for response in responses:
                    await context.write(response)
        except Exception as error:
            await self._refuse(received[0], context, error)

    async def bidirectional(self, _: AsyncIterator[Received], context: Context) -> None:
        """Answer a stream of requests with a stream."""
        try:
            peer = self._admit(context)
            first = await self._first(context, peer)
            with self.admission.traffic.stream(peer):
                async for response in self.call(self._requests(context, peer, first), context):
                    await context.write(response)
        except Exception as error:
            await self._refuse(None, context, error)

    async def _requests(self, context: Context, peer: Peer, received: Any) -> AsyncIterator[Any]:
        while received is not grpc.aio.EOF:
            yield _checked(received)
            if wait := self.admission.traffic.message(peer, received[1]):
                await asyncio.sleep(wait)
            received = await context.read()

    async def _request(self, context: Context, peer: Peer) -> Received:
        """Return the only message of a call. Raises ServiceError."""
        received: Any = await self._first(context, peer)
        if received is grpc.aio.EOF:
            raise ServiceError("MALFORMED", "NO_MESSAGE")
        request: Received = received
        self.admission.traffic.request(peer, request[1])
        return request

    async def _first(self, context: Context, peer: Peer) -> Any:
        """Return the first message of a call, or EOF. Raises ServiceError if it is late or too many of a host wait."""
        with self.admission.traffic.waiting(peer):
            try:
                async with asyncio.timeout(FIRST_MESSAGE_SECONDS):
                    return await context.read()
            except TimeoutError:
                raise ServiceError("MALFORMED", "LATE", seconds=f"{FIRST_MESSAGE_SECONDS:.0f}") from None
            except asyncio.CancelledError:
                self.admission.broken_off(context.peer())
                raise

    async def _refuse(self, request: Any, context: Context, error: Exception) -> None:
        """End a call, given its request, with the status of an exception."""
        if isinstance(error, grpc.aio.AbortError):
            raise error
        refusal = as_refusal(error, self.name, request, context.peer(), self.metrics)
        await self.admission.hold_back(refusal, context.peer())
        await context.abort(refusal.code, refusal.message, refusal.trailing_metadata())


def as_refusal(error: Exception, call: str, request: object, peer: str, metrics: Metrics) -> ServiceError:
    """Return the refusal of a call that ended with an exception; counts it, and logs what an operator should know."""
    match_id = getattr(request, "match_id", "")
    about = {"match": match_id[:LONGEST_LOGGED]} if match_id else {}
    if not isinstance(error, ServiceError):
        _log.error("internal error", call=call, **about, exc_info=error)
        error = ServiceError("INTERNAL")
    elif error.reason in WRONG_TOKENS:
        _log.warning("token refused", call=call, **about, peer=peer, reason=error.reason)
    metrics.refused(error.reason)
    return error


def _decoder(kind: type[Message]) -> Callable[[bytes], Received]:
    def decode(data: bytes) -> Received:
        try:
            return kind.FromString(data), len(data)
        except DecodeError:
            return None, len(data)

    return decode


def _checked(received: Received) -> Any:
    message, _ = received
    if message is None:
        raise ServiceError("MALFORMED", "BYTES")
    return message


def snake(name: str) -> str:
    """Return the name of the method for a call."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
