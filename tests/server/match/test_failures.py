"""Failures between two steps: transient store errors, cancelled calls, a newer engine."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vinci_rules.record
from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    Table,
    bearer,
    bot_seat,
    bot_stream,
    create,
    join,
    refused,
    serving,
    table,
    updates,
    within,
)
from tests.support.server.match_calls import offer, propose, take
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules.record import replay
from vinci_server.app import Server
from vinci_server.storage import store as stores
from vinci_server.storage.store import StoreError

OPEN, RUNNING = lobby_pb2.MATCH_STATUS_OPEN, lobby_pb2.MATCH_STATUS_RUNNING


@pytest.fixture
def fail_once(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the next append of a row of one kind fail, as on a full disk."""
    append = stores.Store.append
    kinds: list[str] = []

    async def failing(self: stores.Store, match_id: str, rows: list[stores.LogRow], *more: Any) -> None:
        if kinds and kinds[0] in [row.kind for row in rows]:
            kinds.clear()
            raise StoreError("no space left")
        await append(self, match_id, rows, *more)

    monkeypatch.setattr(stores.Store, "append", failing)
    return kinds.append


async def test_dummies_continue_after_a_store_error(
    session: Session, fail_once: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vinci_server.match.match.RETRY_SECONDS", 0.01)
    fail_once("act")
    made = await create(session, DUMMY, DUMMY, DUMMY, start_when_full=True, seed="1")
    assert len(await updates(Table(session, made.match.match_id, "", ()).watch(0), 5)) == 5


async def test_start_that_was_not_stored_is_repeated_at_server_start(
    database: Path, fail_once: Callable[[str], None]
) -> None:
    async with serving(database) as (_, session):
        match_id = (await create(session, HUMAN, DUMMY, DUMMY, start_when_full=True)).match.match_id
        fail_once("start")
        joined = await join(session, match_id)
        assert (joined.seat_token != "", joined.match.status) == (True, OPEN)
    async with serving(database) as (_, session):
        assert (await Table(session, match_id, "", ()).get()).status == RUNNING


async def test_handover_code_works_after_a_store_error(session: Session, fail_once: Callable[[str], None]) -> None:
    at = await table(session)
    code = await offer(at, 1)
    fail_once("join")
    assert (await refused(take(session, code))).reason == "STORE_FAILED"
    assert (await take(session, code)).seat == 1
    assert (await refused(take(session, code))).reason == "BAD_CODE"


async def test_last_agreement_and_its_effect_are_stored_together(
    session: Session, fail_once: Callable[[str], None]
) -> None:
    at = await table(session)
    for seat in (1, 2):
        await propose(at, seat, lobby_pb2.PROPOSAL_KIND_PAUSE)
    fail_once("pause")
    assert (await refused(propose(at, 3, lobby_pb2.PROPOSAL_KIND_PAUSE))).reason == "STORE_FAILED"
    assert list((await at.get()).proposals[0].missing) == [3]
    assert (await propose(at, 3, lobby_pb2.PROPOSAL_KIND_PAUSE)).paused


async def test_dummy_at_the_last_open_seat_starts_the_match(session: Session) -> None:
    made = await create(session, HUMAN, DUMMY, HUMAN, start_when_full=True)
    await join(session, made.match.match_id, 1)
    request = lobby_pb2.SetSeatRequest(match_id=made.match.match_id, seat=3, setup=DUMMY)
    await session.lobby.SetSeat(request, metadata=bearer(made.host_token))
    assert (await Table(session, made.match.match_id, "", ()).get()).status == RUNNING


async def test_seat_left_while_watching_is_free_at_once(session: Session) -> None:
    match_id = (await create(session, HUMAN, HUMAN, DUMMY)).match.match_id
    token = (await join(session, match_id, 1, player="Ann")).seat_token
    stream = Table(session, match_id, "", ()).watch(token=token)
    await within(stream.read())
    await session.lobby.LeaveMatch(lobby_pb2.LeaveMatchRequest(match_id=match_id), metadata=bearer(token))
    assert (await join(session, match_id, 1, player="Bob")).seat == 1
    stream.cancel()
    assert (await Table(session, match_id, "", ()).get()).seats[0].player == "Bob"


async def test_bot_gets_a_seat_left_by_a_player(server: Server, session: Session) -> None:
    match_id = (await create(session, HUMAN, bot_seat("ada"), DUMMY)).match.match_id
    token = (await join(session, match_id, 2)).seat_token
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await session.lobby.LeaveMatch(lobby_pb2.LeaveMatchRequest(match_id=match_id), metadata=bearer(token))
        assert (await ada.next()).seated.seat == 2


async def test_finished_game_cannot_be_joined(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, bot_seat("ada"), position=LAST_TURN, start_when_full=True)
    tokens = [(await join(session, made.match.match_id, seat)).seat_token for seat in (3, 1, 2)]
    at = Table(session, made.match.match_id, "", (*tokens[1:], tokens[0]))
    await at.act(3, "hold HAM=5")
    before = await at.record()
    assert (await refused(join(session, at.match_id, player="Eve"))).reason in ("GAME_OVER", "NO_OPEN_SEAT")
    assert (await refused(join(session, at.match_id, 3, player="Eve"))).reason == "GAME_OVER"
    assert await at.record() == before


async def test_preview_does_not_reveal_secret_draws(session: Session) -> None:
    """A preview of a choice draws the next civilization at random: twenty previews differ."""
    made = await create(session, HUMAN, DUMMY, DUMMY, board="europe", start_when_full=True)
    at = Table(session, made.match.match_id, "", ((await join(session, made.match.match_id)).seat_token,))
    legal = match_pb2.WatchRequest(match_id=at.match_id, legal=True, state=True)
    async for response in session.match.Watch(legal):
        if response.update.legal.take and response.update.state.seat_to_act == 1:
            break
    seen = set()
    for _ in range(20):
        preview = await at.act(1, "take 1", validate_only=True)
        drawn = [
            event.civilization_drawn for event in preview.updates[0].events if event.HasField("civilization_drawn")
        ]
        seen.add(str(drawn))
    assert len(seen) > 1


async def test_newer_engine_continues_game_and_record(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN")
        before = await at.record()
    monkeypatch.setattr(vinci_rules.record, "ENGINE_VERSION", "99.0")
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert await at.record() == before
        await at.act(1, "x BOS", request_id="second")
        assert len(list(replay(await at.record()))) == 3


async def test_unknown_kind_of_row_is_refused(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
    connection = sqlite3.connect(database)
    connection.execute(
        "INSERT INTO log SELECT match, sequence + 1, 'wonder', seat, actor, NULL, '{}', chance, time, hash, times FROM log"
        " WHERE kind = 'start'"
    )
    connection.commit()
    connection.close()
    async with serving(database) as (_, session):
        assert (await refused(Table(session, at.match_id, at.host, at.tokens).get())).reason == "MATCH_UNREADABLE"


async def test_match_is_created_although_its_caller_disconnects(session: Session) -> None:
    making = asyncio.ensure_future(create(session, DUMMY, DUMMY, DUMMY, start_when_full=True, seed="1"))
    await asyncio.sleep(0.002)
    making.cancel()
    await asyncio.gather(making, return_exceptions=True)
    for match in (await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches:
        at = Table(session, match.match_id, "", ())
        assert await within(updates(at.watch(0), 1))


async def test_too_long_input_is_refused_before_it_is_parsed(session: Session) -> None:
    long = await refused(create(session, position="market " + "A " * 100_000))
    assert (long.reason, len(long.message) < 200) == ("BAD_POSITION", True)
    assert (await refused(create(session, *[DUMMY] * 10_000))).reason == "BAD_SEAT"
    settings = lobby_pb2.CreateMatchRequest(seats=[DUMMY] * 3)
    settings.options.settings.update({f"x{number}": "1" for number in range(1000)})
    assert (await refused(session.lobby.CreateMatch(settings))).reason == "BAD_OPTION"


async def test_record_has_the_names_of_the_match(session: Session) -> None:
    at = await table(session, EASY)
    names = json.loads((await at.record())[0])["names"]
    assert names == [seat.player for seat in (await at.get()).seats]
