"""Leagues whose blocks are chosen by results, played with made-up results in no time."""

import random
from collections.abc import Callable, Sequence

from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import Plan, ScheduledGame
from vinci_tournament.pairing.choice import Choice
from vinci_tournament.pairing.chooser import Chooser
from vinci_tournament.results.result import Result

Skill = Callable[[str], float]


def by_name(bot: str) -> float:
    """Return a skill that is higher for letters at the front of the alphabet."""
    return -ord(bot[0])


def result(game: ScheduledGame, skill: Skill) -> Result:
    """Return the result of a game in which higher skill, which may be random, is always ahead."""
    skills = [skill(name) for name in game.bots]
    ranks = tuple(1 + sum(other > mine for other in skills) for mine in skills)
    seats = len(game.bots)
    vp, attacks = tuple(20 - rank for rank in ranks), ((0,) * seats,) * seats
    return Result(game.block, game.rotation, game.seed, game.bots, ranks, vp, 9, 99, (), (), attacks, "")


def played(
    league: League, skill: Skill, most: int | None = None, shuffled: int | None = None
) -> tuple[list[Choice], list[Result]]:
    """Play a league to its end, or so many blocks, and return the chosen blocks and all results.

    Games are finished in order, or in a random one that `shuffled` seeds.
    """
    chosen: list[Choice] = []
    results: list[Result] = []

    def store(_first: int, choices: Sequence[Choice]) -> None:
        chosen.extend(choices)

    chooser = Chooser(Plan(league), store, most or league.blocks)
    waiting = chooser.games()
    order = random.Random(shuffled)
    while waiting:
        game = waiting.pop(order.randrange(len(waiting)) if shuffled is not None else 0)
        results.append(result(game, skill))
        chooser.note(results[-1:])
        waiting += chooser.games()
    return chosen, sorted(results, key=lambda one: (one.block, one.rotation))
