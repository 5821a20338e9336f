"""`vinci tournament run`, `resume` and `merge`. Their output is in English only; see docs/tournaments.md."""

import logging
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from vinci_bots.local.participants import NAME
from vinci_rules.editions import MOST_SEATS
from vinci_tournament.definition import configuration
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import parse_range
from vinci_tournament.play import runner
from vinci_tournament.play.folder import LEAGUE, Folder, FolderError
from vinci_tournament.play.merge import merge as merge_folders
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.play.worker_pool import Processes
from vinci_tournament.report.build import report_of
from vinci_tournament.report.wording import ONLY_DUMMIES
from vinci_tournament.report.writing import FILES, write

from ...connection.match_request import settings
from ...exceptions import Failed, Misused
from ...installation import install_command
from ...text.i18n import _
from ..base import Command, flag, grouped, option
from ..options import as_typed, path_option, rules_options
from .entrants import prepared
from .group import folder_argument, workers_option
from .league_run import LeagueRun, Shown, begun, errors_apart, exit_with_verdict, shown_options, stored_league
from .progress import Progress

GATE_ONLY: Final = ("score", "elo0", "elo1", "margin")
"""Options for the stopping rule of a gate."""
GUESSABLE: Final = (
    "The seed {seed} can be guessed, and with it all draws can be predicted. Leave it out to draw a secret random seed."
)

ladder_games = option(
    "--games", least=1, help="Number of games, rounded up to whole blocks, after which a ladder stops. Default: none."
)


class _Workers(NamedTuple):
    """Workers of a league: processes on this machine, None for one per core, or the workers of a cluster."""

    workers: int | None
    cluster: str

    def run(self, folder: Folder, league: League, progress: Progress, most: int | None) -> bool:
        """Play the missing games in a folder that is locked; see `runner.run`. Raises RunnerError and FolderError."""
        if not self.cluster:
            number = self.workers or league.workers or os.cpu_count() or 1
            return runner.run(folder, lambda: Processes(number), number, progress, watch=progress.watch, most=most)
        from vinci_tournament.play.cluster import Cluster

        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters ends the league with an error
        connect = partial(Cluster, self.cluster, league, partial(click.echo, err=True))
        first = connect()
        clusters = chain([first], iter(connect, None))  # the runner needs another one when workers are lost
        try:
            return runner.run(folder, lambda: next(clusters), first.slots, progress, watch=progress.watch, most=most)
        finally:
            first.shutdown(cancel_futures=True)

    def check(self) -> None:
        """Raise Misused for options that exclude each other, and Failed if the package for clusters is missing."""
        if self.cluster and self.workers:
            raise Misused(_("--workers is for this machine; a cluster has its own workers"))
        if self.cluster and find_spec("distributed") is None:
            text = _("--cluster needs the package distributed: {command}")
            raise Failed(text.format(command=install_command("dask")))
        if self.cluster and not re.search(r":\d+$", self.cluster):
            raise Misused(_("--cluster: {address} names no port, as tcp://HOST:8786 does").format(address=self.cluster))


_workers_options = grouped(
    "workers",
    _Workers,
    workers_option,
    option("--cluster ADDRESS", help="Play on the workers of this Dask scheduler: tcp://HOST:8786."),
)


