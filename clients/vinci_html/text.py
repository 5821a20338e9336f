"""Formats text and scales for pages, charts and terminals."""

import unicodedata
from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from wcwidth import wcwidth

STEPS: Final = (*(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5), *(10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000))
GAP: Final = "  "
"""Gap between two columns of a terminal."""
SHORTEST_NAME: Final = 12
"""Columns of a terminal to which a name is cut at most."""


def printable(text: str) -> str:
    r"""Write out control characters, bidirectional overrides and unassigned characters as escapes, such as `\x1b`."""
    return "".join(
        letter if letter.isprintable() or unicodedata.category(letter) == "Zs" else ascii(letter)[1:-1]
        for letter in text
    )


def terminal_width(text: str) -> int:
    """Return the number of columns that a text takes in a terminal."""
    return sum(max(0, wcwidth(letter)) for letter in text)


def short(text: str, columns: int) -> str:
    """Return the text, cut and ended by an ellipsis if it is wider than this many terminal columns."""
    text = printable(text)
    if terminal_width(text) <= columns:
        return text
    while terminal_width(text) > columns - 1:
        text = text[:-1]
    return text + "…"


def fitted(text: str, columns: int) -> str:
    """Return the text, filled up to this many terminal columns, or cut and ended by an ellipsis."""
    text = short(text, columns)
    return text + " " * (columns - terminal_width(text))


def text_table(rows: Sequence[Sequence[str]], width: float = inf, names: int = 0, *, right: bool = False) -> list[str]:
    """Return rows of cells as lines for a terminal.

    Args:
        rows: the cells, as many in each row.
        width: terminal columns of a line, for which names are cut.
        names: number of the column of names.
        right: whether the other columns are right-aligned.
    """
    rows = [[*map(printable, row)] for row in rows]
    widths = [max(map(terminal_width, column)) for column in zip(*rows, strict=True)]
    others = sum(widths) - widths[names] + len(GAP) * (len(widths) - 1)
    widths[names] = int(min(widths[names], max(width - others, SHORTEST_NAME)))
    return [
        GAP.join(
            cell.rjust(wide) if right and column != names else fitted(cell, wide)
            for column, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def tick_step(span: float, most: float, fits: Callable[[float], bool] = bool) -> float:
    """Return the smallest round step that fits and divides a span into at most `most` parts; the span if none does."""
    return next((step for step in STEPS if span <= step * most and fits(step)), span)
