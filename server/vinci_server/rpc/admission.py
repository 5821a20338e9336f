"""Admits calls to the server, within the limits of their hosts, and charges hosts for CPU time."""

import asyncio
import time
import types
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar, final

import structlog

from ..blocklist import Blocklist
from ..errors import ServiceError
from ..limits import BROKEN_OFF, OFFENCES, Limits, Peer, Traffic, host_of
from ..metrics import Metrics
from .access import AccessCheck, ServerAccess

LOOK_SECONDS: Final = 0.1
KEPT_SECONDS: Final = 5.0


@final
class Lag:
    """Measures the lag of timers of the event loop every tenth of a second, from `start` to `stop`."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics: Final = metrics
        self._late: Final[deque[tuple[float, float]]] = deque()
        self._due = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start measuring."""
        loop = asyncio.get_running_loop()
        self._due = loop.time() + LOOK_SECONDS
        self._alarm = loop.call_at(self._due, self._look)

    def stop(self) -> None:
        """Stop measuring."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def seconds(self) -> float:
        """Return the longest lag of the last 5 seconds, in seconds."""
        now = asyncio.get_running_loop().time()
        while self._late and self._late[0][0] < now - KEPT_SECONDS:
            self._late.popleft()
        overdue = now - self._due if self._alarm is not None else 0.0
        return max([overdue, 0.0, *(late for _, late in self._late)])

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        late = max(now - self._due, 0.0)
        self._metrics.lagged(late)
        self._late.append((now, late))
        self.start()


CHARGED_SECONDS: Final = 0.001
"""CPU time in seconds from which a computation is charged before its end."""

MOST_KNOWN: Final = 10_000
"""Connections that are remembered for their right password."""

T = TypeVar("T")
_log = structlog.get_logger()


@final
class Admission:
    """Admits calls. Raises ServiceError for those that it refuses."""

    def __init__(self, access: ServerAccess, limits: Limits, metrics: Metrics) -> None:
        self.traffic: Final = Traffic(limits)
        self.lag: Final = Lag(metrics)
        self.blocklist: Final = Blocklist(metrics)
        self._access_check: Final = AccessCheck(access)
        self._metrics: Final = metrics
        self._known: Final[set[str]] = set()
        """Addresses, with their ports, of connections that sent the right password last."""

    def call(self, context: Any, *, needs_code: bool = True, is_play: bool = False) -> Peer:
        """Check the limits and the code or password of a call from its metadata alone; returns its peer.

        With `is_play` the code of entrants suffices. The organiser of a league, who needs many calls for each game,
        has no limits of calls, bytes and CPU time.
        """
        if self._access_check.is_of_league:
            self.traffic.trust(context.peer(), is_trusted=self._access_check.is_of_organiser(context))
        peer = self.traffic.call(context.peer())
        if needs_code and not self._access_check.is_open:
            self._check_code(context, peer, is_play=is_play)
        return peer

    def _check_code(self, context: Any, peer: Peer, *, is_play: bool) -> None:
        """Check the code or password of a call; the right one also comes through after too many wrong ones.

        A password does so only in a connection that has sent it before: others could guess it.
        """
        address = context.peer()
        if self._access_check.can_be_guessed and address not in self._known:
            self.traffic.try_code(peer)
        if not self._access_check.lets_in(context, is_play=is_play):
            self._known.discard(address)
            self.traffic.wrong_code(peer)
            _log.warning("wrong code or password", peer=peer.host)
            raise self._access_check.refusal(sent=True)
        if self._access_check.can_be_guessed and not address.endswith(":0"):  # as of all clients of a proxy
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known.add(address)

    async def request(self, address: str) -> None:
        """Count a request that is no call. Raises ServiceError."""
        try:
            self.traffic.call(address)
        except ServiceError as refusal:
            await self.hold_back(refusal, address)
            raise

    async def hold_back(self, refusal: ServiceError, address: str) -> None:
        """Wait before a refusal is sent if its host keeps calling while it is over its limits.

        The host is shut out if it goes on nevertheless.
        """
        self._offend(address, OFFENCES.get(refusal.reason, 0))
        if refusal.reason == "RATE_LIMITED" and (wait := self.traffic.refusal(address)):
            await asyncio.sleep(wait)

    def broken_off(self, address: str) -> None:
        """Count a call whose client ended it before its first message."""
        self._offend(address, BROKEN_OFF)

    def _offend(self, address: str, number: int) -> None:
        host = host_of(address)
        if host in self.blocklist or (number and self.traffic.offends(address, number)):
            self.blocklist.shut_out(host)

    def new_match(self, context: Any, live: int, still_open: int = 0) -> None:
        """Count a new match of a call's peer; `live` and `still_open` as in `Traffic.new_match`."""
        self.traffic.new_match(context.peer(), live, still_open, self.lag.seconds())

    def payer(self, context: Any) -> "Payer":
        """Return the account of a call's host, to which CPU time is charged."""
        return Payer(self.traffic, self.traffic.peer(context.peer()), self._metrics)


@final
@dataclass
class Payer:
    """Charges a host for the CPU time of the computations made for it."""

    _traffic: Traffic
    _peer: Peer
    _metrics: Metrics

    def charge(self, seconds: float) -> None:
        """Charge the host for CPU time in seconds."""
        self._metrics.charged(seconds)
        self._traffic.charge(self._peer, seconds)

    async def credit(self) -> None:
        """Wait until the host's allowance lets a long computation continue."""
        while wait := self._traffic.credit(self._peer):
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
            begin = time.perf_counter()  # CPU clocks are slow, and no other task runs meanwhile
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
