"""A copy of the database, made while play goes on."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from errno import EEXIST
from pathlib import Path
from typing import Final

PAGES_AT_ONCE: Final = 64
"""A quarter of a mebibyte: what waits to be stored waits about a millisecond longer."""


def copy(connection: sqlite3.Connection, path: Path, meanwhile: Callable[[], None]) -> Path:
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
