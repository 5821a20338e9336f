"""Sleeping matches: unloaded from memory while idle, and reloaded on demand without a visible difference."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    Table,
    all_updates,
    bearer,
    bot_seat,
    bot_stream,
    create,
    refused,
    serving,
    table,
    updates,
    within,
)
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules.record import replay
from vinci_server.app import Server
from vinci_server.storage import store as stores


def send_to_sleep(server: Server) -> None:
    """Unload every match that may sleep."""
    server.lobby.rest(seconds=0, awake=0)


def awake(server: Server) -> set[str]:
    """Return the matches in memory."""
    return {match.match_id for match in server.lobby.known() if match.is_awake}


async def test_watchers_of_a_sleeping_match_get_its_updates(server: Server, session: Session) -> None:
    at = await table(session)
    streams = [at.watch(), at.watch(1, token=at.tokens[1])]
    for stream in streams:
        await within(stream.read())
    await updates(streams[0], 1)
    send_to_sleep(server)
    assert not awake(server)
    assert (await at.act(1, "x FEN")).revision == 1
    assert awake(server) == {at.match_id}
    send_to_sleep(server)
    await at.act(1, "x BOS", request_id="2")
    for stream in streams:
        assert [update.revision for update in await updates(stream, 2)] == [1, 2]


async def test_match_is_unchanged_after_sleep(server: Server, session: Session) -> None:
    at = await table(session)

    async def public_data() -> list[Any]:
        history = await updates(at.watch(0, state=True, legal=True, position=True), 3)
        latest = await updates(at.watch(state=True), 1)
        answer = await at.act(1, "x FEN", "x BOS", request_id="first")
        assert answer.repeated_request
        match = await at.get()
        match.ClearField("spectators")  # the streams above end some time later
        return [match, await at.record(), history, latest, answer]

    await at.act(1, "x FEN", "x BOS", request_id="first")
    before = await public_data()
    send_to_sleep(server)
    assert await public_data() == before
    assert awake(server) == {at.match_id}


async def test_heartbeats_do_not_wake_a_match(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vinci_server.rpc.services.match_service.HEARTBEAT_SECONDS", 0.05)
    at = await table(session)
    await at.act(1, "x FEN")
    stream = at.watch()
    await updates(stream, 1)
    send_to_sleep(server)
    for _ in range(3):
        assert (await within(stream.read())).heartbeat.revision == 1
    assert not awake(server)


async def test_watching_player_does_not_keep_a_match_awake(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vinci_server.rpc.services.match_service.HEARTBEAT_SECONDS", 0.05)
    at = await table(session)
    stream = at.watch(1, token=at.tokens[0])
    while not (await within(stream.read())).HasField("heartbeat"):
        pass
    assert (await within(stream.read())).HasField("ping")
    send_to_sleep(server)
    for _ in range(3):
        assert (await within(stream.read())).HasField("heartbeat")
    assert not awake(server)
    assert (await at.act(1, "x FEN")).revision == 1
    assert [update.revision for update in await updates(stream, 1)] == [1]


async def test_match_with_a_running_clock_does_not_sleep(server: Server, session: Session) -> None:
    at = await table(session, timing=lobby_pb2.Timing(decision_seconds=1000))
    send_to_sleep(server)
    assert awake(server) == {at.match_id}
    for token in at.tokens:
        request = match_pb2.ProposeRequest(match_id=at.match_id, kind=lobby_pb2.PROPOSAL_KIND_PAUSE)
        await session.match.Propose(request, metadata=bearer(token))

    async def clocks() -> match_pb2.Clocks:
        stream = at.watch()
        while not (response := await within(stream.read())).HasField("clocks"):
            pass
        stream.cancel()
        while (await within(at.get())).spectators:  # the match counts who watches until the call has ended
            await asyncio.sleep(0.02)
        message: match_pb2.Clocks = response.clocks
        return message

    before = await clocks(), await at.get()
    send_to_sleep(server)
    assert not awake(server)
    assert (await clocks(), await at.get()) == before
    assert 990_000 < before[0].left[0] < 1_000_000


@pytest.mark.parametrize("sleeps", [0, 1, 2])
async def test_action_before_a_sleep_can_be_undone_after_it(server: Server, session: Session, sleeps: int) -> None:
    """The last action is in memory, the one before it only in the log."""
    at = await table(session)
    for number, text in enumerate(["x FEN", "x BOS"]):
        await at.act(1, text, request_id=text)
        if number == sleeps - 1:
            send_to_sleep(server)
    start, first = await updates(at.watch(0, position=True), 2)
    if sleeps:
        send_to_sleep(server)
        await at.act(1, "x COL", request_id="3")
    request = match_pb2.UndoRequest(match_id=at.match_id, request_id="undo", to_revision=1)
    answer = await session.match.Undo(request, metadata=bearer(at.tokens[0]))
    assert answer.update.undo_to == 1
    assert (await updates(at.watch(position=True), 1))[0].position == first.position != start.position
    send_to_sleep(server)
    assert (await session.match.Undo(request, metadata=bearer(at.tokens[0]))).repeated_request
    assert [step.line for step in replay(await at.record())] == list(range(1, answer.revision + 2))


async def test_match_with_a_request_in_progress_stays_awake(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(session)
    begun, go_on = asyncio.Event(), asyncio.Event()
    append = stores.Store.append

    async def waiting(self: stores.Store, match_id: str, rows: Sequence[stores.LogRow], *more: Any) -> None:
        begun.set()
        await go_on.wait()
        await append(self, match_id, rows, *more)

    monkeypatch.setattr(stores.Store, "append", waiting)
    acting = asyncio.ensure_future(at.act(1, "x FEN"))
    await within(begun.wait())
    send_to_sleep(server)
    assert awake(server) == {at.match_id}
    go_on.set()
    assert (await within(acting)).revision == 1


async def test_recently_used_matches_stay_awake(server: Server, session: Session) -> None:
    tables = [await table(session) for _ in range(4)]
    server.lobby.rest(seconds=60, awake=0)
    assert len(awake(server)) == 4
    await tables[1].get()
    server.lobby.rest(seconds=0, awake=2)
    assert awake(server) == {tables[1].match_id, tables[3].match_id}


async def test_concurrent_requests_load_a_sleeping_match_once(server: Server, session: Session) -> None:
    at = await table(session, LAST_TURN)
    await at.act(3, "hold HAM=5")
    send_to_sleep(server)
    assert server.lobby.known() == []
    loaded = await asyncio.gather(*(server.lobby.get(at.match_id) for _ in range(20)))
    assert len(set(loaded)) == 1


async def test_finished_match_without_watchers_is_unloaded(server: Server, session: Session) -> None:
    at = await table(session, LAST_TURN)
    await at.act(3, "hold HAM=5")
    before = await at.record()
    send_to_sleep(server)
    assert server.lobby.known() == []
    assert await at.record() == before
    assert len(await all_updates(at.watch(0))) == 2


async def test_connecting_bot_wakes_only_matches_with_a_seat_for_it(server: Server, session: Session) -> None:
    mine = await create(session, bot_seat("ada"), HUMAN, HUMAN)
    await create(session, bot_seat("bob"), HUMAN, HUMAN)
    send_to_sleep(server)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        assert (await ada.next()).seated.match.match_id == mine.match.match_id
        assert awake(server) == {mine.match.match_id}


async def test_bot_continues_a_match_that_slept(server: Server, session: Session) -> None:
    await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=3)
        while not (received := await ada.next()).HasField("decision"):
            assert received.HasField("seated")
        send_to_sleep(server)
        assert not awake(server)
        await ada.answer(received.decision, "x FEN")
        assert (await ada.decision()).revision == 1


async def test_matches_sleep_after_a_server_start_and_are_listed(database: Path) -> None:
    async with serving(database) as (_, session):
        running = await table(session)
        await running.act(1, "x FEN")
        waiting = (await create(session, HUMAN, DUMMY, DUMMY)).match.match_id
    async with serving(database) as (server, session):
        assert not awake(server)
        listed = await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())
        assert {(match.match_id, match.revision) for match in listed.matches} == {(running.match_id, 1), (waiting, 0)}
        again = Table(session, running.match_id, "", running.tokens)
        assert (await again.act(1, "x BOS", request_id="2")).revision == 2


async def test_unreadable_sleeping_match_affects_no_other(server: Server, session: Session) -> None:
    bad, good = await table(session), await table(session)
    await bad.act(1, "x FEN")
    stream = bad.watch()
    await updates(stream, 1)
    send_to_sleep(server)

    def damage(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE log SET text = 'x BOS' WHERE kind = 'act'")

    await server._store.run(damage)
    error = await refused(bad.act(1, "x BOS", request_id="2"))
    assert (error.reason, bad.match_id in error.message) == ("MATCH_UNREADABLE", True)
    assert (await good.act(1, "x FEN")).revision == 1
    suggestion = match_pb2.SuggestRequest(match_id=bad.match_id)
    assert (await refused(session.match.Suggest(suggestion))).reason == "MATCH_UNREADABLE"
