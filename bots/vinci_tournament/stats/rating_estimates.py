"""Ratings of bots and seats, and differences between the ratings of any two bots, with their intervals."""

from collections.abc import Sequence
from itertools import combinations
from math import inf, isinf
from typing import Any, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from vinci_ratings.plackett_luce import ELO, RIDGE, Design, centre, design, fit, slopes_of, summed

from ..results.result import Result
from .bootstrap import Array, Blocks, Integers, Shown, rounded
from .separation import Flags, least_shift, meetings, separation
from .values import DifferenceFigures, Estimate

RATING: Final = Shown(1)
SAMPLE: Final = 2500
"""Games to which ratings are fitted first in a league of MANY times as many."""
MANY: Final = 4


class Ratings(NamedTuple):
    """Ratings of bots, effects of seats, and rating differences of all pairs of bots, each pair once, in Elo points.

    Pairs are sorted by the ratings of their bots, the better one first.
    """

    bots: dict[str, Estimate]
    seats: tuple[Estimate, ...]
    differences: tuple[DifferenceFigures, ...]


def ratings(results: Sequence[Result], blocks: Blocks) -> Ratings:
    """Estimate ratings of bots, effects of seats and rating differences from results that are sorted by key."""
    fitted = _Fitted(results, blocks)
    bots = {bot: fitted.rating(number) for number, bot in enumerate(fitted.bots)}
    order = sorted(range(len(bots)), key=lambda number: (-bots[fitted.bots[number]].value, fitted.bots[number]))
    return Ratings(
        bots,
        tuple(fitted.seat(seat) for seat in range(len(results[0].bots))),
        tuple(
            DifferenceFigures(fitted.bots[bot], fitted.bots[other], fitted.difference(bot, other))
            for bot, other in combinations(order, 2)
        ),
    )


@final
class _Fitted:
    """Fitted effects of all results and of every resample."""

    def __init__(self, results: Sequence[Result], blocks: Blocks) -> None:
        self.bots: Final = tuple(sorted({bot for result in results for bot in result.bots}))
        self._results: Final = results
        self._blocks: Final = blocks
        data, columns = design(results, self.bots), blocks.columns(results)
        start = None
        if len(results) > MANY * SAMPLE:  # fewer steps with all games
            start = fit(design(results[:SAMPLE], self.bots), np.ones(SAMPLE))
        self._best: Final = fit(data, np.ones(len(results)), start)
        self._present: Final[Flags] = np.ones((len(blocks.places), len(self._best)), dtype=bool)
        self._present[:, : len(self.bots)] = False
        self._present[columns[:, None], data.line_ups] = True
        # A resample without a game of an effect is left out of the effect's interval.
        drawn = np.zeros((blocks.resamples, len(self._best)))
        for chunk in blocks.chunks():
            drawn += blocks.weights(chunk) @ self._present[chunk]
        self._seen: Final[Flags] = drawn > 0
        self._drawn: Final[Array] = np.where(self._seen, resampled(data, columns, blocks, self._best), self._best)
        self._middle: Final[Array] = centre(self._drawn[:, : len(self.bots)])
        self._separation: Final = separation(results, self.bots, blocks)

    def seat(self, seat: int) -> Estimate:
        effect = len(self.bots) + seat
        return self._estimate((effect,), self._best[effect], self._drawn[:, effect])

    def rating(self, bot: int) -> Estimate:
        """Return the rating of a bot, one-sided if it is separated from at least half of the bots."""
        separated, half = self._separation, len(self.bots) / 2
        only, above, below = np.arange(len(self.bots)) == bot, separated.whole[bot], separated.whole[:, bot]
        value = self._rated(bot, 0.0)
        if above.sum() >= half:
            return _between(value, self._rated(bot, self._least_shift(only, above)), inf)
        if below.sum() >= half:
            return _between(value, -inf, self._rated(bot, -self._least_shift(below, only)))
        estimate = self._estimate((bot,), value, self._drawn[:, bot] - self._middle)
        return _opened(estimate, low=bool(separated.below[bot]), high=bool(separated.above[bot]))

    def difference(self, one: int, other: int) -> Estimate:
        """Return the rating difference of two bots, one-sided if one is separated above the other."""
        separated = self._separation
        value = float(self._best[one] - self._best[other])
        if separated.whole[one, other]:
            return _between(value, value + self._least_shift(separated.group(one), separated.group(other)), inf)
        if separated.whole[other, one]:
            return _between(value, -inf, value - self._least_shift(separated.group(other), separated.group(one)))
        if not separated.linked[one, other]:
            return _between(value, -inf, inf)
        estimate = self._estimate((one, other), value, self._drawn[:, one] - self._drawn[:, other])
        return _opened(estimate, low=bool(separated.often[other, one]), high=bool(separated.often[one, other]))

    def _estimate(self, effects: tuple[int, ...], value: float, drawn: Array) -> Estimate:
        """Return an estimate based on these effects, from the resamples that have a game of each."""
        degrees = min(self._blocks.degrees(self._present[:, effect]) for effect in effects)
        seen = self._seen[:, effects].all(axis=1)
        return self._blocks.estimate(value * ELO, drawn[seen] * ELO, degrees, RATING)

    def _rated(self, bot: int, shift: float) -> float:
        """Return the rating of a bot after its effect is shifted; infinite if the shift is."""
        if isinf(shift):
            return shift
        effects = self._best[: len(self.bots)].copy()
        effects[bot] += shift
        return float(effects[bot] - centre(effects))

    def _least_shift(self, upper: Flags, lower: Flags) -> float:
        """Return a lower bound for the shift of the upper group's effects, if it is always ahead of the lower one."""
        bots = dict(zip(self.bots, self._best.tolist(), strict=False))
        groups = {self.bots[bot] for bot in np.flatnonzero(upper)}, {self.bots[bot] for bot in np.flatnonzero(lower)}
        return least_shift(meetings(self._results, groups, bots, self._best[len(self.bots) :].tolist()))


