"""Tasks of workers as lines of JSON. The pool imports this and not the workers, so that a server imports no players."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from vinci_rules.playout import Tally

from .playouts import Question


@dataclass(frozen=True, slots=True)
class AdviceQuestion:
    """Question for advice.

    Attributes:
        position: text of the position.
        seed: source of all random choices.
        asked: a legal action to compare, in notation; empty for none.
        planned: what is left of a plan advised before in this turn, in notation.
        work: number of simulations that search, and of those of each plan compared; 0 for the usual numbers.
    """

    position: str
    seed: str
    asked: str = ""
    planned: Sequence[str] = ()
    work: int = 0


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """Question for the review of a game.

    Attributes:
        record: lines of the record.
        simulations: simulations of each turn compared.
        seed: source of all random choices.
        suggested: what was suggested by position, in notation.
    """

    record: Sequence[str]
    simulations: int
    seed: str
    suggested: Mapping[str, Sequence[str]] = field(default_factory=dict)


def review(question: ReviewQuestion) -> str:
    """Return the task of a review as a line."""
    return json.dumps({"review": asdict(question)}, separators=(",", ":")) + "\n"


def task(number: int, question: Question | AdviceQuestion, first: int, count: int, seconds: float) -> str:
    """Return a task as a line.

    Args:
        number: counts the tasks of a worker.
        question: what is asked.
        first: number of the first playout.
        count: number of playouts.
        seconds: time until the task ends with the playouts finished so far.
    """
    kind = "advice" if isinstance(question, AdviceQuestion) else "question"
    line = {"task": number, kind: asdict(question), "first": first, "count": count, "seconds": seconds}
    return json.dumps(line, separators=(",", ":")) + "\n"


def stop(number: int) -> str:
    """Return the line that ends a task early."""
    return json.dumps({"stop": number}) + "\n"


def tallies(answer: dict[str, Any]) -> dict[int, Tally]:
    """Return the tallies of an answer by opening. Raises RuntimeError with the traceback of a task that failed."""
    if "error" in answer:
        raise RuntimeError(f"a worker of the analysis reports: {answer['error']}")
    found = {}
    for place, number, vp, margins, wins in answer.get("tallies", ()):
        tally = found[place] = Tally(len(vp))
        tally.playouts = number
        tally.vp[:], tally.margins[:], tally.wins[:] = vp, margins, wins
    return found
