"""What a league is: who plays, at which tables, by which rules, from which seed. It settles every game in advance."""

import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

from vinci_rules.editions import Options, options
from vinci_rules.record import read_json

Format: TypeAlias = Literal["round-robin", "gauntlet", "gate"]
Budget: TypeAlias = Literal["nodes", "time"]
Seeding: TypeAlias = Literal["block", "game"]
Score: TypeAlias = Literal["wins", "places"]

FORMATS: Final = ("round-robin", "gauntlet", "gate")
BUDGETS: Final = ("nodes", "time")
SCORES: Final = ("wins", "places")
DUMMY: Final = "dummy"


@dataclass(frozen=True, slots=True)
class LeagueBot:
    """Who plays: a policy of ours in process, or a command.

    With the budget `nodes` it plays the same from the same seed on every machine, with `time` it need not. `digest`
    stands for the files that it is made of when the league begins (see `digests`), empty if none is known.
    """

    name: str
    policy: str = ""
    command: tuple[str, ...] = ()
    budget: Budget = "nodes"
    digest: str = ""

    @property
    def is_dummy(self) -> bool:
        """Whether it is the dummy of the rules, which has a seat of its own kind."""
        return self.policy == DUMMY


@dataclass(frozen=True, slots=True)
class Stopping:
    """When a league ends before all its games are played; `alpha` is the chance that it is wrong then.

    A gate decides between two strengths of the new bot in points of rating above the base: it passes when its `score`
    is certainly more than `elo0` gives, which is wrong with a chance of `alpha`, and fails when it is certainly less
    than `elo1` gives, which is wrong with a chance of `beta`. Without these two, as in gates that an earlier version
    began, it passes or fails when its win share is certainly above or below an even one plus `margin`. Another league
    ends when all win shares are known within `width`, or never before its time if that is None.
    """

    margin: float = 0.0
    width: float | None = None
    alpha: float = 0.05
    score: Score = "wins"
    elo0: float | None = None
    elo1: float | None = None
    beta: float = 0.05

    @property
    def has_hypotheses(self) -> bool:
        """Whether it is a gate between two strengths."""
        return self.elo0 is not None and self.elo1 is not None


GATE: Final = Stopping(score="places", elo0=0.0, elo1=60.0)
"""Default stopping rule of a gate."""

GATE_GAMES: Final = 600
"""Default maximum number of games of a gate."""


@dataclass(frozen=True, slots=True)
class RulesCore:
    """The rules core with which a league began: its version, digests of its sources and of the board."""

    engine: str
    digest: str
    board: str


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """A league. Build it with `configuration`, or from the JSON that it was kept as.

    In a gauntlet the first bot is the challenger; in a gate it is the new one, and the second the base. `clock` is in
    seconds a decision, `memory` in MB, `tries` how many answers to a decision may be wrong, `analysis` whether commands
    may ask an analysis service. `workers` is how many games are played at once, None for as many as there are cores; it
    changes nothing else. `seed` is empty until `Folder.begin` draws one. With `seeding` "game" every game has a sealed
    seed of its own and only its opening in common with its block; with "block", as in leagues that an earlier version
    began, all games of a block share an open seed.
    """

    name: str
    format: Format
    bots: tuple[LeagueBot, ...]
    seats: int
    board: str
    edition: str
    target: int | None
    options: tuple[tuple[str, str], ...]
    blocks: int
    seed: str
    clock: int
    tries: int
    memory: int
    analysis: bool
    stop: Stopping
    workers: int | None
    core: RulesCore
    seeding: Seeding = "block"

    def bot(self, name: str) -> LeagueBot:
        """The bot of this name. Raises KeyError."""
        return {bot.name: bot for bot in self.bots}[name]

    def rules(self, bots: tuple[str, ...]) -> Options:
        """The options of a game in which these bots sit at these seats."""
        return _rules(tuple(self.bot(name).is_dummy for name in bots), self.edition, self.options, self.target)

    @property
    def rotations(self) -> int:
        """Games of a block: one for each rotation of the seats, or one if only dummies play, which are all alike."""
        return 1 if self.is_of_dummies else self.seats

    @property
    def is_of_dummies(self) -> bool:
        """Whether only dummies play, and each block is therefore played once."""
        return self.seeding == "game" and self.format != "gate" and all(bot.is_dummy for bot in self.bots)

    def is_local(self, bots: tuple[str, ...]) -> bool:
        """Whether a game of these bots needs no process but the one that plays it."""
        return not any(self.bot(name).command for name in bots)

    @property
    def digest(self) -> str:
        """SHA-256 of all that settles the games: the league without its workers."""
        return sha256(replace(self, workers=None).to_json().encode()).hexdigest()

    def to_json(self) -> str:
        """Always the same text for the same league; for people to read, too."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "League":
        """What `to_json` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        fields: dict[str, Any] = read_json(text)
        return cls(
            **fields
            | {
                "bots": tuple(LeagueBot(**bot | {"command": tuple(bot["command"])}) for bot in fields["bots"]),
                "options": tuple((name, value) for name, value in fields["options"]),
                "stop": Stopping(**fields["stop"]),
                "core": RulesCore(**fields["core"]),
            }
        )


@cache
def _rules(
    dummies: tuple[bool, ...], edition: str, settings: tuple[tuple[str, str], ...], target: int | None
) -> Options:
    return options(dummies, edition, **dict(settings), target=target)
