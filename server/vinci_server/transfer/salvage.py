"""Reads from a damaged database what can be read, match by match. The file itself is never written: a copy is read."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise, product
from pathlib import Path
from string import ascii_lowercase, digits
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, final

from ..match.log.ledger import Ledger
from ..storage.database import StoreError, connect
from ..storage.store import LogRow, MatchEntry, Snapshot, Stored, rows_of, snapshot_of
from .bundle import BadLine, first_line, lines, matches

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SHARED_FIRST: Final = 0x40000002
SHARED_SIZE: Final = 510
"""Bytes that SQLite locks, after the end of small files."""
COLUMNS: Final = {"match": "id, created, status", "snapshot": "match", "archive": "match", "log": "DISTINCT match"}
"""Columns that identify matches in each table, their id first."""
HEAD: Final = 2
"""Lines of an export before the rows of its only match."""
BOUNDS: Final = ["", *map("".join, product(digits + ascii_lowercase, repeat=2)), "~"]
"""Limits of the ranges of ids that are searched one by one, so that a damaged page hides few matches."""


class Salvaged(NamedTuple):
    """Rows of a match that could be read, None for none, and the fault for which it is not whole, empty if it is."""

    match: tuple[MatchEntry, Stored] | None
    fault: str


@contextmanager
def opened(database: Path) -> Iterator["Wreck"]:
    """Open a copy of a database that no server has open. Raises StoreError if nothing can be read of it."""
    with TemporaryDirectory(prefix="vinci-") as folder:  # only for this user, as it holds secret seeds
        copy = Path(folder, "copy.db")
        try:
            _check_unused(database)
            for ending in ("", "-wal"):
                source = database.with_name(f"{database.name}{ending}")
                if not ending or source.exists():
                    shutil.copyfile(source, copy.with_name(f"{copy.name}{ending}"))
            _lengthen(copy)
        except OSError as error:
            raise StoreError(f"{database} cannot be copied to {folder}: {error.strerror or error}") from None
        try:
            connection = connect(copy, checked=False)
        except StoreError as error:
            raise StoreError(str(error).replace(str(copy), str(database))) from None
        with closing(connection):
            yield Wreck(connection)


def _check_unused(database: Path) -> None:
    """Raises StoreError if a server uses a database. SQLite itself would make files beside it to find out."""
    if fcntl is None:
        return
    with database.open("rb") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, SHARED_SIZE, SHARED_FIRST)
        except OSError:
            raise StoreError(f"{database}: the database is in use by another server; stop it first") from None


def _lengthen(copy: Path) -> None:
    """Fill a file that was cut off with empty pages: SQLite would refuse all of it."""
    with copy.open("r+b") as file:
        header = file.read(32)
        page, pages = int.from_bytes(header[16:18], "big"), int.from_bytes(header[28:32], "big")
        if header.startswith(b"SQLite format 3") and copy.stat().st_size < page * pages:
            file.truncate(page * pages)


@final
class Wreck:
    """A damaged database, read as far as possible."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection: Final = connection
        self.fault = ""
        """Why there may be matches that are not in `match_ids`; empty if there are none."""
        self._entries: Final[dict[str, MatchEntry | None]] = {}
        for table in COLUMNS:
            faults = [self._search(table, *bounds) for bounds in pairwise(BOUNDS)]
            if table == "match":
                self.fault = next(filter(None, faults), "")
                if not self.fault:  # the others have no further matches
                    break
        if not self._entries and self.fault:
            raise StoreError(f"no match can be read ({self.fault}); restore a backup")

    @property
    def match_ids(self) -> list[str]:
        """All matches of which there is a trace, newest first."""
        ages = {match_id: -entry.created if entry else 0.0 for match_id, entry in self._entries.items()}
        return sorted(ages, key=lambda match_id: (ages[match_id], match_id))

    def read(self, match_id: str) -> Salvaged:
        """Read a match as far as `vinci import` takes it."""
        entry, snapshot = self._entries[match_id], None
        rows: list[LogRow] = []
        fault = ""
        try:
            for row in rows_of(self._connection, match_id):
                if any(isinstance(value, bytes) for value in row):
                    raise StoreError(f"row {len(rows) + 1} is no row of a log")
                rows.append(row)
        except (sqlite3.Error, StoreError) as error:
            fault = str(error)
        with suppress(sqlite3.Error):  # rows lead to the same position
            snapshot = snapshot_of(self._connection, match_id)
        while rows:
            match = _match(match_id, entry, rows, snapshot)
            try:
                list(matches([first_line(1), *lines(*match)]))
            except BadLine as error:
                fault = fault or error.reason
                if error.line > HEAD:
                    del rows[error.line - HEAD - 1 :]
                elif snapshot is not None:
                    snapshot = None
                else:
                    break
            else:
                return Salvaged(match, fault)
        return Salvaged(None, fault or "it has no rows")

    def _search(self, table: str, low: str, high: str) -> str:
        """Note the matches in a table from one id to another, from both ends around a fault, which is returned."""
        fault = ""
        key = COLUMNS[table].removeprefix("DISTINCT ").partition(",")[0]
        for direction in ("ASC", "DESC"):
            query = f"SELECT {COLUMNS[table]} FROM {table} WHERE {key} >= ? AND {key} < ? ORDER BY {key} {direction}"
            try:
                for match_id, *more in self._connection.execute(query, (low, high)):
                    self._note(match_id, more)
            except sqlite3.Error as error:
                fault = str(error)
            else:
                break
        return fault

    def _note(self, match_id: Any, more: list[Any]) -> None:
        if isinstance(match_id, str) and (more or match_id not in self._entries):
            self._entries[match_id] = MatchEntry(match_id, *more) if more else None


def _match(
    match_id: str, entry: MatchEntry | None, rows: list[LogRow], snapshot: Snapshot | None
) -> tuple[MatchEntry, Stored]:
    """Return a match with these rows, in the status to which they lead, without a snapshot of later ones."""
    ledger = Ledger(match_id)
    try:
        for row in rows:
            ledger.fold(row)
        status = ledger.status
    except Exception:  # whatever is wrong with a row, `check` says so
        status = entry.status if entry else ""
    kept = snapshot if snapshot is not None and snapshot.sequence <= len(rows) else None
    return MatchEntry(match_id, entry.created if entry else rows[0].time, status), Stored(list(rows), kept)
