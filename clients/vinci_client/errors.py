"""Refusals of a server, as Python exceptions, and waits before calls are repeated."""

import random
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from vinci_refusals.wording import Refused

from .printable import printable

FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 5.0
TRIES: Final = 8
"""Attempts of a call after which a lost connection is an error."""


def backoff(attempt: int) -> float:
    """Return the seconds to wait before retry `attempt`, from 0: exponential up to LONGEST_WAIT, with jitter."""
    return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt, TRIES)) * random.uniform(0.5, 1.0))


OF_GRPC: Final = frozenset({grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.RESOURCE_EXHAUSTED})
"""Refusals that gRPC itself gives, without an ErrorInfo: calls that do not exist, messages that are too large."""

OF_TLS: Final = (
    "CERTIFICATE_VERIFY_FAILED",
    "Hostname Verification Check failed",
    "is not in peer certificate",  # up to grpcio 1.76
)
"""Texts of gRPC for a certificate that is not trusted, which waiting does not change."""
LONGEST_RETRY: Final = 30.0
"""Most seconds that a client waits for a limit before it passes the refusal on."""


class ServerRefused(Refused):
    """A call was refused: its status, the reason and facts for a program, and a sentence for a person."""

    def __init__(self, code: grpc.StatusCode, reason: str, message: str, facts: Mapping[str, str]) -> None:
        super().__init__(reason, "", message, **facts)
        self.code: Final = code
        self.message: Final = str(self)


class ServerGone(Refused):
    """The server cannot be reached, or the connection broke; a retry may help.

    Reason and facts are for a program; they are empty where nothing is known.
    """

    def __init__(self, message: str, reason: str = "", facts: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(reason, "", message, **facts)


def from_rpc(error: grpc.aio.AioRpcError, address: str) -> ServerRefused | ServerGone:
    """Return the exception for a failed call, with all texts of the server made printable."""
    reason, facts = _error_info(error)
    text = printable(error.details() or "")
    if not reason and error.code() in OF_GRPC:
        return ServerRefused(error.code(), error.code().name, f"{address}: {text or error.code().name}", {})
    if not reason:
        if any(sign in text for sign in OF_TLS):
            return wrong_server(address, "UNTRUSTED")
        if "WRONG_VERSION_NUMBER" in text:
            return wrong_server(address, "NO_TLS")
        return no_answer_from(address)
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        return ServerGone(text or "the server is stopping", reason, facts)
    return ServerRefused(error.code(), reason, text or reason, facts)


def _error_info(error: grpc.aio.AioRpcError) -> tuple[str, dict[str, str]]:
    """Return the reason and the facts that a failed call came with; empty ones if there are none to be read."""
    info = error_details_pb2.ErrorInfo()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            with suppress(DecodeError):
                for detail in status_pb2.Status.FromString(value).details:
                    detail.Unpack(info)
    return printable(info.reason), {printable(name): printable(fact) for name, fact in info.metadata.items()}


def no_answer_from(address: str) -> ServerGone:
    """Return the error for an address at which no server answers."""
    return ServerGone("", "NO_ANSWER", {"address": address})


def wrong_server(address: str, which: str) -> ServerRefused:
    """Return the error for a server that is not trusted, for a variant of WRONG_SERVER."""
    return ServerRefused(grpc.StatusCode.UNAUTHENTICATED, "WRONG_SERVER", "", {"which": which, "address": address})


def retry_after(failure: Exception) -> float | None:
    """Return the seconds after which a rate-limited call is accepted; None for any other failure.

    The call has not happened, so it can always be repeated.
    """
    if not isinstance(failure, ServerRefused) or failure.reason not in ("RATE_LIMITED", "BUSY"):
        return None
    try:
        seconds = float(failure.facts.get("retry_after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds <= LONGEST_RETRY else None
