"""Start and end of a bot process in Python, and the thread in which it chooses its actions."""

import argparse
import asyncio
import os
import queue
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, final

from vinci_client.access import SYSTEM, Access, BadAccess
from vinci_client.address import BadAddress
from vinci_client.errors import ServerGone, ServerRefused

from . import environment

LAST_SECONDS: Final = 2.0
"""Seconds that a bot has to end by itself after its standard input is closed."""


@dataclass(frozen=True, slots=True)
class Start:
    """Settings of a bot process; `token` is that of its seat if it was started for one."""

    address: str
    name: str
    at_once: int
    games: int | None
    token: str
    seed: str
    access: Access
    key: str = ""


def read(name: str, arguments: Sequence[str] | None) -> Start:
    """Parse environment and arguments (None: those of the process); exit with a message if they are invalid."""
    parser = argparse.ArgumentParser(description=f"Plays bot seats of a Vinci server as {name}.")
    variables = os.environ
    parser.add_argument(
        "address", nargs="?", default=variables.get(environment.ADDRESS) or "localhost", help="host or host:port"
    )
    parser.add_argument("--server", default="", metavar="ADDRESS", help="the same as the argument")
    parser.add_argument(
        "--name",
        default=variables.get(environment.NAME) or name,
        help=f"name under which it plays, or {environment.NAME}",
    )
    parser.add_argument(
        "--at-once",
        type=positive_number,
        default=variables.get(environment.GAMES) or "1",
        metavar="N",
        help=f"games to play at once, or {environment.GAMES}",
    )
    parser.add_argument("--games", type=positive_number, metavar="N", help="stop after N games; by default never")
    parser.add_argument(
        "--code", default=variables.get(environment.CODE, ""), help="join code or password of the server"
    )
    parser.add_argument(
        "--key", default=variables.get(environment.KEY, ""), help=f"key of the name, or {environment.KEY}"
    )
    trusted = "TLS, trusting the authorities that this machine trusts"
    parser.add_argument("--tls", action="store_const", const=SYSTEM, default="", help=trusted)
    typed = parser.parse_args(arguments)
    try:
        access = _access(typed.code, typed.tls)
    except BadAccess as error:
        parser.error(str(error))
    token, seed = (variables.get(name, "") for name in (environment.SEAT_TOKEN, environment.SEED))
    return Start(typed.server or typed.address, typed.name, typed.at_once, typed.games, token, seed, access, typed.key)


def positive_number(text: str) -> int:
    """Parse a number from 1; argparse shows the name of this function in errors. Raises ValueError."""
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def _access(secret: str, tls: str) -> Access:
    """Return access by join code, or by password if the text is no join code. Raises BadAccess."""
    try:
        return Access(code=secret, tls=tls)
    except BadAccess:
        return Access(password=secret, tls=tls)


def finish(work: Coroutine[Any, Any, object], name: str, *, with_stdin: bool) -> None:
    """Run `work` until it ends, or until Ctrl-C, SIGTERM or (`with_stdin`) the end of standard input cancels it.

    Exits with one line and status 1 if the server cannot be reached or refuses the bot.
    """
    try:
        asyncio.run(_stoppable(work, with_stdin=with_stdin))
    except (ServerGone, ServerRefused, BadAddress, BadAccess) as error:
        sys.exit(f"{name}: {error}")
    except (KeyboardInterrupt, asyncio.CancelledError):
        return


async def _stoppable(work: Coroutine[Any, Any, object], *, with_stdin: bool) -> None:
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    with suppress(NotImplementedError):  # Windows, where Ctrl-C is an exception
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, task.cancel)
    if with_stdin:
        on_closed_stdin(lambda: loop.call_soon_threadsafe(task.cancel))
    await work


def on_closed_stdin(stop: Callable[[], object]) -> None:
    """Call `stop` when standard input closes, and exit if the process still runs LAST_SECONDS later.

    Does nothing unless standard input is a pipe or a socket: a terminal or /dev/null does not tell that the bot is no
    longer needed.
    """
    with suppress(OSError):
        mode = os.fstat(0).st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            threading.Thread(target=_await_end, args=(stop,), daemon=True).start()


def _await_end(stop: Callable[[], object]) -> None:
    while os.read(0, 4096):
        pass
    stop()
    time.sleep(LAST_SECONDS)
    os._exit(0)  # the bot is still choosing an action that is no longer needed


@final
class Thread:
    """A daemon thread that runs one function after another."""

    def __init__(self) -> None:
        self._waiting: Final[queue.SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]]] = (
            queue.SimpleQueue()
        )
        threading.Thread(target=self._work, daemon=True).start()

    async def do(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in the thread; return its result or raise its error. Cancelling ends only the wait."""
        future: Future[Any] = Future()
        self._waiting.put((future, function, arguments))
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        while True:
            future, function, arguments = self._waiting.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*arguments))
                except BaseException as error:
                    future.set_exception(error)
