"""A server with limits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.support.server.in_process import address
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.limits import Limits


@asynccontextmanager
async def limited(database: Path, **numbers: int) -> AsyncIterator[tuple[Server, Session]]:
    """Start a server with these limits and open a session with it."""
    server = await Server.start("127.0.0.1", 0, database, limits=Limits(**numbers))
    try:
        async with Session(address(server)) as session:
            yield server, session
    finally:
        await server.stop()


def set_limit(monkeypatch: pytest.MonkeyPatch, name: str, number: int) -> None:
    """Set a limit for all servers of a test, those already started too."""
    monkeypatch.setattr(Limits, name, property(lambda _limits: number, lambda _limits, _number: None))
