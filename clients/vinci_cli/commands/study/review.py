"""`vinci review`: the turns of a recorded game beside those that a search prefers."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from ...exceptions import Failed
from ...full.toolkit.plot import plot
from ...graphics import board_svg, html_report
from ...records.loader import lines_of, load
from ...review import pages
from ...review.lines import lines as review_lines
from ...review.model import parse, path_of
from ...text.i18n import _
from ...text.tables import WIDTH
from ..base import Command, flag, option
from ..options import json_option, path_option, stdin_option
from ..progress import Line

SIMULATIONS: Final = 400
CHART_ROWS: Final = 14


@click.command(
    cls=Command,
    epilog="""
    vinci review game.jsonl
    vinci review game.jsonl --seat 1 --simulations 800
    vinci review game.jsonl --html game.html
    vinci review game.jsonl --json --save
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@option(
    "--seat",
    "seats",
    least=1,
    most=6,
    multiple=True,
    help="Judge the turns of this seat only; repeat it for more seats.",
)
@option(
    "--simulations",
    least=20,
    most=100_000,
    default=SIMULATIONS,
    help="Simulations of each turn played, and of the one preferred: four times as many give half the intervals.",
)
@option("--seed", default="1", help="Seed of the review: the same one gives the same figures.")
@option("--workers", least=1, most=1024, help="Processes that work. Default: one for each core.")
@path_option("--html", help="Also write the game with its review as one HTML page.")
@flag("--save", help="Also keep the review beside the record, for vinci replay.")
@json_option
@stdin_option
def review(
    file: Path,
    seats: tuple[int, ...],
    simulations: int,
    seed: str,
    workers: int | None,
    html: Path | None,
    save: bool,
    as_json: bool,
    with_stdin: bool,
) -> None:
    """Review a recorded game: which turns lost VP, what was better, and who was lucky.

    Each turn is compared with the one that the player expert would search for, by simulations of both.
    """
    if with_stdin:
        from vinci_bots.runtime import on_closed_stdin

        on_closed_stdin(lambda: os._exit(0))  # nobody waits for the rest, and its workers end with it
    played = load(file)
    if played.fault:
        raise Failed(f"{file}: {played.fault}")
    lines: list[str] = []
    progress, number = Line(), 0
    try:
        for line in review_lines(lines_of(file), simulations, seed, seats, workers or os.cpu_count() or 1):
            number = number or line["turns"]
            shown = _("{done} of {number} turns reviewed").format(done=len(lines), number=number)
            progress.show(shown if len(lines) <= number else "")
            lines.append(json.dumps(line))
            if as_json:
                click.echo(lines[-1])
    except Failed as error:
        raise Failed(f"{file}: {error}") from None
    found = parse(lines)
    if not as_json:
        chart = plot(found.curves(), 0, 50, WIDTH - 1, CHART_ROWS)
        for text in pages.report(found, played.names, chart.text().split("\n")):
            click.echo(text)
    if save:
        path_of(file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if html is not None:
        board_svg.save(html, html_report.page(replace(played, review=found)))
