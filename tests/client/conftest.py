"""Servers for the client library to talk to."""

from pathlib import Path

import pytest


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the games of a test are kept."""
    return tmp_path / "games.db"
