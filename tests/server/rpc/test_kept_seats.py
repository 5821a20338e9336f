"""Seats that are kept for the bot that was given them by name and has lost its connection."""

# ruff: noqa: D103  # the name of each test says what it checks

from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    bot_seat,
    bot_stream,
    create,
    eventually,
    join,
    refused,
)
from vinci.v1 import admin_pb2, bot_pb2
from vinci_client.session import Session
from vinci_rules.state import Seat
from vinci_server.app import Server
from vinci_server.match.seats import consensus
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.rpc.bots import connected_bot, desk


def played(match_id: str, seat: int) -> bot_pb2.PlayedSeat:
    """Return a seat that a bot had before."""
    return bot_pb2.PlayedSeat(match_id=match_id, seat=seat)


def be_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots that connect from now on come from another host."""
    monkeypatch.setattr(connected_bot, "host_of", lambda _address: "192.0.2.5")


@pytest.mark.parametrize("wanted", ["ada", ""])
@pytest.mark.parametrize("is_started", [True, False])
async def test_seat_of_a_bot_without_an_answer_is_kept_for_it(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch, wanted: str, is_started: bool
) -> None:
    made = await create(session, bot_seat(wanted), DUMMY, DUMMY, start_when_full=is_started)
    match = await server.lobby.get(made.match.match_id)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
    await eventually(lambda: bool(match.audience.kept))
    error = await refused(join(session, match.match_id, 1))
    assert (error.reason, error.facts.get("which")) == ("SEAT_TAKEN", "BOT" if is_started else None)
    places = [played(match.match_id, 1)]
    async with bot_stream(server) as eve, bot_stream(server) as far:
        await eve.hello("eve", games=3, playing=places)
        with monkeypatch.context() as elsewhere:
            be_elsewhere(elsewhere)
            await far.hello("ada", games=3, playing=places)
        for stranger in (eve, far):
            assert (await stranger.next()).request_refused.refusal.reason == "NOT_YOUR_SEAT"
        if wanted:  # after that time it is free for another bot of the name
            server._desk._give_up(match, Seat(0))
            assert (await far.next()).seated.seat == 1
            return
        async with bot_stream(server) as ada:
            await ada.hello("ada")
            assert (await ada.next()).seated.seat == 1
        assert match.audience.has_bot(Seat(0))


async def test_seat_is_kept_for_the_key_of_its_bot(
    server: Server, session: Session, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = (database.parent / ADMIN_FILE).read_text(encoding="ascii").strip()
    made: Any = await session.call(session.admin.MakeBotKey, admin_pb2.MakeBotKeyRequest(name="ada"), token)
    match = await server.lobby.get((await create(session, bot_seat(), DUMMY, DUMMY)).match.match_id)
    async with bot_stream(server) as ada:
        await ada.hello("ada", key=made.key)
        await ada.next()
    await eventually(lambda: bool(match.audience.kept))
    async with bot_stream(server) as eve, bot_stream(server) as thief, bot_stream(server) as ada:
        await eve.hello("eve", playing=[played(match.match_id, 1)])
        assert (await eve.next()).HasField("request_refused")
        await thief.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada")))
        assert (await refused(thief.next())).reason == "BAD_KEY"
        be_elsewhere(monkeypatch)
        await ada.hello("ada", key=made.key)
        assert (await ada.next()).seated.seat == 1


@pytest.mark.parametrize("lists", [False, True])
async def test_bot_is_told_of_a_seat_whose_match_ended_while_it_was_away(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch, lists: bool
) -> None:
    """The bot gets `seated`, too, unless it lists the seat; others are told nothing, and nobody twice."""
    match = await server.lobby.get(
        (await create(session, bot_seat(), DUMMY, DUMMY, start_when_full=True)).match.match_id
    )
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
    await eventually(lambda: bool(match.audience.kept))
    await consensus.end(match, "late")
    assert await told(server, "eve") == []
    with monkeypatch.context() as elsewhere:
        be_elsewhere(elsewhere)
        assert await told(server, "ada") == []
    heard = await told(server, "ada", playing=[played(match.match_id, 1)] if lists else [])
    assert [one.WhichOneof("kind") for one in heard] == [*([] if lists else ["seated"]), "finished"]
    assert [(one.finished.match_id, one.finished.seat, one.finished.ended) for one in heard[-1:]] == [
        (match.match_id, 1, "late")
    ]
    if not lists:
        assert (heard[0].seated.match.match_id, heard[0].seated.seat) == (match.match_id, 1)
    assert await told(server, "ada") == []


async def test_bot_that_has_answered_is_told_of_the_end_only_if_it_asks(server: Server, session: Session) -> None:
    made = await create(session, *map(bot_seat, ("ada", "ben", "zoe")), position=EASY, start_when_full=True)
    match = await server.lobby.get(made.match.match_id)
    async with bot_stream(server) as ada, bot_stream(server) as ben:
        await ben.hello("ben")
        await ada.hello("ada")
        await ada.next()
        await ada.answer(await ada.decision(), "hold ARA=10")
        await ben.next()
        await ben.decision()
    await eventually(lambda: len(match.audience.kept) == 2)
    await consensus.end(match, "late")
    assert await told(server, "ada") == []
    assert [one.WhichOneof("kind") for one in await told(server, "ben")] == ["seated", "finished"]


async def test_end_that_nobody_comes_back_for_is_forgotten(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MISSED_SECONDS", 0.0)
    match = await server.lobby.get((await create(session, bot_seat(), DUMMY, DUMMY)).match.match_id)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
    await eventually(lambda: bool(match.audience.kept))
    await consensus.end(match, "late")
    await eventually(lambda: not server._desk._missed)
    assert await told(server, "ada") == []


async def told(server: Server, name: str, **fields: Any) -> list[bot_pb2.PlayResponse]:
    """Return what a bot is told when it connects and wants no more games."""
    async with bot_stream(server) as stream:
        await stream.hello(name, **fields)
        await stream.send(bot_pb2.PlayRequest(set_games=bot_pb2.SetGames(games=0)))
        heard = []
        while (one := await stream.next()) is not grpc.aio.EOF:
            heard.append(one)
        return heard
