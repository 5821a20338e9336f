"""A review of a game, read from the lines of JSON that `vinci review --json` writes (docs/players.md)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from vinci_client.printable import printable

FORMAT: Final = 1
SUFFIX: Final = ".review.json"
"""Suffix of the file with the review of a record, beside it."""


class ReviewError(ValueError):
    """The lines are no review; the message says why."""


class Figure(NamedTuple):
    """A mean and the half width of its interval of 95 %."""

    mean: float
    half: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0."""
        return abs(self.mean) > self.half


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
    wins: Sequence[Figure]
    leads: Sequence[Figure]
    luck: Sequence[Figure]

    @property
    def is_judged(self) -> bool:
        """Whether it counts for the accuracy of its player."""
        return self.by == "player" and self.preferred is not None and self.choices > 1


class ReviewedPlayer(NamedTuple):
    """A seat over the game: turns that count, accuracy with its range, sums of losses and luck; 100 without turns."""

    seat: int
    turns: int
    accuracy: float
    lowest: float
    highest: float
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
        review = GameReview(
            str(head["record"]),
            int(head["simulations"]),
            printable(str(head["seed"])),
            _figures(head["wins"]),
            [_turn(line) for line in middle],
            [_player(player) for player in end["players"]],
            [_point(point) for point in end["turning_points"]],
        )
    except ReviewError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReviewError(f"not a review: {error}") from None
    seats = len(review.wins)
    if any({len(turn.wins), len(turn.luck)} != {seats} or not 1 <= turn.seat <= seats for turn in review.turns):
        raise ReviewError("not a review: the number of seats changes")
    if any(not 0 <= point.turn < len(review.turns) for point in review.turning_points):
        raise ReviewError("not a review: a turning point is no turn")
    return review


def load(path: Path, record: str) -> GameReview | None:
    """Return the review in a file if it is of the record with this last hash; None without one."""
    try:
        review = parse(path.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        return None
    return review if review.record == record else None


def _figure(pair: Sequence[Any]) -> Figure:
    mean, half = pair
    return Figure(float(mean), float(half))


def _figures(pairs: Sequence[Any]) -> list[Figure]:
    return [_figure(pair) for pair in pairs]


def _moves(moves: Mapping[str, Any]) -> Moves:
    return Moves([printable(str(text)) for text in moves["actions"]], [str(code) for code in moves.get("takes", ())])


def _turn(line: Mapping[str, Any]) -> ReviewedTurn:
    preferred = line.get("preferred")
    return ReviewedTurn(
        int(line["first"]),
        int(line["last"]),
        int(line["round"]),
        int(line["seat"]),
        str(line["by"]),
        _moves(line["played"]),
        None if preferred is None else _moves(preferred),
        int(line["choices"]),
        _figure(line["loss"]),
        _figure(line["vp_loss"]),
        _figures(line["wins"]),
        _figures(line["leads"]),
        _figures(line["luck"]),
    )


def _player(line: Mapping[str, Any]) -> ReviewedPlayer:
    accuracy, lowest, highest = map(float, line["accuracy"] or (100, 100, 100))
    loss, draws, dummies = (_figure(line[key]) for key in ("loss", "draws", "dummies"))
    loss = loss._replace(mean=max(loss.mean, 0.0))  # in files kept earlier, better turns were set off against losses
    seat, turns, mistakes = (int(line[key]) for key in ("seat", "turns", "mistakes"))
    return ReviewedPlayer(seat, turns, accuracy, lowest, highest, loss, mistakes, draws, dummies)


def _point(line: Mapping[str, Any]) -> TurningPoint:
    return TurningPoint(int(line["turn"]), int(line["seat"]), float(line["before"]), float(line["after"]))
