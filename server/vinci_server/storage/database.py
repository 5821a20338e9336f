"""Opens the database file for one server alone, upgrades its tables, and copies it while play goes on."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from errno import EEXIST
from pathlib import Path
from typing import Final

import structlog

from ..errors import ServiceError
from . import check

PAGES_AT_ONCE: Final = 64
"""A quarter of a mebibyte: what waits to be stored waits about a millisecond longer."""


def copied(connection: sqlite3.Connection, path: Path, meanwhile: Callable[[], None]) -> Path:
    """Write a copy to a new file, with `meanwhile` called between portions; what it stores is in the copy as well.

    Returns the file, which has `.part` added to its name: the caller renames it. Raises OSError and sqlite3.Error.
    """
    if path.exists():
        raise FileExistsError(EEXIST, "there is a file of this name already")
    part = path.with_name(f"{path.name}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # it holds secret seeds
    try:
        with closing(sqlite3.connect(part)) as target:
            connection.backup(
                target, pages=PAGES_AT_ONCE, progress=lambda _status, left, _all: meanwhile() if left else None
            )
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


STEPS: Final = (
    """
CREATE TABLE match (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    status TEXT NOT NULL -- open, running, over
) WITHOUT ROWID;
CREATE INDEX match_by_age ON match (created DESC, id);
CREATE TABLE log (
    match TEXT NOT NULL REFERENCES match (id),
    sequence INTEGER NOT NULL, -- from 1, without gaps
    kind TEXT NOT NULL,        -- create, join, leave, seat, start, act
    seat INTEGER NOT NULL,     -- from 1; 0 for none
    actor TEXT NOT NULL,       -- who acted for the seat: player, bot, dummy, default; empty for none
    request TEXT,              -- id of the request that asked for it
    text TEXT NOT NULL,        -- an action in notation; otherwise JSON
    chance TEXT NOT NULL,      -- JSON: picks and rolls
    time REAL NOT NULL,        -- seconds since 1970
    hash TEXT NOT NULL,        -- of the record so far; empty before the start
    PRIMARY KEY (match, sequence)
) WITHOUT ROWID;
CREATE UNIQUE INDEX log_by_request ON log (match, request) WHERE request IS NOT NULL;
""",
    """
ALTER TABLE log ADD COLUMN times TEXT NOT NULL DEFAULT ''; -- JSON: readings of clocks; empty for none
CREATE TABLE snapshot (
    match TEXT PRIMARY KEY REFERENCES match (id),
    sequence INTEGER NOT NULL, -- of the last row that led to the position
    engine TEXT NOT NULL,      -- version of the rules that wrote it
    position TEXT NOT NULL     -- docs/position.md
) WITHOUT ROWID;
CREATE TABLE archive (
    match TEXT PRIMARY KEY REFERENCES match (id),
    rows BLOB NOT NULL         -- the rows of a match that are not in the log any more: JSON, compressed by zlib
);
""",
    """
CREATE TABLE bot_key (
    name TEXT PRIMARY KEY,  -- of a bot
    hash TEXT NOT NULL,     -- of its key
    created REAL NOT NULL   -- seconds since 1970
) WITHOUT ROWID;
""",
    """
CREATE TABLE person (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given again: it is in rows of the log
    name TEXT NOT NULL,
    hidden INTEGER NOT NULL, -- 1 if it is not to be listed
    created REAL NOT NULL,   -- seconds since 1970
    seen REAL NOT NULL       -- likewise, within an hour
);
CREATE TABLE person_look (
    look TEXT PRIMARY KEY, -- texts that share one look alike
    person INTEGER NOT NULL REFERENCES person (id)
) WITHOUT ROWID;
CREATE INDEX person_look_by_person ON person_look (person);
CREATE TABLE person_key (
    hash TEXT PRIMARY KEY, -- of a key
    person INTEGER NOT NULL REFERENCES person (id),
    created REAL NOT NULL  -- seconds since 1970
) WITHOUT ROWID;
CREATE INDEX person_key_by_person ON person_key (person);
CREATE TABLE person_row (
    person INTEGER NOT NULL REFERENCES person (id),
    match TEXT NOT NULL REFERENCES match (id),
    sequence INTEGER NOT NULL, -- of a row of the match that has the id or the name
    seat INTEGER NOT NULL,     -- from 1; 0 for none
    holds INTEGER NOT NULL,    -- 1 for the maker of the match, and for a seat until somebody else has it
    PRIMARY KEY (person, match, sequence)
) WITHOUT ROWID;
CREATE INDEX person_row_by_match ON person_row (match, seat);
""",
    # The tables stay on the first page of the file, comments included: damage of any other page then loses only what
    # is on it. So `result` is explained here. id ascends; rows of a game follow each other, seat 1 first. time: when
    # the game finished, in seconds since 1970. player: g is a guest, d a dummy, b and a name a bot, p and an id a
    # person, forgotten or not. rank counts from 1.
    """
