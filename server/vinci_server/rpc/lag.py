"""Measures the lag of the event loop, which shows overload."""

import asyncio
from collections import deque
from typing import Final, final

from ..metrics import Metrics

LOOK_SECONDS: Final = 0.1
KEPT_SECONDS: Final = 5.0


@final
class Lag:
    """Measures the lag of timers of the event loop every tenth of a second, from `start` to `stop`."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics: Final = metrics
        self._late: Final[deque[tuple[float, float]]] = deque()
        self._due = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start measuring."""
        loop = asyncio.get_running_loop()
        self._due = loop.time() + LOOK_SECONDS
        self._alarm = loop.call_at(self._due, self._look)

    def stop(self) -> None:
        """Stop measuring."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def seconds(self) -> float:
        """Return the longest lag of the last 5 seconds, in seconds."""
        now = asyncio.get_running_loop().time()
        while self._late and self._late[0][0] < now - KEPT_SECONDS:
            self._late.popleft()
        overdue = now - self._due if self._alarm is not None else 0.0
        return max([overdue, 0.0, *(late for _, late in self._late)])

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        late = max(now - self._due, 0.0)
        self._metrics.lagged(late)
        self._late.append((now, late))
        self.start()
