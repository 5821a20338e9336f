"""`vinci tournament`: the commands for leagues among bots. What they do is in `run`."""

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
    """Leagues among bots, whose results can be checked. See docs/tournaments.md."""


SCORES: Final = ("places", "wins")

_folder = click.argument("folder", type=click.Path(path_type=Path))
_workers = option("--workers", type=click.IntRange(1), help="Games to play at once. Default: one for each core.")
_junit = option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Of a gate: write JUnit XML here.")
_markdown = option(
    "--markdown", type=click.Path(path_type=Path), metavar="FILE", help="Write the report in Markdown here."
)


class _Run(Command):
    """The command; `--bots` and `--against` take all words up to the next option."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """What was typed, with the option before each of its words."""
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
@option("--bots", multiple=True, metavar="BOT ...", help="Everybody against everybody: bots of ours, or commands.")
@option("--gauntlet", default="", metavar="BOT", help="This bot against the field of --against.")
@option("--gate", default="", metavar="BOT", help="Is this bot better than that of --against? Ends when that is clear.")
@option("--against", multiple=True, metavar="BOT ...", help="Whom --gauntlet or --gate is against.")
@option("--nodes", is_flag=True, help="The commands play the same from the same seed, so they can be checked.")
@option("--name", help="Name of the league. Default: league, gauntlet or gate.")
@option("--seats", type=int, help="Seats of a game. Default: 4, or 3 if there are no more bots.")
@option("--games", type=int, help="How many games at most, in whole blocks. Default: 200, with --gate 600.")
@option("--seed", help="Seed of all games. Default: a secret random one.")
@rules_options
@option("--clock", type=int, metavar="SECONDS", help="Time for each decision. Default: 60.")
@option("--tries", type=int, help="Wrong answers to a decision until a bot forfeits. Default: 3.")
@option("--memory", type=int, metavar="MB", help="Most memory of one bot. Default: 2048.")
@option("--analysis", is_flag=True, help="Let the bots ask an analysis service.")
@option("--score", type=click.Choice(SCORES), help="With --gate: compare all places or wins only. Default: places.")
@option("--elo0", type=float, help="With --gate: pass if certainly more than this many points better. Default: 0.")
@option("--elo1", type=float, help="With --gate: fail if certainly less than this many points better. Default: 60.")
@option(
    "--margin", type=float, help="With --gate, instead of --elo0 and --elo1: required lead over an even share of wins."
)
@option("--width", type=float, help="End when all shares of wins are known within this, such as 0.1.")
@_workers
@option("--out", type=click.Path(path_type=Path), metavar="FOLDER", help="Where the league is kept. Default: its name.")
@_junit
@_markdown
def run(file: Path | None, out: Path | None, junit: Path | None, markdown: Path | None, **flags: Any) -> None:
    """Play a league, described in a file or by options, and write its report. See docs/tournaments.md for the file.

    A gate ends with status 0 if the bot is better, 1 if it is not, 3 if nobody can tell, 4 if it could not be played.
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
    """Go on with a league that was stopped: play what is missing and write its report. Ends as `run` does."""
    from . import run as run_command

    run_command.resume(folder, workers, run_command.ReportCopies(junit, markdown))


@tournament.command(epilog="vinci tournament status league\nvinci tournament status league --json")
@_folder
@json_option
def status(folder: Path, as_json: bool) -> None:
    """How far a league is, and provisional standings; also while it runs."""
    from . import run as run_command

    run_command.status(folder, as_json=as_json)


@tournament.command(
    epilog="""
    vinci tournament report league
    vinci tournament report league --markdown
    """
)
@_folder
@option("--json", "form", flag_value="report.json", help="All figures and games as JSON.")
@option("--csv", "form", flag_value="standings.csv", help="The standings as CSV.")
@option("--html", "form", flag_value="report.html", help="A page with charts.")
@option("--markdown", "form", flag_value="report.md", help="For the summary of a CI run.")
@option("--junit", "form", flag_value="junit.xml", help="The verdict of a gate, for CI.")
def report(folder: Path, form: str | None) -> None:
    """Write the report into the folder in all forms, and show one of them; without an option, the one for people."""
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
    "--replay", type=click.IntRange(0), metavar="GAMES", help="Also run its commands, in so many games of each bot."
)
@option("--seed", default="", help="Seed for choosing the games to play again. Default: a new one.")
@option("--partial", is_flag=True, help="Accept missing games, for a league that still runs.")
@_workers
def verify(folder: Path, replay: int | None, seed: str, partial: bool, workers: int | None) -> None:
    """Check a league: rules, seeds, bots, every record and result, and the report; play some games again.

    Ends with status 1 if something is not as it should be, and prints one digest for all files.
    """
    from . import run as run_command

    run_command.verify(folder, replay, seed=seed, workers=workers, partial=partial)


@tournament.command(epilog="vinci tournament reproduce league 12-3")
@_folder
@click.argument("game")
def reproduce(folder: Path, game: str) -> None:
    """Play one game again, called by block and rotation as its files are. Ends with status 1 if it differs."""
    from . import run as run_command

    run_command.reproduce(folder, game)
