"""The one place through which every call comes: is it let in, and within the limits?"""

import asyncio
import time
import types
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final, TypeVar, final

import structlog

from ..limits import Limits, Peer, Traffic
from ..metrics import Metrics
from .access import AccessCheck, ServerAccess
from .lag import Lag

SMALLEST_MESSAGE: Final = 256
"""Least number of bytes that a message in a stream counts as, because of the cost of reading it."""

CHARGED_SECONDS: Final = 0.001
"""CPU time in seconds from which a computation is charged before its end."""

T = TypeVar("T")
_log = structlog.get_logger()


@final
class Gate:
    """Lets calls in, streams and what comes in them. Everything raises ServiceError where it does not."""

    def __init__(
        self, access: ServerAccess, limits: Limits, metrics: Metrics, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits: Final = limits
        self._doorkeeper: Final = AccessCheck(access)
        self._traffic: Final = Traffic(limits)
        self._metrics: Final = metrics
        self._clock: Final = clock
        self.lag: Final = Lag(metrics)

    def call(self, context: Any, *, needs_code: bool = True) -> Peer:
        """Check the limits and the code or password of a call from its metadata alone; returns its peer."""
        now = self._clock()
        peer = self._traffic.call(context.peer(), 0, now)
        if needs_code and not self._doorkeeper.is_open:
            self._traffic.try_code(peer, now)
            if not self._doorkeeper.lets_in(context):
                peer.wrong_codes.take(1, now)
                _log.warning("wrong code or password", peer=peer.host)
                raise self._doorkeeper.refusal(sent=True)
        return peer

    def waiting(self, peer: Peer) -> AbstractContextManager[None]:
        """Return a context in which a call of a peer counts as waiting for its first message."""
        return self._traffic.waiting(peer)

    def request(self, peer: Peer, size: int) -> None:
        """Take the bytes of a call's request from the allowance of its peer."""
        self._traffic.request(peer, size, self._clock())

    def stream(self, peer: Peer) -> AbstractContextManager[None]:
        """A stream of a call that was let in."""
        return self._traffic.stream(peer)

    def message(self, peer: Peer, size: int) -> float:
        """Charge a further message of a stream to its peer; returns the seconds to wait before reading the next one.

        A message counts as 256 bytes at least, and a peer that has overdrawn its CPU allowance waits.
        """
        now = self._clock()
        return max(peer.bytes.charge(max(size, SMALLEST_MESSAGE), now), peer.cpu.wait(0, now))

    def new_match(self, context: Any, live: int, still_open: int = 0) -> None:
        """Check the limits for a new match, and count it.

        `live` matches are open or running on the server, `still_open` of the host's are open.
        """
        self._traffic.new_match(context.peer(), live, still_open, self.lag.seconds(), self._clock())

    def change(self, context: Any) -> None:
        """A seat of a match that has not started is to be left or set up."""
        self._traffic.change(context.peer(), self._clock())

    def chat(self, context: Any) -> str:
        """Check the limit for a line of chat, and count it; returns the host that sends it."""
        return self._traffic.chat(context.peer(), self._clock()).host

    def analysis(self, context: Any, seconds: float) -> Callable[[float], object]:
        """Put aside seconds of computing; call what is returned with those that it took, and the rest is given back."""
        allowance = self._traffic.analysis(context.peer(), seconds, self._clock())
        return lambda taken: allowance.charge(taken - seconds, self._clock())

    def payer(self, context: Any) -> "Payer":
        """Return the account of a call's host, to which CPU time is charged."""
        return Payer(self, self._traffic.peer(context.peer(), self._clock()))

    def charge(self, peer: Peer, seconds: float) -> None:
        """Charge a host for CPU time."""
        self._metrics.charged(seconds)
        peer.cpu.charge(seconds, self._clock())

    def credit(self, peer: Peer) -> float:
        """Return the seconds to wait before a long computation for a host continues."""
        return self._traffic.credit(peer, self._clock())


@final
class Payer:
    """Charges a host for the CPU time of the computations made for it."""

    def __init__(self, gate: Gate, peer: Peer) -> None:
        self._gate: Final = gate
        self._peer: Final = peer

    def charge(self, seconds: float) -> None:
        """Charge the host for CPU time in seconds."""
        self._gate.charge(self._peer, seconds)

    async def credit(self) -> None:
        """Wait until the host's allowance lets a long computation continue."""
        while wait := self._gate.credit(self._peer):
            await asyncio.sleep(wait)

    async def pay(self, work: Awaitable[T]) -> T:
        """Await work, charging its CPU time as it is used; returns its result. Tasks that it starts are not charged."""
        return await _metered(work, self.charge)


@types.coroutine
def _metered(work: Awaitable[T], charge: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Await work, charging the time of its steps; a step computes until the work waits."""
    steps = work.__await__()
    step = partial(next, steps)
    spent = 0.0
    try:
        while True:
            begin = time.perf_counter()  # nothing else runs in this thread meanwhile, and CPU clocks are slow
            try:
                waited = step()
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                spent += time.perf_counter() - begin
            if spent > CHARGED_SECONDS:
                charge(spent)
                spent = 0.0
            try:
                step = partial(steps.send, (yield waited))
            except BaseException as error:
                step = partial(steps.throw, error)
    finally:
        charge(spent)
