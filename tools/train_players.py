"""Trains the policy of the computer players by self-play and writes server/vinci_players/data/policy.csv.

Run as `python -m tools.train_players --seed 1`. Games of the present policy reach positions of all editions with three
to six seats, with and without dummies. At some decisions every candidate is tried by the same simulations to the end of
the game; a ridge regression then fits weights whose sums predict the differences. The next iteration plays with them.
docs/players.md tells how long it takes and what it yields.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from vinci_players import policy, weights
from vinci_players.plans import Plan
from vinci_players.policy import Policy
from vinci_players.search import HEAT, simulate
from vinci_rules import dummy, market
from vinci_rules.actions import DECLINE, Action, Stay, Take
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import EXPANSION_PHASES, new_game, open_decision, play
from vinci_rules.state import State

TABLE: Final = Path(__file__).parents[1] / "server" / "vinci_players" / "data" / "policy.csv"
SEATS: Final = (3, 4, 4, 5, 6)
SOLO: Final = 0.4
"""Share of games with one player among dummies; in another tenth each seat is a dummy or not."""
SHARE: Final = {"take": 0.12, "decline": 0.12, "conquest": 0.02}
"""Share of the decisions that are tried, by kind."""
SIMULATIONS: Final = {"take": 4, "decline": 8, "conquest": 6}
MOST_TARGETS: Final = 8
RIDGE: Final = {"take": 30.0, "decline": 5.0, "conquest": 30.0}
PARTS: Final = 16
LEAST_DECISIONS: Final = 320
MATCHES: Final = 400


Weights: TypeAlias = dict[str, list[float]]
"""Weights by decision, as `weights.read` returns them."""


class Tried(NamedTuple):
    """A decision that was tried: its kind, and the features and mean utility of each candidate."""

    kind: str
    features: list[list[float]]
    utilities: list[float]


class Candidates(NamedTuple):
    """The candidates of a decision, each with its features and its action."""

    kind: str
    features: list[list[float]]
    actions: list[Action]


def candidates(state: State, random: Random, known: Policy) -> Candidates | None:
    """Return the candidates of a decision, or None if it is not one to learn from."""
    if state.phase == "draft":
        slots, rounds = market.affordable_slots(state), policy.rounds_left(state)
        features = [policy.take_features(state, slot, rounds) for slot in slots]
        return Candidates("take", features, [Take(slot) for slot in slots])
    if state.phase == "renaissance" or (state.phase == "start" and random.random() < 0.5):
        return _declines(state, random, known)
    if state.phase in EXPANSION_PHASES:
        return _conquests(state, random)
    return None


def _declines(state: State, random: Random, known: Policy) -> Candidates | None:
    if state.actor in state.must_decline or not state.empire().provinces:
        return None
    on: Action = Stay()
    if state.phase == "start":
        on = policy.peace(state) or policy.conquest(state, random, known, HEAT) or dummy.advised_hold(state)
    features = policy.decline_features(state)
    return Candidates("decline", [features, [0.0] * len(features)], [DECLINE, on])


def _conquests(state: State, random: Random) -> Candidates | None:
    if state.phase == "start" and state.actor in state.must_decline:
        return None
    places, prices = policy.targets(state)
    chosen = random.sample(range(len(places)), min(len(places), MOST_TARGETS))
    places, prices = [places[place] for place in chosen], [prices[place] for place in chosen]
    unit = np.eye(len(weights.CONQUEST)).tolist()
    columns = [policy.merits(state, places, prices, row) for row in unit]
    features = [list(row) for row in zip(*columns, strict=True)]
    actions: list[Action] = [policy.conquest_of(state, place) for place in places]
    if open_decision(state) == "hold" and state.empire().provinces:
        features.append(unit[weights.CONQUEST.index("stop")])
        actions.append(dummy.advised_hold(state))
    return Candidates("conquest", features, actions)


def gather(task: tuple[int, int, Weights]) -> list[Tried]:
    """Play games until so many decisions have been tried.

    Args:
        task: seed, number of decisions, and the weights of the policy of all seats but dummies.
    """
    seed, number, given_weights = task
    random, known = Random(seed), Policy(**given_weights)
    found: list[Tried] = []
    while len(found) < number:
        state, chance = _start(random)
        while state.phase != "over" and len(found) < number:
            if state.options.dummies[state.actor]:
                play(state, dummy.choose(state, chance), chance)
                continue
            action = policy.choose(state, random, known, HEAT)
            given = candidates(state, random, known)
            if given is not None and len(given.actions) > 1 and random.random() < SHARE[given.kind]:
                found.append(_tried(state, given, random, known))
                if random.random() < 0.5:
                    action = random.choice(given.actions)
            play(state, action, chance)
    return found


def _start(random: Random) -> tuple[State, FastChance]:
    """Return a new game of any edition and number of seats, and its draws."""
    seats = random.choice(SEATS)
    kind, human = random.random(), random.randrange(seats)
    dummies = [kind < SOLO or (kind < SOLO + 0.1 and random.random() < 0.5) for _ in range(seats)]
    dummies[human] = False
    chance = FastChance(random.getrandbits(48))
    edition = "standard" if random.random() < 0.5 else random.choice(EDITIONS)
    return new_game(load_board(DEFAULT_BOARD), options(tuple(dummies), edition), chance), chance


def _tried(state: State, given: Candidates, random: Random, known: Policy) -> Tried:
    """Try every candidate by the same simulations."""
    numbers = [random.getrandbits(48) for _ in range(SIMULATIONS[given.kind])]
    tried = [Plan([action]) for action in given.actions]
    for plan in tried:
        for number in numbers:
            simulate(state, plan, known, number)
    return Tried(given.kind, given.features, [plan.mean() for plan in tried])


def fitted(tried: Sequence[Tried], kind: str) -> tuple[list[float], float]:
    """Return the weights that predict differences of utility best, and the share of their variance explained."""
    chosen = [decision for decision in tried if decision.kind == kind]
    features = np.vstack([np.array(decision.features) - np.mean(decision.features, axis=0) for decision in chosen])
    utilities = np.concatenate([np.array(decision.utilities) - np.mean(decision.utilities) for decision in chosen])
    scale = features.std(axis=0) + 1e-9
    used = scale > 1e-6
    matrix = features[:, used] / scale[used]
    solution = np.linalg.solve(matrix.T @ matrix + RIDGE[kind] * np.eye(matrix.shape[1]), matrix.T @ utilities)
    result = np.zeros(len(scale))
    result[used] = solution / scale[used]
    explained = 1 - float(((features @ result - utilities) ** 2).sum() / (utilities**2).sum())
    return [float(weight) for weight in result], explained


def strength(task: tuple[int, Weights]) -> float:
    """Return the share of a win of the policy in a game against three dummies, at seat 1 to 4 by turns."""
    number, given_weights = task
    known = Policy(**given_weights)
    seat, random, chance = number % 4, Random(number), FastChance(number)
    state = new_game(load_board(DEFAULT_BOARD), options(tuple(other != seat for other in range(4))), chance)
    policy.play_on(state, chance, random, known, HEAT)
    best = max(state.vp)
    return 1 / state.vp.count(best) if state.vp[seat] == best else 0.0


def main() -> int:
    """Train and write the table."""
    parser = argparse.ArgumentParser(description="Train the policy of the computer players by self-play.")
    parser.add_argument("--seed", type=int, default=1, help="seed of all games (default: 1)")
    parser.add_argument("--iterations", type=int, default=6, help="policies trained one after the other (default: 6)")
    parser.add_argument("--decisions", type=int, default=6000, help="decisions tried in each iteration (6000)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--out", type=Path, default=TABLE, help="table to write; by default that of the players")
    given = parser.parse_args()
    if given.decisions < LEAST_DECISIONS:
        parser.error(f"--decisions {given.decisions}: at least {LEAST_DECISIONS} are needed to have some of each kind")
    known = weights.read()
    kept, start = list[Tried](), time.time()
    with Pool(given.workers) as pool:
        for iteration in range(1, given.iterations + 1):
            seeds = [given.seed * 1_000_000 + iteration * 1000 + part for part in range(PARTS)]
            tasks = [(seed, given.decisions // PARTS, known) for seed in seeds]
            fresh = [decision for found in pool.map(gather, tasks, chunksize=1) for decision in found]
            kept = kept[len(kept) // 2 :] + fresh
            results = {kind: fitted(kept, kind) for kind in weights.DECISIONS}
            known = {kind: result for kind, (result, _) in results.items()}
            fresh_seeds = [(seeds[0] + 500_000 + number, known) for number in range(MATCHES)]
            share = sum(pool.map(strength, fresh_seeds, chunksize=10)) / MATCHES
            explained = ", ".join(f"{kind} {results[kind][1]:.2f}" for kind in results)
            print(
                f"{iteration}/{given.iterations}: {len(kept)} decisions, explained: {explained}; "
                f"{share:.1%} of {MATCHES} games against three dummies; {time.time() - start:.0f} s",
                flush=True,
            )
            comments = [
                f"source: python -m tools.train_players --seed {given.seed} --iterations {given.iterations} "
                f"--decisions {given.decisions}; {datetime.now(UTC):%Y-%m-%d}; CSV read by vinci_players/weights.py",
                f"after iteration {iteration}: {share:.1%} of {MATCHES} games against three dummies without search",
            ]
            given.out.write_text(weights.written(known, comments), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
