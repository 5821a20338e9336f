"""The clocks of a match as a terminal shows them, between two messages of the server."""

import time
from collections.abc import Callable
from typing import Final, final

from vinci.v1 import lobby_pb2, match_pb2

from ..text.timing import clock_face

LOW_SECONDS: Final = 60.0
LOW_PART: Final = 0.2
"""Time is low when less than both is left: so many seconds, and this part of what one had at the start."""


@final
class ClientClocks:
    """What each seat has left; `now` tells the time in seconds."""

    def __init__(self, timing: lobby_pb2.Timing, now: Callable[[], float] = time.monotonic) -> None:
        self.low: Final = min(LOW_SECONDS, LOW_PART * (timing.decision_seconds or timing.bank_seconds))
        self._now: Final = now
        self._since = 0.0
        self._left: list[float] = []
        self.running = 0
        """The seat whose clock runs, 0 for none."""

    def take(self, shown: match_pb2.Clocks) -> None:
        """What the server says that they show."""
        self._since = self._now()
        self._left = [milliseconds / 1000 for milliseconds in shown.left]
        self.running = shown.running

    def left(self, seat: int) -> float:
        """Seconds that a seat has left."""
        spent = self._now() - self._since if seat == self.running else 0.0
        return max(self._left[seat - 1] - spent, 0.0)

    def face(self, seat: int) -> str:
        """The same as a clock shows it; empty where none was told of."""
        return clock_face(self.left(seat)) if 0 < seat <= len(self._left) else ""
