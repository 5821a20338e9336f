"""Takeback of own actions within a turn, as long as no other seat acted and nothing was drawn.

Takebacks are not part of the rules: records and the server implement them, the engine does not know them.
"""

from collections.abc import Sequence
from typing import Final, final

from .state import Seat, State

OWN: Final = ("player", "bot")
"""Kinds of actors whose actions can be taken back; those by clocks and substitutes cannot."""


@final
class Takeback:
    """The current position and those to which the seat to act can return.

    Positions are identified by their number in the game, from 0. States passed to it must not be changed later.
    """

    def __init__(self, number: int, state: State) -> None:
        self._stack: Final = [(number, state)]

    def note(self, number: int, seat: Seat, by: str, picks: Sequence[str], after: State) -> None:
        """Record an action and the position after it."""
        before = self._stack[-1][1]
        own_turn = after.actor == seat and (before.round, before.turn) == (after.round, after.turn)
        if picks or by not in OWN or not own_turn or after.phase == "over":
            self._stack.clear()
        self._stack.append((number, after))

    def position(self) -> State:
        """Return the current position."""
        return self._stack[-1][1]

    def positions(self) -> dict[int, State]:
        """Return the positions that can be restored, the oldest first."""
        return dict(self._stack[:-1])

    def back(self, number: int, to: int) -> State:
        """Restore position `to` as position `number`. Raises KeyError if it cannot be restored."""
        state = self.positions()[to]
        while self._stack.pop()[0] != to:
            pass
        self._stack.append((number, state))
        return state
