"""A process beside the server: started again if it dies, ended with the server."""

import asyncio
import os
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Final, Self, final

import structlog

from ..exceptions import Failed

STOP_SECONDS: Final = 10.0
SOONEST_SECONDS: Final = 1.0
LATEST_SECONDS: Final = 60.0
"""When a process that died is started again: later each time, unless it lived longer than that."""

_log = structlog.get_logger()


@final
class Supervisor:
    """A process that tells in its first line where it listens and ends when its standard input closes, as long as it is
    entered with `async with`.

    Attributes:
        port: where it listens; 0 for a free port, until it is entered.
        told: what it said of where it listens, behind `listening`: a port or an address, and perhaps more words.
    """

    def __init__(
        self,
        name: str,
        command: Callable[[int], Sequence[str]],
        environment: Mapping[str, str],
        port: int,
        listening: str,
        not_started: str,
    ) -> None:
        self._name: Final = name
        self._command: Final = command
        self._environment: Final = environment
        self._listening: Final = listening
        self._not_started: Final = not_started
        self._keeping: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self.port = port
        self.told = ""

    async def __aenter__(self) -> Self:
        """Raises Failed if it does not start, with what it says instead of where it listens."""
        await self._start()
        self._keeping = asyncio.create_task(self._keep())
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.wait([self._keeping])
        await self._stop()

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *self._command(self.port),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=self._environment,
            start_new_session=os.name != "nt",
        )
        assert self._process.stdout is not None
        line = (await self._process.stdout.readline()).decode()
        if not line.startswith(self._listening):
            await self._stop()
            raise Failed(line.strip() or self._not_started)
        self.told = line.removeprefix(self._listening).strip()
        self.port = int(self.told.split()[0].rpartition(":")[2])

    async def _keep(self) -> None:
        """Start it again whenever it ends."""
        wait = SOONEST_SECONDS
        while True:
            assert self._process is not None
            since = time.monotonic()
            status = await self._process.wait()
            wait = SOONEST_SECONDS if time.monotonic() - since > LATEST_SECONDS else wait
            _log.error(f"{self._name} has ended; it is started again", status=status, seconds=wait)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LATEST_SECONDS)
            try:
                await self._start()
            except Failed as error:
                _log.error(f"{self._name} does not start", error=str(error))

    async def _stop(self) -> None:
        """Ask it to end by closing its standard input, and see to it that it does."""
        if self._process is None or self._process.returncode is not None:
            return
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
