"""An import refuses every row that no request would write; clients can read every imported match."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import grpc
import pytest
import structlog

from tests.support.server.in_process import (
    DUMMY,
    HUMAN,
    Table,
    bearer,
    bot_seat,
    create,
    join,
    refused,
    serving,
    table,
    updates,
)
from tests.support.server.match_calls import SUBSTITUTE, propose, say
from tests.support.server.transfer import export
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.errors import ServerRefused, from_rpc
from vinci_server.storage.store import LogRow, MatchEntry, Store, Stored
from vinci_server.transfer import bundle

TIMING: Final = lobby_pb2.Timing(bank_seconds=100, increment_seconds=5, absence_seconds=60)
MUTATIONS: Final = 400
VALUES: Final[list[Any]] = [
    None, True, -1, 0, 1, 7, 10**20, 10**30, 1.5, 1e300, "", "x", "\x1b]0;x\x07", "../../x", "y" * 400, [], {}, ["a"],
    {"a": 1},
]  # fmt: skip


async def rich(database: Path) -> list[str]:
    """Return an export of one match with rows of many kinds."""
    async with serving(database) as (_, session):
        at = await table(session, timing=TIMING)
        await at.act(1, "x FEN")
        undo = match_pb2.UndoRequest(match_id=at.match_id, request_id="undo")
        await session.match.Undo(undo, metadata=bearer(at.tokens[0]))
        await at.act(1, "x FEN", "x BOS", request_id="more")
        await say(at, 1, "hello")
        await say(at, 0, "hello too")
        await propose(at, 2, lobby_pb2.PROPOSAL_KIND_PAUSE)
        await propose(at, 2, SUBSTITUTE, about=1)
    return await export(database)


def within(column: str, *path: str | int) -> Callable[[str, Any], str]:
    """Return a change that puts a value into the JSON text of a column of a row."""

    def change(line: str, value: Any) -> str:
        row = json.loads(line)
        place = LogRow._fields.index(column)
        text = json.loads(row[place])
        inner = text
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        row[place] = json.dumps(text)
        return json.dumps(row)

    return change


def column(name: str) -> Callable[[str, Any], str]:
    """Return a change that puts a value into a column of a row."""
    return lambda line, value: json.dumps(LogRow(*json.loads(line))._replace(**{name: value}))


def head(name: str) -> Callable[[str, Any], str]:
    """Return a change that puts a value into the line of a match."""
    return lambda line, value: json.dumps(json.loads(line) | {name: value})


EVIL: Final = [
    ("match", head("match"), "../../x"),
    ("match", head("match"), ""),
    ("match", head("match"), "\x1b[2J"),
    ("match", head("match"), "a" * 65),
    ("match", head("created"), 1e300),
    ("match", head("created"), float("inf")),
    ("match", head("created"), -1.0),
    ("create", column("time"), float("inf")),
    ("create", column("time"), float("nan")),
    ("create", column("time"), 1e300),
    ("create", column("seat"), 99),
    ("create", within("text", "timing", "decision"), 10**30),
    ("create", within("text", "timing", "bank"), -1),
    ("create", within("text", "timing", "increment"), True),
    ("create", within("text", "timing", "bank"), float("inf")),
    ("create", within("text", "timing", "on_timeout"), "explode"),
    ("create", within("text", "timing", "substitute"), "\x1b[2J"),
    ("create", within("text", "timing", "absence"), 10**9),
    ("create", within("text", "mistakes", "tries"), 0),
    ("create", within("text", "mistakes", "tries"), 10**20),
    ("create", within("text", "mistakes", "after"), ["default"]),
    ("create", within("text", "seats", 0, "kind"), "alien"),
    ("create", within("text", "seats", 0, "bot"), "\x1b"),
    ("create", within("text", "seats", 0, "reserved"), 5),
    ("create", within("text", "board"), "atlantis"),
    ("create", within("text", "edition"), 5),
    ("create", within("text", "settings"), {"nothing": 1}),
    ("create", within("text", "settings"), []),
    ("create", within("text", "seed"), 5),
    ("create", within("text", "position"), "tiny; nonsense"),
    ("create", within("text", "start_when_full"), "yes"),
    ("create", within("text", "no_advice"), 1),
    ("create", within("text", "host_hash"), [1]),
    ("create", within("text", "more"), 1),
    ("join", within("text", "player"), ["a", "list"]),
    ("join", within("text", "player"), "\x1b]0;pwned\x07"),
    ("join", within("text", "player"), "x" * 33),
    ("join", within("text", "token_hash"), "short"),
    ("join", within("text", "token_hash"), 7),
    ("join", within("text", "nonce"), "a|b"),
    ("join", within("text", "more"), "x"),
    ("join", column("text"), "[" * 100_000),
    ("join", column("request"), "\x1b"),
    ("act", column("actor"), "\x1b"),
    ("act", column("times"), '{"think": 1e400}'),
    ("act", column("times"), '{"think": NaN}'),
    ("act", column("times"), '{"think": -1}'),
    ("act", column("times"), '{"think": 100000000000000000000}'),
    ("act", column("times"), '{"thought": 1}'),
    ("act", column("times"), '{"left": "long"}'),
    ("act", column("times"), "[]"),
    ("act", column("request"), "a#b"),
    ("chat", within("text", "name"), "\x1b]0;pwned\x07"),
    ("chat", within("text", "text"), "\x1b[2J"),
    ("chat", within("text", "text"), ""),
    ("chat", within("text", "text"), "x" * 301),
    ("chat", within("text", "text"), {"a": 1}),
    ("propose", within("text", "kind"), "zzz"),
    ("propose", within("text", "seat"), 99),
    ("propose", within("text", "agrees"), "perhaps"),
]  # fmt: skip


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return an export of one match, made once."""
    return asyncio.run(rich(tmp_path_factory.mktemp("import") / "games.db"))


