"""Plays random games and prints one digest over the hashes of their records, to compare compiled rules with their sources.

Run as `python -m tests.support.compiled.games FIRST END`: games FIRST to END - 1.
"""

import hashlib
import sys
from random import Random

from vinci_rules import core, dummy, notation, position
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance, RecordingChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import apply, check, new_game
from vinci_rules.playout import advised_action, random_action
from vinci_rules.record import action_line, chained, result_line, start_line
from vinci_rules.state import State
from vinci_rules.validity import faults


def played(number: int) -> str:
    """Play a game and return the hash of its record: boards, editions, seats, dummies and players vary by number."""
    random = Random(number)
    seats = 3 + number % 4
    dummies = tuple(seat > 0 and number % 7 == seat for seat in range(seats))
    settings = {"max_rounds": "6"} if number % 5 else {}
    rules = options(dummies, EDITIONS[number % len(EDITIONS)], **settings)
    chance = RecordingChance(FastChance(number))
    state = new_game(load_board("europe" if number % 3 else "tiny"), rules, chance)
    hashed = str(start_line(state, chance.picks)["hash"])
    actions = 0
    while state.phase != "over":
        seat, before = state.actor, len(chance.picks)
        if dummies[seat]:
            action = dummy.choose(state, chance)
        else:
            action = advised_action(state, random) if number % 4 == 0 else random_action(state, random)
        rolls = chance.picks[before:]
        assert check(state, action) is None
        before = len(chance.picks)
        apply(state, action, chance, [])
        actions += 1
        line = action_line(actions, seat, "bot", notation.write(action, state.board), chance.picks[before:], rolls)
        hashed = chained(line, hashed, state)["hash"]
    assert same(state)
    return str(result_line(hashed, state)["hash"])


def same(state: State) -> bool:
    """Return whether a copy and what is read from its text equal a position without faults."""
    return not faults(state) and state == state.copy() == position.read(position.write(state))


def main() -> None:
    """Print the core and the digest."""
    first, end = map(int, sys.argv[1:])
    digest = hashlib.sha256("\n".join(map(played, range(first, end))).encode()).hexdigest()
    sys.stdout.write(f"{core.active()} {digest}\n")


if __name__ == "__main__":
    main()
