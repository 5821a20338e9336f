"""Random games: what they draw is legal, and they end."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from tests.support.rules import at
from vinci_rules import dummy, notation
from vinci_rules.actions import Action
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import check, legal_actions, new_game, play
from vinci_rules.playout import advised_action, playout, random_action, random_hold
from vinci_rules.state import State


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 6])
def test_every_action_that_is_drawn_is_legal(edition: str, seats: int) -> None:
    """In every edition, from the first choice to the end."""
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
        found = set()
        for seed in range(4):
            state = start.copy()
            playout(state, Random(seed), policy)
            found.add(tuple(state.vp))
        return found

    def checked(state: State, random: Random) -> Action:
        action = advised_action(state, random)
        assert check(state, action) is None, (action, check(state, action))
        return action

    assert len(scores(lambda state, _: dummy.advise(state))) == 1
    assert len(scores(checked)) > 1


def test_what_is_listed_is_drawn_as_often_as_the_rest() -> None:
    """Ten listed actions and a free one: each is drawn about as often as the others."""
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
