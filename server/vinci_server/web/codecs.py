"""Messages as bytes and as JSON, whose time is charged to the host that asks for it."""

import json
from time import perf_counter
from typing import Any, Final, TypeVar, final

from connectrpc.code import Code
from connectrpc.codec import Codec
from connectrpc.compression.gzip import GzipCompression
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message
from protobuf import message_from_json_value
from protobuf.wkt import Any as AnyMessage
from protobuf.wkt import Struct

from ..errors import ServiceError
from .context import CALL

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
