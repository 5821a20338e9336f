"""The balance report as one HTML page with charts. Its layout is in `balance.html`."""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Final, NamedTuple

from markupsafe import Markup

from vinci_html import charts
from vinci_html.charts import Cell, Interval
from vinci_html.pages import environment
from vinci_html.text import tick_step
from vinci_rules.traits import KINDS, TRAIT_BY_CODE

from ..report.page import interval
from ..report.wording import INTERVAL, Form, between, civilization, percent, plain, signed, vp, whole
from ..stats.values import Estimate
from . import wording
from .comparison import ArmReport, Comparison
from .inference import Effect
from .wording import difference, points

MOST_PAIRS: Final = 10
"""Number of pairs shown in a chart, those with the least p-values."""

SIDE: Final = 480
"""Width and height of the chart of costs, in SVG units."""
MARGIN: Final = 34
WIDE: Final = 24
"""Width of the code of a trait."""
MOST_TICKS: Final = 8
MOST_BARS: Final = 24
"""Maximum number of bars of a histogram; more values are put together."""
BAR, TALL = 14, 90
"""Width of a bar of a histogram with its gap, and height of the tallest."""

TITLES: Final = {
    "findings": "Findings",
    "games": "Games",
    "seats": "Seats",
    "traits": "Traits",
    "prices": "Prices",
    "changes": "Changes",
    "pairs": "Pairs",
    "values": "All values",
}
"""Titles of the sections by id."""


class Dot(NamedTuple):
    """A trait in the chart of costs, in SVG units; its label is beside it, at the place that the anchor says."""

    code: str
    title: str
    x: float
    y: float
    is_found: bool
    label: tuple[float, float, str]


class Bar(NamedTuple):
    """A bar of a histogram: its first value, its title, and its height in SVG units."""

    first: int
    title: str
    height: float


def page(comparison: Comparison) -> str:
    """Return the page."""
    base = comparison.arms[0] if comparison.arms else None
    has_effects = base is not None and any(trait.effects for trait in base.traits)
    compared = [arm for arm in comparison.arms if arm.difference and arm.difference.traits]
    left_out = set() if has_effects else {"traits", "prices", "pairs"}
    left_out |= set() if compared else {"changes"}
    return PAGES.get_template("balance.html").render(
        language="en",
        style="balance.css",
        title="Balance",
        titles=TITLES,
        sections=[name for name in TITLES if base and name not in left_out],
        comparison=comparison,
        arms=comparison.arms,
        compared=compared,
        base=base,
    )


def name_of(code: str) -> str:
    """Return the English name of a trait."""
    return KINDS[TRAIT_BY_CODE[code]].names["en"]


def figures(arms: Sequence[ArmReport], figure: str) -> Markup:
    """Draw how much a figure of games differs from the base in each of these arms, by number of seats."""
    of = [
        (f"{arm.name}{f', {seats} seats' if len(arm.figures) > 1 else ''}", of_seats[figure])
        for arm in arms
        if arm.difference
        for seats, of_seats in arm.difference.figures.items()
    ]
    rows = [_interval(name, effect.raw, difference, effect) for name, effect in of]
    return charts.intervals(wording.FIGURE_NAMES[figure], rows, 0, difference)


def wins(arm: ArmReport, seats: int) -> Markup:
    """Draw the win shares of an arm by place in the order of play."""
    rows = [interval(f"place {place}", win, percent) for place, win in enumerate(arm.wins[seats], 1)]
    return charts.intervals(f"Wins at {seats} seats", rows, 1 / seats, percent)


def worths(arm: ArmReport) -> Markup:
    """Draw what the traits of an arm are worth, the most first."""
    order = sorted((trait for trait in arm.traits if trait.effects), key=lambda trait: -_worth(trait.effects))
    rows = [
        _interval(name_of(trait.trait), trait.effects["worth"].shrunk, vp, trait.effects["worth"]) for trait in order
    ]
    return charts.intervals(f"Worth of traits, {arm.name}", rows, 0, vp)


def changes(arm: ArmReport) -> Markup:
    """Draw how much more the traits are worth in an arm than in the base."""
    effects = {} if arm.difference is None else arm.difference.traits
    order = sorted(effects, key=lambda name: -effects[name]["worth"].raw.value)
    rows = [_interval(name_of(name), effects[name]["worth"].raw, vp, effects[name]["worth"]) for name in order]
    return charts.intervals(f"Change of worth, {arm.name}", rows, 0, vp)


def pairs(arm: ArmReport) -> Markup:
    """Draw the pairs of an arm that differ most clearly from the sum of their traits."""
    order = sorted(arm.pairs, key=lambda pair: pair.effects["worth"].p)[:MOST_PAIRS]
    rows = [
        _interval(civilization(pair.traits), pair.effects["worth"].shrunk, vp, pair.effects["worth"])
        for pair in sorted(order, key=lambda pair: -_worth(pair.effects))
    ]
    return charts.intervals(f"Pairs, {arm.name}", rows, 0, vp) if rows else Markup()


