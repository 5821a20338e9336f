"""A review of a game as lines of JSON, which `vinci review --json` writes (docs/players.md), and read from them.

Parts of a review have the keys of the file as fields, in its order; figures are lists of numbers there.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from vinci_client.printable import printable

FORMAT: Final = 1
SUFFIX: Final = ".review.json"
"""Suffix of the file with the review of a record, beside it."""
SMALLEST: Final = 0.05
"""Figures below are shown as 0."""
OPTIONAL: Final = {"preferred": None, "takes": (), "now": None}
"""Keys that are left out where they have these values."""


class ReviewError(ValueError):
    """The lines are no review; the message says why."""


class Figure(NamedTuple):
    """A mean and the half width of its interval of 95 %."""

    mean: float
    half: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0, and the mean is not shown as 0."""
        return abs(self.mean) > max(self.half, SMALLEST)


class Accuracy(NamedTuple):
    """The accuracy of a player, 0 to 100, with its lowest and highest value by the interval of the loss."""

    value: float
    lowest: float
    highest: float


class Moves(NamedTuple):
    """Actions of a turn in notation, and the traits of the civilization taken."""

    actions: Sequence[str]
    takes: Sequence[str] = ()


class ReviewedTurn(NamedTuple):
    """A turn.

    Attributes:
        first, last: revisions before and after it.
        round, seat: as in the game; the seat from 1.
        by: `player`, `dummy` or `substitute`.
        played: its actions. preferred: those of the search, or those played if they are as good; None if the turn was
            not compared.
        choices: number of turns that the search compared.
        loss, vp_loss: VP lost by it, of the lead and of the own score.
        now: own VP right after the preferred turn less those after the one played; None in files kept before 0.3.
        wins: chance of the first place after it, by seat. leads: expected leads.
        luck: effect of draws or of the dummy's choices on the lead, by seat.
    """

    first: int
    last: int
    round: int
    seat: int
    by: str
    played: Moves
    preferred: Moves | None
    choices: int
    loss: Figure
    vp_loss: Figure
    now: int | None
    leads: Sequence[Figure]
    wins: Sequence[Figure]
    luck: Sequence[Figure]


class ReviewedPlayer(NamedTuple):
    """A seat over the game: turns that count, accuracy (None without such turns), sums of losses and luck."""

    seat: int
    turns: int
    accuracy: Accuracy | None
    loss: Figure
    mistakes: int
    draws: Figure
    dummies: Figure


class TurningPoint(NamedTuple):
    """A turn, by its index, after which a seat had another chance of the first place."""

    turn: int
    seat: int
    before: float
    after: float


class GameReview(NamedTuple):
    """A whole review; `record` is the last hash of the record, `wins` are the chances at the beginning."""

    record: str
    simulations: int
    seed: str
    wins: Sequence[Figure]
    turns: Sequence[ReviewedTurn]
    players: Sequence[ReviewedPlayer]
    turning_points: Sequence[TurningPoint]

    def turn_at(self, revision: int) -> ReviewedTurn | None:
        """Return the turn in which a revision was made; before the first one, None."""
        return next((turn for turn in self.turns if turn.first < revision <= turn.last), None)

    def curves(self) -> dict[int, list[int]]:
        """Return the chance of the first place of each seat in percent, at the beginning and after each round."""
        ends = {turn.round: turn.wins for turn in self.turns if turn.round}
        points = [next((turn.wins for turn in reversed(self.turns) if not turn.round), self.wins), *ends.values()]
        return {seat + 1: [round(100 * wins[seat].mean) for wins in points] for seat in range(len(self.wins))}

    @property
    def has_dummies(self) -> bool:
        """Whether dummies played."""
        return any(turn.by == "dummy" for turn in self.turns)


def path_of(record: Path) -> Path:
    """Return the path of the review of a record."""
    return record.with_suffix(SUFFIX)


def parse(lines: Iterable[str]) -> GameReview:
    """Read a review. Raises ReviewError."""
    try:
        head, *middle, end = [json.loads(line) for line in lines]
        if head["review"] != FORMAT or len(middle) != head["turns"]:
            raise ReviewError(f"not a whole review of format {FORMAT}")
        review: GameReview = _read(GameReview, {**head, **end, "turns": middle})
    except ReviewError:
        raise
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ReviewError(f"not a review: {error}") from None
    seats = len(review.wins)
    if any({len(turn.wins), len(turn.luck)} != {seats} or not 1 <= turn.seat <= seats for turn in review.turns):
        raise ReviewError("not a review: the number of seats changes")
    if any(not 0 <= point.turn < len(review.turns) for point in review.turning_points):
        raise ReviewError("not a review: a turning point is no turn")
    losses = [player.loss for player in review.players]  # in files kept earlier, better turns were set off
    losses = [loss._replace(mean=max(loss.mean, 0.0)) for loss in losses]
    players = [player._replace(loss=loss) for player, loss in zip(review.players, losses, strict=True)]
    return review._replace(players=players)


def load(path: Path, record: str) -> GameReview | None:
    """Return the review in a file if it is of the record with this last hash; None without one."""
    try:
        review = parse(path.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        return None
    return review if review.record == record else None


def _read(kind: Any, value: Any) -> Any:
    """Return a part of a file as this type; raises what look-ups and conversions raise."""
    of = get_args(kind)
    if NoneType in of:
        return None if value is None else _read(of[0], value)
    if of:
        return [_read(of[0], one) for one in value]
    if kind in (Figure, Accuracy):
        return kind(*map(float, value))
    if issubclass(kind, tuple):
        given = {**OPTIONAL, **value}
        return kind(*[_read(of, given[key]) for key, of in get_type_hints(kind).items()])
    return printable(str(value)) if kind is str else kind(value)
