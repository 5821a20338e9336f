"""The line client at a terminal, with completion and colours."""

import os
from collections.abc import Callable, Iterable
from typing import Final, final

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from vinci_refusals.typed import folded

from ..text.i18n import untied
from ..text.tables import STYLE, Line
from .screen import Candidates

REFRESH_SECONDS: Final = 1.0
"""Seconds between redraws of the toolbar, which may show a running clock."""


def readable(typed: str) -> str:
    """Replace bytes that are no text by question marks, so that the line can be sent."""
    return typed.encode(errors="replace").decode()


@final
class TerminalScreen:
    """A terminal with the line editor of prompt-toolkit; output appears above the prompt."""

    always_asks = True

    def __init__(self) -> None:
        self._session: Final[PromptSession[str]] = PromptSession()
        self._style: Final = Style.from_dict(STYLE)
        self._begun = ""
        self._depth: Final = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None

    def show(self, lines: Iterable[Line | str]) -> None:
        """Write lines in colour, above the prompt if it is open."""
        for line in lines:
            text = FormattedText([("", line)] if isinstance(line, str) else line)
            print_formatted_text(text, style=self._style, color_depth=self._depth)

    async def ask(self, prompt: Callable[[], str], toolbar: Callable[[], str], candidates: Candidates) -> str | None:
        """Return a line typed at the prompt, or an empty one after an interrupt."""
        begun, self._begun = self._begun, ""
        with patch_stdout(raw=True):
            try:
                typed: str = await self._session.prompt_async(
                    lambda: untied(prompt()),
                    default=begun,
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

    def give_back(self, typed: str) -> None:
        """Let the next prompt begin with a line that was typed."""
        self._begun = typed


@final
class WordCompleter(Completer):
    """Completes the last word of what is typed."""

    def __init__(self, candidates: Candidates) -> None:
        self._candidates: Final = candidates

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield the candidates that begin with the last word, whatever its capitals and accents."""
        typed = document.text_before_cursor
        word = typed.rpartition(" ")[2]
        begun = folded(word)
        for candidate, meaning in self._candidates(typed):
            if candidate.startswith(word) or (begun and folded(candidate).startswith(begun)):
                yield Completion(candidate, start_position=-len(word), display_meta=untied(meaning))
