"""Advice on a position, as a worker computes it. Imported by workers only: it imports the players."""

from random import Random
from typing import Any

from vinci_players.advice import Budget, advise
from vinci_players.estimates import Estimate
from vinci_players.policy import simulating
from vinci_rules import notation
from vinci_rules.state import State

from .tasks import AdviceQuestion

LEAST_SECONDS = 0.001
"""Time of a search that begins when its time is up; 0 would be no limit."""


def answered(state: State, question: AdviceQuestion, seconds: float) -> dict[str, Any]:
    """Return the advice on the position of a question within a time, as the fields of a message `Advice`."""
    board = state.board
    asked = notation.read(question.asked, board) if question.asked else None
    usual = Budget()
    work = (question.work or usual.simulations, question.work or usual.checks)
    budget = Budget(*work, max(seconds, LEAST_SECONDS))
    found = advise(state, Random(question.seed), simulating(), budget, asked)
    answer: dict[str, Any] = {
        "seat": found.seat + 1,
        "plan": [notation.write(action, board) for action in found.actions],
        "vp": _estimate(found.vp),
        "margin": _estimate(found.margin),
        "rival": found.rival + 1,
        "rival_vp": found.rival_vp,
        "simulations": found.checks,
    }
    if found.threat is not None:
        answer["threat"] = {
            "seat": found.threat.seat + 1,
            "vp": found.threat.vp,
            "provinces": [board.codes[p] for p, _ in found.threat.provinces],
            "shares": [share for _, share in found.threat.provinces],
        }
    if found.decline is not None:
        answer["decline"] = {"slot": found.decline.slot + 1, "gain": _estimate(found.decline.gain)}
    if found.comparison is not None:
        answer["comparison"] = {
            "plan": [notation.write(action, board) for action in found.comparison.actions],
            "vp": _estimate(found.comparison.vp),
            "margin": _estimate(found.comparison.margin),
        }
    return answer


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "half_width": estimate.half}
