"""The game in OpenSpiel: its own tests, draws as chance nodes, observations, and one of its players."""

# ruff: noqa: D103  # the name of each test says what it checks

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

import pyspiel
from open_spiel.python import observation
from open_spiel.python.algorithms import generate_playthrough, mcts

from vinci_refusals.wording import Refused
from vinci_rl import openspiel
from vinci_rl.actions import mask

SHORT = {"players": 3, "board": "tiny", "max_rounds": 2}


def play(state: Any, random: np.random.Generator, steps: int = 10_000) -> None:
    """Play at random until the game is over, or for some steps."""
    while steps and not state.is_terminal():
        steps -= 1
        state.apply_action(int(random.choice(state.legal_actions())))


@pytest.mark.parametrize(
    "parameters", [SHORT, {**SHORT, "players": 5, "edition": "FR"}, {"board": "tiny", "target": 15, "edition": "DE"}]
)
def test_random_games_pass_the_tests_of_openspiel(parameters: dict[str, Any]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game("vinci", parameters), num_sims=2, serialize=True, verbose=False)


def test_game_on_the_whole_board_ends_with_returns_that_sum_to_nothing() -> None:
    state = pyspiel.load_game("vinci", {"max_rounds": 2}).new_initial_state()
    play(state, np.random.default_rng(1))
    assert state.is_terminal()
    assert max(state.returns()) == 1
    assert abs(sum(state.returns())) < 1e-9
    assert str(state).startswith("europe; rules standard max_rounds=2;")


def test_playthrough_has_draws_and_actions_by_name() -> None:
    text = generate_playthrough.playthrough("vinci(board=tiny,max_rounds=1,players=3)", None, seed=1)
    assert 'StringLegalActions() = ["draw ' in text
    assert 'StringLegalActions() = ["take 1", "take 2", ' in text
    assert ', "pawn ' in text


def test_draws_are_chance_nodes_of_equal_probability() -> None:
    game = pyspiel.load_game("vinci", SHORT)
    state, random, most = game.new_initial_state(), np.random.default_rng(2), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert [place for place, _ in outcomes] == list(range(len(outcomes)))
            assert np.isclose(sum(share for _, share in outcomes), 1)
            most = max(most, len(outcomes))
        state.apply_action(int(random.choice(state.legal_actions())))
    assert 20 < most <= game.max_chance_outcomes()


def test_state_is_seen_as_by_other_learners_and_a_clone_goes_its_own_way() -> None:
    game = pyspiel.load_game("vinci", SHORT)
    state, random, seen, placed = (
        game.new_initial_state(),
        np.random.default_rng(3),
        observation.make_observation(game),
        0,
    )
    while not state.is_terminal():
        if not state.is_chance_node():
            twin, before, placement = state.clone(), str(state), state.placement
            rules = openspiel.rules_of(SHORT)
            for seat in range(3):
                seen.set_from(state, seat)
                assert np.array_equal(seen.tensor, rules.layout.of(state.state, seat, placement))
            assert state.legal_actions() == np.flatnonzero(mask(state.state, rules.actions, placement)).tolist()
            play(twin, random, 3)
            assert (str(state), state.history() == twin.history()) == (before, False)
            placed += placement.has_begun
        state.apply_action(int(random.choice(state.legal_actions())))
    assert placed > 5


def test_a_player_of_openspiel_plays_a_game() -> None:
    game = pyspiel.load_game("vinci", {**SHORT, "max_rounds": 1})
    random = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 3, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node() or state.current_player():
            state.apply_action(int(random.choice(state.legal_actions())))
        else:
            state.apply_action(bot.step(state))
    assert len(state.returns()) == 3


@pytest.mark.parametrize("wrong", [{"players": 7}, {"edition": "XX"}, {"board": "moon"}])
def test_wrong_parameters_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((Refused, ValueError, pyspiel.SpielError)):
        pyspiel.load_game("vinci", wrong)
