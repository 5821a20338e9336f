"""An explanation in a frame over the page."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ...text.i18n import _
from .block import Block, cells, framed, over
from .text import Row, Segment, flowed, linked, written

WIDEST: Final = 80
"""Maximum width of an explanation in cells."""

HEAD: Final = re.compile(r"\s*(\S.{0,18}\s{2,})?(?=\S)")
"""Leading blanks of a row and its first column."""


def popup(
    below: Block,
    title: str,
    text: str,
    start: int,
    columns: int,
    rows: int,
    styles: Mapping[str, str] = MappingProxyType({}),
) -> Block:
    """A text in a frame over a block of this size, from row `start` on; ids of rules are click targets.

    `styles` has styles for the first columns of lines.
    """
    wide = _width(text, columns)
    shown = broken(text, wide - 4, styles)
    high = min(len(shown) + 2, rows - 2)
    start = min(start, last_start(text, columns, rows))
    more = _("lines {first} to {last} of {all}").format(first=start + 1, last=start + high - 2, all=len(shown))
    head = f"{title} · {more}" if len(shown) > high - 2 else title
    rows_shown: list[Row] = [[*linked(" "), *row] for row in shown[start : start + high - 2]]
    frame = framed(written(rows_shown, wide - 2), head, wide, high)
    return over(below, frame, (rows - high) // 2, (columns - wide) // 2)


def last_start(text: str, columns: int, rows: int) -> int:
    """Largest useful `start` of a popup: the rest of the text just fills the frame."""
    return max(len(broken(text, _width(text, columns) - 4)) - (rows - 4), 0)


def _width(text: str, columns: int) -> int:
    """Return the width of the frame: WIDEST, or what indented lines need, which are to be copied."""
    indented = (cells(line) + 6 for line in text.split("\n") if line.startswith("  "))
    return min(max(WIDEST, *indented, 0), columns - 4)


def broken(text: str, columns: int, styles: Mapping[str, str] = MappingProxyType({})) -> list[Row]:
    """Wrap a text; columns, two or more blanks apart, are kept, the first one in the style of its line."""
    rows: list[Row] = []
    for paragraph in text.split("\n"):
        head = HEAD.match(paragraph)
        before = head[0] if head is not None else ""
        first, *others = flowed(linked(paragraph[len(before) :]), columns - cells(before)) or [[]]
        shown = before.rstrip()
        column = (
            [Segment(shown, styles[paragraph]), Segment(before[len(shown) :])]
            if paragraph in styles
            else linked(before)
        )
        rows += [[*column, *first], *([Segment(" " * cells(before)), *row] for row in others)]
    return rows
