"""Preview by the server of the action that Enter plays: its cost and effects, or why it is refused."""

from collections.abc import Collection
from typing import Final

from ....game.client_match import ClientMatch
from ....text import advice, events
from ....text.i18n import _
from ....text.sentences import sentence, signed
from ...toolkit.text import TIE, Row, Segment, linked, section
from ..ui_state import Preview

LOSSES: Final = ("evacuated", "decline_vanished", "abandoned", "empire_collapsed")
"""Kinds of events that come first, as they are easily overlooked."""

PLACED: Final = ("reorganised", "redeployed")
"""Kinds of events that come last, as they only repeat the placement."""


def preview(game: ClientMatch, shown: Preview, columns: int) -> list[Row]:
    """The preview with its heading."""
    return section(shown.action or _("Not possible"), sentences(game, shown), columns)


def sentences(game: ClientMatch, shown: Preview, *, is_brief: bool = False) -> list[list[Segment]]:
    """The contents, one sentence each; `is_brief` without the placement, which the map shows.

    A refusal is no error here: nobody has asked for the action yet.
    """
    lines: list[list[Segment]] = []
    if shown.refusal is not None:
        lines.append(linked(events.refusal(shown.refusal, game.names)))
    if shown.cost:
        lines.append(linked(events.cost(shown.cost, game.names), "class:title"))
    if shown.refusal is not None:
        return lines
    if len(shown.parts) > 1:
        lines.append([Segment(_("Your empire would lie in parts, and only one of them stays:"), "class:error")])
        lines[-1] += [Segment(f" [{TIE.join(part)}]", "class:hint") for part in shown.parts]
    if shown.held is not None:
        lines.append([Segment(events.held(*shown.held), "class:error")])
    lines += _events(game, shown, LOSSES, "class:error")
    before, after = shown.worth
    if shown.cost or before != after:
        text = _("Worth {before} VP now, {after} VP then ({change}).")
        lines.append([Segment(text.format(before=before, after=after, change=signed(after - before)))])
    apart = (*LOSSES, *PLACED, "turn_started")  # the turn that starts is that of the next seat
    others = {event.WhichOneof("kind") or "" for event in shown.events} - {*apart}
    if game.state is not None and any(event.HasField("declined") for event in shown.events):
        if game.state.last_round:
            futures = [sentence("last_decline", {}, game.names)]
        else:
            futures = advice.futures(game.prospects, game.state.market, game.names)
        lines += [[Segment(text, "class:hint")] for text in futures]
    return [*lines, *_events(game, shown, others), *([] if is_brief else _events(game, shown, PLACED))]


def _events(game: ClientMatch, shown: Preview, kinds: Collection[str], style: str = "") -> list[list[Segment]]:
    """Events of these kinds, each with its rule."""
    chosen = [event for event in shown.events if event.WhichOneof("kind") in kinds]
    texts = [(events.event(event, game.names, ahead=True), events.rule_of(event)) for event in chosen]
    return [[Segment(text, style), Segment(" "), *linked(rule)] for text, rule in texts if text]
