"""Estimates from blocks: jackknife intervals, shrinkage (empirical Bayes), and false-discovery control.

All are computed from the influence of each block on an estimate: how much it changes when the block is left out. Those
of two arms with the same seeds are subtracted block by block, so luck that the arms share cancels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..stats.bootstrap import rounded, t_quantile
from ..stats.values import Estimate

Array: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

RATE: Final = 0.05
"""Largest expected share of false discoveries among all discoveries of a family."""

HALVINGS: Final = 60


class Effect(NamedTuple):
    """An effect, estimated in a family of several.

    Attributes:
        raw: the estimate by itself.
        shrunk: the estimate drawn towards the middle of its family as far as its error suggests.
        p: probability of an estimate at least as far from 0 without an effect.
        q: smallest rate of false discoveries at which it is one (Benjamini and Hochberg).
    """

    raw: Estimate
    shrunk: Estimate
    p: float
    q: float

    @property
    def is_found(self) -> bool:
        """Whether it is a discovery at RATE."""
        return self.q <= RATE


@dataclass(frozen=True, slots=True)
class Measured:
    """Estimates with the influence of each block on them.

    Attributes:
        names: what they are of [estimates].
        blocks: the blocks [blocks].
        value: the estimates [estimates].
        influence: the estimate minus the estimate without the block [blocks, estimates].
        present: the blocks in which what is estimated occurred, for degrees of freedom [blocks, estimates].
    """

    names: tuple[str, ...]
    blocks: tuple[int, ...]
    value: Array
    influence: Array
    present: Flags

    def minus(self, base: "Measured") -> "Measured":
        """Return the differences to the estimates of another arm; a block has no influence on an arm without it."""
        names = tuple(name for name in self.names if name in base.names)
        blocks = tuple(sorted({*self.blocks, *base.blocks}))
        parts = []
        for arm in (self, base):
            columns = [arm.names.index(name) for name in names]
            rows = np.searchsorted(blocks, arm.blocks)
            influence, present = np.zeros((len(blocks), len(names))), np.zeros((len(blocks), len(names)), dtype=bool)
            influence[rows], present[rows] = arm.influence[:, columns], arm.present[:, columns]
            parts.append((arm.value[columns], influence, present))
        (value, influence, present), (other, others, presents) = parts
        return Measured(names, blocks, value - other, influence - others, present | presents)

    def only(self, name: str) -> "Measured":
        """Return one of the estimates."""
        place = self.names.index(name)
        return Measured((name,), self.blocks, self.value[[place]], self.influence[:, [place]], self.present[:, [place]])

    @property
    def errors(self) -> Array:
        """Standard errors by the jackknife over blocks [estimates]."""
        number = len(self.blocks)
        spread = self.influence - self.influence.mean(axis=0)
        errors: Array = np.sqrt((number - 1) / number * (spread**2).sum(axis=0))
        return errors

    @property
    def degrees(self) -> list[int]:
        """Degrees of freedom of each estimate: blocks in which it occurred, less one."""
        return [max(int(number) - 1, 1) for number in self.present.sum(axis=0)]


def effects(measured: Measured, digits: int = 2, apart: Sequence[str] = ()) -> dict[str, Effect]:
    """Return the effects by name, as one family for false discoveries and shrinkage.

    Those `apart`, which are expected to differ, are a family of their own, and each is shrunk by itself. An effect
    without an interval, since it comes from one block or equal ones, is no discovery.
    """
    errors, degrees = measured.errors, measured.degrees
    quantiles = [t_quantile(many) for many in degrees]
    raw = [
        _estimate(float(value), quantile * float(error), digits)
        for value, error, quantile in zip(measured.value, errors, quantiles, strict=True)
    ]
    ps = [
        p_value(value, error, many) if estimate.is_told else 1.0
        for value, error, many, estimate in zip(measured.value, errors, degrees, raw, strict=True)
    ]
    together = np.array([name not in apart for name in measured.names], dtype=bool)
    qs = np.ones(len(ps))
    for family in (together, ~together):
        qs[family] = adjusted([p for p, is_in in zip(ps, family, strict=True) if is_in])
    among = variance_between(measured.value[together], errors[together])
    result = {}
    for place, name in enumerate(measured.names):
        value, error = float(measured.value[place]), float(errors[place])
        spread = among if together[place] else variance_between(measured.value[[place]], errors[[place]])
        weight = spread / (spread + error**2) if error else 1.0
        result[name] = Effect(
            raw[place],
            _estimate(weight * value, quantiles[place] * sqrt(weight) * error, digits),
            ps[place],
            float(qs[place]),
        )
    return result


def mean_by_block(values: dict[int, list[float]], name: str) -> Measured:
    """Return the mean of all values, given by block."""
    blocks = tuple(sorted(values))
    sums, counts = (np.array([float(of(values[block])) for block in blocks]) for of in (sum, len))
    total, number = float(sums.sum()), float(counts.sum())
    without = (total - sums) / np.maximum(number - counts, 1)
    influence = total / number - without if len(blocks) > 1 else np.zeros(1)
    return Measured(
        (name,), blocks, np.array([total / number]), influence[:, None], np.ones((len(blocks), 1), dtype=bool)
    )


def interval(measured: Measured, digits: int = 2) -> Estimate:
    """Return the only estimate with its interval; without one if there are fewer than two blocks."""
    if len(measured.blocks) < 2:
        return _estimate(float(measured.value[0]), 0.0, digits)
    return _estimate(float(measured.value[0]), t_quantile(measured.degrees[0]) * float(measured.errors[0]), digits)


def p_value(value: float, error: float, degrees: int) -> float:
    """Return the two-sided p-value of Student's t, by Wallace's approximation; the error is not 0."""
    normal = (8 * degrees + 1) / (8 * degrees + 3) * sqrt(degrees * log(1 + (value / error) ** 2 / degrees))
    return 2 * NormalDist().cdf(-normal)


def adjusted(ps: Sequence[float]) -> list[float]:
    """Return the q-values of p-values by the step-up procedure of Benjamini and Hochberg."""
    least = 1.0
    qs = [1.0] * len(ps)
    for rank, place in reversed(list(enumerate(sorted(range(len(ps)), key=lambda place: ps[place]), start=1))):
        least = min(least, ps[place] * len(ps) / rank)
        qs[place] = least
    return qs


def variance_between(values: Array, errors: Array) -> float:
    """Return the variance of the true effects around 0 with which the estimates vary as expected (Paule and Mandel)."""
    known = errors > 0
    values, errors = values[known], errors[known]

    def excess(variance: float) -> float:
        return float((values**2 / (variance + errors**2)).sum()) - len(values)

    if not len(values) or excess(0.0) <= 0:
        return 0.0
    low, high = 0.0, float(np.square(values).max())
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high


def _estimate(value: float, reach: float, digits: int) -> Estimate:
    return Estimate(*(rounded(end, digits) for end in (value, value - reach, value + reach)))
