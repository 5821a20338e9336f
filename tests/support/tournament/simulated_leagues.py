"""Leagues that were never played: Plackett-Luce games among bots of known strength, with luck that a block shares.

Each seat of a game draws a number, and the highest one is first. Drawn from a Gumbel distribution around what bot and
seat are worth, the order is exactly Plackett-Luce. Luck is shared by mixing normal draws before they become Gumbel, so
every single game keeps that distribution, and what is true is known, however much its block shares.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from math import erf, exp, prod

import numpy as np

from vinci_ratings import plackett_luce
from vinci_tournament.results.result import CivilizationResult, ForfeitResult, Result
from vinci_tournament.stats.sequential_tests import block_score


@dataclass(frozen=True, slots=True)
class World:
    """True parameters of a simulated league: strengths of bots and seats, in units of the model.

    `seat_luck` and `bot_luck` are the shares of luck that belong to a seat, whoever sits there, and to a bot, wherever
    it sits, in all games of a block. `ties` is the chance that two who follow each other share a rank.
    """

    strengths: tuple[float, ...]
    seats: tuple[float, ...]
    seat_luck: float = 0.0
    bot_luck: float = 0.0
    ties: float = 0.0


def result(
    block: int,
    rotation: int,
    bots: Sequence[str],
    ranks: Sequence[int],
    *,
    vp: Sequence[int] | None = None,
    forfeits: Sequence[ForfeitResult] = (),
    civilizations: Sequence[CivilizationResult] = (),
    attacks: Sequence[Sequence[int]] | None = None,
) -> Result:
    """Return a game with only the fields that standings use."""
    scores = tuple(vp or [100 - 10 * rank for rank in ranks])
    table = tuple(tuple(row) for row in attacks or [[0] * len(bots)] * len(bots))
    return Result(
        block, rotation, str(block), tuple(bots), tuple(ranks), scores, 9, 90,
        tuple(forfeits), tuple(civilizations), table, "",
    )  # fmt: skip


def rotations(lineup: Sequence[int], block: int) -> Iterator[tuple[int, ...]]:
    """Return the games of a block: every bot in every seat once, every other block in reversed order."""
    order = tuple(lineup)[:: -1 if block % 2 else 1]
    return (order[turn:] + order[:turn] for turn in range(len(order)))


def schedule(world: World, blocks: int) -> list[tuple[int, ...]]:
    """Yield all combinations of bots, again and again."""
    every = list(combinations(range(len(world.strengths)), len(world.seats)))
    return [every[block % len(every)] for block in range(blocks)]


def league(world: World, lineups: Sequence[Sequence[int]], chance: np.random.Generator) -> list[Result]:
    """Simulate a league of blocks with these line-ups."""
    played = []
    for block, lineup in enumerate(lineups):
        by_seat, by_bot = chance.normal(size=len(world.seats)), chance.normal(size=len(world.strengths))
        for rotation, order in enumerate(rotations(lineup, block)):
            played.append(game(world, (block, rotation), order, by_seat, by_bot, chance))
    return played


def independent(world: World, lineups: Sequence[Sequence[int]], chance: np.random.Generator) -> list[Result]:
    """Simulate as many games among the same bots, each with its own luck and seats."""
    played = []
    for block, lineup in enumerate(lineups):
        for rotation in range(len(lineup)):
            by_seat, by_bot = chance.normal(size=len(world.seats)), chance.normal(size=len(world.strengths))
            order = [int(bot) for bot in chance.permutation(lineup)]
            played.append(game(world, (block, rotation), order, by_seat, by_bot, chance))
    return played


def game(
    world: World,
    key: tuple[int, int],
    order: Sequence[int],
    by_seat: np.ndarray,
    by_bot: np.ndarray,
    chance: np.random.Generator,
) -> Result:
    """Simulate one game, with the luck that its block gives to seats and to bots."""
    sitting = list(order)
    luck = world.seat_luck**0.5 * by_seat + world.bot_luck**0.5 * by_bot[sitting]
    luck += (1 - world.seat_luck - world.bot_luck) ** 0.5 * chance.normal(size=len(order))
    worth = np.array(world.strengths)[sitting] + world.seats + [gumbel(one) for one in luck]
    ranks, rank = [0] * len(order), 1
    for place, seat in enumerate(np.argsort(-worth), start=1):
        if place > 1 and chance.random() >= world.ties:
            rank = place
        ranks[seat] = rank
    return result(*key, [name(bot) for bot in order], ranks)


def name(bot: int) -> str:
    """Return the name of a bot."""
    return f"bot{bot}"


def gumbel(normal: float) -> float:
    """Transform a normal draw to a Gumbel distribution."""
    return float(-np.log(-np.log(min(max((1 + erf(normal / 2**0.5)) / 2, 1e-300), 1 - 1e-16))))


@dataclass(frozen=True, slots=True)
class Truth:
    """True values that a league estimates: ratings on the Elo scale and win shares, by bot."""

    rating: tuple[float, ...]
    win_share: tuple[float, ...]


def truth(world: World, lineups: Sequence[Sequence[int]]) -> Truth:
    """Compute the exact values, by fitting every possible outcome with its probability."""
    seats = len(world.seats)
    merged = list(product((False, True) if world.ties else (False,), repeat=seats - 1))
    outcomes, weights = [], []
    wins, games = np.zeros(len(world.strengths)), np.zeros(len(world.strengths))
    for lineup, times in Counter(map(tuple, lineups)).items():
        for order in rotations(lineup, 0):
            worth = [exp(world.strengths[bot] + seat) for bot, seat in zip(order, world.seats, strict=True)]
            games[list(order)] += times
            for finish, tied in product(permutations(range(seats)), merged):
                chance = times * prod(
                    worth[seat] / sum(worth[one] for one in finish[place:]) for place, seat in enumerate(finish)
                )
                chance *= prod(world.ties if one else 1 - world.ties for one in tied)
                ranks, rank = [0] * seats, 1
                for place, seat in enumerate(finish, start=1):
                    rank = place if place > 1 and not tied[place - 2] else rank
                    ranks[seat] = rank
                outcomes.append(result(0, 0, [name(bot) for bot in order], ranks))
                weights.append(chance)
                for seat, bot in enumerate(order):
                    wins[bot] += chance * (ranks[seat] == 1) / ranks.count(1)
    bots = tuple(map(name, range(len(world.strengths))))
    effects = plackett_luce.fit(plackett_luce.design(outcomes, bots), np.array(weights) * 1e6)
    rated = effects[: len(world.strengths)]
    return Truth(tuple((rated - plackett_luce.centre(rated)) * plackett_luce.ELO), tuple(wins / games))


def block_scores(results: Sequence[Result], size: int) -> list[dict[str, float]]:
    """Return the mean win share of each bot in each block, from block 0 up to the first without `size` games."""
    games = defaultdict[int, list[Result]](list)
    for result in results:
        games[result.block].append(result)
    scores: list[dict[str, float]] = []
    while len(games[len(scores)]) == size:
        scores.append(block_score(games[len(scores)]))
    return scores
