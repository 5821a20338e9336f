"""Attacks of leagues that were never played: counts around what attacker, victim, seats and the luck of a block give."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tests.support.tournament.simulated_leagues import rotations
from vinci_tournament.definition.combinations import choices
from vinci_tournament.stats.bootstrap import Integers

SEATS = 4
BY_DISTANCE = np.array([0.0, 3.2, 3.8, 4.6])
"""Provinces that a seat takes in a game from the one so many seats after it."""


@dataclass(frozen=True, slots=True)
class Bots:
    """Bots of a league, by place.

    Attributes:
        attacking: how often each attacks, as a multiple.
        strengths: VP of each in units of their standard deviation in a game.
        after_best: how much more each attacks who has more VP, as a logarithm by unit.
        luck: standard deviation of the logarithm of attacks of a seat in a block, and again in a game.
    """

    attacking: tuple[float, ...]
    strengths: tuple[float, ...]
    after_best: tuple[float, ...]
    luck: float = 0.3


class Simulated(NamedTuple):
    """Arguments of `mutual_attacks`."""

    line_ups: Integers
    attacks: Integers
    columns: Integers
    bots: tuple[str, ...]


def simulated(
    bots: Bots, blocks: int, chance: np.random.Generator, pairs: Sequence[tuple[int, int]] = (), times: float = 1.0
) -> Simulated:
    """Simulate a league in which these pairs attack each other so many times as often as others."""
    number = len(bots.attacking)
    factors = np.ones((number, number))
    for one, other in pairs:
        factors[one, other] = factors[other, one] = times
    line_ups = np.array(
        [
            order
            for block, chosen in enumerate(choices(number, SEATS, blocks))
            for order in rotations([int(bot) for bot in chance.permutation(chosen)], block)
        ]
    )
    columns = np.repeat(np.arange(blocks), SEATS)
    score = np.array(bots.strengths)[line_ups] + chance.normal(size=line_ups.shape)
    by_block = chance.normal(0, bots.luck, (blocks, number))[columns[:, None], line_ups]
    rate = np.array(bots.attacking)[line_ups] * np.exp(by_block + chance.normal(0, bots.luck, line_ups.shape))
    after_best = np.array(bots.after_best)[line_ups]
    distance = np.array([[(other - seat) % SEATS for other in range(SEATS)] for seat in range(SEATS)])
    mean = rate[:, :, None] * BY_DISTANCE[distance] * np.exp(after_best[:, :, None] * score[:, None, :])
    # Those spared are made up for: a seat attacks as often in all.
    spared = mean * factors[line_ups[:, :, None], line_ups[:, None, :]]
    spared *= mean.sum(axis=2, keepdims=True) / np.maximum(spared.sum(axis=2, keepdims=True), 1e-9)
    return Simulated(line_ups, chance.poisson(spared), columns, tuple(f"bot{bot}" for bot in range(number)))
