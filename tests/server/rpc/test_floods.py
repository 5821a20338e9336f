"""Calls of one connection do not use up the places in which calls of others wait."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import socket
import struct

from benchmarks.abuse import DATA, END_STREAM, HEADERS, PING, PREFACE, RST_STREAM, call, frame, message
from tests.support.server.in_process import SOON
from vinci_server.app import Server

MANY = 4000
"""More calls than gRPC keeps waiting for the event loop, and fewer than a connection may have."""
LIST_MATCHES = "/vinci.v1.LobbyService/ListMatches"


class Wire:
    """A connection whose bytes are written by hand; it blocks."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), SOON)
        self._file = self._socket.makefile("rb")
        self._socket.sendall(PREFACE)

    def send(self, data: bytes) -> None:
        """Send bytes; returns when the server has taken them."""
        self._socket.sendall(data + frame(PING, payload=bytes(8)))
        self.until(PING)

    def until(self, *kinds: int) -> int:
        """Return the kind of the next frame that is of one of these kinds or ends a stream."""
        while True:
            head = self._file.read(9)
            self._file.read(struct.unpack(">I", b"\0" + head[:3])[0])
            if head[3] in kinds or (head[3] == HEADERS and head[4] & END_STREAM):
                return head[3]

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self._socket.close()


async def test_call_is_answered_while_thousands_of_another_wait(server: Server) -> None:
    abuser, other = Wire(server.port), Wire(server.port)
    abuser.send(b"".join(call(2 * number + 1, "/vinci.v1.LobbyService/GetMatch") for number in range(MANY)))
    other.send(call(1, LIST_MATCHES) + message(1, b""))  # the event loop, which this test blocks, has taken no call yet
    assert await asyncio.to_thread(other.until, DATA, RST_STREAM) == DATA  # not just a status
    abuser.close()
    other.close()