CREATE TABLE result (
    id INTEGER PRIMARY KEY,
    match TEXT NOT NULL REFERENCES match (id),
    time REAL NOT NULL,
    player TEXT NOT NULL,
    rank INTEGER NOT NULL,
    vp INTEGER NOT NULL
);
CREATE INDEX result_by_player ON result (player, id);
CREATE INDEX result_by_match ON result (match);
""",
    # For want of space on the first page no table of its own. summary: what lists tell of a finished match, a Match
    # (lobby.proto), which would be made from all rows again; changed rows of the match remove it. server: the version
    # that wrote it; another one tells more.
    """
ALTER TABLE snapshot ADD COLUMN server TEXT;
ALTER TABLE snapshot ADD COLUMN summary BLOB;
""",
)
"""SQL that upgrades each version to the next, from an empty file on. A published step is never changed."""

VERSION: Final = len(STEPS)

_log = structlog.get_logger()


class StoreError(Exception):
    """The database cannot be used; the text says why and what to do."""


@contextmanager
def storing(which: str = "READ") -> Iterator[None]:
    """Turn a StoreError into a ServiceError; `which` is the case of STORE_FAILED."""
    try:
        yield
    except StoreError as error:
        raise ServiceError("STORE_FAILED", which, error=error) from None


class DamagedError(StoreError):
    """The contents of the database are damaged, all or in part."""


def connect(path: Path, *, checked: bool = True) -> sqlite3.Connection:
    """Open the database, creating or upgrading it in one transaction. Raises StoreError.

    With `checked`, a file of at most CHECKED_AT_START bytes is checked for damage.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for place in (path.parent, path):
            if place.exists() and not os.access(place, os.W_OK):
                raise StoreError(
                    f"{place} may not be written; change its permissions, or choose another file with --db"
                )
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            if not path.stat().st_size:
                raise DamagedError(
                    f"{path} is empty; if it was a database, restore a backup, otherwise delete it"
                ) from None
        connection = sqlite3.connect(path, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} cannot be opened: {error}") from None
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        version = _version(connection, path)
        _keep_private(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # a name that is forgotten leaves the file, too
        if checked and path.stat().st_size <= check.CHECKED_AT_START and (fault := check.first_fault(connection)):
            raise damaged(fault, path)
        connection.execute("PRAGMA foreign_keys = ON")
        if version < VERSION:
            steps = "".join(STEPS[version:])
            connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {VERSION}; COMMIT;")
            _log.info("database upgraded" if version else "database created", database=str(path), version=VERSION)
    except (sqlite3.Error, StoreError) as error:
        connection.close()
        raise store_error(error, path) from None
    return connection


def _keep_private(path: Path) -> None:
    """Close the database to other users, as it holds secret seeds; warn if they still have access."""
    if os.name == "nt":  # which has no modes
        return
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(FileNotFoundError, PermissionError):
            file.chmod(0o600)
    for place, mode in ((path.parent, 0o700), (path, 0o600)):
        if place.stat().st_mode & 0o077:
            message = "other users of this machine can get at the database, which holds secret seeds"
            _log.warning(
                message, place=str(place), mode=f"{place.stat().st_mode & 0o777:o}", change=f"chmod {mode:o} {place}"
            )


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the tables, 0 for a new file. Raises StoreError if they cannot be used."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version == 0 and connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
        raise StoreError(f"{path} is the database of another program, no Vinci one; choose another file with --db")
    if version > VERSION:
        raise StoreError(
            f"{path} has format {version}; this server reads format {VERSION} and older. Use the server that wrote it"
        )
    return version


def store_error(error: Exception, path: Path | None = None) -> Exception:
    """Return an error of SQLite with advice for the administrator, and others unchanged."""
    if not isinstance(error, sqlite3.Error):
        return error
    where = f"{path}: " if path else ""
    if "locked" in str(error):
        return StoreError(f"{where}the database is in use by another server; stop it, or choose another file with --db")
    if check.is_damage(error):
        return damaged(error, path)
    return StoreError(f"{where}the database refused: {error}")


def damaged(fault: object, path: Path | None) -> DamagedError:
    """Return the error for a damaged database, with advice for the administrator."""
    where = f"{path}: " if path else ""
    if "not a database" in str(fault):
        return DamagedError(
            f"{where}this is no database, or its first page is damaged ({fault}); restore a backup, or choose another "
            "file with --db"
        )
    return DamagedError(
        f"{where}the database is damaged ({fault}); restore a backup, or stop the server and save what can be read by "
        "vinci export --salvage"
    )
