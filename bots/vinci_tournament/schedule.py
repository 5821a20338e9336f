"""Which games a league plays: blocks of line-ups, in all rotations of the seats, from the league alone.

A block is a line-up and a seed. Its players sit in a circle that is turned from game to game until everybody has had
every seat; the luck of all its games is the same. From block to block the circle is reversed, and over more blocks of
a line-up it takes other orders, so that who sits after whom is balanced, too.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import combinations, cycle, islice, permutations
from math import comb
from typing import Final, NamedTuple, TypeAlias, final

from .league import League

MOST_LINE_UPS: Final = 1000
"""All combinations are played where there are no more than these."""

LineUp: TypeAlias = tuple[str, ...]


class Game(NamedTuple):
    """A game to play: where it stands in the league, the seed of its luck, and the bot at each seat, seat 1 first."""

    block: int
    rotation: int
    seed: str
    bots: tuple[str, ...]

    @property
    def key(self) -> str:
        """How its files are called: block and rotation, from 0."""
        return f"{self.block}-{self.rotation}"


def games(league: League) -> list[Game]:
    """All games of a league, block by block."""
    found = []
    first_of: dict[LineUp, int] = {}
    turns: Counter[LineUp] = Counter()
    for block, line_up in enumerate(line_ups(league)):
        seed = block_seed(league.seed, block)
        circle = _circle(line_up, turns[line_up], first_of.setdefault(line_up, block))
        turns[line_up] += 1
        found += [Game(block, turn, seed, circle[turn:] + circle[:turn]) for turn in range(league.seats)]
    return found


def block_seed(seed: str, block: int) -> str:
    """The seed from which all games of a block are drawn."""
    return sha256(f"{seed}|block|{block}".encode()).hexdigest()[:32]


def line_ups(league: League) -> list[LineUp]:
    """Who plays in each block; however early a league ends, everybody has played about as often."""
    names = tuple(bot.name for bot in league.bots)
    if league.format == "gate":
        return [(names[0], *[names[1]] * (league.seats - 1))] * league.blocks
    first = names[:1] if league.format == "gauntlet" else ()
    field = names[len(first) :]
    places = choices(len(field), league.seats - len(first), league.blocks)
    return [first + tuple(field[place] for place in chosen) for chosen in places]


def blocks_of_a_round(league: League) -> int | None:
    """After how many blocks each all line-ups have been played equally often; None where they never are."""
    if league.format == "gate":
        return 1
    first = league.format == "gauntlet"
    found = comb(len(league.bots) - first, league.seats - first)
    return found if found <= min(league.blocks, MOST_LINE_UPS) else None


def choices(number: int, size: int, blocks: int) -> list[tuple[int, ...]]:
    """So many choices of `size` out of `number` bots, which are numbers from 0.

    All combinations, again and again, if there are not more of them than blocks. Otherwise a balanced choice: every
    bot equally often, and every pair as nearly as can be had by choosing one bot after another.
    """
    if comb(number, size) <= min(blocks, MOST_LINE_UPS):
        return list(islice(cycle(_all(number, size)), blocks))
    return list(islice(_balanced(number, size), blocks))


@cache
def _all(number: int, size: int) -> tuple[tuple[int, ...], ...]:
    """All combinations, in an order in which every bot and every pair comes up evenly."""
    left = list(combinations(range(number), size))
    counted = _Counted()
    found = []
    while left:
        found.append(min(left, key=counted.weight))
        left.remove(found[-1])
        counted.note(found[-1])
    return tuple(found)


def _balanced(number: int, size: int) -> Iterator[tuple[int, ...]]:
    """Choices made bot by bot: who played least, then whom the others met least."""
    counted = _Counted()
    while True:
        chosen: list[int] = []
        for _ in range(size):
            left = [bot for bot in range(number) if bot not in chosen]
            chosen.append(min(left, key=lambda bot: (counted.played[bot], counted.met(bot, chosen), bot)))
        counted.note(tuple(sorted(chosen)))
        yield tuple(sorted(chosen))


@final
class _Counted:
    """How often each bot played, and each pair together."""

    def __init__(self) -> None:
        self.played: Final[Counter[int]] = Counter()
        self._pairs: Final[Counter[tuple[int, ...]]] = Counter()

    def note(self, chosen: tuple[int, ...]) -> None:
        """These play once more; they are in ascending order."""
        self.played.update(chosen)
        self._pairs.update(combinations(chosen, 2))

    def met(self, bot: int, others: Sequence[int]) -> int:
        """How often a bot played with these others, in all."""
        return sum(self._pairs[min(bot, other), max(bot, other)] for other in others)

    def weight(self, chosen: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        """What is least for those who played least, and together least."""
        pairs = sum(self._pairs[pair] for pair in combinations(chosen, 2))
        return sum(self.played[bot] for bot in chosen), pairs, chosen


def _circle(line_up: LineUp, turn: int, first: int) -> LineUp:
    """The players around the table when they meet again after `turn` times; they first met in block `first`."""
    orders = circles(len(line_up))
    circle = tuple(line_up[seat] for seat in orders[turn // 2 % len(orders)])
    return circle[:1] + circle[:0:-1] if (turn + first) % 2 else circle


@cache
def circles(seats: int) -> tuple[tuple[int, ...], ...]:
    """All orders of so many players around a table, without those reversed; each next one seats the newest pairs."""
    left = [(0, *rest) for rest in permutations(range(1, seats)) if rest[0] < rest[-1]]
    beside: Counter[tuple[int, int]] = Counter()
    found = []
    while left:
        found.append(min(left, key=lambda order: (sum(beside[pair] for pair in _beside(order)), order)))
        left.remove(found[-1])
        beside.update(_beside(found[-1]))
    return tuple(found)


def _beside(order: tuple[int, ...]) -> list[tuple[int, int]]:
    """Who sits beside whom."""
    return [(min(pair), max(pair)) for pair in zip(order, order[1:] + order[:1], strict=True)]
