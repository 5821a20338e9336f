"""Stopping rules of leagues: sequential tests by betting, valid at every block (Waudby-Smith and Ramdas 2023).

The score of a block is between 0 and 1. A bettor against the null hypothesis stakes a fraction of its wealth on each
block; under the hypothesis the wealth is a supermartingale, so it ever reaches 1 / alpha with a probability of at most
alpha (Ville's inequality). Blocks are tested in the order of their numbers, whatever the order of their completion.
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
"""Fractions of the wealth that are staked on a block; the wealth is the mean of these strategies."""

ALIKE: Final = 10
"""Number of first blocks with exactly even scores after which a gate is inconclusive for lack of variation."""

EXACT: Final = 1e-9
"""Tolerance for equal scores."""

HALVINGS: Final = 40
"""Steps of the bisection for the end of an interval."""

PARTS: Final = 10_000
"""Ends of intervals are rounded outwards to 1 / PARTS."""

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
    """Outcome of a gate after `blocks` blocks, with the wealth of the bets for `better` and for `worse` (initially 1).

    `inconclusive` means that nothing varies; `open` that more blocks could decide.
    """

    outcome: Outcome
    blocks: int
    better: float
    worse: float


class ShareInterval(NamedTuple):
    """Confidence interval of the win share of a bot."""

    bot: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Precision:
    """Simultaneous intervals of all win shares after `blocks` blocks; `reached` if all are narrow enough."""

    reached: bool
    blocks: int
    intervals: tuple[ShareInterval, ...]


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
    shares = []
    for bot, rank in zip(result.bots, result.ranks, strict=True):
        others = [other_rank for other, other_rank in zip(result.bots, result.ranks, strict=True) if other != bot]
        shares.append(fsum((rank < other_rank) + (rank == other_rank) / 2 for other_rank in others) / len(others))
    return tuple(shares)


def expected(points: float, score: Score, seats: int) -> float:
    """Return the expected score, from 0 to 1, of a bot rated `points` Elo points above the base at all other seats."""
    odds = 10 ** (points / 400)
    return odds / (odds + (seats - 1 if score == "wins" else 1))


def bounds(stop: Stopping, seats: int) -> Bounds:
    """Return the thresholds of a gate with this rule."""
    even = expected(0, stop.score, seats)
    if stop.elo0 is None or stop.elo1 is None:
        return Bounds(even, even + stop.margin, even + stop.margin)
    return Bounds(even, expected(stop.elo0, stop.score, seats), expected(stop.elo1, stop.score, seats))


def gate(scores: Sequence[float], decides: Bounds, alpha: float = ALPHA, beta: float = ALPHA) -> GateVerdict:
    """Test sequentially whether the mean score of a bot is above the low bound or below the high one.

    `scores` are its mean scores by block, all with the same line-up. `pass` has a probability of at most `alpha` if the
    true mean is not above the low bound, `fail` of at most `beta` if it is not below the high one. Returns the verdict
    at the first block that decides, else `open`. Raises ValueError for a bound that is not between 0 and 1.
    """
    better = evidence(scores, decides.low)
    worse = evidence([1 - score for score in scores], 1 - decides.high)
    alike, wealth = True, (1.0, 1.0)
    for block, (score, for_better, for_worse) in enumerate(zip(scores, better, worse, strict=True), start=1):
        wealth = rounded(exp(for_better), 2), rounded(exp(for_worse), 2)
        alike = alike and abs(score - decides.even) < EXACT
        if alike:
            if block == ALIKE:
                return GateVerdict("inconclusive", block, *wealth)
        elif for_better >= log(1 / alpha):
            return GateVerdict("pass", block, *wealth)
        elif for_worse >= log(1 / beta):
            return GateVerdict("fail", block, *wealth)
    return GateVerdict("open", len(scores), *wealth)


def precision(
    blocks: Sequence[Mapping[str, float]],
    bots: Sequence[str],
    width: float,
    every: int,
    *,
    rounds: bool,
    alpha: float = ALPHA,
) -> Precision:
    """Test after every `every` blocks whether the intervals of all win shares are at most `width` wide.

    `blocks` are the mean win shares by block and bot. `rounds` tells whether all line-ups were played equally often at
    each look; if not, each look spends a part of `alpha`, because the true shares change with the line-ups. `alpha` is
    the maximum probability that any interval at any look misses its share. Returns the first look at which the width is
    reached, else the last one.
    """
    latest = Precision(False, 0, tuple(ShareInterval(bot, 0.0, 1.0) for bot in bots))
    for look, end in enumerate(range(every, len(blocks) + 1, every), start=1):
        level = alpha / len(bots) / (1 if rounds else look * (look + 1))
        scores = {bot: [block[bot] for block in blocks[:end] if bot in block] for bot in bots}
        intervals = tuple(ShareInterval(bot, *interval(scores[bot], level)) for bot in bots)
        reached = all(share.high - share.low <= width for share in intervals)
        latest = Precision(reached, end, intervals)
        if reached:
            break
    return latest


def interval(scores: Sequence[float], alpha: float) -> tuple[float, float]:
    """Return an anytime-valid confidence interval of the mean of scores: all values that the bets do not reject.

    It ever misses the mean with a probability of at most `alpha`. Its ends are rounded outwards to 0.0001.
    """
    low, high = _least(np.asarray(scores), alpha / 2), 1 - _least(1 - np.asarray(scores), alpha / 2)
    return floor(low * PARTS) / PARTS, ceil(high * PARTS) / PARTS


def _least(scores: Array, alpha: float) -> float:
    """Return the smallest mean that is not rejected, by bisection: evidence against a higher mean is weaker."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if len(scores) and evidence(scores, middle)[-1] >= log(1 / alpha):
            low = middle
        else:
            high = middle
    return low


def evidence(scores: Sequence[float] | Array, mean: float) -> Array:
    """Return the log wealth [blocks] of a betting test of H0: the mean of the scores is at most `mean`.

    The wealth is 1 before the first block. Raises ValueError if `mean` is not between 0 and 1.
    """
    if not 0 < mean < 1:
        raise ValueError(f"a mean of {mean} cannot be bet against")
    gains = np.asarray(scores, dtype=float) / mean - 1
    logs: Array = np.log1p(np.outer(BETS, gains)).cumsum(axis=1)
    wealth: Array = np.logaddexp.reduce(logs, axis=0, keepdims=True)[0]
    return wealth - log(len(BETS))
