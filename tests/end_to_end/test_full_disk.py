"""A disk that is full: refused in one sentence, nothing half written, and on with it when there is room again.

A limit on the length of files stands for the disk.
"""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.processes.vinci_process import Vinci, run, server
from tests.support.server.in_process import EASY, refused, serving, table
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules.record import replay
from vinci_server.storage.store import Store

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(
    not hasattr(resource, "prlimit") or shutil.which("prlimit") is None, reason="needs prlimit, which only Linux has"
)

ENOUGH: Final = 1 << 30


def limit(process: Vinci, size: int) -> None:
    """Limit the length of the files that a process writes."""
    hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, hard))


async def act(session: Session, match_id: str, token: str, text: str) -> int:
    """Play an action, with its text as request id; return the revision."""
    request = match_pb2.ActRequest(match_id=match_id, request_id=text, actions=[game_pb2.Action(notation=text)])
    call = session.match.Act(request, metadata=(("authorization", f"Bearer {token}"),))
    return int((await call).revision)


async def test_server_with_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    human = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)
    request = lobby_pb2.CreateMatchRequest(seats=[human] * 3, position=EASY, start_when_full=True)
    with server(tmp_path) as (process, address):
        async with Session(address) as session:
            match_id = (await session.create(request)).match.match_id
            tokens = [(await session.join(match_id)).seat_token for _ in range(3)]
            assert await act(session, match_id, tokens[0], "x FEN") == 1
            limit(process, (tmp_path / "server.db-wal").stat().st_size)
            for _ in range(2):
                error = await refused(act(session, match_id, tokens[0], "x BOS"))
                assert (error.reason, "nothing was changed" in error.message) == ("STORE_FAILED", True)
            assert (await refused(session.create(request))).reason == "STORE_FAILED"
            watching: Any = session.match.Watch(match_pb2.WatchRequest(match_id=match_id))
            assert (await watching.read()).match.revision == 1
            watching.cancel()
            limit(process, ENOUGH)
            assert await act(session, match_id, tokens[0], "x BOS") == 2
        process.kill()
    with server(tmp_path) as (_, address):
        async with Session(address) as session:
            assert await act(session, match_id, tokens[0], "x FEN") == 1
            assert await act(session, match_id, tokens[0], "x BOS") == 2
            record = (await session.match.GetRecord(match_pb2.GetRecordRequest(match_id=match_id))).lines
            assert [step.line for step in replay(record)] == [1, 2, 3]
            (only,) = (await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches
            assert only.match_id == match_id


def test_database_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    arguments = ("serve", "--port", "0", "--db", str(database))
    with Vinci(tmp_path, *arguments, under=["prlimit", "--fsize=4096"]) as process:
        assert process.ended() == 1
    assert "Error: " in process.err
    assert str(database) in process.err
    Store(database).close()


async def test_import_on_a_full_disk_takes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path / "server.db") as (_, session):
        for _ in range(40):
            await table(session)
    games, other = tmp_path / "games.jsonl", tmp_path / "other.db"
    games.write_text((await asyncio.to_thread(run, tmp_path, "export")).out)
    Store(other).close()
    arguments = ("import", str(games), "--db", str(other))
    with Vinci(tmp_path, *arguments, under=["prlimit", f"--fsize={other.stat().st_size}"]) as process:
        assert await asyncio.to_thread(process.ended) == 1
    assert "Error: the database refused" in process.err
    store = Store(other)
    assert await store.entries() == []
    store.close()
    assert "40 of 40 matches taken" in (await asyncio.to_thread(run, tmp_path, *arguments)).out
