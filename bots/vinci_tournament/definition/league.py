"""Definition of a league: bots, rules, schedule and seed, which determine every game, in some formats with results."""

import json
import sys
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from vinci_rules.editions import Options, options
from vinci_rules.record import read_json

from .events import Event
from .formats import FORMATS, ByResults, Scheduled

Budget: TypeAlias = Literal["nodes", "time"]
Seeding: TypeAlias = Literal["block", "game"]
Score: TypeAlias = Literal["wins", "places"]
Missing: TypeAlias = Literal["wait", "drop"]

BUDGETS: Final = ("nodes", "time")
SCORES: Final = ("wins", "places")
DUMMY: Final = "dummy"
ABSENCE: Final = 600
"""Default seconds for which a remote bot is waited for."""
CONNECTED, COMMAND = "connected", "command"
"""Starts of a league with remote bots: when all have connected, or by a command; else it is a time."""
MISSING: Final = ("wait", "drop")
LATER: Final = (
    *("extensions", "planned", "retired", "table_blocks", "absence", "anonymous", "remote"),
    *("start", "missing", "events", "sandbox", "folder", "version"),
)
"""Fields that `to_json` leaves out while they have their default, so that the digests of earlier leagues stay."""


@dataclass(frozen=True, slots=True)
class LeagueBot:
    """A bot: a built-in policy that plays in process, a command, or a `remote` one, which connects by itself.

    With the budget `nodes` it plays the same from the same seed on every machine; with `time` it need not. `digest`
    covers its files at the start of the league (see `digests`); empty if unknown. `folder` is that of an entrant, in
    which its command runs.
    """

    name: str
    policy: str = ""
    command: tuple[str, ...] = ()
    budget: Budget = "nodes"
    digest: str = ""
    remote: bool = False
    folder: str = ""

    @property
    def is_dummy(self) -> bool:
        """Whether it is the dummy of the rules, which has a dummy's seat."""
        return self.policy == DUMMY