def resampled(data: Design, columns: Integers, blocks: Blocks, best: Array) -> Array:
    """Return the effects in every resample [resamples, effects]: one Newton step from `best`, that of all games.

    One step is asymptotically equivalent to a full fit (Davidson and MacKinnon 1999), and stays finite for a resample
    in which a bot always wins. `columns` are those of the blocks of the games, in ascending order [games].
    """
    slopes, size = slopes_of(data, best), len(best)
    downhill: NDArray[np.floating[Any]] = np.tile(-RIDGE * best, (blocks.resamples, 1))
    bent = np.zeros((blocks.resamples, size * size))
    for chunk in blocks.chunks(size * size):
        games = slice(*np.searchsorted(columns, (chunk.start, chunk.stop)))
        gradients, curvatures = summed(
            data,
            games,
            slopes.gradient[games],
            slopes.curvature[games],
            columns[games] - chunk.start,
            chunk.stop - chunk.start,
        )
        weights = blocks.weights(chunk)
        downhill += weights @ gradients
        bent += weights @ curvatures.reshape(len(curvatures), -1)
    curvature = bent.reshape(-1, size, size) + RIDGE * np.eye(size)
    steps: Array = np.linalg.solve(curvature, downhill[:, :, None])[:, :, 0]
    return best + steps


def _opened(estimate: Estimate, *, low: bool, high: bool) -> Estimate:
    """Return the estimate with an open end, or without an interval if both ends are open or there was none."""
    if not estimate.is_told or (low and high):
        return Estimate(estimate.value, estimate.value, estimate.value)
    return Estimate(estimate.value, -inf if low else estimate.low, inf if high else estimate.high)


def _between(value: float, low: float, high: float) -> Estimate:
    """Return an estimate in Elo points from a value and bounds in units of the model; no interval if both are open."""
    if isinf(low) and isinf(high):
        low = high = value
    return Estimate(*(rounded(effect * ELO, 1) for effect in (value, low, high)))
