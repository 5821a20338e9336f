"""Clocks of the seats, computed without a timer: callers pass the time."""

from dataclasses import dataclass
from typing import Final, final

from vinci_rules.state import Seat

MOST_CREDIT: Final = 0.5
"""Most seconds of a decision that count as network time, so that answering pings late gains no more."""
FEWEST_ON_RETURN: Final = 10.0
"""Fewest seconds that a seat has left when its player takes it back from a substitute."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The time control of a match, in whole seconds; zero for no limit.

    `decision` is for each decision, `bank` for all of a seat, with `increment` more at the end of each of its turns.
    `on_timeout` is `default` (the default action), `substitute` or `forfeit`. After `absence` a person is replaced by
    the bot called `substitute` if it is connected, else by the server.
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


@final
class Clocks:
    """The clocks of a match in its log; `left` is in seconds by seat."""

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
        """Note an action or undo; returns whether the seat's next decision is new, and not made again after an undo."""
        if seat != self._seat:
            self._seat, self._made, self._again = seat, [], 0
        if undo_to is not None:
            remaining = [made for made in self._made if made <= undo_to]
            self._again += len(self._made) - len(remaining)
            self._made = remaining
            return False
        self._made.append(revision)
        self._again -= 1
        if self._again >= 0:
            return False
        self._again = 0
        return True

    def start_decision(self, seat: Seat) -> None:
        """Start the time of a new decision of a seat."""
        if self.timing.decision:
            self.left[seat] = float(self.timing.decision)

    def on_return(self, seat: Seat) -> float:
        """Return the seconds that a seat has left when its player takes it back."""
        return max(self.left[seat], float(self.timing.increment), FEWEST_ON_RETURN)


def network_seconds(waited: float, round_trip: float) -> float:
    """Return the seconds of network time in those between a decision and its answer, given the round-trip time."""
    return min(round_trip, MOST_CREDIT, waited)
