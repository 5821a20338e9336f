"""Copies of the database made while it is written: whole, at once, and never over another file."""

# ruff: noqa: D103  # the name of each test says what it proves

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.server.in_process import SOON
from vinci_server.storage import backup
from vinci_server.storage.store import LogRow, Store, StoreError

MATCHES = 200


def row(sequence: int) -> LogRow:
    """A row of a log, large enough that a few thousand of them take many portions."""
    return LogRow(sequence, "act", 1, "player", None, "x ALP " * 100, "{}", 1000.0 + sequence, "hash")


async def fill(store: Store) -> None:
    """Matches with ten rows each."""
    for number in range(MATCHES):
        await store.create(f"m{number}", row(1))
        await store.append(f"m{number}", [row(sequence) for sequence in range(2, 11)])


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    """A store with much in it."""
    store = Store(database)
    asyncio.run(fill(store))
    yield store
    store.close()


class Halted:
    """Copying that waits before its second portion until it is let go."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.copy = backup.copy
        self.has_begun = threading.Event()
        self.may_go_on = threading.Event()
        patch.setattr(backup, "copy", self)

    def __call__(self, connection: sqlite3.Connection, path: Path, meanwhile: Callable[[], None]) -> None:
        """Copy."""

        def wait() -> None:
            self.has_begun.set()
            assert self.may_go_on.wait(SOON)
            meanwhile()

        self.copy(connection, path, wait)


def test_play_goes_on_in_the_middle_of_a_copy_which_holds_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        halted = Halted(monkeypatch)
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


def test_a_copy_is_for_its_owner_only_and_leaves_nothing_beside_it(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    asyncio.run(store.backup(folder / "copy.db"))
    assert [path.name for path in folder.iterdir()] == ["copy.db"]
    assert (folder / "copy.db").stat().st_mode & 0o077 == 0


def test_a_file_that_exists_is_left_as_it_is(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("dear")
    with pytest.raises(StoreError, match="already"):
        asyncio.run(store.backup(tmp_path / "copy.db"))
    assert (tmp_path / "copy.db").read_text() == "dear"


def test_a_folder_that_is_not_there_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"nowhere.*No such file"):
        asyncio.run(store.backup(tmp_path / "nowhere" / "copy.db"))


def test_copies_asked_for_at_the_same_time_are_made_one_after_the_other(store: Store, tmp_path: Path) -> None:
    async def work() -> None:
        await asyncio.gather(*(store.backup(tmp_path / name) for name in ("a.db", "b.db")))

    asyncio.run(work())
    for name in ("a.db", "b.db"):
        copy = Store(tmp_path / name)
        assert len(asyncio.run(copy.entries())) == MATCHES
        copy.close()


def test_a_store_that_is_closed_does_not_wait_for_a_copy(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        halted = Halted(monkeypatch)
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
