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


def copy(connection: sqlite3.Connection, path: Path, meanwhile: Callable[[], None]) -> None:
    """Write a copy to a new file, a portion at a time, with `meanwhile` between portions.

    What the connection stores meanwhile is in the copy as well. The copy has its name when it is whole and on disk;
    before that, and if anything fails, there is only a file with `.part` added, which is removed in the end. Raises
    OSError, FileExistsError among them, and sqlite3.Error.
    """
    if path.exists():
        raise FileExistsError(EEXIST, "there is a file of this name already")
    part = path.with_name(f"{path.name}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # it holds what players must not know
    try:
        with closing(sqlite3.connect(part)) as target:
            connection.backup(
                target, pages=PAGES_AT_ONCE, progress=lambda _status, left, _all: meanwhile() if left else None
            )
        part.rename(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
