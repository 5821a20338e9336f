"""Durability: no client is notified before the sync, and a log without its unsynced end is still valid."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from tests.support.server.in_process import (
    DUMMY,
    HUMAN,
    SOON,
    Table,
    bearer,
    bot_seat,
    bot_stream,
    create,
    join,
    serving,
    table,
    updates,
    within,
)
from tests.support.server.sync_vfs import Disk, restored, watched_disk
from vinci.v1 import game_pb2, lobby_pb2
from vinci_client.session import Session
from vinci_rules import notation, position, record
from vinci_rules.playout import random_action
from vinci_server.app import Server
from vinci_server.match.log.ledger import Ledger
from vinci_server.storage.store import Store, Stored

FRAME_BYTES: Final = 24 + 4096
WAL_HEADER_BYTES: Final = 32
HELD_SECONDS: Final = 0.3
"""Seconds for which a sync is held up to see that nothing happens; without that, everything here takes a few milliseconds."""


@pytest.fixture
def disk() -> Iterator[Disk]:
    """Watch the syncs of the databases of a test."""
    with watched_disk() as disk:
        yield disk


@pytest.fixture
async def server(disk: Disk, database: Path) -> AsyncIterator[Server]:
    """Start a server whose syncs are watched."""
    server = await Server.start("127.0.0.1", 0, database)
    yield server
    disk.free.set()
    await server.stop()


async def held_up(disk: Disk, call: Awaitable[Any], *heard: Awaitable[Any]) -> list[Any]:
    """Return the results of a call and of its observers; fail unless all of them wait for the next sync."""
    disk.free.clear()
    tasks = [asyncio.ensure_future(each) for each in (call, *heard)]
    assert await asyncio.to_thread(disk.waiting.wait, SOON), "no sync"
    done, _ = await asyncio.wait(tasks, timeout=HELD_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    assert not done, "somebody heard of it before it was synced"
    before = disk.count
    disk.free.set()
    results = await within(asyncio.gather(*tasks))
    assert disk.count > before
    return results


async def test_action_is_answered_and_shown_only_after_the_sync(session: Session, disk: Disk) -> None:
    at = await table(session)
    stream, bystander = at.watch(1, token=at.tokens[1]), at.watch(1)
    for watching in (stream, bystander):
        await within(watching.read())
    answer, *_ = await held_up(disk, at.act(1, "x FEN", "x BOS"), updates(stream, 2), updates(bystander, 2))
    assert answer.revision == 2


async def test_repeated_request_waits_for_the_sync_of_the_first(session: Session, disk: Disk) -> None:
    at = await table(session)
    first, second = await held_up(disk, at.act(1, "x FEN", request_id="r"), at.act(1, "x FEN", request_id="r"))
    assert {first.repeated_request, second.repeated_request} == {True, False}


async def test_seats_and_matches_are_returned_only_after_the_sync(session: Session, disk: Disk) -> None:
    (made,) = await held_up(disk, create(session, HUMAN, HUMAN, HUMAN))
    at = Table(session, made.match.match_id, made.host_token, ())
    stream = at.watch()
    await within(stream.read())
    joined, _ = await held_up(disk, join(session, at.match_id), stream.read())
    request = lobby_pb2.SetSeatRequest(match_id=at.match_id, seat=3, setup=DUMMY)
    await held_up(disk, session.lobby.SetSeat(request, metadata=bearer(at.host)), stream.read())
    leaving = lobby_pb2.LeaveMatchRequest(match_id=at.match_id)
    await held_up(disk, session.lobby.LeaveMatch(leaving, metadata=bearer(joined.seat_token)), stream.read())
    for _ in range(2):
        await join(session, at.match_id)
        await within(stream.read())
    starting = lobby_pb2.StartMatchRequest(match_id=at.match_id)
    await held_up(disk, session.lobby.StartMatch(starting, metadata=bearer(at.host)), updates(stream, 1))


async def test_bot_gets_the_result_of_its_answer_only_after_the_sync(
    server: Server, session: Session, disk: Disk
) -> None:
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=3)
        await create(session, bot_seat("ada"), bot_seat("ada"), bot_seat("ada"), seed="7", start_when_full=True)
        while not (received := await ada.next()).HasField("decision"):
            assert received.HasField("seated")

        async def answer() -> Any:
            await ada.answer(received.decision, "take 1")
            return await ada.next()

        (next_message,) = await held_up(disk, answer())
        assert next_message.decision.revision == 1


async def test_acknowledged_data_survive_a_power_loss_at_any_moment(
    tmp_path: Path, server: Server, session: Session, disk: Disk
) -> None:
    """At each acknowledgement the files as of their last sync have everything acknowledged."""
    chance = random.Random(7)
    heard: dict[str, list[str]] = {}
    moments: list[tuple[dict[str, bytes], dict[str, int]]] = []
    disk.delay = 0.003

    def checkpoint_often(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA wal_autocheckpoint = 40").fetchone()

    await server._store.run(checkpoint_often)

    async def play(at: Table) -> None:
        positions = heard[at.match_id] = []
        async for response in at.watch(0, position=True):
            if not response.HasField("update"):
                continue
            positions.append(response.update.position)
            if chance.random() < 0.06:
                moments.append((disk.synced, {match_id: len(received) for match_id, received in heard.items()}))
            state = position.read(positions[-1])
            if state.phase != "over" and at.tokens[state.actor]:
                text = notation.write(random_action(state, chance), state.board)
                with suppress(grpc.aio.AioRpcError):  # of a revision that has passed
                    await at.act(state.actor + 1, text, request_id=str(len(positions)), revision=len(positions) - 1)

    short = game_pb2.Options(settings={"max_rounds": "5"})
    matches = []
    for _ in range(5):
        made = await create(session, HUMAN, DUMMY, HUMAN, options=short)
        joined = [await join(session, made.match.match_id) for _ in range(2)]
        matches.append(
            Table(session, made.match.match_id, made.host_token, (joined[0].seat_token, "", joined[1].seat_token))
        )
    starts = [
        session.lobby.StartMatch(lobby_pb2.StartMatchRequest(match_id=at.match_id), metadata=bearer(at.host))
        for at in matches
    ]
    await asyncio.gather(*starts)
    async with asyncio.timeout(3 * SOON):
        await asyncio.gather(*(play(at) for at in matches))
    assert len(moments) > 5
    for number, (files, lengths) in enumerate(chance.sample(moments, min(len(moments), 20))):
        async with serving(restored(files, tmp_path / f"after {number}")) as (_, after):
            for match_id, length in lengths.items():
                at = Table(after, match_id, "", ())
                stream = at.watch(0, position=True)
                assert [update.position for update in await updates(stream, length)] == heard[match_id][:length]
                stream.cancel()
                assert list(record.replay(await at.record()))


async def test_log_truncated_anywhere_is_valid(tmp_path: Path, database: Path) -> None:
    """The unsynced end is cut off at every frame and between, cleanly or torn; the rest is complete."""
    chance = random.Random(7)
    tail = database.with_name("games.db-wal")
    answered: list[tuple[int, str, int, str]] = []
    async with serving(database) as (_, session):
        matches = [await table(session) for _ in range(3)]
        made = tail.stat().st_size
        for number in range(45):
            at = chance.choice(matches)
            state = position.read((await updates(at.watch(position=True), 1))[0].position)
            text = notation.write(random_action(state, chance), state.board)
            answer = await at.act(state.actor + 1, text, request_id=str(number))
            answered.append((tail.stat().st_size, at.match_id, answer.revision, text))
        files = {database.name: database.read_bytes(), tail.name: tail.read_bytes()}
    size = len(files[tail.name])
    assert answered[0][0] < answered[-1][0] == size, "the log was checkpointed: make it shorter"
    cuts = [*range(WAL_HEADER_BYTES, size + 1, FRAME_BYTES), 0, 1, *(chance.randrange(size) for _ in range(60))]
    for number, cut in enumerate(cuts):
        torn = chance.randbytes(chance.randrange(9000)) if number % 3 == 0 else b""
        left = {database.name: files[database.name], tail.name: files[tail.name][:cut] + torn}
        entries = await _whole(restored(left, tmp_path / f"cut {number}"))
        if cut >= made:
            assert set(entries) == {at.match_id for at in matches}
        for stored_size, match_id, revision, text in answered:
            if stored_size <= cut:
                assert entries[match_id][revision - 1] == text


async def _whole(database: Path) -> dict[str, list[str]]:
    """Return the actions of all matches of a database; fail unless each log has no gap, is consistent, and replays."""
    collected = {}
    store = Store(database)
    for entry in await store.entries():
        stored = await store.load(entry.match_id)
        rows = stored.rows
        assert [row.sequence for row in rows] == list(range(1, len(rows) + 1))
        ledger = Ledger.read(entry.match_id, stored)
        assert Ledger.read(entry.match_id, Stored(rows, None)).state == ledger.state
        assert ledger.status == entry.status
        lines = list(ledger.game.record_lines(ledger.names()))
        assert len(list(record.replay(lines)) if lines else []) == len(lines)
        collected[entry.match_id] = [row.text for row in rows if row.kind == "act"]
    store.close()
    return collected


async def test_match_continues_after_its_log_was_truncated(tmp_path: Path, database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", request_id="first")
        size = database.with_name("games.db-wal").stat().st_size
        await at.act(1, "x BOS", request_id="second")
        tail = database.with_name("games.db-wal").read_bytes()[:size]
        files = {"games.db": database.read_bytes(), "games.db-wal": tail}
    async with serving(restored(files, tmp_path / "after")) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert (await at.act(1, "x FEN", request_id="first")).repeated_request
        again = await at.act(1, "x BOS", request_id="second")
        assert (again.revision, again.repeated_request) == (2, False)


async def test_database_settings_sync_each_commit(server: Server) -> None:
    """The SQLite settings are write-ahead log, synchronous FULL (number 2) and exclusive locking."""

    def pragmas(connection: sqlite3.Connection) -> list[Any]:
        names = ("journal_mode", "synchronous", "locking_mode")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert await server._store.run(pragmas) == ["wal", 2, "exclusive"]
