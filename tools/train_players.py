"""Trains the policy of the computer players by self-play and writes server/vinci_players/data/policy.csv.

Run as `python -m tools.train_players --seed 1`, with compiled rules (`make fast`). Each generation draws variants of
the policy and lets each play the same games at one seat, against dummies and against the policy itself, in all editions
and with three to six seats. SepCMA of the package `cmaes`, an evolution strategy, moves the policy towards the variants
with the best utility. It begins with the policy of simulations. docs/players.md tells how long it takes and what it
yields.
"""

import argparse
import sys
import time
from datetime import UTC, datetime
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np
from cmaes import SepCMA

from vinci_players import policy, weights
from vinci_players.policy import Policy
from vinci_players.search import HEAT, utility
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import new_game
from vinci_rules.state import Seat

TABLE: Final = Path(__file__).parents[1] / "server" / "vinci_players" / "data" / "policy.csv"
SEATS: Final = (3, 4, 4, 5, 6)
SOLO: Final = 0.4
"""Share of games against dummies only; in another share of MIXED each opponent is a dummy or not."""
MIXED: Final = 0.15
VARIANTS: Final = 32
GAMES: Final = 128
"""Games of each variant in a generation."""
CHECKED: Final = 8
"""Generations between two tests of strength."""
MATCHES: Final = 400
"""Games of a test, in parts of PART."""
PART: Final = 50
OWN_STEP: Final = 0.25
COMMON_STEP: Final = 0.15
"""First standard deviation of a weight: parts of its size, and of the mean size of the weights of its kind."""


class Table(NamedTuple):
    """Players of a game: seats of dummies, the seat of the variant, and the edition."""

    dummies: tuple[bool, ...]
    seat: Seat
    edition: str


class Task(NamedTuple):
    """Games of a variant: its weights, those of the other seats, the number of the first game, and their number."""

    variant: list[float]
    others: list[float]
    first: int
    games: int
    is_test: bool = False


def training_table(random: Random) -> Table:
    """Return a table of any edition and number of seats."""
    seats, kind = random.choice(SEATS), random.random()
    seat = random.randrange(seats)
    dummies = [kind < SOLO or (kind < SOLO + MIXED and random.random() < 0.5) for _ in range(seats)]
    dummies[seat] = False
    return Table(tuple(dummies), Seat(seat), "standard" if random.random() < 0.5 else random.choice(EDITIONS))


def solo_table(number: int) -> Table:
    """Return the table of a test: three dummies, and a seat that changes with the number of the game."""
    return Table(tuple(seat != number % 4 for seat in range(4)), Seat(number % 4), "standard")


def policy_of(vector: list[float]) -> Policy:
    """Return the policy with the weights of all decisions in one list."""
    return Policy(**tables(vector))


def tables(vector: list[float]) -> dict[str, list[float]]:
    """Return the weights by decision, as `weights.read` does."""
    rest = iter(vector)
    return {decision: [next(rest) for _ in features] for decision, features in weights.DECISIONS.items()}


def results(task: Task) -> tuple[float, float]:
    """Return the mean utility and the mean share of a win of a variant in its games."""
    variant, others = policy_of(task.variant), policy_of(task.others)
    board, utilities, shares = load_board(DEFAULT_BOARD), 0.0, 0.0
    for number in range(task.first, task.first + task.games):
        random, chance = Random(number), FastChance(number)
        table = solo_table(number) if task.is_test else training_table(random)
        state = new_game(board, options(table.dummies, table.edition), chance)
        while state.phase != "over":
            policy.play_one(state, chance, random, variant if state.actor == table.seat else others, HEAT)
        best = max(state.vp)
        utilities += utility(state, table.seat)
        shares += 1 / state.vp.count(best) if state.vp[table.seat] == best else 0.0
    return utilities / task.games, shares / task.games


def steps(known: dict[str, list[float]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the first standard deviation of each weight."""
    sizes = [np.abs(known[decision]) for decision in weights.DECISIONS]
    return np.concatenate([OWN_STEP * size + COMMON_STEP * size.mean() for size in sizes])


def main() -> int:
    """Train and write the table after each test of strength."""
    parser = argparse.ArgumentParser(description="Train the policy of the computer players by self-play.")
    parser.add_argument("--seed", type=int, default=1, help="seed of all games and variants (default: 1)")
    parser.add_argument("--generations", type=int, default=64, help="generations of variants (default: 64)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--out", type=Path, default=TABLE, help="table to write; by default that of the players")
    given = parser.parse_args()
    known, start = weights.read("simulations"), time.time()
    origin, scale = np.concatenate([known[decision] for decision in weights.DECISIONS]), steps(known)
    strategy = SepCMA(np.zeros(len(origin)), 1.0, seed=given.seed, population_size=VARIANTS)
    first = given.seed * 1_000_000_000
    with Pool(given.workers) as pool:
        for generation in range(given.generations + 1):
            mean = (origin + scale * strategy.mean).tolist()
            if generation % CHECKED == 0 or generation == given.generations:
                parts = range(first, first + MATCHES, PART)
                tested = pool.map(results, [Task(mean, mean, part, PART, is_test=True) for part in parts], chunksize=1)
                share = sum(share for _, share in tested) / len(tested)
                comments = [
                    f"source: python -m tools.train_players --seed {given.seed} --generations {given.generations}; "
                    f"{datetime.now(UTC):%Y-%m-%d}; CSV read by vinci_players/weights.py",
                    f"after generation {generation}: {share:.1%} of {MATCHES} games against three dummies "
                    "without search",
                ]
                given.out.write_text(weights.written(tables(mean), comments), encoding="utf-8")
                print(comments[1], flush=True)
            if generation == given.generations:
                break
            games = first + MATCHES + generation * GAMES
            variants = [strategy.ask() for _ in range(VARIANTS)]
            tasks = [Task((origin + scale * variant).tolist(), mean, games, GAMES) for variant in variants]
            utilities = [utility for utility, _ in pool.map(results, tasks, chunksize=1)]
            strategy.tell([(variant, -utility) for variant, utility in zip(variants, utilities, strict=True)])
            print(
                f"{generation + 1}/{given.generations}: utility {np.mean(utilities):+.1f} "
                f"({min(utilities):+.1f} to {max(utilities):+.1f}); {time.time() - start:.0f} s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
