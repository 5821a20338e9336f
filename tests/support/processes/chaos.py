"""Building blocks of chaos tests: a server that is killed repeatedly, connections that break, and bots."""

import asyncio
import random
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tests.support.network.cuttable_proxy import Proxy
from tests.support.processes.vinci_process import Vinci
from vinci.v1 import bot_pb2, game_pb2
from vinci_client.bot import Choose
from vinci_codec import actions
from vinci_rules import position
from vinci_rules.chance import FastChance
from vinci_rules.engine import apply
from vinci_rules.playout import random_action

LOWEST_PORT, HIGHEST_PORT = 20_000, 32_000
"""Below the ports that connections are given, so that none takes the server's while it is dead."""


class RestartingServer:
    """A server process that is killed and restarted with one port and one database."""

    def __init__(self, home: Path, chance: random.Random, stack: ExitStack) -> None:
        self.port: Final = _free_port(chance)
        self.address: Final = f"127.0.0.1:{self.port}"
        self.deaths: Final[list[float]] = []
        """Times at which it was killed, in seconds of `time.monotonic`."""
        self._home: Final = home
        self._chance: Final = chance
        self._stack: Final = stack
        self._process: Vinci

    async def start(self) -> None:
        """Start the server and wait until it listens."""
        self._launch()
        await asyncio.to_thread(self._process.line, "listening on ")

    async def die(self) -> None:
        """Kill and restart the server; sometimes kill it once more before it is ready."""
        self._kill()
        await asyncio.sleep(self._chance.choice((0, 0, 0.3)))
        if self._chance.random() < 0.2:
            self._launch()
            await asyncio.sleep(self._chance.uniform(0.1, 0.6))
            self._kill()
        await self.start()

    async def end(self) -> None:
        """Stop the server gracefully."""
        self._process.hang_up()
        assert await asyncio.to_thread(self._process.ended) == 0
        self._check()

    @property
    def kills(self) -> int:
        """Number of kills so far."""
        return len(self.deaths)

    def _launch(self) -> None:
        arguments = (
            "--port",
            str(self.port),
            "--db",
            str(self._home / "server.db"),
            "--log-level",
            "warning",
            "--limit",
            "max_rounds=300",
            "--limit",
            "chat_lines_per_minute=100000",  # all actors chat and reconnect from one host
            "--limit",
            "cpu_milliseconds_per_second=100000",
        )
        # it reads standard input, so that it ends even if this process is killed
        process = Vinci(self._home, "serve", *arguments, "--with-stdin", typed=True)
        self._process = self._stack.enter_context(process)

    def _kill(self) -> None:
        assert self._process.lives, f"the server has ended by itself: {self._process.err}"
        self._process.kill()
        self.deaths.append(time.monotonic())
        self._check()

    def _check(self) -> None:
        for sign in ("Traceback", "internal error", "cannot be read", "append failed"):
            assert sign not in self._process.err, self._process.err


def chooser(seed: int) -> Choose:
    """Return a bot that plays random actions, sometimes several at once."""
    chance = random.Random(seed)

    async def choose(decision: bot_pb2.Decision) -> list[game_pb2.Action]:
        state = position.read(decision.position)
        chosen = []
        for _ in range(chance.choice((1, 1, 3))):
            if state.phase == "over" or state.actor != decision.seat - 1:
                break
            action = random_action(state, chance)
            chosen.append(actions.to_message(action, state.board))
            apply(state, action, FastChance(chance.getrandbits(32)))
        return chosen

    return choose


async def cut(proxies: Sequence[Proxy], chance: random.Random, gap: float) -> None:
    """Break connections for ever, sometimes after answers were lost for a while."""
    while True:
        await asyncio.sleep(chance.expovariate(1 / gap))
        victim = chance.choice(proxies)
        if chance.random() < 0.3:
            victim.deaf = True
            await asyncio.sleep(chance.uniform(0, 0.2))
            victim.cut()
            victim.deaf = False
        else:
            victim.cut_some(chance)


def _free_port(chance: random.Random) -> int:
    while True:
        port = chance.randrange(LOWEST_PORT, HIGHEST_PORT)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
