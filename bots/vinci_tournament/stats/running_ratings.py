"""Ratings that are updated block by block, with their covariance, to choose the next block of a ladder.

The model is that of `plackett_luce`. What is known before a block is a normal distribution, and what is known after it
is approximated by one: its maximum, and the curvature there (Laplace). A block takes the same time however many there
were before.
"""

from collections.abc import Sequence
from typing import Final, final

import numpy as np

from vinci_ratings.plackett_luce import CLOSE, ELO, LONGEST_STEP, MOST_STEPS, derivatives, design

from ..results.result import Result
from .bootstrap import Array

PRIOR: Final = 350 / ELO
"""Standard deviation of the strengths of bots that have not played."""
SEAT_PRIOR: Final = 90 / ELO
"""Standard deviation of the effects of seats."""


@final
class RunningRatings:
    """Estimates of all bots after the blocks so far; `mean` and `precision` are those of bots, then of seats."""

    def __init__(self, bots: Sequence[str], seats: int) -> None:
        self.bots: Final = tuple(bots)
        self.mean: Array = np.zeros(len(bots) + seats)
        self.precision: Array = np.diag([PRIOR**-2] * len(bots) + [SEAT_PRIOR**-2] * seats)

    def note(self, block: Sequence[Result]) -> None:
        """Take the games of a block. Raises ArithmeticError if the method does not converge."""
        data, weights = design(block, self.bots), np.ones(len(block))
        effects = self.mean
        for _ in range(MOST_STEPS):
            _, gradient, curvature = derivatives(data, weights, effects)
            step = np.linalg.solve(curvature + self.precision, gradient - self.precision @ (effects - self.mean))
            longest = float(np.abs(step).max())
            effects = effects + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
            if longest < CLOSE:
                self.mean, self.precision = effects, self.precision + curvature
                return
        raise ArithmeticError("the running ratings did not converge")

    @property
    def strengths(self) -> Array:
        """Estimated strengths of the bots, in units of the model [bots]."""
        return self.mean[: len(self.bots)]

    def covariance(self, expected: Array) -> Array:
        """Return the covariance of the strengths, with further information that is expected [bots, bots]."""
        precision = self.precision.copy()
        precision[: len(self.bots), : len(self.bots)] += expected
        covariance: Array = np.linalg.inv(precision).astype(np.float64)[: len(self.bots), : len(self.bots)]
        return covariance
