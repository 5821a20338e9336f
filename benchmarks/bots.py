"""The built-in bots: recorded games in one process, beside python-chess's random games.

Measured in CPU time, so that other work of the machine counts less. Both sides play a fixed number of games.
"""

from collections.abc import Iterator
from functools import partial
from random import Random
from time import process_time

from vinci_bots.builtin import selfplay
from vinci_rules.board import load_board
from vinci_rules.editions import options

from .figures import Figure, Target, rates
from .rules import CHESS_GAMES, chess_game

SEATS = 4
DUMMY_GAMES = 40
GREEDY_GAMES = 1


def figures() -> Iterator[Figure]:
    """Games of four dummies and of four `greedy` with their records for each second of CPU time."""
    for name, number, target in (("dummy", DUMMY_GAMES, 250), ("greedy", GREEDY_GAMES, 1)):
        rate, chess_rate = rates(partial(_games, name, number), _chess_games, clock=process_time)
        yield Figure(f"bots.{name}", rate, "games/s", chess_rate, Target(target))


def _games(name: str, number: int) -> int:
    settings = options((name == "dummy",) * SEATS)
    return sum(1 for _ in selfplay.games([name] * SEATS, load_board("europe"), settings, number, "bench"))


def _chess_games() -> int:
    for seed in range(CHESS_GAMES):
        chess_game(Random(seed))
    return CHESS_GAMES
