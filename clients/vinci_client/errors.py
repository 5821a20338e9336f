"""Refusals of a server, as Python exceptions."""

from collections.abc import Mapping
from typing import Final

import grpc
from google.rpc import error_details_pb2, status_pb2

OF_GRPC: Final = frozenset({grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.RESOURCE_EXHAUSTED})
"""Refusals that gRPC itself gives, without an ErrorInfo: calls that do not exist, messages that are too large."""


class ServerRefused(Exception):
    """A call was refused: its status, the reason and facts for a program, and a sentence for a person."""

    def __init__(self, code: grpc.StatusCode, reason: str, message: str, facts: Mapping[str, str]) -> None:
        super().__init__(message)
        self.code: Final = code
        self.reason: Final = reason
        self.message: Final = message
        self.facts: Final = dict(facts)


class ServerGone(Exception):
    """The server cannot be reached, or the connection broke; trying again may help."""


def from_rpc(error: grpc.aio.AioRpcError, address: str) -> ServerRefused | ServerGone:
    """The exception for a failed call."""
    reason, facts = "", {}
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            status = status_pb2.Status.FromString(value)
            info = error_details_pb2.ErrorInfo()
            for detail in status.details:
                if detail.Unpack(info):
                    reason, facts = info.reason, dict(info.metadata)
    if not reason and error.code() in OF_GRPC:
        text = f"{address}: {error.details() or error.code().name}"
        return ServerRefused(error.code(), error.code().name, text, {})
    if not reason:
        return ServerGone(f"no answer from {address}; is a server running there?")
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        return ServerGone(error.details() or "the server is stopping")
    return ServerRefused(error.code(), reason, error.details() or reason, facts)
