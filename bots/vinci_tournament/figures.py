"""The figures that a league proves, as values: `standings` works them out, `report` shows them."""

from dataclasses import dataclass
from typing import NamedTuple


class Estimate(NamedTuple):
    """A figure with its 95 % interval.

    Where no interval can be told, since there are too few blocks or nothing varies, it has no width.
    """

    value: float
    low: float
    high: float

    @property
    def is_told(self) -> bool:
        """Whether there is an interval."""
        return self.low < self.high


@dataclass(frozen=True, slots=True)
class BotFigures:
    """How a bot did.

    `rating` is on the scale of Elo, 0 for the middle of the field. `win_share` is the mean share of first places, ties
    split; `mean_rank` counts ties as the mean of their ranks; `margin` is VP ahead of the best opponent.
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
class Standings:
    """Everybody against everybody: bots by rating, the best first; seats in order; pairs by their bots' places."""

    games: int
    blocks: int
    bots: tuple[BotFigures, ...]
    seats: tuple[SeatFigures, ...]
    pairs: tuple[PairFigures, ...]


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
class Figures:
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
