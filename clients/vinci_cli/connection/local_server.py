"""Servers and bots that this command starts as processes, which end with it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

from vinci_client import processes
from vinci_client.address import DEFAULT_PORT, LOOPBACK, joined, split
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
    arguments = ["--lan", "--tls", "--port", "0" if _listens("127.0.0.1", DEFAULT_PORT) else str(DEFAULT_PORT)]
    with processes.server(database, *arguments) as (address, code):
        own = joined("127.0.0.1", int(address.rpartition(":")[2]))
        yield own, from_elsewhere(own), code


def from_elsewhere(address: str) -> str:
    """Return the address at which other machines reach a server, which differs if it was given as `localhost`.

    It stays as it is where the server does not answer at an address of this machine in the network.
    """
    host, port = split(address)
    if host not in LOOPBACK:
        return address
    addresses = [ip.ip for ip in interfaces() if ip.version == 4 and not ip.ip.is_loopback and not ip.ip.is_link_local]
    others = (str(ip) for ip in addresses if _listens(str(ip), int(port)))
    return next((ip if int(port) == DEFAULT_PORT else joined(ip, int(port)) for ip in others), address)


def _listens(host: str, port: int) -> bool:
    """Return whether a program of this machine listens at an address of it."""
    with socket.socket() as tried:
        return tried.connect_ex((host, port)) == 0


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
