"""Schedule of a league: blocks of line-ups in all rotations of the seats, determined by the league alone.

A block is a line-up whose players rotate from game to game until every bot has had every seat. The circle of players is
reversed from block to block, and further blocks of a line-up use other orders, to balance who plays after whom. In a
league of dummies a block is one game, and the seats rotate from block to block. The games of a block share the opening:
market and first seat. Each game has a separate seed for all further draws, from which no other seed can be derived.
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
"""Maximum number of line-ups up to which all combinations are played."""

DIGITS: Final = 32
"""Hexadecimal digits of a seed or salt: 128 bits."""

LineUp: TypeAlias = tuple[str, ...]


class ScheduledGame(NamedTuple):
    """A game to play: its place in the league, its seed, and the bot at each seat, seat 1 first.

    `salt` belongs to the commitment to the seed; empty if the seed is open. `opening_seed` determines the draws before
    the first decision; empty if the seed does.
    """

    block: int
    rotation: int
    seed: str
    bots: tuple[str, ...]
    salt: str = ""
    opening_seed: str = ""

    @property
    def key(self) -> str:
        """Name of its files: block and rotation, from 0."""
        return f"{self.block}-{self.rotation}"


def games(league: League, start: int = 0) -> list[ScheduledGame]:
    """Return all games of a league from a block on, block by block."""
    schedule = []
    first_of: dict[LineUp, int] = {}
    turns: Counter[LineUp] = Counter()
    for block, line_up in enumerate(line_ups(league)):
        turn = turns[line_up]
        turns[line_up] += 1
        first = first_of.setdefault(line_up, block)
        if block < start:
            continue
        circle = turned(line_up, turn % league.seats) if league.is_of_dummies else _circle(line_up, turn, first)
        seed_of_league = league.seed_of(block)
        shared = block_seed(seed_of_league, block) if league.seeding == "block" else ""
        opening = "" if shared else derived(seed_of_league, f"opening|{block}")[:DIGITS]
        for rotation in range(league.rotations):
            digest = derived(seed_of_league, f"game|{block}|{rotation}") if opening else ""
            seed, salt = digest[:DIGITS], digest[DIGITS:]
            schedule.append(ScheduledGame(block, rotation, shared or seed, turned(circle, rotation), salt, opening))
    return schedule


def derived(secret: str, about: str) -> str:
    """Return the HMAC-SHA256 of a text, keyed with the seed of a league: 64 digits, for seed and salt of a game.

    Without the key, a digest reveals nothing about the others. Raises ValueError if the league has no seed yet.
    """
    if not secret:
        raise ValueError("the league has no seed yet; Folder.begin draws it")
    return hmac.digest(secret.encode(), about.encode(), "sha256").hex()


def block_seed(seed: str, block: int) -> str:
    """Return the seed that all games of a block share in a league with the seeding "block"."""
    return sha256(f"{seed}|block|{block}".encode()).hexdigest()[:DIGITS]


def line_ups(league: League) -> list[LineUp]:
    """Return the line-up of each block: given ones in turn, all bots about equally often, or those chosen so far."""
    if league.is_by_results:
        return list(league.planned)
    names = tuple(bot.name for bot in league.bots)
    if league.format == "gate":
        return [(names[0], *[names[1]] * (league.seats - 1))] * league.blocks
    if league.format == "line-ups":
        return list(islice(cycle(league.line_ups), league.blocks))
    first = names[:1] if league.format == "gauntlet" else ()
    field = names[len(first) :]
    number = {name: place for place, name in enumerate(field)}
    settled = [tuple(number[name] for name in line_up[len(first) :]) for line_up in _settled(league)]
    places = choices(len(field), league.seats - len(first), league.blocks, settled)
    return [first + tuple(field[place] for place in chosen) for chosen in places]


def _settled(league: League) -> Sequence[LineUp]:
    """Return the line-ups of the first blocks that others have to balance: planned, or played before an extension."""
    return line_ups(league.earlier)[: league.extensions[-1].settled] if league.extensions else league.planned


def blocks_of_a_round(league: League) -> int | None:
    """Return the blocks of a round, in which all line-ups are played once; None if there are too many line-ups."""
    if league.format == "gate":
        return 1
    if league.format == "line-ups":
        return len(league.line_ups)
    if league.is_by_results or league.planned or league.extensions:
        return None
    first = league.format == "gauntlet"
    number = comb(len(league.bots) - first, league.seats - first)
    return number if number <= min(league.blocks, MOST_LINE_UPS) else None


def choices(number: int, size: int, blocks: int, settled: Sequence[tuple[int, ...]] = ()) -> list[tuple[int, ...]]:
    """Return `blocks` choices of `size` out of `number` bots, as indices from 0; the first are those that are settled.

    These are all combinations in turn if there are no more than blocks. Otherwise the choice is balanced greedily:
    every bot is chosen equally often, and every pair about equally often. After settled choices, the combinations and
    bots that these have least often come first, until all are even.
    """
    is_few = comb(number, size) <= min(blocks, MOST_LINE_UPS)
    if not settled:
        return list(islice(cycle(_all(number, size)) if is_few else _balanced(number, size), blocks))
    further = _evened(number, size, settled) if is_few else _balanced(number, size, settled)
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


def _evened(number: int, size: int, settled: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Yield combinations: one of those that were chosen least often, as long as there are any, as `_all` does."""
    counted = _Counted()
    times = dict.fromkeys(combinations(range(number), size), 0)
    for chosen in settled:
        counted.note(chosen)
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


def _balanced(number: int, size: int, settled: Sequence[tuple[int, ...]] = ()) -> Iterator[tuple[int, ...]]:
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
            left = [bot for bot in range(number) if bot not in chosen]
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


def turned(circle: LineUp, number: int) -> LineUp:
    """Return a line-up after so many rotations of the seats."""
    return circle[number:] + circle[:number]


def _circle(line_up: LineUp, turn: int, first: int) -> LineUp:
    """Return the order of a line-up after `turn` earlier blocks of it, the first of which was block `first`."""
    orders = circles(len(line_up))
    circle = tuple(line_up[seat] for seat in orders[turn // 2 % len(orders)])
    return circle[:1] + circle[:0:-1] if (turn + first) % 2 else circle


@cache
def circles(seats: int) -> tuple[tuple[int, ...], ...]:
    """Return all circular orders up to reversal; each next one has the pairs of neighbours that occurred least."""
    left = [(0, *rest) for rest in permutations(range(1, seats)) if rest[0] < rest[-1]]
    beside: Counter[tuple[int, int]] = Counter()
    ordered = []
    while left:
        ordered.append(min(left, key=lambda order: (sum(beside[pair] for pair in _beside(order)), order)))
        left.remove(ordered[-1])
        beside.update(_beside(ordered[-1]))
    return tuple(ordered)


def _beside(order: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(min(pair), max(pair)) for pair in zip(order, order[1:] + order[:1], strict=True)]
