"""Random games: what they draw is legal, and they end."""

from collections import Counter
from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from tests.support.rules import at
from vinci_rules import dummy, notation, position
from vinci_rules.actions import Action
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import check, legal_actions, new_game, play
from vinci_rules.playout import (
    WIN,
    Policy,
    Tally,
    advice,
    advised_action,
    playout,
    playouts,
    random_action,
    random_hold,
)
from vinci_rules.state import State


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 6])
def test_random_actions_are_legal(edition: str, seats: int) -> None:
    """Random actions are legal in every edition, from the first choice to the end."""
    random, chance = Random(seats), FastChance(1)
    state = new_game(load_board("tiny"), options((False,) * (seats - 1) + (True,), edition, target=40), chance)
    while state.phase != "over":
        action = random_action(state, random)
        assert check(state, action) is None, (action, check(state, action))
        play(state, action, chance)


def test_a_game_is_played_to_its_end_and_the_same_seed_plays_it_again() -> None:
    """Check that a playout ends, returns its number of actions, and repeats with the same seed."""
    first, second = (new_game(load_board("europe"), options((False,) * 4), FastChance(1)) for _ in range(2))
    assert playout(first, Random(7)) == playout(second, Random(7)) > 0
    assert first == second
    assert first.phase == "over"


def test_advised_actions_are_legal_and_their_playouts_differ() -> None:
    """On Europe with three seats all playouts by advice alone end alike; with noise they do not."""
    start = new_game(load_board("europe"), options((False,) * 3), FastChance(1))
    for _ in range(20):
        play(start, dummy.advise(start), FastChance(1))

    def scores(policy: Callable[[State, Random], Action]) -> set[tuple[int, ...]]:
        results = set()
        for seed in range(4):
            state = start.copy()
            playout(state, Random(seed), policy)
            results.add(tuple(state.vp))
        return results

    def checked(state: State, random: Random) -> Action:
        action = advised_action(state, random)
        assert check(state, action) is None, (action, check(state, action))
        return action

    assert len(scores(lambda state, _: dummy.advise(state))) == 1
    assert len(scores(checked)) > 1


def test_all_actions_are_drawn_about_equally_often() -> None:
    """Ten listed actions and an open one are each drawn about equally often."""
    state = at("tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA")
    listed = len(legal_actions(state))
    random = Random(1)
    drawn = Counter(
        notation.write(random_action(state, random), state.board).split(" ARA=")[0] for _ in range(200 * (listed + 1))
    )
    assert len(drawn) == listed + 1
    assert all(150 < times < 250 for times in drawn.values()), drawn


def test_with_fewer_pawns_than_land_a_connected_part_of_it_is_kept() -> None:
    """R-REORG-2, R-REORG-3: as many provinces as pawns, whichever."""
    state = at(
        "tiny; turn 1 conquer; seat 1 | WEA+GEN reserve=7 ARA=1 BOS=1 COL=1 FEN=0; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    )
    random = Random(1)
    kept = {tuple(p for p, _ in random_hold(state, random).pawns) for _ in range(50)}
    assert {len(provinces) for provinces in kept} == {3}
    assert len(kept) > 1
    for _ in range(20):
        assert check(state, random_hold(state, random)) is None


SHORT = (
    "tiny; rules standard max_rounds=6; round 0; order 4 2 1 3; seat 1; seat 2 dummy; seat 3; seat 4 dummy; "
    "market BAR+SLA MED+MIN* MES+AGR MIL+AST WEA+SPI GEN+LIV"
)
"""Two players and two dummies before the opening draft."""
GOLDEN_RANDOM = (60, [1031, 1002, 1146, 1035], [-502, -565, -333, -486], [900, 660, 990, 1050])
GOLDEN_ADVICE = (60, [1515, 2314, 1531, 2014], [-799, 300, -783, -300], [0, 3600, 0, 0])


def sums(tally: Tally) -> tuple[int, list[int], list[int], list[int]]:
    """Return all that a tally has counted."""
    return tally.playouts, tally.vp, tally.margins, tally.wins


@pytest.mark.parametrize("policy", [None, random_action, advice, advised_action])
@pytest.mark.parametrize("depth", [None, 0, 2])
def test_playouts_sum_up_single_ones(policy: Policy | None, depth: int | None) -> None:
    """In parts or at once; the position stays as it is, and wins are shared."""
    start = at(SHORT)
    whole = playouts(start, 20, "sums", policy, depth)
    parts = playouts(start, 5, "sums", policy, depth, first=15)
    parts.join(playouts(start, 15, "sums", policy, depth))
    assert sums(whole) == sums(parts)
    assert start == at(SHORT)
    assert sum(whole.wins) == 20 * WIN
    assert sum(whole.win_shares()) == pytest.approx(1)
    assert whole.mean_vp() == [vp / 20 for vp in whole.vp]
    if policy is not advice:  # its playouts are all alike here
        assert (sums(playouts(start, 20, "other", policy, depth)) == sums(whole)) == (depth == 0)


def test_depth_ends_playouts_between_rounds() -> None:
    """All seats have had equally many turns; a game that ends earlier is over."""
    for depth in range(8):
        state = at(SHORT)
        playout(state, Random(depth), depth=depth)
        if depth > 6:
            assert state.phase == "over"
        else:
            assert (state.round, state.turn) == (depth, 0)
            assert state.phase == ("draft" if depth == 0 else "start")


def test_dummies_can_play_by_their_rules() -> None:
    """With this option the policy is asked for the other seats only."""
    for dummies in (False, True):
        asked: set[int] = set()

        def policy(state: State, random: Random, asked: set[int] = asked) -> Action:
            asked.add(state.actor)
            return random_action(state, random)

        playout(at(SHORT), Random(1), policy, dummies=dummies)
        assert asked == ({0, 2} if dummies else {0, 1, 2, 3})


def test_playouts_can_begin_with_an_action() -> None:
    """The same as in the position after it, where that draws nothing."""
    start = at("tiny; rules standard max_rounds=2; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA")
    action = notation.read("x COL", start.board)
    after = start.copy()
    play(after, action, FastChance(1))
    assert sums(playouts(start, 10, "x", action=action)) == sums(playouts(after, 10, "x"))
    assert sums(playouts(start, 10, "x", action=action)) != sums(playouts(start, 10, "x"))


def test_a_playout_that_is_cut_short_by_time_does_not_count() -> None:
    """Only those that ended tell something."""
    calls = count()
    tally = playouts(at(SHORT), 50, "x", is_up=lambda: next(calls) > 100)
    assert 0 < tally.playouts < 50
    assert sums(tally) == sums(playouts(at(SHORT), tally.playouts, "x"))
    assert playouts(at(SHORT), 50, "x", is_up=lambda: True).playouts == 0


def test_empty_tally_has_no_means() -> None:
    """Without a playout the means are undefined."""
    tally = Tally(3)
    assert (tally.mean_vp(), tally.win_shares()) == ([], [])
    with pytest.raises(ZeroDivisionError):
        tally.margin(at(SHORT).seats()[0])


def test_playouts_match_published_results() -> None:
    """Results for a seed are published: these are those of version 0.1."""
    start = position.read(SHORT)
    assert sums(playouts(start, 60, "golden")) == GOLDEN_RANDOM
    assert sums(playouts(start, 60, "golden", advice, dummies=True)) == GOLDEN_ADVICE
