"""Replay of a game from the entries of its log, and the positions to which it can be undone."""

from typing import Final, final

from vinci_rules import notation, record
from vinci_rules.chance import RecordedChance
from vinci_rules.engine import apply
from vinci_rules.events import Event
from vinci_rules.takeback import Takeback

from ..audience.watchers import Revision
from .entries import Act, Undo


@final
class GameReplay:
    """Follows a game from revision 0, by replaying entries or by noting revisions that were played."""

    def __init__(self, opening: Revision) -> None:
        self.takeback: Final = Takeback(opening.revision, opening.after)
        self._state = opening.after

    def replay(self, revision: int, entry: Act | Undo) -> Revision:
        """Replay the next entry."""
        if isinstance(entry, Undo):
            self._state = self.takeback.back(revision, entry.to)
            return Revision(revision, entry.seat, entry.by, None, [], self._state, entry.to)
        picks = entry.picks
        action = notation.read(entry.action, self._state.board)
        events: list[Event] = []
        drawn = RecordedChance(picks)
        self._state = self._state.copy()
        apply(self._state, action, drawn, events)
        drawn.finish()
        self.takeback.note(revision, entry.seat, entry.by, picks, self._state)
        return Revision(revision, entry.seat, entry.by, action, events, self._state)

    def follow(self, entry: Act | Undo, played: Revision) -> None:
        """Note the next entry, which was played already."""
        if isinstance(entry, Undo):
            self.takeback.back(played.revision, entry.to)
        else:
            self.takeback.note(played.revision, entry.seat, entry.by, entry.picks, played.after)
        self._state = played.after


def line(revision: int, entry: Act | Undo, time: float | None = None) -> record.Line:
    """Return the line of the record for an entry, without its hash."""
    if isinstance(entry, Undo):
        return record.undo_line(revision, entry.seat, entry.by, entry.to, time)
    return record.action_line(revision, entry.seat, entry.by, entry.action, entry.picks, entry.rolls, time)
