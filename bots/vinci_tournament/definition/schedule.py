"""Which games a league plays: blocks of line-ups, in all rotations of the seats, from the league alone.

A block is a line-up. Its players sit in a circle that is turned from game to game until everybody has had every seat.
From block to block the circle is reversed, and over more blocks of a line-up it takes other orders, so that who sits
after whom is balanced, too. A block of a league of dummies only is one game, and the circle is turned from block to
block. Games of a block begin alike, with the same market and first seat. Every game has a seed of its own for all
further draws, from which no other seed can be derived.
"""

import hmac
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

DIGITS: Final = 32
"""Hexadecimal digits of a seed or salt: 128 bits."""

LineUp: TypeAlias = tuple[str, ...]


class ScheduledGame(NamedTuple):
    """A game to play: where it stands in the league, the seed of its chance, and the bot at each seat, seat 1 first.

    `salt` is that of the commitment to the seed, empty if the seed is open. `opening_seed` gives the draws before the
    first decision; empty if the seed gives them, too.
    """

    block: int
    rotation: int
    seed: str
    bots: tuple[str, ...]
    salt: str = ""
    opening_seed: str = ""

    @property
    def key(self) -> str:
        """How its files are called: block and rotation, from 0."""
        return f"{self.block}-{self.rotation}"


def games(league: League) -> list[ScheduledGame]:
    """All games of a league, block by block."""
    found = []
    first_of: dict[LineUp, int] = {}
    turns: Counter[LineUp] = Counter()
    for block, line_up in enumerate(line_ups(league)):
        turn = turns[line_up]
        turns[line_up] += 1
        if league.is_of_dummies:
            circle = _turned(line_up, turn % league.seats)
        else:
            circle = _circle(line_up, turn, first_of.setdefault(line_up, block))
        shared = block_seed(league.seed, block) if league.seeding == "block" else ""
        opening = "" if shared else derived(league.seed, f"opening|{block}")[:DIGITS]
        for rotation in range(league.rotations):
            digest = derived(league.seed, f"game|{block}|{rotation}") if opening else ""
            seed, salt = digest[:DIGITS], digest[DIGITS:]
            found.append(ScheduledGame(block, rotation, shared or seed, _turned(circle, rotation), salt, opening))
    return found


def derived(secret: str, about: str) -> str:
    """The HMAC-SHA256 of a text, keyed with the seed of a league: 64 digits, for seed and salt of a game.

    Without the key, a digest tells nothing about the others. Raises ValueError if the league has no seed yet.
    """
    if not secret:
        raise ValueError("the league has no seed yet; Folder.begin draws it")
    return hmac.digest(secret.encode(), about.encode(), "sha256").hex()


def block_seed(seed: str, block: int) -> str:
    """The seed that all games of a block share in a league with the seeding "block"."""
    return sha256(f"{seed}|block|{block}".encode()).hexdigest()[:DIGITS]


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


def _turned(circle: LineUp, number: int) -> LineUp:
    """The circle turned by so many seats."""
    return circle[number:] + circle[:number]


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
