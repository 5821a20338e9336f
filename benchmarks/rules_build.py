"""A process with one build of the rules, which plays random games and copies positions when it is told to.

It first writes the moves of a game on average; then for each line it reads, `moves` or `copies`, how many it played or
made for each second of CPU time.
"""

import sys
from random import Random
from time import process_time
from typing import Final

from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game
from vinci_rules.playout import playout
from vinci_rules.state import State

from .figures import rate

GAMES: Final = 30
COPIES: Final = 10_000
SEATS: Final = 4


def main() -> None:
    """Answer each line with a rate."""
    print(_moves() / GAMES, flush=True)
    for line in sys.stdin:
        print(rate(_moves if line.strip() == "moves" else _copies, process_time), flush=True)


def _start(seats: int, seed: int) -> State:
    return new_game(load_board("europe"), options((False,) * seats), FastChance(seed))


def _moves() -> int:
    return sum(playout(_start(SEATS, seed), Random(seed)) for seed in range(GAMES))


def _copies() -> int:
    state = _start(6, 1)
    for _ in range(COPIES):
        state.copy()
    return COPIES


if __name__ == "__main__":
    main()
