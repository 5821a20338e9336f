"""Reviews of recorded games as lines of JSON (docs/players.md), which terminals and servers show."""

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Executor
from itertools import repeat
from random import Random
from typing import Any, Final

from vinci_rules import ENGINE_VERSION, notation
from vinci_rules.actions import Action, Take
from vinci_rules.traits import KINDS

from . import review
from .estimates import Estimate

FORMAT: Final = 1
DIGITS: Final = 3
DIGITS_OF_ACCURACY: Final = 1


def lines(
    turns: Sequence[review.Turn],
    last_hash: str,
    simulations: int,
    seed: str,
    seats: Collection[int] = (),
    pool: Executor | None = None,
) -> Iterator[dict[str, Any]]:
    """Review turns and yield the lines of the review, those of turns in order.

    Args:
        turns: the turns of a record, at least one.
        last_hash: the last hash of the record.
        simulations: simulations of each turn played, and of each one preferred.
        seed: seed of the review; the same one gives the same lines.
        seats: seats whose turns are compared with others, from 1; all without any.
        pool: what computes; without one, this process does.
    """
    random = Random(seed)
    compared = [not seats or turn.seat + 1 in seats for turn in turns]
    tasks = (turns, [random.getrandbits(48) for _turn in turns], repeat(simulations), compared)
    first = random.getrandbits(48)
    if pool is None:
        leads, wins = review.start(turns[0].start, first, simulations)
        reviews: Iterator[review.TurnReview] = map(_reviewed, *tasks)
    else:
        begun = pool.submit(review.start, turns[0].start, first, simulations)
        reviews = pool.map(_reviewed, *tasks)
        leads, wins = begun.result()
    yield {
        "review": FORMAT,
        "record": last_hash,
        "engine": ENGINE_VERSION,
        "seed": seed,
        "simulations": simulations,
        "turns": len(turns),
        "leads": _figures(leads),
        "wins": _figures(wins),
    }
    found: list[review.TurnReview] = []
    for turn, reviewed in zip(turns, reviews, strict=True):
        found.append(reviewed)
        yield _turn(turn, reviewed)
    points = review.turning_points([wins, *[reviewed.wins for reviewed in found]], turns)
    yield {
        "players": [_player(review.player(seat, turns, found), seat + 1) for seat in turns[0].start.seats()],
        "turning_points": [
            {
                "turn": point.turn,
                "seat": point.seat + 1,
                "before": round(point.before, DIGITS),
                "after": round(point.after, DIGITS),
            }
            for point in points
        ],
    }


def _reviewed(turn: review.Turn, seed: int, simulations: int, compared: bool) -> review.TurnReview:
    return review.review(turn, seed, simulations, compared=compared)


def _turn(turn: review.Turn, reviewed: review.TurnReview) -> dict[str, Any]:
    preferred = {"preferred": _moves(turn, reviewed.preferred)} if reviewed.choices else {}
    suggested = {"suggested": True} if turn.suggested else {}
    return {
        "first": turn.first,
        "last": turn.last,
        "round": turn.start.round,
        "seat": turn.seat + 1,
        "by": "substitute" if turn.substituted else "player" if turn.decided else "dummy",
        "played": _moves(turn, turn.actions),
        **preferred,
        **suggested,
        "choices": reviewed.choices,
        "loss": _figure(reviewed.loss),
        "vp_loss": _figure(reviewed.vp_loss),
        "now": reviewed.now,
        "leads": _figures(reviewed.leads),
        "wins": _figures(reviewed.wins),
        "luck": _figures(reviewed.luck),
    }


def _moves(turn: review.Turn, actions: Sequence[Action]) -> dict[str, list[str]]:
    """Return the actions in notation; of a civilization taken also the traits."""
    moves = {"actions": [notation.write(action, turn.start.board) for action in actions]}
    taken = [turn.start.market[action.slot].traits for action in actions if isinstance(action, Take)]
    return {**moves, "takes": [KINDS[trait].code for trait in taken[-1]]} if taken else moves


def _player(found: review.PlayerReview, seat: int) -> dict[str, Any]:
    shown = [round(value, DIGITS_OF_ACCURACY) for value in (found.accuracy, found.lowest, found.highest)]
    return {
        "seat": seat,
        "turns": found.turns,
        "accuracy": shown if found.turns else None,
        "loss": _figure(found.loss),
        "mistakes": found.mistakes,
        "draws": _figure(found.draws),
        "dummies": _figure(found.dummies),
    }


def _figures(estimates: Sequence[Estimate]) -> list[list[float]]:
    return [_figure(one) for one in estimates]


def _figure(found: Estimate) -> list[float]:
    return [round(found.mean, DIGITS), round(found.half, DIGITS)]
