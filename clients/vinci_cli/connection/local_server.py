"""Servers and bots that this command starts as processes, which end with it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

from vinci_client import processes
from vinci_client.address import DEFAULT_PORT, joined
from vinci_client.discovery import interfaces

T = TypeVar("T")


@asynccontextmanager
async def in_thread(context: AbstractContextManager[T]) -> AsyncIterator[T]:
    """Enter and leave a slow context manager in a thread; it is also left after a cancellation meanwhile."""
    entering = asyncio.create_task(asyncio.to_thread(context.__enter__))
    try:
        yield await asyncio.shield(entering)
    finally:
        await asyncio.gather(entering, return_exceptions=True)
        if entering.exception() is None:
            await asyncio.to_thread(context.__exit__, None, None, None)


@contextmanager
def server(database: Path) -> Iterator[str]:
    """Start a server on a free port of this machine only and yield its address. Raises NotStarted."""
    with processes.server(database) as (address, _code):
        yield address


@contextmanager
def shared_server(database: Path) -> Iterator[tuple[str, str, str]]:
    """Start a server that is announced on the network and opened by a code. Raises NotStarted.

    Yields its address on this machine, the one for others, and the code. It has the usual port if that is free.
    """
    arguments = ["--lan", "--tls", "--port", "0" if _is_taken(DEFAULT_PORT) else str(DEFAULT_PORT)]
    with processes.server(database, *arguments) as (address, code):
        port = int(address.rpartition(":")[2])
        others = [ip.ip for ip in interfaces() if ip.version == 4 and not ip.ip.is_loopback and not ip.ip.is_link_local]
        own = joined("127.0.0.1", port)
        yield own, joined(str(others[0]), port) if others else own, code


def _is_taken(port: int) -> bool:
    """Return whether another program of this machine listens on a port."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def bots(address: str, seated: Sequence[tuple[str, str]], log: Path, code: str = "") -> Iterator[None]:
    """Run a process for each bot, given its name or Python file and the token of its seat."""
    with log.open("a", encoding="utf-8") as output:
        started = [
            processes.start(
                [name] if processes.is_script(name) else [*processes.COMMAND, "bot", name, "--with-stdin"],
                output,
                output,
                processes.bot_environment({"VINCI_ADDRESS": address, "VINCI_SEAT_TOKEN": token, "VINCI_CODE": code}),
            )
            for name, token in seated
        ]
        try:
            yield
        finally:
            processes.stop(started)
