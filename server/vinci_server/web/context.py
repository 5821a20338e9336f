"""A call over HTTP as services and `Admission` see it."""

import asyncio
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Final, final

import grpc

from ..errors import ServiceError
from ..limits import Peer
from ..metrics import Metrics
from ..rpc.admission import Admission, Payer
from ..rpc.handlers import FIRST_MESSAGE_SECONDS, as_refusal

Scope = Mapping[str, Any]
Receive = Callable[[], Any]
Send = Callable[[Any], Any]


@final
class Call:
    """A request over HTTP, with what services and `Admission` use of grpc's context.

    Attributes:
        refused: the refusal with which the call ends, if it was refused.
        is_unread: whether the body of the request was not read to its end.
    """

    def __init__(self, name: str, scope: Scope, admission: Admission, metrics: Metrics) -> None:
        self.scope: Final = scope
        self.refused: ServiceError | None = None
        self.is_unread = False
        self._name: Final = name
        self._admission: Final = admission
        self._metrics: Final = metrics
        self._admitted: Peer | None = None

    def peer(self) -> str:
        """Return the address of the client as gRPC writes it."""
        return peer_of(self.scope)

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """Return the headers of the request."""
        return tuple((key.decode("latin-1"), value.decode("latin-1")) for key, value in self.scope["headers"])

    def code(self) -> grpc.StatusCode | None:
        """Return the status of a call that was refused."""
        return None if self.refused is None else self.refused.code

    def admitted(self) -> Peer:
        """Return the peer, whose limits and access are checked at the first time. Raises ServiceError."""
        if self._admitted is None:
            self._admitted = self._admission.call(self)
        return self._admitted

    def payer(self) -> Payer:
        """Return the account to which CPU time is charged."""
        return self._admission.payer(self)

    def refuse(self, error: Exception, request: object = None) -> ServiceError:
        """Return the refusal for an exception, with which the call ends."""
        self.refused = as_refusal(error, self._name, request, self.peer(), self._metrics)
        return self.refused


CALL: Final[ContextVar[Call]] = ContextVar("call")
"""The call that a task serves."""


class ClientGone(Exception):
    """The client closed the connection before the end of its request."""


async def whole_body(receive: Receive, most: int, charge: Callable[[int], None]) -> bytes | None:
    """Return the body of a request, None if it has more bytes than `most`; `charge` is called with each number read.

    Raises ServiceError if it is late, and ClientGone.
    """
    parts, size = [], 0
    try:
        async with asyncio.timeout(FIRST_MESSAGE_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
                part = message.get("body", b"")
                charge(len(part))
                size += len(part)
                if size > most:
                    return None
                parts.append(part)
                if not message.get("more_body"):
                    return b"".join(parts)
    except TimeoutError:
        raise ServiceError("MALFORMED", "LATE", seconds=f"{FIRST_MESSAGE_SECONDS:.0f}") from None


def peer_of(scope: Scope) -> str:
    """Return the address of a client as gRPC writes it."""
    host, port = scope.get("client") or ("", 0)
    return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"
