"""The report of a study as a document, laid out by `study.csv`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import fsum
from typing import Any, Final

from markupsafe import Markup

from vinci_html import charts
from vinci_html.charts import Cell, Dot

from ..report.document import Column, Document, Row, Starred, Table, Value, intervals, laid_out
from ..report.wording import INTERVAL, civilization, count, percent, plain, signed, vp, whole
from ..stats.values import Estimate
from .comparison import ArmReport, Comparison, PairReport, TraitReport
from .effects import OUTCOMES
from .inference import Effect
from .wording import FIGURE_NAMES, difference, facts, findings, points

MOST_PAIRS, MOST_LINES = 10, 8
"""Numbers of pairs in a chart and in a terminal, those with the least p-values."""

WORTH: Final = (
    "Worth: VP ahead of the mean of the others that taking the trait adds, relative to the mean trait, with all prices "
    "given back. Estimates are drawn towards 0 as far as their errors suggest (shrinkage)."
)
NAME: Final = Column("", brief="")
SEATS: Final = Column("Seats", count, "seats")
SHORT_NAMES: Final = ("rounds", "lead changes", "lead VP", "winner VP", "civilizations")
"""Heads for the figures of games in a terminal, in the order of FIGURE_NAMES."""

TRAITS: Final = (
    *(Column("Trait", brief=""), Column("Taken", count, "taken"), Column("Of offers", percent, "offers")),
    *(Column("Cost", vp, "cost"), Column("Worth", vp, "worth", vp), Column("Margin", vp, "margin")),
    *(Column("Wins, pp", points, "wins, pp"), Column("Change of worth", vp, "change")),
    *(Column("Change of offers, pp", points), Column("Change of cost", vp)),
)
PAIRS: Final = (NAME, Column(None, count, "taken"), Column(None, vp, "beyond", vp))


def study_document(comparison: Comparison) -> Document:
    """Return the report of a study as a document."""
    arms = comparison.arms
    names = [f"{arm.name}{'' if arm.difference else ' (base)'}" for arm in arms]
    traits = [Table(TRAITS, [_trait(arm, trait) for trait in _sorted(arm.traits)], 0) for arm in arms]
    values = {
        "base": arms[0].name if arms else "",
        "interval": INTERVAL,
        "hollow": "A hollow point does not differ from 0 by itself; a star marks a finding among all.",
        "worth": WORTH,
        "most": MOST_PAIRS,
        "findings": {name: [(line, ()) for line in findings(arm)] for name, arm in zip(names, arms, strict=True)},
        "traits": {arm.name: table for arm, table in zip(arms, traits, strict=True)},
        "brief_traits": {f"TRAITS: {arm.name}": table for arm, table in zip(arms, traits, strict=True)},
        **_games(arms),
        **_seats(arms, max(comparison.seats, default=0)),
        **_effects(arms),
    }
    return Document(
        title="Balance",
        style="study.css",
        facts=facts(comparison),
        sections=laid_out(__package__, "study.csv", values),
        files=(("balance.json", "JSON"), ("balance.csv", "effects as CSV"), ("balance.txt", "text")),
    )


def _games(arms: Sequence[ArmReport]) -> dict[str, Any]:
    """Return figures of games by arm and number of seats, and how they differ from the base."""
    of = [(arm, seats, [by[name] for name in FIGURE_NAMES]) for arm in arms for seats, by in arm.figures.items()]
    rows: list[Sequence[Value]] = [(arm.name, seats, *figures) for arm, seats, figures in of]
    short: list[Sequence[Value]] = [(arm.name, seats, *map(_with_reach, figures)) for arm, seats, figures in of]
    differences: dict[str, Any] = {}
    for name, title in FIGURE_NAMES.items():
        told = [
            _row(f"{arm.name}{f', {seats} seats' if len(arm.figures) > 1 else ''}", effects[name].raw, effects[name])
            for arm in arms
            if arm.difference
            for seats, effects in arm.difference.figures.items()
        ]
        differences |= {title: intervals(title, told, 0, difference)} if told else {}
    left_out = [f"{arm.name}: {arm.forfeits} games with a forfeit are left out" for arm in arms if arm.forfeits]
    return {
        "figures": Table((NAME, SEATS, *(Column(title, plain) for title in FIGURE_NAMES.values())), rows),
        "short_figures": Table((NAME, SEATS, *(Column(None, count, head) for head in SHORT_NAMES)), short, 0),
        "left_out": "; ".join(left_out),
        "differences": differences,
        "lengths": _histograms("Rounds", {arm.name: arm.lengths for arm in arms}),
        "leads": _histograms("Lead", {arm.name: arm.leads for arm in arms}),
    }


def _with_reach(estimate: Estimate) -> str:
    """Return a value with half the width of its interval, if there is one."""
    reach = f" ±{(estimate.high - estimate.low) / 2:.2f}" if estimate.is_told else ""
    return f"{estimate.value:.2f}{reach}"


def _histograms(name: str, counts: Mapping[str, Mapping[int, int]]) -> dict[str, Callable[[], Markup]]:
    """Return charts of the games of each arm by a value, on the same scale."""
    ends = [end for of in counts.values() for end in (min(of), max(of))]
    return {
        f"{name}: {arm}": partial(charts.histogram, f"{name}, {arm}", of, min(ends), max(ends))
        for arm, of in counts.items()
    }


def _seats(arms: Sequence[ArmReport], most: int) -> dict[str, Any]:
    of = [(arm.name, seats, wins) for arm in arms for seats, wins in arm.wins.items()]
    heads = (NAME, SEATS, *(Column(None, count, str(place)) for place in range(1, most + 1)))
    rows: list[Sequence[Value]] = [
        (arm, seats, *[whole(win, percent) for win in wins], *[""] * (most - seats)) for arm, seats, wins in of
    ]
    return {
        "wins": Table(heads, rows, 0),
        "win_charts": {
            f"{arm}, {seats} seats": intervals(
                f"Wins at {seats} seats",
                [(f"place {place}", win) for place, win in enumerate(wins, 1)],
                1 / seats,
                percent,
            )
            for arm, seats, wins in of
        },
    }


def _effects(arms: Sequence[ArmReport]) -> dict[str, Any]:
    """Return what traits and pairs of traits are worth, and what they cost; with effects of the base only."""
    worths, prices, changes, pairs, lists = {}, {}, {}, {}, {}
    measured = [arm for arm in arms if any(trait.effects for trait in arm.traits)]
    for arm in measured if measured[:1] == list(arms[:1]) else ():
        of_traits = [(trait.trait, trait.effects["worth"]) for trait in arm.traits if trait.effects]
        of_pairs = [("+".join(pair.traits), pair.effects["worth"]) for pair in _clearest(arm)]
        worths[arm.name] = _by_value(f"Worth of traits, {arm.name}", of_traits)
        prices[arm.name] = partial(charts.dots, "Worth and cost of traits", _dots(arm), "cost, VP", "worth, VP", signed)
        pairs[arm.name] = _by_value(f"Pairs, {arm.name}", of_pairs[:MOST_PAIRS])
        rows = [(civilization(pair.traits), pair.taken, _starred(pair.effects["worth"])) for pair in _clearest(arm)]
        lists[f"PAIRS: {arm.name}, that differ most from the sum of their traits"] = Table(PAIRS, rows[:MOST_LINES], 0)
        if arm.difference:
            of_traits = [(name, of["worth"]) for name, of in arm.difference.traits.items()]
            changes[arm.name] = _by_value(f"Change of worth, {arm.name}", of_traits, is_raw=True)
    return {
        "worths": worths,
        "prices": prices,
        "changes": changes,
        "pair_map": worths and partial(_pair_map, arms[0]),
        "pairs": pairs,
        "brief_pairs": lists,
    }


def _by_value(name: str, effects: Sequence[tuple[str, Effect]], *, is_raw: bool = False) -> Callable[[], Markup] | None:
    """Return a chart of effects of traits or pairs, the highest first."""
    rows = [_row(civilization(of.split("+")), one.raw if is_raw else one.shrunk, one) for of, one in effects]
    return intervals(name, sorted(rows, key=lambda row: -row[1].value), 0, vp)


def _row(label: str, estimate: Estimate, effect: Effect) -> Row:
    return label, estimate, "*" if effect.is_found else "", f"q {effect.q:.2g}"


def _sorted(traits: Iterable[TraitReport]) -> list[TraitReport]:
    """Return traits by worth, the highest first."""
    return sorted(traits, key=lambda one: -one.effects["worth"].shrunk.value if one.effects else 0.0)


def _clearest(arm: ArmReport) -> list[PairReport]:
    return sorted(arm.pairs, key=lambda pair: pair.effects["worth"].p)


def _dots(arm: ArmReport) -> list[Dot]:
    """Return worth against cost, both relative to the mean trait."""
    traits = [trait for trait in arm.traits if trait.effects]
    mean = fsum(trait.cost.value * trait.taken for trait in traits) / sum(trait.taken for trait in traits)
    dots = []
    for trait in traits:
        worth, cost = trait.effects["worth"], trait.cost.value - mean
        title = f"{civilization([trait.trait])}: worth {whole(worth.shrunk, vp)}, cost {vp(cost)}"
        dots.append(Dot(trait.trait, title, cost, worth.shrunk.value, worth.is_found))
    return dots


def _pair_map(arm: ArmReport) -> Markup:
    """Draw what both traits of a civilization are worth together."""
    worth = {trait.trait: trait.effects["worth"].shrunk.value for trait in _sorted(arm.traits) if trait.effects}
    sums = {(one, other): worth[one] + worth[other] for one in worth for other in worth if one != other}
    beyond = {pair.traits: pair.effects["worth"] for pair in arm.pairs}
    known = {both: beyond[pair] for both in sums if (pair := (min(both), max(both))) in beyond}
    for both, effect in known.items():
        sums[both] += effect.shrunk.value
    most = max(map(abs, sums.values()), default=0.0) or 1.0
    names = {code: civilization([code]) for code in worth}
    cells = {}
    for both, value in sums.items():
        title = f"{civilization(both)}: {vp(value)} VP"
        is_found = both in known and known[both].is_found
        cells[names[both[0]], names[both[1]]] = Cell(signed(value), value / most, title, is_found)
    return charts.heat_map("Worth of pairs", "The values are in the JSON.", list(names.values()), cells)


def _trait(arm: ArmReport, trait: TraitReport) -> Sequence[Value]:
    name = civilization([trait.trait]) + (" (changed)" if trait.trait in arm.changed else "")
    effects: list[Value] = [_starred(trait.effects[of]) for of in OUTCOMES if trait.effects] or [""] * len(OUTCOMES)
    changes: list[Value] = [""] * 3
    if arm.difference and (changed := arm.difference.traits.get(trait.trait)):
        shares, costs = arm.difference.shares[trait.trait], arm.difference.costs[trait.trait]
        changes = [_starred(effect) for effect in (changed["worth"], shares, costs)]
    return name, trait.taken, trait.share, trait.cost, *effects, *changes


def _starred(effect: Effect) -> Starred:
    return Starred(effect.shrunk, effect.is_found)
