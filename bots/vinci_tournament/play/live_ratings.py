"""Provisional standings of a running league, by `openskill`; reports do not use them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Final, NamedTuple, final

from openskill.models import PlackettLuce

from ..results.result import Result

MOST_RATED: Final = 2000
"""Games that are rated at a time; a rating hardly depends on more, and a game takes 0.05 ms."""


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

    def note_many(self, results: Sequence[Result]) -> None:
        """Count games, and update the ratings with the last ones of them."""
        for result in results:
            self._games.update(set(result.bots))
        for result in results[-MOST_RATED:]:
            self._rate(result)

    def _rate(self, result: Result) -> None:
        """Update the ratings with a game; the updates of a bot at several seats are averaged."""
        teams = [[self._model.create_rating([self._ratings[bot].mu, self._ratings[bot].sigma])] for bot in result.bots]
        rated = self._model.rate(teams, ranks=[float(rank) for rank in result.ranks])
        for bot in set(result.bots):
            mine = [team[0] for team, name in zip(rated, result.bots, strict=True) if name == bot]
            mean = [fmean(rating.mu for rating in mine), fmean(rating.sigma for rating in mine)]
            self._ratings[bot] = self._model.create_rating(mean)

    def standings(self) -> list[Provisional]:
        """Return all bots, the best first."""
        bots = [
            Provisional(bot, rating.ordinal(), self._games[bot], rating.mu, rating.sigma)
            for bot, rating in self._ratings.items()
        ]
        return sorted(bots, key=lambda rated: (-rated.skill, rated.bot))
