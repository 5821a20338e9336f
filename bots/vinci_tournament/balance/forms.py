"""The forms of a balance report: text, JSON and CSV, and the page; `write` stores all of them."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from ..play.files import replace_file
from ..report.data import as_csv, plain
from ..report.terminal import table
from ..report.wording import between, civilization, percent, vp, whole
from ..stats.values import Estimate
from .comparison import ArmReport, Comparison, TraitReport
from .inference import Effect
from .page import page
from .wording import FIGURE_NAMES, FOUND, WORTH, facts, findings, points

VERSION: Final = 1
"""Version of the JSON; it grows when a key is removed or changes its meaning."""

HEADS: Final = (
    *("arm", "compared_with_base", "kind", "name", "taken", "outcome", "value", "low", "high"),
    *("shrunk", "shrunk_low", "shrunk_high", "p", "q"),
)
SHORT_NAMES: Final = ("rounds", "lead changes", "lead VP", "winner VP", "civilizations")
"""Heads for the figures of games, in the order of FIGURE_NAMES."""

_table: Final = partial(table, names=0)

SHOWN_PAIRS: Final = 8
"""Number of pairs in the text, those with the least q."""


def text(comparison: Comparison) -> str:
    """Return the report in lines for a terminal."""
    lines = ["BALANCE", " · ".join(facts(comparison)), "", "FINDINGS"]
    for arm in comparison.arms:
        lines += [f"{arm.name}{'' if arm.difference else ' (base)'}"]
        lines += [f"  {line}" for line in findings(arm)]
    lines += [FOUND, "", "GAMES: means with 95 % intervals"]
    rows = [
        [arm.name, str(seats), *[_with_reach(figures[name]) for name in FIGURE_NAMES]]
        for arm in comparison.arms
        for seats, figures in arm.figures.items()
    ]
    lines += _table(["", "seats", *SHORT_NAMES], rows)
    lines += [
        f"{arm.name}: {arm.forfeits} games with a forfeit are left out" for arm in comparison.arms if arm.forfeits
    ]
    lines += ["", "SEATS: wins by place in the order of play, with 95 % intervals"]
    lines += _table(
        ["", "seats", *map(str, range(1, max(comparison.seats, default=0) + 1))],
        [
            [arm.name, str(seats), *[whole(win, percent) for win in wins], *[""] * (max(comparison.seats) - seats)]
            for arm in comparison.arms
            for seats, wins in arm.wins.items()
        ],
    )
    for arm in comparison.arms:
        lines += ["", f"TRAITS: {arm.name}", *_traits(arm)]
    return "\n".join([*lines, "", WORTH, ""])


def _with_reach(estimate: Estimate) -> str:
    """Return a value with half the width of its interval, if there is one."""
    if not estimate.is_told:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} ±{(estimate.high - estimate.low) / 2:.2f}"


def _traits(arm: ArmReport) -> list[str]:
    order = sorted(arm.traits, key=lambda trait: -trait.effects["worth"].shrunk.value if trait.effects else 0.0)
    rows = [_trait(arm, trait) for trait in order]
    lines = _table(["", "taken", "offers", "cost", "worth", "", "margin", "wins, pp", "change"], rows)
    pairs = sorted(arm.pairs, key=lambda pair: pair.effects["worth"].p)[:SHOWN_PAIRS]
    if pairs:
        rows = [[civilization(pair.traits), str(pair.taken), *_worth(pair.effects["worth"])] for pair in pairs]
        lines += ["", "pairs that differ most from the sum of their traits", *_table(["", "taken", "beyond", ""], rows)]
    return lines


def _trait(arm: ArmReport, trait: TraitReport) -> list[str]:
    effects = ["", "", "", ""]
    if trait.effects:
        of = trait.effects
        effects = [*_worth(of["worth"]), vp(of["margin"].shrunk.value), points(of["win"].shrunk.value)]
    change = arm.difference.traits.get(trait.trait) if arm.difference else None
    changed = "" if change is None else "".join(_worth(change["worth"])[:1])
    name = civilization([trait.trait]) + (" (changed)" if trait.trait in arm.changed else "")
    taken = [str(trait.taken), percent(trait.share.value), vp(trait.cost.value)]
    return [name, *taken, *effects, changed]


def _worth(effect: Effect) -> list[str]:
    """Return the shrunk value, with a star if it is a finding, and its interval."""
    return [vp(effect.shrunk.value) + ("*" if effect.is_found else " "), f"({between(effect.shrunk, vp)})"]


def to_json(comparison: Comparison) -> str:
    """Return everything as JSON. Keys are names of fields; seats count from 0, places in the order of play from 1."""
    return json.dumps({"version": VERSION} | plain(comparison), indent=1, allow_nan=False) + "\n"


def to_csv(comparison: Comparison) -> str:
    """Return a row for each effect of each trait and pair, and for each difference to the base."""
    return as_csv([HEADS, *(row for arm in comparison.arms for row in _rows(arm))])


def _rows(arm: ArmReport) -> Iterator[Sequence[object]]:
    for trait in arm.traits:
        for outcome, effect in trait.effects.items():
            yield arm.name, "no", "trait", trait.trait, trait.taken, outcome, *_cells(effect)
        for outcome, estimate in (("share", trait.share), ("cost", trait.cost)):
            yield arm.name, "no", "trait", trait.trait, trait.taken, outcome, *estimate, "", "", "", "", ""
    for pair in arm.pairs:
        for outcome, effect in pair.effects.items():
            yield arm.name, "no", "pair", "+".join(pair.traits), pair.taken, outcome, *_cells(effect)
    for seats, figures in arm.figures.items():
        for name, estimate in figures.items():
            yield arm.name, "no", f"{seats} seats", name, "", "mean", *estimate, "", "", "", "", ""
    if (of := arm.difference) is None:
        return
    for kind, names in (("trait", of.traits), ("pair", of.pairs)):
        for name, effects in names.items():
            for outcome, effect in effects.items():
                yield arm.name, "yes", kind, name, "", outcome, *_cells(effect)
    changes = [("trait", "share", of.shares), ("trait", "cost", of.costs)]
    changes += [(f"{seats} seats", "mean", figures) for seats, figures in of.figures.items()]
    for kind, outcome, changed in changes:
        for name, effect in changed.items():
            yield arm.name, "yes", kind, name, "", outcome, *_cells(effect)


def _cells(effect: Effect) -> Sequence[object]:
    return *effect.raw, *effect.shrunk, f"{effect.p:.3g}", f"{effect.q:.3g}"


FILES: Final[dict[str, Callable[[Comparison], str]]] = {
    "balance.txt": text,
    "balance.json": to_json,
    "balance.csv": to_csv,
    "balance.html": page,
}


def write(comparison: Comparison, folder: Path) -> None:
    """Write all forms, each file atomically. Raises OSError."""
    for name, form in FILES.items():
        replace_file(folder / name, [form(comparison).encode()])