def first_of(lines: list[str], kind: str) -> int:
    """Return the index of the first row of a kind, or of the line of the match."""
    if kind == "match":
        return 1
    return next(place for place, line in enumerate(lines) if place > 1 and json.loads(line)[1] == kind)


def test_unchanged_export_is_imported(exported: list[str]) -> None:
    kinds = {json.loads(line)[1] for line in exported[2:]}
    assert {"create", "join", "start", "act", "undo", "chat", "propose"} <= kinds
    assert len(list(bundle.matches(exported))) == 1


@pytest.mark.parametrize(("kind", "change", "value"), EVIL)
def test_row_that_no_request_writes_is_refused_with_its_line(
    exported: list[str], kind: str, change: Callable[[str, Any], str], value: Any
) -> None:
    lines, place = list(exported), first_of(exported, kind)
    lines[place] = change(lines[place], value)
    with pytest.raises(bundle.BadLine) as caught:
        list(bundle.matches(lines))
    assert caught.value.line == place + 1, str(caught.value)


def mutated(lines: list[str], chance: Random) -> list[str]:
    """Return the lines with one value, at any depth of one line, replaced by another."""
    place = chance.randrange(1, len(lines))
    value = json.loads(lines[place])
    spots: list[tuple[Any, Any]] = []

    def walk(inner: Any) -> None:
        for key in list(inner) if isinstance(inner, dict) else range(len(inner)):
            spots.append((inner, key))
            if isinstance(inner[key], (dict, list)):
                walk(inner[key])

    texts = []
    if isinstance(value, list):
        for at in (LogRow._fields.index("text"), LogRow._fields.index("times")):
            try:
                value[at] = json.loads(value[at])
                texts.append(at)
            except (ValueError, TypeError):
                continue
    walk(value)
    inner, key = chance.choice(spots)
    inner[key] = chance.choice(VALUES)
    for at in texts:
        value[at] = json.dumps(value[at])
    return [*lines[:place], json.dumps(value), *lines[place + 1 :]]


async def test_every_imported_match_can_be_read_by_clients(exported: list[str], tmp_path: Path) -> None:
    chance = Random(5)
    taken: list[tuple[MatchEntry, Stored]] = []
    for _ in range(MUTATIONS):
        lines = mutated(exported, chance)
        try:
            [(entry, stored)] = bundle.matches(lines)
        except bundle.BadLine:
            continue
        taken.append((entry._replace(match_id=f"taken{len(taken)}"), stored))
    assert len(taken) < MUTATIONS / 2
    store = Store(tmp_path / "taken.db")
    await store.put(taken)
    store.close()
    async with serving(tmp_path / "taken.db") as (_, session):
        listed = []
        token = ""
        while True:
            page = await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest(page_token=token))
            listed += [match.match_id for match in page.matches]
            if not (token := page.next_page_token):
                break
        assert sorted(listed) == sorted(entry.match_id for entry, _ in taken)
        for match_id in listed:
            at = Table(session, match_id, "", ())
            revision = (await at.get()).revision
            await session.match.GetTimes(match_pb2.GetTimesRequest(match_id=match_id))
            await at.record()
            request = match_pb2.WatchRequest(match_id=match_id, from_revision=0, chat_after=0, state=True, legal=True)
            try:
                assert len(await updates(session.match.Watch(request), revision + 1)) == revision + 1
            except grpc.aio.AioRpcError as error:  # one that says that other rules have played it
                failure = from_rpc(error, "")
                assert isinstance(failure, ServerRefused)
                assert failure.reason == "HISTORY_UNREADABLE"


async def test_unreadable_match_is_skipped_and_logged_once(database: Path) -> None:
    async with serving(database) as (_, session):
        good = await create(session, HUMAN, HUMAN, DUMMY)
        bad = [(await create(session, HUMAN, bot_seat("ada"), DUMMY)).match.match_id for _ in range(3)]
        await join(session, bad[0], 1, player="Ann")
    connection = sqlite3.connect(database)
    changes = [("join", '"Ann"', '["Ann"]'), ("create", '"kind": "bot"', '"kind": "alien"'), ("create", "{", "")]
    for match_id, (kind, old, new) in zip(bad, changes, strict=True):
        query = "UPDATE log SET text = replace(text, ?, ?) WHERE match = ? AND kind = ?"
        assert connection.execute(query, (old, new, match_id, kind)).rowcount == 1
    connection.commit()
    connection.close()
    with structlog.testing.capture_logs() as logs:
        async with serving(database) as (server, session):
            assert server.lobby.live == 1
            for _ in range(3):
                listed = (await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches
                assert [match.match_id for match in listed] == [good.match.match_id]
            for match_id in bad:
                at = Table(session, match_id, "", ())
                for call in (at.get(), at.watch().read(), at.record()):
                    error = await refused(call)
                    assert (error.reason, error.facts["match"]) == ("MATCH_UNREADABLE", match_id)
    logged = [log["match"] for log in logs if log["event"] == "match cannot be read"]
    assert sorted(logged) == sorted(bad)
    assert not [log for log in logs if log["event"] == "internal error"]
