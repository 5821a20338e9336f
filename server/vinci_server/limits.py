"""Limits on what the server accepts from each peer (IPv4 address or IPv6 network of 64 bits) and from all together."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final, final
from urllib.parse import unquote

from vinci_refusals.wording import Refused

from .errors import ServiceError

BURST_SECONDS: Final = 5
"""Seconds for which a peer can save up calls and bytes."""
BUSY_SECONDS: Final = 5
"""Seconds after which a client may ask a busy server again."""
CHAT_PARTS: Final = 6
"""Divisor of the chat limit per minute that gives the largest burst."""
IDLE_SECONDS: Final = 120.0
"""Seconds after which a peer without streams is forgotten if that of new persons is full: all others are by then."""
DAY_SECONDS: Final = 86_400.0
FIRST_LOOK: Final = 1000
"""Number of known peers at which idle ones are forgotten for the first time."""
REFUSALS_PER_SECOND: Final = 200
"""Calls of a peer that are refused as RATE_LIMITED at once, and then in a second; more are refused later."""
MOST_HELD_SECONDS: Final = 10.0
"""Longest time for which a refusal is held back. More calls of a peer than then wait would need too much memory."""
REFUSING_SECONDS: Final = 0.0003
"""CPU time of a call that is refused, about, nearly all of it in gRPC."""
OFFENCES: Final = {"RATE_LIMITED": 1, "TOO_MANY_STREAMS": 1, "MALFORMED": 5}
"""Refusals by reason that count before a host is shut out, and as how many."""
BROKEN_OFF: Final = 5
"""Refusals as which a call counts that its client ends before its first message."""
SMALLEST_MESSAGE: Final = 256
"""Least number of bytes that a message in a stream counts as, because of the cost of reading it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits (docs/limits.md). Hundreds of bots and thousands of watchers on one host stay below them."""

    matches: int = 2_000
    matches_per_minute: int = 1_000
    chat_lines_per_minute: int = 120
    open_matches_per_peer: int = 500
    streams: int = 10_000
    streams_per_peer: int = 4_000
    streams_per_key: int = 32
    waiting_calls_per_peer: int = 250
    calls_per_second: int = 1_000
    bytes_per_second: int = 4_000_000
    cpu_milliseconds_per_second: int = 800
    lag_milliseconds: int = 1_000
    max_rounds: int = 100
    target: int = 10_000
    wrong_codes_per_minute: int = 10
    analysis_seconds_per_minute: int = 30
    refusals_before_shut_out: int = 2_000
    persons: int = 100_000
    new_persons_per_day: int = 500
    keys_per_person: int = 16
    unused_name_days: int = 90
    seat_token_days: int = 14
    absent_seconds: int = 60


USUAL: Final = Limits()
MOST: Final = 2**31 - 1
"""Value of a limit that is lifted."""
MOST_TRUSTED: Final = 10_000
"""Connections that are remembered as trusted; more are forgotten until their next call."""


class BadLimit(Refused, ValueError):
    """Invalid limit; the text says what would be valid."""


def limits(settings: Sequence[str]) -> Limits:
    """Return the usual limits with some set by `NAME=NUMBER`. Raises BadLimit."""
    names = [field.name for field in fields(Limits)]
    changed = {}
    for setting in settings:
        name, _, number = setting.partition("=")
        if name not in names:
            raise BadLimit("BAD_LIMIT", "UNKNOWN", name=name, known=", ".join(names))
        if not (number.isascii() and number.isdigit() and 0 < int(number[:10]) < 2**31):
            raise BadLimit("BAD_LIMIT", "NUMBER", setting=setting, name=name)
        changed[name] = int(number)
    return replace(USUAL, **changed)


@final
class Bucket:
    """An allowance that fills up by `rate` a second up to `most`; `now` is the time in seconds."""

    __slots__ = ("_left", "_most", "_rate", "_since")

    def __init__(self, rate: float, most: float, now: float) -> None:
        self._rate: Final = rate
        self._most: Final = most
        self._left = most
        self._since = now

    def take(self, number: float, now: float) -> float:
        """Take a number, or all if that exceeds `most`; if too little is left, return the seconds to wait."""
        wait = self.wait(number, now)
        if not wait:
            self._left -= number
        return wait

    def charge(self, number: float, now: float) -> float:
        """Take a number even if too little is left; return the seconds until nothing is owed."""
        self._refill(now)
        self._left -= number
        return max(0.0, -self._left / self._rate)

    def is_full(self, now: float) -> bool:
        """Return whether nothing was taken that has not come back."""
        self._refill(now)
        return self._left >= self._most

    def wait(self, number: float, now: float) -> float:
        """Return the seconds until a number can be taken."""
        self._refill(now)
        return max(0.0, (min(number, self._most) - self._left) / self._rate)

    def _refill(self, now: float) -> None:
        self._left = min(self._most, self._left + (now - self._since) * self._rate)
        self._since = now


@final
class Peer:
    """The remaining allowances of one host."""

    def __init__(self, host: str, limits: Limits, now: float) -> None:
        def per_second(rate: float) -> Bucket:
            return Bucket(rate, BURST_SECONDS * rate, now)

        def per_minute(number: float) -> Bucket:
            return Bucket(number / 60, number, now)

        self.host: Final = host
        self.calls: Final = per_second(limits.calls_per_second)
        self.refusals: Final = Bucket(REFUSALS_PER_SECOND, REFUSALS_PER_SECOND, now)
        self.offences: Final = Bucket(REFUSALS_PER_SECOND, limits.refusals_before_shut_out, now)
        self.bytes: Final = per_second(limits.bytes_per_second)
        self.cpu: Final = per_second(limits.cpu_milliseconds_per_second / 1000)
        self.matches: Final = per_minute(limits.matches_per_minute)
        self.wrong_codes: Final = per_minute(limits.wrong_codes_per_minute)
        self.analysis: Final = per_minute(limits.analysis_seconds_per_minute)
        self.persons: Final = Bucket(limits.new_persons_per_day / DAY_SECONDS, limits.new_persons_per_day, now)
        lines = limits.chat_lines_per_minute
        self.chat: Final = Bucket(lines / 60, max(1, lines / CHAT_PARTS), now)
        self.streams = 0
        self.waiting = 0
        """Number of calls whose first message has not arrived."""
        self.seen = now


@final
class Reservation:
    """Seconds of an allowance that are reserved for a call."""

    def __init__(self, bucket: Bucket, seconds: float, clock: Callable[[], float]) -> None:
        self._bucket: Final = bucket
        self._left = seconds
        self._clock: Final = clock

    def spend(self, seconds: float) -> bool:
        """Take seconds, from the allowance when the reserved ones are used up; return whether more may be taken."""
        self._left -= seconds
        if self._left > 0:
            return True
        owed, self._left = -self._left, 0.0
        return not self._bucket.charge(owed, self._clock())

    def release(self) -> None:
        """Give back what is left."""
        self._bucket.charge(-self._left, self._clock())
        self._left = 0.0


@final
class Traffic:
    """The allowances of all peers, by address as gRPC writes it. Raises ServiceError where a limit is reached."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits: Final = limits
        self.streams = 0
        self._clock: Final = clock
        self._peers: dict[str, Peer] = {}
        self._streams_of_keys: Final = Counter[str]()
        lifted = replace(limits, calls_per_second=MOST, bytes_per_second=MOST, cpu_milliseconds_per_second=MOST)
        self._trusted_peer: Final = Peer("trusted", lifted, clock())
        self._trusted: Final[set[str]] = set()
        """Addresses, with their ports, of connections without limits of calls, bytes and CPU time."""
        self._look_at = FIRST_LOOK

    def call(self, address: str) -> Peer:
        """Count a call of a peer; returns the peer."""
        peer = self.peer(address)
        if wait := peer.calls.take(1, peer.seen):
            raise self._slower("calls_per_second", wait)
        if wait := peer.cpu.wait(0, peer.seen):
            raise self._slower("cpu_milliseconds_per_second", wait)
        if wait := peer.bytes.wait(0, peer.seen):
            raise self._slower("bytes_per_second", wait)
        return peer

    def refusal(self, address: str) -> float:
        """Charge a peer for a call that is refused as RATE_LIMITED; returns for how many seconds to hold that back."""
        peer = self.peer(address)
        peer.cpu.charge(REFUSING_SECONDS, peer.seen)
        held = peer.refusals.charge(1, peer.seen)
        if held <= MOST_HELD_SECONDS:
            return held
        peer.refusals.charge(-1, peer.seen)
        return 0.0

    def offends(self, address: str, number: int) -> bool:
        """Count a call of a peer as a number of refusals; returns whether it has made too many."""
        peer = self.peer(address)
        return peer.offences.take(number, peer.seen) > 0

    def peer(self, address: str) -> Peer:
        """Return the peer at an address; a new one is added. Trusted connections share one."""
        host, now = host_of(address), self._clock()
        peer = self._trusted_peer if address in self._trusted else self._peers.get(host)
        if peer is None:
            peer = self._arrive(host, now)
        peer.seen = now
        return peer

    def trust(self, address: str, *, is_trusted: bool) -> None:
        """Lift the limits of calls, bytes and CPU time for the connection from an address and port, or restore them."""
        if not is_trusted:
            self._trusted.discard(address)
        elif not address.endswith(":0"):  # as of all clients of a proxy
            if len(self._trusted) >= MOST_TRUSTED:
                self._trusted.clear()
            self._trusted.add(address)

    def request(self, peer: Peer, size: int) -> None:
        """Charge bytes of a request to a peer, which were read; its next call waits until nothing is owed."""
        peer.bytes.charge(size, self._clock())

    def message(self, peer: Peer, size: int) -> float:
        """Charge a message of a stream, of SMALLEST_MESSAGE bytes at least; returns the seconds before the next."""
        now = self._clock()
        return max(peer.bytes.charge(max(size, SMALLEST_MESSAGE), now), peer.cpu.wait(0, now))

    @contextmanager
    def waiting(self, peer: Peer) -> Iterator[None]:
        """Return a context in which a call of a peer counts as waiting for its first message."""
        if peer.waiting >= self.limits.waiting_calls_per_peer:
            raise ServiceError("TOO_MANY_STREAMS", limit="waiting_calls_per_peer", number=peer.waiting)
        peer.waiting += 1
        try:
            yield
        finally:
            peer.waiting -= 1

    def charge(self, peer: Peer, seconds: float) -> None:
        """Charge CPU time in seconds to a peer."""
        peer.cpu.charge(seconds, self._clock())

    def credit(self, peer: Peer) -> float:
        """Return the seconds before a long computation continues; half of the CPU allowance is left for other calls."""
        return peer.cpu.wait(BURST_SECONDS * self.limits.cpu_milliseconds_per_second / 2000, self._clock())

    @contextmanager
    def stream(self, peer: Peer) -> Iterator[None]:
        """Return a context in which a stream of a peer is open."""
        if peer.streams >= self.limits.streams_per_peer:
            raise ServiceError("TOO_MANY_STREAMS", limit="streams_per_peer", number=peer.streams)
        if self.streams >= self.limits.streams:
            raise ServiceError("TOO_MANY_STREAMS", limit="streams", number=self.streams)
        peer.streams += 1
        self.streams += 1
        try:
            yield
        finally:
            peer.streams -= 1
            self.streams -= 1

    @contextmanager
    def stream_with_key(self, name: str) -> Iterator[None]:
        """Return a context in which a stream of a bot with the key of its name is open."""
        number = self._streams_of_keys[name]
        if number >= self.limits.streams_per_key:
            raise ServiceError("TOO_MANY_STREAMS", limit="streams_per_key", number=number)
        self._streams_of_keys[name] += 1
        try:
            yield
        finally:
            self._streams_of_keys[name] -= 1
            if not self._streams_of_keys[name]:
                del self._streams_of_keys[name]

    def new_match(self, address: str, live: int, still_open: int, lag: float) -> None:
        """Count a new match, with `live` ones on the server, `still_open` ones of the peer, and a lag in seconds."""
        if 1000 * lag > self.limits.lag_milliseconds:
            raise ServiceError("BUSY", limit="lag_milliseconds", number=f"{1000 * lag:.0f}", retry_after=BUSY_SECONDS)
        if live >= self.limits.matches:
            raise ServiceError("TOO_MANY_MATCHES", limit="matches", number=live)
        if still_open >= self.limits.open_matches_per_peer:
            raise ServiceError("TOO_MANY_MATCHES", limit="open_matches_per_peer", number=still_open)
        self.change(address)

    def change(self, address: str) -> None:
        """Count a match that a peer creates, or a seat that it leaves or sets up before the start."""
        peer = self.peer(address)
        if wait := peer.matches.take(1, peer.seen):
            raise self._slower("matches_per_minute", wait)

    def new_person(self, address: str, known: int) -> None:
        """Count a new person of a peer, with `known` ones on the server."""
        if known >= self.limits.persons:
            raise ServiceError("TOO_MANY_PERSONS", limit="persons", number=known)
        peer = self.peer(address)
        if wait := peer.persons.take(1, peer.seen):
            raise self._slower("new_persons_per_day", wait)

    def chat(self, address: str) -> str:
        """Count a line of chat; returns the host that sends it."""
        peer = self.peer(address)
        if wait := peer.chat.take(1, peer.seen):
            raise self._slower("chat_lines_per_minute", wait)
        return peer.host

    def analysis(self, address: str, seconds: float) -> "Reservation":
        """Reserve seconds of computation for a call."""
        peer = self.peer(address)
        if wait := peer.analysis.take(seconds, peer.seen):
            raise self._slower("analysis_seconds_per_minute", wait)
        return Reservation(peer.analysis, seconds, self._clock)

    def try_code(self, peer: Peer) -> None:
        """Check that a peer has not sent too many wrong codes or passwords."""
        if wait := peer.wrong_codes.wait(1, self._clock()):
            raise self._slower("wrong_codes_per_minute", wait)

    def wrong_code(self, peer: Peer) -> None:
        """Count a wrong code or password. Raises ServiceError after too many."""
        self.try_code(peer)
        peer.wrong_codes.take(1, self._clock())

    def _slower(self, limit: str, wait: float) -> ServiceError:
        seconds = math.ceil(wait * 1000) / 1000
        number = getattr(self.limits, limit)
        return ServiceError("RATE_LIMITED", limit=limit, number=number, retry_after=f"{seconds:.3f}")

    def _arrive(self, host: str, now: float) -> Peer:
        if len(self._peers) >= self._look_at:
            self._peers = {
                name: peer
                for name, peer in self._peers.items()
                if peer.streams or now - peer.seen < IDLE_SECONDS or not peer.persons.is_full(now)
            }
            self._look_at = max(FIRST_LOOK, 2 * len(self._peers))
        peer = self._peers[host] = Peer(host, self.limits, now)
        return peer


@lru_cache(maxsize=4096)
def host_of(address: str) -> str:
    """Return the host of an address in gRPC: `ipv4:10.0.0.1:5000`, `ipv6:%5Bfe80::1%25eth0%5D:5000`, `unix:...`."""
    kind, _, rest = address.partition(":")
    try:
        ip = ip_address(unquote(rest).rpartition(":")[0].strip("[]"))
    except ValueError:
        return kind
    if not isinstance(ip, IPv6Address):
        return str(ip)
    return str(ip.ipv4_mapped or f"{IPv6Address(int(ip) >> 64 << 64)}/64")
