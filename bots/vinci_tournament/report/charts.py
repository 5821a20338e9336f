"""Charts of a page as SVG: estimates with intervals, shares as stacked bars, tables of figures as heat maps.

Colours are classes of `report.css`; every figure is there as text, too, or as the title of what is drawn.
"""

from collections.abc import Callable, Sequence
from math import ceil, floor, isfinite, isinf
from typing import Final, NamedTuple

from prompt_toolkit.utils import get_cwidth

from ..stats.values import Estimate
from .markup import text
from .wording import apart, printable, whole

WIDTH: Final = 380
LEFT, RIGHT = 8, 8
ROW: Final = 36
"""Height of a row: a label above what is drawn."""

LABEL, BAR = 13, 24
"""Where in a row the label stands and where the middle of what is drawn is."""

BAR_HEIGHT: Final = 16
LONGEST_LABEL: Final = 29
LONGEST_HEAD: Final = 20
STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MOST_TICKS: Final = 6
MARGIN, LEAST_MARGIN = 0.02, 0.01
"""What a scale goes beyond its figures, as a share of what they span, and at least."""

ARROW: Final = 0.15
"""Extension of a scale on the side of an open end, as a share of the range that it spans."""

CELL, CELL_HEIGHT, HEAD = 40, 28, 180
"""Size of a cell of a heat map, and the width of the names before a row."""

DEEPEST: Final = 0.7
"""Opacity of the strongest colour of a heat map: text on it can still be read."""

WIDE_ENOUGH: Final = 26
"""A part of a bar from so wide on has its figure in it."""


class ChartRow(NamedTuple):
    """A line of a chart of estimates: whose, what it is, further words for its title."""

    label: str
    estimate: Estimate
    told: str = ""


class Cell(NamedTuple):
    """A field of a heat map: what stands in it, how strong its colour is from -1 to 1, its title, whether bold."""

    shown: str
    strength: float
    told: str
    bold: bool = False


def intervals(name: str, rows: Sequence[ChartRow], middle: float, form: Callable[[float], str]) -> str:
    """Estimates below each other, a line for the interval; the point is hollow unless that leaves the middle out.

    Where one end is open, an arrow begins at the other one and there is no point.
    """
    ends = [end for row in rows for end in (row.estimate.low, row.estimate.high) if isfinite(end)]
    low, high = min(middle, *ends), max(middle, *ends)
    beyond = ARROW * (high - low)
    low -= beyond * any(isinf(row.estimate.low) for row in rows)
    high += beyond * any(isinf(row.estimate.high) for row in rows)
    margin = max((high - low) * MARGIN, LEAST_MARGIN)
    low, high = low - margin, high + margin

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (min(max(value, low), high) - low) / (high - low)

    bottom = ROW * len(rows) + 4
    fitting = (step for step in STEPS if (high - low) / step <= MOST_TICKS and form(step) != form(0))
    step = next(fitting, high - low)
    parts = []
    for number in range(ceil(low / step), floor(high / step) + 1):
        at = x(number * step)
        parts.append(f'<path class="grid" d="M{at:.1f} 4V{bottom}"/>')
        if 16 < at < WIDTH - 16:
            parts.append(
                f'<text class="ink" x="{at:.1f}" y="{bottom + 14}" text-anchor="middle">{form(number * step)}</text>'
            )
    parts.append(f'<path class="middle" d="M{x(middle):.1f} 4V{bottom}"/>')
    said = []
    for place, row in enumerate(rows):
        figures = whole(row.estimate, form)
        kind = "point" if apart(row.estimate, middle) else "point open"
        said.append(f"{row.label}: {figures}{row.told and ', '}{row.told}")
        parts.append(_interval(row, figures, said[-1], kind, place * ROW, x))
    return _chart(name, "; ".join(said), bottom + 20, parts)


def _interval(row: ChartRow, figures: str, told: str, kind: str, top: int, x: Callable[[float], float]) -> str:
    estimate, middle = row.estimate, top + BAR
    left, right = f"{x(estimate.low):.1f}", f"{x(estimate.high):.1f}"
    line = f'<path class="whisker" d="M{left} {middle - 4}v8m0 -4H{right}m0 -4v8"/>' if estimate.is_told else ""
    point = f'<circle class="{kind}" cx="{x(estimate.value):.1f}" cy="{middle}" r="4.5"/>'
    if estimate.is_open:
        end, tip, back = (right, left, 6) if isinf(estimate.low) else (left, right, -6)
        line = f'<path class="whisker" d="M{end} {middle - 4}v8m0 -4H{tip}l{back} -4m{-back} 4l{back} 4"/>'
        point = ""
    return (
        f"<g><title>{text(told)}</title>"
        f'<text class="ink label" x="{LEFT}" y="{top + LABEL}">{text(short(row.label, LONGEST_LABEL))}</text>'
        f'<text class="ink" x="{WIDTH - RIGHT}" y="{top + LABEL}" text-anchor="end">{text(figures)}</text>'
        f"{line}{point}</g>"
    )


