"""Choices of bots for blocks: all combinations in turn, or balanced ones if there are too many."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, cycle, islice
from math import comb
from typing import Final, final

MOST_LINE_UPS: Final = 1000
"""Maximum number of line-ups up to which all combinations are played."""


NONE: Final[frozenset[int]] = frozenset()


def choices(
    number: int, size: int, blocks: int, settled: Sequence[tuple[int, ...]] = (), out: frozenset[int] = NONE
) -> list[tuple[int, ...]]:
    """Return `blocks` choices of `size` out of `number` bots, as indices from 0; the first are those that are settled.

    Further ones have none of those that are `out`.

    These are all combinations in turn if there are no more than blocks. Otherwise the choice is balanced greedily:
    every bot is chosen equally often, and every pair about equally often. After settled choices, the combinations and
    bots that these have least often come first, until all are even.
    """
    is_few = comb(number - len(out), size) <= min(blocks, MOST_LINE_UPS)
    if not settled and not out:
        return list(islice(cycle(_all(number, size)) if is_few else _balanced(number, size), blocks))
    further = _evened(number, size, settled, out) if is_few else _balanced(number, size, settled, out)
    return [*settled[:blocks], *islice(further, max(blocks - len(settled), 0))]


@cache
def _all(number: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return all combinations, in an order in which bots and pairs are balanced at any time."""
    left = list(combinations(range(number), size))
    counted = _Counted()
    ordered = []
    while left:
        ordered.append(min(left, key=counted.weight))
        left.remove(ordered[-1])
        counted.note(ordered[-1])
    return tuple(ordered)


def _evened(
    number: int, size: int, settled: Sequence[tuple[int, ...]], out: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    """Yield combinations: one of those that were chosen least often, as long as there are any, as `_all` does."""
    counted = _Counted()
    times = dict.fromkeys(combinations([bot for bot in range(number) if bot not in out], size), 0)
    for chosen in settled:
        counted.note(chosen)
        if chosen in times:
            times[chosen] += 1
    while True:
        fewest = min(times.values())
        left = [chosen for chosen, often in times.items() if often == fewest]
        while left:
            chosen = min(left, key=counted.weight)
            left.remove(chosen)
            counted.note(chosen)
            times[chosen] += 1
            yield chosen


def _balanced(
    number: int, size: int, settled: Sequence[tuple[int, ...]] = (), out: frozenset[int] = NONE
) -> Iterator[tuple[int, ...]]:
    """Yield choices made bot by bot: the one that played least, then the one that met the others least.

    After settled choices the second half of a choice are those that met the others least, however much they played, or
    many new bots would meet only each other.
    """
    counted = _Counted()
    for line_up in settled:
        counted.note(line_up)

    def weight(bot: int, others: Sequence[int]) -> tuple[int, int, int]:
        played, met = counted.played[bot], counted.met(bot, others)
        return (met, played, bot) if settled and 2 * len(others) >= size else (played, met, bot)

    while True:
        chosen: list[int] = []
        for _ in range(size):
            left = [bot for bot in range(number) if bot not in chosen and bot not in out]
            chosen.append(min(left, key=lambda bot: weight(bot, chosen)))
        counted.note(tuple(sorted(chosen)))
        yield tuple(sorted(chosen))


@final
class _Counted:
    """Numbers of games of each bot and of each pair."""

    def __init__(self) -> None:
        self.played: Final[Counter[int]] = Counter()
        self._pairs: Final[Counter[tuple[int, ...]]] = Counter()

    def note(self, chosen: tuple[int, ...]) -> None:
        """Count a game of these bots, which are in ascending order."""
        self.played.update(chosen)
        self._pairs.update(combinations(chosen, 2))

    def met(self, bot: int, others: Sequence[int]) -> int:
        """Return the sum of the games of a bot with each of these others."""
        return sum(self._pairs[min(bot, other), max(bot, other)] for other in others)

    def weight(self, chosen: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        """Return a key that is smallest for the bots with the fewest games, then the fewest games together."""
        pairs = sum(self._pairs[pair] for pair in combinations(chosen, 2))
        return sum(self.played[bot] for bot in chosen), pairs, chosen
