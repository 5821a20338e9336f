"""Schedule of a league: blocks of line-ups in all rotations of the seats, determined by the league alone.

A block is a line-up whose players rotate from game to game until every bot has had every seat. The circle of players is
reversed from block to block, and further blocks of a line-up use other orders, to balance who plays after whom. In a
league of dummies a block is one game, and the seats rotate from block to block. The games of a block share the opening:
market and first seat. Each game has a separate seed for all further draws, from which no other seed can be derived.
"""

import hmac
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import chain, permutations
from typing import Final, NamedTuple, final

from .formats import LineUp, Scheduled, Setup
from .league import League

DIGITS: Final = 32
"""Hexadecimal digits of a seed or salt: 128 bits."""


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


@final
class Plan:
    """The blocks of a league and their games, made once; blocks that results choose are added.

    Attributes:
        line_ups: that of each block.
        games: of all blocks, block by block.
    """

    def __init__(self, league: League) -> None:
        self.league: Final = league
        self.line_ups: Final[list[LineUp]] = []
        self.games: Final[list[ScheduledGame]] = []
        self._circles: Final[list[LineUp]] = []
        self._first_of: Final[dict[LineUp, int]] = {}
        self._turns: Final[Counter[LineUp]] = Counter()
        self._replaced: Final = Counter(block for event in league.events for block in event.replaced)
        self._dropped: Final = {key for event in league.events for key in event.dropped}
        for number, chosen in _stages(league):
            del self.line_ups[number:], self._circles[number:]
            self._place(chosen)
        self.games.extend(chain.from_iterable(map(self._games, range(len(self.line_ups)))))

    def add(self, line_ups: Iterable[LineUp]) -> None:
        """Add blocks with these line-ups."""
        first = len(self.line_ups)
        self._place(dict(enumerate(line_ups, start=first)))
        self.games.extend(chain.from_iterable(map(self._games, range(first, len(self.line_ups)))))

    def _place(self, chosen: Mapping[int, LineUp]) -> None:
        """Set the line-ups of blocks, of the next ones or in place of others, with the order of their players."""
        if len(self.line_ups) not in chosen or min(chosen) < len(self.line_ups):
            self._first_of.clear()
            self._turns.clear()
            for block, line_up in enumerate(self.line_ups):
                if block not in chosen:
                    self._first_of.setdefault(line_up, block)
                    self._turns[line_up] += 1
        for block, line_up in chosen.items():
            first, turn = self._first_of.setdefault(line_up, block), self._turns[line_up]
            self._turns[line_up] += 1
            circle = (
                turned(line_up, turn % self.league.seats)
                if self.league.is_of_dummies
                else _circle(line_up, turn, first)
            )
            self.line_ups[block : block + 1] = [line_up]
            self._circles[block : block + 1] = [circle]

    def _games(self, block: int) -> Iterator[ScheduledGame]:
        league, circle = self.league, self._circles[block]
        secret = league.seed_of(block)
        shared = block_seed(secret, block) if league.seeding == "block" else ""
        # Another line-up gets other draws: the first one may have begun, and seen the opening.
        times = f"|{self._replaced[block]}" if self._replaced[block] else ""
        opening = "" if shared else derived(secret, f"opening|{block}{times}")[:DIGITS]
        for rotation in range(league.rotations):
            digest = derived(secret, f"game|{block}|{rotation}{times}") if opening else ""
            seed, salt = shared or digest[:DIGITS], digest[DIGITS:]
            game = ScheduledGame(block, rotation, seed, turned(circle, rotation), salt, opening)
            if game.key not in self._dropped:
                yield game


def games(league: League) -> list[ScheduledGame]:
    """Return all games of a league, block by block."""
    return Plan(league).games


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
    """Return the line-up of each block: those of the format, or those chosen so far."""
    found: dict[int, LineUp] = {}
    for number, chosen in _stages(league):
        found = {block: line_up for block, line_up in (found | chosen).items() if block < number or block in chosen}
    return [found[block] for block in range(len(found))]


def _stages(league: League) -> Iterator[tuple[int, dict[int, LineUp]]]:
    """Yield line-ups by block as they were chosen: those of the definition, then those of each event.

    With them is the number of blocks before that are left.
    """
    kind = league.kind
    if not isinstance(kind, Scheduled):
        yield 0, dict(enumerate(league.planned))
        return
    settled = line_ups(league.earlier)[: league.extensions[-1].settled] if league.extensions else league.planned
    setup = _setup(league)._replace(blocks=league.definition.blocks)
    found = kind.line_ups(setup._replace(settled=settled))
    yield 0, dict(enumerate(found))
    out: set[str] = set()
    for event in league.events:
        if event.event == "withdrew":
            out.add(event.bot)
        elif event.event == "returned":
            out.discard(event.bot)
        if event.key == "blocks":
            found = found[: int(event.to)]
            blocks: Sequence[int] = range(len(found), int(event.to))
        elif event.replaced:
            blocks = event.replaced
        else:
            continue
        number, kept = len(found), [line_up for block, line_up in enumerate(found) if block not in {*blocks}]
        wanted = setup._replace(settled=kept, blocks=len(kept) + len(blocks), out=frozenset(out))
        chosen = dict(zip(blocks, kind.line_ups(wanted)[len(kept) :], strict=True))
        every = dict(enumerate(found)) | chosen
        found = [every[block] for block in range(len(every))]
        yield number, chosen


def blocks_of_a_round(league: League) -> int | None:
    """Return the blocks of a round, in which all line-ups are played once; None if there are too many line-ups."""
    return league.kind.round_of(_setup(league)) if isinstance(league.kind, Scheduled) else None


def _setup(league: League) -> Setup:
    names = tuple(bot.name for bot in league.bots)
    is_changed = bool(league.planned or league.extensions or league.is_replanned)
    return Setup(names, league.kind.challengers, league.seats, league.blocks, league.line_ups, is_changed)


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


@dataclass(frozen=True, slots=True)
class BlockRange:
    """Blocks from `first` to `last`, both included, counted from 0."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}:{self.last}"

    def __contains__(self, block: int) -> bool:
        return self.first <= block <= self.last

    @property
    def number(self) -> int:
        """The number of blocks."""
        return self.last - self.first + 1


def parse_range(text: str, blocks: int) -> BlockRange:
    """Parse a range such as 0:499 in a league of so many blocks. Raises ValueError."""
    if not (match := re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", text)):
        raise ValueError(f"{text!r} is not a range of blocks; write the first and the last one, such as 0:{blocks - 1}")
    wanted = BlockRange(int(match[1]), int(match[2]))
    if not wanted.first <= wanted.last < blocks:
        raise ValueError(f"{text} is not within this league, whose blocks are 0:{blocks - 1}")
    return wanted


def named_ranges(blocks: list[int]) -> str:
    """Name blocks in ascending order as ranges, such as 3, 7:9."""
    ranges: list[BlockRange] = []
    for block in blocks:
        if ranges and ranges[-1].last == block - 1:
            ranges[-1] = BlockRange(ranges[-1].first, block)
        else:
            ranges.append(BlockRange(block, block))
    return ", ".join(str(each) if each.number > 1 else str(each.first) for each in ranges)
