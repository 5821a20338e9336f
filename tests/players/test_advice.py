"""Advice with reasons: the plan, what to expect of it, threats, declines, and comparisons of actions."""

from random import Random

import pytest

from tests.support.rules import at
from vinci_players import advice as advisor
from vinci_players import policy
from vinci_players.advice import Advice, Budget, advise, explain
from vinci_players.estimates import estimate
from vinci_players.plans import Plan
from vinci_rules import notation
from vinci_rules.actions import DECLINE, Action, Conquer, Hold, Take
from vinci_rules.board import load_board, members
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import check, legal_actions, new_game, play
from vinci_rules.state import State

SMALL = Budget(simulations=20, checks=4)
STRONG = "tiny; rules max_rounds=2; round 2; seat 1 | BAR+CUR reserve=9 BOS; seat 2 | DIP+REN HAM=3; seat 3 | WEA+MIL"
"""The last round: seat 1 can conquer four provinces, or decline for nothing."""


def advice(state: State, budget: Budget = SMALL, asked: Action | None = None, seed: int = 1) -> Advice:
    """Return advice by the trained policy."""
    return advise(state, Random(seed), policy.trained(), budget, asked)


@pytest.mark.parametrize("edition", EDITIONS)
def test_advice_is_a_legal_turn_in_all_phases(edition: str) -> None:
    """Plans are legal and end the turn, actions asked about are compared, and a decline is compared where both are possible."""
    phases, declines = set[str](), set[str]()
    for seed in range(5, 15):  # more games where the first has no such decisions, as with another deck
        _check_advice_in_a_game(edition, seed, phases, declines)
        if phases >= {"draft", "start", "conquer"} and "start" in declines:
            break
    assert phases >= {"draft", "start", "conquer"}
    assert declines <= {"start", "peace", "abandon", "conquer", "renaissance"}
    assert "start" in declines


def _check_advice_in_a_game(edition: str, seed: int, phases: set[str], declines: set[str]) -> None:
    """Check advice for some decisions of a game; add the phases of these, and those in which a decline was compared."""
    random, chance = Random(seed), FastChance(seed)
    state = new_game(load_board("tiny"), options((False, False, True), edition, target=30), chance)
    while state.phase != "over":
        if state.phase == "draft" or random.random() < 0.1:
            before, legal = state.copy(), list(legal_actions(state))
            asked = random.choice(legal) if legal else None
            found = advice(state, asked=asked)
            assert state == before
            assert found.seat == state.actor != found.rival
            if asked is not None:
                assert found.comparison is not None
                assert found.comparison.actions[0] == asked
            for plan in (found.actions, found.comparison.actions if found.comparison else found.actions):
                end = state.copy()
                for action in plan:
                    assert check(end, action) is None
                    play(end, action, FastChance(0))
                assert (end.round, end.turn) != (state.round, state.turn) or end.phase in ("redeploy", "over")
            phases.add(state.phase)
            if found.decline is not None:
                declines.add(state.phase)
                assert found.decline.gain.half >= 0
        play(state, policy.choose(state, random, policy.trained(), 2.0), chance)
    with pytest.raises(ValueError, match="over"):
        advice(state)


def test_equal_arguments_give_equal_advice() -> None:
    """Without a limit of time the same seed gives the same advice, another one other numbers."""
    state = at("europe; seat 1 | BAR+CUR reserve=7 ALP=1 LOM=1; seat 2 | DIP+REN BOH=3; seat 3 | WEA+MIL")
    assert advice(state) == advice(state)
    assert advice(state).vp != advice(state, seed=2).vp


def test_going_on_is_better_in_the_last_round() -> None:
    """A decline in the last round scores less than conquests, and the advice tells by how much."""
    found = advice(at(STRONG), Budget(simulations=60, checks=20))
    assert isinstance(found.actions[0], Conquer)
    assert found.decline is not None
    assert found.decline.gain.mean + found.decline.gain.half < 0


def test_an_exhausted_empire_declines() -> None:
    """Without pawns to conquer, with two rounds left after this one, a decline gains, and the civilization to take is that of the plan."""
    state = at(
        "europe; rules target=200 max_rounds=4; round 2; seat 1 | BAR+CUR ALP=1; seat 2 | DIP+REN BOH=3 BAV=2; seat 3 | WEA+MIL"
    )
    found = advice(state, Budget(simulations=150, checks=20))
    assert found.actions[0] == DECLINE
    assert found.decline is not None
    assert found.actions[1] == Take(found.decline.slot)
    assert found.decline.gain.mean > found.decline.gain.half


def test_the_neighbour_with_pawns_is_the_threat() -> None:
    """Seat 3 can conquer next to seat 1, seat 2 cannot: the threat is seat 3, with provinces of seat 1."""
    state = at(
        "tiny; rules target=200; seat 1 | BAR+CUR BOS=1 ARA=1 COL=1; seat 2 | DIP+REN HAM=1; seat 3 | WEA+MIL FEN=12; neutral -"
    )
    found = advice(state, SMALL, asked=Hold(tuple((p, 1) for p in members(state.empire().provinces))))
    assert found.threat is not None
    assert found.threat.seat == 2
    assert found.threat.vp > 0
    assert [p for p, _ in found.threat.provinces]
    assert all(0.1 <= share <= 1 for _, share in found.threat.provinces)


