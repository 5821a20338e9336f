"""The time of one match: measures decisions and absences, and acts when time is up."""

import asyncio
import math
import secrets
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol, final

from vinci.v1 import match_pb2
from vinci_rules import dummy
from vinci_rules.actions import Action
from vinci_rules.state import Seat, State

from ...errors import ServiceError
from ..audience.audience import Audience
from ..command_queue import CommandQueue
from ..log.entries import Entry, ReadClock, Times, milliseconds
from ..log.ledger import Ledger
from .clock import MOST_CREDIT, network_seconds

RETRY_SECONDS: Final = 1.0
READING_SECONDS: Final = 10.0
READINGS_LEFT: Final = 100
"""Number of readings in the log over the time that a running clock has left, at most one per READING_SECONDS."""
SUBSTITUTE_SECONDS: Final = 10.0
"""Seconds that a bot has for a decision as a substitute; then the server decides in its place."""
RETURN_SECONDS: Final = 30.0
"""Seconds for which the clock of a bot stands still that is not back after a start of the server or a pause."""
NONCE_SECONDS: Final = 10.0
"""Seconds that a connected seat may owe its nonce, in all."""
SAMPLES: Final = 5
"""Number of latest pings whose answers count."""


def reading_seconds(left: float) -> float:
    """Return the seconds between readings of a running clock in the log: the most that a crash gives back."""
    return max(READING_SECONDS, left / READINGS_LEFT)


@final
class RoundTrip:
    """Round-trip time to a player in seconds, estimated from pings."""

    def __init__(self) -> None:
        self._sent: dict[int, float] = {}
        self._quickest = math.inf

    def ping(self) -> match_pb2.Ping:
        """Return a new ping."""
        stamp = secrets.randbits(63)
        self._sent = dict([*self._sent.items(), (stamp, time.monotonic())][-SAMPLES:])
        return match_pb2.Ping(stamp=stamp)

    def pong(self, stamp: int) -> None:
        """Take the answer to a ping; unknown ones are ignored."""
        self.took(self.answered(stamp))

    def answered(self, stamp: int) -> float:
        """Return the seconds after which a ping is answered, infinite for an unknown one; they do not count yet."""
        sent = self._sent.pop(stamp, None)
        return math.inf if sent is None else time.monotonic() - sent

    def took(self, seconds: float) -> None:
        """Count a round trip."""
        self._quickest = min(self._quickest, seconds)

    @property
    def seconds(self) -> float:
        """The quickest round trip so far, so that answering pings late gains no time to think."""
        return self._quickest if self._quickest < math.inf else 0.0


class TimedMatch(Protocol):
    """The part of `Match` that its timekeeper uses."""

    closing: bool
    is_damaged: bool

    @property
    def ledger(self) -> Ledger: ...  # noqa: D102
    @property
    def audience(self) -> Audience: ...  # noqa: D102
    @property
    def queue(self) -> CommandQueue: ...  # noqa: D102
    @property
    def is_awake(self) -> bool: ...  # noqa: D102
    @property
    def counts_absence(self) -> bool: ...  # noqa: D102
    def has_deputy(self, seat: Seat) -> bool: ...  # noqa: D102
    def log(self, event: str, seat: Seat | None = None, **facts: object) -> None: ...  # noqa: D102
    async def append(self, entries: Sequence[Entry]) -> None: ...  # noqa: D102
    async def play(self, seat: Seat, by: str, action: Action) -> None: ...  # noqa: D102
    async def pass_over(self, seat: Seat, policy: str, reason: str) -> None: ...  # noqa: D102
    async def substitute(self, seat: Seat, reason: str) -> None: ...  # noqa: D102
    async def vacate(self, seats: Sequence[Seat]) -> None: ...  # noqa: D102


