"""Steps of the environments for learners, beside those of PettingZoo's chess: all of them random, from what is legal.

Without pygame, which that needs (the extra `bench`), beside moves of python-chess. Catanatron has no environment in its
package.
"""

from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any, Final

import numpy as np
from pettingzoo import AECEnv

from vinci_rl import VectorEnv, VinciEnv

from .figures import Figure, Target, rates
from .rules import chess_game

try:
    from pettingzoo.classic import chess_v6
except ImportError:
    chess_v6 = None

STEPS: Final = 2000
GAMES: Final = 256
BATCHES: Final = 20


def figures() -> Iterator[Figure]:
    """Yield steps a second of one environment and of a batch."""
    one, many, chess = VinciEnv(3), VectorEnv(GAMES), chess_v6 and chess_v6.env()
    for env in filter(None, (one, many, chess)):
        env.reset(seed=1)
    peer = _chess_games if chess is None else lambda: _steps(chess, STEPS // 10)
    alone, batch, theirs = rates(lambda: _steps(one, STEPS), lambda: _batches(many), peer, clock=process_time)
    yield Figure("rl.env", alone, "steps/s", theirs, Target(5 if chess else 0.5, of_ratio=True))
    yield Figure("rl.vector", batch, "steps/s", theirs, Target(50_000))


def _chess_games() -> int:
    return sum(chess_game(Random(seed)) for seed in range(3))


def _steps(env: AECEnv[Any, Any, Any], number: int) -> int:
    random = Random(1)
    for _ in range(number):
        seen, _, is_over, is_cut, _ = env.last()
        if is_over or is_cut:
            env.reset()
            continue
        legal = seen["action_mask"].nonzero()[0]
        env.step(int(legal[int(random.random() * len(legal))]))
    return number


def _batches(env: VectorEnv) -> int:
    random = np.random.default_rng(1)
    batch = env.reset(seed=1)
    for _ in range(BATCHES):
        batch = env.step((random.random(batch.masks.shape, dtype=np.float32) * batch.masks).argmax(axis=1))
    return BATCHES * GAMES
