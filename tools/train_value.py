"""Fits the value of positions to games of searchers and writes server/vinci_players/data/value.csv.

Run as `python -m tools.train_value --seed 1`, with compiled rules (`make fast`). Light searchers play in all editions
and with three to six seats, first with simulations to the end of the game, then also with the value fitted before. Some
civilizations and declines are drawn at random, so that the worth of a choice is not mistaken for that of the positions
in which it is made. A ridge regression of the VP that a seat still earns, less the mean of all seats, on its features,
less theirs, gives the weights: so the length of a game, which differs most, cancels out.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from vinci_players import value, weights
from vinci_players.levels import Level, Player
from vinci_players.search import Horizon
from vinci_rules import market
from vinci_rules.actions import DECLINE, TAKE, Action
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.chance import Chance, FairChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import new_game, play
from vinci_rules.state import State

TABLE: Final = Path(__file__).parents[1] / "server" / "vinci_players" / "data" / "value.csv"
SEATS: Final = (3, 4, 4, 5, 6)
SAMPLES: Final = 10
SIMULATIONS: Final = 30
ANY_CIVILIZATION: Final = 0.25
ANY_DECLINE: Final = 0.02
"""Probabilities that a civilization is drawn, and that a turn is a decline, whatever the search would choose."""
RIDGE: Final = 100.0
LEVELLED: Final = 0.1
"""Weight of the rows as they are, beside those less the mean of all seats."""
TESTED: Final = 5
"""Of so many games one is not fitted to, but tells how good the fit is."""
BOUNDS: Final = (0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 100.0)
"""Turns left between which the fit is reported."""

Numbers = NDArray[np.float64]


class Rows(NamedTuple):
    """Of a game, four to six lines for each turn: features, VP still earned, turns left, and the number of the turn."""

    features: Numbers
    earned: Numbers
    turns: Numbers
    position: NDArray[np.int64]


@final
class Explorer:
    """A player that sometimes takes any civilization or declines."""

    def __init__(self, random: Random, values: list[float] | None) -> None:
        cuts = [None, Horizon(values, 2, 4, 16, 1, 0, 0.0, 1)] if values else [None]
        self._player = Player(Level(SAMPLES, SIMULATIONS, cut=random.choice(cuts)))
        self._random = random

    def __call__(self, state: State, chance: Chance) -> Action:
        """Return an action."""
        if state.phase == "draft" and self._random.random() < ANY_CIVILIZATION:
            return TAKE[self._random.choice(market.affordable_slots(state))]
        if state.phase == "start" and state.empire().provinces and self._random.random() < ANY_DECLINE:
            return DECLINE
        return self._player(state, chance)


def game(task: tuple[str, list[float] | None]) -> Rows:
    """Play a game by its seed and with the values known, and return its rows."""
    seed, values = task
    random = Random(seed)
    seats, edition = random.choice(SEATS), "standard" if random.random() < 0.5 else random.choice(EDITIONS)
    chance, players = FairChance(seed), [Explorer(random, values) for _ in range(seats)]
    state = new_game(load_board(DEFAULT_BOARD), options((False,) * seats, edition), chance)
    rows: list[list[float]] = []
    scores: list[list[int]] = []
    turns: list[float] = []
    last = (0, 0)
    while state.phase != "over":
        if state.phase == "start" and (state.round, state.turn) != last:
            last = (state.round, state.turn)
            scores.append(state.vp[:])
            for outlook in value.outlooks(state):
                rows.append(row(outlook))
                turns.append(outlook.turns)
        play(state, players[state.actor](state, chance), chance)
    earned = [state.vp[seat] - before[seat] for before in scores for seat in range(seats)]
    position = np.repeat(np.arange(len(scores)), seats)
    return Rows(np.array(rows), np.array(earned, dtype=np.float64), np.array(turns), position)


def row(outlook: value.Outlook) -> list[float]:
    """Return the features of a seat in the order of `weights.VALUE`."""
    (low, share), count = value.between(outlook.turns), len(weights.BENT)
    result = [0.0] * (len(weights.KNOTS) * count)
    result[low * count : (low + 1) * count] = [(1 - share) * feature for feature in outlook.bent]
    result[(low + 1) * count : (low + 2) * count] = [share * feature for feature in outlook.bent]
    return result + outlook.straight


def centred(rows: Rows) -> Rows:
    """Return the rows less the mean of all seats in the same position."""
    seats = np.bincount(rows.position)[rows.position]

    def less_mean(column: Numbers) -> Numbers:
        return column - np.bincount(rows.position, column)[rows.position] / seats

    features = np.apply_along_axis(less_mean, 0, rows.features)
    return rows._replace(features=features, earned=less_mean(rows.earned))


def fitted(games: list[Rows]) -> Numbers:
    """Return the weights by ridge regression."""
    size = len(weights.VALUE)
    squares, products, sizes = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    for plain in games:
        sizes += (plain.features**2).sum(0)
        for part, rows in ((1.0, centred(plain)), (LEVELLED, plain)):
            squares += part * rows.features.T @ rows.features
            products += part * rows.features.T @ rows.earned
    scale = np.sqrt(sizes / sum([len(rows.earned) for rows in games])) + 1e-9
    ridge = RIDGE * np.diag(scale**2)
    return np.linalg.solve(squares + ridge, products).astype(np.float64)


def report(games: list[Rows], by: Numbers) -> Iterator[str]:
    """Yield how well the differences between seats are told, by turns left: variance explained, and error in VP."""
    rows = [centred(plain) for plain in games]
    turns, earned = np.concatenate([r.turns for r in rows]), np.concatenate([r.earned for r in rows])
    missed = earned - np.concatenate([r.features @ by for r in rows])
    for low, high in [(BOUNDS[0], BOUNDS[-1]), *pairwise(BOUNDS)]:
        chosen = (turns >= low) & (turns < high)
        if chosen.any():
            share, error = 1 - missed[chosen].var() / earned[chosen].var(), missed[chosen].std()
            yield f"{low:.0f} to {high:.0f} turns left: {share:.0%} of the variance, error {error:.1f} VP"


def main() -> int:
    """Play, fit and write the table after each round."""
    parser = argparse.ArgumentParser(description="Fit the value of positions to games of searchers.")
    parser.add_argument("--seed", type=int, default=1, help="seed of all games (default: 1)")
    parser.add_argument("--games", type=int, default=300, help="games of a round (default: 300)")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of games (default: 2)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--out", type=Path, default=TABLE, help="table to write; by default that of the players")
    given = parser.parse_args()
    games: list[Rows] = []
    values: list[float] | None = None
    start = time.time()
    with Pool(given.workers) as pool:
        for number in range(given.rounds):
            tasks = [(f"value-{given.seed}-{number}-{place}", values) for place in range(given.games)]
            for played in pool.imap(game, tasks):
                games.append(played)
                if len(games) % 20 == 0:
                    print(f"{len(games)} games; {time.time() - start:.0f} s", flush=True)
            tested = [rows for place, rows in enumerate(games) if place % TESTED == 0]
            rest = [rows for place, rows in enumerate(games) if place % TESTED]
            found = list(report(tested, fitted(rest)))
            print("\n".join(found), flush=True)
            values = [float(f"{weight:.4g}") for weight in fitted(games)]
            comments = [
                f"source: python -m tools.train_value --seed {given.seed} --games {given.games} --rounds "
                f"{given.rounds}; {datetime.now(UTC):%Y-%m-%d}; CSV read by vinci_players/weights.py",
                f"after {len(games)} games; of others: {found[0]}",
            ]
            given.out.write_text(weights.written_value(values, comments), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
