"""Weights of policies and of the value of positions, read from the tables in data/.

`python -m tools.train_players` writes policy.csv, `python -m tools.train_value` value.csv.
"""

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

KNOTS: Final[list[float]] = [0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0]
"""Turns left between which weights of BENT are interpolated."""

BENT: Final = (
    "always", "active", "declined", "provinces", "spare", "landless", "landless_pawns", "landless_worth", "risk",
    "fading", "later", "later_fading", "ahead", "gap", "richest", "wait",
)  # fmt: skip
"""Features of a seat whose weights depend on the turns left: VP a turn of the active and of the declined empire; its
provinces and pawns beyond one each; whether it has none, its pawns then, and these times the mean VP of a province; VP
at risk before the next turn, of the declined empire too, and after it, of both; VP ahead of the best opponent and of
the mean of all; VP of the best province in reach; turns of others before the next one."""

STRAIGHT: Final = EFFECTS
"""More features of a seat: the copies of each effect of its active empire, and these times the turns left."""

VALUE: Final = (*((name, str(knot)) for knot in KNOTS for name in BENT), *((name, "") for name in STRAIGHT))
"""Lines of value.csv, each with a weight: feature and knot, if it depends on the turns left."""

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
    wanted = [(decision, feature) for decision, features in DECISIONS.items() for feature in features]
    found = iter(_numbers(name, ("decision", "feature"), wanted, [("take", effect) for effect in EFFECTS]))
    return {decision: [next(found) for _ in features] for decision, features in DECISIONS.items()}


@cache
def read_value(name: str = "value") -> list[float]:
    """Return the weights of the value of a position in the order of VALUE, as `read` does. Raises WeightsError."""
    return _numbers(name, ("feature", "turns"), VALUE, [(effect, "") for effect in EFFECTS])


def _numbers(
    name: str, key: tuple[str, str], wanted: Sequence[tuple[str, str]], optional: Sequence[tuple[str, str]]
) -> list[float]:
    """Return the weights of the wanted lines of a table; an optional one that is missing weighs 0."""
    table = DATA / f"{name}.csv"
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    given = dict.fromkeys(optional, "0")
    given |= {(row[key[0]], row[key[1]]): row["weight"] for row in csv.DictReader(lines)}
    if given.keys() != set(wanted):
        wrong = ", ".join(" ".join(key) for key in sorted(given.keys() ^ set(wanted)))
        raise WeightsError(
            f"{table}: one line for each feature of docs/players.md is needed; missing or unknown: {wrong}"
        )
    try:
        return [float(given[line]) for line in wanted]
    except ValueError as error:
        raise WeightsError(f"{table}: {error}") from None


def written(weights: Mapping[str, Sequence[float]], comments: Sequence[str]) -> str:
    """Return the text of the table; comments tell how the weights were trained."""
    lines = [(decision, feature) for decision, features in DECISIONS.items() for feature in features]
    return _table(
        "decision,feature", lines, [weight for decision in DECISIONS for weight in weights[decision]], comments
    )


def written_value(weights: Sequence[float], comments: Sequence[str]) -> str:
    """Return the text of the table of values; comments tell how the weights were fitted."""
    return _table("feature,turns", VALUE, weights, comments)


def _table(columns: str, lines: Sequence[tuple[str, str]], weights: Sequence[float], comments: Sequence[str]) -> str:
    text = [f"# {comment}" for comment in comments] + [f"{columns},weight"]
    text += [f"{first},{second},{weight:.4g}" for (first, second), weight in zip(lines, weights, strict=True)]
    return "\n".join(text) + "\n"
