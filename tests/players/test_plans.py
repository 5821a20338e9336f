"""Plans for a turn, and the search among them."""

from random import Random

import pytest

from tests.support.rules import at
from vinci_players import policy
from vinci_players.plans import Plan, holds, plans
from vinci_players.search import ranked, simulate, utility
from vinci_rules.actions import Abandon, Conquer, Decline, Hold, Peace, Stay, Take
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import check, new_game, play
from vinci_rules.state import State


def assert_legal(state: State, plan: Plan) -> State:
    """Play a plan, checking each action; return the position after it."""
    end = state.copy()
    for action in plan.actions:
        assert check(end, action) is None, (action, check(end, action))
        play(end, action, FastChance(0))
    return end


@pytest.mark.parametrize("edition", EDITIONS)
def test_plans_are_legal_whole_turns(edition: str) -> None:
    """Every plan is legal and ends the turn, in all phases of games of every edition; all kinds of action occur."""
    random, chance = Random(3), FastChance(3)
    seen: set[type] = set()
    state = new_game(load_board("europe"), options((False,) * 4, edition, target=60), chance)
    while state.phase != "over":
        if random.random() < 0.4:
            found = plans(state, random, policy.trained(), 12)
            assert found
            for plan in found:
                end = assert_legal(state, plan)
                assert (end.round, end.turn) != (state.round, state.turn) or end.phase in ("redeploy", "over")
                seen.update(type(action) for action in plan.actions)
                left = {action.province for action in plan.actions if isinstance(action, Abandon)}
                assert left.isdisjoint(action.province for action in plan.actions if isinstance(action, Conquer))
        play(state, policy.choose(state, random, policy.trained(), 2.0), chance)
    assert seen >= {Abandon, Conquer, Decline, Hold, Take}
    with pytest.raises(ValueError, match="over"):
        plans(state, random, policy.trained(), 12)


def test_plans_lead_to_different_positions() -> None:
    """No two plans of a turn have the same result, and each civilization is tried with a decline."""
    state = at("europe; seat 1 | BAR+CUR reserve=7 ALP=1 LOM=1 PRO=1; seat 2 | DIP+REN BOH=3; seat 3 | WEA+MIL")
    found = plans(state, Random(1), policy.trained(), 60)
    ends = [assert_legal(state, plan) for plan in found]
    assert all(first != second for place, first in enumerate(ends) for second in ends[:place])
    assert sum(Decline() in plan.actions for plan in found) == len(state.market)
    assert any(isinstance(plan.actions[0], Abandon) for plan in found)
    assert len(found) > 20


def test_diplomacy_and_renaissance_are_planned() -> None:
    """Plans name different seats for peace; with Renaissance they decline after scoring, for each civilization."""
    state = at("europe; seat 1 | DIP+REN reserve=7 ALP=1; seat 2 | BAR+CUR BOH=3; seat 3 | WEA+MIL MER=2")
    found = plans(state, Random(1), policy.trained(), 30)
    named = {action for plan in found for action in plan.actions if isinstance(action, Peace)}
    assert len(named) == 2
    late = [plan for plan in found if Decline() in plan.actions[1:]]
    assert {plan.actions[-1] for plan in late} == {Take(slot) for slot in range(6)}
    assert any(plan.actions[-1] == Stay() for plan in found)


def test_a_defence_of_the_frontier_is_planned() -> None:
    """Beside an even defence there is one with one pawn in each province that no opponent touches."""
    state = at(
        "europe; seat 1 | BAR+CUR reserve=6 ALP=1 LOM=1 PRO=1 PYR=1; seat 2 | DIP+WEA BAV=3; seat 3 | WEA+MIL POL=1"
    )
    even, frontier = holds(state)
    assert check(state, even) is None
    assert check(state, frontier) is None
    inner = [p for p, pawns in frontier.pawns if pawns == 1]
    assert inner
    assert dict(even.pawns) != dict(frontier.pawns)


def test_equal_simulations_have_equal_results() -> None:
    """A simulation draws from its number alone, and does not change the position."""
    state = new_game(load_board("europe"), options((False, True, True)), FastChance(1))
    before = state.copy()
    first, second = Plan([Take(0)]), Plan([Take(0)])
    for number in (1, 2, 1):
        simulate(state, first, policy.trained(), number)
    for number in (1, 1, 2):
        simulate(state, second, policy.trained(), number)
    assert state == before
    assert first.total == second.total
    assert first.simulations == 3


def test_a_tie_is_no_first_place() -> None:
    """The utility is the lead in VP, with more for the first place alone."""
    state = new_game(load_board("tiny"), options((False,) * 3), FastChance(1))
    state.vp = [20, 25, 25]
    assert [utility(state, seat) for seat in state.seats()] == [-5.0, 0.0, 0.0]
    state.vp = [28, 25, 25]
    assert utility(state, state.seats()[0]) == 13.0


def test_most_simulations_go_to_the_best_plans() -> None:
    """Plans are ranked by their means within each half, and later halves have more simulations."""
    state = new_game(load_board("tiny"), options((False,) * 3, target=20), FastChance(1))
    found = ranked(state, Random(1), policy.trained(), 10, 96)
    assert len(found) == 6
    assert found[0].simulations == max(plan.simulations for plan in found) > found[-1].simulations > 0
    assert 70 <= sum(plan.simulations for plan in found) <= 96
    assert found[0].mean() >= found[1].mean()


def test_a_search_with_a_time_ends() -> None:
    """A search with almost no time returns every plan; a longer one simulates all of them."""
    state = new_game(load_board("tiny"), options((False,) * 3, target=20), FastChance(1))
    assert len(ranked(state, Random(1), policy.trained(), 10, 1, seconds=1e-9)) == 6
    assert all(plan.simulations for plan in ranked(state, Random(1), policy.trained(), 10, 1, seconds=0.3))


def test_plans_without_simulations_come_last() -> None:
    """A search whose time is up in the first pass has some; they must not stand before plans that lose."""
    losing, untried = Plan([]), Plan([])
    losing.total, losing.simulations = -90.0, 1
    assert sorted([untried, losing], key=Plan.mean, reverse=True) == [losing, untried]
