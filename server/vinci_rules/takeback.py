"""Taking back one's own actions: within one's turn, as long as nobody else acted and nothing was drawn.

This is a custom of the table and no rule of the game: a record and a server keep to it, the engine knows nothing of it.
"""

from collections.abc import Sequence
from typing import Final, final

from .state import Seat, State

OWN: Final = ("player", "bot")
"""Who can take back what they did: not what a clock or a substitute did for them."""


@final
class Takeback:
    """The positions that the seat to act can go back to, and the one that it is in.

    Positions are known by their number in the game, 0 being the first. States that are noted must not change later.
    """

    def __init__(self, number: int, state: State) -> None:
        self._stack: Final = [(number, state)]

    def note(self, number: int, seat: Seat, by: str, picks: Sequence[str], after: State) -> None:
        """An action was played and led to this position."""
        before = self._stack[-1][1]
        own_turn = after.actor == seat and (before.round, before.turn) == (after.round, after.turn)
        if picks or by not in OWN or not own_turn or after.phase == "over":
            self._stack.clear()
        self._stack.append((number, after))

    def positions(self) -> dict[int, State]:
        """The positions that can be gone back to, the oldest first."""
        return dict(self._stack[:-1])

    def back(self, number: int, to: int) -> State:
        """Go back to one of the positions, which gets a new number. Raises KeyError if it is none of them."""
        state = self.positions()[to]
        while self._stack.pop()[0] != to:
            pass
        self._stack.append((number, state))
        return state
