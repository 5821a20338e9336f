"""Course of a league whose blocks are chosen by results: its tables, and the ratings by which they were chosen."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, groupby
from math import ceil

from ..definition.league import League
from ..pairing.choice import Choice
from ..pairing.scores import Scores
from ..play.live_ratings import MOST_POINTS
from ..results.result import Result
from .contents import TableSection


def tables(league: League, choices: Sequence[Choice], results: Sequence[Result]) -> tuple[TableSection, ...]:
    """Return the tables of all rounds, each with its bots by the scores there; games are those that count."""
    played = _by_block(results)
    drawn = []
    seats = groupby(enumerate(choices), key=lambda each: (each[1].why.get("round", 0), each[1].why.get("table", 0)))
    for (number, table), blocks in seats:
        each = list(blocks)
        if not number or not all(block in played for block, _ in each):
            continue
        scores = Scores(league, chain.from_iterable(played[block] for block, _ in each))
        choice = each[0][1]
        bots = scores.shown(scores.ordered(choice.bots))
        drawn.append(
            TableSection(number, table, tuple(bots.items()), tuple(choice.why.get("byes", ())) if table == 1 else ())
        )
    return tuple(drawn)


def history(choices: Sequence[Choice]) -> tuple[tuple[str, tuple[tuple[int, float], ...]], ...]:
    """Return for each bot blocks with it, at most MOST_POINTS evenly chosen ones, and its rating at their choice."""
    points = defaultdict[str, list[tuple[int, float]]](list)
    for block, choice in enumerate(choices):
        for bot, (rating, _deviation) in choice.why.get("ratings", {}).items():
            points[bot].append((block, rating))
    return tuple((bot, tuple(each[:: -ceil(len(each) / MOST_POINTS)][::-1])) for bot, each in points.items())


def _by_block(results: Sequence[Result]) -> dict[int, list[Result]]:
    blocks = defaultdict[int, list[Result]](list)
    for result in results:
        blocks[result.block].append(result)
    return blocks
