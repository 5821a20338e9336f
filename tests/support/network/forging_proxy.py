"""A gRPC proxy of a real server that changes its answers."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from vinci.v1 import bot_pb2, lobby_pb2, match_pb2  # noqa: F401  # whose services are in the pool then
from vinci_client.session import PERSON_HEADER

Forge: TypeAlias = Callable[[str, Any], None]
"""Changes the answer of a method; it may raise Refused instead."""


class Refused(Exception):
    """Raised by a forger to let a call fail with this sentence, and with a reason and facts if given."""

    def __init__(self, details: str, reason: str = "", **facts: str) -> None:
        super().__init__(details)
        self.details: Final = details
        self.reason: Final = reason
        self.facts: Final = facts


class _Between(grpc.GenericRpcHandler):
    """A handler that forwards calls. `ids` maps forged match ids to those of the real server."""

    def __init__(self, channel: grpc.Channel, forge: Forge, ids: dict[str, str]) -> None:
        self._channel: Final = channel
        self._forge: Final = forge
        self._ids: Final = ids

    def service(self, call: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """Return the handler of a method, which forwards calls and changes the answers."""
        method = descriptor_pool.Default().FindMethodByName(call.method.strip("/").replace("/", "."))
        takes, gives = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
        kind = "_".join("stream" if is_so else "unary" for is_so in (method.client_streaming, method.server_streaming))
        passed = getattr(self._channel, kind)(call.method, _written, gives.FromString)
        metadata = [pair for pair in call.invocation_metadata if pair[0] in ("authorization", PERSON_HEADER)]

        def forged(answer: Any, context: grpc.ServicerContext) -> Any:
            try:
                self._forge(method.name, answer)
            except Refused as error:
                _refuse(context, error)
            return answer

        def asked(request: Any) -> Any:
            if method.client_streaming:
                return request
            if getattr(request, "match_id", "") in self._ids:
                request.match_id = self._ids[request.match_id]
            return request

        def one(request: Any, context: grpc.ServicerContext) -> Any:
            try:
                return forged(passed(asked(request), metadata=metadata), context)
            except grpc.RpcError as error:
                failed: Any = error
                context.set_trailing_metadata(failed.trailing_metadata())
                context.abort(failed.code(), failed.details())

        def many(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
            for answer in passed(asked(request), metadata=metadata):
                yield forged(answer, context)

        made: Any = getattr(grpc, f"{kind}_rpc_method_handler")
        handler: grpc.RpcMethodHandler[Any, Any] = made(
            many if method.server_streaming else one, takes.FromString, _written
        )
        return handler


def _written(message: Message) -> bytes:
    return message.SerializeToString()


def _refuse(context: grpc.ServicerContext, error: Refused) -> None:
    status = status_pb2.Status(code=3, message=error.details)
    if error.reason:
        status.details.add().Pack(error_details_pb2.ErrorInfo(reason=error.reason, metadata=error.facts))
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    context.abort(grpc.StatusCode.INVALID_ARGUMENT, error.details)


@contextmanager
def forging(address: str, forge: Forge, ids: dict[str, str] | None = None) -> Iterator[str]:
    """Start a proxy of the server at this address whose answers `forge` changes; yield its address."""
    with grpc.insecure_channel(address) as channel:
        server = grpc.server(ThreadPoolExecutor(20), handlers=[_Between(channel, forge, {} if ids is None else ids)])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            server.stop(0).wait()


def with_match_id(wanted: str, ids: dict[str, str]) -> Forge:
    """Return a forger that gives every match another id and keeps the real one in `ids`."""

    def forge(_method: str, answer: Message) -> None:
        for field, value in answer.ListFields():
            if field.name == "match_id":
                ids[wanted] = value
                setattr(answer, field.name, wanted)
            elif isinstance(value, Message):
                forge("", value)
            elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
                for one in value:
                    forge("", one)

    return forge
