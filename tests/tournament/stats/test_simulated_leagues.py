"""Simulated leagues with known truth: coverage of intervals, and error rates of stopping rules."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

import numpy as np
import pytest

from tests.support.tournament.simulated_gates import simulated
from tests.support.tournament.simulated_leagues import (
    World,
    block_scores,
    independent,
    league,
    name,
    schedule,
    truth,
)
from vinci_ratings import plackett_luce
from vinci_tournament.definition.combinations import choices
from vinci_tournament.definition.league import GATE, Score, Stopping
from vinci_tournament.results.result import Result
from vinci_tournament.stats.sequential_tests import ALPHA, bounds, gate, precision
from vinci_tournament.stats.standings import figures

LEAGUES = 200
WINS = bounds(Stopping(), 4)
SEATS = (0.3, 0.1, -0.1, -0.3)
SIX = World((-0.8, -0.4, 0.0, 0.2, 0.4, 0.6), SEATS, seat_luck=0.5, bot_luck=0.2)
WIDE = World((-2.0, -1.0, 0.0, 0.5, 1.0, 1.5), SEATS, seat_luck=0.5, bot_luck=0.2)
FIVE = World((-0.6, -0.3, 0.0, 0.3, 0.6), SEATS, seat_luck=0.2, bot_luck=0.3, ties=0.1)


@pytest.mark.slow
def test_exact_ratings_without_ties_are_the_strengths() -> None:
    """Fitted to all outcomes with their probabilities, ratings are the strengths relative to their centre."""
    exact = truth(SIX, schedule(SIX, 15))
    rating, strengths = np.array(exact.rating) / plackett_luce.ELO, np.array(SIX.strengths)
    assert np.ptp(rating - strengths) * plackett_luce.ELO < 0.01
    assert np.mean(1 / (1 + np.exp(-rating))) == pytest.approx(0.5)  # a bot at 0 is ahead of them half the time
    assert sum(exact.win_share) == pytest.approx(6 / 4)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("world", "blocks"), [(SIX, 75), (WIDE, 75), (FIVE, 40)], ids=["six", "wide", "five"])
def test_intervals_cover_the_truth(world: World, blocks: int) -> None:
    """93 to 97 % of the 95 % intervals of ratings and win shares contain the truth."""
    line_ups, chance = schedule(world, blocks), np.random.default_rng(blocks)
    true = truth(world, line_ups)
    rated, won = [], []
    for _ in range(LEAGUES):
        by_bot = {one.bot: one for one in figures(league(world, line_ups, chance), 400).standings.bots}
        for bot, (rating, share) in enumerate(zip(true.rating, true.win_share, strict=True)):
            figures_of_bot = by_bot[name(bot)]
            rated.append(figures_of_bot.rating.low <= rating <= figures_of_bot.rating.high)
            won.append(figures_of_bot.win_share.low <= share <= figures_of_bot.win_share.high)
    assert 0.93 <= np.mean(rated) <= 0.97
    assert 0.93 <= np.mean(won) <= 0.97


def outcomes(strengths: Sequence[float], blocks: int, leagues: int) -> dict[str, float]:
    """Return the shares of reported intervals that contain the true value, and of equal bots reported as different."""
    world = World(tuple(strengths), SEATS, seat_luck=0.3, bot_luck=0.2)
    line_ups, chance = choices(len(strengths), 4, blocks), np.random.default_rng([blocks, leagues])
    rated = (np.array(strengths) - plackett_luce.centre(np.array(strengths))) * plackett_luce.ELO
    shares = truth(world, line_ups).win_share if len(strengths) < 7 else ()
    seen: dict[str, list[bool]] = {"rating": [], "difference": [], "wins": [], "starred": []}
    number = {name(bot): bot for bot in range(len(strengths))}
    for _ in range(leagues):
        standings = figures(league(world, line_ups, chance), 300).standings
        pairs = [
            (strengths[number[one.bot]] - strengths[number[one.other]], one.rating) for one in standings.differences
        ]
        estimates = [("rating", rated[number[one.bot]], one.rating) for one in standings.bots]
        estimates += [("difference", gap * plackett_luce.ELO, one) for gap, one in pairs]
        if shares:
            estimates += [("wins", shares[number[one.bot]], one.win_share) for one in standings.bots]
        for kind, true, one in estimates:
            seen[kind] += [one.low - 1e-4 <= true <= one.high + 1e-4] if one.is_told else []
        seen["starred"] += [one.is_told and not one.low <= 0 <= one.high for gap, one in pairs if not gap]
    return {kind: float(np.mean(of)) for kind, of in seen.items() if of}


@pytest.mark.parametrize(("bots", "blocks", "leagues"), [(4, 1, 5), (4, 2, 60), (4, 10, 20), (30, 75, 2)])
def test_equal_bots_are_seldom_called_different(bots: int, blocks: int, leagues: int) -> None:
    """At most 6 % of pairs of equal bots are marked as different; none from one block."""
    coverage = outcomes([0.0] * bots, blocks, leagues)
    assert coverage["starred"] <= (0.06 if blocks > 1 else 0)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("bots", "blocks"), [(4, 1), (4, 2), (4, 3), (4, 5), (4, 10), (4, 20), (30, 75), (50, 125)])
def test_equal_bots_at_any_number_of_blocks(bots: int, blocks: int) -> None:
    """In leagues of every size at most 6 % of pairs are marked, and 94 % or more of the intervals contain the truth."""
    coverage = outcomes([0.0] * bots, blocks, 400 if bots == 4 else 40)
    assert coverage["starred"] <= 0.06
    assert min([share for kind, share in coverage.items() if kind != "starred"], default=1) >= 0.94


def test_dominant_bot_does_not_distort_intervals() -> None:
    """Its bound and the intervals of the others contain the truth in at least 93 %."""
    coverage = outcomes([8.6, 0.0, 0.0, 0.0], 10, 20)
    assert min(coverage["rating"], coverage["difference"], coverage["wins"]) >= 0.93


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("strength", [3.5, 8.6, -8.6])
@pytest.mark.parametrize("blocks", [5, 20, 50])
def test_coverage_with_one_distant_bot(strength: float, blocks: int) -> None:
    """One bot is 600 or 1500 points above three equal ones, or 1500 below."""
    coverage = outcomes([strength, 0.0, 0.0, 0.0], blocks, 400)
    assert min(coverage["rating"], coverage["difference"], coverage["wins"]) >= 0.93
    assert coverage["starred"] <= 0.06


@pytest.mark.slow
def test_gate_keeps_its_error_rate() -> None:
    """With a look after every block equal bots seldom pass or fail, and a better one passes soon."""
    line_ups, chance, leagues = [(0, 1, 2, 3)] * 80, np.random.default_rng(4), 600
    outcomes = {}
    for strength in (0.0, 1.0):
        world = World((strength, 0.0, 0.0, 0.0), SEATS, seat_luck=0.2, bot_luck=0.5)
        played = [block_scores(league(world, line_ups, chance), 4) for _ in range(leagues)]
        outcomes[strength] = [gate([block[name(0)] for block in blocks], WINS) for blocks in played]
    wrong = {outcome: sum(one.outcome == outcome for one in outcomes[0.0]) / leagues for outcome in ("pass", "fail")}
    assert max(wrong.values()) <= ALPHA + 2 * (ALPHA * (1 - ALPHA) / leagues) ** 0.5
    assert sum(one.outcome == "pass" for one in outcomes[1.0]) > 0.95 * leagues
    assert median(one.blocks for one in outcomes[1.0]) < 40


@pytest.mark.parametrize("gates", [200, pytest.param(2000, marks=pytest.mark.slow)])
def test_length_and_error_rates_of_gates(gates: int) -> None:
    """The mean length is at most 300 games between equals and 250 at the second hypothesis; error rates are kept."""
    equal, better = (simulated(points, gates, GATE) for points in (0, 61))
    assert equal.passed <= 100 * GATE.alpha
    assert better.failed <= 100 * GATE.beta
    assert equal.games <= 300
    assert better.games <= 250
    assert min(equal.failed, better.passed) > 95


@pytest.mark.slow
@pytest.mark.parametrize("score", ["wins", "places"])
@pytest.mark.parametrize("luck", [0.0, 0.8])
def test_error_rates_by_wins_and_by_places(score: Score, luck: float) -> None:
    """Error rates are kept with either score, however much luck the games of a block share."""
    stop = replace(GATE, score=score)
    equal, better = (simulated(points, 1000, stop, luck=luck) for points in (0, 61))
    assert equal.passed <= 100 * stop.alpha
    assert better.failed <= 100 * stop.beta


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [True, False])
def test_precision_rule_keeps_its_error_rate(rounds: bool) -> None:
    """In at most one league of twenty any interval of any bot misses the truth at any look."""
    line_ups, chance, leagues = schedule(FIVE, 40), np.random.default_rng(9), 150
    true = dict(zip(map(name, range(5)), truth(FIVE, schedule(FIVE, 10)).win_share, strict=True))
    wrong = 0
    for _ in range(leagues):
        blocks = block_scores(league(FIVE, line_ups, chance), 4)
        looks = [precision(blocks[:end], list(true), 0.0, 10, rounds=rounds) for end in (10, 20, 30, 40)]
        wrong += any(not one.low <= true[one.bot] <= one.high for look in looks for one in look.intervals)
    assert wrong / leagues <= ALPHA + 2 * (ALPHA * (1 - ALPHA) / leagues) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("world", [World(FIVE.strengths, SEATS, seat_luck=0.8), SIX], ids=["saves", "costs"])
def test_variance_reduction_matches_the_simulated_variance(world: World) -> None:
    """The mean variance reduction of a league matches the variance of win shares between leagues."""
    line_ups, chance, leagues = schedule(world, 30), np.random.default_rng(6), 300

    def spread(games: Callable[..., list[Result]]) -> float:
        shares = []
        for _ in range(leagues):
            won = dict.fromkeys(map(name, range(len(world.strengths))), 0.0)
            for one in games(world, line_ups, chance):
                for bot, rank in zip(one.bots, one.ranks, strict=True):
                    won[bot] += (rank == 1) / one.ranks.count(1)
            shares.append(list(won.values()))
        return float(np.var(shares, axis=0).sum())

    configured = np.mean([figures(league(world, line_ups, chance), 2).variance_reduction for _ in range(20)])
    true = spread(independent) / spread(league)
    assert configured == pytest.approx(true, rel=0.15)
