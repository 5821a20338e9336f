"""A TCP proxy whose connections can be cut or silenced."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final


class Proxy:
    """A TCP proxy to a port. While `deaf`, data from the server are dropped."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.deaf = False
        self._silent: Final[set[asyncio.StreamWriter]] = set()
        self._target: Final = target
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def cut(self) -> None:
        """Break all connections; new ones are accepted."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def silence(self) -> None:
        """Drop all data of the open connections in both directions; new connections work."""
        self._silent.update(self._writers)

    def cut_some(self, chance: random.Random) -> None:
        """Break about half of the connections."""
        self._writers = {writer for writer in self._writers if not writer.is_closing()}
        for writer in self._writers:
            if chance.random() < 0.5:
                writer.transport.abort()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward bytes in both directions."""
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # no server is there
            writer.transport.abort()
            return
        self._writers.update((writer, back))
        for source, sink, answers in ((reader, back, False), (there, writer, True)):
            task = asyncio.create_task(self._pass(source, sink, answers))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, answers: bool) -> None:
        try:
            while data := await source.read(65536):
                if sink not in self._silent and not (answers and self.deaf):
                    sink.write(data)
        except ConnectionError:
            pass
        finally:
            sink.close()


@asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    """Start a proxy to a port of this machine."""
    between = Proxy(target)
    listening = await asyncio.start_server(between.accept, "127.0.0.1", 0)
    between.port = listening.sockets[0].getsockname()[1]
    try:
        yield between
    finally:
        between.cut()
        listening.close()
