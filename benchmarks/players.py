"""Computer players: time for a decision at each level and for a review; quick turns, simulations, games per CPU second.

Measured in CPU time. A level plays one seat against three dummies; `greedy` does the same for the reference.
"""

from collections.abc import Iterator
from functools import partial
from random import Random
from time import process_time

from vinci_bots.builtin import selfplay
from vinci_bots.builtin.policies import policy as policy_named
from vinci_cli.commands.study.review import SIMULATIONS
from vinci_players import policy, review
from vinci_players.levels import LEVELS
from vinci_players.plans import Plan
from vinci_players.search import simulate
from vinci_rules.actions import Take
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game, play
from vinci_rules.playout import playout
from vinci_rules.state import State

from .figures import Figure, Target, rates

SEATS = 4
GAMES = 20
MOST_MS = {"easy": 1, "normal": 10, "hard": 50, "expert": 500}
"""Target of the time for a decision, in ms."""
MOST_REVIEW = 120
"""Target of the CPU time for the review of a game of four seats, in seconds: a minute on two cores."""
TIMED = 7
"""Of so many turns one is timed for the review of a game."""


def figures() -> Iterator[Figure]:
    """Turns and simulations a second, ms for a decision beside `greedy`, games of four `hard`, the review of a game."""
    turns, random_games = rates(_turns, _random_games, rounds=3, clock=process_time)
    yield Figure("players.turns", turns, "turns/s", random_games, Target(10_000))
    simulations, random_games = rates(_simulations, _random_games, rounds=3, clock=process_time)
    yield Figure("players.simulations", simulations, "simulations/s", random_games, Target(250))
    greedy = _milliseconds("greedy")
    for level in LEVELS:
        yield Figure(f"players.{level}", _milliseconds(level), "ms", greedy, Target(MOST_MS[level], at_most=True))
    games, greedy_games = rates(partial(_games, "hard"), partial(_games, "greedy"), rounds=1, clock=process_time)
    yield Figure("players.games.hard", games, "games/s", greedy_games, Target(0.1))
    yield Figure("players.review", _review_seconds(), "s", 1 / greedy_games, Target(MOST_REVIEW, at_most=True))


def _start(seed: int, *, dummies: bool = False) -> State:
    return new_game(load_board("europe"), options((False,) + (dummies,) * (SEATS - 1)), FastChance(seed))


def _turns() -> int:
    turns = 0
    for seed in range(GAMES):
        state, chance, random = _start(seed), FastChance(seed), Random(seed)
        while state.phase != "over":
            policy.quick_turn(state, chance, random, policy.trained())
            turns += 1
    return turns


def _simulations() -> int:
    plan = Plan([Take(0)])
    for seed in range(GAMES):
        simulate(_start(seed), plan, policy.simulating(), seed)
    return GAMES


def _random_games() -> int:
    for seed in range(GAMES):
        playout(_start(seed), Random(seed))
    return GAMES


def _milliseconds(name: str) -> float:
    """Return the mean CPU time for a decision of one seat against three dummies, in ms."""
    state, chance, chosen = _start(1, dummies=True), FastChance(1), policy_named(name)
    dummy, seconds, decisions = policy_named("dummy"), 0.0, 0
    while state.phase != "over":
        if state.actor:
            play(state, dummy(state, chance), chance)
            continue
        start = process_time()
        action = chosen(state, chance)
        seconds += process_time() - start
        decisions += 1
        play(state, action, chance)
    return 1000 * seconds / decisions


def _games(name: str) -> int:
    return sum(1 for _ in selfplay.games([name] * SEATS, load_board("europe"), options((False,) * SEATS), 1, "bench"))


def _review_seconds() -> float:
    """Return the CPU time for the review of a game of four `normal`, estimated from some of its turns."""
    played = next(selfplay.games(["normal"] * SEATS, load_board("europe"), options((False,) * SEATS), 1, "bench"))
    turns = review.turns(played.lines)
    timed, start = turns[::TIMED], process_time()
    for seed, turn in enumerate(timed):
        review.review(turn, seed, SIMULATIONS)
    return (process_time() - start) * len(turns) / len(timed)
