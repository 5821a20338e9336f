"""Text with styles and click targets, and wrapping it into rows."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from ...text.i18n import N_, _
from ...text.tables import Line
from .block import Block, Hit, cells, cut, ellipsis, wrapped

TIE: Final = "\u00a0"
"""A no-break blank; it is written as a usual one."""

RULE: Final = re.compile(r"(R-[A-Z]+-\d+)")


class Segment(NamedTuple):
    """Text with a style and a click target."""

    text: str
    style: str = ""
    target: str = ""


Row: TypeAlias = Sequence[Segment]


def written(rows: Iterable[Row], columns: int) -> Block:
    """Rows as a block, cut to this width."""
    lines: list[Line] = []
    hits: list[Hit] = []
    for number, row in enumerate(rows):
        place = 0
        for target, parts in groupby(row, key=attrgetter("target")):
            after = place + across(parts)
            if target and place < columns:
                hits.append(Hit(number, place, min(after, columns), target))
            place = after
        line = [(style, text.replace(TIE, " ")) for text, style, _target in row]
        lines.append(line if place <= columns else cut(line, columns))
    return Block(lines, hits)


def spaced(left: Row, right: Row, columns: int) -> Row:
    """A row with a part at each end; the left one is cut if there is no room for both."""
    room = columns - across(right)
    parts = shortened(left, room - 1)
    aim = parts[-1].target if parts else ""
    return [*parts, Segment(" " * max(room - across(parts), 0), "", aim), *right]


def shortened(row: Row, most: int) -> Row:
    """A row cut to at most this many cells, with an ellipsis."""
    if across(row) <= most:
        return row
    shown: list[Segment] = []
    left = most
    for part in row:
        if cells(part.text) >= left:
            return [*shown, part._replace(text=ellipsis(part.text, left))] if left > 0 else shown
        shown.append(part)
        left -= cells(part.text)
    return shown


def across(row: Iterable[Segment]) -> int:
    """Width of a row in cells."""
    return sum([cells(part.text) for part in row])


def flowed(parts: Iterable[Segment], columns: int, indent: int = 0) -> list[Row]:
    """Wrap segments at blanks into rows of at most this many cells; all but the first row are indented."""
    rows: list[Row] = []
    row: list[Segment] = []
    used = 0
    last = Segment("")
    for word in _words(parts):
        wide = across(word)
        if row and used + 1 + wide > columns:
            rows.append(row)
            row, used = [Segment(" " * indent)] if indent else [], indent
        elif row and word:
            is_same = (last.style, last.target) == (word[0].style, word[0].target)
            row.append(Segment(" ", *last[1:]) if is_same else Segment(" "))
            used += 1
        row += word
        used += wide
        last = word[-1]
    return [*rows, row] if row else rows


def indented(parts: Iterable[Segment], columns: int, blanks: int = 1, indent: int = 0) -> list[Row]:
    """Wrap segments into rows behind this many blanks; all but the first row are indented further."""
    return [[Segment(" " * blanks), *row] for row in flowed(parts, columns - blanks, indent)]


def section(title: str, sentences: Iterable[Iterable[Segment]], columns: int, indent: int = 2) -> list[Row]:
    """A heading, and below it each sentence in rows of its own."""
    return [headed(title, columns), *(row for parts in sentences for row in indented(parts, columns, 1, indent))]


def _words(parts: Iterable[Segment]) -> Iterable[list[Segment]]:
    word: list[Segment] = []
    for part in parts:
        for number, text in enumerate(part.text.split(" ")):
            if number and word:
                yield word
                word = []
            if text:
                word.append(Segment(text, part.style, part.target))
    if word:
        yield word


@lru_cache(maxsize=4096)
def sentence_rows(text: str, columns: int) -> tuple[str, ...]:
    """Wrap a sentence into rows of at most this many cells (cached)."""
    return tuple("".join(part for _style, part in line) for line in wrapped(text, max(columns, 1)))


def linked(text: str, style: str = "") -> list[Segment]:
    """A text in which every id of a rule is a click target."""
    return [
        Segment(piece, "class:hint", f"rule {piece}") if number % 2 else Segment(piece, style)
        for number, piece in enumerate(RULE.split(text))
        if piece
    ]


KEYS: Final = {
    "enter": N_("Enter"),
    "escape": N_("Esc"),
    "tab": "Tab",
    " ": N_("space"),
    "left": "◂",
    "right": "▸",
    "up": "↑↓",
}
"""Names of keys that are not characters; `up` stands for both directions."""


def key_name(key: str) -> str:
    """Name of a key in the language of the session."""
    return _(KEYS.get(key, key))


def button(key: str, label: str, target: str = "") -> list[Segment]:
    """A key and its effect as one click target that is not wrapped."""
    aim = target or f"key {key}"
    return [Segment(key, "class:key", aim), Segment(f"{TIE}{label.replace(' ', TIE)}", "", aim)]


def headed(title: str, columns: int, more: str = "", key: str = "", target: str = "") -> Row:
    """Heading of a pane: a line with the key that opens it, its title, and more at its end."""
    end = f" {more} ─" if more else ""
    opens = [Segment(key, "class:key", target), Segment(" ", "", target)] if key else []
    head = [Segment("─ ", "class:frame", target), *opens, Segment(f"{title} ", "class:title", target)]
    start = shortened(head, columns - cells(end))
    return [*start, Segment("─" * (columns - across(start) - cells(end)) + end, "class:frame", target)]
