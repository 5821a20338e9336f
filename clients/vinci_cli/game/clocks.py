"""The clocks of a match between two messages of the server."""

import time
from collections.abc import Callable
from typing import Final, final

from vinci.v1 import lobby_pb2, match_pb2

from ..text.timing import clock_face

LOW_SECONDS: Final = 60.0
LOW_PART: Final = 0.2
"""Time is low when less is left than both LOW_SECONDS and this part of the time at the start."""


@final
class ClientClocks:
    """The time that each seat has left. `now` returns the time in seconds."""

    def __init__(self, timing: lobby_pb2.Timing, now: Callable[[], float] = time.monotonic) -> None:
        self.low: Final = min(LOW_SECONDS, LOW_PART * (timing.decision_seconds or timing.bank_seconds))
        self._now: Final = now
        self._since = 0.0
        self._left: list[float] = []
        self.running = 0
        """The seat whose clock runs, 0 for none."""

    def take(self, clocks: match_pb2.Clocks) -> None:
        """Set all clocks to what the server says."""
        self._since = self._now()
        self._left = [milliseconds / 1000 for milliseconds in clocks.left]
        self.running = clocks.running

    def stop(self) -> None:
        """Keep all clocks as they are, until the server says more."""
        if self.running:
            self._left[self.running - 1] = self.left(self.running)
            self.running = 0

    def left(self, seat: int) -> float:
        """Return the seconds that a seat has left."""
        spent = self._now() - self._since if seat == self.running else 0.0
        return max(self._left[seat - 1] - spent, 0.0)

    def face(self, seat: int) -> str:
        """Return the time left as minutes and seconds; empty for a seat without a clock."""
        return clock_face(self.left(seat)) if 0 < seat <= len(self._left) else ""
