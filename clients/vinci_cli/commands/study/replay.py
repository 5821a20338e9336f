"""`vinci replay`: recorded games in full screen, in words, as JSON or as an HTML page."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
from google.protobuf.json_format import MessageToDict

from vinci_rules import notation, position, record

from ...exceptions import Failed, Misused
from ...game.replay import PlayedGame
from ...graphics import animation, html_report
from ...graphics.board_svg import save
from ...records.loader import lines_of, load, notes_of, worded
from ...text.i18n import _
from .. import interface_choice
from ..base import Command, flag
from ..options import json_option, path_option, screen_options
from .positions import event_as_json


@click.command(
    cls=Command,
    epilog="""
    vinci replay game.jsonl
    vinci replay game.jsonl --line
    vinci replay game.jsonl --verify
    vinci replay game.jsonl --html game.html
    vinci replay game.jsonl --animate game.svg
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@flag("--verify", help="Also repeat all draws from the seed and all decisions of dummies.")
@path_option("--html", help="Write the game as one HTML page instead.")
@path_option("--animate", help="Write the game as an animated picture of 20 seconds (SVG) instead.")
@flag("--line", help="Describe it in lines, as without a terminal.")
@screen_options
@json_option
def replay(file: Path, verify: bool, html: Path | None, animate: Path | None, line: bool, as_json: bool) -> None:
    """Show a recorded game, in full screen in a terminal; names the first line that was changed."""
    written = {"--html": (html, html_report.page), "--animate": (animate, animation.picture)}
    wanted = {option: (path, draw) for option, (path, draw) in written.items() if path is not None}
    if wanted and (verify or line or as_json):
        raise Misused(
            _("{option} cannot be combined with --verify, --line or --json").format(option=next(iter(wanted)))
        )
    if wanted:
        with _loaded(file) as played:
            for path, draw in wanted.values():
                save(path, draw(played))
    elif verify or as_json or not interface_choice.fills_screen(line="full" if line else ""):
        if as_json:
            _print_as_json(file)
        else:
            _print_in_words(file)
        if verify:
            _verify(file, as_json=as_json)
    else:
        _show(file)


@contextmanager
def _loaded(path: Path) -> Iterator[PlayedGame]:
    """Load a game as far as it can be read, and warn of damaged notes. Raises Failed on leaving if it breaks off."""
    played = load(path)
    if played.doubt:
        click.echo(played.doubt, err=True)
    yield played
    if played.fault:
        raise Failed(f"{path}: {played.fault}")


def _print_in_words(path: Path) -> None:
    with _loaded(path) as played:
        game = played.from_start()
        while update := game.show_next():
            for line in (*played.noted(update), *(entry.text for entry in game.log)):
                click.echo(line)
            game.log.clear()
    if not game.is_over():
        click.echo(_("The record ends here; the game does not."))


def _print_as_json(path: Path) -> None:
    lines = lines_of(path)
    noted, doubt = notes_of(path, lines)
    if doubt:
        click.echo(doubt, err=True)
    try:
        for step in record.replay(lines):
            note = noted.get(step.line - 1)
            click.echo(json.dumps(_step(step) | ({} if note is None else {"note": MessageToDict(note)})))
    except record.RecordError as error:
        raise Failed(f"{path}: {worded(error)}") from None


def _verify(path: Path, *, as_json: bool) -> None:
    lines = lines_of(path)
    try:
        draws = record.verify_chance(lines)
    except record.RecordError as error:
        raise Failed(f"{path}: {worded(error)}") from None
    if not as_json:
        text = _("verified: {lines} unchanged lines, {draws} draws that follow from the seed")
        click.echo(text.format(lines=len(lines), draws=draws))


def _show(path: Path) -> None:
    from ...full.replay.page import look_back
    from ...full.ui import filled

    with _loaded(path) as played:

        async def show() -> None:
            async with filled() as ui:
                await look_back(ui.app, played, path.with_suffix(".html"), summary=False, record=path)

        with suppress(EOFError, asyncio.CancelledError):  # the terminal is gone, or the process is to end
            asyncio.run(show())


def _step(step: record.Step) -> dict[str, Any]:
    board = step.state.board
    return {
        "line": step.line,
        "seat": None if step.seat is None else step.seat + 1,
        "by": step.by,
        "action": None if step.action is None else notation.write(step.action, board),
        "events": [event_as_json(event, board) for event in step.events],
        "vp": list(step.state.vp),
        "position": position.write(step.state),
    }
