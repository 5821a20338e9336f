"""The server of a league: what entrants may do with their code, whose names are invited, and what they are told."""

# ruff: noqa: D103  # the name of each test says what it checks

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from tests.support.server.in_process import DUMMY, BotStream, address, bearer, bot_seat, eventually, refused, within
from vinci.v1 import admin_pb2, bot_pb2, lobby_pb2, match_pb2
from vinci.v1.bot_pb2_grpc import BotServiceStub
from vinci_client.access import Access
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.limits import USUAL, Limits
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.rpc.access import ServerAccess
from vinci_server.rpc.bots import answers

OWN: Final = "aaaa-bbbb"
ENTRANTS: Final = "cccc-dddd"


@asynccontextmanager
async def league(
    database: Path, *, anonymous: bool = False, limits: Limits = USUAL
) -> AsyncIterator[tuple[Server, Session]]:
    """Run the server of a league; yields a session of its organiser, too."""
    access = ServerAccess(code=OWN, entrants=ENTRANTS)
    server = await Server.start("127.0.0.1", 0, database, access=access, limits=limits, anonymous=anonymous)
    try:
        async with Session(address(server), Access(code=OWN)) as session:
            yield server, session
    finally:
        await server.stop()


@asynccontextmanager
async def entrant(server: Server) -> AsyncIterator[BotStream]:
    """Open a stream of a bot with the code of entrants."""
    async with grpc.aio.insecure_channel(address(server)) as channel:
        stream = BotStream(channel)
        stream._call = BotServiceStub(channel).Play(metadata=Access(code=ENTRANTS).metadata())
        yield stream
        stream.cancel()


async def key_of(session: Session, database: Path, name: str) -> str:
    """Return a new key for a name."""
    token = (database.parent / ADMIN_FILE).read_text(encoding="ascii").strip()
    answer: Any = await session.call(session.admin.MakeBotKey, admin_pb2.MakeBotKeyRequest(name=name), token)
    return str(answer.key)


async def test_code_of_entrants_lets_bots_do_nothing_but_play(database: Path) -> None:
    async with league(database) as (server, _), Session(address(server), Access(code=ENTRANTS)) as session:
        assert (await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())).version
        assert (await session.call(session.lobby.GetBoard, lobby_pb2.GetBoardRequest())).board.provinces
        for call, request in (
            (session.lobby.ListMatches, lobby_pb2.ListMatchesRequest()),
            (session.lobby.GetMatch, lobby_pb2.GetMatchRequest(match_id="x")),
            (session.lobby.CreateMatch, lobby_pb2.CreateMatchRequest()),
            (session.lobby.JoinMatch, lobby_pb2.JoinMatchRequest(match_id="x")),
            (session.match.GetRecord, match_pb2.GetRecordRequest(match_id="x")),
            (session.admin.GetServerStatus, admin_pb2.GetServerStatusRequest()),
        ):
            error = await refused(session.call(call, request))
            assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "PLAY_ONLY")


@pytest.mark.parametrize("code", ["eeee-ffff", ""])
async def test_other_codes_do_not_let_in(database: Path, code: str) -> None:
    async with league(database) as (server, _), Session(address(server), Access(code=code)) as session:
        error = await refused(session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest()))
        assert error.reason == ("BAD_ACCESS" if code else "NO_ACCESS")


async def test_name_without_invitation_is_refused(database: Path) -> None:
    async with league(database) as (server, session):
        key = await key_of(session, database, "ann")
        async with entrant(server) as ann, entrant(server) as eve:
            await ann.hello("ann", key=key)
            await eve.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="eve", key=key)))
            error = await refused(eve.next())
            assert (error.reason, error.facts) == ("BAD_KEY", {"which": "UNINVITED", "name": "eve"})


async def test_bot_with_seat_token_needs_no_invitation(database: Path) -> None:
    async with league(database) as (server, session):
        request = lobby_pb2.CreateMatchRequest(seats=[bot_seat("local"), DUMMY, DUMMY])
        match = (await session.create(request)).match.match_id
        token = (await session.join(match, "local", 1)).seat_token
        async with entrant(server) as local, entrant(server) as eve:
            await local.hello("local", tokens=[token])
            await eve.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="eve", seat_tokens=["x.guess"])))
            await within(eve.next())
            assert (await refused(eve.next())).reason in ("UNKNOWN_MATCH", "BAD_TOKEN")


async def test_seat_token_gives_no_games_of_another_name(database: Path) -> None:
    async with league(database) as (server, session):
        await key_of(session, database, "ann")
        request = lobby_pb2.CreateMatchRequest(seats=[bot_seat("local"), bot_seat("ann"), DUMMY])
        match = (await session.create(request)).match.match_id
        token = (await session.join(match, "local", 1)).seat_token
        async with entrant(server) as local:
            await local.hello("ann", tokens=[token])
            assert (await local.next()).seated.seat == 1
            await local.send(bot_pb2.PlayRequest(set_games=bot_pb2.SetGames(games=1)))
            error = await refused(local.next())
            assert (error.reason, error.facts["name"]) == ("BAD_KEY", "ann")
            assert server.offered_games() == {}


