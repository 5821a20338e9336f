"""Seats of agents, kept for the next process of the same name; those of people are in `connection/saved_seats.py`."""

import json
from typing import Final

from .. import home

FILE: Final = "agents.json"
MOST: Final = 200
"""Seats that are kept, the latest."""


def find(where: str, name: str, match_id: str) -> tuple[int, str] | None:
    """Return the seat of an agent in a match at a server, and its token; None without one."""
    return _load().get(_key(where, name, match_id))


def save(where: str, name: str, match_id: str, seat: tuple[int, str]) -> None:
    """Keep the seat of an agent and its token, in a file for this user only."""
    with home.locked("agents"):
        seats = _load() | {_key(where, name, match_id): seat}
        home.write_private(home.folder() / FILE, json.dumps(dict([*seats.items()][-MOST:]), indent=1))


def _key(where: str, name: str, match_id: str) -> str:
    return f"{where} {match_id} {name}"


def _load() -> dict[str, tuple[int, str]]:
    try:
        kept = json.loads((home.folder() / FILE).read_text(encoding="utf-8"))
        return {key: (int(seat), str(token)) for key, (seat, token) in kept.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
