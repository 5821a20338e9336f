"""The one place through which every call comes: is it let in, and within the limits?"""

import asyncio
import time
import types
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final, TypeVar, final

import structlog

from .access import Access, Doorkeeper
from .lag import Lag
from .limits import Limits, Peer, Traffic
from .metrics import Metrics

SMALLEST_MESSAGE: Final = 256
"""Bytes that a message in a stream counts as at least: reading it costs as much."""

CHARGED_SECONDS: Final = 0.001
"""Computing that is charged at once, and not at the end of a call."""

T = TypeVar("T")
_log = structlog.get_logger()


@final
class Gate:
    """Lets calls in, streams and what comes in them. Everything raises ServiceError where it does not."""

    def __init__(
        self, access: Access, limits: Limits, metrics: Metrics, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits: Final = limits
        self._doorkeeper: Final = Doorkeeper(access)
        self._traffic: Final = Traffic(limits)
        self._metrics: Final = metrics
        self._clock: Final = clock
        self.lag: Final = Lag(metrics)

    def call(self, context: Any, *, needs_code: bool = True) -> Peer:
        """A call of which nothing but the metadata has been read; returns whose it is."""
        now = self._clock()
        peer = self._traffic.call(context.peer(), 0, now)
        if needs_code and not self._doorkeeper.is_open:
            self._traffic.try_code(peer, now)
            if not self._doorkeeper.lets_in(context):
                peer.wrong_codes.take(1, now)
                _log.warning("wrong code or password", peer=peer.host)
                raise self._doorkeeper.refusal("BAD_ACCESS", f"this is not the {self._doorkeeper.kind} of this server")
        return peer

    def waiting(self, peer: Peer) -> AbstractContextManager[None]:
        """As long as the first message of a call that was let in has not come."""
        return self._traffic.waiting(peer)

    def request(self, peer: Peer, size: int) -> None:
        """The request of a call that was let in has so many bytes."""
        self._traffic.request(peer, size, self._clock())

    def stream(self, peer: Peer) -> AbstractContextManager[None]:
        """A stream of a call that was let in."""
        return self._traffic.stream(peer)

    def message(self, peer: Peer, size: int) -> float:
        """A further message in a stream; returns the seconds to wait before the next one is read.

        A small one counts as 256 bytes, and who owes CPU time waits.
        """
        now = self._clock()
        return max(peer.bytes.charge(max(size, SMALLEST_MESSAGE), now), peer.cpu.wait(0, now))

    def new_match(self, context: Any, live: int, still_open: int = 0) -> None:
        """A match is to be made while so many are open or running, and so many that the host made are open."""
        self._traffic.new_match(context.peer(), live, still_open, self.lag.seconds(), self._clock())

    def chat(self, context: Any) -> str:
        """A line of chat is to be said; returns the host that says it."""
        return self._traffic.chat(context.peer(), self._clock()).host

    def analysis(self, context: Any, seconds: float) -> Callable[[float], object]:
        """Put aside seconds of computing; call what is returned with those that it took, and the rest is given back."""
        allowance = self._traffic.analysis(context.peer(), seconds, self._clock())
        return lambda taken: allowance.charge(taken - seconds, self._clock())

    def payer(self, context: Any) -> "Payer":
        """The host that makes a call, which pays for what is computed."""
        return Payer(self, self._traffic.peer(context.peer(), self._clock()))

    def charge(self, peer: Peer, seconds: float) -> None:
        """Charge a host for CPU time."""
        self._metrics.charged(seconds)
        peer.cpu.charge(seconds, self._clock())

    def credit(self, peer: Peer) -> float:
        """The seconds to wait before a long computation for a host goes on."""
        return self._traffic.credit(peer, self._clock())


@final
class Payer:
    """A host that pays for the CPU time of what is computed for it."""

    def __init__(self, gate: Gate, peer: Peer) -> None:
        self._gate: Final = gate
        self._peer: Final = peer

    def charge(self, seconds: float) -> None:
        """Charge it for CPU time."""
        self._gate.charge(self._peer, seconds)

    async def credit(self) -> None:
        """Wait until a long computation may go on."""
        while wait := self._gate.credit(self._peer):
            await asyncio.sleep(wait)

    async def pay(self, work: Awaitable[T]) -> T:
        """The result of some work, whose CPU time is charged as it is used; not that of tasks that it starts."""
        return await _metered(work, self.charge)


@types.coroutine
def _metered(work: Awaitable[T], charge: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Wait for some work; charges the time of its steps, in each of which it computes until it waits."""
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
