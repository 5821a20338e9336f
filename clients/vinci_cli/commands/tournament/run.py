"""What `vinci tournament` does. What it tells organisers is English; see docs/tournaments.md."""

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
from vinci_tournament.play.server_games import TableError
from vinci_tournament.play.worker_pool import Processes
from vinci_tournament.report.build import report_of
from vinci_tournament.report.contents import Report
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
"""With which status a gate ends."""
GATE_ONLY: Final = ("score", "elo0", "elo1", "margin")
"""Options that say how a gate is decided."""
NOT_PLAYED: Final = 4
"""With which status it ends if it could not be played."""
REPLAYS: Final = 2
"""Games of each bot that `verify` plays again unless it is told how many; commands only if it is told."""
LINE_SECONDS: Final = 60.0
"""How often progress is told where nobody watches it at a terminal."""
DRAW_SECONDS: Final = 0.5
GUESSABLE: Final = (
    "The seed {seed} can be guessed, and who guesses it can foresee all draws. Without a seed, a secret one is drawn."
)


@dataclass(frozen=True, slots=True)
class ReportCopies:
    """Where a report is written besides its folder: as JUnit and as Markdown."""

    junit: Path | None
    markdown: Path | None


def parse_league(file: Path | None, given: Mapping[str, Any]) -> League:
    """The league of a file, or of options by name. Raises Misused."""
    try:
        return configuration.read(file) if file is not None else configuration.league(_fields(dict(given)))
    except LeagueError as error:
        raise Misused(str(error)) from None


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    """The keys of a league file that stand for these options."""
    ways = [name for name in ("bots", "gauntlet", "gate") if name in given]
    against = given.pop("against", ())
    if len(ways) != 1:
        raise Misused(_("what is to be played? A file, --bots, --gauntlet or --gate; see vinci tournament run --help"))
    if bool(against) != (ways[0] != "bots"):
        raise Misused(_("--against says whom --gauntlet or --gate is against: both, or neither"))
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
    """Play a league in a new folder, or go on with it in its own. Raises Failed."""
    folder = Folder(out or Path(league.name))
    try:
        league = folder.begin(league)
    except FolderError as error:
        raise Misused(str(error)) from None
    if configuration.is_guessable(league.seed):
        click.echo(GUESSABLE.format(seed=league.seed), err=True)
    if league.is_of_dummies:
        click.echo("Only dummies play, which are all alike: each block is one game, not one for each seat.", err=True)
    _play(folder, league, workers or league.workers, copies)


def resume(path: Path, workers: int | None, copies: ReportCopies) -> None:
    """Play what is missing of the league in a folder. Raises Failed."""
    folder = Folder(path)
    try:
        league = folder.league()
    except FolderError as error:
        raise Misused(str(error)) from None
    _play(folder, league, workers or league.workers, copies)


def _play(folder: Folder, league: League, workers: int | None, copies: ReportCopies) -> None:
    """Play, write the report, and end with the status of a gate."""
    number = workers or os.cpu_count() or 1
    progress = _Progress(league)
    if copies.junit is not None and league.format != "gate":
        raise Misused(_("{form} is for gates, and this league is none").format(form="--junit"))
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
        click.echo(f"Interrupted; what is played stays. Go on with: vinci tournament resume {folder.path}", err=True)
        sys.exit(INTERRUPTED)
    except (FolderError, RunnerError, OSError) as error:
        progress.end()
        if league.format != "gate":
            raise Failed(str(error)) from None
        click.echo(f"Error: {error}", err=True)
        sys.exit(NOT_PLAYED)
    except Exception:  # a fault of ours must not look as if the bot were worse
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
    """How far a league is, on standard error: a line that changes at a terminal, else a line a minute."""

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
            told = line(self._done, left, rate, self._live if self._is_seen else None, width)
            if self._is_seen:
                self._line.show(told)
            else:
                click.echo(told, err=True)

    def end(self) -> None:
        """Take the line away."""
        self._line.show("")


