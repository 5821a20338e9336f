"""Implements the commands of `vinci tournament`. Their output is in English only; see docs/tournaments.md."""

import json
import os
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from vinci_bots.local.local_match import MEGABYTE
from vinci_tournament.definition import configuration, digests
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import runner
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.live_ratings import LiveRatings
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.play.resource_usage import by_bot
from vinci_tournament.play.runner import RunnerError
from vinci_tournament.play.worker import TableError
from vinci_tournament.play.worker_pool import Processes
from vinci_tournament.report.build import report_of
from vinci_tournament.report.contents import Report
from vinci_tournament.report.wording import ONLY_DUMMIES
from vinci_tournament.report.writing import FILES, write
from vinci_tournament.reproduce import described, difference
from vinci_tournament.results.result import Result
from vinci_tournament.verify import Spread, bundle_digest, check

from ...connection.connect import INTERRUPTED, stop_in_order
from ...connection.match_request import settings
from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..progress import Line

STATUS: Final = {"pass": 0, "fail": 1, "inconclusive": 3}
"""Exit statuses of a gate."""
GATE_ONLY: Final = ("score", "elo0", "elo1", "margin")
"""Options for the stopping rule of a gate."""
NOT_PLAYED: Final = 4
"""Exit status of a gate that could not be played."""
REPLAYS: Final = 2
"""Games of each bot that `verify` plays again by default, which excludes bots that are commands."""
LINE_SECONDS: Final = 60.0
"""Seconds between two lines of progress if standard error is not a terminal."""
DRAW_SECONDS: Final = 0.5
"""Seconds between two updates of the line of progress at a terminal."""
GUESSABLE: Final = (
    "The seed {seed} can be guessed, and with it all draws can be predicted. Leave it out to draw a secret random seed."
)


@dataclass(frozen=True, slots=True)
class ReportCopies:
    """Paths of copies of the report outside of its folder: as JUnit and as Markdown."""

    junit: Path | None
    markdown: Path | None


