"""Set a display for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

from vinci_cli.full.toolkit import display


@contextmanager
def shown_on(theme: str = "dark", blocks: str = "quadrants", *, is_unicode: bool = True) -> Iterator[None]:
    """Use a display while this is entered."""
    before = display.current()
    display.choose(display.Display(theme, blocks, is_unicode))
    try:
        yield
    finally:
        display.choose(before)
