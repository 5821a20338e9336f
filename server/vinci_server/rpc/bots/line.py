"""The TCP connection of a bot, whose system acknowledges bytes at once whenever the bot itself answers pings."""

import asyncio
import math
import os
import socket
import stat
import struct
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Final, final
from urllib.parse import unquote

SLACK_SECONDS: Final = 0.02
"""Longest time that a bot may need for a pong beside the round trip of its connection."""
_MIN_RTT: Final = 148
"""Offset of `tcpi_min_rtt`, in microseconds, in Linux's `struct tcp_info`."""


@final
class Line:
    """A connection by the address of its other end, as gRPC writes it."""

    def __init__(self, address: str) -> None:
        host, _, port = unquote(address.partition(":")[2]).rpartition(":")
        self._end: Final = (_plain(host.strip("[]")), port)
        self._descriptor: int | None = None

    async def longest(self) -> float:
        """Return the longest credible time of a pong in seconds; infinite where the system does not tell."""
        if self._descriptor is None:
            self._descriptor = await asyncio.to_thread(self._find)
        return self._measured(self._descriptor) or math.inf

    def _find(self) -> int:
        """Return the descriptor of the connection in this process, which gRPC does not tell; -1 if there is none."""
        with suppress(OSError):
            return next((fd for fd in map(int, os.listdir("/proc/self/fd")) if self._measured(fd)), -1)
        return -1

    def _measured(self, descriptor: int) -> float:
        """Return the longest credible time if a descriptor is that of the connection, else 0."""
        with suppress(OSError, struct.error):  # it was closed, or the system is too old
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                with socket.socket(fileno=os.dup(descriptor)) as own:
                    end: Any = own.getpeername()
                    if own.family != socket.AF_UNIX and (_plain(end[0]), str(end[1])) == self._end:
                        microseconds: int
                        info = own.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                        (microseconds,) = struct.unpack_from("I", info, _MIN_RTT)
                        return microseconds / 1e6 + SLACK_SECONDS
        return 0.0


def _plain(host: str) -> str:
    """Return an address in the form that all kinds of sockets share."""
    with suppress(ValueError):
        ip = ip_address(host)
        return str(getattr(ip, "ipv4_mapped", None) or ip)
    return host
