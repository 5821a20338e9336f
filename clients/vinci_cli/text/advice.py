"""Sentences for the reasons of a suggestion, and for the comparison of an action with the best plan."""

from collections.abc import Sequence

from vinci.v1 import game_pb2 as pb

from .i18n import _, decimal
from .names import Catalogue


def reasons(advice: pb.Advice, market: Sequence[pb.MarketSlot], names: Catalogue) -> list[str]:
    """Return the plan for the turn, the result to expect, the main threat and the best decline, a sentence each."""
    lines = []
    if len(advice.plan) > 1:
        lines.append(_("The whole turn: {plan}").format(plan="; ".join(advice.plan)))
    lines.append(_expected(advice, names))
    if advice.HasField("threat"):
        text = _("Main threat: {who} takes {provinces}, about {vp} VP a turn.")
        provinces = names.provinces_object(advice.threat.provinces)
        lines.append(text.format(who=names.seat(advice.threat.seat), provinces=provinces, vp=_number(advice.threat.vp)))
    if advice.HasField("decline") and 0 < advice.decline.slot <= len(market):
        lines.append(_decline(advice.decline, names.civilization(market[advice.decline.slot - 1].traits)))
    return lines


def compared(advice: pb.Advice, names: Catalogue) -> str:
    """Return how much worse or better the best plan that begins with the compared action is than the best of all."""
    comparison = advice.comparison
    if list(comparison.plan) == list(advice.plan):
        return _("The best turn that was found begins so.") + " " + _expected(advice, names)
    text = _(
        "Compared with the best turn, which begins with {action}, the best one that begins so changes the lead over "
        "the best opponent by {margin} VP and the final VP by {vp}."
    )
    return text.format(action=advice.plan[0], margin=_signed(comparison.margin), vp=_signed(comparison.vp))


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
