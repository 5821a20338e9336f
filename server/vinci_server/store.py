"""The log of all matches in SQLite: append-only rows, one writer thread, group commit.

What `append` has returned from is on disk (WAL, synchronous FULL). Everything about a match, from its making to its
last action, is a row of one kind; a match is what its rows add up to, so a restart finds every match as it was.
"""

import asyncio
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from sys import intern
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeVar

from . import backup
from .database import StoreError as StoreError
from .database import connect, store_error
from .metrics import Metrics

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]


class Queued(NamedTuple):
    """What is to be done, and who waits for it. It shares a transaction with others, unless it is done `alone`."""

    job: Job[Any]
    future: asyncio.Future[Any]
    alone: bool = False


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
        self._alone: Final[deque[Queued]] = deque()
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

    async def latest_rows(self, match_id: str, most: int) -> list[Row]:
        """The last rows of a match that are in the log, in order."""
        query = f"SELECT {', '.join(Row._fields)} FROM log WHERE match = ? ORDER BY sequence DESC LIMIT ?"
        return await self._run(
            lambda connection: [Row(*row) for row in reversed(connection.execute(query, (match_id, most)).fetchall())]
        )

    async def last_times(self, match_ids: Sequence[str]) -> dict[str, float]:
        """When something happened last in each of these matches, in seconds since 1970; nothing for archived ones."""
        query = "SELECT time FROM log WHERE match = ? ORDER BY sequence DESC LIMIT 1"

        def read(connection: sqlite3.Connection) -> dict[str, float]:
            found = {match_id: connection.execute(query, (match_id,)).fetchone() for match_id in match_ids}
            return {match_id: row[0] for match_id, row in found.items() if row}

        return await self._run(read)

    async def counts(self) -> dict[str, int]:
        """How many matches have each status."""
        query = "SELECT status, COUNT(*) FROM match GROUP BY status"
        return await self._run(lambda connection: dict(connection.execute(query).fetchall()))

    async def backup(self, path: Path) -> None:
        """Write a copy of the database to a new file; what others want stored meanwhile is stored, in both.

        Raises StoreError if there is such a file, or if it cannot be written.
        """

        def write(connection: sqlite3.Connection) -> None:
            try:
                backup.copy(connection, path, lambda: self._between(connection))
            except OSError as error:
                raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None

        await self._run(write, alone=True)

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

    async def _run(self, job: Job[T], *, alone: bool = False) -> T:
        if self._closed:
            raise StoreError(f"{self.path} is closed")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(Queued(job, future, alone))
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
            closing = self._work_off(connection, [self._jobs.get()])
            while self._alone:
                one = self._alone.popleft()
                _tell([(one.future, _outcome(connection, one.job))])
        connection.close()

    def _work_off(self, connection: sqlite3.Connection, queued: list[Queued | None]) -> bool:
        """Do these jobs and all that are queued, but those to be done alone; whether the store is to be closed."""
        while not self._jobs.empty():
            queued.append(self._jobs.get())
        jobs = [one for one in queued if one is not None and not one.future.cancelled()]
        self._alone.extend(one for one in jobs if one.alone)
        batch = [one for one in jobs if not one.alone]
        if batch:
            begin = perf_counter()
            outcomes = _commit(connection, [one.job for one in batch])
            self._metrics.committed(perf_counter() - begin, len(batch))
            _tell([(one.future, outcome) for one, outcome in zip(batch, outcomes, strict=True)])
        return None in queued

    def _between(self, connection: sqlite3.Connection) -> None:
        """Do what is queued in the middle of a copy. Raises StoreError if the store is to be closed."""
        if not self._jobs.empty() and self._work_off(connection, []):
            self._jobs.put(None)
        if self._closed:
            raise StoreError("the server stops; the backup was not finished")


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


def _outcome(connection: sqlite3.Connection, job: Job[Any]) -> Any:
    """The result of a job without a transaction, or the exception with which it failed."""
    try:
        return job(connection)
    except Exception as error:
        return store_error(error) if isinstance(error, sqlite3.Error) else error


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
