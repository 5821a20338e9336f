"""Statistics of a league as values: `standings` computes them, `report` shows them."""

from dataclasses import dataclass
from math import isinf
from typing import Final, NamedTuple

SPARING: Final = 0.8
"""Two bots are flagged if they certainly attack each other fewer times than this as often as others."""


class Estimate(NamedTuple):
    """A point estimate with its 95 % confidence interval.

    With too few blocks or without variation there is no interval, and both ends equal the value. One end of a rating or
    of a rating difference can be infinite; the other end is then a one-sided bound.
    """

    value: float
    low: float
    high: float

    @property
    def is_told(self) -> bool:
        """Whether there is an interval of positive width."""
        return self.low < self.high

    @property
    def is_open(self) -> bool:
        """Whether one end is infinite."""
        return isinf(self.low) or isinf(self.high)


@dataclass(frozen=True, slots=True)
class BotFigures:
    """Statistics of a bot.

    Attributes:
        bot: its name.
        games: games that it played.
        forfeits: seats that it forfeited.
        rating: in Elo points; a bot rated 0 would be ahead of the field in half of all meetings.
        win_share: mean share of first places from 0 to 1; ties are split.
        mean_rank: from 1; tied bots have the mean of their ranks.
        margin: mean VP ahead of the best opponent.
    """

    bot: str
    games: int
    forfeits: int
    rating: Estimate
    win_share: Estimate
    mean_rank: Estimate
    margin: Estimate


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """Effect of a seat (from 0) on the rating, in Elo points with a mean of 0, and its share of first places."""

    seat: int
    rating: Estimate
    win_share: Estimate


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two bots in the games that both played: share in which the first is ahead (ties half), and its mean VP lead."""

    bot: str
    other: str
    games: int
    ahead: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class DifferenceFigures:
    """Rating difference of two bots, the first minus the other, in Elo points; they need not have met."""

    bot: str
    other: str
    rating: Estimate


@dataclass(frozen=True, slots=True)
class Standings:
    """Standings: bots by rating, the best first; seats in order; pairs in the order of their bots.

    `pairs` has the pairs that met, `differences` has all pairs.
    """

    games: int
    blocks: int
    bots: tuple[BotFigures, ...]
    seats: tuple[SeatFigures, ...]
    pairs: tuple[PairFigures, ...]
    differences: tuple[DifferenceFigures, ...] = ()


@dataclass(frozen=True, slots=True)
class TraitFigures:
    """Civilizations with a trait, or with two traits: number played, and mean VP of one."""

    traits: tuple[str, ...]
    played: int
    vp: Estimate


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """Provinces with pawns that a bot took from another, per game that both played."""

    attacker: str
    victim: str
    per_game: float


@dataclass(frozen=True, slots=True)
class MutualAttackFigures:
    """Attacks of two bots on each other, as a multiple of what is expected from what both do in games with others.

    Attributes:
        bot: the one with the higher rating.
        other: the other one.
        games: games that both played, without those with a forfeit.
        mutual: attacks of both; the intervals of all pairs hold at once.
        by_bot: attacks of the first on the other.
        by_other: attacks of the other on the first.
    """

    bot: str
    other: str
    games: int
    mutual: Estimate
    by_bot: Estimate
    by_other: Estimate

    @property
    def is_flagged(self) -> bool:
        """Whether both certainly attack each other less often than others, and together by a fifth at least."""
        return self.mutual.high < SPARING and max(self.by_bot.high, self.by_other.high) < 1


@dataclass(frozen=True, slots=True)
class LineUpFigures:
    """Statistics of the first bot of a given line-up, in the games of that line-up.

    Attributes:
        bots: the line-up.
        games: games that it was played.
        win_share: mean share of first places of its first bot, from 0 to 1; ties are split.
        mean_rank: from 1; tied bots have the mean of their ranks.
        margin: mean VP ahead of the best opponent.
    """

    bots: tuple[str, ...]
    games: int
    win_share: Estimate
    mean_rank: Estimate
    margin: Estimate


@dataclass(frozen=True, slots=True)
class LeagueFigures:
    """All statistics of a league, rounded: ratings to 0.1, shares to 0.0001, others to 0.01.

    Attributes:
        standings: a forfeit counts as last place.
        without_forfeits: games with a forfeit are left out; None if no games are left.
        traits: by single traits.
        trait_pairs: by pairs of traits.
        attacks: by attacker and victim.
        variance_reduction: factor by which independent games would have to outnumber games in blocks for the same
            precision of win shares; None if it cannot be estimated.
        line_ups: by line-up, if the league names its line-ups.
        mutual_attacks: by pairs of bots, if enough is known; the lowest upper bound first.
    """

    standings: Standings
    without_forfeits: Standings | None
    traits: tuple[TraitFigures, ...]
    trait_pairs: tuple[TraitFigures, ...]
    attacks: tuple[AttackFigures, ...]
    variance_reduction: float | None
    line_ups: tuple[LineUpFigures, ...] = ()
    mutual_attacks: tuple[MutualAttackFigures, ...] = ()
