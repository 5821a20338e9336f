"""Progress of long work, shown on standard error if that is a terminal."""

import sys
from collections.abc import Iterable
from typing import Final, TypeVar, final

T = TypeVar("T")


ERASE: Final = "\x1b[K"
"""Erases the rest of the line of a terminal."""


@final
class Line:
    """A line on standard error that is redrawn, if that is a terminal."""

    def __init__(self) -> None:
        self.is_seen: Final = sys.stderr.isatty()

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
