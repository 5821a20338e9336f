"""Proxy that can drop all data of a connection without closing it, as when a laptop sleeps or a NAT entry expires."""

import asyncio
from contextlib import suppress
from typing import Final, final


@final
class TcpProxy:
    """TCP proxy to a local port, an async context manager."""

    def __init__(self, target: int) -> None:
        self.address = ""
        self._target: Final = target
        self._writers: Final[set[asyncio.StreamWriter]] = set()
        self._silent: Final[set[asyncio.StreamWriter]] = set()
        self._passing: Final[set[asyncio.Task[None]]] = set()
        self._server: asyncio.Server

    async def __aenter__(self) -> "TcpProxy":
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._passing)

    def silence(self) -> None:
        """Drop all further data of existing connections, both ways; new connections work."""
        self._silent.update(self._writers)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers.update((writer, back))
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass(source, sink))
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if sink not in self._silent:
                    sink.write(data)
        if sink not in self._silent:
            sink.close()
