"""`vinci tournament`: the options and help of the commands for leagues; `run` implements them."""

from pathlib import Path
from typing import Any, Final

import click

from ...exceptions import Misused
from ...text.i18n import _
from ..base import Command, Commands, each, option
from ..options import as_typed, json_option, rules_options


@click.group(
    cls=Commands,
    epilog="""
    vinci tournament run league.toml
    vinci tournament status league
    vinci tournament resume league
    vinci tournament report league --markdown
    vinci tournament verify league
    vinci tournament reproduce league 12-3
    """,
)
def tournament() -> None:
    """Play leagues among bots and verify their results. See docs/tournaments.md."""


SCORES: Final = ("places", "wins")

_folder = click.argument("folder", type=click.Path(path_type=Path))
_workers = option("--workers", type=click.IntRange(1), help="Games played in parallel. Default: one for each core.")
_junit = option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write the verdict of a gate here as JUnit XML."
)
_markdown = option(
    "--markdown", type=click.Path(path_type=Path), metavar="FILE", help="Write the report in Markdown here."
)


class _Run(Command):
    """Command whose options `--bots` and `--against` take all words up to the next option."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its words."""
        return super().parse_args(context, list(each(args, "--bots", "--against")))


@tournament.command(
    cls=_Run,
    epilog="""
    vinci tournament run league.toml --out autumn
    vinci tournament run --bots greedy random "python mine.py" --games 120
    vinci tournament run --gauntlet "python mine.py" --against greedy random dummy
    vinci tournament run --gate new.py --against old.py --junit gate.xml
    """,
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@option(
    "--bots", multiple=True, metavar="BOT ...", help="Play a round robin of these bots: built-in names or commands."
)
@option("--gauntlet", default="", metavar="BOT", help="Play this bot against the bots of --against.")
@option(
    "--gate",
    default="",
    metavar="BOT",
    help="Test whether this bot is better than that of --against; stop when decided.",
)
@option("--against", multiple=True, metavar="BOT ...", help="Opponents for --gauntlet or --gate.")
@option(
    "--nodes",
    is_flag=True,
    help="Declare that the commands play the same from the same seed, so that games can be reproduced.",
)
@option("--name", help="Name of the league. Default: league, gauntlet or gate.")
@option("--seats", type=int, help="Seats of a game. Default: 4, or 3 if there are only three bots.")
@option("--games", type=int, help="Maximum number of games, rounded up to whole blocks. Default: 200, for a gate 600.")
@option("--seed", help="Seed of all games. Default: a secret random one.")
@rules_options
@option("--clock", type=int, metavar="SECONDS", help="Time for each decision. Default: 60.")
@option("--tries", type=int, help="Invalid answers to a decision after which a bot forfeits. Default: 3.")
@option("--memory", type=int, metavar="MB", help="Memory limit for each bot. Default: 2048.")
@option("--analysis", is_flag=True, help="Let the bots ask an analysis service.")
@option("--score", type=click.Choice(SCORES), help="With --gate: compare all places or wins only. Default: places.")
@option("--elo0", type=float, help="With --gate: pass if certainly more than this many points better. Default: 0.")
@option("--elo1", type=float, help="With --gate: fail if certainly less than this many points better. Default: 60.")
@option(
    "--margin", type=float, help="With --gate, instead of --elo0 and --elo1: required lead over an even share of wins."
)
@option("--width", type=float, help="End when all shares of wins are known within this, such as 0.1.")
@_workers
@option("--out", type=click.Path(path_type=Path), metavar="FOLDER", help="Folder for the league. Default: its name.")
@_junit
@_markdown
def run(file: Path | None, out: Path | None, junit: Path | None, markdown: Path | None, **flags: Any) -> None:
    """Play a league, described in a file or by options, and write its report. See docs/tournaments.md for the file.

    A gate exits with status 0 if the bot is better, 1 if it is not, 3 if undecided, 4 if it could not be played.
    """
    from . import run as run_command

    workers = flags.pop("workers")
    given = {name: value for name, value in flags.items() if value is not False and value not in (None, "", ())}
    if file is not None and given:
        told = _("{options}: this belongs in the file; leave out the option or the file")
        raise Misused(told.format(options=as_typed(given)))
    run_command.run(run_command.parse_league(file, given), out, workers, run_command.ReportCopies(junit, markdown))


@tournament.command(epilog="vinci tournament resume league")
@_folder
@_workers
@_junit
@_markdown
def resume(folder: Path, workers: int | None, junit: Path | None, markdown: Path | None) -> None:
    """Continue a stopped league: play the missing games and write its report. Exits with the status of `run`."""
    from . import run as run_command

    run_command.resume(folder, workers, run_command.ReportCopies(junit, markdown))


@tournament.command(epilog="vinci tournament status league\nvinci tournament status league --json")
@_folder
@json_option
def status(folder: Path, as_json: bool) -> None:
    """Show the progress and provisional standings of a league, also while it runs."""
    from . import run as run_command

    run_command.status(folder, as_json=as_json)


@tournament.command(
    epilog="""
    vinci tournament report league
    vinci tournament report league --markdown
    """
)
@_folder
@option("--json", "form", flag_value="report.json", help="Print all values and games as JSON.")
@option("--csv", "form", flag_value="standings.csv", help="Print the standings as CSV.")
@option("--html", "form", flag_value="report.html", help="Print the HTML page with charts.")
@option("--markdown", "form", flag_value="report.md", help="Print Markdown, for the summary of a CI run.")
@option("--junit", "form", flag_value="junit.xml", help="Print the verdict of a gate as JUnit XML, for CI.")
def report(folder: Path, form: str | None) -> None:
    """Write the report into the folder in all forms and print one of them. Default: text."""
    from . import run as run_command

    run_command.report(folder, form or "report.txt")


@tournament.command(
    epilog="""
    vinci tournament verify league
    vinci tournament verify league --replay 10 --workers 8
    vinci tournament verify league --partial
    """
)
@_folder
@option(
    "--replay",
    type=click.IntRange(0),
    metavar="GAMES",
    help="Play this many games of each bot again, also of bots that are commands.",
)
@option("--seed", default="", help="Seed for drawing the games to play again. Default: a random one.")
@option("--partial", is_flag=True, help="Accept missing games, for a league that still runs.")
@_workers
def verify(folder: Path, replay: int | None, seed: str, partial: bool, workers: int | None) -> None:
    """Verify a league: rules, seeds, bots, every record and result, and the report; play some games again.

    Exits with status 1 if a check fails, and prints one digest of all files.
    """
    from . import run as run_command

    run_command.verify(folder, replay, seed=seed, workers=workers, partial=partial)


@tournament.command(epilog="vinci tournament reproduce league 12-3")
@_folder
@click.argument("game")
def reproduce(folder: Path, game: str) -> None:
    """Play one game again, named by block and rotation like its files. Exits with status 1 if it differs."""
    from . import run as run_command

    run_command.reproduce(folder, game)
