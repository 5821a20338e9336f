"""Fixtures of tests of the client library."""

from pathlib import Path

import pytest


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return the path of the database of a test."""
    return tmp_path / "games.db"
