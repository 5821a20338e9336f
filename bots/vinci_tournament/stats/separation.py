"""Separation: rating differences without a finite maximum-likelihood estimate, and one-sided bounds for them.

A bot is separated above another if no chain of games leads back: the other was never ahead of it or tied with it, nor
ahead of or tied with a bot that was, and so on. The likelihood then increases with the difference without limit.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, exp, fsum, inf, log, log2
from statistics import fmean
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..results.result import Result
from .bootstrap import LEVEL, Blocks

Flags: TypeAlias = NDArray[np.bool_]
Links: TypeAlias = NDArray[np.float32]
Meeting: TypeAlias = tuple[list[float], list[float]]
"""Effects of the seats of a game: of those in the upper group, and of those in the lower group."""

TAIL: Final = (1 - LEVEL) / 2
"""An end of an interval is open if the statistic is infinite in a larger share of the resamples."""

CHUNK: Final = 100
"""Resamples whose games are linked at a time, to bound memory."""

FEWEST_BLOCKS: Final = 2
"""Fewest blocks from which a bound is computed."""

WIDEST: Final = 40.0
"""Maximum shift of the bisection, in units of the model."""

LEAST: Final = 1e-300
"""Lower limit of a probability before its logarithm is taken."""

HALVINGS: Final = 30


@dataclass(frozen=True, slots=True)
class Separation:
    """Separation between all pairs of bots.

    Attributes:
        whole: the row's bot is separated above the column's in all results [bots, bots].
        often: it is in more than TAIL of the resamples [bots, bots].
        linked: a chain links the two bots in at least one direction [bots, bots].
        above: the bot is separated above at least half of the field in more than TAIL of the resamples [bots].
        below: likewise below [bots].
    """

    whole: Flags
    often: Flags
    linked: Flags
    above: Flags
    below: Flags

    def group(self, bot: int) -> Flags:
        """Return the bots from which a bot is not separated, itself included: chains link them in both directions."""
        group: Flags = self.linked[bot] & ~self.whole[bot] & ~self.whole[:, bot]
        return group


def separation(results: Sequence[Result], bots: Sequence[str], blocks: Blocks) -> Separation:
    """Find the separation of bots, which are in the order of the flags, in all results and in the resamples."""
    number = {bot: place for place, bot in enumerate(bots)}
    size = len(bots)
    line_ups = np.array([[number[bot] for bot in result.bots] for result in results])
    ranks, columns = np.array([result.ranks for result in results]), blocks.columns(results)
    # For every two seats of a game: bot by bot, and whether the first one was ahead of the other or tied with it.
    pairs = (line_ups[:, :, None] * size + line_ups[:, None, :]).reshape(len(results), -1)
    is_ahead = (ranks[:, :, None] <= ranks[:, None, :]).reshape(len(results), -1)
    whole = np.zeros(size * size, dtype=bool)
    whole[pairs[is_ahead]] = True
    drawn = np.zeros((blocks.resamples, size * size), dtype=np.float32)
    for chunk in blocks.chunks(size * size):
        games = slice(*np.searchsorted(columns, (chunk.start, chunk.stop)))
        ahead = np.zeros((chunk.stop - chunk.start, size * size), dtype=np.float32)
        rows = np.broadcast_to(columns[games, None] - chunk.start, pairs[games].shape)
        ahead[rows[is_ahead[games]], pairs[games][is_ahead[games]]] = 1
        drawn += (blocks.weights(chunk) > 0).astype(np.float32) @ ahead
    chains = _chains(whole.reshape(size, size))
    separated = chains & ~chains.T
    often, above, below = np.zeros(separated.shape), np.zeros(size), np.zeros(size)
    for first in range(0, blocks.resamples, CHUNK):
        resampled = _chains(drawn[first : first + CHUNK].reshape(-1, size, size) > 0)
        resampled &= ~resampled.transpose(0, 2, 1)
        often += resampled.sum(axis=0)
        above += (2 * resampled.sum(axis=2) >= size).sum(axis=0)
        below += (2 * resampled.sum(axis=1) >= size).sum(axis=0)
    most = TAIL * blocks.resamples
    return Separation(separated, often > most, chains | chains.T, above > most, below > most)


def _chains(ahead: Flags) -> Flags:
    """Return the transitive closure of "was ahead of or tied with" [..., bots, bots]."""
    links: Links = ahead.astype(np.float32)
    for _ in range(ceil(log2(max(ahead.shape[-1], 2)))):
        links = np.minimum(links + links @ links, 1)
    chains: Flags = links > 0
    return chains


def meetings(
    results: Sequence[Result], groups: tuple[set[str], set[str]], bots: Mapping[str, float], seats: Sequence[float]
) -> list[list[Meeting]]:
    """Return by block the games in which bots of both groups played, the upper and the lower one.

    `bots` and `seats` are the effects.
    """
    by_block = defaultdict[int, list[Meeting]](list)
    for result in results:
        worth = [(bot, bots[bot] + seat) for bot, seat in zip(result.bots, seats, strict=True)]
        ahead, behind = ([effect for bot, effect in worth if bot in group] for group in groups)
        if ahead and behind:
            by_block[result.block].append((ahead, behind))
    return list(by_block.values())


def least_shift(blocks: Sequence[Sequence[Meeting]]) -> float:
    """Return a lower confidence bound for the shift of the upper group's effects, if it was always ahead.

    With a smaller shift, the results have a probability below 1 - LEVEL. The games of a block may depend on each other
    in any way: the probability of all their outcomes is at most the mean of their probabilities. The bound is in units
    of the model, negative if the fitted effects are larger than needed, and negative infinity with fewer than
    FEWEST_BLOCKS blocks.
    """
    if len(blocks) < FEWEST_BLOCKS:
        return -inf
    low, high = -WIDEST, WIDEST
    for _ in range(HALVINGS):
        shift = (low + high) / 2
        chance = fsum(log(fmean(_all_ahead(ahead, behind, shift) for ahead, behind in block)) for block in blocks)
        low, high = (shift, high) if chance < log(1 - LEVEL) else (low, shift)
    return low


def _all_ahead(upper: Sequence[float], lower: Sequence[float], shift: float) -> float:
    """Return the probability that every seat of the upper group, shifted, is ahead of every seat of the lower one."""
    ahead, behind = [exp(effect + shift) for effect in upper], fsum(exp(effect) for effect in lower)
    return max(
        fsum(
            (-1) ** size * behind / (behind + fsum(few))
            for size in range(len(ahead) + 1)
            for few in combinations(ahead, size)
        ),
        LEAST,
    )
