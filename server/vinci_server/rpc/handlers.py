"""Receives calls for the services: checks the limits before a call's message is read, and decodes messages itself, so
that bytes that do not parse are refused like other errors. A ServiceError becomes a status. Any other exception is
logged and answered with an internal error that tells no details.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeAlias

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from ..errors import ServiceError
from ..limits import Peer
from ..metrics import Metrics
from .gate import Gate

Context = grpc.aio.ServicerContext[Any, Any]

Received: TypeAlias = tuple[Any, int]
"""A message, or None if the bytes were no message of this call, and the number of its bytes."""

NOTHING: Final[Received] = (None, 0)

Admit: TypeAlias = Callable[[Context], Peer]
"""Admits a call and returns its peer. Raises ServiceError."""

Refuse: TypeAlias = Callable[[Any, Context, Exception], Awaitable[None]]
"""Ends a call, given its request, with the status of an exception."""

FIRST_MESSAGE_SECONDS: Final = 10.0
"""Seconds after which a call without its first message is refused."""

WRONG_TOKENS: Final = frozenset({"NO_TOKEN", "BAD_TOKEN", "BAD_CODE", "NOT_THE_HOST", "NOT_THE_ADMIN"})
"""Reasons that are logged: somebody may be trying what is not theirs."""
LONGEST_LOGGED: Final = 64

_log = structlog.get_logger()


def handlers(
    service: ServiceDescriptor,
    implementation: object,
    gate: Gate,
    metrics: Metrics,
    *,
    name: str = "",
    needs_code: bool = True,
) -> grpc.GenericRpcHandler:
    """The handlers of a service; `implementation` has a method for each call, in small letters with underscores.

    Unary calls are `async def name(request, context) -> response`; streams of responses are async generators, and
    streams of requests are passed on as async iterators. Calls and refusals are counted. With `needs_code` false the
    limits hold, but no code or password is asked for. `name` is that of the service, if it is not the service's own.
    """
    admit = partial(gate.call, needs_code=needs_code)
    methods = {
        method.name: _handler(method, getattr(implementation, _snake(method.name)), gate, admit, metrics)
        for method in service.methods
    }
    return grpc.method_handlers_generic_handler(name or service.full_name, methods)


def _handler(
    method: MethodDescriptor, call: Callable[[Any, Context], Any], gate: Gate, admit: Admit, metrics: Metrics
) -> Any:
    """The handler of a call.

    For gRPC every call has a stream of requests: it hands over other calls only when their message is there, and until
    then they would cost memory that nobody counts.
    """
    refuse = partial(_abort, method.name, metrics)
    decode = _decoder(GetMessageClass(method.input_type))
    encode = GetMessageClass(method.output_type).SerializeToString
    if method.client_streaming:
        counted = metrics.stream(method, _both_ways(refuse, call, gate, admit))
        return grpc.stream_stream_rpc_method_handler(counted, decode, encode)
    if method.server_streaming:
        counted = metrics.stream(method, _one_way(refuse, call, gate, admit))
        return grpc.stream_stream_rpc_method_handler(counted, decode, encode)
    counted = metrics.unary(method, _unary(refuse, call, gate, admit))
    return grpc.stream_unary_rpc_method_handler(counted, decode, encode)


def _unary(refuse: Refuse, call: Callable[[Any, Context], Awaitable[Any]], gate: Gate, admit: Admit) -> Any:
    async def handle(_: AsyncIterator[Received], context: Context) -> Any:
        received = NOTHING
        try:
            peer = admit(context)
            received = await _request(context, peer, gate)
            return await gate.payer(context).pay(call(_checked(received), context))
        except Exception as error:
            await refuse(received[0], context, error)

    return handle


def _one_way(refuse: Refuse, call: Callable[[Any, Context], AsyncIterator[Any]], gate: Gate, admit: Admit) -> Any:
    async def handle(_: AsyncIterator[Received], context: Context) -> None:
        received = NOTHING
        try:
            peer = admit(context)
            received = await _request(context, peer, gate)
            with gate.stream(peer):
                responses = call(_checked(received), context)
                if (first := await gate.payer(context).pay(anext(responses, None))) is not None:
                    await context.write(first)
                del first  # it would stay in memory as long as the stream
                async for response in responses:
                    await context.write(response)
        except Exception as error:
            await refuse(received[0], context, error)

    return handle


def _both_ways(
    refuse: Refuse, call: Callable[[AsyncIterator[Any], Context], AsyncIterator[Any]], gate: Gate, admit: Admit
) -> Any:
    async def requests(context: Context, peer: Peer, received: Any) -> AsyncIterator[Any]:
        while received is not grpc.aio.EOF:
            yield _checked(received)
            if wait := gate.message(peer, received[1]):
                await asyncio.sleep(wait)
            received = await context.read()

    async def handle(_: AsyncIterator[Received], context: Context) -> None:
        try:
            peer = admit(context)
            first = await _first(context, peer, gate)
            with gate.stream(peer):
                async for response in call(requests(context, peer, first), context):
                    await context.write(response)
        except Exception as error:
            await refuse(None, context, error)

    return handle


async def _request(context: Context, peer: Peer, gate: Gate) -> Received:
    """The message of a call that has one. Raises ServiceError."""
    received: Any = await _first(context, peer, gate)
    if received is grpc.aio.EOF:
        raise ServiceError("MALFORMED", "NO_MESSAGE")
    request: Received = received
    gate.request(peer, request[1])
    return request


async def _first(context: Context, peer: Peer, gate: Gate) -> Any:
    """The first message of a call, or EOF. Raises ServiceError if it does not come, or too many of a host wait."""
    with gate.waiting(peer):
        try:
            async with asyncio.timeout(FIRST_MESSAGE_SECONDS):
                return await context.read()
        except TimeoutError:
            raise ServiceError("MALFORMED", "LATE", seconds=f"{FIRST_MESSAGE_SECONDS:.0f}") from None


async def _abort(name: str, metrics: Metrics, request: Any, context: Context, error: Exception) -> None:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    match_id = getattr(request, "match_id", "")
    about = {"match": match_id[:LONGEST_LOGGED]} if match_id else {}
    if not isinstance(error, ServiceError):
        _log.error("internal error", call=name, **about, exc_info=error)
        error = ServiceError("INTERNAL")
    elif error.reason in WRONG_TOKENS:
        _log.warning("token refused", call=name, **about, peer=context.peer(), reason=error.reason)
    metrics.refused(error.reason)
    await context.abort(error.code, error.message, error.trailing_metadata())


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


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
