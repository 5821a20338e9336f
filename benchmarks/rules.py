"""The rules core: random games in one process, beside python-chess's.

Both sides list all legal moves, draw one with the same generator and play it unchecked, to the end of the game. A move
of ours is one action of the protocol. Every round plays the same games.
"""

from collections.abc import Iterator
from random import Random

import chess

from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game
from vinci_rules.playout import playout
from vinci_rules.state import State

from .figures import Figure, Target, rates

GAMES = 80
CHESS_GAMES = 12
COPIES = 20_000


def figures() -> Iterator[Figure]:
    """Moves and games a second, and microseconds for a copy of a position."""
    rate, chess_rate = rates(_games, _chess_games)
    yield Figure("rules.moves", rate, "moves/s", chess_rate, Target(5, of_ratio=True))
    games, chess_games = rate * GAMES / _games(), chess_rate * CHESS_GAMES / _chess_games()
    yield Figure("rules.games", games, "games/s", chess_games, Target(150))
    copies, chess_copies = rates(_copies, _chess_copies)
    yield Figure("rules.copy", 1e6 / copies, "us", 1e6 / chess_copies, Target(2, at_most=True))


def _start(seats: int, seed: int) -> State:
    return new_game(load_board("europe"), options((False,) * seats), FastChance(seed))


def _games() -> int:
    return sum(playout(_start(4, seed), Random(seed)) for seed in range(GAMES))


def _chess_games() -> int:
    return sum(chess_game(Random(seed)) for seed in range(CHESS_GAMES))


def chess_game(random: Random) -> int:
    """Play a random game with python-chess; returns the number of moves."""
    board = chess.Board()
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[int(random.random() * len(moves))])
    return len(board.move_stack)


def _copies() -> int:
    state = _start(6, 1)
    for _ in range(COPIES):
        state.copy()
    return COPIES


def _chess_copies() -> int:
    board = chess.Board()
    for _ in range(COPIES):
        board.copy(stack=False)
    return COPIES
