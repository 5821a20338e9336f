"""The SSH front as the server sees it: a process beside it, started again if it dies, ended with the server."""

import asyncio
import json
import os
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, final

import structlog

from vinci_client.processes import OF_OTHERS

from ..failed import Failed
from ..language import VARIABLE, _, language

if TYPE_CHECKING:
    from vinci_server.access import Access

LISTENING: Final = "listening for ssh on "
"""What a front says first; the port and the fingerprint of its key follow."""
INVITATION: Final = "VINCI_INVITATION"
"""Environment variable: what others type who are to come to the server; a code may be in it."""
SSH_PORT: Final = 22
STOP_SECONDS: Final = 10.0
SOONEST_SECONDS: Final = 1.0
LATEST_SECONDS: Final = 60.0
"""When a front that died is started again: later each time, unless it lived longer than that."""
OF_TERMINALS: Final = ("NO_COLOR", "COLORTERM", "PROMPT_TOOLKIT_COLOR_DEPTH", "VINCI_LANG")
"""Environment variables that say something of the terminal and the person here, and nothing of those elsewhere."""

_log = structlog.get_logger()


@final
class SshFront:
    """The front of a server that listens at this port of this machine, as long as it is entered with `async with`.

    Attributes:
        port: where people reach it by ssh; 0 for a free port, until it is entered.
        fingerprint: of the key by which ssh knows it again.
    """

    def __init__(
        self,
        host: str,
        port: int,
        keys: Path | None,
        address: str,
        access: "Access",
        invitation: str,
        database: Path,
        log_level: str,
    ) -> None:
        self._served: Final = {
            "address": address,
            "host": host,
            "database": str(database),
            "keys": str(keys) if keys is not None else "",
            "log_level": log_level,
        }
        kept = {name: value for name, value in os.environ.items() if name not in (*OF_OTHERS, *OF_TERMINALS)}
        opens = {"VINCI_CODE": access.code} if access.code else {"VINCI_PASSWORD": access.password}
        self._environment: Final = {**kept, **opens, INVITATION: invitation, VARIABLE: language()}
        self._keeping: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self.port = port
        self.fingerprint = ""

    async def __aenter__(self) -> Self:
        """Raises Failed if it does not start."""
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
        served = {**self._served, "port": self.port}
        self._process = await asyncio.create_subprocess_exec(
            *[sys.executable, "-m", "vinci_cli.ssh", json.dumps(served)],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=self._environment,
            start_new_session=os.name != "nt",
        )
        assert self._process.stdout is not None
        line = (await self._process.stdout.readline()).decode()
        if not line.startswith(LISTENING):
            await self._stop()
            raise Failed(line.strip() or _("the ssh front has not started; its last words are above"))
        port, self.fingerprint = line.removeprefix(LISTENING).split()
        self.port = int(port)

    async def _keep(self) -> None:
        """Start it again whenever it ends."""
        wait = SOONEST_SECONDS
        while True:
            assert self._process is not None
            since = time.monotonic()
            status = await self._process.wait()
            wait = SOONEST_SECONDS if time.monotonic() - since > LATEST_SECONDS else wait
            _log.error("the ssh front has ended; it is started again", status=status, seconds=wait)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LATEST_SECONDS)
            try:
                await self._start()
            except Failed as error:
                _log.error("the ssh front does not start", error=str(error))

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

    def told(self, addresses: Sequence[str], access: "Access") -> Iterator[str]:
        """What people type, who know the server by these addresses."""
        port = "" if self.port == SSH_PORT else f"-p {self.port} "
        yield _("Who has nothing but ssh plays too, with a name of their own:")
        for address in addresses or ["localhost"]:
            yield f"  ssh {port}YOUR_NAME@{address}"
        told = _("They are asked whether they know this server; it is {fingerprint}.")
        yield told.format(fingerprint=self.fingerprint)
        if access.code:
            yield _("Then for the join code, unless their key is in --ssh-keys.")
        elif access.password:
            yield _("Then for the password, unless their key is in --ssh-keys.")
