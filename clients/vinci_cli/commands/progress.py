"""Progress of long work, shown on standard error if that is a terminal."""

import sys
import time
from collections.abc import Iterable
from typing import Final, TypeVar, final

import click

T = TypeVar("T")

DRAW_SECONDS: Final = 0.5
LINE_SECONDS: Final = 60.0
"""Seconds between two updates of the progress, at a terminal and elsewhere."""

ERASE: Final = "\x1b[K"
"""Erases the rest of the line of a terminal."""


@final
class Line:
    """A line on standard error that is redrawn, if that is a terminal."""

    def __init__(self) -> None:
        self.is_seen: Final = sys.stderr.isatty()
        self._wait: Final = DRAW_SECONDS if self.is_seen else LINE_SECONDS
        self._updated = time.monotonic() - (self._wait if self.is_seen else 0)

    def is_due(self) -> bool:
        """Return whether an update is due; at a terminal the first one is at once."""
        return time.monotonic() - self._updated >= self._wait

    def update(self, text: str) -> None:
        """Replace the text of the line, or print a line of its own if this is no terminal."""
        self._updated = time.monotonic()
        self.show(text)
        if not self.is_seen:
            click.echo(text, err=True)

    def tell(self, text: str) -> None:
        """Print a line above it; it is due again."""
        self.show("")
        click.echo(text, err=True)
        self._updated = 0.0

    def show(self, text: str) -> None:
        """Replace the text of the line."""
        if self.is_seen:
            sys.stderr.write(f"\r{text}{ERASE}")  # also what was typed after it, such as ^C
            sys.stderr.flush()


def shown(items: Iterable[T], total: int, label: str) -> Iterable[T]:
    """Yield items, and move a bar on standard error with them."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    from prompt_toolkit.output import create_output
    from prompt_toolkit.shortcuts import ProgressBar

    with ProgressBar(output=create_output(stdout=sys.stderr)) as bar:
        yield from bar(items, total=total, label=label)
