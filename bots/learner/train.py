"""Train a small policy by playing: `python train.py weights.npz`. It takes minutes, and tells how it fares.

The policy scores each legal action by a row of weights and the numbers that describe what the action is about: the
province, the civilization, or the game as a whole. It plays with probabilities (softmax), and is moved towards actions
after which it scored more than usual (REINFORCE). `bot.py` plays with the weights.
"""

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import numpy.typing as npt

from vinci_rl import Actions, Observations, SingleSeatEnv

Array = npt.NDArray[np.float64]

OPPONENTS = ("random", "random")
WORKERS = 2
BATCH = 16
"""Games of each worker between two steps of learning."""
RATE = 0.03
"""Step of learning, as Adam counts it."""


def features(actions: Actions, layout: Observations, seen: Array, legal: npt.NDArray[np.int64]) -> Iterator[Any]:
    """Yield for each kind of action that is legal: its first weight, numbers of actions, what describes each."""
    parts = layout.split(seen)
    whole = np.concatenate([[1.0], parts["game"], parts["seats"][0][:6], parts["seats"][:, 0]])
    first = 0
    provinces = len(parts["provinces"])
    per_province = np.concatenate([np.ones((provinces, 1)), parts["provinces"]], axis=1)
    market = np.concatenate([np.ones((len(parts["market"]), 1)), parts["market"]], axis=1)
    groups = [(actions.take, market)]
    groups += [(start, whole[None, :]) for start in (actions.decline, actions.stay, actions.done)]
    groups += [(actions.peace, np.tile(whole, (layout.seats, 1)))]
    for start in (actions.conquer, actions.spies, actions.abandon, actions.pawn, actions.fort):
        groups.append((start, per_province))
    for start, rows in groups:
        mine = legal[(legal >= start) & (legal < start + len(rows))]
        if len(mine):
            yield first, mine, rows[mine - start]
        first += rows.shape[1]


def size(actions: Actions, layout: Observations) -> int:
    """Return the number of weights."""
    everything = np.arange(actions.size)
    *_, (first, _, rows) = features(actions, layout, np.zeros(layout.size), everything)
    return int(first + rows.shape[1])


def choose(
    actions: Actions, layout: Observations, seen: dict[str, Any], weights: Array, random: np.random.Generator | None
) -> tuple[int, Array]:
    """Return an action, and the gradient of the logarithm of its probability; without `random` the likeliest one."""
    legal = np.flatnonzero(seen["action_mask"])
    groups = list(features(actions, layout, seen["observation"].astype(float), legal))
    scores = np.concatenate([rows @ weights[first : first + rows.shape[1]] for first, _, rows in groups])
    numbers = np.concatenate([mine for _, mine, _ in groups])
    odds = np.exp(scores - scores.max())
    odds /= odds.sum()
    place = int(np.argmax(odds)) if random is None else int(random.choice(len(odds), p=odds))
    slope, start = np.zeros(len(weights)), 0
    for first, mine, rows in groups:
        change = -odds[start : start + len(mine)]
        if start <= place < start + len(mine):
            change[place - start] += 1
        slope[first : first + rows.shape[1]] += change @ rows
        start += len(mine)
    return int(numbers[place]), slope


def play(weights: Array, seeds: range, learns: bool, **rules: Any) -> tuple[list[float], list[float], list[Array]]:
    """Play games; return the margins in hundreds of VP, whether each was won, and the summed gradients."""
    env = SingleSeatEnv(OPPONENTS, reward="margin", **rules)
    actions, layout = env.inner.actions, env.inner.layout
    margins, wins, slopes = [], [], []
    for seed in seeds:
        random = np.random.default_rng(seed) if learns else None
        seen, _ = env.reset(seed=seed)
        slope, is_over = np.zeros(len(weights)), False
        while not is_over:
            number, change = choose(actions, layout, seen, weights, random)
            slope += change
            seen, margin, is_over, _, _ = env.step(np.int64(number))
        margins.append(margin)
        wins.append(float(margin > 0))
        slopes.append(slope)
    return margins, wins, slopes


def train(seconds: float, most: int = 10**6, seed: int = 1, **rules: Any) -> Array:
    """Return weights after some seconds, or at most so many steps, of learning in games by these rules."""
    env = SingleSeatEnv(OPPONENTS, **rules)
    weights = np.zeros(size(env.inner.actions, env.inner.layout))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    usual, step, until = 0.0, 0, time.monotonic() + seconds
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        while step < most and time.monotonic() < until:
            firsts = [seed * 10**6 + (WORKERS * step + worker) * BATCH for worker in range(WORKERS)]
            jobs = [pool.submit(play, weights, range(first, first + BATCH), True, **rules) for first in firsts]
            played = [job.result() for job in jobs]
            margins = np.concatenate([margins for margins, _, _ in played])
            slopes = np.concatenate([slopes for _, _, slopes in played])
            usual = margins.mean() if step == 0 else 0.9 * usual + 0.1 * margins.mean()
            better = (margins - usual) / (margins.std() + 1e-6)
            slope = (better[:, None] * slopes).mean(axis=0)
            step += 1
            mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
            weights += RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
            won = np.mean([wins for _, wins, _ in played])
            print(f"step {step:3}: {100 * usual:+6.1f} VP ahead of the others on average, {won:4.0%} won", flush=True)
    return weights


def main() -> None:
    """Train, save the weights, and tell how many games against two `random` are won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", help="file to write")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--games", type=int, default=400, help="games to tell how good it is")
    given = parser.parse_args()
    weights = train(given.seconds, target=60)  # shorter games than those that count teach more a minute
    np.savez(given.weights, weights=weights)
    wins = play(weights, range(10**9, 10**9 + given.games), False)[1]
    share = float(np.mean(wins))
    margin = 1.96 * (share * (1 - share) / len(wins)) ** 0.5
    print(f"{given.weights}: wins {share:.1%} ± {margin:.1%} of {len(wins)} games against {', '.join(OPPONENTS)}")


if __name__ == "__main__":
    main()
