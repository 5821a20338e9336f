"""Plackett-Luce model with effects of bots and seats, fitted to all games at once by penalized maximum likelihood.

The places of a game are assigned in order; each goes to one of the remaining seats with a probability proportional to
`exp(bot + seat)`. Ties average over the orderings that they allow. See docs/tournaments.md, Method.
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
"""Elo points per unit of the model: 400 points are odds of 10 to 1."""

RIDGE: Final = 0.01
"""Ridge penalty: a normal prior with a standard deviation of 10 units (1737 points) for every effect."""

LONGEST_STEP: Final = 1 / 6
"""Maximum change of an effect in a step: the curvature then changes by a factor below 2, so no step overshoots."""

CLOSE: Final = 1e-4
"""Length of the last step; the remaining error is about its square."""

MOST_STEPS: Final = 500
HALVINGS: Final = 50


def left_over(ranks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the choice sets of a game: sets of seats, one of which gets the next place.

    Each has its weight, the share of the orderings allowed by ties in which it occurs. Sets of one seat are left out.
    """
    for rank in sorted(set(ranks)):
        tied = [seat for seat, seat_rank in enumerate(ranks) if seat_rank == rank]
        behind = tuple(seat for seat, seat_rank in enumerate(ranks) if seat_rank > rank)
        for size in range(1, len(tied) + 1):
            if size + len(behind) > 1:
                yield from ((few + behind, 1 / comb(len(tied), size)) for few in combinations(tied, size))


@lru_cache(maxsize=4096)
def _stages(ranks: tuple[int, ...]) -> tuple[Array, Array]:
    """Return `left_over` as arrays: membership [sets, seats] of 0 and 1, and weights [sets]."""
    sets = list(left_over(ranks))
    left = np.zeros((len(sets), len(ranks)))
    for row, (seats, _) in enumerate(sets):
        left[row, list(seats)] = 1
    return left, np.array([share for _, share in sets])


@dataclass(frozen=True, slots=True)
class Design:
    """Results as arrays for the fit. Effects are those of the bots, by name, then those of the seats.

    A stage is a choice set of a game (see `left_over`).

    Attributes:
        bots: names of the bots.
        game: index of the game of each stage [stages].
        left: membership of the seats in each stage, 0 or 1 [stages, seats].
        share: weight of each stage [stages].
        effects: design matrix of each seat [stages, seats, effects].
        given: expected number of chosen effects of each game [games, effects].
    """

    bots: tuple[str, ...]
    game: np.ndarray[tuple[int], np.dtype[np.intp]]
    left: Array
    share: Array
    effects: Array
    given: Array


def design(results: Sequence[Result], bots: tuple[str, ...]) -> Design:
    """Return the arrays for results among these bots: at least one, all with the same number of seats."""
    number = {bot: place for place, bot in enumerate(bots)}
    seats = len(results[0].bots)
    lineups = np.array([[number[bot] for bot in result.bots] for result in results])
    units = np.eye(len(bots) + seats)
    made_of = units[lineups] + units[len(bots) + np.arange(seats)]
    stages = [_stages(result.ranks) for result in results]
    game = np.repeat(np.arange(len(results)), [len(share) for _, share in stages])
    left = np.concatenate([left for left, _ in stages])
    share = np.concatenate([share for _, share in stages])
    # Every seat gets a place, but the last seat of an ordering is not chosen.
    given = np.zeros((len(results), units.shape[0]))
    for place, result in enumerate(results):
        last = [seat for seat, rank in enumerate(result.ranks) if rank == max(result.ranks)]
        parts = np.ones(seats)
        parts[last] -= 1 / len(last)
        given[place] = parts @ made_of[place]
    return Design(bots, game, left, share, made_of[game], given)


def derivatives(data: Design, weights: Array, effects: Array) -> tuple[float, Array, Array]:
    """Return the log-likelihood at some effects, its gradient [effects], and its negative Hessian [effects, effects].

    `weights` are those of the games [games].
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
    """Return the penalized maximum-likelihood estimate of the effects [effects], by Newton's method.

    `weights` are those of the games [games]. The ridge penalty makes the estimate finite. The effects of bots have a
    sum of 0, and so have those of seats. Raises ArithmeticError if the method does not converge.
    """
    effects = np.zeros(data.given.shape[1])
    bots = len(data.bots)
    for _ in range(MOST_STEPS):
        _, gradient, curvature = derivatives(data, weights, effects)
        step = np.linalg.solve(curvature + RIDGE * np.eye(len(effects)), gradient - RIDGE * effects)
        # The ridge alone determines the sums, so weakly that rounding errors would accumulate.
        step[:bots] -= step[:bots].mean()
        step[bots:] -= step[bots:].mean()
        longest = float(np.abs(step).max())
        effects += step * min(1.0, LONGEST_STEP / longest) if longest else 0.0
        if longest < CLOSE:
            return effects
    raise ArithmeticError("the fit of ratings did not converge")


def resampled(parts: Sequence[Design], blocks: Blocks, best: Array) -> Array:
    """Return the effects in every resample [resamples, effects]: one Newton step from `best`, that of all games.

    One step is asymptotically equivalent to a full fit (Davidson and MacKinnon 1999), and stays finite for a resample
    in which a bot always wins. `parts` are the games of each block.
    """
    by_block = [derivatives(part, np.ones(len(part.given)), best) for part in parts]
    gradients = np.array([gradient for _, gradient, _ in by_block])
    curvatures = np.array([curvature.ravel() for _, _, curvature in by_block])
    size = len(best)
    downhill = blocks.weights @ gradients - RIDGE * best
    bent = (blocks.weights @ curvatures).reshape(-1, size, size) + RIDGE * np.eye(size)
    steps: Array = np.linalg.solve(bent, downhill[:, :, None])[:, :, 0]
    return best + steps


def centre(bots: Array) -> Array:
    """Return the effect of a bot that would be ahead of a field as often as behind, [..., bots] to [...].

    For bots of similar strength it is about their mean; the influence of an outlier is bounded.
    """
    low, high = bots.min(axis=-1), bots.max(axis=-1)
    for _ in range(HALVINGS):
        middle: Array = (low + high) / 2
        rises = np.tanh((bots - middle[..., None]) / 2).sum(axis=-1) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return middle
