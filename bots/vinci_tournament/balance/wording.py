"""Text of a balance report, the same in every form."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from ..report.wording import Form, civilization, percent, signed, vp, whole
from .comparison import ArmReport, Comparison
from .inference import Effect

FIGURE_NAMES: Final = {
    "rounds": "Rounds",
    "lead_changes": "Lead changes",
    "lead": "Lead of the winner, VP",
    "winner_vp": "VP of the winner",
    "civilizations": "Civilizations of a seat",
}
"""Words for the figures of a game."""

TOO_FEW: Final = "There are too few games for effects, offers and costs of traits: play at least 100 of each arm."
NOTHING: Final = "Nothing differs significantly from the base."

difference: Final[Form] = partial(signed, digits=2)
"""Format a difference of a figure of games."""


def facts(comparison: Comparison) -> list[str]:
    """Return the settings and the state of the study, a few words each."""
    played = sum(arm.games for arm in comparison.arms)
    return [
        f"{played} of {comparison.planned} games",
        "complete" if comparison.complete else "incomplete",
        f"{' '.join(map(str, comparison.seats))} seats",
        f"bots {', '.join(comparison.bots)}",
        f"board {comparison.board}",
        f"seed {comparison.seed or 'secret until the study is complete'}",
        f"engine {comparison.engine}",
    ]


def findings(arm: ArmReport) -> list[str]:
    """Return what differs from the base as sentences or, for the base, which traits differ from the mean trait."""
    if arm.difference is None:
        return _of_base(arm)
    of = arm.difference
    worth = {name: effects["worth"] for name, effects in of.traits.items()}
    win = {name: effects["win"] for name, effects in of.traits.items()}
    pairs = {name: effects["worth"] for name, effects in of.pairs.items()}
    lines = [
        f"{FIGURE_NAMES[name]}{f', {seats} seats' if len(of.figures) > 1 else ''}: {whole(one.raw, difference)}"
        for seats, figures in of.figures.items()
        for name, one in figures.items()
        if one.is_found
    ]
    lines += _changes(worth, "worth", vp)
    lines += _changes(win, "percentage points of wins", points)
    lines += _changes(of.shares, "percentage points of offers taken", points)
    lines += _changes(of.costs, "cost", vp)
    lines += _changes(pairs, "worth of the pair beyond its traits", vp)
    lines += [] if of.traits else [TOO_FEW]
    return lines or [NOTHING]


def _of_base(arm: ArmReport) -> list[str]:
    found = [(trait.trait, trait.effects["worth"]) for trait in arm.traits if trait.effects]
    if not found:
        return [TOO_FEW]
    order = sorted((one for one in found if one[1].is_found), key=lambda one: -one[1].shrunk.value)
    most = [f"{_traits(code)} {whole(effect.shrunk, vp)}" for code, effect in order if effect.shrunk.value > 0]
    least = [f"{_traits(code)} {whole(effect.shrunk, vp)}" for code, effect in order[::-1] if effect.shrunk.value < 0]
    pairs = [pair for pair in arm.pairs if pair.effects["worth"].is_found]
    lines = [f"Worth more than the mean trait: {'; '.join(most)}"] if most else []
    lines += [f"Worth less than the mean trait: {'; '.join(least)}"] if least else []
    lines += [
        f"{civilization(one.traits)}: {whole(one.effects['worth'].shrunk, vp)} beyond its traits" for one in pairs
    ]
    return [*(lines or ["No trait differs significantly from the mean trait."]), *_of_places(arm)]


def _of_places(arm: ArmReport) -> list[str]:
    """Return the places in the order of play whose win shares differ from an even one, as sentences."""
    return [
        f"Place {place} of {seats} in the order of play wins {whole(arm.wins[seats][place - 1], percent)}; "
        f"an even share is {percent(1 / seats)}"
        for seats, places in arm.places.items()
        for place, effect in enumerate(places, start=1)
        if effect.is_found
    ]


def _changes(effects: Mapping[str, Effect], label: str, form: Form) -> list[str]:
    found = sorted((one for one in effects.items() if one[1].is_found), key=lambda one: one[1].p)
    return [f"{_traits(name)}, {label}: {whole(effect.raw, form)}" for name, effect in found]


def _traits(name: str) -> str:
    return civilization(name.split("+"))


def points(share: float) -> str:
    """Format a difference of shares in percentage points."""
    return signed(100 * share, 1)
