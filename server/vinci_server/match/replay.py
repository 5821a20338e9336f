"""The course of a game: from rows of the log to what was played, and the positions that an undo can go back to."""

import json
from collections.abc import Sequence
from typing import Final, final

from vinci_rules import notation, record
from vinci_rules.chance import RecordedChance
from vinci_rules.engine import apply
from vinci_rules.events import Event
from vinci_rules.state import Seat, State
from vinci_rules.takeback import Takeback

from ..storage.store import LogRow
from .watchers import Revision

NO_CHANCE: Final = '{"picks": [], "rolls": []}'


@final
class GameReplay:
    """Follows a game from revision 0, either by playing its rows again or by being told what was played."""

    def __init__(self, opening: Revision) -> None:
        self._takeback: Final = Takeback(opening.revision, opening.after)
        self._state = opening.after

    def replay(self, revision: int, row: LogRow) -> Revision:
        """Play the next row again."""
        seat = Seat(row.seat - 1)
        if row.kind == "undo":
            to = int(row.text)
            self._state = self._takeback.back(revision, to)
            return Revision(revision, seat, row.actor, None, [], self._state, to)
        picks = chance(row)["picks"]
        action = notation.read(row.text, self._state.board)
        events: list[Event] = []
        drawn = RecordedChance(picks)
        self._state = self._state.copy()
        apply(self._state, action, drawn, events)
        drawn.finish()
        self._takeback.note(revision, seat, row.actor, picks, self._state)
        return Revision(revision, seat, row.actor, action, events, self._state)

    def follow(self, row: LogRow, played: Revision) -> None:
        """The next row was played."""
        if played.undo_to is not None:
            self._takeback.back(played.revision, played.undo_to)
        elif played.seat is not None:
            self._takeback.note(played.revision, played.seat, played.by, chance(row)["picks"], played.after)
        self._state = played.after

    def positions(self) -> dict[int, State]:
        """The positions that the seat to act can go back to, by revision, the oldest first."""
        return self._takeback.positions()


def chance(row: LogRow) -> dict[str, list[str]]:
    """What chance gave for a row: `picks` of the rules and `rolls` of a dummy."""
    return json.loads(row.chance) if row.chance != NO_CHANCE else {"picks": [], "rolls": []}


def chance_text(picks: Sequence[str], rolls: Sequence[str]) -> str:
    """The same as a row keeps it."""
    return json.dumps({"picks": list(picks), "rolls": list(rolls)}) if picks or rolls else NO_CHANCE


def line(revision: int, row: LogRow, *, timed: bool = False) -> record.Line:
    """The line of the record for a row, without its hash."""
    seat, time = Seat(row.seat - 1), row.time if timed else None
    if row.kind == "undo":
        return record.undo_line(revision, seat, row.actor, int(row.text), time)
    gave = chance(row)
    return record.action_line(revision, seat, row.actor, row.text, gave["picks"], gave["rolls"], time)