def stacked(name: str, rows: Sequence[tuple[str, Sequence[int]]], parts_called: Sequence[str]) -> str:
    """A bar for each row, divided in proportion to its counts; the parts are called so, from the left."""
    parts, said = [], []
    across = WIDTH - LEFT - RIGHT
    for place, (label, counts) in enumerate(rows):
        top, total, x = place * ROW, sum(counts) or 1, float(LEFT)
        shown = text(short(label, LONGEST_LABEL))
        parts.append(f'<text class="ink label" x="{LEFT}" y="{top + LABEL}">{shown}</text>')
        for part, (called, count) in enumerate(zip(parts_called, counts, strict=True), 1):
            wide = across * count / total
            share = f"{100 * count / total:.0f}"
            said.append(f"{label}: {called} {count} times ({share} %)")
            parts.append(
                f"<g><title>{text(said[-1])}</title>"
                f'<rect class="part{part}" x="{x:.1f}" y="{top + 17}" width="{wide:.1f}" height="{BAR_HEIGHT}"/>'
            )
            if wide >= WIDE_ENOUGH:
                at = f'x="{x + wide / 2:.1f}" y="{top + 29}" text-anchor="middle"'
                parts.append(f'<text class="on{part}" {at}>{share}</text>')
            parts.append("</g>")
            x += wide
    top = ROW * len(rows) + 10
    for part, called in enumerate(parts_called, 1):
        x = LEFT + (part - 1) * across / len(parts_called)
        parts.append(f'<rect class="part{part}" x="{x:.1f}" y="{top}" width="14" height="14"/>')
        parts.append(f'<text class="ink" x="{x + 18:.1f}" y="{top + 11}">{text(called)}</text>')
    return _chart(name, "; ".join(said), top + 22, parts)


def heat_map(name: str, told: str, names: Sequence[str], cell: Callable[[str, str], Cell | None]) -> str:
    """A row and a column for each name; columns are called by the number of the row."""
    wide = HEAD + CELL * len(names) + 4
    parts = []
    for place, row in enumerate(names):
        x, y = HEAD + CELL * place, 22 + CELL_HEIGHT * place
        head = f'x="{x + CELL / 2:g}" y="15" text-anchor="middle"'
        parts.append(f'<text class="ink label" {head}><title>{text(row)}</title>{place + 1}</text>')
        shown = text(short(row, LONGEST_HEAD))
        parts.append(
            f'<text class="ink label" x="{LEFT}" y="{y + 19}"><title>{text(row)}</title>{place + 1} {shown}</text>'
        )
        for across, column in enumerate(names):
            found = cell(row, column)
            if found is not None:
                parts.append(_cell(found, HEAD + CELL * across, y))
    return _chart(name, told, 22 + CELL_HEIGHT * len(names) + 4, parts, wide)


def _cell(cell: Cell, x: int, y: int) -> str:
    kind = "more" if cell.strength > 0 else "less"
    bold = ' font-weight="bold"' if cell.bold else ""
    return (
        f"<g><title>{text(cell.told)}</title>"
        f'<rect class="{kind}" fill-opacity="{min(abs(cell.strength), 1) * DEEPEST:.2f}" x="{x + 1}" y="{y + 1}" '
        f'width="{CELL - 2}" height="{CELL_HEIGHT - 2}"/>'
        f'<text class="ink"{bold} x="{x + CELL / 2:g}" y="{y + 19}" text-anchor="middle">{text(cell.shown)}</text></g>'
    )


def short(label: str, most: int) -> str:
    """The label, cut where it is wider than so many letters."""
    label = printable(label)
    if get_cwidth(label) <= most:
        return label
    while get_cwidth(label) > most - 1:
        label = label[:-1]
    return label + "…"


def _chart(name: str, told: str, height: int, parts: Sequence[str], wide: int | None = None) -> str:
    """The SVG. One that is given its width keeps it and is scrolled; the others are as wide as there is room."""
    size = f' class="fixed" width="{wide}" height="{height}"' if wide else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{size} viewBox="0 0 {wide or WIDTH} {height}" role="img" '
        f'aria-label="{text(f"{name}. {told}")}">\n' + "\n".join(parts) + "\n</svg>"
    )
