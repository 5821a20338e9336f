"""The loop of a program that uses the library, beside that of the rules core on the same games.

Both list the legal actions, draw one and play it checked. Measured in CPU time, in turns.
"""

from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Final

import vinci
from vinci_rules import engine
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import options

from .figures import Figure, Target, rates

SEATS: Final = 4
GAMES: Final = 3


def figures() -> Iterator[Figure]:
    """Yield the actions a second of random games through `import vinci`."""
    mine, core = rates(_library_games, _core_games, clock=process_time)
    yield Figure("library.loop", mine, "actions/s", core, Target(0.8, of_ratio=True))


def _library_games() -> int:
    number = 0
    for seed in range(GAMES):
        game, random = vinci.new_game(SEATS, seed=str(seed)), Random(seed)
        while not game.is_over:
            actions = game.legal_actions()
            game.play(actions[int(random.random() * len(actions))])
            number += 1
    return number


def _core_games() -> int:
    number = 0
    board, rules = load_board("europe"), options((False,) * SEATS)
    for seed in range(GAMES):
        chance, random = FairChance(str(seed)), Random(seed)
        state = engine.new_game(board, rules, chance)
        while state.phase != "over":
            actions = [*engine.legal_actions(state)]
            if engine.open_decision(state) is not None:
                actions.append(engine.suggestion(state))
            engine.apply(state, actions[int(random.random() * len(actions))], chance)
            number += 1
    return number
