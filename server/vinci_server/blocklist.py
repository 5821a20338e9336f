"""Shuts out hosts that abuse the server: closes their connections and has the system drop their packets for a while.

gRPC offers neither, but its sockets are descriptors of this process. On systems other than Linux nobody is shut out.
"""

import asyncio
import ctypes
import os
import socket
import stat
import struct
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from ipaddress import IPv4Network, ip_network
from typing import Final, TypeAlias, final

import structlog

from .limits import host_of
from .metrics import Metrics

FIRST_SECONDS: Final = 10.0
MOST_SECONDS: Final = 300.0
"""Longest time for which a host is shut out; each time is twice the one before."""
CALM_SECONDS: Final = 600.0
"""Seconds after its time at which a host begins with FIRST_SECONDS again."""
MOST_HOSTS: Final = 256
"""Hosts that are shut out at the same time. A program in the kernel has at most 4,096 instructions, five for each."""
AGAIN_SECONDS: Final = 1.0
"""Seconds until connections are looked for again: some were waiting to be accepted."""
EXEMPT: Final = ("127.0.0.1", "::/64")
"""Own bots, and proxies on this machine."""

_ATTACH_FILTER, _DETACH_FILTER = 26, 27
_NETWORK_HEADER: Final = 0xFFF00000
_LOAD, _LOAD_BYTE, _SHIFT, _IS, _JUMP, _RETURN = 0x20, 0x30, 0x74, 0x15, 0x05, 0x06
_ALL: Final = 0xFFFFFFFF

Instruction: TypeAlias = tuple[int, int, int, int]
"""Code, instructions to skip if true and if false, and operand, as in the kernel's `struct sock_filter`."""

_log = structlog.get_logger()


def program(hosts: Iterable[str]) -> list[Instruction]:
    """Return a classic BPF program for packets of TCP that drops those of hosts, as `host_of` writes them."""
    drop, keep = (_RETURN, 0, 0, 0), (_RETURN, 0, 0, _ALL)
    of_four: list[Instruction] = [(_LOAD, 0, 0, _NETWORK_HEADER + 12)]
    of_six: list[Instruction] = []
    for network in map(ip_network, hosts):
        if isinstance(network, IPv4Network):
            of_four += [(_IS, 0, 1, int(network.network_address)), drop]
        else:
            high, low = divmod(int(network.network_address) >> 64, 1 << 32)
            of_six += [(_LOAD, 0, 0, _NETWORK_HEADER + 8), (_IS, 0, 3, high)]
            of_six += [(_LOAD, 0, 0, _NETWORK_HEADER + 12), (_IS, 0, 1, low), drop]
    of_four.append(keep)
    version: list[Instruction] = [(_LOAD_BYTE, 0, 0, _NETWORK_HEADER), (_SHIFT, 0, 0, 4), (_IS, 1, 0, 4)]
    return [*version, (_JUMP, 0, 0, len(of_four)), *of_four, *of_six, keep]


def attach(own: socket.socket, hosts: Iterable[str]) -> None:
    """Have the system drop what hosts send to a listening socket, and only that. Raises OSError."""
    if not (instructions := program(hosts) if (hosts := tuple(hosts)) else []):
        with suppress(FileNotFoundError):
            own.setsockopt(socket.SOL_SOCKET, _DETACH_FILTER, 0)
        return
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in instructions))
    own.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, struct.pack("HP", len(instructions), ctypes.addressof(code)))


@final
class Blocklist:
    """The hosts that are shut out, in the running event loop."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        self._metrics: Final = metrics
        self._clock: Final = clock
        self._exempt: Final = set(EXEMPT)
        self._ends: Final[dict[str, asyncio.TimerHandle]] = {}
        self._last: dict[str, tuple[float, float]] = {}
        """End of the last time of each host, and how long it was, in seconds."""
        self._again: asyncio.TimerHandle | None = None
        self._has_filters = True

    def __contains__(self, host: str) -> bool:
        """Return whether a host is shut out."""
        return host in self._ends

    def exempt(self, hosts: Iterable[str]) -> None:
        """Never shut out hosts, as proxies, which stand for many."""
        self._exempt.update(hosts)

    def shut_out(self, host: str) -> float:
        """Shut out a host, longer than the last time; returns the seconds, 0 if it cannot be shut out.

        If it is already, connections that it still has are closed soon.
        """
        if host in self:
            self._enforce_later()
            return 0.0
        if sys.platform != "linux" or host in self._exempt or len(self._ends) >= MOST_HOSTS or not _is_network(host):
            return 0.0
        now = self._clock()
        self._last = {one: (end, took) for one, (end, took) in self._last.items() if now - end < CALM_SECONDS}
        _, before = self._last.get(host, (0.0, FIRST_SECONDS / 2))
        seconds = min(2 * before, MOST_SECONDS)
        self._last[host] = now + seconds, seconds
        self._ends[host] = asyncio.get_running_loop().call_later(seconds, self.let_in, host)
        self._metrics.shut_out()
        _log.warning("host shut out", peer=host, seconds=seconds)
        self._enforce()
        self._enforce_later()
        return seconds

    def let_in(self, host: str) -> None:
        """Let a host in again."""
        self._ends.pop(host).cancel()
        self._enforce()

    def _enforce_later(self) -> None:
        if self._again is None:
            self._again = asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._enforce_again)

    def _enforce_again(self) -> None:
        self._again = None
        self._enforce()
        if self._ends and not self._has_filters:
            self._enforce_later()

    def _enforce(self) -> None:
        """Close connections of hosts that are shut out to ports of this process, after these take no more of them."""
        ports, found = set(), []
        for _descriptor, own in tcp_sockets():
            with suppress(OSError):  # it is not connected
                if own.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    ports.add(own.getsockname()[1])
                    self._attach(own)
                elif host_of(f"tcp:[{own.getpeername()[0]}]:0") in self:
                    found.append(own.dup())
        for one in found:
            with one, suppress(OSError):
                if one.getsockname()[1] in ports:
                    one.shutdown(socket.SHUT_RDWR)

    def _attach(self, own: socket.socket) -> None:
        try:
            attach(own, self._ends)
        except OSError as error:
            if self._has_filters:
                _log.warning("no filter of packets; connections are closed instead", error=str(error))
            self._has_filters = False


def tcp_sockets(descriptors: Iterable[int] = ()) -> Iterator[tuple[int, socket.socket]]:
    """Yield TCP sockets of this process as descriptors and duplicates, which are closed afterwards.

    `descriptors` are looked at instead of all. Without /proc only given ones are found.
    """
    if not descriptors:
        with suppress(OSError):
            descriptors = map(int, os.listdir("/proc/self/fd"))
    for descriptor in descriptors:
        with suppress(OSError):  # it was closed meanwhile
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                with socket.socket(fileno=os.dup(descriptor)) as own:
                    if own.family in (socket.AF_INET, socket.AF_INET6) and own.type == socket.SOCK_STREAM:
                        yield descriptor, own


def _is_network(host: str) -> bool:
    with suppress(ValueError):
        return bool(ip_network(host))
    return False
