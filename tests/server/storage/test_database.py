"""A database of an earlier version is upgraded completely or not at all, and every match continues."""

# ruff: noqa: D103  # the name of each test says what it checks

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import DATA
from tests.support.server.in_process import Table, serving, updates
from vinci.v1 import lobby_pb2, match_pb2
from vinci_rules.record import replay, verify_chance
from vinci_server.storage import database as databases
from vinci_server.storage.database import STEPS, VERSION, StoreError
from vinci_server.storage.store import Store

OLD: Final = DATA / "database-1.sql"
"""A database of version 1, as SQL: a match of a person and two dummies that runs, at revision 8, and an open one."""
RUNNING, OPEN = "pdysn5c3", "pbzvtkpj"
TOKEN: Final = "pdysn5c3.UdFJKr4Vjp14X-dzzyt01g"
REQUEST: Final = "d9313251-f515-40cf-b6e2-f6bbae5889c6"
"""The request that was `take 1`, the first action."""


@pytest.fixture
def old(database: Path) -> Path:
    """Return a database of version 1."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(OLD.read_text())
    connection.close()
    return database


def contents(database: Path) -> tuple[int, list[str]]:
    """Return the version of a database and all its rows."""
    connection = sqlite3.connect(database)
    version, dump = connection.execute("PRAGMA user_version").fetchone()[0], list(connection.iterdump())
    connection.close()
    return version, dump


async def test_running_match_of_version_1_continues(old: Path) -> None:
    async with serving(old) as (_, session):
        at = Table(session, RUNNING, "", (TOKEN,))
        match = await at.get()
        assert (match.revision, match.status) == (8, lobby_pb2.MATCH_STATUS_RUNNING)
        assert [update.revision for update in await updates(at.watch(0), 9)] == list(range(9))
        assert (await at.act(1, "take 1", request_id=REQUEST)).repeated_request
        suggestion = await session.match.Suggest(match_pb2.SuggestRequest(match_id=RUNNING))
        answer = await session.act(RUNNING, TOKEN, [suggestion.action], 8)
        assert answer.revision == 9
        lines = await at.record()
        assert len(list(replay(lines))) >= 10
        assert verify_chance(lines)
        assert (await Table(session, OPEN, "", ()).get()).status == lobby_pb2.MATCH_STATUS_OPEN
    assert contents(old)[0] == VERSION
    async with serving(old) as (_, session):
        assert (await Table(session, RUNNING, "", (TOKEN,)).record())[: len(lines)] == lines


def test_upgrade_from_version_1_makes_the_tables_of_a_new_database(old: Path, tmp_path: Path) -> None:
    def tables(database: Path) -> list[tuple[str, list[tuple[object, ...]]]]:
        Store(database).close()
        connection = sqlite3.connect(database)
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master ORDER BY name")]
        actual = [(name, connection.execute(f"PRAGMA table_info({name})").fetchall()) for name in names]
        connection.close()
        return actual

    assert tables(old) == tables(tmp_path / "new.db")


def test_failed_upgrade_leaves_version_1(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(old)
    monkeypatch.setattr(databases, "STEPS", (*STEPS[:-1], f"{STEPS[-1]} CREATE TABLE match (again TEXT);"))
    with pytest.raises(StoreError, match="match already exists"):
        Store(old)
    assert contents(old) == before
    monkeypatch.undo()
    Store(old).close()
    assert contents(old)[0] == VERSION


def test_killed_upgrade_leaves_version_1(old: Path) -> None:
    """The process kills itself within a step, between two changes of tables."""
    before = contents(old)
    dying = (
        "import os, signal, sqlite3, sys; from pathlib import Path; from vinci_server.storage import database\n"
        "class Dying(sqlite3.Connection):\n"
        "    def executescript(self, script):\n"
        "        self.create_function('die', 0, lambda: os.kill(os.getpid(), signal.SIGKILL))\n"
        "        return super().executescript(script.replace('CREATE TABLE archive', 'SELECT die(); CREATE TABLE archive'))\n"
        "connect = sqlite3.connect\n"
        "sqlite3.connect = lambda path, **options: connect(path, factory=Dying, **options)\n"
        "database.connect(Path(sys.argv[1]))\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", dying, str(old)], env=environment, check=False, capture_output=True)
    assert ended.returncode == -9, ended.stderr
    assert contents(old) == before
    Store(old).close()
    assert contents(old)[0] == VERSION
