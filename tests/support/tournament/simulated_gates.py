"""Simulated gates, many at a time: block scores of a new bot against copies of a base."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vinci_ratings.plackett_luce import ELO
from vinci_tournament.definition.league import Score, Stopping
from vinci_tournament.stats.bootstrap import Array
from vinci_tournament.stats.sequential_tests import bounds, gate

SEATS: Final = np.array([0.3, 0.1, -0.1, -0.3])


@dataclass(frozen=True, slots=True)
class Gates:
    """Percentages of simulated gates that passed and failed, and their mean number of games."""

    passed: float
    failed: float
    games: float


def simulated(points: float, gates: int, stop: Stopping, games: int = 2000, luck: float = 0.0) -> Gates:
    """Simulate gates of a bot that is that many points above its base, at four seats, with a maximum of games. `luck` is the share of luck that a seat has in all games of a block.

    `luck` is the share of luck that a seat has in all games of a block.
    """
    chance, decides = np.random.default_rng([gates, games, round(points) + 1000]), bounds(stop, 4)
    ended = Counter[str]()
    played = 0
    for _ in range(gates):
        scores = blocks(points / ELO, games // 4, stop.score, chance, luck)
        verdict = gate(scores, decides, stop.alpha, stop.beta)
        ended[verdict.outcome] += 1
        played += 4 * verdict.blocks
    return Gates(100 * ended["pass"] / gates, 100 * ended["fail"] / gates, played / gates)


def blocks(strength: float, number: int, score: Score, chance: np.random.Generator, luck: float) -> Sequence[float]:
    """Return the mean score of the new bot in each block, in which it has every seat once."""
    shared = chance.normal(size=(number, 1, 4))
    own = chance.normal(size=(number, 4, 4))
    worth = SEATS + gumbel(luck**0.5 * shared + (1 - luck) ** 0.5 * own) + strength * np.eye(4)
    mine = worth[:, np.arange(4), np.arange(4)][:, :, None]
    ahead = (mine > worth).sum(axis=2)
    result: Array = (ahead == 3).mean(axis=1) if score == "wins" else ahead.mean(axis=1) / 3
    return [float(share) for share in result]


def gumbel(normal: Array) -> Array:
    """Transform normal draws to a Gumbel distribution, by their quantiles, within 1e-7."""
    scaled = np.abs(normal) / 2**0.5
    t = 1 / (1 + 0.3275911 * scaled)
    series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    tail = series * np.exp(-(scaled**2)) / 2
    below = np.clip(np.where(normal > 0, 1 - tail, tail), 1e-12, 1 - 1e-12)
    result: Array = -np.log(-np.log(below))
    return result
