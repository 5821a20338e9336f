"""Reviews a recorded game in worker processes, and yields the lines of the review.

The only part of reviews that uses the rules: clients run it by `process`.
"""

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from itertools import repeat, starmap
from random import Random
from typing import Any, Final

from vinci_players import review
from vinci_players.estimates import Estimate
from vinci_rules import ENGINE_VERSION, notation, record
from vinci_rules.actions import Action, Take
from vinci_rules.state import Seat
from vinci_rules.traits import KINDS
from vinci_tournament.play.worker_pool import Processes

from ..exceptions import Failed
from ..text.i18n import _
from .model import FORMAT, Accuracy, Figure, Moves, ReviewedPlayer, ReviewedTurn, TurningPoint, written

DIGITS_OF_ACCURACY: Final = 1


def lines(
    played: Sequence[str], simulations: int, seed: str, seats: Collection[int] = (), workers: int = 1
) -> Iterator[dict[str, Any]]:
    """Review a record and yield the lines of its review, those of turns in order.

    Args:
        played: the lines of the record.
        simulations: simulations of each turn played, and of each one preferred.
        seed: seed of the review.
        seats: seats whose turns are compared with others, from 1; all without any.
        workers: processes that work at most; with one it is this process.

    Raises:
        Failed: the record is wrong, has no turn or no such seat, or a worker was ended.
    """
    try:
        turns = review.turns(played)
    except record.RecordError as error:
        raise Failed(str(error)) from None
    if not turns:
        raise Failed(_("no turn was played in this game, so there is nothing to review"))
    number = len(turns[0].start.vp)
    if wrong := [seat for seat in seats if not 1 <= seat <= number]:
        raise Failed(_("there is no seat {seat}; this game has {number} seats").format(seat=wrong[0], number=number))
    head = {
        "review": FORMAT,
        "record": record.last_hash(played),
        "engine": ENGINE_VERSION,
        "seed": seed,
        "simulations": simulations,
        "turns": len(turns),
    }
    random = Random(seed)
    compared = [not seats or turn.seat + 1 in seats for turn in turns]
    tasks = (turns, [random.getrandbits(48) for _turn in turns], repeat(simulations), compared)
    start = random.getrandbits(48)
    try:
        with ExitStack() as stack:
            pool = Processes(min(workers, len(turns))) if min(workers, len(turns)) > 1 else None
            if pool is None:
                leads, wins = review.start(turns[0].start, start, simulations)
                reviews: Iterator[review.TurnReview] = map(_reviewed, *tasks)
            else:
                stack.callback(pool.shutdown, cancel_futures=True)
                begun = pool.submit(review.start, turns[0].start, start, simulations)
                reviews = pool.map(_reviewed, *tasks)
                leads, wins = begun.result()
            yield head | {"leads": written(_figures(leads)), "wins": written(_figures(wins))}
            found: list[review.TurnReview] = []
            for turn, reviewed in zip(turns, reviews, strict=True):
                found.append(reviewed)
                yield written(_turn(turn, reviewed))
    except BrokenProcessPool:
        text = _("a worker process was ended from outside, so there is no review; --workers 1 starts none")
        raise Failed(text) from None
    points = review.turning_points([wins, *(reviewed.wins for reviewed in found)], turns)
    yield {
        "players": [written(_player(seat, review.player(seat, turns, found))) for seat in turns[0].start.seats()],
        "turning_points": [written(TurningPoint(*point)._replace(seat=point.seat + 1)) for point in points],
    }


def _reviewed(turn: review.Turn, seed: int, simulations: int, compared: bool) -> review.TurnReview:
    return review.review(turn, seed, simulations, compared=compared)


def _turn(turn: review.Turn, reviewed: review.TurnReview) -> ReviewedTurn:
    return ReviewedTurn(
        turn.first,
        turn.last,
        turn.start.round,
        turn.seat + 1,
        "substitute" if turn.substituted else "player" if turn.decided else "dummy",
        _moves(turn, turn.actions),
        _moves(turn, reviewed.preferred) if reviewed.choices else None,
        reviewed.choices,
        Figure(*reviewed.loss),
        Figure(*reviewed.vp_loss),
        _figures(reviewed.leads),
        _figures(reviewed.wins),
        _figures(reviewed.luck),
    )


def _moves(turn: review.Turn, actions: Sequence[Action]) -> Moves:
    """Return the actions in notation; of a civilization taken also the traits."""
    taken = [turn.start.market[action.slot].traits for action in actions if isinstance(action, Take)]
    shown = [notation.write(action, turn.start.board) for action in actions]
    return Moves(shown, [KINDS[trait].code for trait in taken[-1]] if taken else ())


def _player(seat: Seat, found: review.PlayerReview) -> ReviewedPlayer:
    shown = [round(value, DIGITS_OF_ACCURACY) for value in (found.accuracy, found.lowest, found.highest)]
    return ReviewedPlayer(
        seat + 1,
        found.turns,
        Accuracy(*shown) if found.turns else None,
        Figure(*found.loss),
        found.mistakes,
        Figure(*found.draws),
        Figure(*found.dummies),
    )


def _figures(estimates: Sequence[Estimate]) -> list[Figure]:
    return list(starmap(Figure, estimates))
