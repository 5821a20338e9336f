"""Ratings of all players of a server, with intervals, from its games."""

from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from .plackett_luce import ELO, RIDGE, Array, centre, derivatives, design, fit

MOST_RATED: Final = 2000
"""Players that are rated, those with the most games: the time grows with the third power. Others count as one."""
OTHERS: Final = ""
REACH: Final = NormalDist().inv_cdf(0.975)
"""Standard deviations to each end of an interval of 95 %."""


class Game(NamedTuple):
    """A finished game: the player at each seat and the ranks; seats that tie have the same."""

    bots: Sequence[str]
    ranks: Sequence[int]


class Rating(NamedTuple):
    """A rating in Elo points, 0 in the middle of all players, and the ends of its interval of 95 %."""

    value: float
    low: float
    high: float


def ratings(games: Sequence[Game]) -> dict[str, Rating]:
    """Return the rating of each player, as a league rates bots. Raises ArithmeticError if that does not converge.

    Games of a server share no openings, unlike those of a league, so the interval comes from the curvature of the
    likelihood. The ridge penalty is in it: it is wide, and not infinite, for players who have always won.
    """
    if not games:
        return {}
    number = Counter(player for game in games for player in set(game.bots))
    rated = {player for player, _ in number.most_common(MOST_RATED)}
    known = [Game([player if player in rated else OTHERS for player in game.bots], game.ranks) for game in games]
    players = tuple(sorted({player for game in known for player in game.bots}))
    data, weights = design(known, players), np.ones(len(known))
    best = fit(data, weights)
    _, _, curvature = derivatives(data, weights, best)
    covariance = np.linalg.inv(curvature + RIDGE * np.eye(data.effects))[: len(players), : len(players)]
    strengths = best[: len(players)]
    middle = centre(strengths)
    pull = 1 / np.cosh((strengths - middle) / 2) ** 2
    from_middle: Array = np.eye(len(players)) - pull / pull.sum()
    reaches = REACH * np.sqrt(((from_middle @ covariance) * from_middle).sum(axis=1))
    return {
        player: Rating(*(round(float(end * ELO), 1) for end in (value, value - reach, value + reach)))
        for player, value, reach in zip(players, strengths - middle, reaches, strict=True)
        if player != OTHERS
    }
