"""A process with one build of the rules and the players, which plays and copies positions when it is told to.

It first writes the moves of a random game on average; then for each line it reads, a key of WORK, how many of these it
played or made for each second of CPU time.
"""

import sys
from random import Random
from time import process_time
from typing import Final

from vinci_players import policy
from vinci_players.plans import Plan
from vinci_players.search import simulate
from vinci_rules.actions import Take
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game
from vinci_rules.playout import playout
from vinci_rules.state import State

from .figures import Work, rate

GAMES: Final = 30
POLICY_GAMES: Final = 20
COPIES: Final = 10_000
SEATS: Final = 4


def main() -> None:
    """Answer each line with a rate."""
    print(_moves() / GAMES, flush=True)
    for line in sys.stdin:
        print(rate(WORK[line.strip()], process_time), flush=True)


def _start(seats: int, seed: int) -> State:
    return new_game(load_board("europe"), options((False,) * seats), FastChance(seed))


def _moves() -> int:
    return sum(playout(_start(SEATS, seed), Random(seed)) for seed in range(GAMES))


def _copies() -> int:
    state = _start(6, 1)
    for _ in range(COPIES):
        state.copy()
    return COPIES


def _turns() -> int:
    """Play games by the policy alone."""
    turns = 0
    for seed in range(POLICY_GAMES):
        state, chance, random = _start(SEATS, seed), FastChance(seed), Random(seed)
        while state.phase != "over":
            policy.quick_turn(state, chance, random, policy.trained())
            turns += 1
    return turns


def _simulations() -> int:
    """Simulate games from their beginning."""
    plan = Plan([Take(0)])
    for seed in range(POLICY_GAMES):
        simulate(_start(SEATS, seed), plan, policy.simulating(), seed)
    return POLICY_GAMES


WORK: Final[dict[str, Work]] = {"moves": _moves, "copies": _copies, "turns": _turns, "simulations": _simulations}


if __name__ == "__main__":
    main()
