"""`vinci analyze` and `vinci board`: what can be done in a position, and pictures of boards."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from google.protobuf.json_format import MessageToDict

from vinci_codec import catalogue as messages
from vinci_codec import events, states
from vinci_codec.catalogue import board_map
from vinci_codec.events import refusal
from vinci_rules import notation, position
from vinci_rules.board import DEFAULT_BOARD, Board, load_board
from vinci_rules.chance import FairChance
from vinci_rules.engine import apply, check, explain
from vinci_rules.events import Event
from vinci_rules.state import State

from ...connection.match_request import text_or_file
from ...exceptions import Misused
from ...graphics import board_svg
from ...records.loader import names_of
from ...text import events as words
from ...text import refusals
from ...text.i18n import _
from ..base import Command, flag, option
from ..options import json_option, path_option


@click.command(
    cls=Command,
    epilog="""
    vinci analyze --legal --json --position "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    vinci analyze --position game.txt --action "x COL" --action "hold ARA=6 COL=5"
    """,
)
@option("--position", "given", required=True, help="The position: text, a file, or - for standard input.")
@flag("--legal", help="What is legal, with costs; the default without --action.")
@option("--action", "actions", multiple=True, help="Play this; several are played in order.")
@json_option
def analyze(given: str, legal: bool, actions: tuple[str, ...], as_json: bool) -> None:
    """Show what can be done in a position, what an action does there, or why it is illegal."""
    try:
        state = position.read(text_or_file(given))
    except position.PositionError as error:
        if as_json:
            click.echo(json.dumps({"faults": error.faults}))
        raise _impossible(error) from None
    answer: dict[str, Any] = {"position": position.write(state)}
    if actions:
        answer |= _play(state, actions, as_json=as_json)
    if legal or not actions:
        answer["legal"] = MessageToDict(states.legal(state), preserving_proto_field_name=True)
        if not as_json:
            click.echo(json.dumps(answer["legal"], indent=1))
    if as_json:
        click.echo(json.dumps(answer))
    elif actions and "violation" not in answer:
        click.echo(answer["position"])
    if "error" in answer:
        raise Misused(answer["error"])
    if "violation" in answer:
        sys.exit(1)


def _play(state: State, texts: Sequence[str], *, as_json: bool) -> dict[str, Any]:
    """Play actions up to the first that is not legal; returns their costs and events, and the position."""
    chance, names = FairChance("analysis"), names_of(state.board)
    steps: list[dict[str, Any]] = []
    outcome: dict[str, Any] = {"steps": steps}
    for text in texts:
        try:
            action = notation.read(text, state.board)
        except notation.NotationError as error:
            outcome["error"] = f"{text!r}: {refusals.sentence(error, names.province)}"
            break
        cost = dict(explain(state, action))
        violation = check(state, action)
        if violation is not None:
            message = refusal(violation, state.board)
            facts = {"action": text, "rule": message.rule, "reason": message.reason, "facts": dict(message.facts)}
            if not as_json:
                click.echo(f"{text}: {words.refusal(message, names)}")
            outcome["violation"] = facts | {"cost": cost}
            break
        happened: list[Event] = []
        apply(state, action, chance, happened)
        shown = [event_as_json(event, state.board) for event in happened]
        steps.append({"action": notation.write(action, state.board), "cost": cost, "events": shown})
        if not as_json:
            for event in happened:
                for line in words.event_lines(events.event(event, state.board), names):
                    click.echo(line)
    return outcome | {"position": position.write(state)}


def event_as_json(event: Event, board: Board) -> dict[str, Any]:
    """Return an event as JSON, with the names of the protocol."""
    fields: dict[str, Any] = MessageToDict(
        events.event(event, board), preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return fields


@click.command(
    cls=Command,
    epilog="""
    vinci board --svg europe.svg
    vinci board --svg game.svg --position "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    """,
)
@path_option("--svg", "file", required=True, help="The file to write, a picture in SVG.")
@option("--board", help="The empty board of this name; without it, the default board or that of the position.")
@option("--position", "given", help="A position on its board: text, a file, or - for standard input.")
def board(file: Path, board: str, given: str) -> None:
    """Draw a board, empty or with a position on it."""
    if board and given:
        raise Misused(_("--board cannot be combined with --position, which names its board"))
    text = text_or_file(given)
    try:
        state = position.read(text) if text else None
        shown = load_board(board or DEFAULT_BOARD) if state is None else state.board
    except position.PositionError as error:
        raise _impossible(error) from None
    except ValueError as error:
        raise Misused(str(error)) from None
    message = None if state is None else states.state(state)
    picture = board_svg.svg(board_map(shown.name), messages.board(shown), message, names_of(shown))
    board_svg.save(file, picture)


def _impossible(error: position.PositionError) -> Misused:
    """Return the error for a position that cannot be, with its faults line by line."""
    faults = "\n".join(f"  {fault}" for fault in error.faults)
    return Misused(f"{_('impossible position:')}\n{faults}")
