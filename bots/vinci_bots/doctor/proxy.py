"""Proxy that cuts connections, or drops all their data without closing them, as when a laptop sleeps."""

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Final, final

from vinci_client.address import joined

TLS_HANDSHAKE: Final = 0x16
"""First byte of a connection with TLS."""


@final
class TcpProxy:
    """TCP proxy to a local port, an async context manager; it listens on a host and port, 0 for a free one.

    `target` is the port, 0 as long as there is none. `connections` counts those that have sent something, by whether
    they use TLS.
    """

    def __init__(self, host: str, port: int) -> None:
        self.target = 0
        self.host: Final = host
        self.port = port
        self.connections: Final[Counter[bool]] = Counter()
        self._writers: Final[set[asyncio.StreamWriter]] = set()
        self._silent: Final[set[asyncio.StreamWriter]] = set()
        self._passing: Final[set[asyncio.Task[None]]] = set()
        self._server: asyncio.Server

    @property
    def address(self) -> str:
        """Address that it listens on."""
        return joined(self.host, self.port)

    async def __aenter__(self) -> "TcpProxy":
        await self.open()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Start listening, on the same port as before if there was one. Raises OSError."""
        self._server = await asyncio.start_server(self._accept, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening and cut all connections."""
        self._server.close()
        self.cut()
        await asyncio.gather(*self._passing)

    def cut(self) -> None:
        """Reset all connections; new ones work while it listens."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def silence(self) -> None:
        """Drop all further data of existing connections, both ways; new connections work."""
        self._silent.update(self._writers)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers.update((writer, back))
        for source, sink, is_request in ((reader, back, True), (there, writer, False)):
            task = asyncio.create_task(self._pass(source, sink, is_request=is_request))
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, is_request: bool) -> None:
        is_first = is_request
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if is_first:
                    self.connections[data[0] == TLS_HANDSHAKE] += 1
                    is_first = False
                if sink not in self._silent:
                    sink.write(data)
        if sink not in self._silent:
            sink.close()
