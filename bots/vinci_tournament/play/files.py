"""Files of a league: their names, relative to its folder, and their replacement."""

import os
import re
from functools import partial
from pathlib import Path
from typing import Final

from ..results.result import Result

UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")
"""Characters of a bot's name that a file name replaces by _."""


def record_file(key: str) -> str:
    """Return the record of a game, such as games/12-3.jsonl."""
    return f"games/{key}.jsonl"


def log_file(result: Result, seat: int) -> str:
    """Return the log of the bot at a seat (from 0), such as games/12-3.2.greedy.log (seats from 1)."""
    return f"games/{result.key}.{seat + 1}.{UNSAFE.sub('_', result.bots[seat])}.log"


def replace_file(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write a file atomically, in place of an older one, and sync it to disk. Raises OSError."""
    fresh = path.with_name(f"{path.name}.part")
    fresh.unlink(missing_ok=True)
    with open(fresh, "xb", opener=partial(os.open, mode=mode)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
