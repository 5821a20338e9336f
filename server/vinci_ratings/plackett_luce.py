"""Plackett-Luce model with effects of bots and seats, fitted to all games at once by penalized maximum likelihood.

The places of a game are assigned in order; each goes to one of the remaining seats with a probability proportional to
`exp(bot + seat)`. Ties average over the orderings that they allow. Games with different numbers of seats have
effects of seats of their own. See docs/league-method.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, log
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

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
ALL: Final = slice(None)


class Ranked(Protocol):
    """A finished game: who sat where, and the rank of each seat."""

    @property
    def bots(self) -> Sequence[str]:
        """The name of the bot, or of another player, at each seat."""

    @property
    def ranks(self) -> Sequence[int]:
        """The rank of each seat, from 1; seats that tie have the same."""


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
        line_ups: number of the bot at each seat; any for seats that a game has not [games, seats].
        seats: number of the effect of each seat, likewise [games, seats].
        effects: number of effects.
        placed: how often each seat is chosen; the last one of an ordering is not [games, seats].
        first: first stage of each game [games].
        game: game of each stage, in ascending order [stages].
        left: membership of the seats in each stage, 0 or 1 [stages, seats].
        share: weight of each stage [stages].
    """

    bots: tuple[str, ...]
    line_ups: Integers
    seats: Integers
    effects: int
    placed: Array
    first: Integers
    game: Integers
    left: Array
    share: Array


def design(results: Sequence[Ranked], bots: tuple[str, ...]) -> Design:
    """Return the arrays for results, at least one, among these bots."""
    number = {bot: place for place, bot in enumerate(bots)}
    most, first_effect, effects = 0, {}, len(bots)
    for most in sorted({len(result.ranks) for result in results}):
        first_effect[most] = effects
        effects += most
    ranks = [tuple(result.ranks) for result in results]
    kinds = {each: kind for kind, each in enumerate(dict.fromkeys(ranks))}  # thousands of games share one of these
    kind, stages = np.array([kinds[each] for each in ranks]), [_stages(each) for each in kinds]
    of_kind = np.array([len(share) for _, share, _ in stages])
    sizes = of_kind[kind]
    first = np.cumsum(sizes) - sizes
    stage = np.arange(sizes.sum()) + np.repeat((np.cumsum(of_kind) - of_kind)[kind] - first, sizes)
    return Design(
        bots,
        np.array([[number[bot] for bot in result.bots] + [0] * (most - len(result.bots)) for result in results]),
        np.array([np.minimum(first_effect[len(each)] + np.arange(most), effects - 1) for each in kinds])[kind],
        effects,
        np.array([_padded(placed, most) for _, _, placed in stages])[kind],
        first,
        np.repeat(np.arange(len(results)), sizes),
        np.concatenate([_padded(left, most) for left, _, _ in stages])[stage],
        np.concatenate([share for _, share, _ in stages])[stage],
    )


def _padded(values: ArrayLike, most: int) -> NDArray[Any]:
    """Return the values of seats with zeros for those that other games have beyond."""
    array = np.asarray(values)
    missing = most - array.shape[-1]
    return np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, missing)]) if missing else array


class Slopes(NamedTuple):
    """Derivatives of the log-likelihood of each game by the worth of its seats.

    Attributes:
        value: log-likelihood [games].
        gradient: [games, seats].
        curvature: negative Hessian [games, seats, seats].
    """

    value: Array
    gradient: Array
    curvature: Array


def slopes_of(data: Design, effects: Array) -> Slopes:
    """Return the derivatives of every game by the worth of its seats, at some effects."""
    worth = effects[data.line_ups] + effects[data.seats]
    chances = np.exp(worth)[data.game] * data.left
    total = chances.sum(axis=1)
    chances /= total[:, None]
    chosen = chances * data.share[:, None]
    expected = np.add.reduceat(chosen, data.first, axis=0)
    curvature = -np.add.reduceat(chosen[:, :, None] * chances[:, None, :], data.first, axis=0)
    seats = np.arange(worth.shape[1])
    curvature[:, seats, seats] += expected
    value = (data.placed * worth).sum(axis=1) - np.add.reduceat(data.share * np.log(total), data.first)
    return Slopes(value, data.placed - expected, curvature)


def derivatives(data: Design, weights: Array, effects: Array) -> tuple[float, Array, Array]:
    """Return the log-likelihood at some effects, its gradient [effects], and its negative Hessian [effects, effects].

    `weights` are those of the games [games].
    """
    slopes = slopes_of(data, effects)
    gradient, curvature = summed(
        data,
        ALL,
        slopes.gradient * weights[:, None],
        slopes.curvature * weights[:, None, None],
        np.zeros(len(weights), dtype=np.int64),
    )
    return float(weights @ slopes.value), gradient[0], curvature[0]


def summed(
    data: Design, games: slice, gradient: Array, curvature: Array, block: Integers, blocks: int = 1
) -> tuple[Array, Array]:
    """Sum derivatives of some games by the worth of seats into those by effects, for each of the blocks.

    `block` is that of each game. Returns the gradients [blocks, effects] and curvatures [blocks, effects, effects].
    """
    size, both = data.effects, (data.line_ups[games], data.seats[games])
    gradients, curvatures = np.zeros(blocks * size), np.zeros(blocks * size * size)
    for one in both:
        gradients += np.bincount((block[:, None] * size + one).ravel(), gradient.ravel(), blocks * size)
        for other in both:
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
    effects = np.zeros(data.effects) if start is None else start.copy()
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
