"""Clocks: how much time a seat has left, as figures. What the time is comes in as an argument; nothing waits here."""

from dataclasses import dataclass
from typing import Final, NamedTuple, final

from vinci_rules.state import Seat

MOST_CREDIT: Final = 0.5
"""Seconds of a decision that the way there and back can explain at most; who answers pings late gains no more."""
FEWEST_ON_RETURN: Final = 10.0
"""Seconds that a seat has at least when its player takes it back from a substitute."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The time control of a match, in whole seconds; all zero: no clock, and players are waited for.

    `decision` is for each decision, `bank` for all of a seat, with `increment` more at the end of each of its turns.
    `on_timeout` is `default` (the default action), `substitute` or `forfeit`.
    `absence` is how long a person can be gone before a substitute plays, which is the bot called `substitute` if one is
    connected, else the server itself.
    """

    decision: int = 0
    bank: int = 0
    increment: int = 0
    on_timeout: str = "default"
    absence: int = 0
    substitute: str = ""

    @property
    def has_clock(self) -> bool:
        """Whether decisions are timed."""
        return bool(self.decision or self.bank)

    @property
    def at_start(self) -> float:
        """Seconds that each seat has at the start."""
        return float(self.decision or self.bank)


class Spent(NamedTuple):
    """Seconds that a decision took: thinking, waiting for its turn in the server, on the way."""

    think: float = 0.0
    queue: float = 0.0
    network: float = 0.0


@final
class Clocks:
    """The clocks of a match as the log has them; `left` is seconds by seat."""

    def __init__(self, timing: Timing, seats: int) -> None:
        self.timing: Final = timing
        self.left: Final = [timing.at_start] * seats
        self._seat: Seat | None = None
        self._made: list[int] = []
        self._again = 0

    def set(self, seat: Seat, left: int | None) -> None:
        """Set what a seat has left, in milliseconds; None leaves it as it is."""
        if left is not None:
            self.left[seat] = left / 1000

    def after(self, seat: Seat, think: float, *, turn_ended: bool) -> float:
        """Return the seconds that a seat has left after a decision."""
        left = max(self.left[seat] - think, 0.0)
        return left + (self.timing.increment if turn_ended else 0)

    def acted(self, seat: Seat, revision: int, undo_to: int | None = None) -> bool:
        """A seat acted, or took back actions; whether what it is to decide next, if it is still to act, is new.

        It is not after an undo, and not after an action in place of one that was taken back.
        """
        if seat != self._seat:
            self._seat, self._made, self._again = seat, [], 0
        if undo_to is not None:
            kept = [made for made in self._made if made <= undo_to]
            self._again += len(self._made) - len(kept)
            self._made = kept
            return False
        self._made.append(revision)
        self._again -= 1
        if self._again >= 0:
            return False
        self._again = 0
        return True

    def start_decision(self, seat: Seat) -> None:
        """A seat is to decide something new."""
        if self.timing.decision:
            self.left[seat] = float(self.timing.decision)

    def on_return(self, seat: Seat) -> float:
        """Return the seconds that a seat has left when its player takes it back."""
        return max(self.left[seat], float(self.timing.increment), FEWEST_ON_RETURN)


def spent(waited: float, queued: float, round_trip: float) -> Spent:
    """Split the time of a decision into thinking, waiting and network.

    `waited` is from the moment when the seat could act until its answer had arrived, `queued` from there until it was
    played, `round_trip` what pings say about the way; all in seconds.
    """
    network = min(round_trip, MOST_CREDIT, waited)
    return Spent(waited - network, queued, network)
