"""Iterations of the event loop."""

import asyncio


class Rounds:
    """Counts steps in each iteration of the event loop, while entered."""

    def __init__(self) -> None:
        self.most = self._steps = 0

    def step(self) -> None:
        """Count one step."""
        self._steps += 1

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(0)
            self.most, self._steps = max(self.most, self._steps), 0

    async def __aenter__(self) -> "Rounds":
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
