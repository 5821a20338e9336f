"""The maker of a match gives the seat of somebody who is absent to another player, or to a computer player, and back."""

# ruff: noqa: D103  # the name of each test says what it checks

import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.server.in_process import (
    EASY,
    Table,
    bearer,
    bot_stream,
    create,
    join,
    played,
    refused,
    serving,
    table,
    updates,
    within,
)
from tests.support.server.limited import limited, set_limit
from tests.support.server.match_calls import take_back
from tests.support.server.persons import ANN, THREE, Device, finished
from vinci.v1 import lobby_pb2
from vinci_client.session import Session
from vinci_server.app import Server


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every absence be long enough."""
    set_limit(monkeypatch, "absent_seconds", 0)


async def offered(at: Table, seat: int, token: str = "") -> str:
    """Return the code for an absent seat."""
    request = lobby_pb2.OfferSeatRequest(match_id=at.match_id, seat=seat)
    code: str = (await at.session.lobby.OfferSeat(request, metadata=bearer(token or at.host))).code
    return code


async def substituted(at: Table, seat: int, token: str = "", **fields: Any) -> lobby_pb2.MatchSeat:
    """Give a seat to a computer player, or back."""
    request = lobby_pb2.SubstituteSeatRequest(match_id=at.match_id, seat=seat, **fields)
    answer = await at.session.lobby.SubstituteSeat(request, metadata=bearer(token or at.host))
    found: lobby_pb2.MatchSeat = answer.match.seats[seat - 1]
    return found


async def test_somebody_who_left_just_now_keeps_the_seat(session: Session) -> None:
    at = await table(session)
    for call in (offered(at, 1), substituted(at, 1)):
        error = await refused(call)
        assert (error.reason, error.facts["which"], error.facts["seconds"]) == ("NOT_ABSENT", "YET", "60")


async def test_absence_of_the_match_counts_if_it_has_one(session: Session, at_once: None) -> None:
    at = await table(session, timing=lobby_pb2.Timing(absence_seconds=90))
    assert (await refused(offered(at, 1))).facts["seconds"] == "90"


async def test_somebody_who_is_there_keeps_the_seat(session: Session, at_once: None) -> None:
    at = await table(session)
    async with played(session, at.match_id, 1, at.tokens[0]):
        for call in (offered(at, 1), substituted(at, 1)):
            error = await refused(call)
            assert (error.reason, "which" in error.facts) == ("NOT_ABSENT", False)


async def test_somebody_who_came_back_before_the_code_was_used_keeps_the_seat(session: Session, at_once: None) -> None:
    at = await table(session)
    code = await offered(at, 1)
    async with played(session, at.match_id, 1, at.tokens[0]):
        assert (await refused(join(session, "", code=code, player="Bob"))).reason == "NOT_ABSENT"
    assert (await at.act(1, "x FEN")).revision == 1


async def test_absent_seat_is_given_to_somebody_else(session: Session, at_once: None) -> None:
    at = await table(session)
    joined = await join(session, "", code=await offered(at, 1), player="Bob")
    assert (joined.seat, joined.match.seats[0].player) == (1, "Bob")
    assert (await refused(at.act(1, "x FEN"))).reason == "BAD_TOKEN"
    assert (await Table(session, at.match_id, "", (joined.seat_token,)).act(1, "x FEN")).revision == 1


async def test_absent_person_loses_the_seat_to_a_guest_without_a_name(session: Session, at_once: None) -> None:
    ann = Device(session, ANN)
    made = await create(session, *THREE)
    await ann.join(made.match.match_id, player="Ann")
    at = Table(session, made.match.match_id, made.host_token, ())
    await join(session, "", code=await offered(at, 1))
    assert not await ann.resume()


async def test_computer_player_plays_until_the_player_is_back(session: Session, at_once: None) -> None:
    at = await table(session)
    assert (await substituted(at, 1)).substituted
    assert (await updates(at.watch(0), 2))[1].by == "substitute"
    assert (await refused(substituted(at, 1))).reason == "SUBSTITUTED"
    await take_back(at, 1)
    assert not (await at.get()).seats[0].substituted


async def test_maker_gives_the_seat_back(session: Session, at_once: None) -> None:
    at = await table(session)
    await substituted(at, 1)
    assert not (await substituted(at, 1, back=True)).substituted
    assert (await refused(substituted(at, 1, back=True))).reason == "NOT_SUBSTITUTED"


async def test_named_bot_plays_also_after_a_restart(database: Path, at_once: None) -> None:
    async with serving(database) as (server, session):
        at = await table(session)
        async with bot_stream(server) as other:
            await other.hello("bob", games=5)
            assert (await substituted(at, 3, bot="ada")).substituted
            async with bot_stream(server) as bot:
                await bot.hello("ada", games=5)
                seated = await within(bot.next())
                assert (seated.seated.match.match_id, seated.seated.seat) == (at.match_id, 3)
    async with serving(database) as (server, _), bot_stream(server) as bot:
        assert server.wanted_bots() == ["ada"]
        await bot.hello("ada", games=5)
        assert (await within(bot.next())).seated.seat == 3


@pytest.mark.parametrize("seat", [0, 4, 99])
async def test_seats_that_do_not_exist_are_refused(session: Session, at_once: None, seat: int) -> None:
    at = await table(session)
    for back in (False, True):
        request = lobby_pb2.SubstituteSeatRequest(match_id=at.match_id, seat=seat, back=back)
        assert (await refused(session.lobby.SubstituteSeat(request, metadata=bearer(at.host)))).reason == "BAD_SEAT"


async def test_only_the_maker_gives_seats_away(session: Session, at_once: None) -> None:
    at = await table(session)
    for call in (
        offered(at, 1, at.tokens[1]),
        substituted(at, 1, at.tokens[1]),
        substituted(at, 1, at.tokens[0], back=True),
    ):
        assert (await refused(call)).reason == "NOT_THE_HOST"


async def test_open_seat_and_dummy_have_nobody_to_replace(session: Session, at_once: None) -> None:
    made = await create(session, *THREE)
    at = Table(session, made.match.match_id, made.host_token, ())
    assert (await refused(offered(at, 1))).facts["which"] == "NOBODY"
    assert (await refused(substituted(at, 1))).reason == "NOT_STARTED"


# Expiry.


async def test_tokens_expire_some_days_after_the_end(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = Device(session, ANN), Device(session, "0123456789abcdef" * 2)
    match = await finished(ann, bob)
    running = await table(session, EASY)
    token = (await ann.resume(match.match_id))[0].seat_token
    now = time.time()
    for days, is_valid in ((13.9, True), (14.1, False)):
        monkeypatch.setattr("time.time", lambda days=days: now + days * 86_400)
        calls = [
            session.call(session.lobby.OfferSeat, lobby_pb2.OfferSeatRequest(match_id=match.match_id), token),
            ann.resume(match.match_id),
            ann.join(match.match_id),
        ]
        for call in calls:
            if is_valid:
                await call
            else:
                assert (await refused(call)).facts["which"] == "EXPIRED"
        assert (await running.act(1, "x FEN", request_id=f"{days}", validate_only=True)).revision == 1
        assert (await ann.matches(only_own=True)).own[0].match.match_id == match.match_id


async def test_days_of_tokens_are_a_limit(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with limited(database, seat_token_days=1) as (_, session):
        ann, bob = Device(session, ANN), Device(session, "0123456789abcdef" * 2)
        match = await finished(ann, bob)
        now = time.time()
        monkeypatch.setattr("time.time", lambda: now + 1.1 * 86_400)
        assert (await refused(ann.resume(match.match_id))).facts["days"] == "1"
