"""What a report is made of: what the league is, its figures, its games."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ..definition.league import Score
from ..results.result import Result
from ..stats.values import Estimate, LeagueFigures, Standings

Outcome: TypeAlias = Literal["pass", "fail", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of a league: its name, the command that starts it, the digest of what that is, "" where unknown.

    `note` is what checking it found, as a sentence, such as that it plays differently from the same seed.
    """

    name: str
    command: str
    digest: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class VerdictSection:
    """Verdict of a gate: the question in few words, the outcome, and the reason as a sentence.

    `score` is what it counts, wins or places, empty if that is not known; `elo0` and `elo1` are its hypotheses, None in
    a gate without. `share` is the mean score of the new bot, with ends that hold however often they are looked at.
    """

    question: str
    outcome: Outcome
    reason: str
    score: Score | Literal[""] = ""
    elo0: float | None = None
    elo1: float | None = None
    share: Estimate | None = None


@dataclass(frozen=True, slots=True)
class LeagueSection:
    """What was to be played, by whom and on what.

    `blocks` is how many are planned; `complete` is whether nothing is left to play, because all are played or a
    stopping rule ended the league, which `stopped` then tells in a sentence. `options` are those that differ from the
    edition. `engine` is the version of the engine; the digests are those of rules and board.
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
    options: Mapping[str, str | int | None] = field(default_factory=dict)
    gates: tuple[VerdictSection, ...] = ()
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A league with what was played, in any order, and the figures of that."""

    league: LeagueSection
    figures: LeagueFigures
    results: tuple[Result, ...]

    @property
    def games(self) -> list[Result]:
        """The games by block and rotation."""
        return sorted(self.results, key=lambda result: (result.block, result.rotation))

    @property
    def adjusted(self) -> Standings | None:
        """The standings without games with a forfeit, where they are others than those with them."""
        without = self.figures.without_forfeits
        return None if without == self.figures.standings else without

    def rank_counts(self) -> dict[str, list[int]]:
        """How often each bot had each rank, the first rank first; a shared rank counts for everybody who has it."""
        counts = {one.bot: [0] * self.league.seats for one in self.figures.standings.bots}
        for result in self.results:
            for bot, rank in zip(result.bots, result.ranks, strict=True):
                counts[bot][rank - 1] += 1
        return counts
