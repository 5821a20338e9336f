"""Serves the calls of services over HTTP by the Connect protocol, through the same admission as gRPC.

A stream asked for with plain JSON is sent as a line for each message, which every language can read.
Time for messages as JSON is charged to the host that asks for it.
"""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Final, TypeVar, final

import structlog
from connectrpc.code import Code
from connectrpc.codec import Codec
from connectrpc.compression.gzip import GzipCompression
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from protobuf import message_from_json_value
from protobuf.wkt import Any as AnyMessage
from protobuf.wkt import Struct

from ..errors import ServiceError
from ..metrics import Metrics
from ..rpc.admission import Admission
from ..rpc.handlers import snake
from ..rpc.listener import MAX_MESSAGE_BYTES
from .answers import answer_error, header
from .context import CALL, Call, ClientGone, Receive, Scope, Send, peer_of, whole_body

M = TypeVar("M", bound=Message)
LONGEST_REASON: Final = 200


@final
class BinaryCodec(Codec[Message, M]):
    """Messages as bytes."""

    def name(self) -> str:
        """Return the name in content types."""
        return "proto"

    def encode(self, message: Message) -> bytes:
        """Return a message as bytes."""
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, message_class: type[M]) -> M:
        """Return the message in bytes. Raises ConnectError."""
        try:
            return message_class.FromString(bytes(data))
        except DecodeError:
            raise connect_error(CALL.get().refuse(ServiceError("MALFORMED", "BYTES"))) from None


@final
class JsonCodec(Codec[Message, M]):
    """Messages as JSON on one line; unknown fields are refused."""

    def name(self) -> str:
        """Return the name in content types."""
        return "json"

    def encode(self, message: Message) -> bytes:
        """Return a message as JSON."""
        begin = perf_counter()
        text = json.dumps(json_format.MessageToDict(message), ensure_ascii=False, separators=(",", ":"))
        CALL.get().payer().charge(perf_counter() - begin)
        return text.encode()

    def decode(self, data: bytes | bytearray, message_class: type[M]) -> M:
        """Return the message in JSON. Raises ConnectError."""
        begin = perf_counter()
        try:
            return json_format.Parse(bytes(data), message_class())
        except (json_format.ParseError, ValueError, RecursionError) as error:
            refusal = ServiceError("MALFORMED", "JSON", error=" ".join(str(error).split())[:LONGEST_REASON])
            raise connect_error(CALL.get().refuse(refusal)) from None
        finally:
            CALL.get().payer().charge(perf_counter() - begin)


@final
class RequestCompression(GzipCompression):
    """Requests by gzip, as some clients send them."""

    def decompress(self, data: bytes | bytearray | memoryview, read_max_bytes: int | None = None) -> bytes:
        """Return what was compressed. Raises ConnectError if it is too large."""
        begin = perf_counter()
        try:
            return super().decompress(data, read_max_bytes)
        finally:
            CALL.get().payer().charge(perf_counter() - begin)


@final
class _Detail(ErrorDetail):
    """A detail of an error that is also written as JSON."""

    def __init__(self, message: Message) -> None:
        url = f"type.googleapis.com/{message.DESCRIPTOR.full_name}"
        super().__init__(AnyMessage(type_url=url, value=message.SerializeToString()))
        self._shown: Final = message

    def value(self, *_: Any) -> Any:
        """Return what is written as JSON."""
        return message_from_json_value(Struct, json_format.MessageToDict(self._shown))


def connect_error(refusal: ServiceError) -> ConnectError:
    """Return a refusal as Connect sends it, with its details."""
    code = Code[refusal.code.name.replace("CANCELLED", "CANCELED")]
    return ConnectError(code, refusal.message, [_Detail(detail) for detail in refusal.details()])


UNARY_TYPES: Final = ("application/json", "application/proto")
STREAM_TYPES: Final = ("application/json", "application/connect+json", "application/connect+proto")
PASSED: Final = frozenset(
    {
        b"content-type",
        b"content-encoding",
        b"connect-content-encoding",
        b"connect-protocol-version",
        b"connect-timeout-ms",
    }
)
"""Headers of the Connect protocol that the library reads."""
LINES: Final = b"application/x-ndjson"
END: Final = 2
"""Flag of the message that ends a stream in the Connect protocol."""

_log = structlog.get_logger()


