"""Searches for plans in many positions and prints one digest over them, to compare compiled players with their sources.

Run as `python -m tests.support.compiled.searches FIRST END`: games FIRST to END - 1.
"""

import hashlib
import sys
from random import Random

from vinci_players import policy, search
from vinci_players.policy import Policy
from vinci_rules import core
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import new_game


def searched(number: int) -> str:
    """Play a game by the policy, with a search for the first turn of each round; return the plans and their utilities."""
    random, weights = Random(number), policy.trained()
    seats = 3 + number % 4
    dummies = tuple(seat > 0 and number % 3 == 0 for seat in range(seats))
    chance = FastChance(number)
    state = new_game(load_board("europe"), options(dummies, EDITIONS[number % len(EDITIONS)]), chance)
    found: list[str] = []
    while state.phase != "over":
        plans = search.ranked(state, random, weights, 3, 6)
        found += [f"{plan.actions} {plan.total} {plan.simulations}" for plan in plans]
        policy.quick_turn(state, chance, random, weights)
        policy.play_on(state, chance, random, weights, 1.0, state.round + 1)
    return "\n".join(found)


def misused() -> str:
    """Return what the players answer after the end of a game, and to weights that are too few."""
    answers: list[str] = []
    state, random, chance = new_game(load_board("tiny"), options((False,) * 3), FastChance(1)), Random(1), FastChance(1)
    policy.play_on(state, chance, random, policy.trained(), 1.0)
    begun = new_game(load_board("tiny"), options((False,) * 3), chance)
    for misuse in (
        lambda: search.ranked(state, random, policy.trained(), 1, 1),
        lambda: policy.choose(state, random, policy.trained(), 0.0),
        lambda: policy.take(begun, random, Policy([], [], []), 1.0),
    ):
        try:
            answers.append(str(misuse()))
        except (ValueError, IndexError) as error:
            answers.append(f"{type(error).__name__}: {error}")
    return "\n".join(answers)


def main() -> None:
    """Print the core and the digest."""
    first, end = map(int, sys.argv[1:])
    texts = [*map(searched, range(first, end)), misused()]
    sys.stdout.write(f"{core.active()} {hashlib.sha256(''.join(texts).encode()).hexdigest()}\n")


if __name__ == "__main__":
    main()
