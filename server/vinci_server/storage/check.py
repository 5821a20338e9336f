"""Looks for damage in a database.

Started as a program, it checks a file that nobody writes and prints the first fault.
"""

import asyncio
import os
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

CHECKED_AT_START: Final = 100_000_000
"""Largest database in bytes that is checked before a server starts: a second from a disk that reads 100 MB/s. From
memory 150 MB took 0.18 s of CPU time (830 MB/s), beside much other work on two cores 0.3 to 1.1 s."""
LOW: Final = 10
"""Niceness of the check beside a server."""


def is_damage(error: BaseException) -> bool:
    """Whether SQLite failed because the contents of the file are wrong."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def first_fault(connection: sqlite3.Connection) -> str:
    """Return the first fault of a database in the words of SQLite; empty if there is none. Raises sqlite3.Error.

    SQLite keeps no checksums: pages that are torn, empty or foreign are found, but no changed letter of a text. The
    hashes of games find those.
    """
    try:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return str(error)
    return "" if found == "ok" else found.rpartition("\n")[2]


def fault_of(path: Path) -> str:
    """Return the first fault of a file that nobody writes, as `first_fault`."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
        return first_fault(connection)


async def fault_beside(path: Path) -> str:
    """Return the first fault of a file, as `fault_of`, while other tasks run. Raises OSError if it cannot be checked.

    In a process of its own, because closing a file in this one would end the lock that keeps other servers away.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, str(path), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.kill()
        raise
    if process.returncode:
        raise OSError(err.decode(errors="replace").strip().rpartition("\n")[2])
    return out.decode().strip()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(LOW)
    sys.stdout.write(fault_of(Path(sys.argv[1])))
