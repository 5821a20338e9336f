"""Open matches: how many a host may create, and when they expire."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sqlite3
from pathlib import Path

import grpc
import pytest

from tests.support.server.in_process import DUMMY, HUMAN, bot_seat, create, join, refused, serving, table, within
from tests.support.server.limited import limited
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_server import lobby as lobby_module
from vinci_server.app import Server

OPEN, RUNNING, ENDED = lobby_pb2.MATCH_STATUS_OPEN, lobby_pb2.MATCH_STATUS_RUNNING, lobby_pb2.MATCH_STATUS_ENDED


async def status(session: Session, match_id: str) -> lobby_pb2.Match:
    """Return the public state of a match."""
    return (await session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id=match_id))).match


def age(database: Path, days: float) -> None:
    """Set all times in a database back by that many days."""
    connection = sqlite3.connect(database)
    for table_, name in (("match", "created"), ("log", "time")):
        connection.execute(f"UPDATE {table_} SET {name} = {name} - ?", (days * 86_400,))
    connection.commit()
    connection.close()


async def test_open_matches_expire_without_players(database: Path) -> None:
    async with serving(database) as (_, session):
        empty = (await create(session, HUMAN, HUMAN, DUMMY)).match.match_id
        for_bots = (await create(session, HUMAN, bot_seat("ada"), DUMMY)).match.match_id
        watched = (await create(session, HUMAN, HUMAN, DUMMY)).match.match_id
        recent = (await create(session, HUMAN, HUMAN, DUMMY)).match.match_id
        joined = (await create(session, HUMAN, HUMAN, DUMMY)).match.match_id
        await join(session, joined)
        running = (await table(session)).match_id
    age(database, 1.1)
    async with serving(database) as (server, session):
        young = (await create(session, HUMAN, HUMAN, DUMMY)).match.match_id
        stream = session.match.Watch(match_pb2.WatchRequest(match_id=watched))
        await within(stream.read())
        server.lobby.keep(recent)
        await server.lobby.expire(1)
        for match_id in (empty, for_bots):
            match = await status(session, match_id)
            assert (match.status, match.ended) == (ENDED, "it did not start in time")
        for match_id in (watched, recent, joined, young):
            assert (await status(session, match_id)).status == OPEN
        assert (await status(session, running)).status == RUNNING
        stream.cancel()
    age(database, 30)
    async with serving(database) as (server, session):
        await server.lobby.expire(1)
        assert (await status(session, joined)).status == ENDED
        assert (await status(session, running)).status == RUNNING
        assert server.lobby.live == 1


async def test_expiry_of_open_matches_is_checked_periodically(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(database) as (_, session):
        empty = (await create(session, HUMAN, HUMAN, DUMMY)).match.match_id
    age(database, 3)
    monkeypatch.setattr(lobby_module, "EXPIRE_SECONDS", 0.05)
    server = await Server.start("127.0.0.1", 0, database, open_days=0)
    await asyncio.sleep(0.3)
    assert server.lobby.live == 1
    await server.stop()
    async with serving(database) as (_, session):
        async with asyncio.timeout(10):
            while (await status(session, empty)).status != ENDED:
                await asyncio.sleep(0.02)


async def test_open_matches_per_host_are_limited(database: Path) -> None:
    async with limited(database, open_matches_per_peer=3) as (server, session):
        made = [await create(session, HUMAN, DUMMY, DUMMY, start_when_full=True) for _ in range(3)]
        await create_refused(session)
        await join(session, made[0].match.match_id)  # it starts
        await create(session, HUMAN, DUMMY, DUMMY)
        await create_refused(session)
        assert server.lobby.open_by("10.0.0.1") == 0


async def test_concurrent_creates_respect_the_limit_per_host(database: Path) -> None:
    async with limited(database, open_matches_per_peer=3) as (_, session):
        responses = await asyncio.gather(
            *(create(session, HUMAN, HUMAN, DUMMY) for _ in range(20)), return_exceptions=True
        )
        assert sum(isinstance(one, lobby_pb2.CreateMatchResponse) for one in responses) == 3


async def test_matches_that_start_at_once_do_not_count_as_open(database: Path) -> None:
    async with limited(database, open_matches_per_peer=3) as (_, session):
        for _ in range(6):
            await create(session, *[bot_seat("ada")] * 3, start_when_full=True)


async def create_refused(session: Session) -> None:
    """Return the refusal of a further match."""
    error = await refused(create(session, HUMAN, HUMAN, DUMMY))
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_MATCHES")
    assert error.facts["limit"] == "open_matches_per_peer"
