"""Simulations up to a horizon: plans by a beam search, and the VP to expect."""

from pathlib import Path
from random import Random

import pytest

from tests.support.rules import at
from vinci_players import policy, value, weights
from vinci_players.plans import plans, result_of
from vinci_players.search import Horizon, expected, ranked
from vinci_rules.actions import DECLINE, Abandon, Conquer, Decline, Hold
from vinci_rules.board import load_board, members
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import check, new_game, play

CUT = Horizon(value.trained(), replies=2, width=3, kept=6, share=1, finalists=4, trust=1.0, ends=1)
MIDDLE = "europe; seat 1 | BAR+CUR reserve=6 ALP=1 LOM=1 PRO=1 PYR=1; seat 2 | DIP+WEA BAV=3; seat 3 | WEA+MIL POL=1"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_beam_search_adds_legal_turns_with_other_results(edition: str) -> None:
    """Every turn is legal; no two lead to the same position; peace and abandoned provinces occur."""
    random, chance, seen = Random(3), FastChance(3), set[type]()
    state = new_game(load_board("europe"), options((False,) * 4, edition, target=60), chance)
    while state.phase != "over":
        if state.phase in ("start", "abandon", "conquer") and random.random() < 0.3:
            seed = random.getrandbits(32)
            known, found = (plans(state, Random(seed), policy.simulating(), 3, width) for width in (0, 2))
            assert [plan.actions for plan in found[: len(known)]] == [plan.actions for plan in known]
            results = []
            for plan in found:
                end = state.copy()
                for action in plan.actions:
                    assert check(end, action) is None, (action, check(end, action))
                    play(end, action, FastChance(0))
                if DECLINE not in plan.actions:
                    results.append(result_of(end, state.actor))
                seen.update(map(type, plan.actions))
            assert len(set(results)) == len(results)
        play(state, policy.choose(state, random, policy.simulating(), 2.0), chance)
    assert seen >= {Abandon, Conquer, Decline, Hold}


def test_a_beam_search_finds_more_than_samples() -> None:
    """It finds the conquests with the highest income, and a defence where a province would fall most likely."""
    state = at(MIDDLE)
    few, found = (plans(state, Random(1), policy.simulating(), 1, width) for width in (0, 8))
    assert len(found) > 3 * len(few)


def test_pawns_go_where_opponents_reach() -> None:
    """In some turn without a conquest all provinces beside an opponent get more pawns than those in the rear."""
    state = at(MIDDLE)
    held = state.provinces_of(state.actor)
    front = members(held & (value.reaches(state)[1] | value.reaches(state)[2]))
    assert front
    rear = [p for p in members(held) if p not in front]
    found = plans(state, Random(1), policy.simulating(), 0, 1)
    turns = [plan.actions for plan in found if isinstance(plan.actions[0], Hold)]
    placed = [dict(hold.pawns) for [hold] in turns if isinstance(hold, Hold)]
    assert any(min(pawns[p] for p in front) > max(pawns[p] for p in rear) for pawns in placed)


def test_a_risk_counts_opponents_beside_a_province() -> None:
    """More opponents and fewer pawns make it fall more often."""
    province = load_board("europe").index["ALP"]
    risks = [value.at_risk(province, [1 << province] * foes, 4, value.ACTIVE_RISK) for foes in range(4)]
    assert risks[0] < risks[1] < risks[2] == risks[3]
    assert value.at_risk(province, [1 << province], 3, value.ACTIVE_RISK) > risks[1]


def test_the_vp_to_expect_are_those_scored_when_the_game_is_over() -> None:
    """Before that they grow with the income and the pawns of a seat."""
    state = at(MIDDLE)
    poor = value.final_vp(state, value.trained())
    empire = state.active[0]
    assert empire is not None
    state.active[0] = empire.having(empire.provinces, empire.reserve + 4)
    assert value.final_vp(state, value.trained())[0] > poor[0] > state.vp[0]
    state.phase = "over"
    assert value.final_vp(state, value.trained()) == [float(vp) for vp in state.vp]


def test_the_lead_is_that_over_the_best_opponents() -> None:
    """A far weaker opponent hardly counts, equal ones count alike."""
    seat = at(MIDDLE).seats()[0]
    assert value.lead([50.0, 40.0, 40.0], seat) == 10.0
    assert 10.0 < value.lead([50.0, 40.0, -200.0], seat) < 10.2


def test_knots_hold_between_turns() -> None:
    """Turns left lie between two knots, or at the last one if there are more."""
    assert [value.between(turns) for turns in (0.0, 0.5, 1.0, 4.0, 12.0, 40.0)] == [
        (0, 0.0), (0, 0.5), (1, 0.0), (3, 0.5), (5, 1.0), (5, 1.0),
    ]  # fmt: skip


def test_equal_simulations_have_equal_results() -> None:
    """A simulation draws from its number alone, and does not change the position."""
    state = new_game(load_board("europe"), options((False,) * 3), FastChance(1))
    while state.round < 3:
        policy.play_one(state, FastChance(2), Random(2), policy.simulating(), 1.0)
    before = state.copy()
    actions = plans(state, Random(1), policy.simulating(), 1)[-1].actions
    found, again = (
        [expected(state, actions, policy.simulating(), number, CUT, 2) for number in range(8)] for _ in "12"
    )
    assert state == before
    assert found == again
    assert found[0] != found[1]


def test_only_the_best_plans_are_simulated() -> None:
    """Without dummies a search returns them alone; the two best declines are among them."""
    state = at(MIDDLE)
    found = plans(state, Random(1), policy.simulating(), 8, CUT.width)
    kept = ranked(state, Random(1), policy.simulating(), 8, 20, cut=CUT)
    assert CUT.kept <= len(kept) <= CUT.kept + 2 < len(found)
    assert sum(Decline() in plan.actions for plan in kept) >= 2


def test_dummies_are_simulated_to_the_end_of_the_game() -> None:
    """A search beside a dummy is the same with a horizon and without."""
    state = new_game(load_board("tiny"), options((False, False, True), target=20), FastChance(1))
    with_cut, without = (ranked(state, Random(1), policy.simulating(), 4, 30, cut=cut) for cut in (CUT, None))
    assert [(plan.actions, plan.total) for plan in with_cut] == [(plan.actions, plan.total) for plan in without]


def test_written_values_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table has a line for each feature and knot; a line too many is told."""
    monkeypatch.setattr(weights, "DATA", tmp_path)
    given = [place / 8 for place, _ in enumerate(weights.VALUE)]
    text = weights.written_value(given, ["source: a test"])
    (tmp_path / "one.csv").write_text(text, encoding="utf-8")
    assert weights.read_value("one") == [float(f"{weight:.4g}") for weight in given]
    (tmp_path / "two.csv").write_text(text + "luck,3.0,1\n", encoding="utf-8")
    with pytest.raises(weights.WeightsError, match=r"luck 3\.0"):
        weights.read_value("two")
