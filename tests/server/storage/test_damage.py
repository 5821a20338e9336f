"""A damaged database is refused with advice; damage that turns up later stops what it concerns."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from structlog.testing import capture_logs

from tests.support.server.damaged import PAGE_BYTES, Fill, damage, filled, halve, leaf_of, root
from tests.support.server.in_process import HUMAN, Table, address, create, eventually, join, refused, serving
from vinci_client.errors import from_rpc
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.storage import check
from vinci_server.storage.store import DamagedError, Store

LOCKED = """
import sys, pathlib
from vinci_server.storage.store import Store, StoreError
try:
    Store(pathlib.Path(sys.argv[1]))
except StoreError as error:
    print("in use" if "in use by another server" in str(error) else error)
"""
"""A program that opens a database."""
REST = "hold ARA=4 BOS=3 FEN=3"


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every database as too large to be checked at the start."""
    monkeypatch.setattr(check, "CHECKED_AT_START", 0)


@pytest.fixture
def unchecked(large: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check no database, as if the damage had come later."""

    async def nothing(_store: Store) -> None:
        pass

    monkeypatch.setattr(Store, "check", nothing)


def empty(database: Path) -> None:
    """Empty a file."""
    os.truncate(database, 0)


async def outcomes_of_actions(session: Session, tables: Sequence[Table]) -> dict[str, object]:
    """Play an action in each match; return for each its revision then, or the reason of the refusal.

    One page holds rows of several matches, and which ones differs from run to run: ids are random.
    """
    outcomes: dict[str, object] = {}
    for at in tables:
        try:
            outcomes[at.match_id] = (await replace(at, session=session).act(1, REST, request_id="2")).revision
        except grpc.aio.AioRpcError as error:
            outcomes[at.match_id] = from_rpc(error, "").reason
    return outcomes


@pytest.mark.parametrize(
    ("harm", "advice"),
    [
        (lambda database: damage(database, [3, 5, 6, 7, 8]), "vinci export --salvage"),
        (lambda database: damage(database, [4], os.urandom), "vinci export --salvage"),
        (lambda database: damage(database, [0]), "its first page is damaged"),
        (lambda database: damage(database, [0], os.urandom), "its first page is damaged"),
        (halve, "vinci export --salvage"),
        (empty, "is empty"),
    ],
)
async def test_server_refuses_a_damaged_database_and_leaves_it_alone(
    database: Path, harm: Callable[[Path], None], advice: str
) -> None:
    await filled(database)
    harm(database)
    before = database.read_bytes()
    with pytest.raises(DamagedError, match=rf"{database}.*{advice}") as caught:
        await Server.start("127.0.0.1", 0, database)
    assert "restore a backup" in str(caught.value)
    assert database.read_bytes() == before


@pytest.mark.parametrize("fill", [bytes, os.urandom])
async def test_every_damaged_page_is_noticed_at_the_start(database: Path, fill: Fill) -> None:
    await filled(database)
    data = database.read_bytes()
    for page in range(len(data) // PAGE_BYTES):
        damage(database, [page], fill)
        with pytest.raises(DamagedError):
            Store(database)
        database.write_bytes(data)


@pytest.mark.parametrize("fill", [bytes, os.urandom])
@pytest.mark.usefixtures("unchecked")
async def test_damaged_page_never_changes_a_match(database: Path, fill: Fill) -> None:
    """For each damaged page the server refuses to start, or each match is unchanged or refused with a reason."""
    tables = await filled(database)
    data = database.read_bytes()
    async with serving(database) as (_, session):
        seen = [replace(at, session=session) for at in tables]
        before = [(await at.get(), await at.record()) for at in seen]
    reasons: list[str] = []
    for page in range(len(data) // PAGE_BYTES):
        database.write_bytes(data)
        damage(database, [page], fill)
        try:
            async with serving(database) as (_, session):
                for at, known in zip(tables, before, strict=True):
                    at = replace(at, session=session)
                    try:
                        assert (await at.get(), await at.record()) == known
                        await at.act(1, REST, request_id="2")
                    except grpc.aio.AioRpcError as error:
                        reasons.append(from_rpc(error, "").reason)
        except DamagedError:
            reasons.append("refused")
    assert set(reasons) <= {"refused", "DATABASE_DAMAGED"}
    assert len(reasons) > 3


@pytest.mark.usefixtures("unchecked")
async def test_match_on_a_damaged_page_is_refused_and_others_play_on(database: Path) -> None:
    tables = await filled(database)
    page = leaf_of(database, tables[0].match_id)
    damage(database, [page])
    with capture_logs() as logs:
        async with serving(database) as (_, session):
            outcomes = await outcomes_of_actions(session, tables)
    assert set(outcomes.values()) == {3, "DATABASE_DAMAGED"}
    assert outcomes[tables[0].match_id] == "DATABASE_DAMAGED"
    logged = [
        entry["match"] for entry in logs if entry["event"] == "database damaged" and entry["log_level"] == "error"
    ]
    assert sorted(logged) == sorted(match_id for match_id, outcome in outcomes.items() if outcome != 3)


@pytest.mark.usefixtures("unchecked")
async def test_match_that_cannot_be_written_stays_as_it_is(database: Path) -> None:
    first, *_ = await filled(database)
    damage(database, [root(database, "log_by_request")])
    with capture_logs() as logs:
        async with serving(database) as (_, session):
            at = replace(first, session=session)
            for _ in range(2):
                error = await refused(at.act(1, REST, request_id="2"))
                assert (error.reason, error.facts["match"]) == ("DATABASE_DAMAGED", at.match_id)
                assert error.code is grpc.StatusCode.FAILED_PRECONDITION
                assert "nothing was changed" in error.message
            assert (await at.get()).revision == 2
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["database damaged"]


@pytest.mark.usefixtures("large")
async def test_damage_found_beside_play_lets_nothing_new_begin(database: Path) -> None:
    tables = await filled(database)
    async with serving(database) as (_, session):
        waiting = await create(session, HUMAN, HUMAN, HUMAN)
    damage(database, [leaf_of(database, tables[0].match_id)])
    with capture_logs() as logs:
        async with serving(database) as (server, session):
            await eventually(lambda: bool(server.damage))
            stub: Any = health_pb2_grpc.HealthStub(grpc.aio.insecure_channel(address(server)))
            for name in ("", "vinci.v1.LobbyService"):
                status = (await stub.Check(health_pb2.HealthCheckRequest(service=name))).status
                assert status == health_pb2.HealthCheckResponse.NOT_SERVING
            for call in (create(session, HUMAN, HUMAN, HUMAN), join(session, waiting.match.match_id)):
                assert (await refused(call)).reason == "DATABASE_DAMAGED"
            outcomes = await outcomes_of_actions(session, tables)
    assert set(outcomes.values()) == {3, "DATABASE_DAMAGED"}
    assert outcomes[tables[0].match_id] == "DATABASE_DAMAGED"
    assert "vinci export --salvage" in server.damage
    assert [entry["error"] for entry in logs if "nothing new begins" in entry["event"]] == [server.damage]


@pytest.mark.usefixtures("large")
async def test_intact_large_database_is_checked_beside_play_and_stays_locked(database: Path) -> None:
    tables = await filled(database)
    async with serving(database) as (server, session):
        await server._chores[0]
        await replace(tables[0], session=session).act(1, REST, request_id="2")
        assert await server._store._select("PRAGMA wal_autocheckpoint") == [(1000,)]
        assert (server.damage, server.lobby.is_damaged) == ("", False)
        command = [sys.executable, "-c", LOCKED, str(database)]
        assert (await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)).stdout == "in use\n"


@pytest.mark.usefixtures("unchecked")
async def test_backup_of_a_damaged_database_is_refused(database: Path, tmp_path: Path) -> None:
    tables = await filled(database)
    damage(database, [leaf_of(database, tables[0].match_id)])
    store = Store(database)
    folder = tmp_path / "copies"
    folder.mkdir()
    with pytest.raises(DamagedError, match="the database is damaged"):
        await store.backup(folder / "copy.db")
    store.close()
    assert list(folder.iterdir()) == []
