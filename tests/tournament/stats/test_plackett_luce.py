"""Ratings: the likelihood by definition, its derivatives, and the result of the fit."""

from itertools import pairwise, permutations
from math import exp, log10, prod
from math import log as logarithm

import numpy as np
import pytest

from tests.support.tournament.simulated_leagues import World, league, name, result, schedule
from vinci_ratings import plackett_luce
from vinci_tournament.results.result import Result
from vinci_tournament.stats.bootstrap import Blocks
from vinci_tournament.stats.rating_estimates import resampled

GAMES = (
    result(0, 0, ["a", "b", "c", "d"], [1, 2, 3, 4]),
    result(0, 1, ["b", "c", "d", "a"], [1, 1, 3, 4]),
    result(1, 0, ["c", "a", "b", "d"], [1, 2, 2, 2]),
    result(1, 1, ["d", "d", "a", "a"], [3, 1, 1, 3]),
    result(2, 0, ["a", "b", "c", "d"], [1, 1, 1, 1]),
    result(2, 1, ["d", "b", "a", "c"], [4, 1, 1, 1]),
)
"""With every kind of tie, and with a bot at two seats."""


def enumerated(games: tuple[Result, ...], effects: np.ndarray) -> float:
    """Return the mean log-likelihood by definition: over all orderings consistent with the ranks."""
    bots = sorted({bot for game in games for bot in game.bots})
    likelihood = 0.0
    for game in games:
        worth = [exp(effects[bots.index(bot)] + effects[len(bots) + seat]) for seat, bot in enumerate(game.bots)]
        allowed = [
            order
            for order in permutations(range(4))
            if all(game.ranks[one] <= game.ranks[other] for one, other in pairwise(order))
        ]
        likelihood += sum(
            logarithm(
                prod(worth[seat] / sum(worth[left] for left in order[place:]) for place, seat in enumerate(order))
            )
            for order in allowed
        ) / len(allowed)
    return likelihood


def fitted(games: list[Result]) -> np.ndarray:
    """Return the effects of bots, by name, and of seats."""
    bots = tuple(sorted({bot for game in games for bot in game.bots}))
    return plackett_luce.fit(plackett_luce.design(games, bots), np.ones(len(games)))


def test_likelihood_equals_that_by_enumeration() -> None:
    """The recursion over sets of remaining seats gives the same value as enumerating all orderings."""
    data = plackett_luce.design(GAMES, ("a", "b", "c", "d"))
    for seed in range(5):
        effects = np.random.default_rng(seed).normal(size=8)
        likelihood, _, _ = plackett_luce.derivatives(data, np.ones(len(GAMES)), effects)
        assert likelihood == pytest.approx(enumerated(GAMES, effects), abs=1e-9)


def test_derivatives_match_finite_differences() -> None:
    """Gradient and curvature are compared with differences, for games with different weights."""
    data, weights = plackett_luce.design(GAMES, ("a", "b", "c", "d")), np.array([1.0, 0.0, 2.5, 1.0, 0.5, 1.0])
    effects = np.random.default_rng(1).normal(size=8)
    _, gradient, curvature = plackett_luce.derivatives(data, weights, effects)
    for number, little in enumerate(np.eye(8) * 1e-5):
        above, up, _ = plackett_luce.derivatives(data, weights, effects + little)
        below, down, _ = plackett_luce.derivatives(data, weights, effects - little)
        assert gradient[number] == pytest.approx((above - below) / 2e-5, abs=1e-6)
        assert curvature[number] == pytest.approx((down - up) / 2e-5, abs=1e-6)


def test_two_bots_by_hand() -> None:
    """Winning three games of four with changed seats is an odds ratio of three: 400 points for a factor of ten."""
    games = [
        result(block, turn, ["a", "b"] if turn == 0 else ["b", "a"], [1, 2] if (turn == 0) == (block < 75) else [2, 1])
        for block in range(100)
        for turn in range(2)
    ]
    effects = fitted(games) * plackett_luce.ELO
    assert effects == pytest.approx([200 * log10(3), -200 * log10(3), 0, 0], abs=0.1)


def test_fit_recovers_strengths_and_seats() -> None:
    """A long simulated league gives back the effects of bots and seats."""
    world = World((-0.6, -0.2, 0.0, 0.2, 0.6), (0.5, 0.1, -0.2, -0.4))
    games = league(world, schedule(world, 1500), np.random.default_rng(7))
    effects = fitted(games)
    assert effects == pytest.approx([*world.strengths, *world.seats], abs=0.06)
    assert effects[:5].sum() == pytest.approx(0, abs=1e-9)
    assert effects[5:].sum() == pytest.approx(0, abs=1e-9)


def test_bot_that_always_wins_has_a_finite_rating() -> None:
    """The ridge keeps its rating finite; the others are rated by their own games."""
    world = World((30.0, -0.5, 0.5), (0.0, 0.0, 0.0))
    games = league(world, schedule(world, 100), np.random.default_rng(3))
    effects = fitted(games) * plackett_luce.ELO
    assert {one.ranks[one.bots.index(name(0))] for one in games} == {1}
    assert 600 < effects[0] < 2000
    assert effects[2] - effects[1] == pytest.approx(plackett_luce.ELO, abs=80)


def test_groups_that_never_met_are_centred_separately() -> None:
    """Two groups that never met both have a mean of about 0."""
    games = [result(0, turn, ["a", "b"], [1, 2]) for turn in range(2)]
    games += [result(1, turn, ["c", "d"], [2, 1]) for turn in range(2)]
    effects = fitted(games)
    assert effects[0] + effects[1] == pytest.approx(0, abs=1e-6)
    assert effects[3] == pytest.approx(effects[0], abs=1e-6)


def test_one_newton_step_is_enough_for_resamples() -> None:
    """Ratings of resamples vary as if every resample was fitted to convergence."""
    world = World((-0.8, -0.3, 0.3, 0.8), (0.2, 0.0, -0.2), seat_luck=0.5)
    games = league(world, schedule(world, 40), np.random.default_rng(2))
    bots = tuple(map(name, range(4)))
    whole, blocks = plackett_luce.design(games, bots), Blocks(games, 200)
    best = plackett_luce.fit(whole, np.ones(len(games)))
    stepped = resampled(whole, blocks.columns(games), blocks, best)
    whole_way = np.array([plackett_luce.fit(whole, np.repeat(weights, 3)) for weights in blocks.weights()])
    assert stepped.std(axis=0) == pytest.approx(whole_way.std(axis=0), rel=0.05)
