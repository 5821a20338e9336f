"""Repeated calls with the same `request_id`: the first result is returned again."""

import asyncio
import uuid
from pathlib import Path

import pytest

from tests.support.network.cuttable_proxy import proxy
from tests.support.server.in_process import DUMMY, HUMAN, SOON, create, join, refused, serving, table
from vinci.v1 import game_pb2, lobby_pb2
from vinci_client.session import Session
from vinci_server.app import Server

THREE = (HUMAN, HUMAN, HUMAN)


async def matches(session: Session) -> int:
    """Return the number of matches of the server."""
    return len((await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches)


async def test_repeated_create_returns_the_same_match(database: Path) -> None:
    """Repeated requests, concurrent, later or after a restart, return one match; another id makes another match."""
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


async def test_repeated_create_is_answered_by_a_full_or_draining_server(server: Server, session: Session) -> None:
    """The repeated request creates nothing."""
    first = str(uuid.uuid4())
    made = await create(session, *THREE, request_id=first)
    server.lobby.draining = True
    assert (await refused(create(session, *THREE))).reason == "DRAINING"
    assert (await create(session, *THREE, request_id=first)).host_token == made.host_token


async def test_repeated_create_of_a_finished_match_after_a_restart(database: Path) -> None:
    """The server does not keep a finished match in memory."""
    first = str(uuid.uuid4())
    async with serving(database) as (_, session):
        made = await create(session, DUMMY, DUMMY, DUMMY, start_when_full=True, seed="3", request_id=first)
        async for _ in session.watch(made.match.match_id):
            pass
    async with serving(database) as (_, session):
        again = await create(session, DUMMY, DUMMY, DUMMY, request_id=first)
        assert (again.match.match_id, again.host_token) == (made.match.match_id, made.host_token)
        assert again.match.status == lobby_pb2.MATCH_STATUS_OVER
        assert await matches(session) == 1


@pytest.mark.parametrize("request_id", ["short", "x" * 65, "with a line\n break in it", "a-hash#in-the-middle"])
async def test_guessable_request_id_is_refused(session: Session, request_id: str) -> None:
    """A client that guesses the id of a request would get its token."""
    assert (await refused(create(session, *THREE, request_id=request_id))).reason == "BAD_REQUEST_ID"


async def test_session_with_lost_answers_creates_one_match(database: Path) -> None:
    """The session repeats its request with the same id."""
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


async def test_repeated_join_returns_the_same_seat(database: Path) -> None:
    """Repeated requests, concurrent, later, while draining or after a restart of a running game, return one seat."""
    mine, other = str(uuid.uuid4()), str(uuid.uuid4())
    async with serving(database) as (server, session):
        match_id = (await create(session, HUMAN, HUMAN, DUMMY, start_when_full=True)).match.match_id
        taken = await asyncio.gather(*[join(session, match_id, request_id=mine) for _ in range(5)])
        taken.append(await join(session, match_id, request_id=mine))
        others = await join(session, match_id, request_id=other)
        server.lobby.draining = True
        taken.append(await join(session, match_id, request_id=mine))
    async with serving(database) as (_, session):
        taken.append(await join(session, match_id, request_id=mine))
        assert len({(answer.seat, answer.seat_token) for answer in taken}) == 1
        assert (others.seat, taken[0].seat) in ((2, 1), (1, 2))
        assert others.seat_token != taken[0].seat_token
        answer = await session.act(
            match_id, taken[0].seat_token, [game_pb2.Action(notation=f"forfeit {taken[0].seat}")]
        )
        assert [update.seat for update in answer.updates] == [taken[0].seat]


async def test_left_seat_can_be_joined_again_with_the_same_id(session: Session) -> None:
    """Its token is valid again."""
    mine = str(uuid.uuid4())
    match_id = (await create(session, *THREE)).match.match_id
    first = await join(session, match_id, 2, request_id=mine)
    leave = lobby_pb2.LeaveMatchRequest(match_id=match_id)
    await session.call(session.lobby.LeaveMatch, leave, first.seat_token)
    again = await join(session, match_id, 3, request_id=mine)
    assert (again.seat, again.seat_token) == (3, first.seat_token)


async def test_equal_ids_give_different_tokens_for_other_matches_and_hosts(session: Session) -> None:
    """A client that uses an id twice reveals nothing."""
    mine = str(uuid.uuid4())
    made = await create(session, *THREE, request_id=mine)
    another = await create(session, *THREE)
    tokens = [(await join(session, at.match.match_id, request_id=mine)).seat_token for at in (made, another)]
    assert len({token.partition(".")[2] for token in (*tokens, made.host_token)}) == 3


async def test_handover_code_works_for_one_request_and_its_repeats(session: Session) -> None:
    """A repeated request gets the same token; any other request with the code is refused."""
    mine, other = str(uuid.uuid4()), str(uuid.uuid4())
    at = await table(session)
    code = (await session.offer_seat(at.match_id, at.tokens[1])).code
    taken = [await join(session, "", code=code, request_id=mine) for _ in range(3)]
    assert {(answer.seat, answer.seat_token) for answer in taken} == {(2, taken[0].seat_token)}
    for request_id in (other, ""):
        assert (await refused(join(session, "", code=code, request_id=request_id))).reason == "BAD_CODE"


async def test_repeated_rematch_request_returns_the_same_token(session: Session) -> None:
    """Without an id the seat is the same, with a new token each time."""
    match_id = (await create(session, *THREE, start_when_full=True)).match.match_id
    seats = [await join(session, match_id) for _ in range(3)]
    for seat in seats[:2]:
        await session.act(match_id, seat.seat_token, [game_pb2.Action(notation=f"forfeit {seat.seat}")])

    async def rematch(request_id: str) -> lobby_pb2.JoinRematchResponse:
        request = lobby_pb2.JoinRematchRequest(match_id=match_id, request_id=request_id)
        return await session.call(session.lobby.JoinRematch, request, seats[0].seat_token)

    mine = str(uuid.uuid4())
    assert (await rematch(mine)).seat_token == (await rematch(mine)).seat_token
    assert (await rematch("")).seat_token != (await rematch("")).seat_token


async def test_session_with_lost_answers_takes_one_seat(database: Path) -> None:
    """The session repeats its request with the same id and gets its token."""
    async with serving(database) as (server, direct), proxy(server.port) as between:
        match_id = (await create(direct, *THREE)).match.match_id
        async with Session(f"127.0.0.1:{between.port}") as session, asyncio.timeout(SOON):
            await session.get(match_id)
            between.deaf = True
            joining = asyncio.create_task(session.join(match_id, "Ann"))
            while not any(seat.taken for seat in (await direct.get(match_id)).seats):
                await asyncio.sleep(0.01)
            between.cut()
            between.deaf = False
            joined = await joining
        assert [seat.taken for seat in (await direct.get(match_id)).seats] == [True, False, False]
        await direct.call(direct.lobby.LeaveMatch, lobby_pb2.LeaveMatchRequest(match_id=match_id), joined.seat_token)
