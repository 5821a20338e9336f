"""Chooses further blocks of a league as its results come in."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from operator import attrgetter
from typing import Final, final

from ..definition.league import League
from ..definition.schedule import Plan, ScheduledGame
from ..results.result import Result
from .choice import Choice
from .formats import choose


@final
class Chooser:
    """Chooses blocks of a league whose schedule depends on its results, and stores them before they are played.

    `store` receives the number of the first new block, and the new blocks; `most` is the number of blocks to reach,
    infinite if there is no limit.
    """

    def __init__(self, plan: Plan, store: Callable[[int, Sequence[Choice]], None], most: float) -> None:
        self._plan: Final = plan
        self._store: Final = store
        self._most: Final = most
        self._choose: Final = choose(plan.league)
        self._open: Final = defaultdict[int, list[Result]](list)
        self._complete: Final[dict[int, list[Result]]] = {}

    @property
    def left(self) -> float:
        """The number of games that are still to be chosen."""
        return max(self._most - len(self._plan.line_ups), 0) * self._plan.league.rotations

    def note(self, results: Iterable[Result]) -> None:
        """Take new results."""
        for result in results:
            self._open[result.block].append(result)
            if len(self._open[result.block]) == self._plan.league.rotations:
                self._complete[result.block] = sorted(self._open.pop(result.block), key=attrgetter("rotation"))

    def games(self) -> list[ScheduledGame]:
        """Return the games of all blocks that can be chosen now."""
        first = len(self._plan.games)
        while self.left and (chosen := self._choose(self._plan.line_ups, self._complete)):
            self._store(len(self._plan.line_ups), chosen)
            self._plan.add(one.bots for one in chosen)
        return self._plan.games[first:]


def wrong_choice(league: League, stored: Sequence[Choice], results: Iterable[Result]) -> str:
    """Return which stored block of a league does not follow from its results, as a sentence; empty if all do."""
    expected: list[Choice] = []
    chooser = Chooser(Plan(replace(league, planned=())), lambda _first, chosen: expected.extend(chosen), len(stored))
    chooser.note(results)
    chooser.games()
    for block, (one, other) in enumerate(zip_longest(expected[: len(stored)], stored)):
        if one is None:
            return f"Block {block} was chosen before the games were over that decide it."
        if one.to_json(block) != other.to_json(block):
            names = ", ".join(one.bots)
            return f"Block {block} does not follow from the results before it, which give {names} and what they tell."
    return ""
