"""How far long work has come, where somebody watches it at a terminal."""

import sys
from collections.abc import Iterable
from typing import Final, TypeVar, final

T = TypeVar("T")


@final
class Line:
    """One line on standard error that changes, where somebody watches."""

    def __init__(self) -> None:
        self.is_seen: Final = sys.stderr.isatty()
        self._width = 0

    def show(self, text: str) -> None:
        """Put this in place of what stood there."""
        if self.is_seen:
            sys.stderr.write(f"\r{text:<{self._width}}\r{text}")
            sys.stderr.flush()
            self._width = len(text)


def shown(items: Iterable[T], total: int, label: str) -> Iterable[T]:
    """The same items; a bar on standard error moves with them."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    from prompt_toolkit.output import create_output
    from prompt_toolkit.shortcuts import ProgressBar

    with ProgressBar(output=create_output(stdout=sys.stderr)) as bar:
        yield from bar(items, total=total, label=label)
