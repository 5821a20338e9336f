"""Scores of bots in the rounds of a league, in exact numbers, and the lot that decides ties."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from ..definition.formats import LineUp
from ..definition.league import League
from ..definition.schedule import derived
from ..results.result import Result

EVEN = Fraction(1, 2)
"""Score of a bot that has not played."""


class Scores:
    """Mean share of opponents that each bot was ahead of, a tie counting half, and its mean VP."""

    def __init__(self, league: League, results: Iterable[Result]) -> None:
        self._seed = league.seed_of(0)
        self._half_points: Counter[str] = Counter()
        self._vp: Counter[str] = Counter()
        self._games: Counter[str] = Counter()
        self._opponents = league.seats - 1
        for result in results:
            for bot, rank, vp in zip(result.bots, result.ranks, result.vp, strict=True):
                ahead = sum((rank < other) * 2 + (rank == other) for other in result.ranks) - 1  # it ties with itself
                self._half_points[bot] += ahead
                self._vp[bot] += vp
                self._games[bot] += 1

    def score(self, bot: str) -> Fraction:
        """Return the score of a bot, from 0 to 1."""
        games = self._games[bot]
        return Fraction(self._half_points[bot], 2 * self._opponents * games) if games else EVEN

    def ordered(self, bots: Iterable[str]) -> list[str]:
        """Return bots, the best first: by score, then mean VP, then a lot that the seed of the league draws."""

        def key(bot: str) -> tuple[Fraction, Fraction, str]:
            return -self.score(bot), -Fraction(self._vp[bot], self._games[bot] or 1), derived(self._seed, f"lot|{bot}")

        return sorted(bots, key=key)

    def shown(self, bots: Sequence[str]) -> dict[str, float]:
        """Return the scores of bots, rounded."""
        return {bot: round(float(self.score(bot)), 4) for bot in bots}


def meetings(line_ups: Iterable[LineUp]) -> Counter[tuple[str, str]]:
    """Return how often each two bots met, in both orders."""
    met = Counter[tuple[str, str]]()
    for line_up in line_ups:
        met.update(pair for both in combinations(line_up, 2) for pair in (both, both[::-1]))
    return met
