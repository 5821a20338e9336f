"""Variance reduction: the precision of games in blocks compared with independent games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum
from typing import Final, NamedTuple

import numpy as np

from ..results.result import Result
from .bootstrap import Array, Integers, rounded
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
    for surprises in _surprises(results, standings):
        whole = [number == size for number in surprises.number]
        means = surprises.mean[whole]
        if len(means) < 2:
            return None
        between = float(means.var(ddof=1))
        every = surprises.value[np.isin(surprises.place, np.flatnonzero(whole))]
        # The mean is estimated from the same games, so its own variance is added back.
        of_games.append(float(every.var()) + between / len(means))
        of_blocks.append(between)
    if fsum(of_blocks) < NOTHING:
        return None
    return rounded(fsum(of_games) / (size * fsum(of_blocks)), DIGITS)


class _Surprises(NamedTuple):
    """Share of the first place of a bot, less the expectation from the ratings.

    Attributes:
        place: block of each game, numbered from 0 among the blocks of the bot [games].
        value: the surprise of each game [games].
        number: games of each block [blocks].
        mean: mean surprise of each block [blocks].
    """

    place: Integers
    value: Array
    number: Integers
    mean: Array


def _surprises(results: Sequence[Result], standings: Standings) -> Iterator[_Surprises]:
    """Yield the surprises of each bot."""
    number = {figures.bot: place for place, figures in enumerate(standings.bots)}
    line_ups = np.array([[number[bot] for bot in result.bots] for result in results])
    firsts = np.array([result.ranks for result in results]) == 1
    blocks = np.array([result.block for result in results])
    worth = np.array([figures.rating.value / ELO for figures in standings.bots])
    seats = np.array([figures.rating.value / ELO for figures in standings.seats])
    chances = np.exp(worth[line_ups] + seats)
    surprises = firsts / firsts.sum(axis=1, keepdims=True) - chances / chances.sum(axis=1, keepdims=True)
    for bot in number.values():
        mine = line_ups == bot
        played = mine.any(axis=1)
        value = (surprises * mine).sum(axis=1)[played] / mine.sum(axis=1)[played]
        _, place = np.unique(blocks[played], return_inverse=True)
        games = np.bincount(place)
        yield _Surprises(place, value, games, np.bincount(place, value) / games)
