"""Weights of policies, read from data/policy.csv, which `python -m tools.train_players` writes, and simulations.csv."""

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from vinci_rules.traits import EFFECT_NAMES

CONQUEST: Final = ("value", "price", "worthless", "active", "leader", "declined", "own", "foes", "free", "stop", "last")
"""Features of a conquest: VP, pawns, whether it is worth nothing, is held by an active empire, by the best opponent or
by a declined empire; neighbours that are own, of active foes, others; the merit of stopping; VP in the last round."""

EFFECTS: Final = (*EFFECT_NAMES, *(f"{name}_turns" for name in EFFECT_NAMES))
TAKE: Final = ("vp", "strength", "strength_turns", *EFFECTS)
"""Features of a civilization: VP on it less its price, its strength and the copies of each effect, once as they are and
once times the rounds left."""

DECLINE: Final = (
    "always", "turns", "here", "fading", "pawns", "renaissance",
    "here_turns", "fading_turns", "pawns_turns", "new_turns",
)  # fmt: skip
"""Features of a decline: rounds left, VP of the active and of the declined empire, free pawns, whether it comes after
scoring; three of them, and the pawns of a new civilization, times the rounds left."""

DECISIONS: Final = {"conquest": CONQUEST, "take": TAKE, "decline": DECLINE}
DATA: Final = files("vinci_players") / "data"


class WeightsError(ValueError):
    """The table of weights does not have a number for each feature."""


@cache
def read(name: str = "policy") -> dict[str, list[float]]:
    """Return the weights of each decision in the order of its features, from a table.

    An effect without lines weighs 0: a new trait plays until it is trained, by its strength and the VP on it.

    Raises:
        WeightsError: any other line is missing, or a line is unknown or without a number.
    """
    table = DATA / f"{name}.csv"
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    given = {(row["decision"], row["feature"]): row["weight"] for row in csv.DictReader(lines)}
    wanted = [(decision, feature) for decision, features in DECISIONS.items() for feature in features]
    given = {("take", effect): "0" for effect in EFFECTS} | given
    if given.keys() != set(wanted):
        wrong = ", ".join(" ".join(key) for key in sorted(given.keys() ^ set(wanted)))
        raise WeightsError(
            f"{table}: one line for each feature of docs/players.md is needed; missing or unknown: {wrong}"
        )
    try:
        return {name: [float(given[name, feature]) for feature in features] for name, features in DECISIONS.items()}
    except ValueError as error:
        raise WeightsError(f"{table}: {error}") from None


def written(weights: Mapping[str, Sequence[float]], comments: Sequence[str]) -> str:
    """Return the text of the table; comments tell how the weights were trained."""
    lines = [f"# {comment}" for comment in comments] + ["decision,feature,weight"]
    for decision, features in DECISIONS.items():
        values = zip(features, weights[decision], strict=True)
        lines += [f"{decision},{feature},{weight:.4g}" for feature, weight in values]
    return "\n".join(lines) + "\n"
