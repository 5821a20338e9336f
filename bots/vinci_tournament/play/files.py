"""How the files of a league are called, inside its folder."""

import re
from typing import Final

from ..results.result import Result

UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")
"""Characters of a bot's name that stand as _ in the name of a file."""


def record_file(key: str) -> str:
    """The record of the game that is called so: games/12-3.jsonl."""
    return f"games/{key}.jsonl"


def log_file(result: Result, seat: int) -> str:
    """What the bot of a seat, from 0, wrote to stderr: games/12-3.2.greedy.log, where the seat counts from 1."""
    return f"games/{result.key}.{seat + 1}.{UNSAFE.sub('_', result.bots[seat])}.log"
