"""The log of all matches in SQLite: append-only rows, one writer thread, group commit (WAL, synchronous FULL)."""

import asyncio
import json
import queue
import sqlite3
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from sys import intern
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeVar

from ..errors import ServiceError
from ..metrics import Metrics
from . import check, results
from .database import DamagedError as DamagedError
from .database import StoreError as StoreError
from .database import connect, copied, damaged, store_error
from .results import SeatResult

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]
Waiting = asyncio.Future[Any] | Future[Any]
"""A task, or a thread that does nothing else."""

ARCHIVED_AT_ONCE: Final = 10


class Queued(NamedTuple):
    """A job and the future that waits for it. Jobs share a transaction, except those that run `alone`."""

    job: Job[Any]
    future: Waiting
    alone: bool = False


class LogRow(NamedTuple):
    """A row of the log; columns as in `database.STEPS`."""

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


class Snapshot(NamedTuple):
    """The position of a match as text, the row that led to it, and the version of the rules that wrote it."""

    sequence: int
    engine: str
    position: str


class PersonRow(NamedTuple):
    """A row of the log that is about a person, 0 for a guest; columns as in `database.STEPS`.

    With `seat` and `holds`, nobody had the seat before, or somebody else.
    """

    person: int
    sequence: int
    seat: int
    holds: bool


class Stored(NamedTuple):
    """All that is stored of a match: its rows in order, none if it does not exist, and its latest position."""

    rows: list[LogRow]
    snapshot: Snapshot | None


_INSERT: Final = f"INSERT INTO log (match, {', '.join(LogRow._fields)}) VALUES (?{', ?' * len(LogRow._fields)})"
_CREATE: Final = (
    "INSERT OR IGNORE INTO match (id, created, status)"
    " SELECT ?, MAX(?, (SELECT COALESCE(MAX(created), 0) + 0.000001 FROM match)), 'open'"
)
"""Later than all others, even if the wall clock was set back: the newest match is first in lists."""
_SELECT: Final = f"SELECT {', '.join(LogRow._fields)} FROM log WHERE match = ? ORDER BY sequence"
_LAST_TIME: Final = "SELECT time FROM log WHERE match = ? AND kind <> 'clock' ORDER BY sequence DESC LIMIT 1"
_LOSE_SEAT: Final = "UPDATE person_row SET holds = 0 WHERE match = ? AND seat = ?"
_ADD_PERSON: Final = "INSERT INTO person_row (person, match, sequence, seat, holds) VALUES (?, ?, ?, ?, ?)"
_UPSERT: Final = "INSERT OR REPLACE INTO snapshot (match, sequence, engine, position) VALUES (?, ?, ?, ?)"


_UNSUMMARIZE: Final = "UPDATE snapshot SET server = NULL, summary = NULL WHERE match = ? AND server IS NOT NULL"


