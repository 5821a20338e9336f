"""Bots that were never behind others: their ratings are one-sided with an exact bound, and distort no others."""

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from tests.support.tournament.simulated_leagues import World, league, name, result, schedule
from vinci_ratings.plackett_luce import ELO, centre
from vinci_tournament.results.result import Result
from vinci_tournament.stats.bootstrap import Blocks
from vinci_tournament.stats.rating_estimates import Ratings, ratings
from vinci_tournament.stats.separation import least_shift
from vinci_tournament.stats.values import DifferenceFigures


def rated(games: Sequence[Result]) -> Ratings:
    """Return ratings with 200 resamples."""
    return ratings(games, Blocks(games, 200))


def difference(ratings: Ratings, *pair: str) -> DifferenceFigures:
    """Return the difference of two bots, in either order."""
    (one,) = (one for one in ratings.differences if {one.bot, one.other} == set(pair))
    return one


def blocks_of(*orders: str) -> list[Result]:
    """Return a block for each order of bots in which all its games ended, with rotated seats."""
    return [
        result(block, turn, (bots := order[turn:] + order[:turn]), [order.index(bot) + 1 for bot in bots])
        for block, order in enumerate(orders)
        for turn in range(len(order))
    ]


def dominated(blocks: int) -> list[Result]:
    """Return games in which the first bot is always ahead of three equal ones."""
    world = World((60.0, 0.0, 0.0, 0.0), (0.2, 0.0, 0.0, -0.2))
    return league(world, schedule(world, blocks), np.random.default_rng(blocks))


def test_bot_that_wins_every_game_has_a_lower_bound_only() -> None:
    """More blocks raise the bound; intervals of longer leagues lie within those of shorter ones."""
    bounds = [rated(dominated(blocks)).bots[name(0)] for blocks in (4, 20, 100)]
    assert all(one.high == inf and one.is_open for one in bounds)
    assert 0 < bounds[0].low < bounds[1].low < bounds[2].low < inf
    assert all(one.low <= one.value for one in bounds)


def test_bot_that_loses_every_game_has_an_upper_bound_only() -> None:
    """The bound is the mirror image of that of the winner."""
    turned = [result(one.block, one.rotation, one.bots, [5 - rank for rank in one.ranks]) for one in dominated(20)]
    rated_bots = rated(turned).bots[name(0)]
    assert (rated_bots.low, rated_bots.is_open) == (-inf, True)
    assert -inf < rated_bots.high < 0


def test_bound_follows_from_the_probability_of_winning_all_blocks() -> None:
    """Against one bot, ten blocks are all won with 5 % if each is won with the tenth root of that."""
    rated_bots = rated(blocks_of(*["ab"] * 10))
    chance = 0.05**0.1
    expected = ELO * np.log(chance / (1 - chance))
    assert difference(rated_bots, "a", "b").rating.low == pytest.approx(expected, abs=0.1)
    assert rated_bots.bots["a"].low == pytest.approx(expected / 2, abs=0.1)
    assert rated_bots.bots["b"].high == pytest.approx(-expected / 2, abs=0.1)


def test_intervals_of_others_ignore_the_dominant_bot() -> None:
    """Their differences and widths are those of their own games."""
    games = dominated(30)
    others = [
        result(
            one.block,
            one.rotation,
            *zip(*((bot, rank - 1) for bot, rank in zip(one.bots, one.ranks, strict=True) if rank > 1), strict=True),
        )
        for one in games
    ]
    for pair in ((name(1), name(2)), (name(1), name(3)), (name(2), name(3))):
        within, alone = difference(rated(games), *pair).rating, difference(rated(others), *pair).rating
        assert abs(within.value) == pytest.approx(abs(alone.value), abs=25)
        assert within.high - within.low == pytest.approx(alone.high - alone.low, rel=0.25)


def test_tie_makes_bots_comparable() -> None:
    """A bot never ahead that tied once in half of the blocks can be compared, as can two bots linked by a third."""
    tied = [
        result(block, turn, ["a", "b"][:: -1 if turn else 1], [1, 1] if block % 2 else [1, 2][:: -1 if turn else 1])
        for block in range(12)
        for turn in range(2)
    ]
    assert not difference(rated(tied), "a", "b").rating.is_open
    third = blocks_of(*["ab", "bc", "ca"] * 6)
    assert not any(one.rating.is_open for one in rated(third).differences)


def test_single_defeat_leaves_the_interval_one_sided() -> None:
    """A third of all resamples lack the only block with a defeat; with eight such blocks none do."""
    once = rated(blocks_of(*["abc"] * 15, "cba"))
    assert difference(once, "a", "b").rating.high == inf
    assert np.isfinite(difference(once, "a", "b").rating.low)
    often = rated(blocks_of(*["abc"] * 24, *["cba"] * 8))
    assert not difference(often, "a", "b").rating.is_open


def test_groups_that_never_met_have_no_difference() -> None:
    """Differences exist within groups that met, not between groups that never did."""
    games = blocks_of(*["ab", "ba", "cd", "dc"] * 5)
    rated_bots = rated(games)
    assert not difference(rated_bots, "a", "c").rating.is_told
    assert difference(rated_bots, "a", "b").rating.is_told


@pytest.mark.parametrize("orders", [["abcd"], ["abcd", "efgh"], ["abcd", "abce", "abcf"]])
def test_bot_in_one_block_is_not_compared(orders: list[str]) -> None:
    """One block says nothing about the variation of blocks, whatever the other bot played."""
    games = blocks_of(*orders)
    blocks_with = {bot: {one.block for one in games if bot in one.bots} for bot in "abcdefgh"}
    for one in rated(games).differences:
        together = blocks_with[one.bot] & blocks_with[one.other]
        assert len(together) > 1 or not one.rating.is_told


def test_bound_needs_two_blocks() -> None:
    """Two blocks are the minimum."""
    meeting = [([0.0], [0.0])]
    assert least_shift([meeting]) == -inf
    assert np.exp(least_shift([meeting, meeting])) == pytest.approx(0.05**0.5 / (1 - 0.05**0.5), rel=1e-6)


def test_probability_to_be_ahead_with_several_seats() -> None:
    """Two of three equal seats are both ahead of the third with probability one third."""
    meeting = [([0.0, 0.0], [0.0])]
    shifted = np.exp(least_shift([meeting] * 4))
    ahead = 1 - 2 / (1 + shifted) + 1 / (1 + 2 * shifted)
    assert ahead == pytest.approx(0.05**0.25, rel=1e-6)


def test_centre_is_ahead_in_half_of_all_meetings() -> None:
    """The centre is the mean of equal bots; a distant bot moves it no more than any other such bot."""
    assert centre(np.array([0.1, 0.2, 0.3])) == pytest.approx(0.2)
    field = np.array([3.0, 0.0, -0.5, -1.0])
    assert np.mean(1 / (1 + np.exp(-(field - centre(field))))) == pytest.approx(0.5)
    far, farther = (centre(np.array([above, 0.0, 0.0, 0.0])) for above in (8.0, 30.0))
    assert far == pytest.approx(farther, abs=0.002) == pytest.approx(np.log(2), abs=0.002)
    assert centre(np.array([[0.0, 0.0], [-1.0, 1.0]])) == pytest.approx([0, 0], abs=1e-9)
