"""Keys that protect names of bots, and seats and games that are added to an open bot stream."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    BotStream,
    bearer,
    bot_seat,
    bot_stream,
    create,
    join,
    refused,
    serving,
    table,
)
from vinci.v1 import admin_pb2, bot_pb2
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.rpc.bots.desk import MOST_TOKENS


@pytest.fixture
def admin(session: Session, database: Path) -> Any:
    """Return calls of an admin."""

    async def call(request: Any) -> Any:
        token = (database.parent / ADMIN_FILE).read_text(encoding="ascii").strip()
        method = getattr(session.admin, type(request).__name__.removesuffix("Request"))
        return await method(request, metadata=bearer(token))

    return call


async def test_protected_name_needs_its_key(server: Server, admin: Any) -> None:
    key = (await admin(admin_pb2.MakeBotKeyRequest(name="ada"))).key
    for wrong in ("", "key.wrong", key[:-1]):
        async with bot_stream(server) as eve:
            await eve.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada", key=wrong)))
            error = await refused(eve.next())
            which = {} if wrong else {"which": "NONE"}
            assert (error.reason, error.facts) == ("BAD_KEY", which | {"name": "ada"})
    async with bot_stream(server) as ada, bot_stream(server) as other:
        await ada.hello("ada", key=key)
        await other.hello("bob")


async def test_keys_are_renewed_listed_and_removed(server: Server, admin: Any, database: Path) -> None:
    old = (await admin(admin_pb2.MakeBotKeyRequest(name="ada"))).key
    key = (await admin(admin_pb2.MakeBotKeyRequest(name="ada"))).key
    await admin(admin_pb2.MakeBotKeyRequest(name=" bob  b "))
    listed = (await admin(admin_pb2.ListBotKeysRequest())).keys
    assert [one.name for one in listed] == ["ada", "bob b"]
    assert all(one.create_time > 1_700_000_000 for one in listed)
    async with bot_stream(server) as eve:
        await eve.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada", key=old)))
        assert (await refused(eve.next())).reason == "BAD_KEY"
    await admin(admin_pb2.RemoveBotKeyRequest(name=" \uff41da "))
    async with bot_stream(server) as anybody:
        await anybody.hello("ada")
    assert (await refused(admin(admin_pb2.RemoveBotKeyRequest(name="ada")))).reason == "BAD_NAME"
    assert (await refused(admin(admin_pb2.MakeBotKeyRequest(name="")))).reason == "BAD_NAME"
    assert (await refused(admin(admin_pb2.MakeBotKeyRequest(name="x" * 33)))).reason == "BAD_NAME"
    await server.stop()
    with closing(sqlite3.connect(database)) as connection:
        assert [name for (name,) in connection.execute("SELECT name FROM bot_key")] == ["bob b"]
        assert not any(text in "\n".join(connection.iterdump()) for text in (old, key))


async def test_key_survives_a_restart(database: Path) -> None:
    async with serving(database) as (_, session):
        token = (database.parent / ADMIN_FILE).read_text(encoding="ascii").strip()
        made = await session.admin.MakeBotKey(admin_pb2.MakeBotKeyRequest(name="ada"), metadata=bearer(token))
    async with serving(database) as (server, _), bot_stream(server) as eve, bot_stream(server) as ada:
        await eve.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada")))
        assert (await refused(eve.next())).reason == "BAD_KEY"
        await ada.hello("ada", key=made.key)


async def test_seat_of_a_protected_name_cannot_be_joined(session: Session, admin: Any) -> None:
    await admin(admin_pb2.MakeBotKeyRequest(name="ada"))
    match_id = (await create(session, bot_seat("ada"), bot_seat("bob"), HUMAN)).match.match_id
    error = await refused(join(session, match_id, 1, player="intruder"))
    assert (error.reason, error.facts["which"]) == ("SEAT_TAKEN", "KEY")
    assert (await join(session, match_id, 2)).seat == 2
    assert (await join(session, match_id)).seat == 3


# Seats and games that are added.


async def take(stream: BotStream, *tokens: str) -> None:
    await stream.send(bot_pb2.PlayRequest(take_seats=bot_pb2.TakeSeats(tokens=tokens)))


async def set_games(stream: BotStream, games: int) -> None:
    await stream.send(bot_pb2.PlayRequest(set_games=bot_pb2.SetGames(games=games)))


async def seated_at(stream: BotStream) -> tuple[str, int]:
    """Return the seat that a bot is given next."""
    response = await stream.next()
    assert response.HasField("seated"), response
    return response.seated.match.match_id, response.seated.seat


async def ends_turn(stream: BotStream) -> None:
    """Play the last turn of a game."""
    await stream.answer(await stream.decision(), "hold HAM=5")
    response = await stream.next()
    assert response.HasField("finished"), response


async def is_silent(stream: BotStream) -> bool:
    """Whether the stream sends nothing more."""
    try:
        async with asyncio.timeout(0.3):
            await stream.next()
    except TimeoutError:
        return True
    return False


async def test_bot_takes_further_seats_on_its_stream(server: Server, session: Session) -> None:
    first, second = await table(session, LAST_TURN), await table(session, LAST_TURN)
    async with bot_stream(server) as ada:
        await ada.hello("ada", tokens=[first.tokens[2]])
        assert await seated_at(ada) == (first.match_id, 3)
        await ends_turn(ada)
        await take(ada, second.tokens[2], second.tokens[2], second.tokens[0])
        assert sorted([await seated_at(ada), await seated_at(ada)]) == [(second.match_id, 1), (second.match_id, 3)]
        assert [seat.connected for seat in (await second.get()).seats] == [True, False, True]
        await ends_turn(ada)


async def test_named_bot_with_further_seats_gets_games_by_name(server: Server, session: Session) -> None:
    at = await table(session, EASY)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await take(ada, at.tokens[0])
        assert await seated_at(ada) == (at.match_id, 1)
        assert (await ada.decision()).match_id == at.match_id
        made = await create(session, bot_seat("ada"), HUMAN, HUMAN)
        assert await seated_at(ada) == (made.match.match_id, 1)
        again = await create(session, bot_seat("ada"), HUMAN, HUMAN)
        await set_games(ada, 2)
        assert await seated_at(ada) == (again.match.match_id, 1)


@pytest.mark.parametrize("wrong", ["none", "unknown", "wrong", "many", "twice"])
async def test_invalid_tokens_are_refused_and_the_stream_continues(
    server: Server, session: Session, wrong: str
) -> None:
    first, second = await table(session, EASY), await table(session, EASY)
    tokens: dict[str, tuple[Sequence[str], str]] = {
        "none": ([], "BAD_TOKEN"),
        "unknown": (["nowhere.token"], "UNKNOWN_MATCH"),
        "wrong": ([second.tokens[0], f"{second.match_id}.wrong"], "BAD_TOKEN"),
        "many": ([f"{second.match_id}.{number}" for number in range(MOST_TOKENS + 1)], "BAD_TOKEN"),
        "twice": ([second.tokens[0], first.tokens[0]], "SEAT_TAKEN"),
    }
    async with bot_stream(server) as ada:
        await ada.hello("ada", tokens=[first.tokens[0]])
        await seated_at(ada)
        decision = await ada.decision()
        given, reason = tokens[wrong]
        await take(ada, *given)
        response = await ada.next()
        assert response.request_refused.refusal.reason == reason, response
        assert response.request_refused.match_id == ""
        assert not (await second.get()).seats[0].connected, "a seat was taken though another token is wrong"
        await ada.answer(decision, "x FEN")
        assert (await ada.decision()).revision == 1
        await take(ada, second.tokens[0])
        assert await seated_at(ada) == (second.match_id, 1)


@pytest.mark.parametrize("how", ["another stream", "another token"])
async def test_loss_of_an_added_seat_does_not_end_the_stream(server: Server, session: Session, how: str) -> None:
    first, second = await table(session, EASY), await table(session, EASY)
    async with bot_stream(server) as ada, bot_stream(server) as other:
        await ada.hello("ada", tokens=[first.tokens[0]])
        await seated_at(ada)
        decision = await ada.decision()
        await take(ada, second.tokens[0])
        await seated_at(ada)
        await ada.decision()
        if how == "another stream":
            await other.hello("bob", tokens=[second.tokens[0]])
        else:
            await session.take_over((await session.offer_seat(second.match_id, second.tokens[0])).code)
        lost = (await ada.next()).request_refused
        assert (lost.match_id, lost.seat) == (second.match_id, 1)
        assert lost.refusal.reason == ("SEAT_TAKEN" if how == "another stream" else "TOKEN_CHANGED")
        await ada.answer(decision, "x FEN")
        assert (await ada.decision()).revision == 1


async def test_bot_finishes_its_games_and_ends(server: Server, session: Session) -> None:
    made = [await create(session, DUMMY, DUMMY, bot_seat("ada"), start_when_full=True) for _ in range(2)]
    at = await table(session, LAST_TURN)
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=0)
        first, _seat = await seated_at(ada)
        await set_games(ada, 0)
        await take(ada, at.tokens[2])
        received = [await ada.next() for _ in range(3)]  # decisions of both games, and the seat
        (seated,) = [one.seated for one in received if one.HasField("seated")]
        assert seated.match.match_id == at.match_id, "it was given another game"
        decisions = {one.decision.match_id: one.decision for one in received if one.HasField("decision")}
        assert set(decisions) == {first, at.match_id} <= {at.match_id, *(one.match.match_id for one in made)}
        await ada.answer(decisions[at.match_id], "hold HAM=5")
        assert (await ada.next()).finished.match_id == at.match_id
        await ada.answer(decisions[first], "forfeit 3")
        while not (response := await ada.next()).HasField("finished"):
            pass
        assert response.finished.match_id == first
        assert await ada.next() is grpc.aio.EOF


async def test_bot_that_wants_no_more_games_gets_no_new_seat(server: Server, session: Session) -> None:
    async with bot_stream(server) as ada, bot_stream(server) as bob:
        await ada.hello("ada")
        await set_games(ada, 0)
        assert await ada.next() is grpc.aio.EOF
        at = await table(session, EASY)
        await bob.hello("bob", tokens=[at.tokens[0]])
        await seated_at(bob)
        await bob.decision()
        await set_games(bob, 0)
        await create(session, bot_seat("bob"), HUMAN, HUMAN)
        assert await is_silent(bob)


async def test_smaller_number_of_games_ends_no_running_game(server: Server, session: Session) -> None:
    made = {(await create(session, bot_seat("ada"), HUMAN, HUMAN)).match.match_id for _ in range(3)}
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=2)
        given = {(await seated_at(ada))[0], (await seated_at(ada))[0]}
        await set_games(ada, 1)
        assert await is_silent(ada)
        (left,) = made - given
        assert (await session.get(left)).seats[0].connected is False
    async with bot_stream(server) as again:
        await again.hello("ada", games=3)
        assert {(await seated_at(again))[0] for _ in range(3)} == made
