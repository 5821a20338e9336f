"""Databases with damaged pages."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.support.server.in_process import Table, serving, table

PAGE_BYTES: Final = 4096
LEAF: Final = 10
"""First byte of a leaf of a table without row ids, or of an index."""
Fill = Callable[[int], bytes]
"""`bytes` for zeros, `os.urandom` for anything."""


async def filled(database: Path, number: int = 12) -> list[Table]:
    """Make matches with two actions each, and stop the server."""
    async with serving(database) as (_, session):
        tables = [await table(session) for _ in range(number)]
        for at in tables:
            await at.act(1, "x FEN", "x BOS")
    return tables


def damage(database: Path, pages: Sequence[int], fill: Fill = bytes) -> None:
    """Overwrite pages of a database, counted from 0."""
    with database.open("r+b") as file:
        for page in pages:
            file.seek(page * PAGE_BYTES)
            file.write(fill(PAGE_BYTES))


def halve(database: Path) -> None:
    """Cut a database in half."""
    os.truncate(database, database.stat().st_size // 2)


def root(database: Path, name: str) -> int:
    """Return the root page of a table or an index, counted from 0."""
    connection = sqlite3.connect(database)
    number: int = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
    connection.close()
    return number - 1


def leaf_of(database: Path, match_id: str) -> int:
    """Return a leaf of the log without which rows of a match cannot be read, counted from 0."""
    copy = database.with_name("copy.db")
    for page in range(1, database.stat().st_size // PAGE_BYTES):
        shutil.copyfile(database, copy)
        with copy.open("rb") as file:
            file.seek(page * PAGE_BYTES)
            if file.read(1)[0] != LEAF:
                continue
        damage(copy, [page])
        connection = sqlite3.connect(copy)
        try:
            connection.execute("SELECT * FROM log WHERE match = ? ORDER BY sequence", (match_id,)).fetchall()
        except sqlite3.DatabaseError:
            return page
        finally:
            connection.close()
            copy.unlink()
    raise AssertionError(f"the log has no leaf of match {match_id}")
