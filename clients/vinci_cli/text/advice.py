"""Sentences for the reasons of a suggestion, and for the comparison of an action with the best plan."""

from collections.abc import Mapping, Sequence
from typing import Any

from vinci.v1 import game_pb2 as pb

from .i18n import _, plural
from .moves import moves_text
from .names import Catalogue
from .sentences import sentence


def words(plan: Sequence[str], market: Sequence[pb.MarketSlot], names: Catalogue) -> str:
    """Return actions in words, those in `plan` that have none as they are.

    Args:
        plan: actions of a turn in notation.
        market: the market that they take from.
        names: names of provinces, seats and traits.
    """
    return moves_text(plan, _taken(plan, market), names, defence=True) or _("; ").join(plan)


def typed(action: str, market: Sequence[pb.MarketSlot], names: Catalogue) -> str:
    """Return an action in words, and how it is typed."""
    said = words([action], market, names)
    return said if said == action else f"{said} ({action})"


def reasons(advice: pb.Advice, market: Sequence[pb.MarketSlot], names: Catalogue) -> list[str]:
    """Return the plan for the turn, the result to expect, the main threat, the best decline and what ± means."""
    lines = []
    if len(advice.plan) > 1:
        lines.append(_("The whole turn: {plan}").format(plan=words(advice.plan, market, names)))
    lines.append(_expected(advice, names))
    if advice.plan and advice.plan[0].startswith("take "):
        lines += _next_taken(advice.next_taken, market, names)
        lines.append(sentence("taken_basis", {}, names))
    if advice.HasField("threat"):
        lines.append(sentence("threat", advice.threat, names))
    if advice.HasField("decline") and 0 < advice.decline.slot <= len(market):
        traits = market[advice.decline.slot - 1].traits
        lines.append(sentence("best_decline", _gained(traits, advice.decline.gain), names))
    return [*lines, *_error(advice)]


def compared(advice: pb.Advice, market: Sequence[pb.MarketSlot], names: Catalogue) -> str:
    """Return how much worse or better the best plan that begins with the compared action is than the best of all."""
    comparison = advice.comparison
    if comparison.plan[:1] == advice.plan[:1]:
        return " ".join([sentence("best_turn", {}, names), _expected(advice, names), *_error(advice)])
    other, best = (typed(plan[0], market, names) for plan in (comparison.plan, advice.plan))
    facts = {"other": other, "action": best, "margin": comparison.margin, "vp": comparison.vp}
    return " ".join([sentence("compared", facts, names), *_error(advice)])


def prospect(found: pb.Prospect, names: Catalogue) -> str:
    """Return what a civilization could take and score on the board as it is now."""
    return sentence("prospect", found, names)


def futures(prospects: Mapping[int, pb.Prospect], market: Sequence[pb.MarketSlot], names: Catalogue) -> list[str]:
    """Return what follows if the present civilization goes on, and if it declines for the best new one."""
    lines = []
    if 0 in prospects:
        present = prospects[0]
        lines.append(sentence("going_on", {**_facts(present), "pawns": present.pawns, "anew": present.anew}, names))
    offered = [found for slot, found in prospects.items() if 0 < slot <= len(market)]

    def paid(found: pb.Prospect) -> int:
        slot = market[found.slot - 1]
        return slot.price - 2 * slot.markers

    if offered:
        best = max(offered, key=lambda found: found.vp + found.declined_vp - paid(found))
        price = {"paid": max(paid(best), 0), "received": max(-paid(best), 0)}
        lines.append(sentence("declining", {**_facts(best), **price, "traits": market[best.slot - 1].traits}, names))
    if len(lines) > 1:
        lines.append(sentence("futures_basis", {}, names))
    return lines


def _facts(found: pb.Prospect) -> dict[str, Any]:
    scores = {"vp": found.vp, "once": found.once, "declined_vp": found.declined_vp}
    return {"all": found.vp + found.declined_vp, **scores}


def _taken(plan: Sequence[str], market: Sequence[pb.MarketSlot]) -> Sequence[str]:
    """Return the traits of the civilization that a plan takes; empty if it takes none of the market."""
    slots = [int(number) for verb, _space, number in (action.partition(" ") for action in plan) if verb == "take"]
    return market[slots[0] - 1].traits if slots and 0 < slots[0] <= len(market) else ()


def _next_taken(other: pb.ActionComparison, market: Sequence[pb.MarketSlot], names: Catalogue) -> list[str]:
    """Return how much worse the best plan with another civilization is; nothing if none is told."""
    traits = _taken(other.plan, market)
    return [sentence("next_taken", _gained(traits, other.margin), names)] if traits else []


def _gained(traits: Sequence[str], gain: pb.Estimate) -> dict[str, Any]:
    """Return the facts of a civilization that is taken: what it brings, and whether it is clearly better or worse."""
    clear = {"better": gain.mean > gain.half_width, "worse": -gain.mean > gain.half_width}
    return {"traits": traits, "gain": gain, **clear}


def _expected(advice: pb.Advice, names: Catalogue) -> str:
    is_behind = advice.margin.mean < 0
    facts = {"seat": advice.seat, "vp": advice.vp, "margin": advice.margin, "rival": advice.rival, "behind": is_behind}
    return sentence("expected", facts, names)


def _error(advice: pb.Advice) -> list[str]:
    """Return what ± means; nothing for a server that does not tell the number of simulations."""
    text = plural(
        "± is the error of the mean of {n} simulation; a single game can end much further from it.",
        "± is the error of the mean of {n} simulations; a single game can end much further from it.",
        advice.simulations,
    )
    return [text] if advice.simulations else []
