"""Progress of a league: the blocks that count, and the state of its stopping rule.

Only complete blocks count, in the order of their numbers up to the first incomplete one, so the result does not depend
on the order or the time in which games were played.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from math import ceil, log
from statistics import fmean
from typing import Final, NamedTuple, final

from ..definition.league import League
from ..definition.schedule import blocks_of_a_round
from ..results.result import Result
from ..stats import sequential_tests
from ..stats.sequential_tests import GateVerdict, Precision

MOST_LOOKS: Final = 20
"""Maximum number of looks of a rule for the width of all win shares; each look widens the intervals."""


class GateEvidence(NamedTuple):
    """State of the sequential test of a gate after `blocks` blocks.

    `share` is the mean score of the first bot, from 0 to 1, None before the first block; `low` and `high` bound it.
    The gate passes when `better` reaches `passes_at`, and fails when `worse` reaches `fails_at`.
    """

    blocks: int
    share: float | None
    low: float
    high: float
    better: float
    passes_at: float
    worse: float
    fails_at: float

    @property
    def remaining(self) -> int | None:
        """Blocks until the gate is decided if its evidence goes on growing as so far; None if it does not grow.

        Evidence is a product of one factor for each block, so that its logarithm grows evenly.
        """
        needed = [
            self.blocks * (log(wanted) / log(reached) - 1)
            for reached, wanted in ((self.better, self.passes_at), (self.worse, self.fails_at))
            if reached > 1
        ]
        return max(ceil(min(needed)), 0) if needed else None

    def told(self) -> dict[str, float | None]:
        """Return it by name, with the blocks that remain."""
        return self._asdict() | {"remaining": self.remaining}

    def __str__(self) -> str:
        better, worse = f"{self.better:g} of {self.passes_at:g}", f"{self.worse:g} of {self.fails_at:g}"
        bets = f"evidence for better {better}, for worse {worse}"
        if self.share is None:
            return bets
        share, low, high = (f"{100 * part:.1f} %" for part in (self.share, self.low, self.high))
        more = "" if not self.remaining else f"; at this rate about {self.remaining} blocks more"
        return f"{share} ({low} to {high}) after {self.blocks} blocks; {bets}{more}"


@final
class LeagueProgress:
    """The complete blocks of a league and the decision they give.

    `verdict` is the current verdict of a gate; `precision` the current intervals of a league with a `width`.
    """

    def __init__(self, league: League, results: Iterable[Result] = ()) -> None:
        self._league: Final = league
        self._open: Final[defaultdict[int, list[Result]]] = defaultdict(list)
        self._blocks: Final[list[list[Result]]] = []
        self._scores: Final[list[dict[str, float]]] = []
        # Blocks between two looks at the win shares: complete rounds, if there are any.
        self._round_of: Final = blocks_of_a_round(league)
        round_of = self._round_of or 1
        self._every: Final = round_of * ceil(league.blocks / round_of / MOST_LOOKS)
        self._width: Final = (
            None if league.extensions or league.is_replanned else league.stop.width
        )  # whoever extends a league wants the games
        self._most: Final = sys.maxsize if league.is_open_ended else league.blocks
        self._has_rule: Final = league.kind.is_gate or self._width is not None
        self.verdict: GateVerdict | None = None
        self.precision: Precision | None = None
        self.note(results)

    @property
    def is_decided(self) -> bool:
        """Whether further games cannot change the result of the league."""
        return self.is_stopped or len(self._blocks) == self._most

    @property
    def is_stopped(self) -> bool:
        """Whether its stopping rule has ended the league."""
        by_rule = self.precision is not None and self.precision.reached
        return by_rule or (self.verdict is not None and self.verdict.outcome != "open")

    @property
    def results(self) -> list[Result]:
        """The results that count: those of all complete blocks up to the one that decides."""
        return [result for block in self._blocks for result in block]

    @property
    def scores(self) -> list[float]:
        """Mean score of the first bot in every block that counts, for the stopping rule; empty without one."""
        return [score[self._league.bots[0].name] for score in self._scores]

    @property
    def evidence(self) -> GateEvidence | None:
        """Evidence of a gate so far, with the interval of its report; None for another league."""
        if self.verdict is None:
            return None
        stop, scores, verdict = self._league.stop, self.scores, self.verdict
        beta = stop.beta if stop.has_hypotheses else stop.alpha
        low = sequential_tests.interval(scores, 2 * stop.alpha)[0]
        high = sequential_tests.interval(scores, 2 * stop.beta)[1]
        share = fmean(scores) if scores else None
        passes_at, fails_at = round(1 / stop.alpha, 2), round(1 / beta, 2)
        return GateEvidence(len(scores), share, low, high, verdict.better, passes_at, verdict.worse, fails_at)

    def note(self, results: Iterable[Result]) -> None:
        """Add results and test the blocks that they complete, up to the one that decides."""
        if self.is_decided:
            return
        for result in results:
            self._open[result.block].append(result)
        while len(self._blocks) < self._most and len(self._open[len(self._blocks)]) == self._games_of_next:
            block = sorted(self._open.pop(len(self._blocks)), key=lambda result: result.rotation)
            self._blocks.append(block)
            if self._has_rule:
                self._scores.append(sequential_tests.block_score(block, self._league.stop.score))
        self._look()

    @property
    def _games_of_next(self) -> int:
        return self._league.rotations - self._league.lacking(len(self._blocks))

    def _look(self) -> None:
        league, stop = self._league, self._league.stop
        if league.kind.is_gate:
            decides = sequential_tests.bounds(stop, league.seats)
            beta = stop.beta if stop.has_hypotheses else stop.alpha
            self.verdict = sequential_tests.gate(self.scores, decides, stop.alpha, beta)
            del self._blocks[self.verdict.blocks :], self._scores[self.verdict.blocks :]
        elif self._width is not None and len(self._scores) >= self._every:
            names = [bot.name for bot in league.bots]
            rounds = self._round_of is not None
            self.precision = sequential_tests.precision(
                self._scores, names, self._width, self._every, rounds=rounds, alpha=stop.alpha
            )
            if self.precision.reached:
                del self._blocks[self.precision.blocks :]
