"""Reviews a recorded game in worker processes, and yields the lines of the review."""

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any, Final, NamedTuple

from vinci_players import review
from vinci_players.estimates import Estimate
from vinci_rules import ENGINE_VERSION, notation, record
from vinci_rules.actions import Action, Take
from vinci_rules.state import Seat
from vinci_rules.traits import KINDS

from ..exceptions import Failed
from ..review.model import FORMAT
from ..text.i18n import _

DIGITS: Final = 3


class Task(NamedTuple):
    """A turn to review, with its own seed."""

    turn: review.Turn
    seed: int
    simulations: int
    compared: bool


class Reviewing:
    """The review of a record.

    Attributes:
        turns: the turns of the game.
    """

    def __init__(self, lines: Sequence[str], simulations: int, seed: str, seats: Collection[int] = ()) -> None:
        """Read a record.

        Args:
            lines: the lines of the record.
            simulations: simulations of each turn played, and of each one preferred.
            seed: seed of the review.
            seats: seats whose turns are compared with others, from 1; all without any.

        Raises:
            Failed: the record is wrong, has no turn, or no such seat.
        """
        try:
            self.turns: Final = review.turns(lines)
        except record.RecordError as error:
            raise Failed(str(error)) from None
        if not self.turns:
            raise Failed(_("no turn was played in this game, so there is nothing to review"))
        number = len(self.turns[0].start.vp)
        if wrong := [seat for seat in seats if not 1 <= seat <= number]:
            raise Failed(
                _("there is no seat {seat}; this game has {number} seats").format(seat=wrong[0], number=number)
            )
        self._seats: Final = seats or range(1, number + 1)
        self._seed: Final = seed
        self._simulations: Final = simulations
        self._record: Final = record.last_hash(lines)

    def lines(self, pool: ProcessPoolExecutor | None) -> Iterator[dict[str, Any]]:
        """Yield the lines, those of turns in order. Without a pool this process works. Raises Failed."""
        try:
            yield from self._lines(pool)
        except BrokenProcessPool:
            text = _("a worker process was ended from outside, so there is no review; --workers 1 starts none")
            raise Failed(text) from None

    def _lines(self, pool: ProcessPoolExecutor | None) -> Iterator[dict[str, Any]]:
        turns, seed = self.turns, Random(self._seed)
        tasks = [Task(turn, seed.getrandbits(48), self._simulations, turn.seat + 1 in self._seats) for turn in turns]
        first = (turns[0].start, seed.getrandbits(48), self._simulations)
        if pool is None:
            leads, wins = review.start(*first)
            reviews: Iterator[review.TurnReview] = map(_reviewed, tasks)
        else:
            begun = pool.submit(review.start, *first)
            reviews = pool.map(_reviewed, tasks)
            leads, wins = begun.result()
        yield {
            "review": FORMAT,
            "record": self._record,
            "engine": ENGINE_VERSION,
            "seed": self._seed,
            "simulations": self._simulations,
            "turns": len(turns),
            "leads": _figures(leads),
            "wins": _figures(wins),
        }
        found: list[review.TurnReview] = []
        for turn, reviewed in zip(turns, reviews, strict=True):
            found.append(reviewed)
            yield _turn(turn, reviewed)
        points = review.turning_points([wins, *(reviewed.wins for reviewed in found)], turns)
        yield {
            "players": [_player(seat, review.player(seat, turns, found)) for seat in turns[0].start.seats()],
            "turning_points": [_point(point) for point in points],
        }


def _reviewed(task: Task) -> review.TurnReview:
    return review.review(task.turn, task.seed, task.simulations, compared=task.compared)


def _turn(turn: review.Turn, reviewed: review.TurnReview) -> dict[str, Any]:
    by = "substitute" if turn.substituted else "player" if turn.decided else "dummy"
    line = {
        "first": turn.first,
        "last": turn.last,
        "round": turn.start.round,
        "seat": turn.seat + 1,
        "by": by,
        "played": _moves(turn, turn.actions),
    }
    if reviewed.choices:
        line["preferred"] = _moves(turn, reviewed.preferred)
    return line | {
        "choices": reviewed.choices,
        "loss": _figure(reviewed.loss),
        "vp_loss": _figure(reviewed.vp_loss),
        "leads": _figures(reviewed.leads),
        "wins": _figures(reviewed.wins),
        "luck": _figures(reviewed.luck),
    }


def _moves(turn: review.Turn, actions: Sequence[Action]) -> dict[str, Any]:
    """Return the actions in notation; of a civilization taken also the traits."""
    moves: dict[str, Any] = {"actions": [notation.write(action, turn.start.board) for action in actions]}
    for action in actions:
        if isinstance(action, Take):
            moves["takes"] = [KINDS[trait].code for trait in turn.start.market[action.slot].traits]
    return moves


def _player(seat: Seat, found: review.PlayerReview) -> dict[str, Any]:
    shown = (found.accuracy, found.lowest, found.highest)
    return {
        "seat": seat + 1,
        "turns": found.turns,
        "accuracy": [round(value, 1) for value in shown] if found.turns else None,
        "loss": _figure(found.loss),
        "mistakes": found.mistakes,
        "draws": _figure(found.draws),
        "dummies": _figure(found.dummies),
    }


def _point(point: review.TurningPoint) -> dict[str, Any]:
    before, after = round(point.before, DIGITS), round(point.after, DIGITS)
    return {"turn": point.turn, "seat": point.seat + 1, "before": before, "after": after}


def _figure(estimate: Estimate) -> list[float]:
    return [round(estimate.mean, DIGITS), round(estimate.half, DIGITS)]


def _figures(estimates: Sequence[Estimate]) -> list[list[float]]:
    return [_figure(estimate) for estimate in estimates]
