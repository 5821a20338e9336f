"""Block bootstrap (cluster bootstrap) and the confidence intervals from it.

The games of a block share line-up and opening, so blocks are independent and games are not; whole blocks are drawn with
replacement. See docs/league-method.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, fsum, isfinite, isinf, pi, sqrt, tan
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vinci_ratings.plackett_luce import Array as Array
from vinci_ratings.plackett_luce import Integers as Integers

from ..results.result import Result
from .values import Estimate

RESAMPLES: Final = 1000
LEVEL: Final = 0.95
"""Confidence level of intervals."""
ALL: Final = slice(None)
CHUNK: Final = 1024
"""Maximum number of blocks that are weighted at a time, to bound memory."""
CHUNK_CELLS: Final = 2**20
"""Maximum number of cells, blocks by statistics, that are weighted at a time."""


class Shown(NamedTuple):
    """Format of a statistic: number of decimals, and its least and greatest possible values, if there are any."""

    digits: int
    limits: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """Observations of several statistics, each of which is the mean of its values.

    Attributes:
        place: column of the block of each observation, see `Blocks.places`, in ascending order [observations].
        group: number of the statistic that it belongs to [observations].
        values: the observed values, one array for each kind of value [observations].
    """

    place: NDArray[np.integer]
    group: NDArray[np.integer]
    values: Sequence[NDArray[np.integer | np.floating]]


class Blocks:
    """Bootstrap resamples of the blocks of some results; the same for equal numbers of blocks.

    Blocks are drawn within line-ups (strata) if every line-up has at least two blocks, otherwise among all, because
    line-ups are chosen and not random.

    Attributes:
        places: column of each block, by block number.
        lineup: stratum of each block [blocks].
        resamples: number of resamples.
    """

    def __init__(self, results: Sequence[Result], resamples: int = RESAMPLES) -> None:
        lineups = {result.block: tuple(sorted(result.bots)) for result in results}
        if min(Counter(lineups.values()).values(), default=0) < 2:
            lineups = dict.fromkeys(lineups, ())
        self.places = {block: place for place, block in enumerate(sorted(lineups))}
        number = {name: place for place, name in enumerate(sorted(set(lineups.values())))}
        self.lineup = np.array([number[lineups[block]] for block in self.places], dtype=int)
        self.resamples = resamples
        # How often each block was drawn; more than 255 times has no chance worth naming. A byte each: 25,000 blocks
        # are 25 MB, where their weights are 200.
        self._drawn = np.zeros((resamples, len(self.places)), dtype=np.uint8)
        self._scale = np.ones(len(self.places))
        source = np.random.PCG64([len(self.places), resamples])
        order = np.argsort(self.lineup, kind="stable")
        for members in np.split(order, np.flatnonzero(np.diff(self.lineup[order])) + 1):
            self._draw(members, source)

    def _draw(self, members: NDArray[np.intp], source: np.random.PCG64) -> None:
        """Draw n - 1 of n blocks and scale their weights, which makes the variance unbiased (Rao and Wu 1988)."""
        draws = len(members) - 1
        if not draws:
            self._drawn[:, members] = 1
            return
        self._scale[members] = len(members) / draws
        counts = np.zeros(self.resamples * len(members), dtype=np.uint8)  # apart, as it is near in memory
        rows = np.arange(self.resamples, dtype=np.uint64) * np.uint64(len(members))
        for _ in range(draws):
            # The raw output of a generator is the same in all versions of numpy; derived distributions need not be.
            chosen = (source.random_raw(len(rows)) >> np.uint64(32)) * np.uint64(len(members)) >> np.uint64(32)
            counts[rows + chosen] += 1
        self._drawn[:, members] = counts.reshape(self.resamples, -1)

    def weights(self, columns: slice = ALL) -> Array:
        """Return the weight of each block in each resample [resamples, blocks], or those of some blocks."""
        return self._drawn[:, columns] * self._scale[columns]

    def chunks(self, width: int = 1) -> Iterator[slice]:
        """Yield all columns, a few at a time, so that `width` numbers for each of them need little memory."""
        size = max(min(CHUNK, CHUNK_CELLS // max(width, 1)), 1)
        for first in range(0, len(self.places), size):
            yield slice(first, min(first + size, len(self.places)))

    def columns(self, results: Sequence[Result]) -> Integers:
        """Return the column of the block of each result [results]."""
        return np.array([self.places[result.block] for result in results], dtype=np.int64)

    def means(self, observed: Observed, groups: int, shown: Sequence[Shown]) -> list[list[Estimate]]:
        """Return for each kind of value the means of all groups, each with its interval.

        An interval is one-sided if all values are at a limit. Raises ValueError if a group has no values.
        """
        place, group, values = observed.place, observed.group, observed.values
        number = np.bincount(group, minlength=groups)
        if not len(number) or not number.all():
            raise ValueError("nothing was observed")
        sums = np.zeros((self.resamples, groups * (1 + len(values))))  # counts, then totals of each kind
        present = np.zeros(groups, dtype=int)
        for chunk in self.chunks(groups):
            seen = slice(*np.searchsorted(place, (chunk.start, chunk.stop)))
            width = chunk.stop - chunk.start
            cell = (place[seen].astype(np.int64) - chunk.start) * groups + group[seen]
            count = np.bincount(cell, minlength=width * groups).reshape(width, groups)
            present += (count > 0).sum(axis=0)
            total = [np.bincount(cell, kind[seen], width * groups).reshape(width, groups) for kind in values]
            sums += self.weights(chunk) @ np.concatenate([count, *total], axis=1)
        drawn, *totals = np.split(sums, 1 + len(values), axis=1)
        strata = len(set(self.lineup.tolist()))
        met = np.zeros((groups, strata), dtype=bool)
        met[group, self.lineup[place]] = True
        degrees = present - met.sum(axis=1)
        estimates = []
        for kind, of_kind, form in zip(values, totals, shown, strict=True):
            mean = np.bincount(group, kind, groups) / number
            of_groups = zip(mean, drawn.T, of_kind.T, degrees.tolist(), present.tolist(), strict=True)
            estimates.append([self._mean(*group, form) for group in of_groups])
        return estimates

    def _mean(self, value: float, drawn: Array, total: Array, degrees: int, blocks: int, shown: Shown) -> Estimate:
        """Return a mean that was observed in so many blocks, from its weights and totals in the resamples."""
        if degrees > 0 and shown.limits is not None and value in shown.limits and isfinite(sum(shown.limits)):
            return _at_a_limit(value, *shown.limits, blocks, shown.digits)
        seen = drawn > 0
        return self.estimate(float(value), total[seen] / drawn[seen], degrees, shown)

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


def t_quantile(degrees: int, level: float = LEVEL) -> float:
    """Return the two-sided quantile of Student's t, within 0.2 % at LEVEL.

    It is exact for one and two degrees of freedom, else the series of Abramowitz and Stegun (26.7.5).
    """
    tail = (1 + level) / 2
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
