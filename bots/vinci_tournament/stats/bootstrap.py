"""What luck can do to a figure: a bootstrap that draws whole blocks again, and the intervals it gives.

The games of a block share their luck, so only blocks are independent of each other, and only they are drawn. See
docs/tournaments.md, Method, for why the intervals are made like this.
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


class Observed(NamedTuple):
    """A value that a figure is the mean of, and the block it was seen in."""

    block: int
    value: float


class Shown(NamedTuple):
    """How a figure is shown: how many decimals, and the least and most that it can be, if there is such a thing."""

    digits: int
    limits: tuple[float, float] | None = None


class Blocks:
    """The blocks of some results, drawn again RESAMPLES times, always the same ones for as many blocks.

    Blocks are drawn among those of the same line-up if every line-up has at least two, otherwise among all: line-ups
    are chosen, not drawn, so they are not luck. `weights` says for each resample how much each block counts; `places`
    where a block stands in it, by number, and `lineup` which ones were drawn together.
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
        """Draw one block fewer than there are and let it count for more, so that variances come out right."""
        draws = len(members) - 1
        if not draws:
            self.weights[:, members] = 1
            return
        rows = np.arange(len(self.weights))
        for _ in range(draws):
            # Raw numbers of a generator stay the same in all versions of numpy; what is made of them need not.
            chosen = (source.random_raw(len(rows)) >> np.uint64(32)) * np.uint64(len(members)) >> np.uint64(32)
            self.weights[rows, members[chosen]] += len(members) / draws

    def mean(self, observed: Sequence[Observed], shown: Shown) -> Estimate:
        """The mean of what was seen, games weighing alike; one-sided if all of it is at a limit.

        Raises ValueError if nothing was seen.
        """
        if not observed:
            raise ValueError("nothing was observed")
        places = [self.places[one.block] for one in observed]
        count = np.bincount(places, minlength=len(self.places)).astype(float)
        total = np.bincount(places, [one.value for one in observed], len(self.places))
        drawn = self.weights @ count
        seen = drawn > 0
        means = (self.weights @ total)[seen] / drawn[seen]
        value, degrees = fsum(one.value for one in observed) / len(observed), self.degrees(count > 0)
        if degrees > 0 and shown.limits is not None and value in shown.limits and isfinite(sum(shown.limits)):
            return _at_a_limit(value, *shown.limits, int((count > 0).sum()), shown.digits)
        return self.estimate(value, means, degrees, shown)

    def degrees(self, present: NDArray[np.bool_]) -> int:
        """Return the degrees of freedom of a figure that depends on these blocks."""
        return int(present.sum()) - len(set(self.lineup[present].tolist()))

    def estimate(self, value: float, resampled: Array, degrees: int, shown: Shown) -> Estimate:
        """A figure with its interval, from its values in resamples."""
        spread = float(resampled.std()) if len(resampled) else 0.0
        reach = t_quantile(degrees) * spread if degrees > 0 else 0.0
        ends = (value - reach, value + reach) if shown.limits is None else _between(*shown.limits, value, reach)
        return Estimate(*(rounded(one, shown.digits) for one in (value, *ends)))


def _at_a_limit(value: float, least: float, most: float, blocks: int, digits: int) -> Estimate:
    """The interval of a mean that was at one of its limits in every block.

    If the true mean of a share is p, so many blocks in a row are all 1 with a chance of at most p ** blocks, however
    the games of a block depend on each other.
    """
    reach = (most - least) * (1 - (1 - LEVEL) ** (1 / blocks))
    ends = (most - reach, most) if value == most else (least, least + reach)
    return Estimate(*(rounded(one, digits) for one in (value, *ends)))


def _between(least: float, most: float, value: float, reach: float) -> tuple[float, float]:
    """An interval that is even in log-odds, so that it stays within the limits and is wider away from the near one.

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
    """As many decimals, and never a negative zero."""
    return round(float(value), digits) + 0.0


def t_quantile(degrees: int) -> float:
    """How many standard errors an interval of LEVEL reaches, by degrees of freedom, within 0.2 %.

    Exact for one and two, the series of Abramowitz and Stegun (26.7.5) for more.
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
