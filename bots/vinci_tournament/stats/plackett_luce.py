"""Plackett-Luce model with effects of bots and seats, fitted to all games at once by penalized maximum likelihood.

The places of a game are assigned in order; each goes to one of the remaining seats with a probability proportional to
`exp(bot + seat)`. Ties average over the orderings that they allow. See docs/tournaments.md, Method.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, log
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..results.result import Result
from .bootstrap import Array, Blocks, Integers

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
def _stages(ranks: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Return `left_over` as arrays, membership [sets, seats] of 0 and 1 and weights [sets], and `Design.placed`."""
    sets = list(left_over(ranks))
    left = np.zeros((len(sets), len(ranks)))
    for row, (seats, _) in enumerate(sets):
        left[row, list(seats)] = 1
    placed, last = np.ones(len(ranks)), [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    placed[last] -= 1 / len(last)
    return left, np.array([share for _, share in sets]), placed


@dataclass(frozen=True, slots=True)
class Design:
    """Results as arrays for the fit. Effects are those of the bots, by name, then those of the seats.

    A stage is a choice set of a game (see `left_over`).

    Attributes:
        bots: names of the bots.
        line_ups: number of the bot at each seat [games, seats].
        placed: how often each seat is chosen; the last one of an ordering is not [games, seats].
        first: first stage of each game [games].
        game: game of each stage, in ascending order [stages].
        left: membership of the seats in each stage, 0 or 1 [stages, seats].
        share: weight of each stage [stages].
    """

    bots: tuple[str, ...]
    line_ups: Integers
    placed: Array
    first: Integers
    game: Integers
    left: Array
    share: Array


def design(results: Sequence[Result], bots: tuple[str, ...]) -> Design:
    """Return the arrays for results among these bots: at least one, all with the same number of seats."""
    number = {bot: place for place, bot in enumerate(bots)}
    line_ups = np.array([[number[bot] for bot in result.bots] for result in results])
    stages = [_stages(result.ranks) for result in results]
    sizes = np.array([len(share) for _, share, _ in stages])
    return Design(
        bots,
        line_ups,
        np.array([placed for _, _, placed in stages]),
        np.cumsum(sizes) - sizes,
        np.repeat(np.arange(len(results)), sizes),
        np.concatenate([left for left, _, _ in stages]),
        np.concatenate([share for _, share, _ in stages]),
    )


class _Slopes(NamedTuple):
    """Derivatives of the log-likelihood of each game by the worth of its seats.

    Attributes:
        value: log-likelihood [games].
        gradient: [games, seats].
        curvature: negative Hessian [games, seats, seats].
    """

    value: Array
    gradient: Array
    curvature: Array


def _slopes(data: Design, effects: Array) -> _Slopes:
    """Return the derivatives of every game by the worth of its seats, at some effects."""
    worth = effects[data.line_ups] + effects[len(data.bots) :]
    chances = np.exp(worth)[data.game] * data.left
    total = chances.sum(axis=1)
    chances /= total[:, None]
    chosen = chances * data.share[:, None]
    expected = np.add.reduceat(chosen, data.first, axis=0)
    curvature = -np.add.reduceat(chosen[:, :, None] * chances[:, None, :], data.first, axis=0)
    seats = np.arange(worth.shape[1])
    curvature[:, seats, seats] += expected
    value = (data.placed * worth).sum(axis=1) - np.add.reduceat(data.share * np.log(total), data.first)
    return _Slopes(value, data.placed - expected, curvature)


def derivatives(data: Design, weights: Array, effects: Array) -> tuple[float, Array, Array]:
    """Return the log-likelihood at some effects, its gradient [effects], and its negative Hessian [effects, effects].

    `weights` are those of the games [games].
    """
    slopes = _slopes(data, effects)
    gradient, curvature = _summed(
        data.line_ups,
        slopes.gradient * weights[:, None],
        slopes.curvature * weights[:, None, None],
        np.zeros(len(weights), dtype=np.int64),
        (1, len(data.bots)),
    )
    return float(weights @ slopes.value), gradient[0], curvature[0]


def _summed(
    line_ups: Integers, gradient: Array, curvature: Array, block: Integers, shape: tuple[int, int]
) -> tuple[Array, Array]:
    """Sum derivatives by the worth of seats into those by effects, for each block.

    `shape` is the number of blocks and of bots. Returns the gradients [blocks, effects] and curvatures [blocks,
    effects, effects].
    """
    blocks, bots = shape
    seats = line_ups.shape[1]
    size = bots + seats
    each_seat = np.broadcast_to(np.arange(bots, size), line_ups.shape)
    gradients, curvatures = np.zeros(blocks * size), np.zeros(blocks * size * size)
    for one in (line_ups, each_seat):
        gradients += np.bincount((block[:, None] * size + one).ravel(), gradient.ravel(), blocks * size)
        for other in (line_ups, each_seat):
            cells = (block[:, None, None] * size + one[:, :, None]) * size + other[:, None, :]
            curvatures += np.bincount(cells.ravel(), curvature.ravel(), blocks * size * size)
    return gradients.reshape(blocks, size), curvatures.reshape(blocks, size, size)


def fit(data: Design, weights: Array, start: Array | None = None) -> Array:
    """Return the penalized maximum-likelihood estimate of the effects [effects], by Newton's method.

    `weights` are those of the games [games]; `start` are effects to begin with, by default 0. The ridge penalty makes
    the estimate finite. The effects of bots have a sum of 0, and so have those of seats. Raises ArithmeticError if the
    method does not converge.
    """
    bots = len(data.bots)
    effects = np.zeros(bots + data.left.shape[1]) if start is None else start.copy()
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


def resampled(data: Design, columns: Integers, blocks: Blocks, best: Array) -> Array:
    """Return the effects in every resample [resamples, effects]: one Newton step from `best`, that of all games.

    One step is asymptotically equivalent to a full fit (Davidson and MacKinnon 1999), and stays finite for a resample
    in which a bot always wins. `columns` are those of the blocks of the games, in ascending order [games].
    """
    slopes, size = _slopes(data, best), len(best)
    downhill: NDArray[np.floating[Any]] = np.tile(-RIDGE * best, (blocks.resamples, 1))
    bent = np.zeros((blocks.resamples, size * size))
    for chunk in blocks.chunks(size * size):
        games = slice(*np.searchsorted(columns, (chunk.start, chunk.stop)))
        gradients, curvatures = _summed(
            data.line_ups[games],
            slopes.gradient[games],
            slopes.curvature[games],
            columns[games] - chunk.start,
            (chunk.stop - chunk.start, len(data.bots)),
        )
        weights = blocks.weights(chunk)
        downhill += weights @ gradients
        bent += weights @ curvatures.reshape(len(curvatures), -1)
    curvature = bent.reshape(-1, size, size) + RIDGE * np.eye(size)
    steps: Array = np.linalg.solve(curvature, downhill[:, :, None])[:, :, 0]
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
