"""Asks about impossible actions and positions and prints a digest of the answers, to compare builds of the rules.

Run as `python -m tests.support.compiled.impossible SEED QUESTIONS`: games from this seed on until so many questions are
asked; in each position actions with numbers out of any range, and texts like that of the position with words changed.
"""

import hashlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, count, islice
from random import Random
from typing import Any, Final

from vinci_rules import core, position
from vinci_rules.actions import Abandon, Conquer, Decline, Forfeit, Hold, Peace, Placement, Redeploy, Stay, Take
from vinci_rules.board import Province, load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import check, new_game, play
from vinci_rules.playout import random_action
from vinci_rules.state import State

NUMBERS: Final = (
    -(2**100), -(2**63), -(2**62) - 1, -65, -64, -1, 0, 1, 2, 3, 5, 6, 7, 17, 31, 44, 45, 62, 63, 64, 65, 99, 1000,
    2**31, 2**32, 2**61, 2**62, 2**62 + 1, 2**63 - 1, 2**63, 2**64, 2**100,
)  # fmt: skip
OBJECTS: Final = (None, "ALP", 1.5, b"1", (1,), [1], object, -1.0, True)
WORDS: Final = (
    ";", "|", "seat", "round", "turn", "order", "market", "neutral", "fills", "rules", "-", "=", "^", "dummy", "peace=9", "vp=-1",
    "reserve=99999999999999999999", "turn 9", "1 2 3 4 5 6 7", "conquer", "redeploy=7", "WEA+WEA", "ALP=0", "ALP=99999", "\x00", "é",
)  # fmt: skip
ROUNDS: Final = 12
"""Rounds of a game that are asked about; later ones bring little that is new."""
TIMES: Final = 5
"""Actions of each kind, and changed texts, in each position."""


def number(random: Random) -> int:
    """Return a number, half of the time one that could be a province."""
    return random.randrange(46) if random.random() < 0.5 else random.choice(NUMBERS)


def pairs(random: Random) -> Placement:
    """Return pawns by province of up to five provinces."""
    return tuple(
        (Province(number(random)), random.choice((1, 1, 2, number(random)))) for _ in range(random.randrange(6))
    )


def actions(random: Random) -> Iterator[Any]:
    """Yield one action of each kind with random numbers, whatever they mean."""
    kinds: tuple[Any, ...] = (Take, Peace, Abandon, Forfeit)
    yield from (kind(number(random)) for kind in kinds)
    yield Conquer(Province(number(random)), random.random() < 0.5)
    yield Hold(pairs(random), tuple(Province(number(random)) for _ in range(random.randrange(3))))
    yield Redeploy(pairs(random))
    yield from (Decline(), Stay())


def answer(state: State, action: Any) -> str:
    """Return the violation, or the error with its text."""
    try:
        return repr(check(state, action))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def changed(text: str, random: Random) -> str:
    """Return the text of a position with some words replaced, inserted or removed."""
    words = text.split(" ")
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(words))
        words[place : place + random.randrange(3)] = random.choices(words + list(WORDS), k=random.randrange(3))
    return " ".join(words)


def answers(state: State, random: Random) -> Iterator[str]:
    """Yield an answer for one action of each kind."""
    for action in actions(random):
        yield answer(state, action)


def readings(text: str, random: Random) -> Iterator[str]:
    """Yield the position that is read with answers in it, or the error with its text."""
    try:
        state = position.read(text)
    except Exception as error:
        yield f"{type(error).__name__}: {error}"
    else:
        yield position.write(state)
        yield from answers(state, random)


def ill_typed(state: State, random: Random) -> None:
    """Ask about values of other types; any exception will do, as long as the process lives."""
    kinds: tuple[Any, ...] = (Take, Peace, Abandon, Conquer, Hold, Redeploy, Forfeit)
    value: Any = random.choice(OBJECTS)
    for kind in kinds:
        with suppress(Exception):
            check(state, kind(value))
    with suppress(Exception):
        check(state, value)
    with suppress(Exception):
        check(value, Decline())
    with suppress(Exception):
        position.read(value)


def questions(seed: int) -> Iterator[str]:
    """Play a random game and yield the answers to questions in its positions."""
    random, chance = Random(seed), FastChance(seed)
    state = new_game(load_board("europe" if seed % 4 else "tiny"), options((False,) * (3 + seed % 4)), chance)
    while state.phase != "over" and state.round < ROUNDS:
        for _ in range(TIMES):
            yield from answers(state, random)
            yield from readings(changed(position.write(state), random), random)
        ill_typed(state, random)
        play(state, random_action(state, random), chance)


def main() -> None:
    """Print the core, how many questions were asked, and the digest of the answers."""
    seed, wanted = map(int, sys.argv[1:])
    digest = hashlib.sha256()
    asked = islice(chain.from_iterable(map(questions, count(seed))), wanted)
    for line in asked:
        digest.update(line.encode() + b"\n")
    sys.stdout.write(f"{core.active()} {wanted} {digest.hexdigest()}\n")


if __name__ == "__main__":
    main()
