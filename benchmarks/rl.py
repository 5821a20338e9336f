"""Steps of the environments for learners, beside moves of python-chess: all of them random, drawn from what is legal.

A move of chess lists what is legal and plays; a step also writes the observation and the mask.
"""

from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Final

import numpy as np

from vinci_rl import VectorEnv, VinciEnv

from .figures import Figure, Target, rates
from .rules import chess_game

STEPS: Final = 2000
GAMES: Final = 256
BATCHES: Final = 20


def figures() -> Iterator[Figure]:
    """Yield steps a second of one environment and of a batch."""
    one, many = VinciEnv(3), VectorEnv(GAMES)
    one.reset(seed=1)
    many.reset(seed=1)
    alone, batch, chess = rates(lambda: _steps(one), lambda: _batches(many), _chess_games, clock=process_time)
    yield Figure("rl.env", alone, "steps/s", chess, Target(0.5, of_ratio=True))
    yield Figure("rl.vector", batch, "steps/s", chess, Target(50_000))


def _chess_games() -> int:
    return sum(chess_game(Random(seed)) for seed in range(3))


def _steps(env: VinciEnv) -> int:
    random = Random(1)
    for _ in range(STEPS):
        seen, _, is_over, _, _ = env.last()
        if is_over:
            env.reset()
            continue
        legal = seen["action_mask"].nonzero()[0]
        env.step(int(legal[int(random.random() * len(legal))]))
    return STEPS


def _batches(env: VectorEnv) -> int:
    random = np.random.default_rng(1)
    batch = env.reset(seed=1)
    for _ in range(BATCHES):
        batch = env.step((random.random(batch.masks.shape, dtype=np.float32) * batch.masks).argmax(axis=1))
    return BATCHES * GAMES