def parse_league(file: Path | None, given: Mapping[str, Any]) -> League:
    """Return the league of a file, or of options by name. Raises Misused."""
    try:
        return configuration.read(file) if file is not None else configuration.league(_fields(dict(given)))
    except LeagueError as error:
        raise Misused(str(error)) from None


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of a league file for these options."""
    ways = [name for name in ("bots", "gauntlet", "gate") if name in given]
    against = given.pop("against", ())
    if len(ways) != 1:
        raise Misused(_("choose what to play: a file, --bots, --gauntlet or --gate; see vinci tournament run --help"))
    if bool(against) != (ways[0] != "bots"):
        raise Misused(_("--against belongs to --gauntlet or --gate: give both, or neither"))
    for name in GATE_ONLY:
        if name in given and ways[0] != "gate":
            raise Misused(_("{option} is for --gate").format(option=f"--{name}"))
    if "width" in given and ways[0] == "gate":
        raise Misused(_("--width is not for --gate, which ends when it is decided"))
    words = [*given.pop("bots", ()), *filter(None, (given.pop("gauntlet", ""), given.pop("gate", ""))), *against]
    return {
        "name": "league" if ways[0] == "bots" else ways[0],
        "format": "round-robin" if ways[0] == "bots" else ways[0],
        "bots": configuration.bots(words, "nodes" if given.pop("nodes", False) else "time"),
        "options": settings(given.pop("options", ()), None),
        "stop": {name: given.pop(name) for name in (*GATE_ONLY, "width") if name in given},
        **given,
    }


def run(league: League, out: Path | None, workers: int | None, copies: ReportCopies) -> None:
    """Play a league in a new folder, or continue it in its own. Raises Failed."""
    folder = Folder(out or Path(league.name))
    try:
        league = folder.begin(league)
    except FolderError as error:
        raise Misused(str(error)) from None
    if configuration.is_guessable(league.seed):
        click.echo(GUESSABLE.format(seed=league.seed), err=True)
    if league.is_of_dummies:
        click.echo(ONLY_DUMMIES, err=True)
    _play(folder, league, workers or league.workers, copies)


def resume(path: Path, workers: int | None, copies: ReportCopies) -> None:
    """Play the missing games of the league in a folder. Raises Failed."""
    folder = Folder(path)
    try:
        league = folder.league()
    except FolderError as error:
        raise Misused(str(error)) from None
    _play(folder, league, workers or league.workers, copies)


def _play(folder: Folder, league: League, workers: int | None, copies: ReportCopies) -> None:
    """Play, write the report, and exit with the status of a gate."""
    number = workers or os.cpu_count() or 1
    progress = _Progress(league)
    if copies.junit is not None and league.format != "gate":
        raise Misused(_("{form} is for gates, and this league is not a gate").format(form="--junit"))
    for copy in (copies.junit, copies.markdown):
        if copy is not None and not copy.parent.is_dir():
            raise Misused(_("{path}: there is no folder {folder}").format(path=copy, folder=copy.parent))
    stop_in_order()
    try:
        with folder.locked():
            runner.run(folder, lambda: Processes(number), number, progress)
        report = report_of(folder)
        write(report, folder.path)
        for copy, name in ((copies.junit, "junit.xml"), (copies.markdown, "report.md")):
            if copy is not None:
                copy.write_text(FILES[name](report), encoding="utf-8")
    except KeyboardInterrupt:
        progress.end()
        click.echo(
            f"Interrupted; finished games are kept. Continue with: vinci tournament resume {folder.path}", err=True
        )
        sys.exit(INTERRUPTED)
    except (FolderError, RunnerError, OSError) as error:
        progress.end()
        if league.format != "gate":
            raise Failed(str(error)) from None
        click.echo(f"Error: {error}", err=True)
        sys.exit(NOT_PLAYED)
    except Exception:  # an internal error must not look like a failed gate
        if league.format != "gate":
            raise
        traceback.print_exc()
        sys.exit(NOT_PLAYED)
    progress.end()
    click.echo(FILES["report.txt"](report))
    click.echo(f"Report, records and logs: {folder.path}")
    for gate in report.league.gates:
        sys.exit(STATUS[gate.outcome])


class _Progress:
    """Progress of a league on standard error: a line that is updated at a terminal, else a line per minute."""

    def __init__(self, league: League) -> None:
        self._live: Final = LiveRatings(bot.name for bot in league.bots)
        self._line: Final = Line()
        self._is_seen: Final = self._line.is_seen
        self._began: Final = time.monotonic()
        self._shown = self._began - (DRAW_SECONDS if self._is_seen else 0)
        self._before: int | None = None
        self._done = 0

    def __call__(self, new: Sequence[Result], left: int) -> None:
        if self._before is None:
            self._before = len(new)
        self._done += len(new)
        if self._is_seen:
            for result in new:
                self._live.note(result)
        now = time.monotonic()
        if now - self._shown >= (DRAW_SECONDS if self._is_seen else LINE_SECONDS):
            self._shown = now
            rate = (self._done - self._before) / (now - self._began)
            width = os.get_terminal_size(sys.stderr.fileno()).columns - 1 if self._is_seen else None
            text = line(self._done, left, rate, self._live if self._is_seen else None, width)
            if self._is_seen:
                self._line.show(text)
            else:
                click.echo(text, err=True)

    def end(self) -> None:
        """Clear the line."""
        self._line.show("")


def line(done: int, left: int, rate: float, live: LiveRatings | None, width: int | None = None) -> str:
    """Format games, speed, estimated time left, and as many leaders of the provisional standings as fit."""
    rest = f", {left / rate / 60:.0f} min left" if rate else ""
    speed = f", {rate:.3g} a second" if rate else ""
    text = f"{done} of {done + left} games{speed}{rest}"
    if live is None:
        return text
    text += "; provisional:"
    for one in live.standings() if done else ():
        longer = f"{text} {one.bot} {one.skill:.0f}"
        if width is not None and len(longer) > width:
            break
        text = longer
    return text[:width]


def status(path: Path, *, as_json: bool) -> None:
    """Print the progress of a league. Raises Failed."""
    folder = Folder(path)
    try:
        league = folder.league()
        results = folder.planned(league)
        used = by_bot(folder.uses().values())
    except FolderError as error:
        raise Failed(str(error)) from None
    live = LiveRatings(bot.name for bot in league.bots)
    for result in sorted(results.values(), key=lambda result: (result.block, result.rotation)):
        live.note(result)
    progress = LeagueProgress(league, results.values())
    planned = league.blocks * league.rotations
    if as_json:
        content = {
            "name": league.name,
            "format": league.format,
            "games": len(results),
            "planned": planned,
            "complete": progress.is_decided,
            "forfeits": sum(len(result.forfeits) for result in results.values()),
            "provisional": [one._asdict() for one in live.standings()],
            "used": [cost._asdict() | {"seats": seats} for seats, cost in used.values()],
        }
        click.echo(json.dumps(content))
        return
    done = "complete" if progress.is_decided else f"continue with: vinci tournament resume {path}"
    click.echo(f"{league.name}: {league.format}, {len(results)} of at most {planned} games; {done}")
    click.echo("provisional standings, by openskill:")
    for place, one in enumerate(live.standings(), start=1):
        click.echo(f"{place:>3}  {one.bot:<24}  {one.skill:>6.1f}  {one.games:>6} games")
    if used:
        click.echo("resources used on this machine: CPU per game, peak memory, mean and longest decision time:")
    for bot, (seats, cost) in used.items():
        mean = cost.think_ms_sum / max(cost.decisions, 1)
        click.echo(
            f"     {bot:<24}  {cost.cpu / seats:>6.2f} s  {cost.memory / MEGABYTE:>6.0f} MB"
            f"  {mean:>6.0f} ms  {cost.think_ms_longest:>6} ms"
        )


def report(path: Path, form: str) -> None:
    """Write the report into the folder, and print one form of it. Raises Failed."""
    contents = _report_of(Folder(path))
    write(contents, path)
    text = FILES[form](contents)
    if not text:
        raise Failed(_("{form} is for gates, and this league is not a gate").format(form=form))
    click.echo(text, nl=False)


def _report_of(folder: Folder) -> Report:
    try:
        return report_of(folder)
    except FolderError as error:
        raise Failed(str(error)) from None


def verify(path: Path, replays: int | None, *, seed: str, workers: int | None, partial: bool) -> None:
    """Verify a league and print the findings. Raises Failed."""
    folder = Folder(path)
    faults = 0
    line = Line()
    number = workers or os.cpu_count() or 1
    try:
        notes = folder.notes()
        with ExitStack() as stack:
            spread: Spread = map
            if number > 1:
                pool = Processes(number)
                stack.callback(pool.shutdown, cancel_futures=True)
                spread = pool.map
            for finding in check(
                folder,
                REPLAYS if replays is None else replays,
                commands=replays is not None,
                partial_league=partial,
                seed=seed,
                spread=spread,
                tell=lambda done, of: line.show(f"{done} of {of} games"),
            ):
                line.show("")
                click.echo(f"{'✗' if finding.is_fault else '·'} {finding.text}")
                faults += finding.is_fault
            line.show("")
        if folder.notes() != notes:
            write(report_of(folder), path)
            click.echo("· The report now has notes on these bots.")
        digest, files = bundle_digest(folder)
        click.echo(f"· SHA-256 of all {files} files: {digest}")
    except (FolderError, TableError) as error:
        raise Failed(str(error)) from None
    if faults:
        raise Failed(f"{faults} {'fault' if faults == 1 else 'faults'} in {path}")
    click.echo(f"{path} is verified.")


def reproduce(path: Path, key: str) -> None:
    """Play one game again. Raises Failed if it differs from its record."""
    folder = Folder(path)
    try:
        league = folder.league()
        game = next((game for game in games(league) if game.key == key), None)
        if game is None:
            raise Misused(f"{league.name} has no game {key}; games are named by block and rotation, such as 0-0")
        lines = folder.lines(key)
        for change in digests.changed(league):
            click.echo(f"· {change}")
        differs = difference(league, game, lines)
    except (FolderError, TableError) as error:
        raise Failed(str(error)) from None
    if differs is not None:
        raise Failed(f"game {key} differs {described(differs)}")
    click.echo(f"game {key} is reproduced: all {len(lines) - 2} actions are the same")
