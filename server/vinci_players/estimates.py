"""Means of simulations with their intervals, and differences of turns.

Simulations to the end of the game play all seats by the policy. Where no seat is a dummy, the VP to expect at the
horizon of `expert` count besides, as much as in its search: the difference of two turns is a mean of both.

Example:
    >>> found = estimate([1.0, 2.0, 3.0, 4.0])
    >>> found.mean, round(found.half, 1)
    (2.5, 2.0)
"""

from collections.abc import Sequence
from math import fsum, hypot, sqrt
from typing import Final, NamedTuple

from vinci_rules.actions import Action
from vinci_rules.state import Seat, State

from . import search, value
from .levels import HORIZON
from .policy import Policy
from .search import Horizon

INTERVAL: Final = 1.96
"""Half the width of a 95 % interval of a normal distribution, in standard deviations."""
FEWEST_EXPECTED: Final = 4
"""Simulations to the horizon at least."""


class Estimate(NamedTuple):
    """Mean of simulations, and half the width of its 95 % interval."""

    mean: float
    half: float


class Course(NamedTuple):
    """Simulations that begin with the same actions: ends of games, and the final VP of seats to expect at the horizon.

    There are none of the latter beside a dummy.
    """

    ends: list[State]
    expected: list[list[float]]


def estimate(numbers: Sequence[float]) -> Estimate:
    """Return the mean of at least two numbers with its interval, which is wider for few numbers."""
    mean = fsum(numbers) / len(numbers)
    variance = fsum([(number - mean) ** 2 for number in numbers]) / (len(numbers) - 1)
    return Estimate(mean, _quantile(len(numbers) - 1) * sqrt(variance / len(numbers)))


def difference(of: Sequence[float], to: Sequence[float]) -> Estimate:
    """Return the mean difference of paired numbers with its interval."""
    return estimate([one - other for one, other in zip(of, to, strict=True)])


def total(terms: Sequence[Estimate]) -> Estimate:
    """Return the sum of independent estimates."""
    return Estimate(fsum([term.mean for term in terms]), sqrt(fsum([term.half**2 for term in terms])))


def horizon(state: State) -> Horizon | None:
    """Return the horizon of `expert`; None beside a dummy."""
    return search.within(state, HORIZON)


def expected(state: State, actions: list[Action], weights: Policy, first: int, simulations: int) -> list[list[float]]:
    """Return the final VP to expect at the horizon after actions, by a share of as many simulations to the end."""
    cut = horizon(state)
    if cut is None:
        return []
    numbers = range(first, first + max(simulations // cut.share, FEWEST_EXPECTED))
    return [search.expected(state, actions, weights, number, cut, cut.replies) for number in numbers]


def gain(of: Course, to: Course, seat: Seat) -> tuple[Estimate, Estimate]:
    """Return the differences in final VP of a seat, and in its lead, of courses with simulations of equal numbers."""
    vp = difference([end.vp[seat] for end in of.ends], [end.vp[seat] for end in to.ends])
    lead, *ahead = lead_gains(of, to, seat)
    if not ahead:
        return vp, lead
    own = difference([finals[seat] for finals in of.expected], [finals[seat] for finals in to.expected])
    return _mean(vp, own), _mean(lead, *ahead)


def lead_gains(of: Course, to: Course, seat: Seat) -> list[Estimate]:
    """Return the difference in the lead of a seat by simulations to the end, and by those to the horizon, if any."""
    found = [difference([end.lead(seat) for end in of.ends], [end.lead(seat) for end in to.ends])]
    return found + ([difference(leads(of, seat), leads(to, seat))] if of.expected else [])


def contradicted(of: Course, to: Course, seat: Seat) -> bool:
    """Return whether one kind of simulations by itself clearly says that the seat leads less by the first course."""
    return any(part.mean < -part.half for part in lead_gains(of, to, seat))


def leads(course: Course, seat: Seat) -> list[float]:
    """Return the leads of a seat to expect at the horizon."""
    return [value.lead(vp, seat) for vp in course.expected]


def _mean(end: Estimate, ahead: Estimate) -> Estimate:
    """Return the mean of independent estimates to the end and to the horizon, which counts `trust` times."""
    mean, half = end.mean + HORIZON.trust * ahead.mean, hypot(end.half, HORIZON.trust * ahead.half)
    return Estimate(mean / (1.0 + HORIZON.trust), half / (1.0 + HORIZON.trust))


def _quantile(freedom: int) -> float:
    """Return about the 97.5 % quantile of Student's t (Cornish and Fisher); from 3 degrees of freedom within 4 %."""
    z = INTERVAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
