"""A process that plays playouts and searches for advice. The server talks to it by lines of JSON.

It writes `{}` when it is ready. A line with a task is answered by one with `seconds` (CPU time) and `tallies` or
`advice`, or with `error`. A task `review` is answered by a line with `line` for each line of the review, then by `{}`,
or by one with `refusal`. A line with `stop` ends the playouts of the task of that number early. The process ends when
its standard input closes, also in the middle of a task: so it ends with the service, however that ends.
"""

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from queue import SimpleQueue
from random import Random
from typing import Any, Final, final

from vinci_players import review, review_lines
from vinci_players.advice import Budget, advise
from vinci_players.estimates import Estimate
from vinci_players.policy import simulating
from vinci_rules import notation, position, record
from vinci_rules.chance import FastChance
from vinci_rules.engine import play
from vinci_rules.state import State

from .playouts import Question, openings, part
from .tasks import AdviceQuestion, ReviewQuestion

LOWEST_PRIORITY: Final = 19
LEAST_SECONDS = 0.001
"""Time of a search that begins when its time is up; 0 would be no limit."""


def answered(state: State, question: AdviceQuestion, seconds: float) -> dict[str, Any]:
    """Return the advice on the position of a question within a time, as the fields of a message `Advice`."""
    board = state.board
    asked = notation.read(question.asked, board) if question.asked else None
    planned = [notation.read(text, board) for text in question.planned]
    usual = Budget()
    work = (question.work or usual.simulations, question.work or usual.checks)
    budget = Budget(*work, max(seconds, LEAST_SECONDS))
    found = advise(state, Random(question.seed), simulating(), budget, asked, planned)
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
    for name, compared in (("comparison", found.comparison), ("next_taken", found.next_taken)):
        if compared is not None:
            answer[name] = {
                "plan": [notation.write(action, board) for action in compared.actions],
                "vp": _estimate(compared.vp),
                "margin": _estimate(compared.margin),
            }
    return answer


def reviewed(question: ReviewQuestion) -> Iterator[dict[str, Any]]:
    """Yield the answers to a question for a review, which is computed while nothing else wants the processor."""
    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    try:
        turns = review.turns(question.record)
    except record.RecordError as error:
        yield {"refusal": ["BAD_RECORD", "", {"line": error.line, "error": str(error).partition(": ")[2]}]}
        return
    if not turns:
        yield {"refusal": ["NO_REVIEW", "NOTHING", {}]}
        return
    turns = [turn._replace(suggested=_is_suggested(turn, question.suggested)) for turn in turns]
    last_hash = record.last_hash(question.record)
    for line in review_lines.lines(turns, last_hash, question.simulations, question.seed):
        yield {"line": line}
    yield {}


def _is_suggested(turn: review.Turn, suggested: Mapping[str, Sequence[str]]) -> bool:
    """Return whether each action of a turn is the first that was suggested at its position."""
    state = turn.start.copy()
    for action in turn.actions:
        if notation.write(action, state.board) not in suggested.get(position.write(state), ())[:1]:
            return False
        play(state, action, FastChance(0))  # civilizations are drawn only after the last action
    return True


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "half_width": estimate.half}


POSITIONS: Final = 16
"""Positions that a worker remembers, for further tasks about them."""


@final
class _Worker:
    """Computes one task after the other, while a thread listens for the next line."""

    def __init__(self) -> None:
        self._tasks: Final[SimpleQueue[dict[str, Any]]] = SimpleQueue()
        self._stopped = 0

    def listen(self) -> None:
        """Receive lines until standard input closes, then end the process."""
        for line in sys.stdin.buffer:
            received = json.loads(line)
            if "stop" in received:
                self._stopped = received["stop"]
            else:
                self._tasks.put(received)
        os._exit(0)

    def work(self) -> None:
        """Answer tasks for ever."""
        _answer({})
        while True:
            received = self._tasks.get()
            try:
                if "review" in received:
                    for answer in reviewed(ReviewQuestion(**received["review"])):
                        _answer(answer)
                else:
                    _answer(self._computed(received))
            except Exception:
                _answer({"error": traceback.format_exc()})

    def _computed(self, received: dict[str, Any]) -> dict[str, Any]:
        number, end, begin = received["task"], time.monotonic() + received["seconds"], time.process_time()
        if "advice" in received:
            asked = AdviceQuestion(**received["advice"])
            advice = answered(position.read(asked.position), asked, received["seconds"])
            return {"seconds": time.process_time() - begin, "advice": advice}
        question = Question(**received["question"])
        state, tried = _read(question)
        found = part(
            state,
            question,
            tried,
            received["first"],
            received["count"],
            lambda: time.monotonic() >= end or self._stopped >= number,
        )
        sums = [[place, tally.playouts, tally.vp, tally.margins, tally.wins] for place, tally in found.items()]
        return {"seconds": time.process_time() - begin, "tallies": sums}


@lru_cache(POSITIONS)
def _read(question: Question) -> tuple[State, Any]:
    state = position.read(question.position)
    return state, openings(state, question)


def _answer(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer, separators=(",", ":")) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    worker = _Worker()
    threading.Thread(target=worker.listen, daemon=True).start()
    worker.work()
