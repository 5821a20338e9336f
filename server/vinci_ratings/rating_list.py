"""Ratings of all players of a server, with intervals, from its games."""

from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from .plackett_luce import ELO, RIDGE, Array, Design, Integers, centre, derivatives, design, fit

MOST_RATED: Final = 2000
"""Players that are rated, those with the most games: the time grows with the third power. Others count as one."""
OTHERS: Final = ""
REACH: Final = NormalDist().inv_cdf(0.975)
"""Standard deviations to each end of an interval of 95 %."""
PROVISIONAL_REACH: Final = 250
"""Points to each side that the difference to most others is unknown, above which a rating is provisional."""


class Game(NamedTuple):
    """A finished game: the player at each seat and the ranks; seats that tie have the same."""

    bots: Sequence[str]
    ranks: Sequence[int]


class Rating(NamedTuple):
    """A rating in Elo points, 0 in the middle of all players, and the ends of its interval of 95 %.

    It is provisional while games that say something about the player are few, whatever their results.
    """

    value: float
    low: float
    high: float
    is_provisional: bool


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
    provisional = _far(data, weights, np.array([number[player] for player in players])) > PROVISIONAL_REACH
    points = np.round(
        np.stack((strengths - middle, strengths - middle - reaches, strengths - middle + reaches)) * ELO, 1
    )
    return {
        player: Rating(value, low, high, is_provisional)
        for player, value, low, high, is_provisional in zip(
            players, *points.tolist(), provisional.tolist(), strict=True
        )
        if player != OTHERS
    }


def _far(data: Design, weights: Array, games: Integers) -> Array:
    """Return the median of the reach, in points, of the differences between each player and the others, by their games.

    All players are taken for equal: results do not matter, so that who always wins is not far from everybody. Seats
    have no effects: they cannot be told from players where one always has the first one.
    """
    size = len(data.bots)
    _, _, curvature = derivatives(data, weights, np.zeros(data.effects))
    covariance = np.linalg.inv(curvature[:size, :size] + RIDGE * np.eye(size))
    variance = covariance.diagonal()
    apart = variance[:, None] + variance - 2 * covariance
    np.fill_diagonal(apart, np.inf)
    order = apart.argsort(axis=1)
    is_half = games[order].cumsum(axis=1) >= (games.sum() - games)[:, None] / 2
    median = apart[np.arange(size), order[np.arange(size), is_half.argmax(axis=1)]]
    return np.asarray(REACH * ELO * np.sqrt(median))
