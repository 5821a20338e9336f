"""The run of a league by a command: played by workers, shown on the way, and reported. See docs/tournaments.md."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, Protocol

import click

from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import BlockRange
from vinci_tournament.entrants import pages, prepare
from vinci_tournament.play.folder import ENTRANTS, Folder, FolderError
from vinci_tournament.play.resource_usage import described
from vinci_tournament.play.runner import RunnerError
from vinci_tournament.report.build import last_change, report_of
from vinci_tournament.report.contents import Report
from vinci_tournament.report.writing import FILES, write

from ...connection.connect import INTERRUPTED, stop_in_order
from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import grouped
from ..bot.sandbox import check_sandbox
from ..options import path_option
from .progress import Progress
from .web import WebOptions, web_options

STATUS: Final = {"pass": 0, "fail": 1, "inconclusive": 3}
"""Exit statuses of a gate."""
NOT_PLAYED: Final = 4
"""Exit status of a gate that ended by an error."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Places besides its folder where a league is shown: a page for browsers, and files for copies of its report."""

    web: WebOptions
    junit: Path | None
    markdown: Path | None

    def check(self, folder: Folder, league: League) -> None:
        """Raise Misused for options that do not fit, and Failed if a package is missing."""
        self.web.check()
        if self.junit is not None and not league.kind.is_gate:
            raise Misused(_("{form} is for gates, and this league is not a gate").format(form="--junit"))
        for copy in (self.junit, self.markdown):
            if copy is not None and not copy.parent.is_dir():
                raise Misused(_("{path}: there is no folder {folder}").format(path=copy, folder=copy.parent))
        if (self.junit or self.markdown) and folder.blocks():
            raise Misused(_("--junit and --markdown are for whole leagues; this folder is for some blocks only"))

    def write(self, report: Report) -> None:
        """Write the copies of a report. Raises OSError."""
        for copy, name in ((self.junit, "junit.xml"), (self.markdown, "report.md")):
            if copy is not None:
                copy.write_text(FILES[name](report), encoding="utf-8")


shown_options: Final = grouped(
    "shown",
    Shown,
    web_options,
    path_option("--junit FILE", help="Write the verdict of a gate here as JUnit XML."),
    path_option("--markdown FILE", help="Write the report in Markdown here."),
)
"""The options that tell where a league is shown."""


class Workers(Protocol):
    """Plays the games of a league."""

    def check(self) -> None:
        """Raise Misused for options that exclude each other, and Failed if a package is missing."""

    def run(self, folder: Folder, league: League, progress: Progress, most: int | None) -> bool:
        """Play the missing games in a folder that is locked; see `runner.run`. Raises RunnerError and FolderError."""


@contextmanager
def errors_apart(league: League) -> Iterator[None]:
    """Exit with NOT_PLAYED where a gate ends by an error, which must not look like a verdict.

    A wrong command keeps its status. Raises Failed for errors of the folder and the runner of another league.
    """
    try:
        yield
    except Misused:
        raise
    except Exception as error:
        is_explained = isinstance(error, (FolderError, RunnerError))
        if league.kind.is_gate:
            try:
                if is_explained or isinstance(error, (Failed, OSError)):
                    click.echo(f"Error: {error}", err=True)
                else:
                    traceback.print_exc()
            finally:
                sys.exit(NOT_PLAYED)
        if is_explained:
            raise Failed(str(error)) from None
        raise


def begun(folder: Folder, league: League, blocks: BlockRange | None = None) -> League:
    """Return a league after storing it in its folder, or as it is continued there. Raises Misused and Failed."""
    with errors_apart(league):
        if league.sandbox:
            check_sandbox()
        try:
            return folder.begin(league, blocks)
        except (FolderError, ValueError) as error:
            raise Misused(str(error)) from None


def stored_league(folder: Folder) -> League:
    """Return the league in a folder. Raises Misused."""
    try:
        return folder.league()
    except FolderError as error:
        raise Misused(str(error)) from None


def exit_with_verdict(report: Report) -> None:
    """Exit with the status of a gate; do nothing for another league."""
    if gates := report.league.gates:
        sys.exit(STATUS[gates[0].outcome])


@dataclass(slots=True)
class LeagueRun:
    """A league that a command plays, in its folder.

    `most` is the number of games after which a ladder stops, None for no limit. While another process changes the
    league, the run pauses.
    """

    folder: Folder
    league: League
    workers: Workers
    shown: Shown
    most: int | None = None

    def play(self) -> None:
        """Play, write the report, and exit with the status of a gate. Raises Misused and Failed."""
        with errors_apart(self.league):
            self.workers.check()
            self.shown.check(self.folder, self.league)
            if self.league.sandbox:
                check_sandbox()
            stop_in_order()
            end = None if self.most is None else len(self.folder.planned(self.league)) + self.most
            with self.shown.web.serving(self.folder, self.league) as live:
                is_endless = self.league.is_open_ended and self.most is None
                while not self._play(progress := Progress(self.league, live, is_endless=is_endless)):
                    before, self.league = self.league, self.folder.league()
                    if self.league.extensions != before.extensions:
                        progress.tell(f"{last_change(self.league)}.")
                    for event in self.league.events[len(before.events) :]:
                        progress.tell(event.told)
                    if live is not None:
                        live.begin(self.league)
                    self.most = None if end is None else max(end - len(self.folder.planned(self.league)), 0)

    def _play(self, progress: Progress) -> bool:
        """Play and report. Return False after a pause in which the league may have changed; the rest is left."""
        folder = self.folder
        try:
            with folder.locked():
                is_done = self.workers.run(folder, self.league, progress, self.most)
                self.league = folder.league()  # with its own events; those of a pause are told
            if not is_done:
                progress.end()
                folder.pause()
                return False
            progress.end_games()
            if (blocks := folder.blocks()) is not None:
                progress.end()
                click.echo(
                    f"Blocks {blocks} are played. Merge all folders with: vinci tournament merge {folder.path} ..."
                )
                return True
            report = report_of(folder)
            write(report, folder.path)
            if entrants := prepare.stored(folder.path / ENTRANTS):
                pages.write(folder.path / ENTRANTS, entrants, report.results)
            self.shown.write(report)
        except KeyboardInterrupt:
            progress.end()
            self._interrupted()
        except Exception:
            progress.end()
            raise
        progress.end()
        click.echo(FILES["report.txt"](report))
        if (folder.path / ENTRANTS).exists():
            click.echo(_("Pages of the entrants: {file}").format(file=folder.path / ENTRANTS / "index.html"))
        for text in described(folder.used(), len(report.results)):
            click.echo(text)
        click.echo(f"Report, records and logs: {folder.path}")
        exit_with_verdict(report)
        return True

    def _interrupted(self) -> NoReturn:
        """Say how the league goes on, and exit."""
        if self.league.is_open_ended:
            with suppress(FolderError):  # no block is complete
                write(report_of(self.folder), self.folder.path)
        how = f"Continue with: vinci tournament resume {self.folder.path}"
        if self.league.remote:  # with the same address, for the entrants
            how = "Continue with the same command; the entrants come back by themselves."
        click.echo(f"Interrupted; finished games are kept. {how}", err=True)
        sys.exit(INTERRUPTED)
