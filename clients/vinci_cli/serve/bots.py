"""Computer players as processes beside a server, started when a seat of a match asks for one."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import psutil
import structlog

from vinci_client import processes
from vinci_client.address import joined
from vinci_server.app import LOOPBACK, Server
from vinci_server.rpc.access import ServerAccess

ASK_SECONDS: Final = 0.5
"""Seconds between questions for the players that are wanted."""
AGAIN_SECONDS: Final = 10.0
"""Seconds between two starts of a player whose process has ended."""
AT_ONCE: Final = 1000
"""Seats that a player has at the same time."""
LOW: Final[int] = getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 10)
"""Priority of players as the system writes it: people and the server come first."""

_log = structlog.get_logger()


@asynccontextmanager
async def computer_players(server: Server, names: Sequence[str], access: ServerAccess) -> AsyncIterator[None]:
    """Start a process for each of these players once a seat asks for it; they end with the context."""
    running: dict[str, subprocess.Popen[str]] = {}
    watching = asyncio.create_task(_start_wanted(server, names, access, running))
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.wait([watching])
        await asyncio.to_thread(processes.stop, list(running.values()))


async def _start_wanted(
    server: Server, names: Sequence[str], access: ServerAccess, running: dict[str, subprocess.Popen[str]]
) -> None:
    """Start players whenever they are wanted and do not run, without end."""
    opens = {"VINCI_CODE": access.secret} if access.code else {"VINCI_PASSWORD": access.password}
    own = {"VINCI_ADDRESS": joined(LOOPBACK, server.loopback_port), **opens}
    variables = processes.bot_environment(own)
    started: dict[str, float] = {}
    while True:
        for name in set(names).intersection(server.wanted_bots()):
            process, now = running.get(name), time.monotonic()
            if (process is None or process.poll() is not None) and started.get(
                name, now - AGAIN_SECONDS
            ) <= now - AGAIN_SECONDS:
                _log.info("player started", player=name)
                command = [*processes.COMMAND, "bot", name, "--with-stdin", "--at-once", str(AT_ONCE)]
                started[name] = now
                running[name] = processes.start(command, subprocess.DEVNULL, sys.stderr, variables)
                lower_priority(name, running[name].pid)
        await asyncio.sleep(ASK_SECONDS)


def lower_priority(name: str, pid: int) -> None:
    """Give a process the priority of computer players, or log why it keeps its own."""
    try:
        psutil.Process(pid).nice(LOW)
    except psutil.Error as error:
        _log.warning("player keeps the priority of the server", player=name, why=str(error))
