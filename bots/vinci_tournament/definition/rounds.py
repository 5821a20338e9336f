"""Numbers of tables in the rounds of Swiss and knock-out leagues, which depend on nothing but the number of bots."""

from math import ceil, log2
from typing import NamedTuple


class Round(NamedTuple):
    """A round of a knock-out: tables, bots that do not play in it, and bots that are left after it."""

    tables: int
    byes: int
    left: int


def usual_rounds(bots: int) -> int:
    """Return the usual number of rounds of a Swiss league."""
    return ceil(log2(bots)) + 1


def swiss_tables(bots: int, seats: int) -> int:
    """Return the tables of a round; bots that fill no table do not play in it."""
    return bots // seats


def knock_out(bots: int, seats: int) -> list[Round]:
    """Return the rounds of a knock-out. The better half of each table is left, and at least as many as a table seats.

    Of an odd number the middle one is out.
    """
    rounds = []
    while bots > seats:
        tables, byes = divmod(bots, seats)
        bots = max(tables * (seats // 2) + byes, seats)
        rounds.append(Round(tables, byes, bots))
    return [*rounds, Round(1, 0, 1)]