def line(done: int, left: int, rate: float, live: LiveRatings | None, width: int | None = None) -> str:
    """Games, speed, the time that the rest takes, and as many who lead so far as there is room for."""
    rest = f", {left / rate / 60:.0f} min left" if rate else ""
    speed = f", {rate:.3g} a second" if rate else ""
    told = f"{done} of {done + left} games{speed}{rest}"
    if live is None:
        return told
    told += "; provisional:"
    for one in live.standings() if done else ():
        longer = f"{told} {one.bot} {one.skill:.0f}"
        if width is not None and len(longer) > width:
            break
        told = longer
    return told[:width]


def status(path: Path, *, as_json: bool) -> None:
    """How far a league is. Raises Failed."""
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
    course = LeagueProgress(league, results.values())
    planned = league.blocks * league.rotations
    if as_json:
        told = {
            "name": league.name,
            "format": league.format,
            "games": len(results),
            "planned": planned,
            "complete": course.is_decided,
            "forfeits": sum(len(result.forfeits) for result in results.values()),
            "provisional": [one._asdict() for one in live.standings()],
            "used": [cost._asdict() | {"seats": seats} for seats, cost in used.values()],
        }
        click.echo(json.dumps(told))
        return
    done = "complete" if course.is_decided else f"go on with: vinci tournament resume {path}"
    click.echo(f"{league.name}: {league.format}, {len(results)} of at most {planned} games; {done}")
    click.echo("provisional standings, by openskill:")
    for place, one in enumerate(live.standings(), start=1):
        click.echo(f"{place:>3}  {one.bot:<24}  {one.skill:>6.1f}  {one.games:>6} games")
    if used:
        click.echo("what bots used, on this machine: CPU a game, most memory, mean and longest time for a decision:")
    for bot, (seats, cost) in used.items():
        mean = cost.think_ms_sum / max(cost.decisions, 1)
        click.echo(
            f"     {bot:<24}  {cost.cpu / seats:>6.2f} s  {cost.memory / MEGABYTE:>6.0f} MB"
            f"  {mean:>6.0f} ms  {cost.think_ms_longest:>6} ms"
        )


def report(path: Path, form: str) -> None:
    """Write the report into the folder, and show one form of it. Raises Failed."""
    found = _report_of(Folder(path))
    write(found, path)
    text = FILES[form](found)
    if not text:
        raise Failed(_("{form} is for gates, and this league is none").format(form=form))
    click.echo(text, nl=False)


def _report_of(folder: Folder) -> Report:
    try:
        return report_of(folder)
    except FolderError as error:
        raise Failed(str(error)) from None


def verify(path: Path, replays: int | None, *, seed: str, workers: int | None, partial: bool) -> None:
    """Check a league, finding by finding. Raises Failed."""
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
                click.echo(f"{'✗' if finding.is_fault else '·'} {finding.told}")
                faults += finding.is_fault
            line.show("")
        if folder.notes() != notes:
            write(report_of(folder), path)
            click.echo("· What was found about bots is in the report now.")
        digest, files = bundle_digest(folder)
        click.echo(f"· SHA-256 of all {files} files: {digest}")
    except (FolderError, TableError) as error:
        raise Failed(str(error)) from None
    if faults:
        raise Failed(f"{faults} {'fault' if faults == 1 else 'faults'} in {path}")
    click.echo(f"{path} is what it says.")


def reproduce(path: Path, key: str) -> None:
    """Play one game again. Raises Failed if it comes out otherwise."""
    folder = Folder(path)
    try:
        league = folder.league()
        game = next((game for game in games(league) if game.key == key), None)
        if game is None:
            raise Misused(f"{key} is no game of {league.name}; games are called by block and rotation, such as 0-0")
        lines = folder.lines(key)
        for change in digests.changed(league):
            click.echo(f"· {change}")
        found = difference(league, game, lines)
    except (FolderError, TableError) as error:
        raise Failed(str(error)) from None
    if found is not None:
        raise Failed(f"game {key} differs {described(found)}")
    click.echo(f"game {key} came out the same, all {len(lines) - 2} actions")
