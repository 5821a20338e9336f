"""Actions played on a copy of the position, with their log entries."""

from collections.abc import Sequence
from typing import Final, final

from vinci_rules import notation, record
from vinci_rules.actions import Action
from vinci_rules.chance import Chance, RecordingChance
from vinci_rules.engine import play
from vinci_rules.events import Event
from vinci_rules.state import Seat, State

from ..audience.watchers import Revision
from .entries import Act, chance_text


@final
class Batch:
    """Actions played on copies of the position: `state` after them, a revision and a log entry for each."""

    def __init__(self, state: State, chance: Chance, revision: int, previous_hash: str) -> None:
        self.state = state
        self.chance: Final = chance
        self.played: Final[list[Revision]] = []
        self.acts: Final[list[Act]] = []
        self._revision: Final = revision
        self._hash = previous_hash

    def play(
        self, seat: Seat, by: str, action: Action, *, rolls: Sequence[str] = (), request: str | None = None
    ) -> None:
        """Play a legal action; `by` says who decided it, `rolls` what a dummy drew for it."""
        number = len(self.acts) + 1
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
        self.acts.append(Act(seat, by, request, text, chance_text(drawn.picks, rolls), self._hash))
        self.played.append(played)
        self.state = state
