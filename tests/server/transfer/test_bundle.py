"""Export and import: all matches are transferred, or none with the number of the bad line."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
import structlog

from tests.support.server.in_process import (
    DUMMY,
    HUMAN,
    LAST_TURN,
    Table,
    bearer,
    create,
    join,
    serving,
    table,
    updates,
)
from tests.support.server.match_calls import SUBSTITUTE, finished, propose, rematch, say, take_back
from tests.support.server.transfer import export, take_in
from vinci.v1 import admin_pb2, lobby_pb2, match_pb2
from vinci_cli.exceptions import Failed
from vinci_rules.chance import nonce_hash
from vinci_rules.engine import apply
from vinci_server.match.log import history
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.storage.store import LogRow, Store
from vinci_server.transfer import bundle


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Restore the logging configuration after the commands."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture
async def games(database: Path) -> Path:
    """Fill a database with an open, a running, a finished and an archived match."""
    async with serving(database) as (server, session):
        archived = await table(session, LAST_TURN)
        await archived.act(3, "hold HAM=5")
        await server._store.archive(time.time() + 1)
        await create(session, HUMAN, DUMMY, DUMMY)
        over = await table(session, LAST_TURN)
        await over.act(3, "hold HAM=5")
        running = await table(session)
        await running.act(1, "x FEN", "x BOS", request_id="first")
    return database


async def test_export_of_an_import_is_identical(games: Path, tmp_path: Path) -> None:
    lines = await export(games)
    assert json.loads(lines[0])["matches"] == 4
    await asyncio.to_thread(take_in, lines, tmp_path / "other.db")
    assert await export(tmp_path / "other.db") == lines


async def test_export_of_an_older_server_is_imported(games: Path, tmp_path: Path) -> None:
    first, *others = await export(games)
    await asyncio.to_thread(take_in, [changed("schema", 2)(first), *others], tmp_path / "other.db")
    assert await export(tmp_path / "other.db") == [first, *others]


async def test_imported_match_continues(games: Path, tmp_path: Path) -> None:
    async with serving(games) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", request_id="first")
        record = await at.record()
    lines = await export(games, at.match_id)
    await asyncio.to_thread(take_in, lines, tmp_path / "other.db")
    async with serving(tmp_path / "other.db") as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert await at.record() == record
        assert (await at.act(1, "x FEN", request_id="first")).repeated_request
        assert (await at.act(1, "x BOS", request_id="second")).revision == 2


async def test_secret_match_is_exported_without_tokens(database: Path) -> None:
    async with serving(database) as (_, session):
        made = await create(session, HUMAN, DUMMY, DUMMY)
        token = (await join(session, made.match.match_id)).seat_token
    text = "\n".join(await export(database))
    for secret in (made.host_token, token):
        assert secret.partition(".")[2] not in text


async def test_existing_matches_are_left_alone(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = await export(games)
    for _ in range(2):
        await asyncio.to_thread(take_in, lines, tmp_path / "other.db")
    output = capsys.readouterr().out
    assert "4 of 4 matches taken into" in output
    assert "0 of 4 matches taken into" in output
    assert "4 were there already" in output
    assert await export(tmp_path / "other.db") == lines


async def test_match_that_continued_since_the_export_stops_the_import(database: Path, tmp_path: Path) -> None:
    async with serving(database) as (_, session):
        at, more = await table(session), await table(session)
    lines = await export(database)
    await asyncio.to_thread(take_in, await export(database, at.match_id), tmp_path / "other.db")
    async with serving(tmp_path / "other.db") as (_, session):
        await Table(session, at.match_id, "", at.tokens).act(1, "x FEN")
    before = await export(tmp_path / "other.db")
    with pytest.raises(Failed, match=f"another match {at.match_id}"):
        await asyncio.to_thread(take_in, lines, tmp_path / "other.db")
    assert await export(tmp_path / "other.db") == before
    assert more.match_id not in str(before)


async def test_empty_database_is_exported_and_imported(database: Path, tmp_path: Path) -> None:
    Store(database).close()
    lines = await export(database)
    await asyncio.to_thread(take_in, lines, tmp_path / "other.db")
    assert await export(tmp_path / "other.db") == lines


def changed(name: str, value: Any) -> Callable[[str], str]:
    """Return a line whose object has another value."""
    return lambda line: json.dumps(json.loads(line) | {name: value})


def column(name: str, value: Any) -> Callable[[str], str]:
    """Return a row with another value in a column."""
    place = LogRow._fields.index(name)
    return lambda line: json.dumps([*json.loads(line)[:place], value, *json.loads(line)[place + 1 :]])


# Lines of an export of one match: 1 the header, 2 the match, 3 create, 4 to 6 join, 7 start, 8 and 9 acts.
WRONG: Final = [
    (1, lambda line: "", "not valid JSON"),
    (1, lambda line: '{"vinci":1}', "no export"),
    (1, lambda line: "[]", "not a JSON object"),
    (1, changed("format", 2), "reads format 1"),
    (1, changed("schema", 99), "schema 99"),
    (1, changed("matches", 2), None),
    (2, changed("status", "over"), "is running"),
    (2, changed("rows", 6), None),
    (2, changed("rows", 8), None),
    (2, changed("rows", "7"), "wrong type"),
    (2, changed("rows", True), "wrong type"),
    (2, changed("snapshot", [1]), "wrong type"),
    (2, changed("snapshot", [7, "0.1.0", "tiny; nonsense"]), "snapshot"),
    (2, lambda line: json.dumps(json.loads(line) | {"snapshot": [70, *json.loads(line)["snapshot"][1:]]}), "row 70"),
    (3, column("kind", "join"), "match"),
    (3, column("text", "{}"), "match"),
    (5, column("sequence", 7), "no row 3"),
    (5, column("seat", 60), "match"),
    (5, column("seat", "1"), "no row 3"),
    (7, column("hash", "0" * 64), "not as it was written"),
    (8, column("text", "x BOS"), "not as it was played"),
    (8, column("hash", "0" * 64), "not as it was played"),
    (9, column("text", "x NOWHERE"), "match"),
    (9, column("text", None), "no row 7"),
    (9, lambda line: line[:20], "not valid JSON"),
]


@pytest.mark.parametrize(("number", "change", "reason"), WRONG)
async def test_first_invalid_line_is_named_and_nothing_is_imported(
    database: Path, tmp_path: Path, number: int, change: Callable[[str], str], reason: str | None
) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x BOS")
    lines = await export(database)
    lines[number - 1] = change(lines[number - 1])
    with pytest.raises(bundle.BadLine) as caught:
        list(bundle.matches(lines))
    if reason is not None:
        assert (caught.value.line, reason in str(caught.value)) == (number, True), str(caught.value)
    with pytest.raises(Failed, match=f"lines.jsonl, line {caught.value.line}: "):
        await asyncio.to_thread(take_in, lines, tmp_path / "other.db")
    assert not (tmp_path / "other.db").exists()


async def test_truncated_or_extended_export_is_refused(games: Path) -> None:
    lines = await export(games)
    for cut in range(len(lines)):
        with pytest.raises(bundle.BadLine):
            list(bundle.matches(lines[:cut]))
    with pytest.raises(bundle.BadLine) as caught:
        list(bundle.matches([*lines, "[]"]))
    assert caught.value.line == len(lines) + 1
    with pytest.raises(bundle.BadLine, match="second time"):
        list(bundle.matches([bundle.first_line(8), *lines[1:], *lines[1:]]))


async def test_match_of_changed_rules_is_imported_with_its_snapshot(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x BOS")
    lines = await export(database)

    def generous(state: Any, *more: Any) -> None:
        apply(state, *more)
        state.vp[0] += 1

    monkeypatch.setattr(history, "apply", generous)
    with pytest.raises(bundle.BadLine, match="line 8"):
        list(bundle.matches(lines))
    monkeypatch.setattr(bundle, "ENGINE_VERSION", "99.0")
    await asyncio.to_thread(take_in, lines, tmp_path / "other.db")
    assert await export(tmp_path / "other.db") == lines


async def test_every_kind_of_row_is_imported(database: Path, tmp_path: Path) -> None:
    """Proposals, chat, times and undos are equal afterwards, also after a restart and from the archive."""
    timing = lobby_pb2.Timing(bank_seconds=100, increment_seconds=5)
    async with serving(database) as (server, session):
        admin = bearer((database.parent / ADMIN_FILE).read_text().strip())
        made = await create(session, HUMAN, HUMAN, DUMMY, start_when_full=True, timing=timing, seed="1")
        setup = lobby_pb2.SetSeatRequest(match_id=made.match.match_id, seat=3, setup=HUMAN)
        await session.lobby.SetSeat(setup, metadata=bearer(made.host_token))
        tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(3)]
        at = Table(session, made.match.match_id, made.host_token, tuple(tokens))
        for kind in (lobby_pb2.PROPOSAL_KIND_PAUSE, lobby_pb2.PROPOSAL_KIND_RESUME):
            for seat in (1, 2, 3):
                await propose(at, seat, kind)
        seat = (await updates(at.watch(0, state=True), 1))[0].state.seat_to_act
        suggestion = await session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id))
        await at.act(seat, suggestion.notation)
        await propose(at, 2, SUBSTITUTE, about=1)
        await propose(at, 3, SUBSTITUTE, about=1)
        await take_back(at, 1)
        await say(at, 0, "hello")
        await session.admin.KickSeat(admin_pb2.KickSeatRequest(match_id=at.match_id, seat=2), metadata=admin)
        await join(session, at.match_id, 2)
        ended = await table(session, timing=timing)
        await ended.act(1, "x FEN")
        undo = match_pb2.UndoRequest(match_id=ended.match_id, request_id="undo")
        await session.match.Undo(undo, metadata=bearer(ended.tokens[0]))
        await ended.act(2, "forfeit 2", request_id="out")
        await propose(ended, 1, lobby_pb2.PROPOSAL_KIND_PAUSE)
        end = admin_pb2.EndMatchRequest(match_id=ended.match_id, reason="late")
        await session.admin.EndMatch(end, metadata=admin)
        over = await finished(session)
        await rematch(session, over.match_id, over.tokens[0])
        secret = await create(session, HUMAN, HUMAN, DUMMY, start_when_full=True)
        bearers = [
            (await join(session, secret.match.match_id, nonce_hash=nonce_hash(f"{seat}"))).seat_token for seat in (1, 2)
        ]
        await session.reveal_nonce(secret.match.match_id, bearers[0], "1")
        due = Table(session, secret.match.match_id, secret.host_token, tuple(bearers))
        await server._store.archive(time.time() + 1)
        snapshots = [await everything(one) for one in (at, ended, over, due)]
    lines = await export(database)
    kinds = {values[1] for values in map(json.loads, lines[1:]) if isinstance(values, list)}
    assert kinds == {
        *("create", "join", "leave", "seat", "start", "act", "undo", "clock", "substitute", "return"),
        *("pause", "resume", "propose", "chat", "rematch", "end", "reveal", "nonce"),
    }
    await asyncio.to_thread(take_in, lines, tmp_path / "other.db")
    assert await export(tmp_path / "other.db") == lines
    for path in (database, tmp_path / "other.db"):
        async with serving(path) as (_, session):
            assert [await everything(replace(one, session=session)) for one in (at, ended, over, due)] == snapshots
            assert (
                await session.reveal_nonce(due.match_id, due.tokens[1], "2")
            ).status == lobby_pb2.MATCH_STATUS_RUNNING


async def everything(at: Table) -> list[Any]:
    """Return the public data of a match: its state without the spectators of the moment, record and decision times."""
    request = match_pb2.GetTimesRequest(match_id=at.match_id)
    match = await at.get()
    match.ClearField("spectators")
    return [match, await at.record(), await at.session.match.GetTimes(request)]
