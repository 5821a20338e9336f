"""Files of a league: their names, relative to its folder, and their replacement."""

import os
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

from vinci_codec.notes import SUFFIX

from ..results.result import Result

UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")
"""Characters of a bot's name that a file name replaces by _."""


def record_file(key: str) -> str:
    """Return the record of a game, such as games/12-3.jsonl."""
    return f"games/{key}.jsonl"


def notes_file(key: str) -> str:
    """Return the notes of bots in a game, such as games/12-3.notes.json."""
    return f"games/{key}{SUFFIX}"


def log_file(result: Result, seat: int) -> str:
    """Return the log of the bot at a seat (from 0), such as games/12-3.2.greedy.log (seats from 1)."""
    return f"games/{result.key}.{seat + 1}.{safe_name(result.bots[seat])}.log"


def safe_name(bot: str) -> str:
    """Return the name of a bot as it stands in file names."""
    return UNSAFE.sub("_", bot)


def replace_file(path: Path, contents: Iterable[bytes], *, mode: int = 0o666) -> None:
    """Write a file atomically, in place of an older one, and sync it to disk. Raises OSError."""
    fresh = path.with_name(f"{path.name}.part")
    fresh.unlink(missing_ok=True)
    with open(fresh, "xb", opener=partial(os.open, mode=mode)) as file:
        file.writelines(contents)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def has_contents(path: Path, contents: Iterable[bytes]) -> bool:
    """Return whether a file exists and has these contents. Raises OSError."""
    try:
        with path.open("rb") as file:
            return all(file.read(len(part)) == part for part in contents) and not file.read(1)
    except FileNotFoundError:
        return False
