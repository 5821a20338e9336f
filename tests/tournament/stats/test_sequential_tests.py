"""Sequential tests: bets by hand, outcomes of gates, precision of shares, and the blocks that count."""

from collections.abc import Sequence
from math import exp, log

import numpy as np
import pytest

from tests.support.tournament.simulated_leagues import block_scores, result
from vinci_tournament.definition.league import GATE, Stopping
from vinci_tournament.stats.sequential_tests import (
    ALIKE,
    BETS,
    GateVerdict,
    block_score,
    bounds,
    evidence,
    expected,
    interval,
    precision,
)
from vinci_tournament.stats.sequential_tests import gate as decided


def gate(scores: Sequence[float], seats: int, margin: float = 0.0) -> GateVerdict:
    """Return a gate by the share of wins, without hypotheses."""
    return decided(scores, bounds(Stopping(margin=margin), seats))


def test_bets_by_hand() -> None:
    """A bet wins in proportion to the excess of the score over the tested mean; the stake is spread over all bets."""
    capital = evidence([1.0, 0.0], 0.25)
    assert exp(capital[0]) == pytest.approx(np.mean(1 + 3 * BETS))
    assert exp(capital[1]) == pytest.approx(np.mean((1 + 3 * BETS) * (1 - BETS)))


def test_fair_bet_has_expectation_one() -> None:
    """Over all outcomes of three blocks the mean of the capital is 1, and less if the mean is lower."""
    for chance, wanted in ((0.25, pytest.approx(1)), (0.2, pytest.approx(0.85, abs=0.15))):
        total = 0.0
        for outcomes in np.ndindex(2, 2, 2):
            won = sum(outcomes)
            total += chance**won * (1 - chance) ** (3 - won) * exp(evidence(np.array(outcomes, float), 0.25)[-1])
        assert total == wanted
        assert total <= 1 + 1e-12


def test_better_passes_and_worse_fails() -> None:
    """Clear scores decide within few blocks, at the deciding block and not the last one."""
    better, worse = gate([1.0] * 50, 4), gate([0.0] * 50, 4)
    assert (better.outcome, worse.outcome) == ("pass", "fail")
    assert better.blocks < 6
    assert worse.blocks < 20
    assert better.better >= 20 > better.worse


def test_later_blocks_change_nothing() -> None:
    """Later blocks do not change a decision, so a resumed league decides alike."""
    scores = [1.0, 0.5, 0.75, 0.5, 1.0, 0.5] + [0.0] * 60
    first = gate(scores, 4)
    assert first.outcome == "pass"
    assert gate(scores[: first.blocks], 4) == first
    assert gate(scores[: first.blocks - 1], 4).outcome == "open"


def test_margin_moves_the_threshold() -> None:
    """Scores of 0.4 pass against 0.25, and fail with a margin of 0.4."""
    scores = [0.35, 0.45] * 40
    assert gate(scores, 4).outcome == "pass"
    assert gate(scores, 4, margin=0.4).outcome == "fail"


@pytest.mark.parametrize("margin", [-0.1, 0.0, 0.1])
def test_bot_against_itself_is_inconclusive(margin: float) -> None:
    """With even blocks the gate is open, then inconclusive, and never passes or fails, whatever the margin."""
    assert gate([0.25] * 200, 4, margin).outcome == "inconclusive"
    assert gate([0.25] * 200, 4, margin).blocks == ALIKE
    assert gate([0.25] * (ALIKE - 1), 4, margin).outcome == "open"
    assert gate([1 / 3] * 200, 3, margin).outcome == "inconclusive"


def test_one_uneven_block_keeps_the_gate_open() -> None:
    """A difference among the first blocks prevents the inconclusive outcome."""
    assert gate([0.25] * 5 + [0.5] + [0.25] * 20, 4).outcome == "open"


def test_gate_without_blocks_is_open() -> None:
    """Before the first block the capital is the stake."""
    outcome = gate([], 4)
    assert (outcome.outcome, outcome.blocks, outcome.better, outcome.worse) == ("open", 0, 1.0, 1.0)


def test_impossible_thresholds_are_refused() -> None:
    """No share can exceed 1."""
    with pytest.raises(ValueError, match="bet"):
        gate([0.5], 4, margin=0.75)


def test_intervals_contain_the_mean() -> None:
    """Intervals contain the mean, narrow with blocks, widen with confidence, and are symmetric."""
    scores = [0.0, 0.25, 0.25, 0.5] * 10
    low, high = interval(scores, 0.05)
    assert 0 < low < 0.25 < high < 1
    assert interval(scores, 0.01)[0] < low
    assert interval(scores * 4, 0.05)[0] > low
    mirrored = interval([1 - one for one in scores], 0.05)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
    assert interval([], 0.05) == pytest.approx((0, 1))


