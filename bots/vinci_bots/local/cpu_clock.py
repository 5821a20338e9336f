"""The clock of a match that counts CPU seconds of bots for each decision."""

from collections.abc import Mapping
from typing import Final, final

from .process import BotProcess


@final
class CpuClock:
    """The CPU seconds that the bots of a match, by seat, use for their decisions."""

    def __init__(self, processes: Mapping[int, BotProcess]) -> None:
        self._processes: Final = processes
        self._deciding = 0
        self._before = 0.0
        self._longest: Final[dict[int, float]] = {}

    def decides(self, number: int) -> None:
        """Note that a seat is to decide now, 0 for none, so that the decision before is made."""
        self.look()
        self._deciding = number
        process = self._processes.get(number)
        self._before = 0.0 if process is None else process.cpu_now()

    def look(self) -> None:
        """Note what the decision that is made now has taken so far."""
        if process := self._processes.get(self._deciding):
            self._longest[self._deciding] = max(process.cpu_now() - self._before, self.longest(self._deciding))

    def longest(self, number: int) -> float:
        """Return the most CPU seconds that a seat has used for a decision."""
        return self._longest.get(number, 0.0)
