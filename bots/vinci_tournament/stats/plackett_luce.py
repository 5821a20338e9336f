"""Ratings: the Plackett-Luce model with what a bot and what a seat is worth, fitted to all games at once.

The places of a game are given away one by one, the first one first; each time, who gets it is drawn among those left,
with a chance that grows with `exp(bot + seat)`. See docs/tournaments.md, Method.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, log
from typing import Final

import numpy as np

from ..results.result import Result
from .bootstrap import Array, Blocks

ELO: Final = 400 / log(10)
"""Points of rating for one unit of the model: with 400 more, a bot is ahead ten times as often as not."""

RIDGE: Final = 0.01
"""Pulls every effect to 0, as if each came from a normal distribution that is 10 units (1737 points) wide."""

LONGEST_STEP: Final = 1 / 6
"""No effect changes by more in one step: curvature then changes by less than 2, and no step overshoots."""

CLOSE: Final = 1e-4
"""After a last step as short as this, the error is about its square, which is far below what is shown."""

MOST_STEPS: Final = 500
HALVINGS: Final = 50


def left_over(ranks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
    """The sets of seats among which a place is given away, each with its share of the orderings that ties allow.

    All orders of those who are tied count alike. A set of one decides nothing and is left out.
    """
    for rank in sorted(set(ranks)):
        tied = [seat for seat, one in enumerate(ranks) if one == rank]
        behind = tuple(seat for seat, one in enumerate(ranks) if one > rank)
        for size in range(1, len(tied) + 1):
            if size + len(behind) > 1:
                yield from ((few + behind, 1 / comb(len(tied), size)) for few in combinations(tied, size))


@lru_cache(maxsize=4096)
def _stages(ranks: tuple[int, ...]) -> tuple[Array, Array]:
    """`left_over` as arrays: who is left, [sets, seats] of 0 and 1; shares."""
    found = list(left_over(ranks))
    left = np.zeros((len(found), len(ranks)))
    for row, (seats, _) in enumerate(found):
        left[row, list(seats)] = 1
    return left, np.array([share for _, share in found])


@dataclass(frozen=True, slots=True)
class Design:
    """Results as arrays for the fit. Effects are those of the bots, by name, and then those of the seats.

    A stage is a set of seats among which a place is given away: `game` says of which game, `left` who is in it
    [stages, seats], `share` how much it counts, `effects` what each seat's chance is made of [stages, seats, effects].
    `given` counts for each game the effects of all who were given a place [games, effects].
    """

    bots: tuple[str, ...]
    game: np.ndarray[tuple[int], np.dtype[np.intp]]
    left: Array
    share: Array
    effects: Array
    given: Array


def design(results: Sequence[Result], bots: tuple[str, ...]) -> Design:
    """The arrays for some results among these bots, at least one result, all with as many seats."""
    number = {bot: place for place, bot in enumerate(bots)}
    seats = len(results[0].bots)
    lineups = np.array([[number[bot] for bot in result.bots] for result in results])
    units = np.eye(len(bots) + seats)
    made_of = units[lineups] + units[len(bots) + np.arange(seats)]
    stages = [_stages(result.ranks) for result in results]
    game = np.repeat(np.arange(len(results)), [len(share) for _, share in stages])
    left = np.concatenate([left for left, _ in stages])
    share = np.concatenate([share for _, share in stages])
    # Over all orderings everybody is given a place, but whoever is left alone is not chosen.
    given = np.zeros((len(results), units.shape[0]))
    for place, result in enumerate(results):
        last = [seat for seat, rank in enumerate(result.ranks) if rank == max(result.ranks)]
        parts = np.ones(seats)
        parts[last] -= 1 / len(last)
        given[place] = parts @ made_of[place]
    return Design(bots, game, left, share, made_of[game], given)


def derivatives(data: Design, weights: Array, effects: Array) -> tuple[float, Array, Array]:
    """The logarithm of the likelihood, its gradient, and its curvature, turned positive.

    `weights` says how much each game counts.
    """
    counted = weights[data.game] * data.share
    flat = data.effects.reshape(-1, len(effects))
    chances = np.exp(flat @ effects).reshape(data.left.shape) * data.left
    total = chances.sum(axis=1)
    chances /= total[:, None]
    expected = np.einsum("sn,snk->sk", chances, data.effects)
    curvature = flat.T @ (flat * (counted[:, None] * chances).reshape(-1, 1))
    curvature -= expected.T @ (expected * counted[:, None])
    given = weights @ data.given
    return float(given @ effects - counted @ np.log(total)), given - counted @ expected, curvature


def fit(data: Design, weights: Array) -> Array:
    """The effects that make the results most likely, by Newton's method.

    The ridge makes them finite and their sum 0, for bots and for seats. Raises ArithmeticError if no end is found.
    """
    effects = np.zeros(data.given.shape[1])
    bots = len(data.bots)
    for _ in range(MOST_STEPS):
        _, gradient, curvature = derivatives(data, weights, effects)
        step = np.linalg.solve(curvature + RIDGE * np.eye(len(effects)), gradient - RIDGE * effects)
        # Only the ridge holds the sums, and so loosely that rounding would move them.
        step[:bots] -= step[:bots].mean()
        step[bots:] -= step[bots:].mean()
        longest = float(np.abs(step).max())
        effects += step * min(1.0, LONGEST_STEP / longest) if longest else 0.0
        if longest < CLOSE:
            return effects
    raise ArithmeticError("the fit of ratings found no end")


def resampled(parts: Sequence[Design], blocks: Blocks, best: Array) -> Array:
    """The effects in every resample [resamples, effects]: one step of Newton's method from the best ones of all.

    `parts` are the games of each block. A step is as good as the whole way, and cannot run off where a resample has
    only wins of a bot.
    """
    found = [derivatives(part, np.ones(len(part.given)), best) for part in parts]
    gradients = np.array([gradient for _, gradient, _ in found])
    curvatures = np.array([curvature.ravel() for _, _, curvature in found])
    size = len(best)
    downhill = blocks.weights @ gradients - RIDGE * best
    bent = (blocks.weights @ curvatures).reshape(-1, size, size) + RIDGE * np.eye(size)
    steps: Array = np.linalg.solve(bent, downhill[:, :, None])[:, :, 0]
    return best + steps


def centre(bots: Array) -> Array:
    """Return the effect of a bot that would be ahead of the bots of a field as often as behind, [..., bots] to [...].

    It is the mean of bots of about the same strength. One that is far above or below all others moves it no further.
    """
    low, high = bots.min(axis=-1), bots.max(axis=-1)
    for _ in range(HALVINGS):
        middle: Array = (low + high) / 2
        rises = np.tanh((bots - middle[..., None]) / 2).sum(axis=-1) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return middle
