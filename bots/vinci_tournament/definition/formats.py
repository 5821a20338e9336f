"""Formats of leagues, an entry of FORMATS for each; `pairing.formats` has how results choose their blocks.

A format knows no league: it gets what it needs to know of one, so that `League` can ask it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from math import ceil, comb, log2
from typing import Final, Literal, NamedTuple, TypeAlias

from .combinations import MOST_LINE_UPS, choices

LineUp: TypeAlias = tuple[str, ...]
Pairing: TypeAlias = Literal["swiss", "knock-out", "ladder"]
"""Ways in which results choose the next blocks."""


class Setup(NamedTuple):
    """Facts of a league that a format needs.

    `challengers` are the number of first bots that play in every block, `given` the line-ups of the file, `settled`
    those of first blocks that others have to balance: planned, or played before an extension. Bots that are `out` have
    withdrawn, and are in no other block. `is_changed` tells that the league has planned blocks, was extended, or has
    blocks with other line-ups than it began with.
    """

    bots: LineUp
    challengers: int
    seats: int
    blocks: int
    given: Sequence[LineUp]
    is_changed: bool
    settled: Sequence[LineUp] = ()
    out: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format of leagues.

    Attributes:
        name: its name in the file of a league.
        lengths: keys of that file that give the length of a league.
        closed_to_bots: why no further bots can enter; empty if they can.
        ended: why a league has no further games; empty if it can have.
        decided: likewise, once its stopping rule has ended it.
        keeps_bots: why bots cannot withdraw; empty if they can.
        games: default number of games, rounded up to whole blocks.
        challengers: number of first bots that play in every block.
        repeats_bots: whether a bot can have several seats of a game.
        takes_line_ups: whether its file gives line-ups.
        is_gate: whether it ends with a verdict on the first bot, against the second.
        is_open_ended: whether it goes on as long as anybody plays it; its blocks are those that were chosen.
        pairing: how results choose the next blocks; None if they do not.
    """

    name: str
    lengths: tuple[str, ...] = ("games", "blocks", "stop")
    closed_to_bots: str
    ended: str = ""
    decided: str = ""
    keeps_bots: str = ""
    games: int = 200
    challengers: int = 0
    repeats_bots: bool = False
    takes_line_ups: bool = False
    is_gate: bool = False
    is_open_ended: bool = False
    pairing: Pairing | None = None


@dataclass(frozen=True, kw_only=True)
class Scheduled(Format):
    """A format whose line-ups follow from its definition.

    Attributes:
        line_ups: returns the line-up of each block.
        round_of: returns the blocks of a round, in which all line-ups are played once; None if there are too many.
    """

    line_ups: Callable[[Setup], list[LineUp]]
    round_of: Callable[[Setup], int | None]


@dataclass(frozen=True, kw_only=True)
class ByResults(Format):
    """A format whose next blocks are chosen by the results so far.

    Attributes:
        tables: returns the tables of so many bots, seats and rounds; without rounds of the usual number of them.
        tables_of_a_round: returns the tables of bots and seats by which a league is extended.
    """

    pairing: Pairing
    tables: Callable[[int, int, int | None], int]
    tables_of_a_round: Callable[[int, int], int] = lambda _bots, _seats: 1


def _balanced(league: Setup) -> list[LineUp]:
    """Return the challengers with bots that play about equally often, all combinations in turn if these are few."""
    first, field = league.bots[: league.challengers], league.bots[league.challengers :]
    number = {name: place for place, name in enumerate(field)}
    settled = [tuple(number[name] for name in line_up[len(first) :]) for line_up in league.settled]
    out = frozenset(number[name] for name in league.out)
    chosen = choices(len(field), league.seats - len(first), league.blocks, settled, out)
    return [first + tuple(field[place] for place in places) for places in chosen]


def _given(league: Setup) -> list[LineUp]:
    """Return the line-ups of the file in turn, of further ones those without bots that withdrew."""
    left = [line_up for line_up in league.given if league.out.isdisjoint(line_up)]
    begun = league.settled[: league.blocks]
    return [*begun, *islice(cycle(left), len(begun) % len(left), len(begun) % len(left) + league.blocks - len(begun))]


def _combinations(league: Setup) -> int | None:
    number = comb(len(league.bots) - league.challengers, league.seats - league.challengers)
    return None if league.is_changed or number > min(league.blocks, MOST_LINE_UPS) else number


class Round(NamedTuple):
    """A round of a knock-out: tables, bots that do not play in it, and bots that are left after it."""

    tables: int
    byes: int
    left: int


def usual_rounds(bots: int) -> int:
    """Return the usual number of rounds of a Swiss league."""
    return ceil(log2(bots)) + 1


def swiss_tables(bots: int, seats: int) -> int:
    """Return the tables of a round; bots that fill no table do not play in it."""
    return bots // seats


def knock_out(bots: int, seats: int) -> list[Round]:
    """Return the rounds of a knock-out. The better half of each table is left, and at least as many as a table seats.

    Of an odd number the middle one is out.
    """
    rounds = []
    while bots > seats:
        tables, byes = divmod(bots, seats)
        bots = max(tables * (seats // 2) + byes, seats)
        rounds.append(Round(tables, byes, bots))
    return [*rounds, Round(1, 0, 1)]


FORMATS: Final[dict[str, Scheduled | ByResults]] = {
    each.name: each
    for each in (
        Scheduled(name="round-robin", line_ups=_balanced, round_of=_combinations, closed_to_bots=""),
        Scheduled(name="gauntlet", challengers=1, line_ups=_balanced, round_of=_combinations, closed_to_bots=""),
        Scheduled(
            name="gate",
            games=600,
            repeats_bots=True,
            is_gate=True,
            line_ups=lambda league: [(league.bots[0], *[league.bots[1]] * (league.seats - 1))] * league.blocks,
            round_of=lambda _league: 1,
            decided="the gate is decided, so more games would not count; start a new gate",
            keeps_bots="a gate needs both of its bots; end it instead",
            closed_to_bots="bots: a gate has two, the new bot and the base; start a new gate",
        ),
        Scheduled(
            name="line-ups",
            repeats_bots=True,
            takes_line_ups=True,
            line_ups=_given,
            round_of=lambda league: len(league.given),
            closed_to_bots="bots: this league plays line-ups that its file gives; start a new league with further ones",
        ),
        ByResults(
            name="swiss",
            pairing="swiss",
            keeps_bots="the rounds of this league need all of its bots; with a short absence, it forfeits games soon",
            lengths=("rounds", "table_blocks"),
            tables=lambda bots, seats, rounds: (rounds or usual_rounds(bots)) * swiss_tables(bots, seats),
            tables_of_a_round=swiss_tables,
            closed_to_bots="bots: they would have missed the rounds so far; only --games, for more rounds",
        ),
        ByResults(
            name="knock-out",
            pairing="knock-out",
            keeps_bots="the rounds of this league need all of its bots; with a short absence, it forfeits games soon",
            lengths=("table_blocks",),
            tables=lambda bots, seats, _rounds: sum(each.tables for each in knock_out(bots, seats)),
            closed_to_bots="",
            ended="a knock-out ends with its final; start a new league",
        ),
        ByResults(
            name="ladder",
            pairing="ladder",
            lengths=(),
            tables=lambda _bots, _seats, _rounds: 0,
            closed_to_bots="",
            is_open_ended=True,
        ),
    )
}
"""All formats by name; the first one is the default."""
