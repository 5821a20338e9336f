"""Variance reduction: the precision of games in blocks compared with independent games."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import exp, fsum
from statistics import fmean, variance
from typing import Final

from ..results.result import Result
from .bootstrap import rounded
from .plackett_luce import ELO
from .values import Standings

DIGITS: Final = 2
NOTHING: Final = 1e-12


def variance_reduction(results: Sequence[Result], standings: Standings) -> float | None:
    """Return the factor by which independent games would have to outnumber games in blocks for the same precision.

    The games of a block share the opening (in leagues of earlier versions all draws), and every bot has every seat. The
    factor compares the variance of a bot's win share in a game with that of its mean in a block, both around the
    expectation from the ratings, because line-ups are not random. Both are averaged over bots. Returns None if a bot
    has fewer than two complete blocks, if a block is one game, or without variance.
    """
    size = max(Counter(result.block for result in results).values())
    if size == 1:
        return None
    of_games, of_blocks = [], []
    for bot in standings.bots:
        whole = [games for games in _by_block(results, standings, bot.bot).values() if len(games) == size]
        if len(whole) < 2:
            return None
        surprises = [[score - fmean(chance for _, chance in games) for score, _ in games] for games in whole]
        between = variance([fmean(block) for block in surprises])
        every = [surprise for block in surprises for surprise in block]
        mean = fmean(every)
        # The mean is estimated from the same games, so its own variance is added back.
        of_games.append(fmean((surprise - mean) ** 2 for surprise in every) + between / len(whole))
        of_blocks.append(between)
    if fsum(of_blocks) < NOTHING:
        return None
    return rounded(fsum(of_games) / (size * fsum(of_blocks)), DIGITS)


def _by_block(results: Sequence[Result], standings: Standings, bot: str) -> dict[int, list[tuple[float, float]]]:
    """Return by block for each game of a bot its share of the first place, and the expectation from the ratings."""
    worth = {figures.bot: figures.rating.value / ELO for figures in standings.bots}
    seats = [figures.rating.value / ELO for figures in standings.seats]
    by_block = defaultdict[int, list[tuple[float, float]]](list)
    for result in results:
        mine = [seat for seat, other in enumerate(result.bots) if other == bot]
        if mine:
            chances = [exp(worth[other] + seat) for other, seat in zip(result.bots, seats, strict=True)]
            won = sum(result.ranks[seat] == 1 for seat in mine) / result.ranks.count(1) / len(mine)
            by_block[result.block].append((won, sum(chances[seat] for seat in mine) / sum(chances) / len(mine)))
    return by_block
