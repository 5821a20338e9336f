"""Contents of a report: the league, its statistics, and its games."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Final, Literal, TypeAlias

from ..definition.formats import FORMATS
from ..definition.league import Conditions, Score
from ..results.result import ForfeitResult, Result
from ..stats.values import Estimate, LeagueFigures, MutualAttackFigures, Standings

Outcome: TypeAlias = Literal["pass", "fail", "inconclusive"]


REMOTE: Final = "remote"
"""The command of a bot that connected by itself from another machine."""


MOST_PAIRS: Final = 5
"""Maximum number of pairs whose mutual attacks text shows, besides those flagged."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of a league: name, command that starts it, and digest of its files ("" if unknown).

    `note` is a finding of `verify` as a sentence, such as that the bot plays differently from the same seed.
    """

    name: str
    command: str
    digest: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class VerdictSection:
    """Verdict of a gate: the question in a few words, the outcome, and the reason as a sentence.

    `score` is the score it compares ("" if unknown); `elo0` and `elo1` are its hypotheses in Elo points, None for a
    gate without hypotheses. `share` is the mean score of the new bot with an anytime-valid confidence interval.
    """

    question: str
    outcome: Outcome
    reason: str
    score: Score | Literal[""] = ""
    elo0: float | None = None
    elo1: float | None = None
    share: Estimate | None = None


@dataclass(frozen=True, slots=True)
class TableSection:
    """A table of a round: its bots with their scores there, the best first.

    Round and table count from 1. `byes` are the bots that did not play in the round, told with its first table.
    """

    round: int
    table: int
    bots: tuple[tuple[str, float], ...]
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeagueSection:
    """Settings and state of a league.

    `blocks` is the planned number. `complete` is set when all blocks are played or a stopping rule ended the league;
    `stopped` then names the rule in a sentence. `options` are those that differ from the edition. `engine` is the
    version of the engine. `conditions` are those under which the bots play. `remarks` are sentences about the course of
    the league, `tables` those of its rounds. `history` has for bots of a ladder blocks, and the ratings by which these
    were chosen; `left` are bots that left it.
    """

    name: str
    format: str
    seats: int
    board: str
    edition: str
    seed: str
    blocks: int
    complete: bool
    engine: str
    rules_digest: str
    board_digest: str
    bots: tuple[Entrant, ...]
    conditions: Conditions
    options: Mapping[str, str | int | None] = field(default_factory=dict)
    gates: tuple[VerdictSection, ...] = ()
    stopped: str = ""
    remarks: tuple[str, ...] = ()
    tables: tuple[TableSection, ...] = ()
    history: tuple[tuple[str, tuple[tuple[int, float], ...]], ...] = ()
    left: tuple[str, ...] = ()

    @property
    def is_open_ended(self) -> bool:
        """Whether it goes on as long as anybody plays it."""
        return self.format in FORMATS and FORMATS[self.format].is_open_ended


@dataclass(frozen=True)
class Report:
    """A league with its statistics and the results of its games, in any order."""

    league: LeagueSection
    figures: LeagueFigures
    results: tuple[Result, ...]

    @cached_property
    def games(self) -> list[Result]:
        """The games, sorted by block and rotation."""
        return sorted(self.results, key=attrgetter("block", "rotation"))

    @cached_property
    def forfeits(self) -> list[tuple[Result, ForfeitResult]]:
        """All forfeits with their games, sorted likewise."""
        return [(game, forfeit) for game in self.games for forfeit in game.forfeits]

    @property
    def adjusted(self) -> Standings | None:
        """The standings without games with a forfeit; None if they are the same as those with them."""
        without = self.figures.without_forfeits
        return None if without == self.figures.standings else without

    @property
    def sparing(self) -> list[MutualAttackFigures]:
        """The pairs that attack each other least, and those flagged."""
        pairs = enumerate(self.figures.mutual_attacks)
        return [pair for place, pair in pairs if place < MOST_PAIRS or pair.is_flagged]

    @cached_property
    def rank_counts(self) -> dict[str, list[int]]:
        """The ranks of each bot, counted, rank 1 first; a shared rank counts for each bot that has it."""
        counts = {bot.bot: [0] * self.league.seats for bot in self.figures.standings.bots}
        for result in self.results:
            for bot, rank in zip(result.bots, result.ranks, strict=True):
                counts[bot][rank - 1] += 1
        return counts
