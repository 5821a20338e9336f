"""A connection of uvicorn that ends when its client is slow, silent or dead."""

import asyncio
import socket
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ..limits import Traffic, host_of
from ..rpc.listener import MAX_MESSAGE_BYTES
from .context import peer_of

HEAD_SECONDS: Final = 10
"""Seconds for the headers of a request, and for a new connection without one."""
MOST_HEAD_BYTES: Final = 65_536
UNREAD_SECONDS: Final = 30
"""Seconds in which a client must read something of what waits for it, and its system answer."""

_OF_TCP: Final = (
    ("TCP_USER_TIMEOUT", 1000 * UNREAD_SECONDS),
    ("TCP_KEEPIDLE", 20),
    ("TCP_KEEPINTVL", 10),
    ("TCP_KEEPCNT", 1),
)


@final
class Connections:
    """Counts the connections of each host; those of proxies, given by address, stand for many and are not limited."""

    def __init__(self, most: int, proxies: Iterable[str], traffic: Traffic) -> None:
        self.traffic: Final = traffic
        self.proxies: Final = frozenset(host_of(f"tcp:[{proxy}]:0") for proxy in proxies)
        self._most: Final = most
        self._counts: Final = Counter[str]()

    def add(self, host: str) -> bool:
        """Count a connection of a host; returns whether it may have another one."""
        self._counts[host] += 1
        return self._counts[host] <= self._most or host in self.proxies

    def remove(self, host: str) -> None:
        """Count one less."""
        self._counts[host] -= 1
        if not self._counts[host]:
            del self._counts[host]


@final
class Connection(HttpToolsProtocol):
    """A connection with a time limit for headers, for reading, and for the answers of the other system."""

    def __init__(self, *args: Any, connections: Connections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._all: Final = connections
        self._host = ""
        self._head = 0
        """Bytes of the headers that have begun and not ended."""
        self._late = 0
        """Bytes of the body that came after the answer."""
        self._idle: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Set the time limits of a new connection."""
        super().connection_made(transport)
        if (sock := transport.get_extra_info("socket")) is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _OF_TCP:
                if (option := getattr(socket, name, None)) is not None:
                    with suppress(OSError):
                        sock.setsockopt(socket.IPPROTO_TCP, option, value)
        self._host = host_of(peer_of({"client": self.client}))
        if not self._all.add(self._host):
            transport.abort()
        else:
            self._limit_idle()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._all.remove(self._host)
        for timer in (self._idle, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read bytes, of headers no more than MOST_HEAD_BYTES."""
        super().data_received(data)
        if self._head:
            self._head += len(data)
            if self._head > MOST_HEAD_BYTES:
                self.transport.abort()
        if self._head or not self._is_busy:
            self._limit_idle()
        elif self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def on_message_begin(self) -> None:
        """Begin to count the bytes of headers. Raises ValueError for a request before the last one was answered.

        No browser sends one, and uvicorn would not notice that such a connection is gone.
        """
        if self._is_busy:
            raise ValueError
        super().on_message_begin()
        self._head, self._late = 1, 0

    def on_body(self, body: bytes) -> None:
        """Read a part of a body; of one that is already answered no more than MAX_MESSAGE_BYTES.

        Closed at once, the connection could lose the answer.
        """
        if not self._is_busy:
            self._late += len(body)
            self._all.traffic.request(self._all.traffic.peer(peer_of(self.cycle.scope)), len(body))
            if self._late > MAX_MESSAGE_BYTES:
                self.transport.abort()
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, or comes too early."""
        if self._is_busy:
            self.transport.abort()
        else:
            super().send_400_response(msg)

    def on_headers_complete(self) -> None:
        """Serve the request. Raises ValueError if its headers are too long, which can come in one piece."""
        self._head = 0
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MOST_HEAD_BYTES:
            raise ValueError
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """Wait for the client to read, for a while."""
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    @property
    def _is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _limit_idle(self) -> None:
        if self._idle is None:
            self._idle = self.loop.call_later(HEAD_SECONDS, self.timeout_keep_alive_handler)
