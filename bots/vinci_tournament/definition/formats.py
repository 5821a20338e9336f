"""Formats of leagues, a class and an entry of FORMATS for each; `pairing.formats` has how results choose their blocks.

A format knows no league: it gets what it needs to know of one, so that `League` can ask it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from math import comb
from typing import Final, Literal, NamedTuple, TypeAlias

from .combinations import MOST_LINE_UPS, choices
from .rounds import knock_out, swiss_tables, usual_rounds

LineUp: TypeAlias = tuple[str, ...]
Pairing: TypeAlias = Literal["swiss", "knock-out", "ladder"]
"""Ways in which results choose the next blocks."""


class Setup(NamedTuple):
    """Facts of a league that a format needs.

    `given` are the line-ups of its file, `settled` those of first blocks that others have to balance: planned, or
    played before an extension. `is_changed` tells that it has planned blocks or was extended.
    """

    bots: LineUp
    seats: int
    blocks: int
    given: Sequence[LineUp]
    is_changed: bool
    settled: Sequence[LineUp] = ()


@dataclass(frozen=True, kw_only=True)
class Format(ABC):
    """A format of leagues.

    Attributes:
        name: its name in the file of a league.
        lengths: keys of that file that give the length of a league.
        closed_to_bots: why no further bots can enter; empty if they can.
        ended: why a league has no further games; empty if it can have.
        decided: likewise, once its stopping rule has ended it.
        games: default number of games, rounded up to whole blocks.
        challengers: number of first bots that play in every block.
        repeats_bots: whether a bot can have several seats of a game.
        is_gate: whether it ends with a verdict on the first bot.
        is_open_ended: whether it goes on as long as anybody plays it; its blocks are those that were chosen.
        pairing: how results choose the next blocks; None if they do not.
    """

    name: str
    lengths: tuple[str, ...] = ("games", "blocks", "stop")
    closed_to_bots: str
    ended: str = ""
    decided: str = ""
    games: int = 200
    challengers: int = 0
    repeats_bots: bool = False
    is_gate: bool = False
    is_open_ended: bool = False
    pairing: Pairing | None = None

    def wrong_bots(self, bots: int, seats: int) -> str:
        """Return what is wrong with this number of bots; empty if nothing is."""
        return "" if bots >= seats or self.repeats_bots else f"{bots} given, but a game has {seats} seats"

    def round_of(self, league: Setup) -> int | None:
        """Return the blocks of a round, in which all line-ups are played once; None if there are too many or none."""
        return None


class Scheduled(Format):
    """A format whose line-ups follow from its definition."""

    @abstractmethod
    def line_ups(self, league: Setup) -> list[LineUp]:
        """Return the line-up of each block."""


class ByResults(Format):
    """A format whose next blocks are chosen by the results so far."""

    @abstractmethod
    def tables(self, bots: int, seats: int, rounds: int | None) -> int:
        """Return the tables of a league with so many rounds, or with the usual number of them."""

    def tables_of_a_round(self, bots: int, seats: int) -> int:
        """Return the tables by which a league is extended."""
        return 1


class Balanced(Scheduled):
    """All bots play about equally often, all combinations in turn if these are few; challengers play every block."""

    def line_ups(self, league: Setup) -> list[LineUp]:
        """Return the challengers with the bots that are chosen for each block."""
        first, field = league.bots[: self.challengers], league.bots[self.challengers :]
        number = {name: place for place, name in enumerate(field)}
        settled = [tuple(number[name] for name in line_up[len(first) :]) for line_up in league.settled]
        chosen = choices(len(field), league.seats - len(first), league.blocks, settled)
        return [first + tuple(field[place] for place in places) for places in chosen]

    def round_of(self, league: Setup) -> int | None:
        """Return the number of combinations; None if they are not played in turn."""
        number = comb(len(league.bots) - self.challengers, league.seats - self.challengers)
        return None if league.is_changed or number > min(league.blocks, MOST_LINE_UPS) else number


class Gate(Scheduled):
    """The first bot, which is new, against the second, the base, at all other seats."""

    def wrong_bots(self, bots: int, seats: int) -> str:
        """Return what is wrong with this number of bots; empty if nothing is."""
        return "" if bots == 2 else f"a gate has two, the new bot and the base; {bots} given"

    def line_ups(self, league: Setup) -> list[LineUp]:
        """Return the same line-up for each block."""
        new, base = league.bots
        return [(new, *[base] * (league.seats - 1))] * league.blocks

    def round_of(self, league: Setup) -> int | None:
        """Return 1, as there is one line-up."""
        return 1


class Given(Scheduled):
    """The line-ups that the file of the league gives, in turn."""

    def line_ups(self, league: Setup) -> list[LineUp]:
        """Return the given line-ups in turn."""
        return list(islice(cycle(league.given), league.blocks))

    def round_of(self, league: Setup) -> int | None:
        """Return the number of given line-ups."""
        return len(league.given)


class Swiss(ByResults):
    """Rounds in which bots of about equal scores meet."""

    def tables(self, bots: int, seats: int, rounds: int | None) -> int:
        """Return the tables of all rounds."""
        return (rounds or usual_rounds(bots)) * swiss_tables(bots, seats)

    def tables_of_a_round(self, bots: int, seats: int) -> int:
        """Return the tables by which it is extended, those of a round."""
        return swiss_tables(bots, seats)


class KnockOut(ByResults):
    """Rounds after each of which the better half of each table is left."""

    def tables(self, bots: int, seats: int, rounds: int | None) -> int:
        """Return the tables of all rounds, which the bots determine."""
        return sum(each.tables for each in knock_out(bots, seats))


class Ladder(ByResults):
    """Blocks that tell most about the ratings, without an end; bots enter and leave."""

    def tables(self, bots: int, seats: int, rounds: int | None) -> int:
        """Return 0: none is planned."""
        return 0


FORMATS: Final[dict[str, Scheduled | ByResults]] = {
    each.name: each
    for each in (
        Balanced(name="round-robin", closed_to_bots=""),
        Balanced(name="gauntlet", closed_to_bots="", challengers=1),
        Gate(
            name="gate",
            games=600,
            repeats_bots=True,
            is_gate=True,
            decided="the gate is decided, so more games would not count; start a new gate",
            closed_to_bots="bots: a gate has two, the new bot and the base; start a new gate",
        ),
        Given(
            name="line-ups",
            repeats_bots=True,
            closed_to_bots="bots: this league plays line-ups that its file gives; start a new league with further ones",
        ),
        Swiss(
            name="swiss",
            pairing="swiss",
            lengths=("rounds", "table_blocks"),
            closed_to_bots="bots: they would have missed the rounds so far; only --games, for more rounds",
        ),
        KnockOut(
            name="knock-out",
            pairing="knock-out",
            lengths=("table_blocks",),
            closed_to_bots="",
            ended="a knock-out ends with its final; start a new league",
        ),
        Ladder(name="ladder", pairing="ladder", lengths=(), closed_to_bots="", is_open_ended=True),
    )
}
"""All formats by name; the first one is the default."""
