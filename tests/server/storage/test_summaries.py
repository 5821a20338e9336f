"""Summaries of finished matches are stored, and change with their rows."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.server.in_process import HUMAN, Table, create, join, serving
from tests.support.server.persons import ANN, BOB, Device, finished
from vinci.v1 import lobby_pb2
from vinci_client.session import Session
from vinci_server import lobby
from vinci_server.storage.store import LogRow, Snapshot, Store, Summary


async def listed(session: Session) -> list[lobby_pb2.Match]:
    """Return all matches."""
    return list((await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches)


def stored(database: Path) -> list[tuple[str | None, bytes | None]]:
    """Return server and summary of each match that has started."""
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT server, summary FROM snapshot ORDER BY match").fetchall()


async def over(database: Path) -> tuple[lobby_pb2.Match, str]:
    """Play a match of two persons to its end on a server; return it and a name in it."""
    async with serving(database) as (_, session):
        ann = Device(session, ANN)
        match = await finished(ann, Device(session, BOB))
        return match, await ann.get()


async def test_list_of_a_later_server_is_the_same_without_reading_matches(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await over(database)
    async with serving(database) as (_, session):
        first = await listed(session)
    assert [lobby_pb2.Match.FromString(summary or b"") for _, summary in stored(database)] == first
    async with serving(database) as (server, session):
        monkeypatch.setattr(server.lobby, "_read", None)
        assert await listed(session) == first


async def test_matches_without_summary_get_one_in_the_background(database: Path) -> None:
    match, _ = await over(database)
    async with serving(database) as (server, _):
        await server.lobby.summarize_all()
    ((version, summary),) = stored(database)
    assert (version, lobby_pb2.Match.FromString(summary or b"").match_id) == (lobby.VERSION, match.match_id)


async def test_summary_of_another_version_is_written_again(database: Path) -> None:
    await over(database)
    async with serving(database) as (_, session):
        first = await listed(session)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE snapshot SET server = '0.1', summary = x'ff'")
    async with serving(database) as (_, session):
        assert await listed(session) == first
    assert stored(database)[0][0] == lobby.VERSION


async def test_rematch_is_in_the_list_afterwards(database: Path) -> None:
    async with serving(database) as (_, session):
        match_id = (await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True)).match.match_id
        tokens = [(await join(session, match_id)).seat_token for _ in range(3)]
        for seat in (1, 2):
            await Table(session, match_id, "", tuple(tokens)).act(seat, f"forfeit {seat}", request_id=f"forfeit {seat}")
    async with serving(database) as (_, session):
        assert [one.status for one in await listed(session)] == [lobby_pb2.MATCH_STATUS_OVER]
        rematch = (await session.join_rematch(match_id, tokens[0])).match.match_id
    async with serving(database) as (_, session):
        assert {one.match_id: one.rematch for one in await listed(session)} == {match_id: rematch, rematch: ""}


async def test_forgotten_name_is_in_no_summary(database: Path) -> None:
    _, name = await over(database)
    async with serving(database) as (_, session):
        await listed(session)
    assert name.encode() in (stored(database)[0][1] or b"")
    async with serving(database) as (_, session):
        await Device(session, ANN).forget()
        (match,) = await listed(session)
    assert match.seats[0].player == "somebody"
    assert name.encode() not in database.read_bytes()


def test_summary_of_a_match_that_has_got_more_rows_is_not_stored(database: Path) -> None:
    store = Store(database)

    def row(sequence: int) -> LogRow:
        return LogRow(sequence, "act", 1, "player", None, "x ALP", "{}", 1000.0 + sequence, "hash")

    async def write() -> dict[str, bytes]:
        await store.create("one", row(1))
        await store.append("one", [row(2)], "over", Snapshot(2, "1", "position"))
        await store.summarize("1", [Summary("one", 1, b"old")])
        assert not await store.summaries(["one"], "1")
        await store.summarize("1", [Summary("one", 2, b"new"), Summary("none", 2, b"new")])
        await store.archive(2000.0)
        assert await store.summaries(["one"], "2") == {}
        return await store.summaries(["one", "none"], "1")

    assert asyncio.run(write()) == {"one": b"new"}
    store.close()
