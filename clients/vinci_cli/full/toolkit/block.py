"""Blocks of styled text with click targets, the parts of a page.

A block is a value. Its lines are lists of (style, text) as prompt-toolkit has them; all lines of a fitted block are
equally wide. Widths are in cells of a terminal: some characters take two.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from prompt_toolkit.utils import get_cwidth

from ...text.tables import Fragment, Line

Depth: TypeAlias = int
"""Bits of a colour: 1 for none, 4 for sixteen, 8 for 256, 24 for true colour."""


class Hit(NamedTuple):
    """Cells of one row with a click target: `province ALP`, `slot 3`, `key h`."""

    row: int
    start: int
    stop: int
    target: str


@dataclass(frozen=True, slots=True)
class Block:
    """Lines with click targets. Where hits overlap, the last one counts."""

    lines: Sequence[Line] = ()
    hits: Sequence[Hit] = field(default=())

    @property
    def height(self) -> int:
        """Number of lines."""
        return len(self.lines)

    def at(self, row: int, column: int) -> str:
        """Click target of a cell; empty for none."""
        for hit in reversed(self.hits):
            if hit.row == row and hit.start <= column < hit.stop:
                return hit.target
        return ""

    def text(self) -> str:
        """The text without styles and trailing blanks."""
        return "\n".join("".join(text for _, text in line).rstrip() for line in self.lines)


def width(line: Iterable[Fragment]) -> int:
    """Width of a line in cells."""
    return sum([cells(text) for _, text in line])


@lru_cache(maxsize=20_000)
def cells(text: str) -> int:
    """Width of a text in cells."""
    return get_cwidth(text)


def cut(line: Iterable[Fragment], most: int) -> Line:
    """A line cut to at most this many cells, with an ellipsis."""
    parts = list(line)
    if width(parts) <= most:
        return parts
    shown: Line = []
    left = most
    for style, text in parts:
        if cells(text) >= left:
            return [*shown, (style, ellipsis(text, left))] if left > 0 else shown
        shown.append((style, text))
        left -= cells(text)
    return shown


def ellipsis(text: str, most: int) -> str:
    """The start of a text in at most this many cells, with an ellipsis."""
    return text[: _fitting(text, most - 1)] + "…"


def _fitting(text: str, most: int) -> int:
    """Number of characters at the start of a text that fit into this many cells."""
    count = max(min(most, len(text)), 0)
    while count and cells(text[:count]) > most:
        count -= 1
    return count


def padded(line: Iterable[Fragment], exactly: int, style: str = "") -> Line:
    """A line of exactly this many cells: cut, or filled with blanks."""
    shown = list(line)
    blanks = exactly - width(shown)
    if blanks < 0:
        shown = cut(shown, exactly)
        blanks = exactly - width(shown)
    return [*shown, (style, " " * blanks)] if blanks else shown


def fitted(block: Block, columns: int, rows: int, style: str = "") -> Block:
    """A block of exactly this size: cut, or filled with blanks."""
    lines = [padded(line, columns, style) for line in block.lines[:rows]]
    lines += [[(style, " " * columns)] for _ in range(rows - len(lines))]
    hits = [
        hit if hit.stop <= columns else hit._replace(stop=columns)
        for hit in block.hits
        if hit.row < rows and hit.start < columns
    ]
    return Block(lines, hits)


def moved(hits: Iterable[Hit], rows: int, columns: int) -> list[Hit]:
    """Hits of a block that was moved."""
    if not rows and not columns:
        return list(hits)
    return [Hit(hit.row + rows, hit.start + columns, hit.stop + columns, hit.target) for hit in hits]


def stacked(*blocks: Block) -> Block:
    """Blocks one below the other."""
    lines: list[Line] = []
    hits: list[Hit] = []
    for block in blocks:
        hits += moved(block.hits, len(lines), 0)
        lines += block.lines
    return Block(lines, hits)


def beside(left: Block, right: Block) -> Block:
    """Two blocks side by side; the left one is fitted, both are equally high."""
    lines = [[*first, *second] for first, second in zip(left.lines, right.lines, strict=True)]
    across = width(left.lines[0]) if left.lines else 0
    return Block(lines, [*left.hits, *moved(right.hits, 0, across)])


def framed(block: Block, title: str, columns: int, rows: int, style: str = "class:frame") -> Block:
    """A block of exactly this size in a frame with a title."""
    inner = fitted(block, columns - 2, rows - 2)
    head = cut([("class:title", f" {title} ")], columns - 4) if title else []
    top: Line = [(style, "┌─"), *head, (style, "─" * (columns - 3 - width(head)) + "┐")]
    lines: list[Line] = [top, *([(style, "│"), *line, (style, "│")] for line in inner.lines)]
    lines.append([(style, f"└{'─' * (columns - 2)}┘")])
    return Block(lines, moved(inner.hits, 1, 1))


def over(below: Block, above: Block, row: int, column: int) -> Block:
    """A fitted block with another one on top, as far as there are rows, which hides the click targets below."""
    lines = list(below.lines)
    hits = list(below.hits)
    for number, line in enumerate(above.lines[: len(lines) - row], row):
        across = width(line)
        lines[number] = [*part(lines[number], 0, column), *line, *part(lines[number], column + across, 1 << 30)]
        hits.append(Hit(number, column, column + across, ""))
    return Block(lines, [*hits, *moved(above.hits, row, column)])


def painted(block: Block, cells: Mapping[tuple[int, int], Fragment]) -> Block:
    """A fitted block with single cells replaced, by row and column; click targets stay."""
    lines = list(block.lines)
    for (row, column), cell in sorted(cells.items()):
        if 0 <= row < len(lines) and 0 <= column < width(lines[row]):
            lines[row] = [*part(lines[row], 0, column), cell, *part(lines[row], column + 1, 1 << 30)]
    return Block(lines, block.hits) if cells else block


def cropped(block: Block, row: int, column: int, rows: int, columns: int) -> Block:
    """A part of a fitted block."""
    lines = [part(line, column, column + columns) for line in block.lines[row : row + rows]]
    hits = [
        Hit(hit.row - row, max(hit.start - column, 0), min(hit.stop - column, columns), hit.target)
        for hit in block.hits
        if row <= hit.row < row + rows and hit.start < column + columns and hit.stop > column
    ]
    return Block(lines, hits)


def part(line: Line, start: int, stop: int) -> Line:
    """Cells of a line from start to stop; half of a wide character becomes a blank."""
    result: Line = []
    place = 0
    for style, text in line:
        after = place + cells(text)
        if after <= start or place >= stop or (start <= place and after <= stop):  # wholly outside or inside
            if start <= place < stop and text:
                result.append((style, text))
            place = after
            continue
        shown = ""
        for letter in text:
            end = place + cells(letter)
            if start <= place and end <= stop:
                shown += letter
            else:
                shown += " " * (min(end, stop) - max(place, start))
            place = end
        if shown:
            result.append((style, shown))
    return result


def wrapped(text: str, columns: int, style: str = "") -> list[Line]:
    """Wrap a text at blanks into lines of at most this many cells; its line breaks are kept."""
    lines: list[Line] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if cells(longer) > columns and line:
                lines.append([(style, line)])
                longer = word
            while cells(longer) > columns and len(longer) > 1:
                count = max(_fitting(longer, columns), 1)
                lines.append([(style, longer[:count])])
                longer = longer[count:]
            line = longer
        lines.append([(style, line)])
    return lines
