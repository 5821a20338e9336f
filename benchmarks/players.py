"""Computer players: quick turns and simulations, time for a decision at each level, for advice and for a review.

Measured in CPU time. Turns and simulations are those of both builds; the other figures are those of the build that runs
here, beside `greedy` or random games. A level plays one seat against three dummies, `expert` also against three
`normal`, where it simulates otherwise; `greedy` plays against dummies for the reference.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from random import Random
from time import process_time

from vinci_bots.builtin import selfplay
from vinci_cli.commands.study.review import SIMULATIONS
from vinci_players import policy, review
from vinci_players.advice import Budget, advise
from vinci_players.builtin import policy as policy_named
from vinci_players.levels import LEVELS
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game, play
from vinci_rules.playout import playout
from vinci_rules.state import State

from .figures import Figure, Target, medians, rate, rates
from .processes import Process
from .rules import asked, environments

SEATS = 4
GAMES = 20
MOST_MS = {"easy": 1, "normal": 10, "hard": 50, "expert": 500}
"""Target of the time for a decision, in ms."""
LEAST = {"compiled": {"turns": 10_000, "simulations": 250}, "interpreted": {"turns": 1_500, "simulations": 40}}
"""Targets of turns and simulations a second, by build."""
ADVICE_ROUNDS = (0, 2, 4, 6, 8)
"""Advice is timed at the beginning of each of these rounds."""
MOST_ADVICE = 2
"""Target of the CPU time for advice without a limit of time, in seconds."""
MOST_REVIEW = 120
"""Target of the CPU time for the review of a game of four seats, in seconds: a minute on two cores."""
TIMED = 7
"""Of so many turns one is timed for the review of a game."""


def figures() -> Iterator[Figure]:
    """Yield turns and simulations a second, ms for a decision, games of four `hard` a second, advice, and a review."""
    with ExitStack() as stack:
        builds = {
            build: stack.enter_context(Process("benchmarks.rules_build", environment=environment))
            for build, environment in environments().items()
        }
        for process in builds.values():
            process.line()
        ours = [partial(asked, process, kind) for process in builds.values() for kind in ("turns", "simulations")]
        random_games, *measured = medians(partial(rate, _random_games, process_time), *ours, rounds=3)
    for build in builds:
        for kind, least in LEAST[build].items():
            yield Figure(f"players.{kind}.{build}", measured.pop(0), f"{kind}/s", random_games, Target(least))
    greedy = _milliseconds("greedy")
    for level in LEVELS:
        yield Figure(f"players.{level}", _milliseconds(level), "ms", greedy, Target(MOST_MS[level], at_most=True))
    most = Target(MOST_MS["expert"], at_most=True)
    yield Figure("players.expert.searching", _milliseconds("expert", "normal"), "ms", greedy, most)
    games, greedy_games = rates(partial(_games, "hard"), partial(_games, "greedy"), rounds=1, clock=process_time)
    yield Figure("players.games.hard", games, "games/s", greedy_games, Target(0.1))
    yield Figure("players.advice", _advice_seconds(), "s", 1 / greedy_games, Target(MOST_ADVICE, at_most=True))
    yield Figure("players.review", _review_seconds(), "s", 1 / greedy_games, Target(MOST_REVIEW, at_most=True))


def _start(seed: int, *, dummies: bool = False) -> State:
    return new_game(load_board("europe"), options((False,) + (dummies,) * (SEATS - 1)), FastChance(seed))


def _random_games() -> int:
    for seed in range(GAMES):
        playout(_start(seed), Random(seed))
    return GAMES


def _milliseconds(name: str, against: str = "dummy") -> float:
    """Return the mean CPU time for a decision of one seat against three others, in ms."""
    state, chance, chosen = _start(1, dummies=against == "dummy"), FastChance(1), policy_named(name)
    others, seconds, decisions = [policy_named(against) for _ in range(SEATS)], 0.0, 0
    while state.phase != "over":
        if state.actor:
            play(state, others[state.actor](state, chance), chance)
            continue
        start = process_time()
        action = chosen(state, chance)
        seconds += process_time() - start
        decisions += 1
        play(state, action, chance)
    return 1000 * seconds / decisions


def _games(name: str) -> int:
    return sum(1 for _ in selfplay.games([name] * SEATS, load_board("europe"), options((False,) * SEATS), 1, "bench"))


def _advice_seconds() -> float:
    """Return the mean CPU time for advice without a limit of time, in seconds."""
    state, chance, random, seconds = _start(1), FastChance(1), Random(1), 0.0
    for round_now in ADVICE_ROUNDS:
        policy.play_on(state, chance, random, policy.simulating(), 1.0, round_now)
        start = process_time()
        advise(state, random, policy.simulating(), Budget())
        seconds += process_time() - start
    return seconds / len(ADVICE_ROUNDS)


def _review_seconds() -> float:
    """Return the CPU time for the review of a game of four `normal`, estimated from some of its turns."""
    played = next(selfplay.games(["normal"] * SEATS, load_board("europe"), options((False,) * SEATS), 1, "bench"))
    turns = review.turns(played.lines)
    timed, start = turns[::TIMED], process_time()
    for seed, turn in enumerate(timed):
        review.review(turn, seed, SIMULATIONS)
    return (process_time() - start) * len(turns) / len(timed)
