"""Block bootstrap (cluster bootstrap) and the confidence intervals from it.

The games of a block share line-up and opening, so blocks are independent and games are not; whole blocks are drawn with
replacement. See docs/tournaments.md, Method.
"""

from collections import Counter
from collections.abc import Sequence
from math import exp, fsum, isfinite, isinf, pi, sqrt, tan
from statistics import NormalDist
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..results.result import Result
from .values import Estimate

Array: TypeAlias = NDArray[np.float64]

RESAMPLES: Final = 1000
LEVEL: Final = 0.95
"""Confidence level of intervals."""


class Observed(NamedTuple):
    """An observed value and its block; a statistic is the mean of such values."""

    block: int
    value: float


class Shown(NamedTuple):
    """Format of a statistic: number of decimals, and its least and greatest possible values, if there are any."""

    digits: int
    limits: tuple[float, float] | None = None


class Blocks:
    """Bootstrap resamples of the blocks of some results; the same for equal numbers of blocks.

    Blocks are drawn within line-ups (strata) if every line-up has at least two blocks, otherwise among all, because
    line-ups are chosen and not random.

    Attributes:
        places: column of each block, by block number.
        lineup: stratum of each block [blocks].
        weights: weight of each block in each resample [resamples, blocks].
    """

    def __init__(self, results: Sequence[Result], resamples: int = RESAMPLES) -> None:
        lineups = {result.block: tuple(sorted(result.bots)) for result in results}
        if min(Counter(lineups.values()).values(), default=0) < 2:
            lineups = dict.fromkeys(lineups, ())
        self.places = {block: place for place, block in enumerate(sorted(lineups))}
        names = sorted(set(lineups.values()))
        self.lineup = np.array([names.index(lineups[block]) for block in self.places], dtype=int)
        self.weights = np.zeros((resamples, len(self.places)))
        source = np.random.PCG64([len(self.places), resamples])
        for lineup in range(len(names)):
            self._draw(np.flatnonzero(self.lineup == lineup), source)

    def _draw(self, members: NDArray[np.intp], source: np.random.PCG64) -> None:
        """Draw n - 1 of n blocks and scale their weights, which makes the variance unbiased (Rao and Wu 1988)."""
        draws = len(members) - 1
        if not draws:
            self.weights[:, members] = 1
            return
        rows = np.arange(len(self.weights))
        for _ in range(draws):
            # The raw output of a generator is the same in all versions of numpy; derived distributions need not be.
            chosen = (source.random_raw(len(rows)) >> np.uint64(32)) * np.uint64(len(members)) >> np.uint64(32)
            self.weights[rows, members[chosen]] += len(members) / draws

    def mean(self, observed: Sequence[Observed], shown: Shown) -> Estimate:
        """Return the mean of observed values with its interval, which is one-sided if all values are at a limit.

        Raises ValueError without values.
        """
        if not observed:
            raise ValueError("nothing was observed")
        places = [self.places[observation.block] for observation in observed]
        count = np.bincount(places, minlength=len(self.places)).astype(float)
        total = np.bincount(places, [observation.value for observation in observed], len(self.places))
        drawn = self.weights @ count
        seen = drawn > 0
        means = (self.weights @ total)[seen] / drawn[seen]
        value, degrees = fsum(observation.value for observation in observed) / len(observed), self.degrees(count > 0)
        if degrees > 0 and shown.limits is not None and value in shown.limits and isfinite(sum(shown.limits)):
            return _at_a_limit(value, *shown.limits, int((count > 0).sum()), shown.digits)
        return self.estimate(value, means, degrees, shown)

    def degrees(self, present: NDArray[np.bool_]) -> int:
        """Return the degrees of freedom of a statistic of the flagged blocks: blocks minus line-ups."""
        return int(present.sum()) - len(set(self.lineup[present].tolist()))

    def estimate(self, value: float, resampled: Array, degrees: int, shown: Shown) -> Estimate:
        """Return a statistic with its interval: t quantile times the standard deviation of its resampled values.

        Without degrees of freedom there is no interval.
        """
        spread = float(resampled.std()) if len(resampled) else 0.0
        reach = t_quantile(degrees) * spread if degrees > 0 else 0.0
        ends = (value - reach, value + reach) if shown.limits is None else _between(*shown.limits, value, reach)
        return Estimate(*(rounded(figure, shown.digits) for figure in (value, *ends)))


def _at_a_limit(value: float, least: float, most: float, blocks: int, digits: int) -> Estimate:
    """Return the exact one-sided interval of a mean that was at one of its limits in every block.

    If the true mean of a share is p, all blocks are 1 with a probability of at most p ** blocks, however the games of a
    block depend on each other.
    """
    reach = (most - least) * (1 - (1 - LEVEL) ** (1 / blocks))
    ends = (most - reach, most) if value == most else (least, least + reach)
    return Estimate(*(rounded(figure, digits) for figure in (value, *ends)))


def _between(least: float, most: float, value: float, reach: float) -> tuple[float, float]:
    """Return an interval that is symmetric in log-odds between the limits, so that it stays within them.

    Without an upper limit it is cut at the lower one.
    """
    if isinf(most):
        return max(value - reach, least), value + reach
    if not reach or not least < value < most:
        return value, value
    odds = (value - least) / (most - value)
    shrink = exp(-reach * (most - least) / ((value - least) * (most - value)))
    low, high = odds * shrink / (1 + odds * shrink), odds / (odds + shrink)
    return least + (most - least) * low, least + (most - least) * high


def rounded(value: float, digits: int) -> float:
    """Round to this many decimals, without negative zero."""
    return round(float(value), digits) + 0.0


def t_quantile(degrees: int) -> float:
    """Return the two-sided quantile of Student's t at LEVEL, within 0.2 %.

    It is exact for one and two degrees of freedom, else the series of Abramowitz and Stegun (26.7.5).
    """
    tail = (1 + LEVEL) / 2
    z = NormalDist().inv_cdf(tail)
    if degrees == 1:
        return tan(pi * (tail - 0.5))
    if degrees == 2:
        return (2 * tail - 1) * sqrt(2 / (1 - (2 * tail - 1) ** 2))
    series = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + fsum(term / degrees**power for power, term in enumerate(series, start=1))
