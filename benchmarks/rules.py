"""The rules core, compiled and interpreted: random games, beside those of python-chess and Catanatron.

All list the legal moves, draw one and play it unchecked, to the end of the game. A move of ours is one action of the
protocol. Every round plays the same games. Both builds have a process of their own. Measured in CPU time, so that other
work of the machine counts less.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

import chess

from vinci_rules.core import VARIABLE, digest, is_fresh

from .figures import Figure, Target, medians, rate
from .processes import Process

try:
    from catanatron import game as catan
    from catanatron.models.player import Color, RandomPlayer
except ImportError:
    catan = None

ROOT: Final = Path(__file__).parents[1]
SERVER: Final = ROOT / "server"
SEATS: Final = 4
CHESS_GAMES: Final = 3
CHESS_COPIES: Final = 5_000
CATAN_GAMES: Final = 2
TARGETS: Final = {
    "compiled": (Target(24, of_ratio=True), Target(60, of_ratio=True), Target(0.3, at_most=True)),
    "interpreted": (Target(3.9, of_ratio=True), Target(150), Target(2, at_most=True)),
}
"""The targets of moves, games and copies, by build."""


def figures() -> Iterator[Figure]:
    """Yield moves and games a second, and microseconds for a copy of a position of six seats, for each build."""
    if catan is None:
        print(
            "# no rules.games: the reference is Catanatron, which `pip install -e .[bench]` installs", file=sys.stderr
        )
    with ExitStack() as stack:
        builds = {
            build: stack.enter_context(Process("benchmarks.rules_build", environment=environment))
            for build, environment in environments().items()
        }
        moves_a_game = [float(process.line()) for process in builds.values()]
        references = [partial(rate, work, process_time) for work in (_chess_games, _chess_copies, _catan_games)]
        ours = [partial(asked, process, kind) for process in builds.values() for kind in ("moves", "copies")]
        chess_moves, chess_copies, catan_games, *rates = medians(*references, *ours)
    for build, length in zip(builds, moves_a_game, strict=True):
        moves, copies = rates.pop(0), rates.pop(0)
        of_moves, of_games, of_copy = TARGETS[build]
        yield Figure(f"rules.moves.{build}", moves, "moves/s", chess_moves, of_moves)
        if catan_games:
            yield Figure(f"rules.games.{build}", moves / length, "games/s", catan_games, of_games)
        yield Figure(f"rules.copy.{build}", 1e6 / copies, "us", 1e6 / chess_copies, of_copy)


def environments() -> dict[str, dict[str, str]]:
    """Return the environment of each build; compiled rules are those of `make fast` or of `make check-compiled`."""
    path = [str(folder) for folder in (ROOT, ROOT / "proto", SERVER)]
    found: dict[str, list[str]] = {}
    for folder in (SERVER, ROOT / ".compiled"):
        package = folder / "vinci_rules"
        if not found and is_fresh(package) and digest(package) == digest(SERVER / "vinci_rules"):
            found["compiled"] = [str(folder), *path]
    if not found:
        print("# no compiled rules: `make fast` compiles them, if there is a C compiler", file=sys.stderr)
    found["interpreted"] = path
    return {build: {VARIABLE: build, "PYTHONPATH": os.pathsep.join(folders)} for build, folders in found.items()}


def asked(process: Process, kind: str) -> float:
    """Return the rate that a process measures."""
    process.write(kind)
    return float(process.line())


def _chess_games() -> int:
    return sum(chess_game(Random(seed)) for seed in range(CHESS_GAMES))


def chess_game(random: Random) -> int:
    """Play a random game with python-chess; returns the number of moves."""
    board = chess.Board()
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[int(random.random() * len(moves))])
    return len(board.move_stack)


def _chess_copies() -> int:
    board = chess.Board()
    for _ in range(CHESS_COPIES):
        board.copy(stack=False)
    return CHESS_COPIES


def _catan_games() -> int:
    if catan is None:
        return 0
    for seed in range(CATAN_GAMES):
        catan.Game([RandomPlayer(colour) for colour in list(Color)[:SEATS]], seed=seed).play()
    return CATAN_GAMES
