"""How far long work has come, where somebody watches it at a terminal."""

import sys
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def shown(items: Iterable[T], total: int, label: str) -> Iterable[T]:
    """The same items; a bar on standard error moves with them."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    from prompt_toolkit.output import create_output
    from prompt_toolkit.shortcuts import ProgressBar

    with ProgressBar(output=create_output(stdout=sys.stderr)) as bar:
        yield from bar(items, total=total, label=label)
