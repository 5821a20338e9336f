"""Advice on a position, as a worker computes it. Imported by workers: it knows rules and players only."""

from dataclasses import dataclass
from random import Random
from typing import Any

from vinci_players.advice import Budget, Estimate, advise
from vinci_players.policy import simulating
from vinci_rules import notation
from vinci_rules.state import State

LEAST_SECONDS = 0.001
"""Time of a search that begins when its time is up; 0 would be no limit."""


@dataclass(frozen=True, slots=True)
class AdviceQuestion:
    """Question for advice.

    Attributes:
        position: text of the position.
        seed: source of all random choices.
        asked: a legal action to compare, in notation; empty for none.
        simulations, checks: as in `Budget`.
    """

    position: str
    seed: str
    asked: str = ""
    simulations: int = Budget().simulations
    checks: int = Budget().checks


def answered(state: State, question: AdviceQuestion, seconds: float) -> dict[str, Any]:
    """Return the advice on the position of a question within a time, as the fields of a message `Advice`."""
    board = state.board
    asked = notation.read(question.asked, board) if question.asked else None
    budget = Budget(question.simulations, question.checks, max(seconds, LEAST_SECONDS))
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
