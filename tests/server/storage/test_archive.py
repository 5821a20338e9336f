"""The archive: old finished matches are packed, and all their data stays available."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.server.in_process import LAST_TURN, Table, all_updates, refused, serving, table, within
from vinci.v1 import lobby_pb2
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.storage import store as stores
from vinci_server.storage.store import StoreError

NOW = 1e-9
"""Days after which a match is archived by the next start."""


async def finished(session: Session) -> Table:
    """Play a match to its end."""
    at = await table(session, LAST_TURN)
    await at.act(3, "hold HAM=5", request_id="last")
    return at


async def public_data(at: Table) -> list[Any]:
    """Return all public data of a match, and the answer to a repeated call."""
    history = await all_updates(at.watch(0, state=True, legal=True, position=True))
    listed = await at.session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())
    repeated = await at.act(3, "hold HAM=5", request_id="last")
    return [await at.get(), await at.record(), history, listed, repeated]


def counts(database: Path) -> tuple[int, int]:
    """Return the number of rows in the log and of matches in the archive."""
    connection = sqlite3.connect(database)
    numbers = [connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in ("log", "archive")]
    connection.close()
    return numbers[0], numbers[1]


async def archived(server: Server, count: int) -> None:
    """Wait until so many matches are archived."""

    def number(connection: sqlite3.Connection) -> int:
        return int(connection.execute("SELECT COUNT(*) FROM archive").fetchone()[0])

    while await server._store.run(number) < count:
        await asyncio.sleep(0.01)


async def test_archived_match_has_equal_answers_and_record(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await finished(session)
        before = await public_data(at)
    assert counts(database)[1] == 0
    for days in (NOW, 30, NOW):
        server = await Server.start("127.0.0.1", 0, database, archive_days=days)
        await within(archived(server, 1))
        async with Session(f"127.0.0.1:{server.port}") as session:
            assert await public_data(Table(session, at.match_id, at.host, at.tokens)) == before
        await server.stop()
        assert counts(database) == (0, 1)


async def test_only_old_finished_matches_are_archived(server: Server, session: Session) -> None:
    running = await table(session)
    await running.act(1, "x FEN")
    old = [await finished(session) for _ in range(stores.ARCHIVED_AT_ONCE + 2)]
    await asyncio.sleep(0.01)
    between = time.time()
    await finished(session)
    assert await server._store.archive(between) == len(old)
    assert await server._store.archive(between) == 0
    assert await server._store.archive(time.time() + 1) == 1


async def test_zero_days_disable_the_archive(database: Path) -> None:
    async with serving(database) as (_, session):
        await finished(session)
    server = await Server.start("127.0.0.1", 0, database, archive_days=0)
    await asyncio.sleep(0.05)
    await server.stop()
    assert counts(database)[1] == 0


async def test_match_being_read_can_be_archived(server: Server, session: Session) -> None:
    at = await finished(session)
    before = await public_data(at)
    assert await server._store.archive(time.time() + 1) == 1
    assert await public_data(at) == before
    server.lobby.rest(seconds=0, awake=0)
    assert await public_data(at) == before


async def test_rows_after_archiving_follow_those_of_the_archive(server: Server, session: Session) -> None:
    at = await finished(session)
    before = (await server._store.load(at.match_id)).rows
    later = before[-1]._replace(sequence=len(before) + 1, request=None)
    for _ in range(2):
        assert await server._store.archive(time.time() + 1) == 1
        if (await server._store.load(at.match_id)).rows == before:
            await server._store.append(at.match_id, [later])
        assert (await server._store.load(at.match_id)).rows == [*before, later]


async def test_failed_archiving_leaves_the_log(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await finished(session) for _ in range(3)]

    def fail(_data: bytes) -> bytes:
        raise MemoryError

    before = [await at.record() for at in tables]
    monkeypatch.setattr("vinci_server.storage.store.zlib.compress", fail)
    with pytest.raises(MemoryError):
        await server._store.archive(time.time() + 1)
    server.lobby.rest(seconds=0, awake=0)
    assert [await at.record() for at in tables] == before


async def test_damaged_archive_is_refused_and_affects_no_other(server: Server, session: Session) -> None:
    bad, good = await finished(session), await finished(session)
    before = await good.record()
    await server._store.archive(time.time() + 1)
    server.lobby.rest(seconds=0, awake=0)

    def damage(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE archive SET rows = substr(rows, 1, 100) WHERE match = ?", (bad.match_id,))

    await server._store.run(damage)
    error = await refused(bad.get())
    assert (error.reason, bad.match_id in error.message, "archive" in error.message) == ("STORE_FAILED", True, True)
    assert await good.record() == before
    with pytest.raises(StoreError, match="damaged"):
        await server._store.load(bad.match_id)
