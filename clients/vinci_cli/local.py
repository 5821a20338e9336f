"""Servers and bots that this command starts by itself, as processes of their own; they end with it.

They run in a session of their own, so Ctrl-C in the client does not reach them. They stop when their standard input
closes, which happens even if the client is killed.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Final, TypeVar

from vinci_client.address import DEFAULT_PORT, joined

from .language import _

T = TypeVar("T")

OF_OTHERS: Final = ("VINCI_PASSWORD", "VINCI_CODE", "VINCI_TLS_CA")
"""Environment variables that open servers of others; these here are open, and only this machine reaches them."""

BOTS: Final = ("random", "greedy")
"""The bots that this command can start."""

STOP_SECONDS: Final = 10
_NEW_GROUP: Final = 0x200
"""CREATE_NEW_PROCESS_GROUP of Windows, which has no sessions."""


class NotStarted(Exception):
    """A process did not come up; the text holds what it said."""


class InUse(NotStarted):
    """Another server has the database open."""


@asynccontextmanager
async def in_thread(context: AbstractContextManager[T]) -> AsyncIterator[T]:
    """Enter and leave what takes its time beside everything else; who is cancelled meanwhile leaves nothing behind."""
    entering = asyncio.create_task(asyncio.to_thread(context.__enter__))
    try:
        yield await asyncio.shield(entering)
    finally:
        await asyncio.gather(entering, return_exceptions=True)
        if entering.exception() is None:
            await asyncio.to_thread(context.__exit__, None, None, None)


@contextmanager
def server(database: Path) -> Iterator[str]:
    """A server on a free port of this machine only; yields its address. Raises NotStarted."""
    with _server(database, ["--port", "0"]) as (address, _code):
        yield address


@contextmanager
def shared_server(database: Path) -> Iterator[tuple[str, str, str]]:
    """A server that everybody on the network finds, and who has its code can enter. Raises NotStarted.

    Yields its address on this machine, the one for others, and the code. It has the usual port if that is free.
    """
    from vinci_client.discovery import interfaces

    arguments = ["--lan", "--tls", "--port", "0" if _is_taken(DEFAULT_PORT) else str(DEFAULT_PORT)]
    with _server(database, arguments) as (address, code):
        port = int(address.rpartition(":")[2])
        others = [ip.ip for ip in interfaces() if ip.version == 4 and not ip.ip.is_loopback and not ip.ip.is_link_local]
        own = joined("127.0.0.1", port)
        yield own, joined(str(others[0]), port) if others else own, code


@contextmanager
def _server(database: Path, arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A server; yields the address that it listens on, and its code."""
    log = database.with_suffix(".log")
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a+", encoding="utf-8") as errors:
        start = errors.tell()
        usual = ["serve", *arguments, "--db", str(database), "--with-stdin", "--log-level", "warning"]
        process = _start(usual, subprocess.PIPE, errors)
        assert process.stdout is not None
        try:
            code = ""
            line = process.stdout.readline()
            if line.startswith("code "):
                code, line = line.split()[-1], process.stdout.readline()
            if not line.startswith("listening on "):
                process.wait(STOP_SECONDS)
                errors.seek(start)
                said = errors.read().strip().removeprefix("Error: ")
                raise (InUse if "in use by another server" in said else NotStarted)(
                    said or _("the server did not start")
                )
            yield line.split()[-1], code
        finally:
            _stop([process])


def _is_taken(port: int) -> bool:
    """Whether another program of this machine listens on a port."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def bots(address: str, seated: Sequence[tuple[str, str]], log: Path, code: str = "") -> Iterator[None]:
    """A process for each bot, connected to a server: its name, and the token of the seat that it plays."""
    with log.open("a", encoding="utf-8") as said:
        processes = [
            _start(["bot", name, address, "--with-stdin"], said, said, {"VINCI_SEAT_TOKEN": token, "VINCI_CODE": code})
            for name, token in seated
        ]
        try:
            yield
        finally:
            _stop(processes)


def _start(
    arguments: Sequence[str], output: IO[str] | int, errors: IO[str], more: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    kept = {name: value for name, value in os.environ.items() if name not in OF_OTHERS}
    return subprocess.Popen(
        [sys.executable, "-m", "vinci_cli", *arguments],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=errors,
        text=True,
        env={**kept, "VINCI_LANG": "en", **(more or {})},  # what they say is read by this command
        start_new_session=os.name != "nt",
        creationflags=_NEW_GROUP if os.name == "nt" else 0,
    )


def _stop(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Ask processes to stop by closing their standard input, and see to it that they do."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    for process in processes:
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
