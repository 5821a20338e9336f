"""Mutual attacks: pairs that spare each other are flagged, others seldom, in simulated leagues and in real games."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.support.tournament.simulated_attacks import Bots, Simulated, simulated
from tools.measure_mutual_attacks import FIELDS, flagged, played
from vinci_tournament.stats.bootstrap import t_quantile
from vinci_tournament.stats.mutual_attacks import mutual_attacks
from vinci_tournament.stats.values import SPARING, Estimate, MutualAttackFigures

LEAGUES = 200
ALIKE = Bots((1.0,) * 6, (0.0,) * 6, (0.2,) * 6)
MIXED = Bots(
    (0.5, 0.7, 1.0, 1.0, 1.0, 1.2, 1.4, 1.8),
    (-1.5, -1.0, 0.0, 0.0, 0.3, 0.5, 1.0, 1.5),
    (0.2, 0.5, 0.0, 0.3, 0.2, 0.1, 0.3, 0.2),
)
PASSIVE = Bots((0.02, 1.0, 1.0, 1.5, 1.0), (-2.0, 0.0, 0.0, 0.5, 1.0), (0.0, 0.1, 0.2, 0.3, 0.4), luck=0.5)
HONEST = (ALIKE, MIXED, PASSIVE)


def flags(league: Simulated) -> list[tuple[str, str]]:
    """Return the pairs that are flagged."""
    return [(pair.bot, pair.other) for pair in mutual_attacks(*league) if pair.is_flagged]


@pytest.mark.parametrize("bots", HONEST, ids=["alike", "mixed", "passive"])
def test_honest_bots_are_seldom_flagged(bots: Bots) -> None:
    """In at most 5 % of 200 leagues of 5 to 30 blocks any pair is flagged."""
    chance = np.random.default_rng(len(bots.attacking))
    found = [flags(simulated(bots, int(chance.integers(5, 31)), chance)) for _ in range(LEAGUES)]
    assert sum(map(bool, found)) <= 0.05 * LEAGUES


def test_intervals_of_all_pairs_hold_at_once() -> None:
    """In at least 92 % of leagues of equal bots the intervals of all pairs contain 1."""
    chance = np.random.default_rng(3)
    held = [
        all(pair.mutual.low <= 1 <= pair.mutual.high for pair in mutual_attacks(*simulated(ALIKE, 30, chance)))
        for _ in range(LEAGUES)
    ]
    assert sum(held) >= 0.92 * LEAGUES


@pytest.mark.parametrize(
    ("bots", "blocks", "times", "power"), [(ALIKE, 15, 0.0, 0.98), (MIXED, 25, 0.0, 0.95), (ALIKE, 100, 0.5, 0.9)]
)
def test_pair_that_spares_each_other_is_flagged(bots: Bots, blocks: int, times: float, power: float) -> None:
    """It is found in nearly all leagues and no other pair in more than 5 %, although others are attacked instead."""
    chance = np.random.default_rng(blocks)
    found = [flags(simulated(bots, blocks, chance, [(2, 3)], times)) for _ in range(LEAGUES // 2)]
    counted = Counter(pair for pairs in found for pair in pairs)
    assert counted["bot2", "bot3"] >= power * len(found)
    assert sum(bool({*pairs} - {("bot2", "bot3")}) for pairs in found) <= 0.05 * len(found)


def test_ratio_of_a_pair() -> None:
    """It compares with the attacks on others in all games, with and without the partner."""
    chance = np.random.default_rng(8)
    of_pair = [mutual_attacks(*simulated(ALIKE, 50, chance, [(0, 1)], 0.4)) for _ in range(20)]
    pairs = [{(pair.bot, pair.other): pair for pair in league}["bot0", "bot1"] for league in of_pair]
    # With the partner a bot attacks its two others 3 / 2.4 times as often, which is half of its games with each.
    assert np.mean([pair.mutual.value for pair in pairs]) == pytest.approx(0.4 * 1.25 / 1.125, abs=0.02)
    assert all(pair.mutual.low < pair.mutual.value < pair.mutual.high for pair in pairs)
    assert all(pair.by_bot.low < pair.by_bot.value < pair.by_bot.high for pair in pairs)


def test_team_of_three_is_found_and_nobody_else() -> None:
    """All pairs of three bots of seven that spare each other are found, and no other pair."""
    seven = Bots((1.0,) * 7, (0.0,) * 7, (0.2,) * 7)
    team = [(0, 1), (0, 2), (1, 2)]
    league = simulated(seven, 40, np.random.default_rng(6), team, 0.1)
    assert sorted(flags(league)) == [(f"bot{one}", f"bot{other}") for one, other in team]


def test_two_pairs_are_found_and_nobody_else() -> None:
    """Pairs that are found are left out of the rates, so that both are found and no bystanders."""
    league = simulated(MIXED, 100, np.random.default_rng(1), [(0, 7), (3, 4)], 0.1)
    assert sorted(flags(league)) == [("bot0", "bot7"), ("bot3", "bot4")]


def test_one_that_spares_without_return_is_not_flagged() -> None:
    """Both of a pair have to spare the other."""
    league = simulated(ALIKE, 100, np.random.default_rng(5))
    is_spared = (league.line_ups[:, :, None] == 0) & (league.line_ups[:, None, :] == 1)
    one_sided = league._replace(attacks=np.where(is_spared, 0, league.attacks))
    (pair, *_) = (pair for pair in mutual_attacks(*one_sided) if (pair.bot, pair.other) == ("bot0", "bot1"))
    assert pair.by_bot.value == 0
    assert pair.by_other.high > 1
    assert not flags(one_sided)


def test_figures_are_the_same_in_any_order_of_games_and_for_any_numbers_of_bots() -> None:
    """Neither the order of games nor which bot comes first matters."""
    league = simulated(MIXED, 20, np.random.default_rng(2), [(1, 6)], 0.2)
    order = np.random.default_rng(1).permutation(len(league.columns))
    shuffled = Simulated(league.line_ups[order], league.attacks[order], league.columns[order], league.bots)
    assert mutual_attacks(*shuffled) == mutual_attacks(*league)
    turned = league._replace(line_ups=7 - league.line_ups, bots=league.bots[::-1])
    mutual = {frozenset((pair.bot, pair.other)): pair.mutual for pair in mutual_attacks(*league)}
    assert {frozenset((pair.bot, pair.other)): pair.mutual for pair in mutual_attacks(*turned)} == mutual


@pytest.mark.parametrize(("bots", "blocks"), [(4, 50), (5, 4)])
def test_too_little_is_known_of_few_bots_or_blocks(bots: int, blocks: int) -> None:
    """Four bots and four blocks have no figures."""
    few = Bots((1.0,) * bots, (0.0,) * bots, (0.0,) * bots)
    assert mutual_attacks(*simulated(few, blocks, np.random.default_rng(1))) == ()


def test_leagues_without_attacks_and_with_bots_that_never_meet_have_no_figures_for_them() -> None:
    """Nothing is claimed where nothing was seen."""
    league = simulated(ALIKE, 30, np.random.default_rng(1))
    assert mutual_attacks(*league._replace(attacks=league.attacks * 0)) == ()
    meets = (league.line_ups == 0).any(axis=1) & (league.line_ups == 1).any(axis=1)
    apart = Simulated(league.line_ups[~meets], league.attacks[~meets], league.columns[~meets], league.bots)
    pairs = [(pair.bot, pair.other) for pair in mutual_attacks(*apart)]
    assert ("bot0", "bot1") not in pairs
    assert len(pairs) == 14


def test_flag_needs_all_three_intervals() -> None:
    """Together certainly below SPARING, and each bot below 1."""
    low, middle = Estimate(0.4, 0.3, SPARING - 0.01), Estimate(0.8, 0.6, 1.0)
    pair = MutualAttackFigures("a", "b", 40, low, low, low)
    assert pair.is_flagged
    assert not replace(pair, mutual=Estimate(0.4, 0.3, SPARING)).is_flagged
    assert not replace(pair, by_bot=middle).is_flagged
    assert not replace(pair, by_other=middle).is_flagged


def test_quantiles_at_other_levels() -> None:
    """Quantiles of Student's t are those of tables."""
    assert [round(t_quantile(degrees, 0.99), 2) for degrees in (1, 2, 10, 30)] == [63.66, 9.92, 3.17, 2.75]


def test_real_games() -> None:
    """In 48 games a pair that never attacks each other is flagged, and nobody in those of the same bots without it."""
    with_pair, honest = FIELDS["six alike, two never attack each other"], FIELDS["six alike"]
    assert flagged(played(with_pair, 12, "1"), 6) == {(0, 1)}
    assert not flagged(played(honest, 12, "1"), 6)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_honest_computer_players_are_seldom_flagged() -> None:
    """In at most 5 % of 200 leagues of real games, each of 40 games of eight characters, any pair is flagged."""
    games = played(FIELDS["eight characters"], 10 * LEAGUES, "2")
    found = [flagged(games.part(10 * league, 10 * league + 10), 8) for league in range(LEAGUES)]
    assert sum(map(bool, found)) <= 0.05 * LEAGUES