def test_actions_are_compared_with_the_best_plan() -> None:
    """A decline in the last round costs VP; the first action of the best plan costs nothing."""
    state, budget = at(STRONG), Budget(simulations=60, checks=20)
    poor = explain(state, DECLINE, Random(1), policy.trained(), budget)
    assert poor.margin.mean + poor.margin.half < 0
    assert poor.vp.mean < 0
    declined = advice(state, budget, asked=DECLINE)
    assert declined.decline is not None
    assert declined.comparison is not None
    assert declined.decline.gain == declined.comparison.margin
    assert declined.comparison.actions == [DECLINE, Take(declined.decline.slot)]
    best = advice(state, budget)
    same = explain(state, best.actions[0], Random(1), policy.trained(), budget)
    assert same.actions == best.actions
    assert (same.vp, same.margin) == ((0.0, 0.0), (0.0, 0.0))


def test_a_plan_is_kept_unless_another_one_is_clearly_better() -> None:
    """One that is as good as the one found is kept, one that gives three conquests away is not."""
    state, best = at(STRONG), advice(at(STRONG)).actions
    first, second, *others = best
    assert isinstance(second, Conquer)
    for planned, is_kept in (([second, first, *others], True), ([Hold(((state.board.index["BOS"], 10),))], False)):
        found = advise(state, Random(1), policy.trained(), SMALL, planned=planned)
        assert (found.actions == planned) == is_kept


def test_provinces_are_abandoned_only_for_something_clearly_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan that is found is the advice if it is better than the best one without, not if it is as good."""
    state = at(STRONG.replace("reserve=9 BOS", "reserve=4 BOS FEN"))

    def plan(*texts: str) -> Plan:
        return Plan([notation.read(text, state.board) for text in texts])

    round_about = plan("abandon FEN", "x ARA", "x FEN", "hold ARA=3 BOS=1 FEN=2")
    for other, is_advised in ((plan("x ARA", "hold ARA=3 BOS=1 FEN=2"), False), (plan("hold BOS=3 FEN=3"), True)):
        monkeypatch.setattr(advisor, "_ranked", lambda *_, other=other: [round_about, other])
        assert (advice(state).actions == round_about.actions) == is_advised


def test_an_action_that_was_not_found_but_is_better_is_the_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the search for plans has missed the best one, an action asked about that begins it is advised."""
    state, budget = at(STRONG), Budget(simulations=60, checks=20)
    best = advice(state, budget)
    ranked = advisor._ranked
    monkeypatch.setattr(advisor, "_ranked", lambda of, *rest: ranked(of, *rest)[-1 if of == state else 0 :])
    poor = advice(state, budget)
    found = advice(state, budget, asked=best.actions[0])
    assert poor.margin.mean + poor.margin.half < found.margin.mean
    assert found.comparison is not None
    assert found.actions == found.comparison.actions
    assert (found.comparison.vp, found.comparison.margin) == ((0.0, 0.0), (0.0, 0.0))


def test_a_limit_of_time_gives_advice_with_fewer_simulations() -> None:
    """After a time that is up at once there is still a legal plan and an estimate of a few simulations."""
    state = at("europe; seat 1 | BAR+CUR reserve=7 ALP=1 LOM=1; seat 2 | DIP+REN BOH=3; seat 3 | WEA+MIL")
    found = advice(state, Budget(simulations=100_000, checks=100_000, seconds=0.001))
    assert check(state, found.actions[0]) is None
    assert 4 <= found.checks < 1000


@pytest.mark.parametrize(("numbers", "half"), [(4, 1.837), (10, 0.754), (30, 0.380), (400, 0.0984)])
def test_intervals_are_those_of_students_t(numbers: int, half: float) -> None:
    """Half widths of 95 % for as many 1 as -1, from a table of the t distribution."""
    found = estimate([1.0, -1.0] * (numbers // 2))
    assert found.mean == 0
    assert found.half == pytest.approx(half, rel=0.04)


def test_next_civilization_is_compared_with_the_one_advised() -> None:
    """Advice for a draft has the best plan with another civilization, also if that is asked about; for other turns none."""
    state = new_game(load_board("europe"), options((False, False, False)), FastChance(3))
    found = advice(state, Budget(simulations=60, checks=20))
    assert found.next_taken is not None
    assert isinstance(found.actions[0], Take)
    assert isinstance(found.next_taken.actions[0], Take)
    assert found.next_taken.actions[0] != found.actions[0]
    asked = advice(state, Budget(simulations=60, checks=20), asked=found.next_taken.actions[0])
    assert asked.next_taken is not None
    assert advice(at(STRONG)).next_taken is None
