"""A process that rates players: reads results of seats as lines of JSON, writes a list of players as JSON.

A line is a list of results, each a match, a player and a rank; those of a match follow each other. The list has for
each player the number of games and wins, and the rating with its interval, or none where numpy is not installed.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final

HAS_NUMPY: Final = find_spec("numpy") is not None
if HAS_NUMPY:
    from . import rating_list

NICENESS: Final = 10


def listed(lines: Iterable[str]) -> Iterator[list[Any]]:
    """Yield player, games, wins and rating of all players, the best first; provisional ratings follow the others."""
    results = chain.from_iterable(map(json.loads, lines))
    games = [tuple(zip(*(seat[1:] for seat in seats), strict=True)) for _, seats in groupby(results, itemgetter(0))]
    played = Counter(player for players, _ in games for player in set(players))
    won = Counter(
        player
        for players, ranks in games
        for player in {one for one, rank in zip(players, ranks, strict=True) if rank == 1}
    )
    ratings = rating_list.ratings([rating_list.Game(*game) for game in games]) if HAS_NUMPY else {}

    def order(player: str) -> tuple[bool, float, float, str]:
        rating = ratings.get(player)
        is_provisional, value = (rating.is_provisional, rating.value) if rating else (True, float("-inf"))
        return is_provisional, -value, -won[player] / played[player], player

    for player in sorted(played, key=order):
        yield [player, played[player], won[player], ratings.get(player)]


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    json.dump(list(listed(sys.stdin)), sys.stdout)
