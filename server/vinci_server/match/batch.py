"""What is to be written: actions played on a copy of the position, with the rows that make them durable."""

import json
import time
from collections.abc import Sequence
from typing import Final, final

from vinci_rules import ENGINE_VERSION, notation, record
from vinci_rules.actions import Action
from vinci_rules.chance import Chance, RecordingChance
from vinci_rules.engine import play
from vinci_rules.events import Event
from vinci_rules.state import Seat, State

from ..storage.store import LogRow, Snapshot
from .replay import NO_CHANCE, chance_text
from .seats.setup import Setup
from .time.clock import Spent
from .watchers import Revision


@final
class Batch:
    """Actions played on copies of the position, with the rows that make them durable.

    Attributes:
        state: the position after them; never changed, each action puts another in its place.
        played, rows: a revision and a row for each action.
    """

    def __init__(self, state: State, chance: Chance, revision: int, sequence: int, previous_hash: str) -> None:
        self.state = state
        self.chance: Final = chance
        self.played: Final[list[Revision]] = []
        self.rows: Final[list[LogRow]] = []
        self._revision: Final = revision
        self._sequence: Final = sequence
        self._hash = previous_hash

    def play(
        self, seat: Seat, by: str, action: Action, *, rolls: Sequence[str] = (), request: str | None = None
    ) -> None:
        """Play a legal action; `by` says who made it, `rolls` what a dummy drew for it."""
        number = len(self.rows) + 1
        happened: list[Event] = []
        drawn = RecordingChance(self.chance)
        state = self.state.copy()
        play(state, action, drawn, happened)
        text = notation.write(action, state.board)
        revision = self._revision + number
        played = Revision(revision, seat, by, action, happened, state)
        acted = record.action_line(revision, seat, by, text, drawn.picks, rolls)
        self._hash = record.hashed(acted, self._hash, played.position)
        if request is not None and number > 1:
            request = f"{request}#{number}"
        chance = chance_text(drawn.picks, rolls)
        self.rows.append(
            LogRow(self._sequence + number, "act", seat + 1, by, request, text, chance, time.time(), self._hash)
        )
        self.played.append(played)
        self.state = state


def snapshot(row: LogRow, played: Revision) -> Snapshot:
    """The position that the last row of a commit has led to."""
    return Snapshot(row.sequence, ENGINE_VERSION, played.position)


def first_row(setup: Setup) -> LogRow:
    """The row that makes a match."""
    return LogRow(1, "create", 0, "", None, setup.to_json(), NO_CHANCE, time.time(), "")


def times_text(spent: Spent | None = None, left: float | None = None) -> str:
    """How long a decision took and what the clock shows after it, as a row keeps it: JSON in milliseconds."""
    times = {} if spent is None else {name: round(1000 * seconds) for name, seconds in spent._asdict().items()}
    return json.dumps(times if left is None else times | {"left": round(1000 * left)})
