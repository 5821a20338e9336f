"""Computer players as processes beside a server, started when a seat of a match asks for one."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import psutil
import structlog

from vinci_bots.environment import ADDRESS, CODE, GAMES, NAME
from vinci_bots.local import sandbox
from vinci_bots.local.local_match import USUAL
from vinci_bots.local.participants import Player
from vinci_bots.local.process import BotProcess
from vinci_client import processes
from vinci_client.address import joined
from vinci_client.printable import printable
from vinci_players.names import is_bot
from vinci_server.app import LOOPBACK, Server
from vinci_server.rpc.access import ServerAccess

ASK_SECONDS: Final = 0.5
"""Seconds between questions for the players that are wanted."""
AGAIN_SECONDS: Final = 10.0
"""Seconds between two starts of a player whose process has ended."""
AT_ONCE: Final = 1000
"""Seats that one of our players has at the same time."""
GAMES_AT_ONCE: Final = 100
"""The same of a player of others, which may keep more in memory for each; as many as a bot can ask for."""
LOW: Final[int] = getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 10)
"""Priority of players as the system writes it: people and the server come first."""

_log = structlog.get_logger()


@asynccontextmanager
async def computer_players(
    server: Server, players: Sequence[Player], access: ServerAccess, logs: Path, bot_socket: Path | None = None
) -> AsyncIterator[None]:
    """Start a process for each of these players once a seat asks for it; they end with the context.

    What our own ones write goes to standard error, what others write to files beside `logs`. With a `bot_socket` all
    run in the sandbox.
    """
    running: dict[str, BotProcess] = {}
    starting = _Starting(server.loopback_port, access, logs, bot_socket)
    named = {player.name: player for player in players}
    watching = asyncio.create_task(_start_wanted(server, named, starting, running))
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.wait([watching])
        await asyncio.gather(*(asyncio.to_thread(process.kill) for process in running.values()))


@final
@dataclass(frozen=True, slots=True)
class _Starting:
    """Start players in this environment."""

    port: int
    access: ServerAccess
    logs: Path
    socket: Path | None

    def __call__(self, player: Player) -> BotProcess:
        """Start a player. Raises OSError."""
        opens = {CODE: self.access.secret} if self.access.code else {"VINCI_PASSWORD": self.access.password}
        own = {ADDRESS: joined(LOOPBACK, self.port), **opens}
        if self.socket is not None:
            own[ADDRESS] = sandbox.ADDRESS
        log = None
        if not is_bot(player.name):
            own |= {NAME: player.name, GAMES: str(GAMES_AT_ONCE)}
            log = self.logs.with_name(f"{self.logs.stem}-{player.name}.log")
            log.unlink(missing_ok=True)
        return BotProcess(player.command, own, log, self.socket and self.socket.parent, player.folder)


async def _start_wanted(
    server: Server, players: Mapping[str, Player], start: _Starting, running: dict[str, BotProcess]
) -> None:
    """Start players whenever they are wanted and do not run, without end; stop those that exceed a limit."""
    started: dict[str, float] = {}
    while True:
        for name, process in list(running.items()):
            await _look(name, process, running)
        for name in players.keys() & server.wanted_bots():
            now = time.monotonic()
            if name not in running and started.get(name, now - AGAIN_SECONDS) <= now - AGAIN_SECONDS:
                started[name] = now
                try:
                    running[name] = start(players[name])
                except OSError as error:
                    _log.error("player not started", player=name, why=str(error))
                    continue
                _log.info("player started", player=name)
                lower_priority(name, running[name].pid)
        await asyncio.sleep(ASK_SECONDS)


async def _look(name: str, process: BotProcess, running: dict[str, BotProcess]) -> None:
    """Take out a player that has ended; stop one that exceeds a limit of bots."""
    if is_bot(name):
        excess = None
    else:
        await asyncio.to_thread(process.measure)
        excess = process.excess(USUAL.memory, USUAL.output)
    if excess:
        await asyncio.to_thread(process.kill)
    if excess or process.has_ended():
        why = excess[1] if excess else f"status {process.exited}"
        _log.warning("player ended", player=name, why=why, last_words=printable(process.last_words()))
        del running[name]


def lower_priority(name: str, pid: int) -> None:
    """Give a process the priority of computer players, or log why it keeps its own."""
    try:
        psutil.Process(pid).nice(LOW)
    except psutil.Error as error:
        _log.warning("player keeps the priority of the server", player=name, why=str(error))


def built_in(name: str) -> Player:
    """Return one of our own players."""
    return Player(name, (*processes.COMMAND, "bot", name, "--with-stdin", "--at-once", str(AT_ONCE)))
