"""VP over time as lines of block characters, each marked with the number of its seat as well as its colour."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from vinci_html.text import tick_step

from ...text.tables import Line
from .block import Block
from .display import current
from .pixels import GRIDS, Grid, block

AXIS: Final = 5
"""Cells left of the chart: the VP and the axis."""

LEAST_TICK: Final = 10
"""Minimum VP between two numbers on the axis."""

TICK_ROWS: Final = 3
"""Minimum rows between two numbers on the axis."""


def plot(series: Mapping[int, Sequence[int]], first: int, target: int, columns: int, rows: int) -> Block:
    """A line for each seat: VP at the end of each round, `first` being the first one.

    A dotted line marks the target. The last two rows are the axis and the rounds.
    """
    across, down = columns - AXIS, rows - 2
    grid = GRIDS[current().blocks]
    length = max(map(len, series.values()))
    most = max(target, *(max(values) for values in series.values())) if series else target
    top = most + max(most // 20, 1)
    dots: dict[tuple[int, int], tuple[int, str]] = {}

    def place(number: int, value: int) -> tuple[int, int]:
        x = round(number * (across * grid.across - 1) / max(length - 1, 1))
        return x, round((top - value) * (down * grid.down - 1) / top)

    def dot(x: int, y: int, style: str) -> None:
        cell = y // grid.down, x // grid.across
        bit = y % grid.down * grid.across + x % grid.across
        dots[cell] = dots.get(cell, (0, ""))[0] | 1 << bit, style

    height = place(0, target)[1]
    for x in range(0, across * grid.across, 4):
        dot(x, height, "class:faint")
    for seat, values in series.items():
        points = [place(number, value) for number, value in enumerate(values)]
        for (x, y), (to_x, to_y) in pairwise(points):
            steps = max(abs(to_x - x), abs(to_y - y), 1)
            for step in range(steps + 1):
                dot(x + round((to_x - x) * step / steps), y + round((to_y - y) * step / steps), f"class:seat{seat}")
    letters = _letters(series, place, grid)
    ticks = {place(0, value)[1] // grid.down: value for value in _ticks(top, down)}
    lines: list[Line] = []
    for row in range(down):
        line: Line = [("class:faint", f"{ticks[row]:>{AXIS - 1}}┤" if row in ticks else " " * (AXIS - 1) + "│")]
        for column in range(across):
            if (row, column) in letters:
                line.append((f"class:seat{letters[row, column]} class:title", str(letters[row, column])))
            else:
                bits, style = dots.get((row, column), (0, ""))
                line.append((style, block(bits, grid)))
        lines.append(line)
    lines.append([("class:faint", "0".rjust(AXIS - 1) + "└" + "─" * across)])
    lines.append([("class:faint", _rounds(first, length, across))])
    return Block(lines)


def _letters(
    series: Mapping[int, Sequence[int]], place: Callable[[int, int], tuple[int, int]], grid: Grid
) -> dict[tuple[int, int], int]:
    """Positions of the seat numbers: at the end of each line and at intervals on it, without overlaps."""
    letters: dict[tuple[int, int], int] = {}
    for seat, values in series.items():
        for number in range(len(values) - 1, 0, -2):
            x, y = place(number, values[number])
            letters.setdefault((y // grid.down, x // grid.across), seat)
    return letters


def _ticks(top: int, down: int) -> range:
    step = int(tick_step(top, down / TICK_ROWS, lambda step: step >= LEAST_TICK))
    return range(step, top + 1, step)


def _rounds(first: int, length: int, across: int) -> str:
    """Round numbers below the chart, as many as fit; the last one always."""
    last = str(first + length - 1)
    end = AXIS + across - len(last)
    text = ""
    for number in range(length - 1):
        column = AXIS + round(number * (across * 2 - 1) / max(length - 1, 1)) // 2
        shown = str(first + number)
        if (column > len(text) or not text) and column + len(shown) < end:
            text = text.ljust(column) + shown
    return text.ljust(end) + last
