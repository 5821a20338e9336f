"""`vinci health`: the status that it prints and ends with, at servers of every kind and where no server answers."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import CommandResult, vinci
from tests.support.network.certificates import signed
from vinci_server.app import Server
from vinci_server.rpc import certificate
from vinci_server.rpc.access import OPEN, ServerAccess, join_code

LOBBY: Final = ("--service", "vinci.v1.LobbyService")


@asynccontextmanager
async def server_with(folder: Path, access: ServerAccess) -> AsyncIterator[Server]:
    """Run a server in this process."""
    server = await Server.start("127.0.0.1", 0, folder / "server.db", access=access)
    try:
        yield server
    finally:
        await server.stop()


async def health(server: Server, *words: str) -> CommandResult:
    """Run the command at a server, in a thread, since the server needs this one."""
    return await asyncio.to_thread(vinci, "health", f"127.0.0.1:{server.port}", *words)


@pytest.mark.parametrize("kind", ["open", "password", "own certificate", "given certificate"])
async def test_every_server_answers_without_code_or_password(tmp_path: Path, kind: str) -> None:
    if kind == "own certificate":
        own = certificate.own(tmp_path / "server.db")
        access = ServerAccess(code=join_code(tmp_path / "server.db", own), certificate=own)
    elif kind == "given certificate":
        files = signed(tmp_path, "*.example.org")
        access = ServerAccess(certificate=certificate.given(files.chain, files.key))
    else:
        access = ServerAccess(password="sesame") if kind == "password" else OPEN
    async with server_with(tmp_path, access) as server:
        assert await health(server) == (0, "SERVING\n")


async def test_a_draining_server_serves_except_for_its_lobby(tmp_path: Path) -> None:
    async with server_with(tmp_path, OPEN) as server:
        assert await health(server, *LOBBY) == (0, "SERVING\n")
        await server._drain(True)
        assert await health(server, *LOBBY) == (1, "NOT_SERVING\n")
        assert await health(server) == (0, "SERVING\n")


async def test_an_unknown_service_is_not_healthy(tmp_path: Path) -> None:
    async with server_with(tmp_path, OPEN) as server:
        assert await health(server, "--service", "vinci.v1.Lobby") == (1, "SERVICE_UNKNOWN\n")


def test_nobody_and_a_silent_server_are_errors() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        answers = [vinci("health", address, "--timeout", "1")]
    answers.append(vinci("health", address))
    assert answers == [(1, f"Error: no answer from {address}; is a server running there?\n")] * 2


def test_a_wrong_address_is_refused_with_an_example() -> None:
    answer = vinci("health", "localhost:port")
    assert answer.status == 2
    assert "localhost:7654" in answer.text
