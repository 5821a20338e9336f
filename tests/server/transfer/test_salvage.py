"""Salvage: what can be read of a damaged database is imported elsewhere, what is lost is named, the file stays as it is."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.paths import DATA
from tests.support.server.damaged import PAGE_BYTES, Fill, damage, filled, leaf_of, root
from tests.support.server.in_process import DUMMY, HUMAN, LAST_TURN, Table, create, serving, table
from tests.support.server.transfer import export, take_in
from vinci_server.storage.store import Store, StoreError
from vinci_server.transfer import bundle, salvage


@pytest.fixture
async def games(database: Path) -> Path:
    """Fill a database with running matches, an open one, a finished and an archived one."""
    await filled(database, 8)
    async with serving(database) as (server, session):
        archived = await table(session, LAST_TURN)
        await archived.act(3, "hold HAM=5")
        await server._store.archive(time.time() + 1)
        await create(session, HUMAN, DUMMY, DUMMY)
        over = await table(session, LAST_TURN)
        await over.act(3, "hold HAM=5")
    return database


def by_match(lines: list[str]) -> dict[str, list[str]]:
    """Return the rows of each match of an export."""
    found: dict[str, list[str]] = {}
    for line in lines[1:]:
        value = json.loads(line)
        if isinstance(value, dict):
            rows = found[value["match"]] = []
        else:
            rows.append(line)
    return found


def saved(database: Path) -> tuple[list[str], dict[str, str], str]:
    """Salvage a database; returns an export, the faults of matches, and that of their list."""
    before = {path.name: path.read_bytes() for path in database.parent.iterdir() if path.is_file()}
    with salvage.opened(database) as wreck:
        found = {match_id: wreck.read(match_id) for match_id in wreck.match_ids}
    assert {path.name: path.read_bytes() for path in database.parent.iterdir() if path.is_file()} == before
    whole = [one.match for one in found.values() if one.match is not None]
    lines = [bundle.first_line(len(whole))]
    for match in whole:
        lines += bundle.lines(*match)
    return lines, {match_id: one.fault for match_id, one in found.items() if one.fault}, wreck.fault


async def test_intact_database_is_saved_as_export_writes_it(games: Path) -> None:
    before = await export(games)
    assert saved(games) == (before, {}, "")


async def test_what_was_not_checkpointed_is_saved(database: Path, tmp_path: Path) -> None:
    """A copy of a database in use, with its write-ahead log, is what a kill leaves."""
    store = Store(database)
    killed = tmp_path / "killed"
    killed.mkdir()
    for name in (database.name, f"{database.name}-wal"):
        shutil.copyfile(database.with_name(name), killed / name)
    store.close()
    async with serving(database) as (_, session):
        at = await table(session)
        for name in (database.name, f"{database.name}-wal"):
            shutil.copyfile(database.with_name(name), killed / name)
    lines, faults, fault = saved(killed / database.name)
    assert (list(by_match(lines)), faults, fault) == ([at.match_id], {}, "")


@pytest.mark.parametrize("fill", [bytes, os.urandom])
async def test_of_every_damaged_page_the_rest_is_saved(games: Path, tmp_path: Path, fill: Fill) -> None:
    known = by_match(await export(games))
    data = games.read_bytes()
    counts = []
    for page in range(1, len(data) // PAGE_BYTES):
        damage(games, [page], fill)
        lines, faults, fault = saved(games)
        assert len(list(bundle.matches(lines))) == json.loads(lines[0])["matches"]
        for match_id, rows in by_match(lines).items():
            assert rows == known[match_id][: len(rows)]
            assert rows == known[match_id] or match_id in faults
        missing = known.keys() - by_match(lines).keys()
        assert not missing or fault or missing <= faults.keys()
        counts.append(len(by_match(lines)))
        games.write_bytes(data)
    assert sum(counts) > len(counts) * len(known) / 2


async def test_saved_matches_are_imported_and_go_on(database: Path, tmp_path: Path) -> None:
    tables = await filled(database)
    damage(database, [leaf_of(database, tables[0].match_id)])
    lines, faults, _ = saved(database)
    assert tables[0].match_id in faults
    await asyncio.to_thread(take_in, lines, tmp_path / "new.db")
    whole = next(at for at in tables if at.match_id not in faults)
    async with serving(tmp_path / "new.db") as (_, session):
        at = Table(session, whole.match_id, whole.host, whole.tokens)
        assert (await at.act(1, "hold ARA=4 BOS=3 FEN=3", request_id="2")).revision == 3


@pytest.mark.parametrize("name", ["match", "match_by_age", "snapshot"])
async def test_matches_are_found_by_their_rows(games: Path, name: str) -> None:
    known = by_match(await export(games))
    damage(games, [root(games, name)])
    lines, faults, fault = saved(games)
    assert (by_match(lines), faults) == (known, {})
    assert bool(fault) == (name == "match")


@pytest.mark.parametrize(("pages", "least"), [(3, 20), (20, 0)])
async def test_what_a_shorter_file_still_has_is_saved(database: Path, pages: int, least: int) -> None:
    """Of half a file little may be left: a page that leads to all others may be in the other half."""
    await filled(database, 40)
    known = by_match(await export(database))
    os.truncate(database, database.stat().st_size - pages * PAGE_BYTES)
    lines, faults, fault = saved(database)
    found = by_match(lines)
    assert least <= len(found) < len(known)
    assert all(rows == known[match_id] or match_id in faults for match_id, rows in found.items())
    assert fault or known.keys() - found.keys() <= faults.keys()


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda database: damage(database, [0]), "its first page is damaged"),
        (lambda database: os.truncate(database, 0), "is empty"),
        (lambda database: damage(database, range(1, database.stat().st_size // PAGE_BYTES)), "no match can be read"),
    ],
)
async def test_database_without_anything_readable_is_refused(
    games: Path, harm: Callable[[Path], None], reason: str
) -> None:
    harm(games)
    with pytest.raises(StoreError, match=rf"{reason}.*restore a backup"), salvage.opened(games):
        pass


async def test_database_in_use_is_refused(database: Path) -> None:
    store = Store(database)
    program = (
        "import sys, pathlib; from vinci_server.transfer import salvage\n"
        "with salvage.opened(pathlib.Path(sys.argv[1])): pass\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, str(database), stderr=asyncio.subprocess.PIPE
    )
    assert b"in use by another server" in (await process.communicate())[1]
    store.close()


async def test_database_of_version_1_is_saved(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.executescript((DATA / "database-1.sql").read_text())
    connection.close()
    lines, faults, fault = saved(database)
    assert (len(by_match(lines)), faults, fault) == (2, {}, "")
