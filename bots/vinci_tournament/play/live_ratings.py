"""Provisional standings of a running league, by `openskill`; reports do not use them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Final, NamedTuple, final

from openskill.models import PlackettLuce

from ..results.result import Result

MOST_RATED: Final = 2000
"""Games that are rated at a time; a rating hardly depends on more, and a game takes 0.05 ms."""
MOST_POINTS: Final = 100
"""Maximum number of points of a bot in a chart of ratings over time."""


class Provisional(NamedTuple):
    """Provisional rating of a bot: its skill is the rating minus three times the uncertainty."""

    bot: str
    skill: float
    games: int
    rating: float
    uncertainty: float


@final
class LiveRatings:
    """Ratings that are updated game by game; they depend on the order of the games."""

    def __init__(self, bots: Iterable[str]) -> None:
        self._model: Final = PlackettLuce()
        self._ratings: Final = {bot: self._model.rating(name=bot) for bot in bots}
        self._games: Final[Counter[str]] = Counter()
        self._number = 0
        self._rated = 0
        self._samples: list[tuple[int, dict[str, float]]] = []
        self._every = 1

    def note_many(self, results: Sequence[Result]) -> None:
        """Count games, and update the ratings with the last ones of them."""
        first = self._number + len(results) - MOST_RATED
        for result in results:
            self._number += 1
            self._games.update(set(result.bots))
            if self._number > first:
                self._rate(result)
                self._sample()

    def _rate(self, result: Result) -> None:
        """Update the ratings with a game; the updates of a bot at several seats are averaged."""
        teams = [[self._model.create_rating([self._ratings[bot].mu, self._ratings[bot].sigma])] for bot in result.bots]
        rated = self._model.rate(teams, ranks=[float(rank) for rank in result.ranks])
        for bot in set(result.bots):
            mine = [team[0] for team, name in zip(rated, result.bots, strict=True) if name == bot]
            mean = [fmean(rating.mu for rating in mine), fmean(rating.sigma for rating in mine)]
            self._ratings[bot] = self._model.create_rating(mean)

    def _sample(self) -> None:
        """Keep the ratings after every `_every` games; of too many samples every second one."""
        self._rated += 1
        if self._rated % self._every:
            return
        self._samples.append((self._number, self._present()))
        if len(self._samples) == MOST_POINTS:
            self._samples = self._samples[1::2]
            self._every *= 2

    def _present(self) -> dict[str, float]:
        return {bot: rating.mu for bot, rating in self._ratings.items() if self._games[bot]}

    def history(self) -> list[tuple[int, dict[str, float]]]:
        """Return numbers of games, evenly spread up to all, and the ratings of the bots that had played by then.

        There are at most MOST_POINTS. They begin with the first game that was rated.
        """
        is_now = not self._samples or self._samples[-1][0] == self._number
        return self._samples if is_now else [*self._samples, (self._number, self._present())]

    def standings(self) -> list[Provisional]:
        """Return all bots, the best first, those without a game last."""
        bots = [
            Provisional(bot, rating.ordinal(), self._games[bot], rating.mu, rating.sigma)
            for bot, rating in self._ratings.items()
        ]
        return sorted(bots, key=lambda rated: (not rated.games, -rated.skill, rated.bot))
