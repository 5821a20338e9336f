"""Results of finished games that count for ratings: append-only rows, one for each seat."""

import sqlite3
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

GUEST: Final = "g"
DUMMY: Final = "d"
PERSON: Final = "p"
"""Begins the key of a person; its id follows."""
BOT: Final = "b"
"""Begins the key of a bot; its name follows."""
_ADD: Final = "INSERT INTO result (match, time, player, rank, vp) VALUES (?, ?, ?, ?, ?)"
_AFTER: Final = "SELECT id, match, player, rank FROM result WHERE id > ? ORDER BY id LIMIT ?"
_GAMES: Final = (
    "SELECT match, time, player, rank, vp FROM result WHERE match IN"
    " (SELECT match FROM result WHERE player = ? GROUP BY match ORDER BY MAX(id) DESC LIMIT ?) ORDER BY id DESC"
)
_NAMES: Final = "SELECT id, name FROM person WHERE id IN (SELECT value FROM json_each(?)) AND hidden = 0"


class SeatResult(NamedTuple):
    """The result of a seat: key of the player, as in `database.STEPS`, rank from 1 and score."""

    player: str
    rank: int
    vp: int


class StoredGame(NamedTuple):
    """A finished game, with the results of all seats, seat 1 first; `time` is in seconds since 1970."""

    match_id: str
    time: float
    seats: list[SeatResult]


def add(connection: sqlite3.Connection, match_id: str, time: float, seats: Sequence[SeatResult]) -> None:
    """Store the results of a game. Raises sqlite3.Error."""
    connection.executemany(_ADD, [(match_id, time, *seat) for seat in seats])


def latest(connection: sqlite3.Connection) -> int:
    """Return the id of the latest row; 0 without any. Raises sqlite3.Error."""
    return connection.execute("SELECT MAX(id) FROM result").fetchone()[0] or 0


def after(connection: sqlite3.Connection, last: int, most: int) -> list[tuple[int, str, str, int]]:
    """Return id, match, player and rank of the rows that follow one. Raises sqlite3.Error."""
    return connection.execute(_AFTER, (last, most)).fetchall()


def games_of(connection: sqlite3.Connection, player: str, most: int) -> list[StoredGame]:
    """Return the latest games of a player, latest first. Raises sqlite3.Error."""
    rows = connection.execute(_GAMES, (player, most)).fetchall()
    return [
        StoredGame(match_id, time, [SeatResult(*seat[2:]) for seat in seats][::-1])
        for (match_id, time), seats in groupby(rows, itemgetter(0, 1))
    ]


def names(connection: sqlite3.Connection, persons: str) -> dict[int, str]:
    """Return the names of persons who are listed, by id; `persons` is a list of ids as JSON. Raises sqlite3.Error."""
    return dict(connection.execute(_NAMES, (persons,)).fetchall())
