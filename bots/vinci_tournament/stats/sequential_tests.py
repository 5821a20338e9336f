"""When a league has seen enough: rules that keep their error rate however often one looks.

A rule bets against what it doubts. The score of a block is between 0 and 1, so a bet that is fair if the doubted is
true can be laid on every block; who then owns 20 times the stake has seen what happens with a chance of at most 1 in
20, whenever it happens. Rules see whole blocks in the order of their numbers, never in that of their completion.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp, floor, fsum, log
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from ..definition.league import Score, Stopping
from ..results.result import Result
from .bootstrap import Array, rounded
from .standings import win_shares

ALPHA: Final = 0.05

BETS: Final[Array] = 0.95 * np.power(0.7, np.arange(12))
"""What part of the stake is laid on a block; all are played side by side, each with the same share of the stake."""

ALIKE: Final = 10
"""So many blocks in which both did exactly alike say that nothing varies."""

EXACT: Final = 1e-9
HALVINGS: Final = 40
PARTS: Final = 10_000

Outcome: TypeAlias = Literal["pass", "fail", "inconclusive", "open"]


class Bounds(NamedTuple):
    """Thresholds of a gate: the expected score of two equal bots, and those under its two hypotheses.

    It passes above `low` and fails below `high`.
    """

    even: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What a gate says after `blocks` blocks, and how strongly they speak for better and for worse (1 for nothing).

    `inconclusive` means that nothing varies; `open` that more blocks could decide.
    """

    outcome: Outcome
    blocks: int
    better: float
    worse: float


class ShareInterval(NamedTuple):
    """The win share of a bot, between these."""

    bot: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Precision:
    """How well the win shares are known after `blocks` blocks, all at once, and whether that is well enough."""

    reached: bool
    blocks: int
    intervals: tuple[ShareInterval, ...]


def block_scores(results: Sequence[Result], size: int) -> list[dict[str, float]]:
    """The mean win share of each bot in each block, from block 0 on, up to the first that has not `size` games."""
    games = defaultdict[int, list[Result]](list)
    for result in results:
        games[result.block].append(result)
    found: list[dict[str, float]] = []
    while len(games[len(found)]) == size:
        found.append(block_score(games[len(found)]))
    return found


def block_score(games: Sequence[Result], score: Score = "wins") -> dict[str, float]:
    """Return the mean score of each bot in the games of a block."""
    scored = win_shares if score == "wins" else place_shares
    shares = defaultdict[str, list[float]](list)
    for result in games:
        for bot, share in zip(result.bots, scored(result), strict=True):
            shares[bot].append(share)
    return {bot: fsum(mine) / len(mine) for bot, mine in shares.items()}


def place_shares(result: Result) -> tuple[float, ...]:
    """Return for each seat the share of the seats of other bots that it is ahead of; ties count half."""
    found = []
    for bot, rank in zip(result.bots, result.ranks, strict=True):
        others = [one for other, one in zip(result.bots, result.ranks, strict=True) if other != bot]
        found.append(fsum((rank < one) + (rank == one) / 2 for one in others) / len(others))
    return tuple(found)


def expected(points: float, score: Score, seats: int) -> float:
    """Return the expected score of a bot rated this many Elo points above a base that has all other seats."""
    odds = 10 ** (points / 400)
    return odds / (odds + (seats - 1 if score == "wins" else 1))


def bounds(stop: Stopping, seats: int) -> Bounds:
    """Return the thresholds of a gate with this rule."""
    even = expected(0, stop.score, seats)
    if stop.elo0 is None or stop.elo1 is None:
        return Bounds(even, even + stop.margin, even + stop.margin)
    return Bounds(even, expected(stop.elo0, stop.score, seats), expected(stop.elo1, stop.score, seats))


def gate(scores: Sequence[float], decides: Bounds, alpha: float = ALPHA, beta: float = ALPHA) -> GateVerdict:
    """Whether a bot's mean score is above the low bound, or below the high one, at the first block that decides it.

    `scores` are its mean scores, block by block, in the same line-up. If the true one is not above the low bound, a
    `pass` has a chance of at most `alpha`; if it is not below the high one, a `fail` has one of at most `beta`. Raises
    ValueError if the bounds are not between 0 and 1.
    """
    better = evidence(scores, decides.low)
    worse = evidence([1 - score for score in scores], 1 - decides.high)
    alike = True
    for block, score in enumerate(scores, start=1):
        spoken = better[block - 1], worse[block - 1]
        found = rounded(exp(spoken[0]), 2), rounded(exp(spoken[1]), 2)
        alike = alike and abs(score - decides.even) < EXACT
        if alike:
            if block == ALIKE:
                return GateVerdict("inconclusive", block, *found)
        elif spoken[0] >= log(1 / alpha):
            return GateVerdict("pass", block, *found)
        elif spoken[1] >= log(1 / beta):
            return GateVerdict("fail", block, *found)
    if not scores:
        return GateVerdict("open", 0, 1.0, 1.0)
    return GateVerdict("open", len(scores), *found)


def precision(
    blocks: Sequence[Mapping[str, float]],
    bots: Sequence[str],
    width: float,
    every: int,
    *,
    rounds: bool,
    alpha: float = ALPHA,
) -> Precision:
    """Whether every bot's win share is known within `width`: the first look at which it is, otherwise the last one.

    There is a look every so many blocks. `rounds` says that every line-up has been played equally often at every look;
    otherwise each look has a part of `alpha` to itself, since the shares to be known change with the line-ups. The
    chance that any interval at any look is wrong is at most `alpha`.
    """
    found = Precision(False, 0, tuple(ShareInterval(bot, 0.0, 1.0) for bot in bots))
    for look, end in enumerate(range(every, len(blocks) + 1, every), start=1):
        level = alpha / len(bots) / (1 if rounds else look * (look + 1))
        scores = {bot: [block[bot] for block in blocks[:end] if bot in block] for bot in bots}
        intervals = tuple(ShareInterval(bot, *interval(scores[bot], level)) for bot in bots)
        reached = all(one.high - one.low <= width for one in intervals)
        found = Precision(reached, end, intervals)
        if reached:
            break
    return found


def interval(scores: Sequence[float], alpha: float) -> tuple[float, float]:
    """Between which values the mean of such scores is: all that can be bet against without winning much.

    Rounded away from each other, to 0.0001.
    """
    low, high = _least(np.asarray(scores), alpha / 2), 1 - _least(1 - np.asarray(scores), alpha / 2)
    return floor(low * PARTS) / PARTS, ceil(high * PARTS) / PARTS


def _least(scores: Array, alpha: float) -> float:
    """The least mean that the scores leave possible; one bets less well against a higher one."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if len(scores) and evidence(scores, middle)[-1] >= log(1 / alpha):
            low = middle
        else:
            high = middle
    return low


def evidence(scores: Sequence[float] | Array, mean: float) -> Array:
    """After each block, the logarithm of what a stake of 1 has become that was bet against "the mean is no more".

    Raises ValueError if `mean` is not between 0 and 1.
    """
    if not 0 < mean < 1:
        raise ValueError(f"a mean of {mean} cannot be bet against")
    gains = np.asarray(scores, dtype=float) / mean - 1
    owned: Array = np.logaddexp.reduce(np.log1p(np.outer(BETS, gains)).cumsum(axis=1), axis=0)
    return owned - log(len(BETS))
