"""The analysis service on all cores, asked by a process without rules, beside playouts in one process with the rules.

The positions are from all parts of random games of four seats on the Europe board.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from random import Random
from typing import Final

from vinci.v1 import analysis_pb2 as pb
from vinci_rules import position
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game
from vinci_rules.playout import Policy, advice, playout, playouts, random_action
from vinci_rules.state import State

from .figures import Figure, Target, rates
from .processes import Process

POSITIONS: Final = 12
CALLS: Final = 12
PLAYOUTS: Final = 60
"""In a call, for the first figures."""
FEW: Final = 8
"""Playouts in a call of a search that asks about many positions."""
AT_ONCE: Final = 4
"""Its calls at the same time."""
LIMITS: Final = ("analysis_seconds_per_minute", "cpu_milliseconds_per_second", "calls_per_second")


def figures() -> Iterator[Figure]:
    """Playouts a second by the service, in calls of many and of few playouts, beside those in one process."""
    states = list(_positions())
    with _service() as address, Process("benchmarks.searcher", address) as searcher:
        searcher.write(json.dumps([position.write(state) for state in states]))
        for name, number, policy in (
            ("random", pb.POLICY_RANDOM, random_action),
            ("advice", pb.POLICY_ADVICE, advice),
        ):
            for calls, count, at_once, more, target in (
                (CALLS, PLAYOUTS, 1, "", Target(800)),
                (CALLS * PLAYOUTS // FEW, FEW, AT_ONCE, f".{FEW}", Target(0.5, of_ratio=True)),
            ):
                asked = partial(_asked, searcher, f"{number} {calls} {count} {at_once}")
                rate, direct = rates(asked, partial(_direct, states, policy), rounds=5)
                yield Figure(f"analysis.{name}{more}", rate, "playouts/s", direct, target)


def _positions() -> Iterator[State]:
    """Yield positions of random games, after 0 to 11 rounds."""
    for number in range(POSITIONS):
        state = new_game(load_board("europe"), options((False,) * 4), FastChance(number))
        playout(state, Random(number), depth=number)
        yield state


@contextmanager
def _service() -> Iterator[str]:
    """Run an analysis service without limits on its hosts; yields its address."""
    limits = [word for name in LIMITS for word in ("--limit", f"{name}={2**31 - 1}")]
    with Process("vinci_cli", "analysis", "--port", "0", "--with-stdin", *limits) as process:
        yield process.line().removeprefix("listening on ")


def _asked(searcher: Process, question: str) -> int:
    searcher.write(question)
    return int(searcher.line())


def _direct(states: list[State], policy: Policy) -> int:
    """Play as many playouts as a worker does in about as much time."""
    left = CALLS * PLAYOUTS // 4
    return sum(
        playouts(state, FEW, "analysis", policy, dummies=policy is advice).playouts
        for state, _ in zip(cycle(states), range(left // FEW), strict=False)
    )