def test_interval_ends_where_the_bet_reaches_its_threshold() -> None:
    """Just below the lower end the bet has won 40 times its stake, as each side has half of alpha."""
    scores = [0.5, 0.25, 0.75] * 20
    low, _ = interval(scores, 0.05)
    assert evidence(scores, low)[-1] >= log(40) > evidence(scores, low + 1e-4)[-1]


def test_precision_rule_stops_at_the_first_sufficient_look() -> None:
    """Looks come at regular numbers of blocks; further blocks do not change the stop."""
    blocks = [{"a": 0.5 + 0.1 * (-1) ** number, "b": 0.5 - 0.1 * (-1) ** number} for number in range(200)]
    outcome = precision(blocks, ["a", "b"], 0.2, 5, rounds=True)
    assert outcome.reached
    assert outcome.blocks % 5 == 0
    assert [one.bot for one in outcome.intervals] == ["a", "b"]
    assert all(one.high - one.low <= 0.2 for one in outcome.intervals)
    assert precision(blocks[: outcome.blocks], ["a", "b"], 0.2, 5, rounds=True) == outcome
    assert not precision(blocks[: outcome.blocks - 1], ["a", "b"], 0.2, 5, rounds=True).reached
    assert precision(blocks, ["a", "b"], 0.2, 5, rounds=False).blocks > outcome.blocks


def test_intervals_before_the_first_look_are_unbounded() -> None:
    """The same holds for a bot that has not played."""
    outcome = precision([{"a": 0.5}] * 4, ["a", "b"], 0.5, 5, rounds=True)
    assert (outcome.reached, outcome.blocks, outcome.intervals[0]) == (False, 0, ("a", 0.0, 1.0))
    later = precision([{"a": 0.5}] * 50, ["a", "b"], 0.5, 5, rounds=True)
    assert not later.reached
    assert later.intervals[1] == pytest.approx(("b", 0, 1))


def test_only_complete_blocks_in_order_count() -> None:
    """An incomplete block hides later ones; the score of a bot is a mean."""
    results = [
        result(0, 0, ["a", "b"], [1, 2]),
        result(0, 1, ["b", "a"], [1, 1]),
        result(1, 0, ["a", "b"], [2, 1]),
        result(2, 0, ["a", "b"], [1, 2]),
        result(2, 1, ["b", "a"], [2, 1]),
    ]
    assert block_scores(results, 2) == [{"a": 0.75, "b": 0.25}]
    whole = [*results, result(1, 1, ["b", "a"], [1, 2])]
    assert block_scores(whole, 2) == [{"a": 0.75, "b": 0.25}, {"a": 0.0, "b": 1.0}, {"a": 1.0, "b": 0.0}]
    assert block_scores(whole[::-1], 2) == block_scores(whole, 2)


def test_copies_of_a_bot_share_a_score() -> None:
    """The score of a bot at several seats is that of one of them."""
    assert block_scores([result(0, 0, ["a", "b", "b", "b"], [2, 1, 3, 4])], 1) == [
        {"a": 0.0, "b": pytest.approx(1 / 3)}
    ]


def test_places_score_by_hand() -> None:
    """The score is the share of the other bot's seats that one is ahead of; both scores add up to 1."""
    games = [
        result(0, 0, ["new", "old", "old", "old"], [2, 1, 3, 3]),
        result(0, 1, ["old", "new", "old", "old"], [1, 1, 3, 4]),
    ]
    assert block_score(games, "places") == {
        "new": pytest.approx((2 / 3 + 2.5 / 3) / 2),
        "old": pytest.approx(1 - (2 / 3 + 2.5 / 3) / 2),
    }


@pytest.mark.parametrize(("points", "wins", "places"), [(0, 0.25, 0.5), (400, 10 / 13, 10 / 11), (61, 0.3214, 0.5869)])
def test_rating_points_as_scores(points: float, wins: float, places: float) -> None:
    """A rating difference to three others gives expected shares of wins and of meetings ahead."""
    assert expected(points, "wins", 4) == pytest.approx(wins, abs=1e-4)
    assert expected(points, "places", 4) == pytest.approx(places, abs=1e-4)


def test_even_bot_fails_a_gate_with_hypotheses() -> None:
    """Even scores are significantly below those of 60 points; a gate without hypotheses stays open."""
    scores = [0.45, 0.55] * 60
    outcome = decided(scores, bounds(GATE, 4))
    assert outcome.outcome == "fail"
    assert outcome.blocks < 100
    assert decided(scores, bounds(Stopping(score="places"), 4)).outcome == "open"
    assert decided([0.75] * 30, bounds(GATE, 4)).outcome == "pass"


def test_error_rates_are_separate() -> None:
    """A smaller beta delays failing, a smaller alpha delays passing."""
    even, better = [0.45, 0.55] * 100, [0.6, 0.7] * 100
    decides = bounds(GATE, 4)
    assert decided(even, decides, 0.05, 0.001).blocks > decided(even, decides, 0.001, 0.05).blocks
    assert decided(better, decides, 0.001, 0.05).blocks > decided(better, decides, 0.05, 0.001).blocks
