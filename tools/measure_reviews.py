"""Counts how often a turn that was played clearly beats the one that a review prefers, by other simulations.

It tells so by the difference as reviews state it, and by its two parts: simulations to the end of the game, and to the
horizon of `expert`, if any.

Run as `python -m tools.measure_reviews RECORD ...`, with compiled rules (`make fast`) and records that
`vinci selfplay --records` wrote. The review itself takes the turn played where it finds it as good, so its own figures
cannot tell.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from vinci_players import review
from vinci_players.estimates import gain, lead_gains

SIMULATIONS: Final = 400


class Count(NamedTuple):
    """Turns that count for the accuracy.

    Attributes:
        turns: all of them. preferred: those for which the review prefers another turn.
        mistakes: clear losses by the review.
        better: turns played that clearly beat the one preferred. by_end, by_horizon: the same by a part alone.
        loss: sum of the losses by the review. checked: the same by the other simulations.
    """

    turns: int = 0
    preferred: int = 0
    mistakes: int = 0
    better: int = 0
    by_end: int = 0
    by_horizon: int = 0
    loss: float = 0.0
    checked: float = 0.0


def measure(lines: Iterable[str], seed: str, simulations: int) -> Count:
    """Review a record, and compare turns again by as many simulations of other numbers. Raises record.RecordError."""
    random, count = Random(seed), Count()
    for turn in review.turns(lines):
        if not turn.decided or turn.substituted:
            continue
        found = review.review(turn, random.getrandbits(48), simulations)
        if found.choices < 2:
            continue
        count = count._replace(turns=count.turns + 1)
        if found.preferred == turn.actions:
            continue
        first = random.getrandbits(48)
        best, played = (
            review.course(turn.start, actions, first, simulations) for actions in (found.preferred, turn.actions)
        )
        again = gain(best, played, turn.seat)[1]
        by_end, *ahead = lead_gains(best, played, turn.seat)
        by_horizon = ahead[0] if ahead else by_end
        count = count._replace(
            preferred=count.preferred + 1,
            mistakes=count.mistakes + (found.loss.mean > found.loss.half),
            better=count.better + (again.mean < -again.half),
            by_end=count.by_end + (by_end.mean < -by_end.half),
            by_horizon=count.by_horizon + (by_horizon.mean < -by_horizon.half),
            loss=count.loss + found.loss.mean,
            checked=count.checked + again.mean,
        )
    return count


def main() -> None:
    """Print the counts after each record, summed up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--simulations", type=int, default=SIMULATIONS)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    count = Count()
    for games, path in enumerate(given.records, start=1):
        found = measure(path.read_text(encoding="utf-8").splitlines(), f"{given.seed} {path.name}", given.simulations)
        count = Count._make(one + other for one, other in zip(count, found, strict=True))
        print(f"{games} games: {count}", flush=True)


if __name__ == "__main__":
    main()