@dataclass(frozen=True, slots=True)
class Stopping:
    """Stopping rule of a league, with an error rate of at most `alpha`.

    A gate tests the strength of the new bot in Elo points above the base: it passes when the mean `score` is
    significantly above that of `elo0` (error rate `alpha`), and fails when it is significantly below that of `elo1`
    (error rate `beta`). Without these two, as in gates of earlier versions, it passes or fails when the win share is
    significantly above or below an even share plus `margin`. Another league ends when the intervals of all win shares
    are at most `width` wide; with None it plays all games.
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
        """Whether it is the rule of a gate with two hypotheses."""
        return self.elo0 is not None and self.elo1 is not None


GATE: Final = Stopping(score="places", elo0=0.0, elo1=60.0)
"""Default stopping rule of a gate."""


@dataclass(frozen=True, slots=True)
class RulesCore:
    """The rules core at the start of a league: version, and digests of its sources and of the board."""

    engine: str
    digest: str
    board: str


CPU: Final = " cpu"
"""End of a clock that counts seconds of CPU."""


def cpu_seconds(clock: int | str) -> int | None:
    """Return the CPU seconds that a clock allows for a decision; None for a clock that counts time."""
    return int(str(clock).removesuffix(CPU)) if str(clock).endswith(CPU) else None


class Conditions(NamedTuple):
    """Conditions under which the bots of a league play; see `League`. No record tells them, so each result does."""

    clock: int | str
    tries: int
    memory: int
    absence: int
    analysis: bool
    sandbox: bool = False

    def stored(self) -> dict[str, Any]:
        """Return them by name; the sandbox only if there is one, so that results and reports from before it stay."""
        return {name: value for name, value in self._asdict().items() if name != "sandbox" or value}


class Extension(NamedTuple):
    """Bots, blocks and seed of a league before it was extended; so many of its first blocks keep line-up and seed.

    `retired` is the number of bots that had left it.
    """

    bots: int
    blocks: int
    seed: str
    settled: int
    retired: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """A league. Build it with `configuration`, or from its stored JSON.

    In a gauntlet the first bot is the challenger; in a gate it is the new bot, and the second is the base. With the
    format "line-ups" the `line_ups` are played, each with a name for every seat. `clock` is in seconds per decision,
    a text such as `600+15`: seconds for all decisions, and more after each turn, or `2 cpu`: seconds of CPU for each
    decision. `memory` is in MB; `tries` is the number of invalid answers to a decision before a forfeit; `analysis`
    allows commands to use an analysis service, and with `sandbox` they are confined. `workers` is the number of games
    played in parallel, None for one per core; it does not affect results. `seed` is empty until `Folder.begin` draws
    one. With `seeding` "game" every game has a separate sealed seed and shares only the opening with its block; with
    "block", as in leagues of earlier versions, all games
    of a block share an open seed. `planned` are line-ups of the first blocks that do not follow from the rest, such as
    those chosen by results; a table of a round of these is played for `table_blocks` blocks. `extensions` are earlier
    states of the league, whose bots are the first ones; `retired` are bots that left a ladder, each with the first
    block that is chosen without it. A remote bot that is away forfeits a game `absence` seconds after it could have
    begun, 0 for never; in an `anonymous` league bots are not told the names of others. A league with remote bots starts
    when all of them have connected, by a command, or at a time in ISO 8601, as `start` says; those that have not come
    then are waited for or dropped, as `missing` says. `events` are what happened since, which is no part of the digest,
    nor is the `version` of Vinci with which it began, empty if unknown.
    """

    name: str
    format: str
    bots: tuple[LeagueBot, ...]
    seats: int
    board: str
    edition: str
    target: int | None
    options: tuple[tuple[str, str], ...]
    blocks: int
    seed: str
    clock: int | str
    tries: int
    memory: int
    analysis: bool
    stop: Stopping
    workers: int | None
    core: RulesCore
    seeding: Seeding = "block"
    line_ups: tuple[tuple[str, ...], ...] = ()
    planned: tuple[tuple[str, ...], ...] = ()
    table_blocks: int = 1
    extensions: tuple[Extension, ...] = ()
    retired: tuple[tuple[str, int], ...] = ()
    absence: int = ABSENCE
    anonymous: bool = False
    start: str = CONNECTED
    missing: Missing = "wait"
    sandbox: bool = False
    events: tuple[Event, ...] = ()
    version: str = ""

    @property
    def kind(self) -> Scheduled | ByResults:
        """The format with its rules."""
        return FORMATS[self.format]

    def bot(self, name: str) -> LeagueBot:
        """Return the bot of this name. Raises KeyError."""
        return {bot.name: bot for bot in self.bots}[name]

    def rules(self, bots: tuple[str, ...]) -> Options:
        """Return the options of a game with these bots at its seats."""
        return _rules(tuple(self.bot(name).is_dummy for name in bots), self.edition, self.options, self.target)

    @property
    def rotations(self) -> int:
        """Games of a block: one for each rotation of the seats, or one if all bots are dummies."""
        return 1 if self.is_of_dummies else self.seats

    @property
    def is_of_dummies(self) -> bool:
        """Whether all bots are dummies, so that each block is one game."""
        return self.seeding == "game" and not self.kind.is_gate and all(bot.is_dummy for bot in self.bots)

    def is_local(self, bots: tuple[str, ...]) -> bool:
        """Whether a game of these bots needs no other processes."""
        return not any(self.bot(name).command or self.bot(name).remote for name in bots)

    @property
    def continued_by(self) -> str:
        """Return the command of `vinci tournament` that continues the league."""
        return "open" if self.remote else "resume"

    @property
    def conditions(self) -> Conditions:
        """The conditions under which its bots play, before any change of them."""
        return Conditions(self.clock, self.tries, self.memory, self.absence, self.analysis, self.sandbox)

    @property
    def is_started(self) -> bool:
        """Whether games count: a league with remote bots has to be started."""
        return not self.remote or any(event.event == "started" for event in self.events)

    @property
    def withdrawn(self) -> frozenset[str]:
        """Bots that have withdrawn and not returned."""
        return self._out(sys.maxsize)

    @property
    def gone(self) -> frozenset[str]:
        """Bots that have withdrawn and not returned, or left a ladder."""
        return self.withdrawn | {name for name, _ in self.retired}

    def withdrew_at(self, name: str) -> str:
        """Return when a bot withdrew last, as ` at TIME`; empty if that is unknown."""
        times = [event.at for event in self.events if (event.event, event.bot) == ("withdrew", name)]
        return times[-1] if times else ""

    @property
    def never_connected(self) -> list[str]:
        """Remote bots that have not connected; empty if an earlier version began the league, and knew no events."""
        return [name for name in self.remote if name not in self.connected] if self.is_started else []

    def _out(self, block: int) -> frozenset[str]:
        """Return bots that had withdrawn when a block of a ladder was chosen."""
        out: set[str] = set()
        for event in self.events:
            if event.event in ("withdrew", "returned") and event.block <= block:
                (out.add if event.event == "withdrew" else out.discard)(event.bot)
        return frozenset(out)

    @property
    def is_replanned(self) -> bool:
        """Whether an event has changed its blocks."""
        return any(event.replaced or event.dropped or event.key == "blocks" for event in self.events)

    def lacking(self, block: int) -> int:
        """Return the number of games of a block that nobody is left to play."""
        return sum(key.startswith(f"{block}-") for event in self.events for key in event.dropped)

    def conditions_of(self, block: int) -> list[Conditions]:
        """Return the conditions under which games of a block may have been played, the present ones last."""
        possible = [self.conditions]
        for event in self.events:
            if event.event == "changed" and event.key in Conditions._fields:
                after = [each._replace(**{event.key: event.to}) for each in possible]  # type: ignore[arg-type]
                if block >= event.block:
                    possible = after
                elif event.key == "absence":
                    possible += after
        return possible

    def at(self, block: int) -> "League":
        """Return the league with the present conditions of a block."""
        return replace(self, **self.conditions_of(block)[-1]._asdict()) if self.events else self

    @property
    def connected(self) -> frozenset[str]:
        """Remote bots that have connected at some time."""
        return frozenset(event.bot for event in self.events if event.event == "connected")

    @property
    def remote(self) -> tuple[str, ...]:
        """Names of the bots that connect by themselves."""
        return tuple(bot.name for bot in self.bots if bot.remote)

    def after(self, *events: Event) -> "League":
        """Return the league after further events."""
        blocks = [int(event.to) for event in events if event.key == "blocks"]
        return replace(self, events=(*self.events, *events), blocks=blocks[-1] if blocks else self.blocks)

    @property
    def earlier(self) -> "League":
        """The league before its last extension. Raises ValueError if it was never extended."""
        *before, last = self.extensions
        return replace(
            self,
            bots=self.bots[: last.bots],
            events=(),
            blocks=last.blocks,
            seed=last.seed,
            extensions=tuple(before),
            retired=self.retired[: last.retired],
        )

    def active(self, block: int) -> list[str]:
        """Return the bots of a ladder from which a block is chosen: those that had entered and not left."""
        number = next((earlier.bots for earlier in self.extensions if block < earlier.settled), len(self.bots))
        gone = {name for name, first in self.retired if first <= block} | self._out(block)
        return [bot.name for bot in self.bots[:number] if bot.name not in gone]

    def seed_of(self, block: int) -> str:
        """Return the seed from which those of a block are derived."""
        return next((earlier.seed for earlier in self.extensions if block < earlier.settled), self.seed)

    @property
    def is_by_results(self) -> bool:
        """Whether its next blocks are chosen by the results so far."""
        return isinstance(self.kind, ByResults)

    @property
    def is_open_ended(self) -> bool:
        """Whether it goes on as long as anybody plays it; its blocks are those that were chosen."""
        return self.kind.is_open_ended

    @property
    def definition(self) -> "League":
        """The league without its events and the blocks that were chosen by its results, as it is stored."""
        first = [event.before for event in self.events if event.key == "blocks"]
        blocks = 0 if self.is_open_ended else int(first[0]) if first else self.blocks
        league = replace(self, events=(), blocks=blocks) if self.events else self
        return replace(league, planned=(), blocks=blocks) if self.is_by_results else league

    @property
    def digest(self) -> str:
        """SHA-256 of everything that determines the games: the definition without `workers` and `version`."""
        return sha256(replace(self.definition, workers=None, version="").to_json().encode()).hexdigest()

    def to_json(self) -> str:
        """Return the league as JSON, always the same text for the same league."""
        stored: dict[str, Any] = asdict(self)
        _drop_defaults(stored, self)
        for fields_of_bot, bot in zip(stored["bots"], self.bots, strict=True):
            _drop_defaults(fields_of_bot, bot)
        return json.dumps(stored, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "League":
        """Parse the output of `to_json`. Raises ValueError, KeyError or TypeError for anything else."""
        fields: dict[str, Any] = read_json(text)
        if fields["format"] not in FORMATS:
            raise ValueError(f"the format {fields['format']!r} is unknown")
        return cls(
            **fields
            | {
                "bots": tuple(LeagueBot(**bot | {"command": tuple(bot["command"])}) for bot in fields["bots"]),
                "options": tuple((name, value) for name, value in fields["options"]),
                "stop": Stopping(**fields["stop"]),
                "core": RulesCore(**fields["core"]),
                "line_ups": tuple(tuple(line_up) for line_up in fields.get("line_ups", ())),
                "planned": tuple(tuple(line_up) for line_up in fields.get("planned", ())),
                "extensions": tuple(Extension(*extension) for extension in fields.get("extensions", ())),
                "retired": tuple((name, block) for name, block in fields.get("retired", ())),
            }
        )


def _drop_defaults(stored: dict[str, Any], of: "League | LeagueBot") -> None:
    """Remove the fields of LATER that have their default."""
    for field in fields(of):
        if field.name in LATER and getattr(of, field.name) == field.default:
            del stored[field.name]


@cache
def _rules(
    dummies: tuple[bool, ...], edition: str, settings: tuple[tuple[str, str], ...], target: int | None
) -> Options:
    return options(dummies, edition, **dict(settings), target=target)
