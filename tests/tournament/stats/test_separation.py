"""Bots that others were never ahead of: their ratings have one end, which is the exact bound, and distort no others."""

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from tests.support.tournament.simulated_leagues import World, league, name, result, schedule
from vinci_tournament.results.result import Result
from vinci_tournament.stats.bootstrap import Blocks
from vinci_tournament.stats.plackett_luce import ELO, centre
from vinci_tournament.stats.rating_estimates import Ratings, ratings
from vinci_tournament.stats.separation import least_shift
from vinci_tournament.stats.values import DifferenceFigures


def rated(games: Sequence[Result]) -> Ratings:
    """Ratings from 200 resamples."""
    return ratings(games, Blocks(games, 200))


def difference(found: Ratings, *pair: str) -> DifferenceFigures:
    """That of two bots, whichever is called first."""
    (one,) = (one for one in found.differences if {one.bot, one.other} == set(pair))
    return one


def blocks_of(*orders: str) -> list[Result]:
    """A block for each order of bots in which all its games ended, with rotated seats."""
    return [
        result(block, turn, (bots := order[turn:] + order[:turn]), [order.index(bot) + 1 for bot in bots])
        for block, order in enumerate(orders)
        for turn in range(len(order))
    ]


def dominated(blocks: int) -> list[Result]:
    """The first bot is ahead of three equal ones in every game."""
    world = World((60.0, 0.0, 0.0, 0.0), (0.2, 0.0, 0.0, -0.2))
    return league(world, schedule(world, blocks), np.random.default_rng(blocks))


def test_who_wins_every_game_has_a_lower_bound_only() -> None:
    """More blocks raise it; intervals of longer leagues hold those of shorter ones, instead of excluding them."""
    bounds = [rated(dominated(blocks)).bots[name(0)] for blocks in (4, 20, 100)]
    assert all(one.high == inf and one.is_open for one in bounds)
    assert 0 < bounds[0].low < bounds[1].low < bounds[2].low < inf
    assert all(one.low <= one.value for one in bounds)


def test_who_loses_every_game_has_an_upper_bound_only() -> None:
    """The other way round."""
    turned = [result(one.block, one.rotation, one.bots, [5 - rank for rank in one.ranks]) for one in dominated(20)]
    found = rated(turned).bots[name(0)]
    assert (found.low, found.is_open) == (-inf, True)
    assert -inf < found.high < 0


def test_the_bound_is_that_of_the_chance_to_win_so_many_blocks() -> None:
    """Against one bot, ten blocks are all won with 5 % if each is with the tenth root of that."""
    found = rated(blocks_of(*["ab"] * 10))
    chance = 0.05**0.1
    expected = ELO * np.log(chance / (1 - chance))
    assert difference(found, "a", "b").rating.low == pytest.approx(expected, abs=0.1)
    assert found.bots["a"].low == pytest.approx(expected / 2, abs=0.1)
    assert found.bots["b"].high == pytest.approx(-expected / 2, abs=0.1)


def test_the_others_have_intervals_as_without_the_dominant_bot() -> None:
    """Differences among them, and their widths, are those of their own games."""
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


def test_one_tie_is_a_way_back() -> None:
    """A bot never ahead that tied once in half of the blocks can be compared, and so can two linked by a third."""
    tied = [
        result(block, turn, ["a", "b"][:: -1 if turn else 1], [1, 1] if block % 2 else [1, 2][:: -1 if turn else 1])
        for block in range(12)
        for turn in range(2)
    ]
    assert not difference(rated(tied), "a", "b").rating.is_open
    third = blocks_of(*["ab", "bc", "ca"] * 6)
    assert not any(one.rating.is_open for one in rated(third).differences)


def test_a_single_defeat_leaves_an_end_open() -> None:
    """A third of all resamples lack the one block in which the better bot lost; with eight of them none do."""
    once = rated(blocks_of(*["abc"] * 15, "cba"))
    assert difference(once, "a", "b").rating.high == inf
    assert np.isfinite(difference(once, "a", "b").rating.low)
    often = rated(blocks_of(*["abc"] * 24, *["cba"] * 8))
    assert not difference(often, "a", "b").rating.is_open


def test_groups_that_never_met_have_no_difference() -> None:
    """Between strangers nothing is known, within groups something is."""
    games = blocks_of(*["ab", "ba", "cd", "dc"] * 5)
    found = rated(games)
    assert not difference(found, "a", "c").rating.is_told
    assert difference(found, "a", "b").rating.is_told


@pytest.mark.parametrize("orders", [["abcd"], ["abcd", "efgh"], ["abcd", "abce", "abcf"]])
def test_a_bot_seen_in_one_block_is_not_compared(orders: list[str]) -> None:
    """One block says nothing about how blocks differ, whatever the other bot played."""
    games = blocks_of(*orders)
    blocks_with = {bot: {one.block for one in games if bot in one.bots} for bot in "abcdefgh"}
    for one in rated(games).differences:
        together = blocks_with[one.bot] & blocks_with[one.other]
        assert len(together) > 1 or not one.rating.is_told


def test_there_is_no_bound_from_one_block() -> None:
    """Two blocks are the fewest."""
    meeting = [([0.0], [0.0])]
    assert least_shift([meeting]) == -inf
    assert np.exp(least_shift([meeting, meeting])) == pytest.approx(0.05**0.5 / (1 - 0.05**0.5), rel=1e-6)


def test_the_chance_to_be_ahead_with_several_seats() -> None:
    """Both seats of a group ahead of one other, all alike: a third."""
    meeting = [([0.0, 0.0], [0.0])]
    shifted = np.exp(least_shift([meeting] * 4))
    ahead = 1 - 2 / (1 + shifted) + 1 / (1 + 2 * shifted)
    assert ahead == pytest.approx(0.05**0.25, rel=1e-6)


def test_the_centre_is_ahead_of_the_field_in_half_of_all_meetings() -> None:
    """It is the mean of bots that are alike; one that is far away moves it as far as any other such bot."""
    assert centre(np.array([0.1, 0.2, 0.3])) == pytest.approx(0.2)
    field = np.array([3.0, 0.0, -0.5, -1.0])
    assert np.mean(1 / (1 + np.exp(-(field - centre(field))))) == pytest.approx(0.5)
    far, farther = (centre(np.array([above, 0.0, 0.0, 0.0])) for above in (8.0, 30.0))
    assert far == pytest.approx(farther, abs=0.002) == pytest.approx(np.log(2), abs=0.002)
    assert centre(np.array([[0.0, 0.0], [-1.0, 1.0]])) == pytest.approx([0, 0], abs=1e-9)
