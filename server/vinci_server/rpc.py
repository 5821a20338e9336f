"""Between gRPC and the services: asks the gate, decodes by hand, so that bytes that do not parse are refused like
anything else, and turns refusals into statuses. What is no refusal is a fault of ours: it is logged, and the caller
learns only that.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from .errors import ServiceError
from .gate import Gate
from .limits import Peer

Context = grpc.aio.ServicerContext[Any, Any]

Received: TypeAlias = tuple[Any, int]
"""A message, or None if the bytes were no message of this call, and the number of its bytes."""

_log = structlog.get_logger()


def handlers(service: ServiceDescriptor, implementation: object, gate: Gate) -> grpc.GenericRpcHandler:
    """The handlers of a service; `implementation` has a method for each call, in small letters with underscores.

    Unary calls are `async def name(request, context) -> response`; streams of responses are async generators, and
    streams of requests are passed on as async iterators.
    """
    methods = {
        method.name: _handler(method, getattr(implementation, _snake(method.name)), gate) for method in service.methods
    }
    return grpc.method_handlers_generic_handler(service.full_name, methods)


def _handler(method: MethodDescriptor, call: Callable[[Any, Context], Any], gate: Gate) -> Any:
    decode = _decoder(GetMessageClass(method.input_type))
    encode = GetMessageClass(method.output_type).SerializeToString
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(_both_ways(method.name, call, gate), decode, encode)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(_one_way(method.name, call, gate), decode, encode)
    return grpc.unary_unary_rpc_method_handler(_unary(method.name, call, gate), decode, encode)


def _unary(name: str, call: Callable[[Any, Context], Awaitable[Any]], gate: Gate) -> Any:
    async def handle(received: Received, context: Context) -> Any:
        try:
            gate.call(context, received[1])
            return await call(_checked(received), context)
        except Exception as error:
            await _abort(name, context, error)

    return handle


def _one_way(name: str, call: Callable[[Any, Context], AsyncIterator[Any]], gate: Gate) -> Any:
    async def handle(received: Received, context: Context) -> AsyncIterator[Any]:
        try:
            with gate.stream(gate.call(context, received[1])):
                async for response in call(_checked(received), context):
                    yield response
        except Exception as error:
            await _abort(name, context, error)

    return handle


def _both_ways(name: str, call: Callable[[AsyncIterator[Any], Context], AsyncIterator[Any]], gate: Gate) -> Any:
    async def requests(iterator: AsyncIterator[Received], peer: Peer) -> AsyncIterator[Any]:
        async for received in iterator:
            yield _checked(received)
            if wait := gate.message(peer, received[1]):
                await asyncio.sleep(wait)

    async def handle(iterator: AsyncIterator[Received], context: Context) -> AsyncIterator[Any]:
        try:
            peer = gate.call(context, 0)
            with gate.stream(peer):
                async for response in call(requests(iterator, peer), context):
                    yield response
        except Exception as error:
            await _abort(name, context, error)

    return handle


async def _abort(name: str, context: Context, error: Exception) -> None:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    if not isinstance(error, ServiceError):
        _log.error("internal error", call=name, exc_info=error)
        error = ServiceError("INTERNAL", "internal error; the server's log has more")
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
