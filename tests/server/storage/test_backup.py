"""Backups of a database in use: complete, consistent, and never over another file."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.server.in_process import SOON
from vinci_server.storage import database
from vinci_server.storage.store import LogRow, Store, StoreError

MATCHES = 200


def row(sequence: int) -> LogRow:
    """Return a large row of a log, so that a backup of a few thousand takes many steps."""
    return LogRow(sequence, "act", 1, "player", None, "x ALP " * 100, "{}", 1000.0 + sequence, "hash")


async def fill(store: Store) -> None:
    """Store matches with ten rows each."""
    for number in range(MATCHES):
        await store.create(f"m{number}", row(1))
        await store.append(f"m{number}", [row(sequence) for sequence in range(2, 11)])


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    """Open a store with many matches."""
    store = Store(database)
    asyncio.run(fill(store))
    yield store
    store.close()


class PausedBackup:
    """A copy function that waits before its second step until released."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.copy = database.copied
        self.has_begun = threading.Event()
        self.may_go_on = threading.Event()
        patch.setattr("vinci_server.storage.store.copied", self)

    def __call__(self, connection: sqlite3.Connection, path: Path, meanwhile: Callable[[], None]) -> Path:
        """Copy."""

        def wait() -> None:
            self.has_begun.set()
            assert self.may_go_on.wait(SOON)
            meanwhile()

        return self.copy(connection, path, wait)


def test_commits_continue_during_a_backup_and_are_in_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        halted = PausedBackup(monkeypatch)
        copying = asyncio.create_task(store.backup(tmp_path / "copy.db"))
        await asyncio.to_thread(halted.has_begun.wait, SOON)
        appending = [asyncio.create_task(store.append(f"m{number}", [row(11)])) for number in range(MATCHES)]
        failing = asyncio.create_task(store.append("m0", [row(1)]))
        await asyncio.sleep(0)
        halted.may_go_on.set()
        await asyncio.gather(*appending)
        with pytest.raises(StoreError):
            await failing
        await copying

    asyncio.run(work())
    copy = Store(tmp_path / "copy.db")
    for number in range(MATCHES):
        assert asyncio.run(copy.load(f"m{number}")).rows == [row(sequence) for sequence in range(1, 12)]
    copy.close()
    with sqlite3.connect(tmp_path / "copy.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_backup_is_private_and_leaves_no_other_file(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    asyncio.run(store.backup(folder / "copy.db"))
    assert [path.name for path in folder.iterdir()] == ["copy.db"]
    assert (folder / "copy.db").stat().st_mode & 0o077 == 0


def test_existing_file_is_not_overwritten(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("dear")
    with pytest.raises(StoreError, match="already"):
        asyncio.run(store.backup(tmp_path / "copy.db"))
    assert (tmp_path / "copy.db").read_text() == "dear"


def test_missing_folder_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"nowhere.*No such file"):
        asyncio.run(store.backup(tmp_path / "nowhere" / "copy.db"))


def test_concurrent_backups_are_made_one_after_the_other(store: Store, tmp_path: Path) -> None:
    async def work() -> None:
        await asyncio.gather(*(store.backup(tmp_path / name) for name in ("a.db", "b.db")))

    asyncio.run(work())
    for name in ("a.db", "b.db"):
        copy = Store(tmp_path / name)
        assert len(asyncio.run(copy.entries())) == MATCHES
        copy.close()


def test_closing_a_store_does_not_wait_for_a_backup(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        halted = PausedBackup(monkeypatch)
        copying = asyncio.create_task(store.backup(tmp_path / "copy.db"))
        await asyncio.to_thread(halted.has_begun.wait, SOON)
        closing = asyncio.create_task(asyncio.to_thread(store.close))
        while not store.waiting:
            await asyncio.sleep(0.01)
        halted.may_go_on.set()
        with pytest.raises(StoreError, match="the server stops"):
            await copying
        await closing

    asyncio.run(work())
    assert not list(tmp_path.glob("copy.db*"))
