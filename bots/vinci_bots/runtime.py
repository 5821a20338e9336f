"""How a bot in Python starts, thinks beside its connection, and ends."""

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
"""How long a bot that nobody needs any more has for its end, before it is ended."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a bot is to play; `by_contract` if whoever started it did so for one seat, of which `token` is the token."""

    address: str
    name: str
    at_once: int
    games: int | None
    token: str
    seed: str
    access: Access
    by_contract: bool
    key: str = ""


def read(name: str, arguments: Sequence[str] | None) -> Start:
    """What environment and arguments (None: those of the process) say; ends the process if they make no sense."""
    parser = argparse.ArgumentParser(description=f"Plays bot seats of a Vinci server as {name}.")
    told = os.environ
    parser.add_argument(
        "address", nargs="?", default=told.get(environment.ADDRESS) or "localhost", help="host or host:port"
    )
    parser.add_argument("--name", default=name, help="name under which it plays")
    parser.add_argument("--at-once", type=positive_number, default=1, metavar="N", help="seats to play at once")
    parser.add_argument(
        "--games", type=positive_number, metavar="N", help="stop after so many games; without it, never"
    )
    parser.add_argument("--code", default=told.get(environment.CODE, ""), help="join code or password of the server")
    parser.add_argument("--key", default=told.get(environment.KEY, ""), help=f"key of the name, or {environment.KEY}")
    parser.add_argument("--tls", action="store_true", help="TLS, trusting the authorities that this machine trusts")
    typed = parser.parse_args(arguments)
    token = told.get(environment.SEAT_TOKEN, "")
    tls = SYSTEM if typed.tls else ""
    try:
        access = _access(typed.code, tls)
    except BadAccess as error:
        parser.error(str(error))
    seed = told.get(environment.SEED, "")
    return Start(typed.address, typed.name, typed.at_once, typed.games, token, seed, access, bool(token), typed.key)


def positive_number(text: str) -> int:
    """A number from 1; named after what the error says. Raises ValueError."""
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def _access(secret: str, tls: str) -> Access:
    """A join code, or else a password. Raises BadAccess."""
    try:
        return Access(code=secret, tls=tls)
    except BadAccess:
        return Access(password=secret, tls=tls)


def finish(work: Coroutine[Any, Any, object], name: str, *, with_stdin: bool) -> None:
    """Do the work until it is done, or is stopped by Ctrl-C, SIGTERM or, if wanted, the end of standard input.

    Ends the process with one line and status 1 if the server cannot be reached or does not want the bot.
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
    """Call `stop` when standard input closes, if it is a pipe; end the process if it still runs a little later.

    A terminal or /dev/null says nothing about whether anybody needs the bot.
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
    os._exit(0)  # it thinks, and nobody wants to know


@final
class Thread:
    """A thread that does one thing after the other. It does not hold up the end of the process."""

    def __init__(self) -> None:
        self._waiting: Final[queue.SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]]] = (
            queue.SimpleQueue()
        )
        threading.Thread(target=self._work, daemon=True).start()

    async def do(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function returns, or raises; whoever is cancelled waits no longer for it."""
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
