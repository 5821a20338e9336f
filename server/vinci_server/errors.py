"""Refusals of the server: each has a reason that a program can read, and one table says which status it gets."""

from collections.abc import Mapping
from typing import Final

import grpc
from google.protobuf import duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from vinci.v1 import game_pb2

DOMAIN: Final = "vinci"
LONGEST_FACT: Final = 500
"""In characters: a fact is told whole or not at all."""
LONGEST_MESSAGE: Final = 1500
"""In bytes: metadata above 8 KiB is not delivered, and the message travels twice in it."""

STATUS: Final[dict[str, grpc.StatusCode]] = {
    "MALFORMED": grpc.StatusCode.INVALID_ARGUMENT,
    "UNKNOWN_BOARD": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_OPTION": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_POSITION": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_ANALYSIS": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_SEED": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_NONCE": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_ACTION": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_REQUEST_ID": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_TIMING": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_MISTAKES": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_PROPOSAL": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_CHAT": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_PAGE_TOKEN": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_NAME": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_SEAT": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_REASON": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_PATH": grpc.StatusCode.INVALID_ARGUMENT,
    "UNKNOWN_MATCH": grpc.StatusCode.NOT_FOUND,
    "NO_ACCESS": grpc.StatusCode.UNAUTHENTICATED,
    "BAD_ACCESS": grpc.StatusCode.UNAUTHENTICATED,
    "NO_TOKEN": grpc.StatusCode.UNAUTHENTICATED,
    "BAD_TOKEN": grpc.StatusCode.UNAUTHENTICATED,
    "BAD_CODE": grpc.StatusCode.UNAUTHENTICATED,
    "BAD_KEY": grpc.StatusCode.UNAUTHENTICATED,
    "TOKEN_CHANGED": grpc.StatusCode.UNAUTHENTICATED,
    "NOT_YOUR_SEAT": grpc.StatusCode.PERMISSION_DENIED,
    "NOT_THE_HOST": grpc.StatusCode.PERMISSION_DENIED,
    "NOT_THE_ADMIN": grpc.StatusCode.PERMISSION_DENIED,
    "ILLEGAL_ACTION": grpc.StatusCode.FAILED_PRECONDITION,
    "NOT_YOUR_TURN": grpc.StatusCode.FAILED_PRECONDITION,
    "NOT_STARTED": grpc.StatusCode.FAILED_PRECONDITION,
    "ALREADY_STARTED": grpc.StatusCode.FAILED_PRECONDITION,
    "SEAT_TAKEN": grpc.StatusCode.FAILED_PRECONDITION,
    "NO_OPEN_SEAT": grpc.StatusCode.FAILED_PRECONDITION,
    "SEATS_OPEN": grpc.StatusCode.FAILED_PRECONDITION,
    "NONCES_DUE": grpc.StatusCode.FAILED_PRECONDITION,
    "NONCE_NOT_DUE": grpc.StatusCode.FAILED_PRECONDITION,
    "GAME_OVER": grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_ENDED": grpc.StatusCode.FAILED_PRECONDITION,
    "PAUSED": grpc.StatusCode.FAILED_PRECONDITION,
    "SUBSTITUTED": grpc.StatusCode.FAILED_PRECONDITION,
    "NOT_SUBSTITUTED": grpc.StatusCode.FAILED_PRECONDITION,
    "CANNOT_UNDO": grpc.StatusCode.FAILED_PRECONDITION,
    "NO_REMATCH": grpc.StatusCode.FAILED_PRECONDITION,
    "HISTORY_UNREADABLE": grpc.StatusCode.FAILED_PRECONDITION,
    "DRAINING": grpc.StatusCode.FAILED_PRECONDITION,
    "STALE_REVISION": grpc.StatusCode.ABORTED,
    "FUTURE_REVISION": grpc.StatusCode.OUT_OF_RANGE,
    "TOO_MANY_ACTIONS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_CHANGES": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MUCH_CHAT": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_MATCHES": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_STREAMS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "BUSY": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "RATE_LIMITED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "SLOW_WATCHER": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "MATCH_UNREADABLE": grpc.StatusCode.FAILED_PRECONDITION,
    "STORE_FAILED": grpc.StatusCode.INTERNAL,
    "INTERNAL": grpc.StatusCode.INTERNAL,
    "SHUTTING_DOWN": grpc.StatusCode.UNAVAILABLE,
}
"""Reason and status; docs/protocol.md explains each."""

RETRY_SECONDS: Final[dict[str, float]] = {"SHUTTING_DOWN": 1.0, "STORE_FAILED": 1.0, "SLOW_WATCHER": 1.0}
"""Seconds after which a refused call can be repeated unchanged, by reason, where no fact `retry_after` gives it."""


class ServiceError(Exception):
    """A call is refused: a reason of STATUS, a sentence that names what is wrong and what would be right, and facts."""

    def __init__(self, reason: str, message: str, facts: Mapping[str, str] | None = None) -> None:
        message = _shortened(message)
        super().__init__(message)
        self.reason: Final = reason
        self.message: Final = message
        self.facts: Final = {name: text for name, text in (facts or {}).items() if len(text) <= LONGEST_FACT}

    @property
    def code(self) -> grpc.StatusCode:
        """The status of the call."""
        return STATUS[self.reason]

    def refusal(self) -> game_pb2.Refusal:
        """The refusal as a message: the rule that was broken, or the reason of the server."""
        facts = dict(self.facts)
        rule, reason = facts.pop("rule", ""), facts.pop("violation", self.reason)
        return game_pb2.Refusal(rule=rule, reason=reason, facts=facts if rule else {"message": self.message})

    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:
        """The rich form of the error as gRPC libraries expect it.

        `google.rpc.Status` with an `ErrorInfo` and, where it helps to send the call again, a `RetryInfo`.
        """
        details: list[Message] = [error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.facts)]
        if "retry_after" in self.facts or self.reason in RETRY_SECONDS:
            seconds = float(self.facts.get("retry_after") or RETRY_SECONDS[self.reason])
            delay = duration_pb2.Duration()
            delay.FromMilliseconds(round(1000 * seconds))
            details.append(error_details_pb2.RetryInfo(retry_delay=delay))
        status = status_pb2.Status(code=self.code.value[0], message=self.message)
        for detail in details:
            status.details.add().Pack(detail)
        return (("grpc-status-details-bin", status.SerializeToString()),)


def _shortened(message: str) -> str:
    data = message.encode(errors="replace")
    return message if len(data) <= LONGEST_MESSAGE else data[:LONGEST_MESSAGE].decode(errors="ignore") + " ..."
