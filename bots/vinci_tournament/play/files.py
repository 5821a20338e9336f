"""Names of the files of a league, relative to its folder."""

import re
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
