"""Effects of traits and pairs of traits on the result of a seat, adjusted for bot, seat and turn of taking.

A seat of a game is an observation. Its result is explained by its bot, its place in the order of play, the turns in
which it took civilizations, and how often it took each trait. See docs/balance.md, Method.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np

from vinci_rules.traits import KINDS

from .facts import GameFacts
from .inference import Array, Measured

CODES: Final = tuple(kind.code for kind in KINDS)
TURNS: Final = (0, 3, 6)
"""Last rounds of the groups of turns, beside the group of all later ones: the opening draft, rounds 1 to 3, 4 to 6."""

OUTCOMES: Final = ("worth", "margin", "win")
"""Results of a seat: VP ahead of the mean of the others with all prices given back, the same as played, win share."""

OUTCOMES_OF_PAIRS: Final = OUTCOMES[:2]
"""A pair is taken too seldom for an interval of its wins: a few seats that all lose look certain."""

FEWEST_BLOCKS: Final = 20
"""Fewest blocks of an arm from which effects are estimated."""
FEWEST_ROWS: Final = 3
"""Fewest observations for each column."""
FEWEST_OF_PAIR: Final = 10
"""Fewest blocks in which a pair was taken."""
RIDGE: Final = 1e-3
"""Keeps the equations regular: the traits of a seat are twice its civilizations."""


class Effects(NamedTuple):
    """Effects of an arm by outcome."""

    traits: dict[str, Measured]
    pairs: dict[str, Measured]


def effects_of(games: Sequence[GameFacts]) -> Effects | None:
    """Return the effects of traits and pairs; None if there are too few games.

    That of a trait is relative to the mean of all traits that were taken, that of a pair to the sum of its traits.
    Games of tables of different sizes have different blocks.
    """
    blocks = np.repeat([game.block for game in games], [len(game.vp) for game in games])
    numbers = tuple(sorted(set(blocks.tolist())))
    taken = _counts(games, {(code,): place for place, code in enumerate(CODES)})
    rows = np.hstack([taken, _adjustments(games)])
    if len(numbers) < FEWEST_BLOCKS or len(rows) < FEWEST_ROWS * rows.shape[1]:
        return None
    results = _results(games)
    inverse = np.asarray(np.linalg.inv(rows.T @ rows + RIDGE * np.eye(rows.shape[1])), dtype=np.float64)
    fitted = inverse @ rows.T @ results
    left = results - rows @ fitted
    influence = np.stack([_influence(inverse, rows[blocks == block], left[blocks == block]) for block in numbers])
    shares = taken.sum(axis=0) / taken.sum()
    centre = np.eye(len(CODES)) - shares
    value, moved = centre @ fitted[: len(CODES)], centre @ influence[:, : len(CODES)]
    present = np.stack([taken[blocks == block].sum(axis=0) > 0 for block in numbers])
    traits = {
        outcome: Measured(CODES, numbers, value[:, place], moved[:, :, place], present)
        for place, outcome in enumerate(OUTCOMES)
    }
    return Effects(traits, _pairs(games, blocks, numbers, rows, inverse, left))


def _influence(inverse: Array, rows: Array, left: Array) -> Array:
    """Return the fitted values minus those without the rows of a block, whose residuals are `left`."""
    reach = np.eye(len(rows)) - rows @ inverse @ rows.T
    influence: Array = inverse @ rows.T @ np.linalg.solve(reach, left)
    return influence


def _pairs(
    games: Sequence[GameFacts], blocks: Array, numbers: tuple[int, ...], rows: Array, inverse: Array, left: Array
) -> dict[str, Measured]:
    """Return the effect of each pair, added by itself to the model of single traits."""
    seen: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
    for game in games:
        for taking in game.takings:
            seen[taking.traits].add(game.block)
    pairs = [pair for pair in combinations_with_replacement(sorted(CODES), 2) if len(seen[pair]) >= FEWEST_OF_PAIR]
    counts = _counts(games, {pair: place for place, pair in enumerate(pairs)})
    counts -= rows @ (inverse @ (rows.T @ counts))  # what single traits do not explain
    place_of = np.searchsorted(numbers, blocks)
    left = left[:, : len(OUTCOMES_OF_PAIRS)]
    squares, products = np.zeros((len(numbers), len(pairs))), np.zeros((len(numbers), len(pairs), left.shape[1]))
    np.add.at(squares, place_of, counts**2)
    np.add.at(products, place_of, counts[:, :, None] * left[:, None, :])
    value = products.sum(axis=0) / squares.sum(axis=0)[:, None]
    without = (products.sum(axis=0) - products) / (squares.sum(axis=0) - squares)[:, :, None]
    names = tuple("+".join(pair) for pair in pairs)
    present = np.array([[block in seen[pair] for pair in pairs] for block in numbers], dtype=bool)
    present = present.reshape(squares.shape)
    return {
        outcome: Measured(names, numbers, value[:, place], (value - without)[:, :, place], present)
        for place, outcome in enumerate(OUTCOMES_OF_PAIRS)
    }


def _counts(games: Sequence[GameFacts], columns: dict[tuple[str, ...], int]) -> Array:
    """Return how often each seat of each game took the traits, or pairs, of the columns."""
    seats = [len(game.vp) for game in games]
    first = np.cumsum([0, *seats])
    counts = np.zeros((sum(seats), len(columns)))
    of_pairs = any(len(column) == 2 for column in columns)
    for start, game in zip(first, games, strict=False):
        for taking in game.takings:
            for key in [taking.traits] if of_pairs else [(trait,) for trait in taking.traits]:
                if key in columns:
                    counts[start + taking.seat, columns[key]] += 1
    return counts


def _adjustments(games: Sequence[GameFacts]) -> Array:
    """Return the other columns: place in the order of play by number of seats, bots, and civilizations by turn."""
    places = sorted({(len(game.vp), place) for game in games for place in range(len(game.vp))})
    bots = sorted(set(chain.from_iterable(game.bots for game in games)))[1:]  # compared with the first one
    rows = []
    for game in games:
        for seat, bot in enumerate(game.bots):
            turns = [0] * (len(TURNS) + 1)
            for taking in game.takings:
                if taking.seat == seat:
                    turns[sum(taking.round > last for last in TURNS)] += 1
            place = (len(game.vp), game.order.index(seat))
            rows.append([*(place == each for each in places), *(bot == each for each in bots), *turns])
    return np.array(rows, dtype=float)


def _results(games: Sequence[GameFacts]) -> Array:
    """Return the outcomes of each seat of each game, in the order of OUTCOMES."""
    rows = []
    for game in games:
        margins = _margins(game.vp)
        before = _margins([vp + cost for vp, cost in zip(game.vp, game.costs, strict=True)])
        first = game.ranks.count(1)
        rows += [
            (worth, margin, (rank == 1) / first)
            for worth, margin, rank in zip(before, margins, game.ranks, strict=True)
        ]
    return np.array(rows, dtype=float)


def _margins(vp: Sequence[int]) -> list[float]:
    """Return the VP of each seat ahead of the mean of the others."""
    return [own - (sum(vp) - own) / (len(vp) - 1) for own in vp]
