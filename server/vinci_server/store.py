"""The log of all matches in SQLite: append-only rows, one writer thread, group commit.

What `append` has returned from is on disk (WAL, synchronous FULL). Everything about a match, from its making to its
last action, is a row of one kind; a match is what its rows add up to, so a restart finds every match as it was.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from sys import intern
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeVar

from .database import StoreError as StoreError
from .database import connect, store_error
from .metrics import Metrics

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]
Queued = tuple[Job[Any], asyncio.Future[Any]]
"""What is to be done, and who waits for it."""


class Row(NamedTuple):
    """A line of the log; columns as in `database.STEPS`."""

    sequence: int
    kind: str
    seat: int
    actor: str
    request: str | None
    text: str
    chance: str
    time: float
    hash: str
    times: str = ""


_INSERT: Final = f"INSERT INTO log (match, {', '.join(Row._fields)}) VALUES (?{', ?' * len(Row._fields)})"


class MatchEntry(NamedTuple):
    """A match in the list of all matches."""

    match_id: str
    created: float
    status: str


class Store:
    """The database. Raises StoreError if it cannot be opened or written."""

    def __init__(self, path: Path, metrics: Metrics | None = None) -> None:
        self.path: Final = path
        self._metrics: Final = metrics or Metrics()
        self._jobs: Final[queue.SimpleQueue[Queued | None]] = queue.SimpleQueue()
        self._closed = False
        ready: Future[None] = Future()
        self._thread: Final = threading.Thread(target=self._work, args=(ready,), name="store", daemon=True)
        self._thread.start()
        ready.result()

    async def append(self, match_id: str, rows: Sequence[Row], status: str | None = None) -> None:
        """Make rows of a match, and if given its new status, durable: all of them or none."""
        listed = [(match_id, *row) for row in rows]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(_INSERT, listed)
            if status is not None:
                connection.execute("UPDATE match SET status = ? WHERE id = ?", (status, match_id))

        await self._run(write)
        self._metrics.acted(row.actor for row in rows if row.kind == "act")

    async def create(self, match_id: str, row: Row) -> None:
        """Make a new match durable with its first row."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO match (id, created, status) VALUES (?, ?, 'open')", (match_id, row.time))
            connection.execute(_INSERT, (match_id, *row))

        await self._run(write)

    async def rows(self, match_id: str) -> list[Row]:
        """All rows of a match in order; none if there is no such match."""
        return await self._run(lambda connection: _rows(connection, match_id))

    async def entries(
        self, most: int = -1, after: tuple[float, str] | None = None, status: str | None = None
    ) -> list[MatchEntry]:
        """Matches, the newest first; with `after`, those that follow this age and id in the list."""
        created, match_id = after if after is not None else (float("inf"), "")
        query = (
            "SELECT id, created, status FROM match WHERE (created < ?1 OR (created = ?1 AND id > ?2))"
            " AND (?3 IS NULL OR status = ?3) ORDER BY created DESC, id LIMIT ?4"
        )
        return await self._run(
            lambda connection: [
                MatchEntry(*row) for row in connection.execute(query, (created, match_id, status, most))
            ]
        )

    async def counts(self) -> dict[str, int]:
        """How many matches have each status."""
        query = "SELECT status, COUNT(*) FROM match GROUP BY status"
        return await self._run(lambda connection: dict(connection.execute(query).fetchall()))

    @property
    def waiting(self) -> int:
        """Jobs that the writer has not begun."""
        return self._jobs.qsize()

    def size(self) -> int:
        """Bytes of the database and of what is still in its write-ahead log."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Finish what is queued and close the database."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()

    async def _run(self, job: Job[T]) -> T:
        if self._closed:
            raise StoreError(f"{self.path} is closed")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, future))
        return await future

    def _work(self, ready: Future[None]) -> None:
        try:
            connection = connect(self.path)
        except StoreError as error:
            ready.set_exception(error)
            return
        ready.set_result(None)
        closing = False
        while not closing:
            queued = [self._jobs.get()]
            while not self._jobs.empty():
                queued.append(self._jobs.get())
            closing = None in queued
            batch = [one for one in queued if one is not None and not one[1].cancelled()]
            if batch:
                begin = perf_counter()
                outcomes = _commit(connection, [job for job, _ in batch])
                self._metrics.committed(perf_counter() - begin, len(batch))
                _tell([(future, outcome) for (_, future), outcome in zip(batch, outcomes, strict=True)])
        connection.close()


def _commit(connection: sqlite3.Connection, jobs: Sequence[Job[Any]]) -> list[Any]:
    """Run jobs in one transaction; the result of each, or the exception with which it failed.

    If one fails, they run one by one, so that it spoils no other.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
        results = [job(connection) for job in jobs]
        connection.execute("COMMIT")
    except Exception as error:  # whatever it is, it is the caller's, and the writer goes on
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if len(jobs) > 1:
            return [outcome for job in jobs for outcome in _commit(connection, [job])]
        return [store_error(error) if isinstance(error, sqlite3.Error) else error]
    return results


def _tell(outcomes: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    """Wake everybody whose job is done, at once: a thread that calls into a loop interrupts it."""

    def tell() -> None:
        for future, outcome in outcomes:
            if not future.cancelled():
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)

    with suppress(RuntimeError):  # the loop is closed: nobody waits
        outcomes[0][0].get_loop().call_soon_threadsafe(tell)


def _rows(connection: sqlite3.Connection, match_id: str) -> list[Row]:
    query = f"SELECT {', '.join(Row._fields)} FROM log WHERE match = ? ORDER BY sequence"
    return [_sharing(Row(*row)) for row in connection.execute(query, (match_id,))]


def _sharing(row: Row) -> Row:
    """The same row; texts that many rows have are one object, since a match keeps its rows in memory."""
    return row._replace(kind=intern(row.kind), actor=intern(row.actor), chance=intern(row.chance))