class Summary(NamedTuple):
    """Serialized `Match` of a match with this many rows, for lists."""

    match_id: str
    length: int
    message: bytes


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
        self._is_unchecked: Final = path.exists() and path.stat().st_size > check.CHECKED_AT_START
        ready: Future[None] = Future()
        self._thread: Final = threading.Thread(target=self._work, args=(ready,), name="store", daemon=True)
        self._thread.start()
        ready.result()

    async def append(
        self,
        match_id: str,
        rows: Sequence[LogRow],
        status: str | None = None,
        snapshot: Snapshot | None = None,
        persons: Sequence[PersonRow] = (),
        seats: Sequence[SeatResult] = (),
    ) -> None:
        """Store rows of a match: all of them or none.

        `persons` are whom they are about, `status` and `snapshot` are its new ones, if given, `seats` the results of a
        game that counts for ratings.
        """
        listed = [(match_id, *row) for row in rows]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(_INSERT, listed)
            connection.execute(_UNSUMMARIZE, (match_id,))
            if snapshot is not None:
                connection.execute(_UPSERT, (match_id, *snapshot))
            if status is not None:
                connection.execute("UPDATE match SET status = ? WHERE id = ?", (status, match_id))
            _note_persons(connection, match_id, persons)
            results.add(connection, match_id, rows[-1].time, seats)

        await self.run(write)
        self._metrics.acted(row.actor for row in rows if row.kind == "act")

    async def create(self, match_id: str, row: LogRow, maker: int = 0) -> bool:
        """Store a new match of a person with its first row, unless it exists; returns whether it is new."""

        def write(connection: sqlite3.Connection) -> bool:
            is_new = bool(connection.execute(_CREATE, (match_id, row.time)).rowcount)
            if is_new:
                connection.execute(_INSERT, (match_id, *row))
                _note_persons(connection, match_id, [PersonRow(maker, row.sequence, 0, holds=True)])
            return is_new

        return await self.run(write)

    async def load(self, match_id: str) -> Stored:
        """Return all that is stored of a match."""
        return await self.run(lambda connection: _stored(connection, match_id))

    def load_now(self, match_id: str) -> Stored:
        """Return all that is stored of a match; blocks this thread for a millisecond or two."""
        self._check_open()
        future: Future[Stored] = Future()
        self._jobs.put(Queued(lambda connection: _stored(connection, match_id), future))
        return future.result()

    async def entries(
        self, most: int = -1, after: tuple[float, str] | None = None, status: str | None = None
    ) -> list[MatchEntry]:
        """Return matches, newest first; with `after`, those that follow this age and id."""
        created, match_id = after if after is not None else (float("inf"), "")
        query = (
            "SELECT id, created, status FROM match WHERE (created < ?1 OR (created = ?1 AND id > ?2))"
            " AND (?3 IS NULL OR status = ?3) ORDER BY created DESC, id LIMIT ?4"
        )
        return [MatchEntry(*row) for row in await self._select(query, created, match_id, status, most)]

    async def unsummarized(self, server: str, most: int, after: tuple[float, str] | None = None) -> list[MatchEntry]:
        """Return finished matches that have started, without a summary of this server, as `entries` does."""
        created, match_id = after if after is not None else (float("inf"), "")
        query = (
            "SELECT id, created, status FROM match JOIN snapshot ON match = id"
            " WHERE (created < ?1 OR (created = ?1 AND id > ?2)) AND status IN ('over', 'ended') AND server IS NOT ?3"
            " ORDER BY created DESC, id LIMIT ?4"
        )
        return [MatchEntry(*row) for row in await self._select(query, created, match_id, server, most)]

    async def summaries(self, match_ids: Sequence[str], server: str) -> dict[str, bytes]:
        """Return what a server of this version has stored of matches by `summarize`."""

        def read(connection: sqlite3.Connection) -> dict[str, bytes]:
            query = "SELECT summary FROM snapshot WHERE match = ? AND server = ?"
            rows = {match_id: connection.execute(query, (match_id, server)).fetchone() for match_id in match_ids}
            return {match_id: row[0] for match_id, row in rows.items() if row}

        return await self.run(read)

    async def summarize(self, server: str, summaries: Sequence[Summary]) -> None:
        """Store what lists tell of finished matches, except of those that never started or have got more rows."""

        def write(connection: sqlite3.Connection) -> None:
            for match_id, length, message in summaries:
                query = "SELECT COALESCE(MAX(sequence), ?2) FROM log WHERE match = ?1"  # none of an archived match
                if connection.execute(query, (match_id, length)).fetchone()[0] == length:
                    query = "UPDATE snapshot SET server = ?, summary = ? WHERE match = ?"
                    connection.execute(query, (server, message, match_id))

        await self.run(write)

    async def put(self, matches: Iterable[tuple[MatchEntry, Stored]]) -> None:
        """Store whole matches: all of them or none."""
        listed = list(matches)

        def write(connection: sqlite3.Connection) -> None:
            for entry, stored in listed:
                connection.execute("INSERT INTO match (id, created, status) VALUES (?, ?, ?)", entry)
                connection.executemany(_INSERT, [(entry.match_id, *row) for row in stored.rows])
                if stored.snapshot is not None:
                    connection.execute(_UPSERT, (entry.match_id, *stored.snapshot))

        await self.run(write)

    async def archive(self, before: float) -> int:
        """Archive matches that ended before a time, a few per transaction; returns their number."""
        moved = 0
        for status in ("over", "ended"):
            after = None
            while entries := await self.entries(ARCHIVED_AT_ONCE, after, status):
                match_ids = [entry.match_id for entry in entries]
                moved += await self.run(partial(_archive, match_ids=match_ids, before=before))
                after = entries[-1].created, entries[-1].match_id
        return moved

    async def last_times(self, match_ids: Sequence[str]) -> dict[str, float]:
        """Return the time of the last event in each match, in seconds since 1970; archived ones are left out."""

        def read(connection: sqlite3.Connection) -> dict[str, float]:
            rows = {match_id: connection.execute(_LAST_TIME, (match_id,)).fetchone() for match_id in match_ids}
            return {match_id: row[0] for match_id, row in rows.items() if row}

        return await self.run(read)

    async def abandoned(self, before: float, joined_before: float) -> list[str]:
        """Return open matches without events since a time: another one if somebody has ever joined."""
        query = (
            "SELECT id FROM match WHERE status = 'open' AND created < ?1"
            " AND (SELECT time FROM log WHERE match = id ORDER BY sequence DESC LIMIT 1)"
            " < CASE WHEN EXISTS (SELECT 1 FROM log WHERE match = id AND kind = 'join') THEN ?2 ELSE ?1 END"
        )
        return [row[0] for row in await self._select(query, before, joined_before)]

    async def counts(self) -> dict[str, int]:
        """Return the number of matches by status."""
        return dict(await self._select("SELECT status, COUNT(*) FROM match GROUP BY status"))

    async def bot_keys(self) -> dict[str, tuple[str, float]]:
        """Return the hash and creation time of the key of each protected bot name, sorted by name."""
        rows = await self._select("SELECT name, hash, created FROM bot_key ORDER BY name")
        return {name: (hashed, created) for name, hashed, created in rows}

    async def set_bot_key(self, name: str, hashed: str) -> None:
        """Store the hash of the key of a bot name, which replaces an earlier one; empty for none."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM bot_key WHERE name = ?", (name,))
            if hashed:
                connection.execute("INSERT INTO bot_key VALUES (?, ?, ?)", (name, hashed, time.time()))

        await self.run(write)

    async def backup(self, path: Path) -> None:
        """Write a copy of the database to a new file, while others store. Raises StoreError, also for a damaged one."""

        def write(connection: sqlite3.Connection) -> Path:
            return copied(connection, path, lambda: self._between(connection))

        try:
            part = await self.run(write, alone=True)
            try:
                if fault := await asyncio.to_thread(check.fault_of, part):
                    raise damaged(fault, self.path)
                part.rename(path)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None

    async def flush(self) -> None:
        """Write the log of SQLite into the file and empty it, so that it keeps nothing that was deleted.

        While the file is checked for damage, that waits for the end of the check.
        """
        await self.run(_flush, alone=True)

    async def check(self) -> None:
        """Look for damage, unless that was done at the start. Raises DamagedError, or StoreError if it cannot."""
        if not self._is_unchecked:
            return
        await self.run(_hold, alone=True)
        try:
            fault = await check.fault_beside(self.path)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be checked: {error}") from None
        await self.run(_release, alone=True)
        if fault:
            raise damaged(fault, self.path)

    @property
    def waiting(self) -> int:
        """Number of jobs that the writer has not begun."""
        return self._jobs.qsize()

    def size(self) -> int:
        """Return the bytes of the database and its write-ahead log."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Finish what is queued and close the database."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()

    async def _select(self, query: str, *parameters: object) -> list[Any]:
        """Return the rows of a query."""
        return await self.run(lambda connection: connection.execute(query, parameters).fetchall())

    async def run(self, job: Job[T], *, alone: bool = False) -> T:
        """Return the result of a job, which shares a transaction with others unless it runs `alone`."""
        self._check_open()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(Queued(job, future, alone))
        return await future

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path} is closed")

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
                item = self._alone.popleft()
                _tell([(item.future, _outcome(connection, item.job))])
        connection.close()

    def _work_off(self, connection: sqlite3.Connection, queued: list[Queued | None]) -> bool:
        """Run these jobs and all that are queued; postpone those to run alone. Returns whether to close the store."""
        while not self._jobs.empty():
            queued.append(self._jobs.get())
        jobs = [item for item in queued if item is not None and not item.future.cancelled()]
        self._alone.extend(item for item in jobs if item.alone)
        batch = [item for item in jobs if not item.alone]
        if batch:
            begin = perf_counter()
            outcomes = _commit(connection, [item.job for item in batch])
            self._metrics.committed(perf_counter() - begin, len(batch))
            _tell([(item.future, outcome) for item, outcome in zip(batch, outcomes, strict=True)])
        return None in queued

    def _between(self, connection: sqlite3.Connection) -> None:
        """Run queued jobs in the middle of a copy. Raises StoreError if the store is to be closed."""
        if not self._jobs.empty() and self._work_off(connection, []):
            self._jobs.put(None)  # `_work`, in which the copy runs, must read it, too
        if self._closed:
            raise StoreError("the server stops; the backup was not finished")