async def test_new_key_ends_the_streams_with_the_old_one(database: Path) -> None:
    async with league(database) as (server, session):
        key = await key_of(session, database, "ann")
        async with entrant(server) as ann:
            await ann.hello("ann", key=key)
            await eventually(lambda: server.offered_games() == {"ann": 1})
            await key_of(session, database, "ann")
            assert (await refused(ann.next())).reason == "BAD_KEY"
            assert server.offered_games() == {}


async def test_matches_of_other_requests_are_ended(database: Path) -> None:
    requests = [
        lobby_pb2.CreateMatchRequest(seats=[bot_seat("ann"), DUMMY, DUMMY], request_id=digit * 32) for digit in "ab"
    ]
    async with league(database) as (server, session):
        kept, other = [(await session.create(request)).match.match_id for request in requests]
        await session.create(requests[0])
    async with league(database) as (server, session):
        await server.end_matches_except([requests[0].request_id], "not planned")
        for match, status in ((kept, lobby_pb2.MATCH_STATUS_OPEN), (other, lobby_pb2.MATCH_STATUS_ENDED)):
            found = await session.call(session.lobby.GetMatch, lobby_pb2.GetMatchRequest(match_id=match))
            assert found.match.status == status


@pytest.mark.parametrize("anonymous", [False, True])
async def test_anonymous_league_tells_a_bot_no_name_but_its_own(database: Path, anonymous: bool) -> None:
    async with league(database, anonymous=anonymous) as (server, session):
        keys = {name: await key_of(session, database, name) for name in ("ann", "ben")}
        async with entrant(server) as ann, entrant(server) as ben:
            await ann.hello("ann", key=keys["ann"])
            await ben.hello("ben", key=keys["ben"])
            await eventually(lambda: server.offered_games() == {"ann": 1, "ben": 1})
            await session.create(lobby_pb2.CreateMatchRequest(seats=[bot_seat("ann"), bot_seat("ben"), DUMMY]))
            seats = (await ben.next()).seated.match.seats
            names = {seats[0].bot, seats[0].player}
            assert names == ({""} if anonymous else {"ann"})
            assert seats[1].bot == "ben"
            async with Session(address(server), Access(code=ENTRANTS)) as other:
                info = await other.call(other.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
                assert list(info.bots) == []


async def test_request_with_an_id_leads_to_the_same_match(database: Path) -> None:
    request = lobby_pb2.CreateMatchRequest(seats=[bot_seat("ann"), DUMMY, DUMMY], request_id="0123456789abcdef" * 2)
    async with league(database) as (server, session):
        assert not server.has_match(request.request_id)
        first = (await session.create(request)).match.match_id
        token = (await session.join(first, "ann", 1, request_id="fedcba9876543210" * 2)).seat_token
        assert server.has_match(request.request_id)
    async with league(database) as (server, session):
        assert server.has_match(request.request_id)
        assert (await session.create(request)).match.match_id == first
        assert (await session.join(first, "ann", 1, request_id="fedcba9876543210" * 2)).seat_token == token
        assert bearer(token)


def stray(revision: int) -> bot_pb2.PlayRequest:
    """Return an answer for a match that does not exist."""
    return bot_pb2.PlayRequest(answer=bot_pb2.Answer(match_id="nothere", seat=1, revision=revision))


async def test_refused_answers_of_an_entrant_are_slowed_down(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those of all its streams together, and cost others nothing."""
    monkeypatch.setattr(answers, "REFUSED_PER_SECOND", 0.0001)
    monkeypatch.setattr(answers, "REFUSED_AT_ONCE", 5)
    async with league(database) as (server, session), entrant(server) as ann, entrant(server) as more:
        key = await key_of(session, database, "ann")
        await ann.hello("ann", key=key)
        for revision in range(10):
            await ann.send(stray(revision))
        for _ in range(6):
            assert (await ann.next()).refused.refusal.reason == "NOT_YOUR_SEAT"
        await more.hello("ann", key=key)
        for revision in range(10):
            await more.send(stray(revision))
        async with entrant(server) as ben:
            await ben.hello("ben", key=await key_of(session, database, "ben"))
            for revision in range(3):
                await ben.send(stray(revision))
                assert (await ben.next()).refused.revision == revision
        assert sum(bot.in_vain for bot in server._desk.connected if bot.name == "ann") == 6


async def test_stream_with_too_many_refused_answers_ends(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_IN_VAIN", 3)
    async with league(database) as (server, session), entrant(server) as ann:
        await ann.hello("ann", key=await key_of(session, database, "ann"))
        for revision in range(4):
            await ann.send(stray(revision))
        error = await refused(read_all(ann))
        assert (error.reason, error.facts["which"]) == ("NOT_YOUR_SEAT", "BOT")


async def read_all(stream: BotStream) -> None:
    """Read a stream until it ends."""
    while (await stream.next()) is not grpc.aio.EOF:
        pass
