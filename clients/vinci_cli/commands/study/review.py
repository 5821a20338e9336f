"""`vinci review`: the turns of a recorded game beside those that a search prefers."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from vinci_tournament.play.worker_pool import Processes

from ...exceptions import Failed
from ...full.toolkit.plot import plot
from ...game.replay import PlayedGame
from ...graphics import html_report
from ...records.loader import lines_of, load
from ...records.reviewing import Reviewing
from ...review import report
from ...review.model import GameReview, parse, path_of
from ...text.i18n import _
from ...text.tables import WIDTH, plain
from ..base import Command, option
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
    type=click.IntRange(1, 6),
    multiple=True,
    help="Judge the turns of this seat only; repeat it for more seats.",
)
@option(
    "--simulations",
    type=click.IntRange(20, 100_000),
    default=SIMULATIONS,
    show_default=True,
    help="Simulations of each turn played, and of the one preferred: four times as many give half the intervals.",
)
@option("--seed", default="1", show_default=True, help="Seed of the review: the same one gives the same figures.")
@option("--workers", type=click.IntRange(1, 1024), help="Processes that work. Default: one for each core.")
@path_option("--html", help="Also write the game with its review as one HTML page.")
@option("--save", is_flag=True, help="Also keep the review beside the record, for vinci replay.")
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
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    played = load(file)
    if played.fault:
        raise Failed(f"{file}: {played.fault}")
    lines = []
    try:
        reviewing = Reviewing(lines_of(file), simulations, seed, seats)
    except Failed as error:
        raise Failed(f"{file}: {error}") from None
    for line in _reviewed(file, reviewing, workers or os.cpu_count() or 1):
        lines.append(json.dumps(line))
        if as_json:
            click.echo(lines[-1])
    found = parse(lines)
    if not as_json:
        _print(found, played)
    if save:
        path_of(file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if html is not None:
        html_report.save(html, replace(played, review=found))


def _end_with_stdin() -> None:
    """End this process when its standard input closes, at once: nobody waits for the rest. Its workers end with it."""
    while os.read(sys.stdin.fileno(), 4096):  # without a buffer, whose lock would be held at the end of the process
        pass
    os._exit(0)


def _reviewed(file: Path, reviewing: Reviewing, workers: int) -> Iterator[dict[str, Any]]:
    """Yield the lines of a review, and show the progress on standard error."""
    progress, number = Line(), len(reviewing.turns)
    try:
        with _pool(min(workers, number)) as pool:
            for place, line in enumerate(reviewing.lines(pool)):
                shown = _("{done} of {number} turns reviewed").format(done=min(place, number), number=number)
                progress.show(shown if place <= number else "")
                yield line
    except Failed as error:
        raise Failed(f"{file}: {error}") from None


@contextmanager
def _pool(workers: int) -> Iterator[Processes | None]:
    """Start worker processes, none for a single one; they end at the latest with this process."""
    if workers == 1:
        yield None
        return
    pool = Processes(workers)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _print(found: GameReview, played: PlayedGame) -> None:
    """Print a review: players, chances, turning points, turns."""
    names = played.names
    chart = plot(found.curves(), 0, 50, WIDTH - 1, CHART_ROWS)
    for line in (
        *report.players(found, names),
        "",
        *report.explanation(found),
        "",
        _("Chance of the first place in percent, after each round"),
        *(plain(chart_line).rstrip() for chart_line in chart.lines),
        *report.points(found, names),
        *report.turns(found, names),
    ):
        click.echo(line)
