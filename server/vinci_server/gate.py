"""The one place through which every call comes: is it let in, and within the limits?"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, final

import structlog

from .access import Access, Doorkeeper
from .limits import Limits, Peer, Traffic

_log = structlog.get_logger()


@final
class Gate:
    """Lets calls in, streams and what comes in them. Everything raises ServiceError where it does not."""

    def __init__(self, access: Access, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits: Final = limits
        self._doorkeeper: Final = Doorkeeper(access)
        self._traffic: Final = Traffic(limits)
        self._clock: Final = clock

    def call(self, context: Any, size: int) -> Peer:
        """A call with a request of so many bytes; returns whose it is."""
        now = self._clock()
        peer = self._traffic.call(context.peer(), size, now)
        if not self._doorkeeper.is_open:
            self._traffic.try_code(peer, now)
            if not self._doorkeeper.lets_in(context):
                peer.wrong_codes.take(1, now)
                _log.warning("wrong code or password", peer=peer.host)
                raise self._doorkeeper.refusal("BAD_ACCESS", f"this is not the {self._doorkeeper.kind} of this server")
        return peer

    def stream(self, peer: Peer) -> AbstractContextManager[None]:
        """A stream of a call that was let in."""
        return self._traffic.stream(peer)

    def message(self, peer: Peer, size: int) -> float:
        """A further message in a stream; returns the seconds to wait before the next one is read."""
        return peer.bytes.charge(size, self._clock())

    def new_match(self, context: Any, live: int) -> None:
        """A match is to be made while so many are open or running."""
        self._traffic.new_match(context.peer(), live, self._clock())

    def analysis(self, context: Any, seconds: float) -> Callable[[float], object]:
        """Put aside seconds of computing; call what is returned with those that it took, and the rest is given back."""
        allowance = self._traffic.analysis(context.peer(), seconds, self._clock())
        return lambda taken: allowance.charge(taken - seconds, self._clock())
