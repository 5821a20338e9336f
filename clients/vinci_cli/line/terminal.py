"""Input and output of the line client: a terminal with completion and colours, or plain lines through a pipe."""

import asyncio
import contextlib
import os
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable
from io import FileIO
from typing import Final, Protocol, final

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from ..text.i18n import untied
from ..text.tables import STYLE, WIDTH, Line, plain

REFRESH_SECONDS: Final = 1.0
"""Seconds between redraws of the toolbar, which may show a running clock."""

Candidates = Callable[[str], Iterable[tuple[str, str]]]
"""Maps the typed text to the words that can follow, each with its meaning."""


def sentence(text: str, style: str = "") -> list[Line]:
    """Return a text as lines that fit, broken between words."""
    return [[(style, line)] for line in textwrap.wrap(text, WIDTH - 1)]


def readable(typed: str) -> str:
    """Replace bytes that are no text by question marks, so that the line can be sent."""
    return typed.encode(errors="replace").decode()


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


@final
class TerminalScreen:
    """A terminal with the line editor of prompt-toolkit; output appears above the prompt."""

    always_asks = True

    def __init__(self) -> None:
        self._session: Final[PromptSession[str]] = PromptSession()
        self._style: Final = Style.from_dict(STYLE)
        self._depth: Final = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None

    def show(self, lines: Iterable[Line | str]) -> None:
        """Write lines in colour, above the prompt if it is open."""
        for line in lines:
            text = FormattedText([("", line)] if isinstance(line, str) else line)
            print_formatted_text(text, style=self._style, color_depth=self._depth)

    async def ask(self, prompt: Callable[[], str], toolbar: Callable[[], str], candidates: Candidates) -> str | None:
        """Return a line typed at the prompt, or an empty one after an interrupt."""
        with patch_stdout(raw=True):
            try:
                typed: str = await self._session.prompt_async(
                    lambda: untied(prompt()),
                    bottom_toolbar=lambda: untied(toolbar()),
                    completer=WordCompleter(candidates),
                    complete_while_typing=False,
                    refresh_interval=REFRESH_SECONDS,
                    style=self._style,
                    color_depth=self._depth,
                )
                return readable(typed)
            except KeyboardInterrupt:
                return ""
            except EOFError:
                return None

    def interrupt(self) -> None:
        """Close the prompt, or draw it anew."""
        if self._session.app.is_running:
            self._session.app.exit(result="")


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


@final
class WordCompleter(Completer):
    """Completes the last word of what is typed."""

    def __init__(self, candidates: Candidates) -> None:
        self._candidates: Final = candidates

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield the candidates that begin with the last word."""
        typed = document.text_before_cursor
        word = typed.rpartition(" ")[2]
        for candidate, meaning in self._candidates(typed):
            if candidate.lower().startswith(word.lower()):
                yield Completion(candidate, start_position=-len(word), display_meta=untied(meaning))
