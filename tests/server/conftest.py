"""Fixtures of server tests: a database, a running server and a session for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.server.in_process import address
from vinci_client.session import Session
from vinci_server.app import Server


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return the path of the database of a test."""
    return tmp_path / "games.db"


@pytest.fixture
async def server(database: Path) -> AsyncIterator[Server]:
    """Start a server for one test."""
    server = await Server.start("127.0.0.1", 0, database)
    yield server
    await server.stop()


@pytest.fixture
async def session(server: Server) -> AsyncIterator[Session]:
    """Open a session with the server."""
    async with Session(address(server)) as session:
        yield session
