"""Chooses the blocks of a ladder: those that tell most about the ratings, of uncertain bots that are close."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, final

import numpy as np

from vinci_ratings.plackett_luce import ELO

from ..definition.formats import LineUp
from ..definition.league import League
from ..stats.bootstrap import Array, Integers
from ..stats.running_ratings import RunningRatings
from .choice import Blocks, Choice

LAG: Final = 8
"""Blocks before a block whose results do not decide it, so that they can be played at the same time."""
CLOSENESS: Final = 0.5
"""Factor of differences in strength when bots are compared.

With 1 almost only neighbours would meet, and the errors of many small differences would add up.
"""
DIGITS: Final = 6
"""Decimals of a gain; gains that are equal to these are a tie."""


@final
class Ladder:
    """Chooses the blocks of a ladder in their order; it keeps what the blocks so far told."""

    def __init__(self, league: League) -> None:
        self._league: Final = league
        self._names: Final = tuple(bot.name for bot in league.bots)
        self._number: Final = {name: number for number, name in enumerate(self._names)}
        self._ratings: Final = RunningRatings(self._names, league.seats)
        self._noted = 0
        self._latest: Final = dict.fromkeys(range(len(self._names)), -1)
        self._seen = 0

    def choose(self, line_ups: Sequence[LineUp], blocks: Blocks) -> list[Choice]:
        """Return the next block, from the results of all blocks but the last LAG; none while some are missing."""
        block = len(line_ups)
        while self._noted < block - LAG:
            if self._noted not in blocks:
                return []
            self._ratings.note(blocks[self._noted])
            self._noted += 1
        for number in range(self._seen, block):
            self._latest.update((self._number[name], number) for name in line_ups[number])
        self._seen = block
        expected: Array = np.zeros((len(self._names), len(self._names)))
        for line_up in line_ups[self._noted :]:
            members = [self._number[name] for name in line_up]
            expected[np.ix_(members, members)] += self._information(np.array([members]))[0]
        covariance = self._ratings.covariance(expected)
        active = [self._number[name] for name in self._league.active(block)]
        chosen, gain = self._line_up(active, covariance)
        ratings = self._shown(active, covariance)
        line_up = tuple(self._names[bot] for bot in chosen)
        why = {"results": self._noted, "gain": round(gain, 4), "ratings": {name: ratings[name] for name in line_up}}
        return [Choice(line_up, why)]

    def _shown(self, bots: Sequence[int], covariance: Array) -> dict[str, tuple[int, int]]:
        """Return the ratings of these bots with their standard deviations around the mean of all, in Elo points."""
        around_mean = np.eye(len(bots)) - 1 / len(bots)
        deviations = ELO * np.sqrt(np.diag(around_mean @ covariance[np.ix_(bots, bots)] @ around_mean))
        ratings = ELO * self._ratings.strengths[bots]
        shown = zip(ratings.round().astype(int).tolist(), deviations.round().astype(int).tolist(), strict=True)
        return dict(zip((self._names[bot] for bot in bots), shown, strict=True))

    def _line_up(self, bots: Sequence[int], covariance: Array) -> tuple[list[int], float]:
        """Return a line-up and its gain: the best pair, then the best further bot, until all seats are taken.

        Ties are decided by who waited longest, then by who entered first.
        """
        options: list[tuple[int, ...]] = list(combinations(bots, 2))
        while True:
            gains = self._gains(np.array(options), covariance).round(DIGITS).tolist()
            waited = [sum(self._latest[bot] for bot in members) for members in options]
            loss, _, best = min(zip((-gain for gain in gains), waited, options, strict=True))
            if len(best) == self._league.seats:
                return sorted(best), -loss
            options = [(*best, bot) for bot in bots if bot not in best]

    def _gains(self, options: Integers, covariance: Array) -> Array:
        """Return the expected information of a block about the ratings, for each option [options, bots]: [options].

        It is half the logarithm of the factor by which the volume of their covariance shrinks.
        """
        known = covariance[options[:, :, None], options[:, None, :]]
        gains: Array = np.linalg.slogdet(np.eye(options.shape[1]) + self._information(options) @ known)[1] / 2
        return gains

    def _information(self, options: Integers) -> Array:
        """Return the expected information of a block about the strengths, for each option: [options, bots, bots].

        It is added up by pairs. A game between equals tells most: its information is the probability to be ahead times
        that to be behind, from differences that CLOSENESS makes smaller than estimated.
        """
        strengths = CLOSENESS * self._ratings.strengths[options]
        ahead = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
        pairs = self._league.rotations * ahead * (1 - ahead)
        own = np.eye(options.shape[1])
        information: Array = own * pairs.sum(axis=2, keepdims=True) - pairs
        return information