def _flush(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA wal_autocheckpoint").fetchone()[0]:  # else `_hold` holds it
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _hold(connection: sqlite3.Connection) -> None:
    """Write the log of SQLite into the file, and from now on only to the log, so that the file stays as it is."""
    _flush(connection)
    connection.execute("PRAGMA wal_autocheckpoint = 0")


def _release(connection: sqlite3.Connection) -> None:
    """Write the log of SQLite into the file, now and whenever it has as many pages as usual."""
    connection.execute("PRAGMA wal_autocheckpoint = 1000")
    _flush(connection)


def _commit(connection: sqlite3.Connection, jobs: Sequence[Job[Any]]) -> list[Any]:
    """Run jobs in one transaction, or one by one if any fails; returns the result or exception of each."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        results = [job(connection) for job in jobs]
        connection.execute("COMMIT")
    except Exception as error:  # whatever it is, it is the caller's, and the writer goes on
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if len(jobs) > 1:
            return [outcome for job in jobs for outcome in _commit(connection, [job])]
        return [store_error(error)]
    return results


def _outcome(connection: sqlite3.Connection, job: Job[Any]) -> Any:
    """Return the result of a job without a transaction, or the exception with which it failed."""
    try:
        return job(connection)
    except Exception as error:
        return store_error(error)


def _tell(outcomes: Sequence[tuple[Waiting, Any]]) -> None:
    """Settle the futures of finished jobs, those of tasks in one call, since each call interrupts the loop."""
    tasks: list[tuple[asyncio.Future[Any], Any]] = []
    for future, outcome in outcomes:
        if isinstance(future, asyncio.Future):
            tasks.append((future, outcome))
        else:
            _settle(future, outcome)

    def tell() -> None:
        for future, outcome in tasks:
            _settle(future, outcome)

    if tasks:
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            tasks[0][0].get_loop().call_soon_threadsafe(tell)


def _settle(future: Waiting, outcome: Any) -> None:
    if not future.cancelled():
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


def _note_persons(connection: sqlite3.Connection, match_id: str, persons: Sequence[PersonRow]) -> None:
    for person, sequence, seat, holds in persons:
        if seat and (holds or not person):
            connection.execute(_LOSE_SEAT, (match_id, seat))
        if person:
            try:
                connection.execute(_ADD_PERSON, (person, match_id, sequence, seat, holds))
            except sqlite3.IntegrityError:  # it was forgotten after the call began
                raise ServiceError("BAD_PERSON", "UNKNOWN") from None


def _stored(connection: sqlite3.Connection, match_id: str) -> Stored:
    return Stored(list(map(_sharing, rows_of(connection, match_id))), snapshot_of(connection, match_id))


def snapshot_of(connection: sqlite3.Connection, match_id: str) -> Snapshot | None:
    """Return the latest position of a match. Raises sqlite3.Error."""
    query = "SELECT sequence, engine, position FROM snapshot WHERE match = ?"
    snapshot = connection.execute(query, (match_id,)).fetchone()
    return snapshot and Snapshot(*snapshot)


def rows_of(connection: sqlite3.Connection, match_id: str) -> Iterator[LogRow]:
    """Yield the rows of a match in the archive, then those in the log. Raises sqlite3.Error or StoreError."""
    archive = connection.execute("SELECT rows FROM archive WHERE match = ?", (match_id,)).fetchone()
    try:
        archived = json.loads(zlib.decompress(archive[0])) if archive else []
        yield from [LogRow(*row) for row in archived]
    except (zlib.error, ValueError, TypeError) as error:
        raise StoreError(f"the archive of match {match_id} is damaged: {error}") from None
    for row in connection.execute(_SELECT, (match_id,)):
        yield LogRow(*row)


def rewrite(
    connection: sqlite3.Connection, match_id: str, numbers: Collection[int], change: Callable[[LogRow], LogRow]
) -> None:
    """Change the texts of rows of a match, wherever they are. Raises sqlite3.Error or StoreError."""
    connection.execute(_UNSUMMARIZE, (match_id,))
    archived = 0
    rows = list(rows_of(connection, match_id))
    for row in rows:
        if row.sequence in numbers:
            query = "UPDATE log SET text = ? WHERE match = ? AND sequence = ?"
            parameters = (change(row).text, match_id, row.sequence)
            archived += not connection.execute(query, parameters).rowcount
    if archived:
        kept = connection.execute("SELECT COUNT(*) FROM log WHERE match = ?", (match_id,)).fetchone()[0]
        changed = [change(row) if row.sequence in numbers else row for row in rows[: len(rows) - kept]]
        connection.execute("UPDATE archive SET rows = ? WHERE match = ?", (_packed(changed), match_id))


def _packed(rows: Sequence[LogRow]) -> bytes:
    return zlib.compress(json.dumps(rows).encode())


def _archive(connection: sqlite3.Connection, match_ids: Sequence[str], before: float) -> int:
    """Archive those of these matches whose last row is older; returns how many."""
    moved = 0
    for match_id in match_ids:
        last = connection.execute(_LAST_TIME, (match_id,)).fetchone()
        if last is not None and last[0] < before:
            rows = _packed(list(rows_of(connection, match_id)))
            connection.execute("INSERT OR REPLACE INTO archive (match, rows) VALUES (?, ?)", (match_id, rows))
            connection.execute("DELETE FROM log WHERE match = ?", (match_id,))
            moved += 1
    return moved


def _sharing(row: LogRow) -> LogRow:
    """Return the row with repeated texts interned, because a match keeps its rows in memory."""
    return row._replace(kind=intern(row.kind), actor=intern(row.actor), chance=intern(row.chance))