class _Application(ConnectASGIApplication[None]):
    """The calls of all services."""

    path = "/"


@dataclass(frozen=True, slots=True)
class _Served:
    """A call that is served: what is counted, and what it accepts."""

    handle: Callable[[Any, Any], Any]
    name: str
    content_types: tuple[str, ...]
    reads_only: bool


@final
class Gateway:
    """An ASGI application for the calls that services have, except those with streams of requests."""

    def __init__(self, services: Mapping[ServiceDescriptor, object], admission: Admission, metrics: Metrics) -> None:
        self._admission: Final = admission
        self._metrics: Final = metrics
        self._served: Final[dict[str, _Served]] = {}
        endpoints = {}
        for service, implementation in services.items():
            for method in service.methods:
                call = getattr(implementation, snake(method.name), None)
                if method.client_streaming or call is None:
                    continue
                path = f"/{service.full_name}/{method.name}"
                endpoints[path] = self._endpoint(method, call)
                self._served[path] = _Served(
                    metrics.counted(method, self._serve),
                    method.name,
                    STREAM_TYPES if method.server_streaming else UNARY_TYPES,
                    _reads_only(method),
                )
        self._application: Final = _Application(
            service=None,
            endpoints=lambda _service: endpoints,
            codecs=(BinaryCodec(), JsonCodec()),
            compressions=(RequestCompression(),),
            read_max_bytes=MAX_MESSAGE_BYTES,
        )

    @property
    def prefixes(self) -> frozenset[str]:
        """The beginnings of all paths, with their slash."""
        return frozenset(path[: path.rindex("/") + 1] for path in self._served)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a call."""
        served = self._served.get(scope["path"])
        content_type = header(scope, b"content-type").partition(";")[0].strip().lower()
        wrong = _wrong(served, scope, content_type)
        if wrong is not None:
            try:
                await self._admission.request(peer_of(scope))
            except ServiceError as refusal:
                wrong = 429, "resource_exhausted", refusal.message
            await answer_error(send, *wrong)
            return
        assert served is not None
        call = Call(served.name, scope, self._admission, self._metrics)
        CALL.set(call)
        channel = _Channel(call, receive, send, self._admission)
        if served.content_types is STREAM_TYPES and content_type == "application/json":
            channel = _Lines(call, receive, send, self._admission)
        with suppress(ServiceError):  # it was sent
            await served.handle(channel, call)

    async def _serve(self, channel: "_Channel", call: Call) -> None:
        """Serve a call by the Connect protocol. Raises ServiceError, after it was sent, if the call was refused."""
        application: Any = self._application
        try:
            await application(channel.scope(), channel.receive, channel.send)
        except Exception as error:  # of the library: the handlers below raise ConnectError only
            _log.warning("call ended early", call=call.scope["path"], error=repr(error))
        if call.refused is not None:
            raise call.refused

    def _endpoint(self, method: MethodDescriptor, implementation: Callable[[Any, Any], Any]) -> Any:
        kind = StreamType.SERVER_STREAM if method.server_streaming else StreamType.UNARY
        info: MethodInfo[Any, Any] = MethodInfo(
            name=method.name,
            service_name=method.containing_service.full_name,
            input=GetMessageClass(method.input_type),
            output=GetMessageClass(method.output_type),
            idempotency_level=IdempotencyLevel.NO_SIDE_EFFECTS if _reads_only(method) else IdempotencyLevel.UNKNOWN,
            stream_type=kind,
        )

        async def unary(request: Any, _context: object) -> Any:
            call = CALL.get()
            try:
                call.admitted()
                return await call.payer().pay(implementation(request, call))
            except Exception as error:
                raise connect_error(call.refuse(error, request)) from None

        async def stream(request: Any, _context: object) -> AsyncIterator[Any]:
            call = CALL.get()
            payer, is_json = call.payer(), "json" in header(call.scope, b"content-type")
            try:
                with self._admission.traffic.stream(call.admitted()):
                    async with aclosing(implementation(request, call)) as responses:
                        response = await payer.pay(anext(responses, None))
                        while response is not None:
                            if is_json:
                                await payer.credit()  # writing it takes a millisecond or more
                            yield response
                            response = None  # it would stay in memory until the next
                            response = await anext(responses, None)
            except Exception as error:
                raise connect_error(call.refuse(error, request)) from None

        return Endpoint.server_stream(info, stream) if method.server_streaming else Endpoint.unary(info, unary)


class _Channel:
    """The request and the response of a call. The body is read as a whole, within the limits of its host."""

    def __init__(self, call: Call, receive: Receive, send: Send, admission: Admission) -> None:
        self._call: Final = call
        self._receive: Final = receive
        self._send: Final = send
        self._admission: Final = admission
        self._has_read = False

    def scope(self) -> Scope:
        """Return the request as the Connect protocol has it, for an answer without compression.

        Answers hold tokens, which could be guessed if they were compressed beside texts that others choose.
        """
        headers = [(key, value) for key, value in self._call.scope["headers"] if key in PASSED]
        return {**self._call.scope, "headers": headers}

    async def receive(self) -> Any:
        """Return the whole body, then that the client is gone. Raises ConnectError."""
        if self._has_read:
            return await self._receive()
        self._has_read = True
        try:
            body = await self._body()
        except ServiceError as error:
            self._call.is_unread = True
            raise connect_error(self._call.refuse(error)) from None
        except ClientGone:
            raise ConnectError(Code.CANCELED, "the client is gone") from None
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Any) -> None:
        """Send a part of the response."""
        if message["type"] == "http.response.start":
            if self._call.refused is not None:
                await self._admission.hold_back(self._call.refused, self._call.peer())
            headers = [*message["headers"], *_HEADERS]
            if self._call.is_unread:
                headers.append((b"connection", b"close"))
            message = message | {"headers": headers}
        await self._send(message)

    async def _body(self) -> bytes:
        peer = self._call.admitted()
        if self._call.scope["method"] == "GET":
            return b""
        with self._admission.traffic.waiting(peer):
            body = await whole_body(self._receive, MAX_MESSAGE_BYTES, partial(self._admission.traffic.request, peer))
        if body is None:
            text = f"a request can have at most {MAX_MESSAGE_BYTES} bytes"
            raise ConnectError(Code.RESOURCE_EXHAUSTED, text)
        return body


@final
class _Lines(_Channel):
    """A stream as lines of JSON: one for each message and, if it ends with an error, one with the key `error`."""

    _is_stream = False

    def scope(self) -> Scope:
        """Return the request with the content type of a stream."""
        scope = super().scope()
        headers = [(key, value) for key, value in scope["headers"] if key != b"content-type"]
        return {**scope, "headers": [*headers, (b"content-type", _STREAM)]}

    async def receive(self) -> Any:
        """Return the body as the only message of a stream."""
        message = await super().receive()
        if message["type"] == "http.request":
            message["body"] = _enveloped(message["body"])
        return message

    async def send(self, message: Any) -> None:
        """Send a part of the response as a line."""
        if message["type"] == "http.response.start":
            headers = [(key, value) for key, value in message["headers"] if key != b"content-type"]
            self._is_stream = (b"content-type", _STREAM) in message["headers"]
            if self._is_stream:
                message = message | {"headers": [*headers, (b"content-type", LINES)]}
        elif self._is_stream and (envelope := message["body"]):
            line = envelope[5:] + b"\n"
            if envelope[0] & END:
                line = line if "error" in json.loads(line) else b""
            message = message | {"body": line}
        await super().send(message)


_STREAM: Final = b"application/connect+json"
_HEADERS: Final = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


def _wrong(served: _Served | None, scope: Scope, content_type: str) -> tuple[int, str, str] | None:
    """Return the status, code and text of the answer to a request that is no call of the Connect protocol."""
    if served is None:
        return 404, "unimplemented", f"there is no call {scope['path'][:100]}"
    methods = ("POST", "GET") if served.reads_only else ("POST",)
    if scope["method"] not in methods:
        return 405, "unimplemented", f"send it by {' or '.join(methods)}"
    if scope["method"] == "POST" and content_type not in served.content_types:
        text = f"the content type must be {' or '.join(served.content_types)}, not {content_type[:100] or 'empty'}"
        return 415, "unimplemented", text
    if not all(value.isascii() for key, value in scope["headers"] if key in PASSED):
        return 400, "invalid_argument", "headers of the Connect protocol are ASCII"
    return None


def _enveloped(body: bytes) -> bytes:
    return b"\0" + len(body).to_bytes(4, "big") + body


def _reads_only(method: MethodDescriptor) -> bool:
    return not method.server_streaming and bool(method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS)
