"""Calls that are repeated with the same `request_id`: what was made the first time is told again."""

import asyncio
import uuid
from pathlib import Path

import pytest
from client.proxy import proxy
from server.running import HUMAN, SOON, create, refused, serving

from vinci.v1 import lobby_pb2
from vinci_client.session import Session
from vinci_server.app import Server

THREE = (HUMAN, HUMAN, HUMAN)


async def matches(session: Session) -> int:
    """How many matches the server has."""
    return len((await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches)


async def test_a_match_that_is_asked_for_again_is_the_same_one(database: Path) -> None:
    """At once, one after the other, and after a restart; with another id it is another one."""
    first, other = str(uuid.uuid4()), str(uuid.uuid4())
    async with serving(database) as (_, session):
        made = await asyncio.gather(*[create(session, *THREE, request_id=first) for _ in range(5)])
        made.append(await create(session, *THREE, request_id=first))
        assert await matches(session) == 1
    async with serving(database) as (_, session):
        made.append(await create(session, *THREE, request_id=first))
        assert len({(answer.match.match_id, answer.host_token) for answer in made}) == 1
        assert (await create(session, *THREE, request_id=other)).match.match_id != made[0].match.match_id
        assert await matches(session) == 2


async def test_a_match_is_told_again_by_a_server_that_makes_no_more(server: Server, session: Session) -> None:
    """One that drains, or has as many as it takes: nothing is made."""
    first = str(uuid.uuid4())
    made = await create(session, *THREE, request_id=first)
    server.lobby.draining = True
    assert (await refused(create(session, *THREE))).reason == "DRAINING"
    assert (await create(session, *THREE, request_id=first)).host_token == made.host_token


@pytest.mark.parametrize("request_id", ["short", "x" * 65, "with a line\n break in it", "a-hash#in-the-middle"])
async def test_an_id_that_is_no_secret_is_refused(session: Session, request_id: str) -> None:
    """Whoever guesses it would be told the token."""
    assert (await refused(create(session, *THREE, request_id=request_id))).reason == "BAD_REQUEST_ID"


async def test_a_session_whose_answers_are_lost_makes_one_match(database: Path) -> None:
    """It sends the same request again."""
    async with serving(database) as (server, direct), proxy(server.port) as between:
        async with Session(f"127.0.0.1:{between.port}") as session, asyncio.timeout(SOON):
            await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
            between.deaf = True
            request = lobby_pb2.CreateMatchRequest(seats=THREE, board="tiny")
            making = asyncio.create_task(session.create(request))
            while not await matches(direct):
                await asyncio.sleep(0.01)
            between.cut()
            between.deaf = False
            made = await making
            assert not request.request_id, "used again, it would make no second match"
        assert await matches(direct) == 1
        start = lobby_pb2.SetSeatRequest(match_id=made.match.match_id, seat=1, setup=HUMAN)
        await direct.call(direct.lobby.SetSeat, start, made.host_token)
