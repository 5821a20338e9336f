"""Formats text and scales for pages, charts and terminals."""

import unicodedata
from collections.abc import Callable
from typing import Final

from wcwidth import wcwidth

STEPS: Final = (*(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5), *(10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000))


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


def tick_step(span: float, most: float, fits: Callable[[float], bool] = bool) -> float:
    """Return the smallest round step that fits and divides a span into at most `most` parts; the span if none does."""
    return next((step for step in STEPS if span <= step * most and fits(step)), span)
