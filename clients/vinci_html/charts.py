"""Charts as SVG: intervals, stacked bars, histograms, heat maps, dots, lines over rounds, and curves of ratings.

This module computes scales; the templates draw. Colours are classes of the style sheet of the page. Every value is
also shown as text or as the title of its shape.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, inf, isfinite, isinf
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from .pages import environment
from .text import tick_step

MOST_TICKS: Final = 6
MARGIN, LEAST_MARGIN = 0.02, 0.01
"""Margin of a scale as a share of the range of its values, and its minimum."""

ARROW: Final = 0.15
"""Extension of a scale on the side of an open end, as a share of the range that it spans."""

DEEPEST: Final = 0.7
"""Opacity of the strongest colour of a heat map; text on it is still legible."""

LABEL_GAP: Final = 17
"""Minimum distance between two labels at the ends of lines."""

LEAST_GRID, MOST_GRIDS = 10, 8
"""Minimum distance of two grid lines of a chart of lines, and their maximum number."""

MOST_ROUNDS: Final = 36
"""Maximum number of round numbers below a chart of lines."""

SIDE, EDGE, CODE = 480, 34, 24
"""Width and height of a chart of dots, its margins, and the width of the label of a dot."""
MOST_DOT_TICKS: Final = 8

MOST_BARS: Final = 24
"""Maximum number of bars of a histogram; more values are put together."""
BAR, TALL = 14, 90
"""Width of a bar of a histogram with its gap, and height of the tallest."""

COLOURS: Final = 6
"""Colours of curves; further ones are dashed."""

DASHES: Final = ("none", "9 4", "2 3", "9 3 2 3", "16 4", "5 5")
"""Dash pattern of the line of each seat, seat 1 first."""

MARKERS: Final = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4.2L4 3.2H-4z",
    "M0 -4.6L4.6 0L0 4.6L-4.6 0z",
    "M0 4.2L4 -3.2H-4z",
    "M-4.4 -1.4h3v-3h2.8v3h3v2.8h-3v3h-2.8v-3h-3z",
)
"""Marker of the points of each seat: disc, square, triangle, diamond, inverted triangle, cross."""

TEMPLATES: Final = environment()


class Frame(NamedTuple):
    """Size of a chart and the margins of its scales, in SVG units."""

    width: int
    height: int
    left: int
    right: int
    top: int = 0
    bottom: int = 0

    @property
    def across(self) -> int:
        """Width of the horizontal scale."""
        return self.width - self.left - self.right

    @property
    def down(self) -> int:
        """Height of the vertical scale."""
        return self.height - self.top - self.bottom


ROWS: Final = Frame(380, 0, 8, 8)
"""Frame of charts with a row for each label; the templates compute their height."""

LINES: Final = Frame(760, 380, 40, 170, 14, 44)


class Interval(NamedTuple):
    """A row of a chart of intervals.

    Without an interval, `low` and `high` equal the value; an open end is infinite. `shown` is the value with its
    interval as text, `note` is added to the title of the row.
    """

    label: str
    low: float
    value: float
    high: float
    shown: str
    note: str = ""

    @property
    def title(self) -> str:
        """Describe the row in a line of text."""
        return f"{self.label}: {self.shown}{self.note and ', '}{self.note}"

    def excludes(self, value: float) -> bool:
        """Whether there is an interval and it does not contain the value."""
        return self.low < self.high and not self.low <= value <= self.high


class Cell(NamedTuple):
    """A cell of a heat map; `strength` is from -1 to 1, its sign selects the colour."""

    shown: str
    strength: float
    title: str
    bold: bool = False

    @property
    def opacity(self) -> str:
        """Opacity of the colour."""
        return f"{min(abs(self.strength), 1) * DEEPEST:.2f}"


class Part(NamedTuple):
    """A part of a stacked bar: its title, share in percent, and place in SVG units."""

    title: str
    share: str
    x: float
    width: float


class Line(NamedTuple):
    """A line of a chart over rounds: number of its seat, name, and a value for each round."""

    seat: int
    name: str
    values: Sequence[int]

    @property
    def dashes(self) -> str:
        """Dash pattern."""
        return DASHES[(self.seat - 1) % len(DASHES)]

    @property
    def marker(self) -> str:
        """Path around a point."""
        return MARKERS[(self.seat - 1) % len(MARKERS)]


class Dot(NamedTuple):
    """A dot: its label, title and values; it is filled if it is a finding."""

    label: str
    title: str
    x: float
    y: float
    is_found: bool


class Curve(NamedTuple):
    """A curve: its label, and points from the left to the right, at least one."""

    label: str
    points: Sequence[tuple[int, float]]


def intervals(name: str, rows: Sequence[Interval], middle: float, form: Callable[[float], str]) -> Markup:
    """Draw values with their intervals, at least one row; `name` is for screen readers, `form` formats the scale.

    A dashed line marks `middle`. A point is hollow unless its interval excludes it; an open end is an arrow.
    """
    ends = [end for row in rows for end in (row.low, row.high) if isfinite(end)]
    low, high = min(middle, *ends), max(middle, *ends)
    beyond = ARROW * (high - low)
    low -= beyond * any(isinf(row.low) for row in rows)
    high += beyond * any(isinf(row.high) for row in rows)
    margin = max((high - low) * MARGIN, LEAST_MARGIN)
    low, high = low - margin, high + margin
    step = tick_step(high - low, MOST_TICKS, lambda step: form(step) != form(0))

    def x(value: float) -> float:
        return round(ROWS.left + ROWS.across * (min(max(value, low), high) - low) / (high - low), 1)

    return _draw(
        "intervals.svg",
        frame=ROWS,
        name=name,
        description="; ".join(row.title for row in rows),
        rows=rows,
        ticks=[number * step for number in range(ceil(low / step), floor(high / step) + 1)],
        middle=middle,
        infinity=inf,
        form=form,
        x=x,
    )


def stacked(name: str, labels: Sequence[str], counts: Sequence[Sequence[int]], parts: Sequence[str]) -> Markup:
    """Draw a bar for each label, divided in proportion to its counts: one for each of the `parts`, from the left."""
    bars = [(label, _bar(label, bar, parts)) for label, bar in zip(labels, counts, strict=True)]
    description = "; ".join(part.title for _, bar in bars for part in bar)
    return _draw("stacked.svg", frame=ROWS, name=name, description=description, bars=bars, parts=parts)


def _bar(label: str, counts: Sequence[int], parts: Sequence[str]) -> list[Part]:
    total, x = sum(counts) or 1, float(ROWS.left)
    bar = []
    for part, count in zip(parts, counts, strict=True):
        share, width = f"{100 * count / total:.0f}", ROWS.across * count / total
        bar.append(Part(f"{label}: {part} {count} times ({share} %)", share, round(x, 1), round(width, 1)))
        x += width
    return bar


def heat_map(name: str, description: str, names: Sequence[str], cells: Mapping[tuple[str, str], Cell]) -> Markup:
    """Draw a table with a row and a column for each of the `names`, columns by number; missing cells are empty.

    Screen readers get the `name` of the chart and its `description`, a sentence about its values.
    """
    return _draw("heat_map.svg", name=name, description=description, names=names, cells=cells)


def lines(
    series: Sequence[Line],
    rounds: Sequence[int],
    target: int,
    labels: Mapping[str, str],
    mark: str = "curves",
    numbers: int = MOST_ROUNDS,
) -> Markup:
    """Draw at least one line over the rounds of a game; colour, dashes and markers tell the seats apart.

    A dashed line marks the `target`. `labels` are translated texts: `name`, `description`, `round` and `target`. `mark`
    begins the ids of the drawing, which differ between the charts of a page. At most as many `numbers` of rounds stand
    below it.
    """
    last = max(len(rounds) - 1, 1)
    most = max(target, *(max(line.values) for line in series))

    def x(number: int) -> float:
        return round(LINES.left + LINES.across * number / last, 1)

    def y(value: int) -> float:
        return round(LINES.top + LINES.down * (1 - value / most), 1)

    return _draw(
        "lines.svg",
        frame=LINES,
        series=series,
        target=target,
        labels=labels,
        mark=mark,
        grid=range(0, most + 1, int(tick_step(most, MOST_GRIDS, lambda step: step >= LEAST_GRID))),
        numbers=list(enumerate(rounds))[:: 1 + len(rounds) // numbers],
        ends=_spread({line.seat: y(line.values[-1]) for line in series}),
        x=x,
        y=y,
    )


def curves(name: str, series: Sequence[Curve], below: str, form: Callable[[float], str]) -> Markup:
    """Draw curves, at least one; `below` names the horizontal scale, `form` formats the vertical one."""
    values = [value for curve in series for _, value in curve.points]
    low, high = min(values), max(values)
    margin = max((high - low) * MARGIN, 1.0)
    low, high = low - margin, high + margin
    step = tick_step(high - low, MOST_TICKS, lambda step: form(step) != form(0))
    first = min(curve.points[0][0] for curve in series)
    last = max(max(curve.points[-1][0] for curve in series), first + 1)
    wide = max(int(tick_step(last - first, MOST_TICKS, lambda step: step >= 1)), 1)

    def x(number: float) -> float:
        return round(LINES.left + LINES.across * (number - first) / (last - first), 1)

    def y(value: float) -> float:
        return round(LINES.top + LINES.down * (high - value) / (high - low), 1)

    return _draw(
        "curves.svg",
        frame=LINES,
        name=name,
        description="; ".join(f"{curve.label}: {form(curve.points[-1][1])}" for curve in series),
        series=series,
        below=below,
        form=form,
        levels=[number * step for number in range(ceil(low / step), floor(high / step) + 1)],
        numbers=range(ceil(first / wide) * wide, last + 1, wide),
        ends=_spread({number: y(curve.points[-1][1]) for number, curve in enumerate(series)}),
        colours=COLOURS,
        x=x,
        y=y,
    )


def dots(name: str, series: Sequence[Dot], across: str, up: str, form: Callable[[float], str]) -> Markup:
    """Draw dots by two values around 0, named `across` and `up`; on the dashed line both are equal."""
    most = max(1.0, *(abs(value) for dot in series for value in (dot.x, dot.y))) * 1.08
    step = tick_step(2 * most, MOST_DOT_TICKS)

    def along(value: float) -> float:
        return round(EDGE + (SIDE - 2 * EDGE) * (value + most) / (2 * most), 1)

    places = [(along(dot.x), SIDE - along(dot.y)) for dot in series]
    ticks = [number * step for number in range(-int(most / step), int(most / step) + 1)]
    return _draw(
        "dots.svg",
        name=name,
        description="; ".join(dot.title for dot in series),
        dots=list(zip(series, places, _labels(places), strict=True)),
        ticks=[(form(tick), along(tick)) for tick in ticks],
        across=across,
        up=up,
        side=SIDE,
        margin=EDGE,
    )


def _labels(places: Sequence[tuple[float, float]]) -> list[tuple[float, float, str]]:
    """Return place and anchor of the label of each dot, where it covers as few dots and other labels as possible."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in places]
    labels = []
    for x, y in places:
        sides = ((x + 7, y + 4, "start"), (x - 7, y + 4, "end"), (x, y - 8, "middle"), (x, y + 15, "middle"))
        boxes = [_box(*side) for side in sides]
        best = min(range(len(sides)), key=lambda side: (sum(_overlap(boxes[side], box) for box in taken), side))
        taken.append(boxes[best])
        labels.append(sides[best])
    return labels


