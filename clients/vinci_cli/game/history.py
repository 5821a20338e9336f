"""What was played and not taken back, so that an undo can be told by what it takes back."""

from typing import Final, final


@final
class History:
    """The actions of a game by the revisions that they made, as far as they were seen."""

    def __init__(self) -> None:
        self._played: Final[list[tuple[int, str]]] = []
        self._actor = (0, "")

    def note(self, revision: int, action: str, seat: int, by: str) -> bool:
        """An action was played for a seat; whether somebody else acted before."""
        self._played.append((revision, action))
        before, self._actor = self._actor, (seat, by)
        return before != self._actor

    def undo(self, revision: int, to: int) -> list[str]:
        """An undo made this revision: the position is again that of `to`. Returns the actions that are taken back."""
        taken = [action for number, action in self._played if number > to]
        kept = [(number, action) for number, action in self._played if number <= to]
        if kept and kept[-1][0] == to:
            kept[-1] = revision, kept[-1][1]  # its position has a new number
        self._played[:] = kept
        return taken
