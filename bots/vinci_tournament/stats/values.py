"""The figures that a league proves, as values: `standings` works them out, `report` shows them."""

from dataclasses import dataclass
from math import isinf
from typing import NamedTuple


class Estimate(NamedTuple):
    """A figure with its 95 % interval.

    Where no interval can be told, since there are too few blocks or nothing varies, it has no width. One end of a
    rating or of a difference of ratings can be infinite: then the other one is all that is known.
    """

    value: float
    low: float
    high: float

    @property
    def is_told(self) -> bool:
        """Whether there is an interval."""
        return self.low < self.high

    @property
    def is_open(self) -> bool:
        """Whether one end is infinite."""
        return isinf(self.low) or isinf(self.high)


@dataclass(frozen=True, slots=True)
class BotFigures:
    """How a bot did.

    `rating` is on the scale of Elo; a bot of 0 would be ahead of the field in half of all meetings. `win_share` is the
    mean share of first places, ties split; `mean_rank` counts ties as the mean of their ranks; `margin` is VP ahead of
    the best opponent.
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
    """What a seat, from 0, is worth to whoever sits there, as a rating (0 for the middle), and its share of wins."""

    seat: int
    rating: Estimate
    win_share: Estimate


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two bots in the games that both played: share of games in which the first is ahead, ties half; VP ahead."""

    bot: str
    other: str
    games: int
    ahead: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class DifferenceFigures:
    """Rating of the first of two bots minus that of the other, whether they met or not."""

    bot: str
    other: str
    rating: Estimate


@dataclass(frozen=True, slots=True)
class Standings:
    """Standings of all bots: bots by rating, the best first; seats in order; pairs by their bots' places.

    `pairs` are those that met, `differences` are all.
    """

    games: int
    blocks: int
    bots: tuple[BotFigures, ...]
    seats: tuple[SeatFigures, ...]
    pairs: tuple[PairFigures, ...]
    differences: tuple[DifferenceFigures, ...] = ()


@dataclass(frozen=True, slots=True)
class TraitFigures:
    """What civilizations with a trait, or with two traits, earned: how many were played, mean VP of one."""

    traits: tuple[str, ...]
    played: int
    vp: Estimate


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """How many provinces with pawns a bot took from another, a game that both played."""

    attacker: str
    victim: str
    per_game: float


@dataclass(frozen=True, slots=True)
class LeagueFigures:
    """All that a league proves, rounded as it is shown: ratings to 0.1, shares to 0.0001, the rest to 0.01.

    In `standings` a forfeit is a last place; `without_forfeits` leaves games with one out, None if there are none.
    `variance_reduction` is how many times as many games with luck and seats of their own would be needed to know win
    shares as well; None where it cannot be told.
    """

    standings: Standings
    without_forfeits: Standings | None
    traits: tuple[TraitFigures, ...]
    trait_pairs: tuple[TraitFigures, ...]
    attacks: tuple[AttackFigures, ...]
    variance_reduction: float | None
