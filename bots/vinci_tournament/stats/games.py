"""Results of games as arrays, for statistics of many games."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..results.result import Result
from .bootstrap import Array, Blocks, Integers


@dataclass(frozen=True, slots=True)
class Games:
    """Results as arrays, in their order.

    Attributes:
        bots: names of the bots, sorted.
        columns: column of the block of each game, see `Blocks.places` [games].
        line_ups: number of the bot at each seat [games, seats].
        wins: share of the first place, from 0 to 1; ties are split [games, seats].
        ranks: seats that tie share the mean of their ranks [games, seats].
        vp: scores [games, seats].
    """

    bots: tuple[str, ...]
    columns: Integers
    line_ups: Integers
    wins: Array
    ranks: Array
    vp: Integers

    @property
    def margins(self) -> Integers:
        """VP of each seat ahead of the best opponent [games, seats]."""
        ordered = np.sort(self.vp, axis=1)
        best, second = ordered[:, -1:], ordered[:, -2:-1]
        is_alone = (self.vp == best) & ((self.vp == best).sum(axis=1, keepdims=True) == 1)
        margins: Integers = self.vp - np.where(is_alone, second, best)
        return margins


def games_of(results: Sequence[Result], blocks: Blocks) -> Games:
    """Return the arrays of results, at least one, all with the same number of seats."""
    bots = tuple(sorted({bot for result in results for bot in result.bots}))
    number = {bot: place for place, bot in enumerate(bots)}
    ranks = np.array([result.ranks for result in results])
    firsts = ranks == 1
    ties = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    return Games(
        bots,
        blocks.columns(results),
        np.array([[number[bot] for bot in result.bots] for result in results]),
        firsts / np.maximum(firsts.sum(axis=1, keepdims=True), 1),
        ranks + (ties - 1) / 2,
        np.array([result.vp for result in results]),
    )
