"""Between gRPC and the services: asks the gate, decodes by hand, so that bytes that do not parse are refused like
anything else, and turns refusals into statuses. What is no refusal is a fault of ours: it is logged, and the caller
learns only that.
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

from .errors import ServiceError
from .gate import Gate
from .limits import Peer
from .metrics import Metrics

Context = grpc.aio.ServicerContext[Any, Any]

Received: TypeAlias = tuple[Any, int]
"""A message, or None if the bytes were no message of this call, and the number of its bytes."""

Refuse: TypeAlias = Callable[[Any, Context, Exception], Awaitable[None]]
"""Ends a call, given its request, with the status of an exception."""

WRONG_TOKENS: Final = frozenset({"NO_TOKEN", "BAD_TOKEN", "BAD_CODE", "NOT_THE_HOST", "NOT_THE_ADMIN"})
"""Reasons that are logged: somebody may be trying what is not theirs."""
LONGEST_LOGGED: Final = 64

_log = structlog.get_logger()


def handlers(
    service: ServiceDescriptor, implementation: object, gate: Gate, metrics: Metrics
) -> grpc.GenericRpcHandler:
    """The handlers of a service; `implementation` has a method for each call, in small letters with underscores.

    Unary calls are `async def name(request, context) -> response`; streams of responses are async generators, and
    streams of requests are passed on as async iterators. Calls and refusals are counted.
    """
    methods = {
        method.name: _handler(method, getattr(implementation, _snake(method.name)), gate, metrics)
        for method in service.methods
    }
    return grpc.method_handlers_generic_handler(service.full_name, methods)


def _handler(method: MethodDescriptor, call: Callable[[Any, Context], Any], gate: Gate, metrics: Metrics) -> Any:
    refuse = partial(_abort, method.name, metrics)
    decode = _decoder(GetMessageClass(method.input_type))
    encode = GetMessageClass(method.output_type).SerializeToString
    if method.client_streaming:
        counted = metrics.stream(method, _both_ways(refuse, call, gate))
        return grpc.stream_stream_rpc_method_handler(counted, decode, encode)
    if method.server_streaming:
        counted = metrics.stream(method, _one_way(refuse, call, gate))
        return grpc.unary_stream_rpc_method_handler(counted, decode, encode)
    counted = metrics.unary(method, _unary(refuse, call, gate))
    return grpc.unary_unary_rpc_method_handler(counted, decode, encode)


def _unary(refuse: Refuse, call: Callable[[Any, Context], Awaitable[Any]], gate: Gate) -> Any:
    async def handle(received: Received, context: Context) -> Any:
        try:
            gate.call(context, received[1])
            return await gate.payer(context).pay(call(_checked(received), context))
        except Exception as error:
            await refuse(received[0], context, error)

    return handle


def _one_way(refuse: Refuse, call: Callable[[Any, Context], AsyncIterator[Any]], gate: Gate) -> Any:
    async def handle(received: Received, context: Context) -> None:
        try:
            with gate.stream(gate.call(context, received[1])):
                responses = call(_checked(received), context)
                if (first := await gate.payer(context).pay(anext(responses, None))) is not None:
                    await context.write(first)
                async for response in responses:
                    await context.write(response)
        except Exception as error:
            await refuse(received[0], context, error)

    return handle


def _both_ways(refuse: Refuse, call: Callable[[AsyncIterator[Any], Context], AsyncIterator[Any]], gate: Gate) -> Any:
    async def requests(context: Context, peer: Peer) -> AsyncIterator[Any]:
        while (received := await context.read()) is not grpc.aio.EOF:
            yield _checked(received)
            if wait := gate.message(peer, received[1]):
                await asyncio.sleep(wait)

    async def handle(_: AsyncIterator[Received], context: Context) -> None:
        try:
            peer = gate.call(context, 0)
            with gate.stream(peer):
                async for response in call(requests(context, peer), context):
                    await context.write(response)
        except Exception as error:
            await refuse(None, context, error)

    return handle


async def _abort(name: str, metrics: Metrics, request: Any, context: Context, error: Exception) -> None:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    match_id = getattr(request, "match_id", "")
    about = {"match": match_id[:LONGEST_LOGGED]} if match_id else {}
    if not isinstance(error, ServiceError):
        _log.error("internal error", call=name, **about, exc_info=error)
        error = ServiceError("INTERNAL", "internal error; the server's log has more")
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
        raise ServiceError("MALFORMED", "the bytes are no message of this call")
    return message


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
