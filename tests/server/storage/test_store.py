"""The store: acknowledged rows are durable, cancelled callers do no harm, unusable files are refused."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import os
import sqlite3
import threading
from pathlib import Path
from typing import Final

import grpc
import pytest

from tests.support.server.in_process import HUMAN, Table, create, refused, serving, table, updates, within
from vinci.v1 import lobby_pb2
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.storage.database import VERSION
from vinci_server.storage.store import LogRow, Store, StoreError

PAGE_BYTES: Final = 4096


def row(sequence: int, request: str | None = None) -> LogRow:
    """Return a row of a log."""
    return LogRow(sequence, "act", 1, "player", request, "x ALP", "{}", 1000.0 + sequence, "hash")


@pytest.fixture
def store(database: Path) -> Store:
    """Open a store with one match."""
    store = Store(database)
    asyncio.run(store.create("match", row(1)))
    return store


def test_appended_rows_are_there_after_reopening(store: Store) -> None:
    rows = [row(2), row(3, "request")]
    asyncio.run(store.append("match", rows, "over"))
    store.close()
    again = Store(store.path)
    assert asyncio.run(again.load("match")).rows == [row(1), *rows]
    assert [tuple(entry) for entry in asyncio.run(again.entries())] == [("match", 1001.0, "over")]
    again.close()


def test_rows_are_stored_all_or_none(store: Store) -> None:
    with pytest.raises(StoreError):
        asyncio.run(store.append("match", [row(2), row(2)], "over"))
    assert asyncio.run(store.load("match")).rows == [row(1)]
    assert asyncio.run(store.entries(status="over")) == []
    store.close()


def test_one_request_is_stored_once(store: Store) -> None:
    asyncio.run(store.append("match", [row(2, "request")]))
    with pytest.raises(StoreError):
        asyncio.run(store.append("match", [row(3, "request")]))
    assert asyncio.run(store.load("match")).rows == [row(1), row(2, "request")]
    store.close()


def test_failed_job_does_not_affect_others_of_its_transaction(store: Store) -> None:
    async def work() -> list[object]:
        others = [store.create(f"m{number}", row(1)) for number in range(5)]
        return await asyncio.gather(store.append("match", [row(1)]), *others, return_exceptions=True)

    failed, *done = asyncio.run(work())
    assert isinstance(failed, StoreError)
    assert done == [True] * 5
    store.close()
    again = Store(store.path)
    assert len(asyncio.run(again.entries())) == 6
    again.close()


def test_cancelled_caller_does_not_stop_the_store(store: Store) -> None:
    async def work() -> int:
        for _ in range(20):
            going = asyncio.create_task(store.entries())
            await asyncio.sleep(0)
            going.cancel()
        async with asyncio.timeout(10):
            await store.append("match", [row(2)])
            return len((await store.load("match")).rows)

    assert asyncio.run(work()) == 2
    store.close()


def test_closing_finishes_queued_jobs(store: Store) -> None:
    """Many jobs are queued behind a slow one when the store is closed."""
    started, go_on = threading.Event(), threading.Event()

    def slow(_connection: sqlite3.Connection) -> None:
        started.set()
        go_on.wait(10)

    async def work() -> None:
        first = asyncio.ensure_future(store.run(slow))
        await asyncio.to_thread(started.wait, 10)
        others = [asyncio.ensure_future(store.append("match", [row(number)])) for number in range(2, 6)]
        await asyncio.sleep(0)
        closing = asyncio.get_running_loop().run_in_executor(None, store.close)
        await asyncio.sleep(0.05)
        go_on.set()
        async with asyncio.timeout(10):
            await asyncio.gather(first, *others, closing)

    asyncio.run(work())
    again = Store(store.path)
    assert len(asyncio.run(again.load("match")).rows) == 5
    again.close()


async def test_file_in_use_by_another_server_is_refused(server: Server, database: Path) -> None:
    with pytest.raises(StoreError) as caught:
        await within(Server.start("127.0.0.1", 0, database))
    assert str(database) in str(caught.value)
    assert "in use by another server" in str(caught.value)
    assert "--db" in str(caught.value)


async def test_file_of_a_newer_server_is_refused_and_left_alone(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.commit()
    connection.close()
    before = database.read_bytes()
    with pytest.raises(StoreError, match=f"format {VERSION + 1}.*format {VERSION}"):
        await Server.start("127.0.0.1", 0, database)
    assert database.read_bytes()[100:] == before[100:]  # but for the journal mode in the header
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
    connection.close()


async def test_other_file_is_refused_and_left_alone(database: Path) -> None:
    database.write_bytes(b"not a database at all\n" * 100)
    with pytest.raises(StoreError, match="this is no database"):
        await Server.start("127.0.0.1", 0, database)
    assert database.read_bytes() == b"not a database at all\n" * 100


async def test_match_with_a_missing_row_is_refused(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x BOS")
    connection = sqlite3.connect(database)
    connection.execute("DELETE FROM log WHERE text = 'x FEN'")
    connection.commit()
    connection.close()
    async with serving(database) as (_, session):
        assert (await refused(Table(session, at.match_id, "", at.tokens).get())).reason == "MATCH_UNREADABLE"


@pytest.mark.parametrize("name", ["folder", "folder/games.db"])
async def test_unwritable_folder_is_refused_by_name(tmp_path: Path, name: str) -> None:
    database, place = tmp_path / "folder" / "games.db", tmp_path / name
    Store(database).close()
    before = database.read_bytes()
    place.chmod(place.stat().st_mode & ~0o222)
    if os.access(place, os.W_OK):
        pytest.skip("whoever runs this may write everywhere")
    with pytest.raises(StoreError, match=f"{place} may not be written"):
        Store(database)
    assert database.read_bytes() == before


async def test_database_of_another_program_is_refused_and_left_alone(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(StoreError, match="Vinci"):
        await Server.start("127.0.0.1", 0, database)
    connection = sqlite3.connect(database)
    assert [name for (name,) in connection.execute("SELECT name FROM sqlite_master")] == ["recipes"]
    connection.close()


async def test_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be opened"):
        await Server.start("127.0.0.1", 0, tmp_path / "file" / "games.db")


async def test_unreadable_match_does_not_affect_others(database: Path) -> None:
    async with serving(database) as (_, session):
        good, bad = await table(session), await table(session)
        await good.act(1, "x FEN")
        await bad.act(1, "x FEN")
    connection = sqlite3.connect(database)
    connection.execute("UPDATE log SET text = 'x GOR' WHERE match = ? AND kind = 'act'", (bad.match_id,))
    connection.commit()
    connection.close()
    async with serving(database) as (_, session):
        assert (await Table(session, good.match_id, "", good.tokens).get()).revision == 1
        assert (await Table(session, good.match_id, "", good.tokens).act(1, "x BOS", request_id="2")).revision == 2
        error = await refused(session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id=bad.match_id)))
        assert error.reason == "MATCH_UNREADABLE"
        assert bad.match_id in error.message
        listed = await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())
        assert [match.match_id for match in listed.matches] == [good.match_id]


async def test_log_with_a_different_replay_is_refused(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN")
    connection = sqlite3.connect(database)
    connection.execute("UPDATE log SET text = 'x BOS' WHERE kind = 'act'")
    connection.commit()
    connection.close()
    async with serving(database) as (_, session):
        error = await refused(Table(session, at.match_id, at.host, at.tokens).get())
        assert (error.reason, at.match_id in error.message) == ("MATCH_UNREADABLE", True)


async def test_request_that_cannot_be_stored_has_no_effect(server: Server, session: Session) -> None:
    """A limit on the number of database pages simulates a full disk; the request can be repeated."""

    async def limit(pages: int) -> None:
        await server._store.run(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchone())

    at = await table(session)
    stream = at.watch(1)
    await within(stream.read())
    await limit(1)

    async def fill() -> None:
        for _ in range(500):
            await create(session, HUMAN, HUMAN, HUMAN, seed="x" * 128)

    error = await refused(fill())
    assert (error.code, error.reason) == (grpc.StatusCode.INTERNAL, "STORE_FAILED")
    turn = ("x FEN", "x BOS", "hold ARA=4 BOS=3 FEN=3")
    error = await refused(at.act(1, *turn, request_id="x" * 64))
    assert error.reason == "STORE_FAILED"
    assert (await at.get()).revision == 0
    await limit(1_000_000)
    assert (await at.act(1, *turn, request_id="x" * 64)).revision == 3
    assert [update.revision for update in await updates(stream, 3)] == [1, 2, 3]


def test_rows_contain_no_token(database: Path) -> None:
    async def play() -> tuple[str, ...]:
        async with serving(database) as (_, session):
            at = await table(session)
            await at.act(1, "x FEN")
            return (at.host, *at.tokens)

    secrets = asyncio.run(play())
    connection = sqlite3.connect(database)
    dump = "\n".join(connection.iterdump())
    connection.close()
    for token in secrets:
        assert token.partition(".")[2] not in dump
