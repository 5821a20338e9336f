"""A server with a web server, and a client of it, for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.server.over_http import Web, web_server


@pytest.fixture
async def web(database: Path) -> AsyncIterator[Web]:
    """Start a server and its web server for one test."""
    async with web_server(database) as (_, web):
        yield web
