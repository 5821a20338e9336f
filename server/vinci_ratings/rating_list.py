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
PROVISIONAL_REACH: Final = 200
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
    provisional = _far(known, players, np.array([number[player] for player in players])) > PROVISIONAL_REACH
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


def _far(games: Sequence[Game], players: Sequence[str], weights: Array) -> Array:
    """Return the median of the reach, in points, of the differences between each player and the others, by weight.

    It is the reach expected if all were equal and seats had no effects. So results do not matter: who always wins is
    not far from everybody. Nor do seats, which cannot be told from players where one person always has the first one.
    """
    size, number = len(players), {player: place for place, player in enumerate(players)}
    curvature = RIDGE * np.eye(size)
    for seats in {len(game.bots) for game in games}:
        line_ups = np.array([[number[bot] for bot in game.bots] for game in games if len(game.bots) == seats])
        met = np.bincount((line_ups[:, :, None] * size + line_ups[:, None, :]).ravel(), minlength=size * size)
        taken = np.bincount(line_ups.ravel(), minlength=size)
        # Each of m seats gets a place with probability 1/m: the trace of the curvature is 1 - 1/m, summed over places.
        information = sum(1 - 1 / left for left in range(2, seats + 1)) / (seats - 1)
        curvature += information * (np.diag(taken) - met.reshape(size, size) / seats)
    covariance = np.linalg.inv(curvature)
    variance = covariance.diagonal()
    apart = variance[:, None] + variance - 2 * covariance
    np.fill_diagonal(apart, np.inf)
    order = apart.argsort(axis=1)
    is_half = weights[order].cumsum(axis=1) >= (weights.sum() - weights)[:, None] / 2
    median = apart[np.arange(size), order[np.arange(size), is_half.argmax(axis=1)]]
    return np.asarray(REACH * ELO * np.sqrt(median))
