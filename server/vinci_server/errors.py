"""Refusals of the server, worded by the catalogue."""

from typing import Final, Self

import grpc
from google.protobuf import duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from vinci.v1 import game_pb2
from vinci_refusals.catalogue import AT_POSITION, REASONS
from vinci_refusals.wording import Refused

DOMAIN: Final = "vinci"
LONGEST_FACT: Final = 500
"""Longest fact in characters; longer ones are left out."""
LONGEST_MESSAGE: Final = 1500
"""In bytes: metadata above 8 KiB is not delivered, and the message travels twice in it."""


class ServiceError(Refused):
    """The refusal of a call. Messages that are too long are cut, facts left out."""

    def __init__(self, reason: str, which: str = "", message: str = "", /, **facts: object) -> None:
        super().__init__(reason, which, message, **facts)
        self.message: Final = _shortened(str(self))
        self.args = (self.message,)
        self.facts = {name: text for name, text in self.facts.items() if len(text) <= LONGEST_FACT}

    @property
    def code(self) -> grpc.StatusCode:
        """The gRPC status of the call."""
        return grpc.StatusCode[REASONS[self.reason].status]

    def at_position(self, place: int) -> Self:
        """Return this refusal for one of several positions, counted from 1."""
        message = AT_POSITION.format(place=place, sentence=self.message)
        return type(self)(self.reason, "", message, **self.facts, place=place)

    def refusal(self) -> game_pb2.Refusal:
        """Return the refusal as a message: the rule that was broken, or the reason of the server."""
        facts = dict(self.facts)
        rule, reason = facts.pop("rule", ""), facts.pop("violation", self.reason)
        return game_pb2.Refusal(rule=rule, reason=reason, facts=facts if rule else facts | {"message": self.message})

    def details(self) -> list[Message]:
        """Return an `ErrorInfo` and, if the call can be repeated, a `RetryInfo`."""
        details: list[Message] = [error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.facts)]
        if seconds := float(self.facts.get("retry_after") or REASONS[self.reason].retry_seconds):
            delay = duration_pb2.Duration()
            delay.FromMilliseconds(round(1000 * seconds))
            details.append(error_details_pb2.RetryInfo(retry_delay=delay))
        return details

    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:
        """Return a `google.rpc.Status` with the details."""
        status = status_pb2.Status(code=self.code.value[0], message=self.message)
        for detail in self.details():
            status.details.add().Pack(detail)
        return (("grpc-status-details-bin", status.SerializeToString()),)


class refusing:  # noqa: N801  # read as a verb; a generator would be slower, and it surrounds every action
    """Turn refusals of the rules into a ServiceError."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, Refused) and not isinstance(error, ServiceError):
            raise ServiceError(error.reason, **error.facts) from None


def _shortened(message: str) -> str:
    data = message.encode(errors="replace")
    return message if len(data) <= LONGEST_MESSAGE else data[:LONGEST_MESSAGE].decode(errors="ignore") + " ..."
