"""What the action that Enter would play costs and brings, or why it is refused; all of it is as the server says."""

from .. import words
from ..language import _, plural
from .game import Game
from .look import Preview
from .writing import Part, Row, flowed, headed, linked


def preview(game: Game, shown: Preview, columns: int) -> list[Row]:
    """Everything about an action before it is played."""
    rows: list[Row] = [headed(shown.action or _("Refused"), columns)]
    for parts in told(game, shown):
        rows += [[Part(" "), *row] for row in flowed(parts, columns - 1, 2)]
    return rows


def told(game: Game, shown: Preview) -> list[list[Part]]:
    """The same, a sentence each."""
    found: list[list[Part]] = []
    if shown.refusal is not None:
        found.append(linked(words.refusal(shown.refusal, game.names), "class:error"))
    if shown.cost:
        found.append(linked(words.cost(shown.cost), "class:title"))
    if shown.refusal is not None:
        return found
    before, after = shown.worth
    change = f"({after - before:+d})"
    text = _("Your empires are worth {before} VP now, {after} VP then {change}.")
    found.append([Part(text.format(before=before, after=after, change=change))])
    if len(shown.parts) > 1:
        text = plural(
            "It would be in {n} part, one of which stays:",
            "It would be in {n} parts, one of which stays:",
            len(shown.parts),
        )
        parts = [Part(text, "class:error")]
        for part in shown.parts:
            parts += [Part(f" [{' '.join(part)}]", "class:hint")]
        found.append(parts)
    for event in shown.events:
        text = words.event(event, game.names)
        rule = words.rule_of(event)
        if text:
            is_loss = event.WhichOneof("kind") in ("evacuated", "decline_vanished", "abandoned")
            found.append(
                [
                    Part(text, "class:error" if is_loss else ""),
                    *([Part(" "), Part(rule, "class:hint", f"rule {rule}")] if rule else []),
                ]
            )
    return found