def pair_map(arm: ArmReport) -> Markup:
    """Draw a heat map of what both traits of a civilization are worth together."""
    worth = {trait.trait: _worth(trait.effects) for trait in arm.traits if trait.effects}
    beyond = {pair.traits: pair.effects["worth"] for pair in arm.pairs}
    names = sorted(worth, key=lambda code: -worth[code])
    sums = {(one, other): worth[one] + worth[other] for one in names for other in names if one != other}
    for one, other in sums:
        if known := beyond.get((min(one, other), max(one, other))):
            sums[one, other] += known.shrunk.value
    most = max(map(abs, sums.values()), default=0.0) or 1.0
    cells = {
        (name_of(one), name_of(other)): Cell(
            signed(value),
            value / most,
            f"{civilization((one, other))}: {vp(value)} VP",
            (pair := beyond.get((min(one, other), max(one, other)))) is not None and pair.is_found,
        )
        for (one, other), value in sums.items()
    }
    return charts.heat_map("Worth of pairs", "The values are in the JSON.", [name_of(code) for code in names], cells)


def costs(arm: ArmReport) -> Markup:
    """Draw worth against cost, both relative to the mean trait; the dashed line is a fair price."""
    traits = [trait for trait in arm.traits if trait.effects]
    taken = sum(trait.taken for trait in traits)
    mean = fsum(trait.cost.value * trait.taken for trait in traits) / taken
    values = [(trait.cost.value - mean, _worth(trait.effects)) for trait in traits]
    most = max(1.0, *(abs(value) for pair in values for value in pair)) * 1.08
    step = tick_step(2 * most, MOST_TICKS)

    def along(value: float) -> float:
        return round(MARGIN + (SIDE - 2 * MARGIN) * (value + most) / (2 * most), 1)

    places = [(along(cost), SIDE - along(worth)) for cost, worth in values]
    labels = _labels(places)
    dots = [
        Dot(
            trait.trait,
            f"{name_of(trait.trait)}: worth {whole(trait.effects['worth'].shrunk, vp)}, cost {vp(cost)}",
            *place,
            trait.effects["worth"].is_found,
            label,
        )
        for trait, (cost, _), place, label in zip(traits, values, places, labels, strict=True)
    ]
    ticks = [number * step for number in range(-int(most / step), int(most / step) + 1)]
    return _draw(
        "costs.svg", dots=dots, ticks=[(signed(tick), along(tick)) for tick in ticks], side=SIDE, margin=MARGIN
    )


def _labels(dots: Sequence[tuple[float, float]]) -> list[tuple[float, float, str]]:
    """Return a place beside each dot for its label, where it covers as few dots and other labels as possible."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in dots]
    labels = []
    for x, y in dots:
        sides = ((x + 7, y + 4, "start"), (x - 7, y + 4, "end"), (x, y - 8, "middle"), (x, y + 15, "middle"))
        boxes = [_box(*side) for side in sides]
        best = min(range(len(sides)), key=lambda side: (sum(_overlap(boxes[side], box) for box in taken), side))
        taken.append(boxes[best])
        labels.append(sides[best])
    return labels


def _box(x: float, y: float, anchor: str) -> tuple[float, float, float, float]:
    left = x - {"start": 0, "middle": WIDE / 2, "end": WIDE}[anchor]
    return left, y - 9, left + WIDE, y


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def histogram(name: str, counts: Mapping[int, int], others: Sequence[Mapping[int, int]]) -> Markup:
    """Draw how many games have each value; the scale is that of all `others` too."""
    low, high = min(map(min, others)), max(map(max, others))
    step = -(-(high - low + 1) // MOST_BARS)
    sums = [sum(counts.get(value, 0) for value in range(first, first + step)) for first in range(low, high + 1, step)]
    tallest = max(sums)
    bars = [
        Bar(
            first,
            f"{first}{f' to {first + step - 1}' if step > 1 else ''}: {number} games",
            round(TALL * number / tallest, 1),
        )
        for first, number in zip(range(low, high + 1, step), sums, strict=True)
    ]
    return _draw("histogram.svg", name=name, bars=bars, wide=BAR, tall=TALL)


def _worth(effects: Mapping[str, Effect]) -> float:
    return effects["worth"].shrunk.value


def _interval(label: str, estimate: Estimate, form: Form, effect: Effect) -> Interval:
    return interval(label, estimate, form, "*" if effect.is_found else "", f"q {effect.q:.2g}")


def _draw(template: str, **values: object) -> Markup:
    return Markup(PAGES.get_template(template).render(values))


PAGES: Final = environment("vinci_tournament.balance", "vinci_tournament.report")
PAGES.globals |= {"wording": wording, "INTERVAL": INTERVAL, "plain": plain, "vp": vp}
PAGES.globals |= {
    each.__name__: each
    for each in (
        *(between, changes, civilization, costs, figures, histogram, name_of, pair_map, pairs, percent, points, whole),
        *(wins, worths),
    )
}
