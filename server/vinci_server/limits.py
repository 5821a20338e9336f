"""Limits on what the server accepts from each peer and from all together. Pure: the clock is the caller's, in seconds.

A peer is a host: its IPv4 address, or its IPv6 network of 64 bits, since one machine has all addresses of it.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final, final
from urllib.parse import unquote

from .errors import ServiceError

BURST_SECONDS: Final = 5
"""For so long a peer can save up calls and bytes."""
BUSY_SECONDS: Final = 5
"""Seconds after which a client may ask a busy server again."""
CHAT_PARTS: Final = 6
"""Divisor of the chat limit per minute that gives the largest burst."""
IDLE_SECONDS: Final = 120.0
"""After this nothing is left to remember of a peer without streams: all that it may do is saved up again."""
FIRST_LOOK: Final = 1000
"""Peers that are known before idle ones are forgotten for the first time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits (docs/protocol.md). Hundreds of bots and thousands of watchers on one host stay below them."""

    matches: int = 2_000
    matches_per_minute: int = 1_000
    chat_lines_per_minute: int = 120
    open_matches_per_peer: int = 500
    streams: int = 10_000
    streams_per_peer: int = 4_000
    waiting_calls_per_peer: int = 250
    calls_per_second: int = 1_000
    bytes_per_second: int = 4_000_000
    cpu_milliseconds_per_second: int = 800
    lag_milliseconds: int = 1_000
    max_rounds: int = 100
    target: int = 10_000
    wrong_codes_per_minute: int = 10
    analysis_seconds_per_minute: int = 30

    def by_name(self) -> dict[str, int]:
        """All limits."""
        return asdict(self)


USUAL: Final = Limits()


def limits(settings: Sequence[str]) -> Limits:
    """The usual limits with some set by `NAME=NUMBER`. Raises ValueError."""
    names = [field.name for field in fields(Limits)]
    found = {}
    for setting in settings:
        name, _, number = setting.partition("=")
        if name not in names:
            raise ValueError(f"there is no limit {name!r}; known: {', '.join(names)}")
        if not (number.isascii() and number.isdigit() and 0 < int(number[:10]) < 2**31):
            raise ValueError(f"{setting!r} is not NAME=NUMBER with a whole number from 1 on, like {name}=50")
        found[name] = int(number)
    return replace(USUAL, **found)


@final
class Bucket:
    """An allowance that fills up by `rate` a second. Who takes more than is left owes the rest and has to wait."""

    __slots__ = ("_left", "_most", "_rate", "_since")

    def __init__(self, rate: float, most: float, now: float) -> None:
        self._rate: Final = rate
        self._most: Final = most
        self._left = most
        self._since = now

    def take(self, number: float, now: float) -> float:
        """Take so much, if it is there or as much as ever is; if not, nothing, and return the seconds to wait."""
        wait = self.wait(number, now)
        if not wait:
            self._left -= number
        return wait

    def charge(self, number: float, now: float) -> float:
        """Take in any case; returns the seconds to wait until nothing is owed."""
        self._refill(now)
        self._left -= number
        return max(0.0, -self._left / self._rate)

    def wait(self, number: float, now: float) -> float:
        """The seconds to wait until so much can be taken."""
        self._refill(now)
        return max(0.0, (min(number, self._most) - self._left) / self._rate)

    def _refill(self, now: float) -> None:
        self._left = min(self._most, self._left + (now - self._since) * self._rate)
        self._since = now


@final
class Peer:
    """The remaining allowances of one host."""

    __slots__ = (
        "analysis",
        "bytes",
        "calls",
        "chat",
        "cpu",
        "host",
        "matches",
        "seen",
        "streams",
        "waiting",
        "wrong_codes",
    )

    def __init__(self, host: str, limits: Limits, now: float) -> None:
        self.host: Final = host
        self.calls: Final = Bucket(limits.calls_per_second, BURST_SECONDS * limits.calls_per_second, now)
        self.bytes: Final = Bucket(limits.bytes_per_second, BURST_SECONDS * limits.bytes_per_second, now)
        lines = limits.chat_lines_per_minute
        self.chat: Final = Bucket(lines / 60, max(1, lines / CHAT_PARTS), now)
        cpu = limits.cpu_milliseconds_per_second
        self.cpu: Final = Bucket(cpu / 1000, BURST_SECONDS * cpu / 1000, now)
        self.matches: Final = Bucket(limits.matches_per_minute / 60, limits.matches_per_minute, now)
        self.wrong_codes: Final = Bucket(limits.wrong_codes_per_minute / 60, limits.wrong_codes_per_minute, now)
        analysis = limits.analysis_seconds_per_minute
        self.analysis: Final = Bucket(analysis / 60, analysis, now)
        self.streams = 0
        self.waiting = 0
        """Number of calls whose first message has not arrived."""
        self.seen = now


@final
class Traffic:
    """All peers. Everything raises ServiceError where a limit is reached."""

    def __init__(self, limits: Limits) -> None:
        self.limits: Final = limits
        self.streams = 0
        self._peers: dict[str, Peer] = {}
        self._look_at = FIRST_LOOK

    def call(self, address: str, size: int, now: float) -> Peer:
        """Count a call with this number of bytes from a peer, given its address as gRPC writes it."""
        peer = self.peer(address, now)
        if wait := peer.calls.take(1, now):
            raise self._slower("calls_per_second", wait)
        if wait := peer.cpu.wait(0, now):
            raise self._slower("cpu_milliseconds_per_second", wait)
        self.request(peer, size, now)
        return peer

    def peer(self, address: str, now: float) -> Peer:
        """Return the peer at an address in gRPC's notation; a new one is added."""
        host = host_of(address)
        peer = self._peers.get(host)
        if peer is None:
            peer = self._arrive(host, now)
        peer.seen = now
        return peer

    def request(self, peer: Peer, size: int, now: float) -> None:
        """Take the bytes of a request from the peer's allowance."""
        if wait := peer.bytes.take(size, now):
            raise self._slower("bytes_per_second", wait)

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

    def credit(self, peer: Peer, now: float) -> float:
        """Return the seconds before a long computation continues; half of the CPU allowance is left for other calls."""
        return peer.cpu.wait(BURST_SECONDS * self.limits.cpu_milliseconds_per_second / 2000, now)

    @contextmanager
    def stream(self, peer: Peer) -> Iterator[None]:
        """A stream, as long as it is open."""
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

    def new_match(self, address: str, live: int, still_open: int, lag: float, now: float) -> None:
        """Check the limits for a new match of a peer, and count it.

        `live` matches are open or running, `still_open` of the peer's are open; `lag` of the event loop is in seconds.
        """
        if 1000 * lag > self.limits.lag_milliseconds:
            raise ServiceError("BUSY", limit="lag_milliseconds", number=f"{1000 * lag:.0f}", retry_after=BUSY_SECONDS)
        if live >= self.limits.matches:
            raise ServiceError("TOO_MANY_MATCHES", limit="matches", number=live)
        if still_open >= self.limits.open_matches_per_peer:
            raise ServiceError("TOO_MANY_MATCHES", limit="open_matches_per_peer", number=still_open)
        self.change(address, now)

    def change(self, address: str, now: float) -> None:
        """A match is to be made, or a seat of one to be left or set up, by a peer."""
        if wait := self.peer(address, now).matches.take(1, now):
            raise self._slower("matches_per_minute", wait)

    def chat(self, address: str, now: float) -> Peer:
        """Check the limit for a line of chat, and count it; returns the peer that sends it."""
        peer = self.peer(address, now)
        if wait := peer.chat.take(1, now):
            raise self._slower("chat_lines_per_minute", wait)
        return peer

    def analysis(self, address: str, seconds: float, now: float) -> Bucket:
        """Take seconds of computation in advance from the allowance of an admitted peer; returns the allowance."""
        allowance = self.peer(address, now).analysis
        if wait := allowance.take(seconds, now):
            raise self._slower("analysis_seconds_per_minute", wait)
        return allowance

    def try_code(self, peer: Peer, now: float) -> None:
        """A code or password is to be looked at, if there were not too many wrong ones."""
        if wait := peer.wrong_codes.wait(1, now):
            raise self._slower("wrong_codes_per_minute", wait)

    def _slower(self, limit: str, wait: float) -> ServiceError:
        seconds = math.ceil(wait * 1000) / 1000
        number = getattr(self.limits, limit)
        return ServiceError("RATE_LIMITED", limit=limit, number=number, retry_after=f"{seconds:.3f}")

    def _arrive(self, host: str, now: float) -> Peer:
        if len(self._peers) >= self._look_at:
            self._peers = {
                name: peer for name, peer in self._peers.items() if peer.streams or now - peer.seen < IDLE_SECONDS
            }
            self._look_at = max(FIRST_LOOK, 2 * len(self._peers))
        peer = self._peers[host] = Peer(host, self.limits, now)
        return peer


@lru_cache(maxsize=4096)
def host_of(address: str) -> str:
    """The host in an address as gRPC writes it: `ipv4:10.0.0.1:5000`, `ipv6:%5Bfe80::1%25eth0%5D:5000`, `unix:...`."""
    kind, _, rest = address.partition(":")
    try:
        ip = ip_address(unquote(rest).rpartition(":")[0].strip("[]"))
    except ValueError:
        return kind
    if not isinstance(ip, IPv6Address):
        return str(ip)
    return str(ip.ipv4_mapped or f"{IPv6Address(int(ip) >> 64 << 64)}/64")
