"""The choice of a user interface for this terminal: full screen, or lines."""

import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Thread

from ..full import LEAST_COLUMNS, LEAST_ROWS
from ..game.interface import UserInterface
from ..line.screen import PlainScreen, Screen


def has_terminal() -> bool:
    """Return whether a person can be asked, and sees the answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def fills_screen(*, line: str = "") -> bool:
    """Return whether this terminal can show full screens, and `line` does not ask for lines."""
    size = shutil.get_terminal_size()
    large = size.columns >= LEAST_COLUMNS and size.lines >= LEAST_ROWS
    return not line and has_terminal() and large and os.environ.get("TERM") != "dumb"


def prepare(*, line: str = "") -> None:
    """Begin to load the interface that fits this terminal, while a server starts."""
    module = "..full.ui" if fills_screen(line=line) else "..line.ui"
    Thread(target=import_module, args=(module, __package__), daemon=True).start()


@asynccontextmanager
async def opened(*, line: str = "") -> AsyncIterator[UserInterface]:
    """Open the interface that fits this terminal, as long as it is entered."""
    if fills_screen(line=line):
        from ..full.ui import filled

        async with filled() as full_screen:
            yield full_screen
    else:
        from ..line.ui import LineInterface

        yield LineInterface(screen(), is_terse=line == "terse")


def screen() -> Screen:
    """Return the terminal if there is one; a pipe needs no line editor, which takes a fifth of a start."""
    if not has_terminal():
        return PlainScreen()
    from ..line.terminal import TerminalScreen

    return TerminalScreen()