@click.command(
    cls=Command,
    epilog="""
    vinci tournament run league.toml --out autumn
    vinci tournament run --bots greedy random "python mine.py" --games 120
    vinci tournament run --gauntlet "python mine.py" --against greedy random dummy
    vinci tournament run --gate new.py --against old.py --junit gate.xml
    vinci tournament run league.toml --blocks 0:499 --out first
    """,
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@option("--bots BOT ...", multiple=True, help="Play a round robin of these bots: built-in names or commands.")
@option("--gauntlet BOT", help="Play this bot against the bots of --against.")
@option("--gate BOT", help="Test whether this bot is better than that of --against; stop when decided.")
@option("--against BOT ...", multiple=True, help="Opponents for --gauntlet or --gate.")
@flag("--nodes", help="Declare that the commands play the same from the same seed, so that games can be reproduced.")
@option("--name", help="Name of the league. Default: that of --out, or league, gauntlet or gate.")
@option("--seats", type=int, help="Seats of a game. Default: 4, or 3 if there are only three bots.")
@option("--games", type=int, help="Maximum number of games, rounded up to whole blocks. Default: 200, for a gate 600.")
@option("--seed", help="Seed of all games. Default: a secret random one.")
@rules_options
@option("--clock", help="30: seconds a decision; 10m+15s: a bank, and more with each turn. Default: 60.")
@option("--tries", type=int, help="Invalid answers to a decision after which a bot forfeits. Default: 3.")
@option("--memory MB", type=int, help="Memory limit for each bot. Default: 2048.")
@flag("--analysis", help="Let the bots ask an analysis service.")
@flag("--sandbox", help="Run each bot that is a command confined: no network, no files but its own. Linux.")
@option(
    "--score",
    type=click.Choice(["places", "wins"]),
    help="With --gate: compare all places or wins only. Default: places.",
)
@option("--elo0", type=float, help="With --gate: pass if certainly more than this many points better. Default: 0.")
@option("--elo1", type=float, help="With --gate: fail if certainly less than this many points better. Default: 60.")
@option(
    "--margin", type=float, help="With --gate, instead of --elo0 and --elo1: required lead over an even share of wins."
)
@option("--width", type=float, help="End when all shares of wins are known within this, such as 0.1.")
@path_option("--entrants FOLDER", help="Play the bots of this folder, each a folder or an archive with a bot.toml.")
@option("--blocks A:B", help="Play only these blocks, such as 0:499, and merge the folders of all machines later.")
@_workers_options
@path_option("--out FOLDER", help="Folder for the league. Default: its name.")
@shown_options
def run(
    file: Path | None,
    blocks: str,
    entrants: Path | None,
    out: Path | None,
    workers: _Workers,
    shown: Shown,
    **flags: Any,
) -> None:
    """Play a league, described in a file or by options, and write its report. See docs/league-file.md for the file.

    One game to try bots out: `vinci match`. Games of built-in bots without ratings: `vinci selfplay`.

    A gate exits with status 0 if the bot is better, 1 if it is not, 3 if undecided, 4 if it ended by an error.
    """
    given = {name: value for name, value in flags.items() if value is not False and value not in (None, "", ())}
    in_file = {name for name in given if file is not None and name != "games"}
    if file is None and out is not None and not blocks:  # folders that are merged have the same name
        given = _name_of(out) | given
    if entrants is not None:
        if file is None:
            parse_league(None, given | {"bots": ("greedy",) * MOST_SEATS})  # a wrong option is told before all the work
        given["folders"] = prepared(entrants, file, given, Folder(out or Path(given.get("name", "league"))))
        given.setdefault("bots", ())
    league = parse_league(file, given) if not in_file else None
    limit = given.get("games") if file is not None else None
    if league is None or (limit is not None and not league.is_open_ended):
        text = _("{options}: this belongs in the file; leave out the option or the file")
        raise Misused(text.format(options=as_typed(given)))
    _check_local(league, str(file))
    folder = Folder(out or Path(league.name))
    if blocks and league.is_by_results:
        text = _("--blocks: the blocks of a {form} league depend on its results, so no machine can play some alone")
        raise Misused(text.format(form=league.format))
    try:
        part = parse_range(blocks, league.blocks) if blocks else None
    except ValueError as error:
        raise Misused(str(error)) from None
    if part is not None and not league.seed and not (folder.path / LEAGUE).exists():
        text = _("--blocks needs a seed that all machines share; add this line to the file on each: {line}")
        raise Misused(text.format(line=f'seed = "{secrets.token_hex(16)}"'))
    league = begun(folder, league, part)
    if configuration.is_guessable(league.seed):
        click.echo(GUESSABLE.format(seed=league.seed), err=True)
    if league.is_of_dummies:
        click.echo(ONLY_DUMMIES, err=True)
    LeagueRun(folder, league, workers, shown, limit).play()


@click.command(
    cls=Command,
    epilog="""
    vinci tournament resume league
    vinci tournament resume ladder --games 120
    """,
)
@folder_argument
@ladder_games
@_workers_options
@shown_options
def resume(path: Path, games: int | None, workers: _Workers, shown: Shown) -> None:
    """Continue a stopped league: play the missing games and write its report. Exits with the status of `run`."""
    folder = Folder(path)
    league = stored_league(folder)
    _check_local(league, str(path))
    check_limit(league, games)
    LeagueRun(folder, league, workers, shown, games).play()


@click.command(cls=Command, epilog="vinci tournament merge first second --out autumn")
@click.argument("parts", metavar="FOLDER ...", nargs=-1, required=True, type=click.Path(path_type=Path))
@flag("--partial", help="Accept missing games; `resume` plays them.")
@path_option("--out FOLDER", help="Folder for the merged league. Default: its name.")
def merge(parts: tuple[Path, ...], partial: bool, out: Path | None) -> None:
    """Merge the folders of a league whose blocks were played with --blocks, and write its report.

    The merged folder is the same as that of one run. A game that is in several folders must have the same result.
    """
    folders = [Folder(path) for path in parts]
    try:
        league = folders[0].league()
    except FolderError as error:
        raise Failed(str(error)) from None
    out = out or Path(league.name)
    with errors_apart(league):
        number = merge_folders(folders, out, partial_league=partial)
        click.echo(f"{number} games of {len(parts)} folders are merged in {out}.")
        merged = Folder(out)
        if partial and not LeagueProgress(merged.league(), merged.results().values()).results:
            return
        report = report_of(merged)
        write(report, out)
        click.echo(FILES["report.txt"](report))
    exit_with_verdict(report)


def _name_of(out: Path) -> dict[str, str]:
    """Return the name for a league: that of the one in its folder, or of the folder if it is a valid name."""
    with suppress(FolderError):
        return {"name": Folder(out).league().name}
    return {"name": out.name} if NAME.fullmatch(out.name) else {}


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
        "bots": [
            *({"folder": str(folder)} for folder in given.pop("folders", ())),
            *configuration.bots(words, "nodes" if given.pop("nodes", False) else "time"),
        ],
        "options": settings(given.pop("options", ()), None),
        "stop": {name: given.pop(name) for name in (*GATE_ONLY, "width") if name in given},
        **given,
    }


def check_limit(league: League, games: int | None) -> None:
    """Raise Misused for a number of games of a league that is no ladder."""
    if games is not None and not league.is_open_ended:
        raise Misused(_("--games limits a ladder; add games to another league with vinci tournament extend"))


def _check_local(league: League, how: str) -> None:
    """Raise Misused for a league with remote bots; `how` is what opens it."""
    if league.remote:
        text = _("{names}: remote bots need a league that is open; play it with: vinci tournament open {how}")
        raise Misused(text.format(names=", ".join(league.remote), how=how))
