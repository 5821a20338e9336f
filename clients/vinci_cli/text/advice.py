"""Sentences for the reasons of a suggestion, and for the comparison of an action with the best plan."""

from collections.abc import Mapping, Sequence
from typing import Final

from vinci.v1 import game_pb2 as pb

from .i18n import _, decimal, plural
from .moves import moves_text
from .names import Catalogue

MOST_SHOWN: Final = 4
"""Provinces of a prospect that are named."""


def words(plan: Sequence[str], market: Sequence[pb.MarketSlot], names: Catalogue) -> str:
    """Return actions in words, those in `plan` that have none as they are.

    Args:
        plan: actions of a turn in notation.
        market: the market that they take from.
        names: names of provinces, seats and traits.
    """
    slots = [int(number) for verb, _space, number in (action.partition(" ") for action in plan) if verb == "take"]
    takes = market[slots[0] - 1].traits if slots and 0 < slots[0] <= len(market) else ()
    return moves_text(plan, takes, names, defence=True) or "; ".join(plan)


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
    if advice.HasField("threat"):
        text = _("Main threat: {who} takes {provinces}, about {vp} VP a turn.")
        provinces = names.provinces_object(advice.threat.provinces)
        lines.append(text.format(who=names.seat(advice.threat.seat), provinces=provinces, vp=_number(advice.threat.vp)))
    if advice.HasField("decline") and 0 < advice.decline.slot <= len(market):
        lines.append(_decline(advice.decline, names.civilization(market[advice.decline.slot - 1].traits)))
    return [*lines, *_error(advice)]


def compared(advice: pb.Advice, market: Sequence[pb.MarketSlot], names: Catalogue) -> str:
    """Return how much worse or better the best plan that begins with the compared action is than the best of all."""
    comparison = advice.comparison
    if list(comparison.plan) == list(advice.plan):
        return " ".join([_("The best turn that was found begins so."), _expected(advice, names), *_error(advice)])
    text = _(
        "Compared with the best turn, which begins with {action}, the best one that begins so changes the lead over "
        "the best opponent by {margin} VP and the final VP by {vp}."
    )
    action = typed(advice.plan[0], market, names)
    told = text.format(action=action, margin=_signed(comparison.margin), vp=_signed(comparison.vp))
    return " ".join([told, *_error(advice)])


def prospect(found: pb.Prospect, names: Catalogue) -> str:
    """Return what a civilization could take and score on the board as it is now."""
    taken = len(found.provinces)
    if not taken:
        return plural("{n} VP a turn, without a conquest.", "{n} VP a turn, without a conquest.", found.vp)
    shown = names.provinces_text(found.provinces[:MOST_SHOWN]) + ("…" if taken > MOST_SHOWN else "")
    return plural(
        "Could take {n} province now ({provinces}) and score {vp} VP a turn.",
        "Could take {n} provinces now ({provinces}) and score {vp} VP a turn.",
        taken,
        provinces=shown,
        vp=found.vp,
    )


def futures(prospects: Mapping[int, pb.Prospect], market: Sequence[pb.MarketSlot], names: Catalogue) -> list[str]:
    """Return what follows if the present civilization goes on, and if it declines for the best new one."""
    lines = []
    if 0 in prospects:
        text = _("If you go on: {pawns} in hand, {vp} VP this turn from active land, {declined} in decline.")
        lines.append(text.format(pawns=prospects[0].pawns, vp=prospects[0].vp, declined=prospects[0].declined_vp))
    offered = [found for slot, found in prospects.items() if 0 < slot <= len(market)]
    if offered:
        best = max(offered, key=lambda found: found.vp + found.declined_vp - market[found.slot - 1].price)
        text = _("If you decline: {civilization} could score {vp} VP next turn, and {declined} in decline.")
        civilization = names.civilization(market[best.slot - 1].traits)
        lines.append(text.format(civilization=civilization, vp=best.vp, declined=best.declined_vp))
    return lines


def _expected(advice: pb.Advice, names: Catalogue) -> str:
    text = (
        _("At the end {who} has about {vp} VP, {margin} VP more than the best opponent, mostly {rival}.")
        if advice.margin.mean >= 0
        else _("At the end {who} has about {vp} VP, {margin} VP less than the best opponent, mostly {rival}.")
    )
    return text.format(
        who=names.seat(advice.seat),
        vp=_size(advice.vp),
        margin=_size(advice.margin),
        rival=names.seat(advice.rival),
    )


def _error(advice: pb.Advice) -> list[str]:
    """Return what ± means; nothing for a server that does not tell the number of simulations."""
    text = plural(
        "± is the error of the mean of {n} simulation; a single game can end much further from it.",
        "± is the error of the mean of {n} simulations; a single game can end much further from it.",
        advice.simulations,
    )
    return [text] if advice.simulations else []


def _decline(decline: pb.DeclineAdvice, civilization: str) -> str:
    if abs(decline.gain.mean) <= decline.gain.half_width:
        text = _("To decline now and take {civilization} is about as good as going on: {gain} VP.")
        return text.format(civilization=civilization, gain=_signed(decline.gain))
    text = (
        _("To decline now and take {civilization} is {gain} VP better than going on.")
        if decline.gain.mean > 0
        else _("To decline now and take {civilization} is {gain} VP worse than going on.")
    )
    return text.format(civilization=civilization, gain=_size(decline.gain))


def _size(estimate: pb.Estimate) -> str:
    """Return the size of a mean with the half width of its interval."""
    return f"{_number(abs(estimate.mean))} ± {_number(estimate.half_width)}"


def _signed(estimate: pb.Estimate) -> str:
    """Return a mean with its sign and the half width of its interval."""
    return f"{decimal(f'{round(estimate.mean, 1) + 0.0:+.1f}')} ± {_number(estimate.half_width)}"


def _number(number: float) -> str:
    return decimal(f"{number:.1f}")
