"""Between gRPC and the services: decodes by hand, so that bytes that do not parse are refused like anything else, and
turns refusals into statuses. What is no refusal is a fault of ours: it is logged, and the caller learns only that.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeAlias

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from .errors import ServiceError
from .metrics import Metrics

Context = grpc.aio.ServicerContext[Any, Any]
Refuse: TypeAlias = Callable[[Any, Context, Exception], Awaitable[None]]
"""Ends a call, given its request, with the status of an exception."""

WRONG_TOKENS: Final = frozenset({"NO_TOKEN", "BAD_TOKEN", "BAD_CODE", "NOT_THE_HOST", "NOT_THE_ADMIN"})
"""Reasons that are logged: somebody may be trying what is not theirs."""
LONGEST_LOGGED: Final = 64
_MALFORMED: Final = object()
_log = structlog.get_logger()


def handlers(service: ServiceDescriptor, implementation: object, metrics: Metrics) -> grpc.GenericRpcHandler:
    """The handlers of a service; `implementation` has a method for each call, in small letters with underscores.

    Unary calls are `async def name(request, context) -> response`; streams of responses are async generators, and
    streams of requests are passed on as async iterators. Calls and refusals are counted.
    """
    methods = {
        method.name: _handler(method, getattr(implementation, _snake(method.name)), metrics)
        for method in service.methods
    }
    return grpc.method_handlers_generic_handler(service.full_name, methods)


def _handler(method: MethodDescriptor, call: Callable[[Any, Context], Any], metrics: Metrics) -> Any:
    refuse = partial(_abort, method.name, metrics)
    decode = _decoder(GetMessageClass(method.input_type))
    encode = GetMessageClass(method.output_type).SerializeToString
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(metrics.stream(method, _both_ways(refuse, call)), decode, encode)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(metrics.stream(method, _one_way(refuse, call)), decode, encode)
    return grpc.unary_unary_rpc_method_handler(metrics.unary(method, _unary(refuse, call)), decode, encode)


def _unary(refuse: Refuse, call: Callable[[Any, Context], Awaitable[Any]]) -> Any:
    async def handle(request: Any, context: Context) -> Any:
        try:
            return await call(_checked(request), context)
        except Exception as error:
            await refuse(request, context, error)

    return handle


def _one_way(refuse: Refuse, call: Callable[[Any, Context], AsyncIterator[Any]]) -> Any:
    async def handle(request: Any, context: Context) -> AsyncIterator[Any]:
        try:
            async for response in call(_checked(request), context):
                yield response
        except Exception as error:
            await refuse(request, context, error)

    return handle


def _both_ways(refuse: Refuse, call: Callable[[AsyncIterator[Any], Context], AsyncIterator[Any]]) -> Any:
    async def requests(iterator: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for request in iterator:
            yield _checked(request)

    async def handle(iterator: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
        try:
            async for response in call(requests(iterator), context):
                yield response
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


def _decoder(kind: type[Message]) -> Callable[[bytes], Any]:
    def decode(data: bytes) -> Any:
        try:
            return kind.FromString(data)
        except DecodeError:
            return _MALFORMED

    return decode


def _checked(request: Any) -> Any:
    if request is _MALFORMED:
        raise ServiceError("MALFORMED", "the bytes are no message of this call")
    return request


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