@final
class Timekeeper:
    """Measures the time of a match and acts when it is up. All times are seconds of `time.monotonic`."""

    def __init__(self, match: TimedMatch) -> None:
        self._match: Final = match
        self.round_trips: Final[defaultdict[Seat, RoundTrip]] = defaultdict(RoundTrip)
        """Round trips to the player or bot of each seat."""
        self._awaited: set[Seat] = set()
        """Bot seats whose bot has not come back since the start of the server, or a pause of its league."""
        self._awaited_until = -math.inf
        self._since = self._reading = time.monotonic()
        self._gone_since: Final[defaultdict[Seat, float]] = defaultdict(partial(float, self._since))
        self._company_since = self._since
        self._nonces_since: dict[tuple[Seat, str], float] = dict.fromkeys(self._nonces_due(), self._since)
        """Start of the time for each nonce that is due, moved by the time for which its seat was absent."""
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def _ledger(self) -> Ledger:
        return self._match.ledger

    # Clocks.

    def start(self) -> None:
        """Start the time of a decision; it begins later for a bot that is awaited."""
        now = time.monotonic()
        self._since = self._reading = max(now, self._awaited_until) if self._running() in self._awaited else now

    def await_bots(self) -> None:
        """Stop the clocks of bots until they are back after a start of the server, for RETURN_SECONDS at most."""
        self._await({seat for seat in self._ledger.seats() if self._ledger.kind(seat) == "bot"})
        self.start()

    def await_bot(self, seat: Seat) -> None:
        """Stop the clock of a bot that is stopped and started again, likewise; it decides anew."""
        self._await({*self._awaited, seat})
        if seat == self._running():
            self.start()
            self.arm()

    def _await(self, seats: set[Seat]) -> None:
        self._awaited = seats
        self._awaited_until = time.monotonic() + RETURN_SECONDS

    def returned(self, seat: Seat) -> None:
        """Start the clock of an awaited bot that is back, if it is to act."""
        if seat in self._awaited:
            self._awaited.discard(seat)
            if seat == self._running():
                now = time.monotonic()
                self._since, self._reading = min(self._since, now), min(self._reading, now)

    def left(self, seat: Seat) -> float:
        """Return the seconds that a seat has left."""
        left = self._ledger.clocks.left[seat]
        return max(left - max(time.monotonic() - self._reading, 0.0), 0.0) if seat == self._running() else left

    def left_ms(self, seat: Seat) -> int:
        """Return the milliseconds that a seat has left."""
        return milliseconds(self.left(seat))

    def message(self) -> match_pb2.Clocks:
        """Return the present clocks as a message."""
        running = self._running()
        left = [self.left_ms(seat) for seat in self._ledger.seats()]
        return match_pb2.Clocks(
            left=left, running=0 if running is None else running + 1, revision=self._ledger.revision
        )

    def times(self, seat: Seat, by: str, arrived: float, after: State) -> Times | None:
        """Return the duration of a decision that led to a position, and the clock after it; None for a forfeit."""
        if seat != self._ledger.to_act():
            return None
        before = self._ledger.state
        waited = max(arrived - self._since, 0.0)
        network = network_seconds(waited, self.round_trips[seat].seconds)
        queued = time.monotonic() - arrived
        times = Times(milliseconds(waited - network), milliseconds(queued), milliseconds(network))
        if before is None or seat != self._running() or by == "substitute":
            return times
        turn_ended = (before.round, before.turn) != (after.round, after.turn) or after.phase == "over"
        charged = max(arrived - self._reading - network, 0.0)
        left = self._ledger.clocks.after(seat, charged, turn_ended=turn_ended)
        return times._replace(left=milliseconds(left))

    def _running(self) -> Seat | None:
        """Return the seat whose clock runs."""
        seat = self._ledger.to_act()
        if seat is None or not self._ledger.setup.timing.has_clock:
            return None
        return None if self._ledger.kind(seat) == "dummy" or self._ledger.substituted[seat] else seat

    def _bot_for_another(self) -> bool:
        """Whether a bot is to act as a substitute."""
        seat = self._ledger.to_act()
        return seat is not None and self._match.has_deputy(seat)

    # Presence.

    def arrived(self, seat: Seat) -> None:
        """Note that the player of a seat is present again."""
        if sum(map(self._match.audience.is_present, self._ledger.seats())) == 1:
            self._company_since = time.monotonic()
        for owed, since in self._nonces_since.items():
            if owed[0] == seat:  # the time before its absence counts
                self._nonces_since[owed] += time.monotonic() - max(self._gone_since[seat], since)
        self.arm()

    def departed(self, seat: Seat) -> None:
        """Note that a stream or bot of a seat's player has disconnected."""
        if not self._match.audience.is_present(seat):
            self.excuse([seat])
            self.arm()

    def excuse(self, seats: Sequence[Seat]) -> None:
        """Count from now on how long seats have been gone."""
        self._gone_since.update(dict.fromkeys(seats, time.monotonic()))

    def gone(self, seat: Seat) -> float:
        """Return the seconds for which the player of a seat has been absent; 0 if it is present."""
        return 0.0 if self._match.audience.is_present(seat) else time.monotonic() - self._gone_since[seat]

    def _absent_until(self) -> list[tuple[float, Seat]]:
        """Return when each absent player is replaced; nobody is while no other person is present."""
        allowed = self._ledger.setup.timing.absence
        if not allowed or self._ledger.to_act() is None:
            return []
        people = self._ledger.people()
        if not any(map(self._match.audience.is_present, people)):
            return []
        return [
            (max(self._gone_since[seat], self._company_since) + allowed, seat)
            for seat in people
            if not self._match.audience.is_present(seat)
        ]

    def expect_nonces(self) -> None:
        """Count from now on how long nonces are due that were not due before."""
        now = time.monotonic()
        self._nonces_since = {owed: self._nonces_since.get(owed, now) for owed in self._nonces_due()}
        self.arm()

    def is_overdue(self, seat: Seat) -> bool:
        """Whether a nonce of a seat has been due for too long."""
        latest = time.monotonic() - NONCE_SECONDS
        return any(owing == seat and since <= latest for (owing, _hash), since in self._nonces_since.items())

    def _nonces_due(self) -> list[tuple[Seat, str]]:
        """Return the seats that owe a nonce, each with its hash; empty if it owes a new hash."""
        return [(seat, self._ledger.sitters[seat].promised) for seat in self._ledger.due()]

    def _withheld_until(self) -> list[tuple[float, Seat]]:
        """Return when each seat is emptied that owes a nonce although its player is connected."""
        return [
            (since + NONCE_SECONDS, seat)
            for (seat, _hash), since in self._nonces_since.items()
            if self._match.audience.is_present(seat)
        ]

    # Alarms.

    def arm(self) -> None:
        """Set the alarm for the next event that is due."""
        self.stop()
        if not self._match.is_awake and not self._match.counts_absence:
            return
        due = self._due()
        if due is not None and not self._match.closing:
            wait = max(due - time.monotonic(), 0.0)
            self._alarm = asyncio.get_running_loop().call_later(wait, self._ring)

    @property
    def is_armed(self) -> bool:
        """Whether something is due at some time."""
        return self._alarm is not None

    def stop(self) -> None:
        """Remove the alarm."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _due(self) -> float | None:
        due = [moment for moment, _ in (*self._absent_until(), *self._withheld_until())]
        running = self._running()
        if running is not None:
            left = self._ledger.clocks.left[running]
            due.append(min(self._deadline(running), self._reading + reading_seconds(left)))
        elif self._bot_for_another():
            due.append(self._since + SUBSTITUTE_SECONDS)
        return min(due, default=None)

    def _deadline(self, seat: Seat) -> float:
        """Return when the time of the seat whose clock runs is up; its network time is added."""
        return self._reading + self._ledger.clocks.left[seat] + min(self.round_trips[seat].seconds, MOST_CREDIT)

    def _ring(self) -> None:
        self._alarm = None
        self._match.queue.spawn(self._match.queue.run(self._act()))

    async def _act(self) -> None:
        """Act on everything that is due. Only within a command of the match."""
        due = self._due()
        if due is None or due > time.monotonic():
            self.arm()  # something has happened meanwhile
            return
        try:
            for moment, absent in self._absent_until():
                if moment <= time.monotonic() and not self._match.audience.is_present(absent):
                    await self._match.substitute(absent, "absence")
            if withheld := [seat for moment, seat in self._withheld_until() if moment <= time.monotonic()]:
                await self._match.vacate(withheld)
            seat = self._ledger.to_act()
            if seat is not None and seat == self._running():
                if self._deadline(seat) <= time.monotonic():
                    policy = self._ledger.setup.timing.on_timeout
                    self._match.log("time is up", seat, policy=policy)
                    await self._match.pass_over(seat, policy, "clock")
                else:
                    await self.read()
            elif seat is not None and self._bot_for_another() and self._since + SUBSTITUTE_SECONDS <= time.monotonic():
                assert self._ledger.state is not None
                await self._match.play(seat, "substitute", dummy.advise(self._ledger.state))
        except ServiceError:  # the log could not be written, which is logged
            if self._match.is_damaged:
                return
            await asyncio.sleep(RETRY_SECONDS)
        self.arm()

    async def read(self) -> None:
        """Store a reading of the running clock. Only within a command of the match."""
        seat = self._running()
        if seat is not None:
            at = time.monotonic()  # the clock runs on while this is written
            await self._match.append([ReadClock(seat, self.left_ms(seat))])
            self._reading = at