def _box(x: float, y: float, anchor: str) -> tuple[float, float, float, float]:
    left = x - {"start": 0, "middle": CODE / 2, "end": CODE}[anchor]
    return left, y - 9, left + CODE, y


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def histogram(name: str, counts: Mapping[int, int], low: int, high: int) -> Markup:
    """Draw how many games have each value, on a scale of values from `low` to `high`."""
    step = -(-(high - low + 1) // MOST_BARS)
    bars = []
    for first in range(low, high + 1, step):
        number = sum(counts.get(value, 0) for value in range(first, first + step))
        bars.append((first, number, f"{first}{f' to {first + step - 1}' if step > 1 else ''}: {number} games"))
    scale = TALL / max(number for _, number, _ in bars)
    return _draw(
        "histogram.svg",
        name=name,
        description="; ".join(title for *_, title in bars),
        bars=[(first, title, round(scale * number, 1)) for first, number, title in bars],
        wide=BAR,
        tall=TALL,
    )


def _spread(ends: Mapping[int, float]) -> dict[int, float]:
    """Return heights near the given ones that are LABEL_GAP apart and not below the chart."""
    order = sorted(ends, key=lambda seat: (ends[seat], seat))
    spread: dict[int, float] = {}
    free = 0.0
    for seat in order:
        spread[seat] = max(ends[seat], free)
        free = spread[seat] + LABEL_GAP
    limit = float(LINES.height - LINES.bottom)
    for seat in reversed(order):
        spread[seat] = round(min(spread[seat], limit), 1)
        limit = spread[seat] - LABEL_GAP
    return spread


def _draw(template: str, **values: Any) -> Markup:
    return Markup(TEMPLATES.get_template(template).render(values))
