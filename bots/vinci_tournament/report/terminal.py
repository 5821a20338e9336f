"""A report for a terminal, as bars and tables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, isinf
from typing import Final

from vinci_html.charts import Cell
from vinci_html.text import GAP, fitted, printable, terminal_width, text_table

from ..stats.values import Estimate
from .document import Block, Column, Document, Starred, Table, Value
from .wording import SIGNS, between, rating, shown

WIDTH: Final = 80
ARROW: Final = 0.25
"""Extension of a scale on the side of an open end, as a share of the range that it spans."""

SHORTEST_BAR: Final = 14
LONGEST_BAR: Final = 48
CELL: Final = 5
"""Columns of a cell of a matrix: `100*` and a blank."""
NEVER: Final = Cell("·", 0, "")


def terminal(document: Document, width: float = WIDTH) -> str:
    """Return a report in lines of at most `width` columns; `width` is at least 72."""
    head = _wrapped(document.title, width) + _filled(document.facts, " · ", width)
    for gate in document.verdicts:
        head += ["", *_wrapped(f"{SIGNS[gate.outcome]}: {gate.question}. {gate.reason}", width)]
    head += [""] if document.notes else []
    head += [line for note in document.notes for line in _wrapped(note, width)]
    return "\n".join(head) + "\n\n" + sections(document, "T", width)


def sections(document: Document, form: str, width: float = WIDTH) -> str:
    """Return the sections of a report that a form shows: T all for a terminal, S those of the state of a league."""
    parts = []
    for section, blocks in document.shown(form):
        lines = [*_wrapped(section.brief, width), ""] if section.brief else []
        for block in blocks:
            if block.title:
                lines += [*([""] if lines and lines[-1] else []), *_wrapped(block.title, width)]
            lines += _lines(block, width)
        parts.append(lines if lines[-1] else lines[:-1])
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _lines(block: Block, width: float) -> list[str]:
    match block.kind:
        case "table":
            return _table(block.content, width)
        case "bars":
            return [*_bars(block.text, block.content, width), ""]
        case "matrix":
            names, cells = block.content
            return _matrix(names, cells, int(width))
        case "lines":
            return [line for pieces in block.content for line in _filled(pieces, ", ", width)]
        case "items":
            lines = []
            for text, files in block.content:
                lines += _wrapped(text, width)
                lines += _filled([f"{GAP}{files[0]}", *files[1:]], GAP, width) if files else []
            return lines
    return _wrapped(block.text, width)


def _table(table: Table, width: float) -> list[str]:
    of = [(place, column) for place, column in enumerate(table.columns) if column.brief is not None]
    lines = [[head for _, column in of for head in (column.brief or "", *["95 %"] * bool(column.interval))]]
    lines += [[text for place, column in of for text in _cells(row[place], column)] for row in table.rows]
    return text_table(lines, width, table.names, right=True)


def _cells(value: Value, column: Column) -> list[str]:
    """Return a value, and its interval if that has a column of its own."""
    if isinstance(value, str) or column.form is None:
        return [str(value), *[""] * bool(column.interval)]
    if isinstance(value, int | float):
        return [column.form(value)]
    mark = ("*" if value.is_found else " ") if isinstance(value, Starred) else ""
    of = value.estimate if isinstance(value, Starred) else value
    return [shown(of, column.form) + mark, *([between(of, column.interval)] if column.interval else [])]


def _matrix(names: Sequence[str], cells: Mapping[tuple[str, str], Cell], width: int) -> list[str]:
    """Return a table with a row and a column for each name, split into parts that fit the width."""
    label = min(max(terminal_width(printable(name)) for name in names), width // 2)
    fitting = (width - label - 4) // CELL
    lines: list[str] = []
    for first in range(0, len(names), fitting):
        columns = range(first, min(first + fitting, len(names)))
        lines.append(" " * (label + 4) + "".join(f"{place + 1:>{CELL - 1}} " for place in columns).rstrip())
        for place, name in enumerate(names):
            row = [cells.get((name, names[other]), NEVER) for other in columns]
            texts = [f"{cell.shown}{'*' if cell.bold else ' '}".rjust(CELL) for cell in row]
            lines.append(f"{place + 1:>2}  {fitted(name, label)}{''.join(texts)}".rstrip())
    return lines


def _bars(title: str, rows: Sequence[tuple[str, str, Estimate]], width: float) -> list[str]:
    """Return a line for each rating: value, interval, and both as a bar with a mark at 0."""
    texts = [(number, name, shown(estimate, rating), between(estimate, rating)) for number, name, estimate in rows]
    heads = ("", "", title, "95 %")
    lines = text_table([heads, *texts], width - SHORTEST_BAR - len(GAP), 1, right=True)
    long = int(min(width - len(lines[0]) - len(GAP), LONGEST_BAR))
    ends = [end for _number, _name, estimate in rows for end in (estimate.low, estimate.high) if isfinite(end)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    beyond = ARROW * (high - low)
    low -= beyond * any(isinf(estimate.low) for _number, _name, estimate in rows)
    high += beyond * any(isinf(estimate.high) for _number, _name, estimate in rows)

    def at(value: float) -> int:
        return round((min(max(value, low), high) - low) / ((high - low) or 1) * (long - 1))

    drawn = [lines[0]]
    for line, (_number, _name, estimate) in zip(lines[1:], rows, strict=True):
        cells = [" "] * long
        cells[at(estimate.low) : at(estimate.high) + 1] = "─" * (at(estimate.high) - at(estimate.low) + 1)
        cells[at(0)] = "┼" if cells[at(0)] == "─" else "│"
        if estimate.is_open:
            cells[at(estimate.low if isinf(estimate.low) else estimate.high)] = "◀" if isinf(estimate.low) else "▶"
        else:
            cells[at(estimate.value)] = "●"
        drawn.append(f"{line}{GAP}{''.join(cells)}".rstrip())
    return drawn


def _wrapped(text: str, width: float) -> list[str]:
    return _filled(re.split(" (?!%)", text), " ", width)


def _filled(pieces: Iterable[str], gap: str, width: float) -> list[str]:
    """Join pieces into lines, with a gap between them; a piece wider than a line is split anywhere."""
    lines = [""]
    for piece in map(printable, pieces):
        joined = f"{gap}{piece}" if lines[-1] else piece
        if terminal_width(lines[-1] + joined) > width and lines[-1]:
            lines.append("")
            joined = piece
        for letter in joined:
            if terminal_width(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines
