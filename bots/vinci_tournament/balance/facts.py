"""Facts of games for a balance study, read from their records: civilizations taken, their prices, and lead changes.

The facts of a league are kept in a file, so that each record is replayed once.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from vinci_rules import record
from vinci_rules.actions import Take
from vinci_rules.market import affordable_slots, price
from vinci_rules.record import read_json
from vinci_rules.state import State
from vinci_rules.traits import codes_of

from ..play.files import replace_file
from ..play.folder import Folder
from ..results.result import Result

Spread: TypeAlias = Callable[..., Iterable[list["GameFacts"]]]
"""The `map` of an executor, or of Python."""

CHUNK: Final = 20
"""Records that a worker replays at a time."""


class Taking(NamedTuple):
    """A civilization that was taken.

    Attributes:
        seat: from 0.
        round: 0 in the opening draft.
        slot: its slot in the market, from 0.
        markers: markers that lay on it, which are worth 2 VP each.
        offered: the traits of all civilizations that the seat could pay for, by slot, such as `AGR+WEA`.
    """

    seat: int
    round: int
    slot: int
    markers: int
    offered: tuple[str, ...]

    @property
    def traits(self) -> tuple[str, ...]:
        """Codes of its two traits, in order."""
        return pair_of(self.offered[self.slot])

    @property
    def cost(self) -> int:
        """VP paid for it, less the VP that lay on it."""
        return price(self.slot) - price(self.markers)


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Facts of a game; tuples by seat start with seat 1, and seats count from 0.

    Attributes:
        block: the block of the league.
        hash: the last hash of the record, which identifies it.
        bots: names by seat.
        order: the seats in the order of play.
        vp: final VP by seat.
        ranks: from 1 by seat.
        rounds: number of rounds.
        lead_changes: how often another seat than before was alone in the lead at the end of a round.
        takings: civilizations in the order in which they were taken.
    """

    block: int
    hash: str
    bots: tuple[str, ...]
    order: tuple[int, ...]
    vp: tuple[int, ...]
    ranks: tuple[int, ...]
    rounds: int
    lead_changes: int
    takings: tuple[Taking, ...]

    @property
    def lead(self) -> int:
        """VP of the winner ahead of the second."""
        second, first = sorted(self.vp)[-2:]
        return first - second

    @property
    def costs(self) -> list[int]:
        """Net VP that each seat paid for its civilizations."""
        return [sum(taking.cost for taking in self.takings if taking.seat == seat) for seat in range(len(self.vp))]

    def to_json(self) -> str:
        """Return a line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "GameFacts":
        """Parse the output of `to_json`. Raises ValueError, KeyError or TypeError for anything else."""
        fields: dict[str, Any] = read_json(text)
        plain: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in fields.items()}
        takings = tuple(
            Taking(seat, played, slot, markers, tuple(offered))
            for seat, played, slot, markers, offered in fields["takings"]
        )
        return cls(**plain | {"takings": takings})


@cache
def pair_of(text: str) -> tuple[str, ...]:
    """Return the two traits of a text such as `WEA+AGR` in order."""
    return tuple(sorted(text.split("+")))


def facts_of(result: Result, lines: Iterable[str]) -> GameFacts:
    """Return the facts of a record. Raises RecordError if it does not replay."""
    steps = record.replay(lines)
    state = next(steps).state
    takings: list[Taking] = []
    leaders: list[int] = []
    for step in steps:
        state = step.state
        if isinstance(step.action, Take):
            takings.append(_taking(step.before, step.action))
        if state.round > step.before.round > 0 or state.phase == "over":
            leaders += _leader(state)
    return GameFacts(
        result.block,
        result.hash,
        result.bots,
        tuple(state.order),
        result.vp,
        result.ranks,
        result.rounds,
        sum(one != other for one, other in pairwise(leaders)),
        tuple(takings),
    )


def _taking(state: State, action: Take) -> Taking:
    offered = tuple(codes_of(state.market[slot].traits) for slot in affordable_slots(state))
    return Taking(state.actor, state.round, action.slot, state.market[action.slot].markers, offered)


def _leader(state: State) -> list[int]:
    """Return the seat that is alone in the lead, if there is one."""
    leaders = [seat for seat, vp in enumerate(state.vp) if vp == max(state.vp)]
    return leaders if len(leaders) == 1 else []


def facts_of_folder(
    folder: Folder, results: Sequence[Result], file: Path, spread: Spread, tell: Callable[[int], None]
) -> list[GameFacts]:
    """Return the facts of these results; records that `file` does not know yet are replayed, and it is written anew.

    `tell` receives the number of replayed records. Raises FolderError and RecordError.
    """
    known = _known(file)
    missing = [result for result in results if result.hash not in known]
    chunks = [missing[first : first + CHUNK] for first in range(0, len(missing), CHUNK)]
    done = 0
    for facts in spread(_replayed, [folder.path] * len(chunks), chunks):
        known |= {game.hash: game for game in facts}
        done += len(facts)
        tell(done)
    games = [known[result.hash] for result in results]
    if missing:
        file.parent.mkdir(exist_ok=True)
        replace_file(file, (f"{game.to_json()}\n".encode() for game in games))
    return games


def _replayed(path: Path, results: Sequence[Result]) -> list[GameFacts]:
    folder = Folder(path)
    return [facts_of(result, folder.lines(result.key)) for result in results]


def _known(file: Path) -> dict[str, GameFacts]:
    """Return the facts of a file by hash; a damaged line is left out, so that its record is replayed."""
    known: dict[str, GameFacts] = {}
    with suppress(FileNotFoundError):
        for line in file.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError, KeyError, TypeError, AttributeError):
                game = GameFacts.from_json(line)
                known[game.hash] = game
    return known
