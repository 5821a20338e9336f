"""Batches of games: each game is that of a single environment."""

import numpy as np
import pytest

from vinci_rl import Observations, VectorEnv
from vinci_rl.actions import mask
from vinci_rl.environment import rewards_of
from vinci_rules import engine


@pytest.mark.parametrize(("seats", "reward"), [(3, "rank"), (5, "margin")])
def test_rows_are_those_of_single_games(seats: int, reward: str) -> None:
    """Observation, mask and seat of each row; rewards where a game has ended, and a new game in its place."""
    env = VectorEnv(8, seats, board="tiny", target=25, reward=reward)  # type: ignore[arg-type]
    batch, random = env.reset(seed=1), np.random.default_rng(1)
    single, ended = Observations(env.actions.board, seats), 0
    for _ in range(300):
        states = [state.copy() for state in env._states]
        for game, (state, placement) in enumerate(zip(states, env._placements, strict=True)):
            seen = single.of(state, state.actor, placement)
            assert np.array_equal(batch.observations[game], seen)
            assert np.array_equal(batch.masks[game], mask(state, env.actions, placement))
            assert batch.seats[game] == state.actor
        chosen = (random.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        before = list(env._states)
        batch = env.step(chosen)
        for game in np.flatnonzero(batch.ended).tolist():
            over = before[game]
            assert over.phase == "over"
            worth = rewards_of(over.vp, engine.ranks(over), reward)  # type: ignore[arg-type]
            assert np.allclose(batch.rewards[game], worth)
            assert env._states[game].round == 0
            ended += 1
        assert not batch.rewards[~batch.ended].any()
    assert ended > 2


def test_seed_decides_the_games() -> None:
    """Equal seeds give equal batches, another one others."""
    batches = []
    for seed in (1, 1, 2):
        env = VectorEnv(4, board="tiny")
        batch = env.reset(seed=seed)
        for _ in range(50):
            batch = env.step(batch.masks.argmax(axis=1))
        batches.append(batch.observations)
    assert np.array_equal(batches[0], batches[1])
    assert not np.array_equal(batches[0], batches[2])


def test_mistakes_are_refused() -> None:
    """Nothing is played in any game if one action is illegal."""
    with pytest.raises(ValueError, match="games is 0"):
        VectorEnv(0)
    env = VectorEnv(2, board="tiny")
    batch = env.reset(seed=1)
    before = [state.copy() for state in env._states]
    with pytest.raises(ValueError, match="stay is not legal in game 1"):
        env.step([int(batch.masks[0].argmax()), env.actions.stay])
    for wrong in ([0], [0, -1], [0, env.actions.size]):
        with pytest.raises(ValueError, match="actions are 2 numbers from 0 to "):
            env.step(wrong)
    assert env._states == before
