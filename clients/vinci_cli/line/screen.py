"""Input and output of the line client, and plain lines through a pipe, which need no library for terminals."""

import asyncio
import contextlib
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable
from io import FileIO
from typing import Protocol, final

from ..text.tables import WIDTH, Line, plain

Candidates = Callable[[str], Iterable[tuple[str, str]]]
"""Maps the typed text to the words that can follow, each with its meaning."""


def sentence(text: str, style: str = "") -> list[Line]:
    """Return a text as lines that fit, broken between words."""
    return [[(style, line)] for line in textwrap.wrap(text, WIDTH - 1)]


class Screen(Protocol):
    """Input and output of one person."""

    @property
    def always_asks(self) -> bool:
        """Whether it asks all the time, instead of only when there is something to do."""

    def show(self, lines: Iterable[Line | str]) -> None:
        """Write lines."""

    async def ask(self, prompt: Callable[[], str], toolbar: Callable[[], str], candidates: Candidates) -> str | None:
        """Return a typed line; None at the end of input."""

    def interrupt(self) -> None:
        """Stop asking, since there is something new."""

    def give_back(self, typed: str) -> None:
        """Let the next answer begin with a line that was typed, to be changed."""


@final
class PlainScreen:
    """Lines through a pipe, without colours; asks only when there is something to do."""

    always_asks = False

    def show(self, lines: Iterable[Line | str]) -> None:
        """Write lines as plain text."""
        for line in lines:
            print((line if isinstance(line, str) else plain(line)).rstrip(), flush=True)  # noqa: T201  # this is its work

    async def ask(self, prompt: Callable[[], str], toolbar: Callable[[], str], candidates: Candidates) -> str | None:
        """Return the next line of standard input."""
        print(prompt(), end="", flush=True)  # noqa: T201  # this is its work
        line = await self._read()
        if not line:
            return None
        print(line.rstrip("\n"), flush=True)  # noqa: T201  # so that a log of the game reads like a terminal
        return line

    def interrupt(self) -> None:
        """Do nothing: a read of a pipe is not stopped."""

    def give_back(self, typed: str) -> None:
        """Do nothing: whoever wrote it into the pipe has it still."""

    async def _read(self) -> str:
        """Read a line in a daemon thread, which may still wait for input at exit."""
        loop = asyncio.get_running_loop()
        lines: asyncio.Queue[bytes] = asyncio.Queue()

        def work() -> None:
            line = FileIO(sys.stdin.fileno(), closefd=False).readline()  # no buffer, so no lock that outlives us
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(lines.put_nowait, line)

        threading.Thread(target=work, daemon=True).start()
        return (await lines.get()).decode(errors="replace")
