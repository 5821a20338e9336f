"""The forms of a balance report: text, JSON and CSV, and the page; `write` stores all of them."""

import json
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import Final

from ..play.files import replace_file
from ..report.data import as_csv, plain
from ..report.page import page
from ..report.terminal import terminal
from .comparison import ArmReport, Comparison
from .inference import Effect
from .sections import study_document

VERSION: Final = 1
"""Version of the JSON; it grows when a key is removed or changes its meaning."""

HEADS: Final = (
    *("arm", "compared_with_base", "kind", "name", "taken", "outcome", "value", "low", "high"),
    *("shrunk", "shrunk_low", "shrunk_high", "p", "q"),
)


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


def text(comparison: Comparison) -> str:
    """Return the report in lines of any length."""
    return terminal(study_document(comparison)._replace(title="BALANCE"), inf)


FILES: Final[dict[str, Callable[[Comparison], str]]] = {
    "balance.txt": text,
    "balance.json": to_json,
    "balance.csv": to_csv,
    "balance.html": lambda comparison: page(study_document(comparison)),
}


def write(comparison: Comparison, folder: Path) -> None:
    """Write all forms, each file atomically. Raises OSError."""
    for name, form in FILES.items():
        replace_file(folder / name, [form(comparison).encode()])
