"""How much of the luck the blocks take away: what a league of independent games would cost instead."""

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
    """How many times as many games with luck and seats of their own would be needed to know win shares as well.

    What games of a block share is the opening, in leagues of earlier versions all draws, and that everybody has every
    seat.
    For each bot, the variance of its score in a game against that of its mean score in a block, both around what the
    ratings promise against these opponents: line-ups are chosen, not luck. Both are averaged over bots. None with fewer
    than two whole blocks of a bot, if a block is one game, or if no block differs from what is promised.
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
        mean = fmean(one for block in surprises for one in block)
        # The mean is that of the same games, so what it moves with them is missing from the squares around it.
        of_games.append(fmean((one - mean) ** 2 for block in surprises for one in block) + between / len(whole))
        of_blocks.append(between)
    if fsum(of_blocks) < NOTHING:
        return None
    return rounded(fsum(of_games) / (size * fsum(of_blocks)), DIGITS)


def _by_block(results: Sequence[Result], standings: Standings, bot: str) -> dict[int, list[tuple[float, float]]]:
    """For each block, the games of a bot: the share of first places that it got, and its chance by the ratings."""
    worth = {one.bot: one.rating.value / ELO for one in standings.bots}
    seats = [one.rating.value / ELO for one in standings.seats]
    found = defaultdict[int, list[tuple[float, float]]](list)
    for result in results:
        mine = [seat for seat, one in enumerate(result.bots) if one == bot]
        if mine:
            chances = [exp(worth[one] + seat) for one, seat in zip(result.bots, seats, strict=True)]
            won = sum(result.ranks[seat] == 1 for seat in mine) / result.ranks.count(1) / len(mine)
            found[result.block].append((won, sum(chances[seat] for seat in mine) / sum(chances) / len(mine)))
    return found
