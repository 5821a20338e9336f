"""A process beside the server: started again if it dies, ended with the server."""

import asyncio
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self, final

import structlog

from vinci_client import processes

from ..exceptions import Failed

STOP_SECONDS: Final = 10.0
SOONEST_SECONDS: Final = 1.0
LATEST_SECONDS: Final = 60.0
"""Bounds of the wait before a process that died is restarted: it doubles unless the process lived longer than that."""

_log = structlog.get_logger()


@final
@dataclass(slots=True)
class Supervisor:
    """A process, as long as it is entered with `async with`, that prints where it listens and ends with its input.

    Attributes:
        name: its name in the log. command: returns the command for a port. environment: of the process.
        port: the port that it listens on; 0 for a free one, until it is entered.
        listening: how the first line of its output starts, before a port or an address, and perhaps more words.
        not_started: the error if it prints nothing.
        announcement: the rest of its first line.
    """

    name: str
    command: Callable[[int], Sequence[str]]
    environment: Mapping[str, str]
    port: int
    listening: str
    not_started: str
    announcement: str = ""
    _restarting: asyncio.Task[None] | None = None
    _process: Process | None = None

    async def __aenter__(self) -> Self:
        """Start it. Raises Failed with its output if it does not start."""
        await self._start()
        self._restarting = asyncio.create_task(self._restart())
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._restarting is not None:
            self._restarting.cancel()
            await asyncio.wait([self._restarting])
        await self._stop()

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *self.command(self.port),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=self.environment,
            **processes.APART,
        )
        assert self._process.stdout is not None
        line = (await self._process.stdout.readline()).decode()
        if not line.startswith(self.listening):
            await self._stop()
            raise Failed(line.strip() or self.not_started)
        self.announcement = line.removeprefix(self.listening).strip()
        # After a restart it listens on the same port, which clients know.
        self.port = int(self.announcement.split()[0].rpartition(":")[2])

    async def _restart(self) -> None:
        """Start it again whenever it ends."""
        wait = SOONEST_SECONDS
        while True:
            assert self._process is not None
            since = time.monotonic()
            status = await self._process.wait()
            wait = SOONEST_SECONDS if time.monotonic() - since > LATEST_SECONDS else wait
            _log.error(f"{self.name} has ended; it is started again", status=status, seconds=wait)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LATEST_SECONDS)
            try:
                await self._start()
            except Failed as error:  # the process has ended: the next turn tries again after a longer wait
                _log.error(f"{self.name} does not start", error=str(error))

    async def _stop(self) -> None:
        """Close its standard input so that it ends; kill it if it does not."""
        if self._process is None or self._process.returncode is not None:
            return
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
