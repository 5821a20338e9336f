"""Fingerprints of positions are equal if and only if the texts of the positions are."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from tests.support.rules import at
from vinci_rules import notation, position
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import legal_actions, new_game, play
from vinci_rules.fingerprint import fingerprint
from vinci_rules.playout import random_action
from vinci_rules.state import State

START = "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
GOLDEN = 8383793155328301153


def positions(games: int, seed: int) -> Iterator[State]:
    """Yield all positions of random games, some of which start alike."""
    for number in range(games):
        random, chance = Random(seed + number), FastChance(seed + number // 4)
        seats = 3 + number % 4
        dummies = tuple(seat < number % 3 for seat in range(seats))
        board = load_board(("tiny", "europe")[number % 3 > 0])
        state = new_game(board, options(dummies, EDITIONS[number // 4 % len(EDITIONS)], max_rounds=12), chance)
        while state.phase != "over":
            yield state
            play(state, random_action(state, random), chance)
        yield state


def check_positions(games: int, seed: int) -> int:
    """Check that texts and fingerprints are different for the same positions; return the number of texts."""
    texts: dict[str, int] = {}
    for state in positions(games, seed):
        text, number = position.write(state), fingerprint(state)
        assert 0 <= number < 2**64
        assert texts.setdefault(text, number) == number
    assert len(set(texts.values())) == len(texts)
    return len(texts)


def test_texts_and_fingerprints_are_equal_for_the_same_positions() -> None:
    """In random games of all editions and numbers of seats."""
    assert check_positions(40, 1) > 4_000


@pytest.mark.slow
def test_fingerprints_of_a_hundred_thousand_positions_are_distinct() -> None:
    """The probability of a collision among them is one in four thousand million."""
    assert check_positions(1_000, 2) > 100_000


def test_fingerprint_depends_on_the_text_only() -> None:
    """Cached values of a state do not change its fingerprint."""
    for number, state in enumerate(positions(12, 3)):
        if number % 5 == 0:
            legal_actions(state)  # fills caches
            assert fingerprint(position.read(position.write(state))) == fingerprint(state) == fingerprint(state.copy())


def test_order_of_conquests_does_not_change_the_fingerprint() -> None:
    """Transpositions are recognised by equal fingerprints."""
    positions = set()
    for order in permutations(("x COL", "x BOS", "x FEN")):
        state = at(START)
        for typed in order:
            play(state, notation.read(typed, state.board), FastChance(1))
        positions.add(fingerprint(state))
    assert len(positions) == 1


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("tiny; ", "tiny; rules standard max_rounds=5; "),
        ("tiny; ", "tiny; round 2; "),
        ("tiny; ", "tiny; round 1 reached; "),
        ("tiny; ", "tiny; order 1 3 2; "),
        ("tiny; ", "tiny; turn 1 abandon; "),
        ("tiny; ", "tiny; fills 7; "),
        ("tiny; ", "tiny; neutral COL; "),
        ("tiny; ", "tiny; market GEN+SLA MED+MES LIV+REN HER+MOU AST+SPI AGR+FOR; "),
        ("tiny; ", "tiny; market GEN+SLA:1 MED+MES LIV+REN HER+MOU AST+SPI AGR+FOR; "),
        ("tiny; ", "tiny; market MED+MES GEN+SLA LIV+REN HER+MOU AST+SPI AGR+FOR; "),
        ("tiny; ", "tiny; market SLA+GEN MED+MES LIV+REN HER+MOU AST+SPI AGR+FOR; "),
        ("reserve=9 ARA;", "reserve=8 ARA;"),
        ("reserve=9 ARA;", "reserve=9 BOS;"),
        ("reserve=9 ARA;", "reserve=9 ARA^;"),
        ("reserve=9 ARA;", "reserve=9 ARA | - HAM;"),
        ("reserve=9 ARA;", "reserve=9 ARA | MIN* HAM;"),
        ("seat 2 |", "seat 2 dummy |"),
        ("seat 2 |", "seat 2 vp=11 |"),
        ("seat 2 |", "seat 2 forfeited=1 |"),
        ("seat 2 | BAR+CUR", "seat 2 peace=3 | BAR+DIP"),
        ("seat 2 | BAR+CUR", "seat 2 | BAR+DIP"),
        ("seat 2 | BAR+CUR", "seat 2 | CUR+BAR"),
    ],
)
def test_every_fact_changes_the_fingerprint(text: str, other: str) -> None:
    """The facts include the seat to act, the market, and the bag by the traits that are out of it."""
    assert text in START
    assert fingerprint(at(START.replace(text, other))) != fingerprint(at(START))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("conquer", "conquer spied=1"),
        ("conquer", "conquer eliminated=2"),
        ("survivors=1", ""),
        ("ARA=1", "ARA=2"),
        ("seat 3", "seat 3 must_decline"),
    ],
)
def test_facts_of_a_turn_change_the_fingerprint(text: str, other: str) -> None:
    """They do so until the turn ends."""
    turn = (
        "tiny; rules standard landless_empire=auto_decline; turn 1 conquer; seat 1 | SLA+SPI reserve=3 ARA=1 COL; "
        "seat 2 survivors=1 | BAR+CUR HAM; seat 3 | AST+MED"
    )
    assert text in turn
    assert fingerprint(at(turn.replace(text, other))) != fingerprint(at(turn))


def test_fingerprints_are_the_same_in_every_process() -> None:
    """Fingerprints can be stored: these are those of version 0.2."""
    program = (
        f"from vinci_rules import position, fingerprint\nprint(fingerprint.fingerprint(position.read({START!r})))\n"
    )
    for seed in ("1", "2"):
        output = subprocess.run(
            [sys.executable, "-P", "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        assert int(output.stdout) == fingerprint(at(START)) == GOLDEN
