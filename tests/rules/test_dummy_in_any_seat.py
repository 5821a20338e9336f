"""The choices of dummies in the place of any seat."""

from random import Random

import pytest

from vinci_rules import dummy
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import EXPANSION_PHASES, check, new_game, play
from vinci_rules.playout import random_action
from vinci_rules.reorganisation import Reorganisation


@pytest.mark.parametrize("edition", EDITIONS)
def test_dummies_can_play_in_the_place_of_any_seat(edition: str) -> None:
    """Choices and drawn advice are legal in random games without dummies, also for split empires with too few pawns."""
    split = 0
    for seed in range(6):
        chance, random = FastChance(seed), Random(seed)
        state = new_game(load_board("europe"), options((False,) * 3, edition), chance)
        while state.phase != "over":
            if state.active[state.actor] is not None and state.phase in EXPANSION_PHASES:
                split += len(Reorganisation(state).parts) > 1
            assert check(state, dummy.choose(state, chance)) is None
            assert check(state, dummy.advise(state, chance)) is None
            assert dummy.advise(state) == dummy.advise(state)
            play(state, random_action(state, random), chance)
    assert split > 20
