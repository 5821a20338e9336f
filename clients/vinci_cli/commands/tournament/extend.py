"""`vinci tournament extend`. Its output is in English only; see docs/tournaments.md."""

import secrets
from math import ceil
from pathlib import Path

import click

from vinci_tournament.definition import configuration, digests
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.definition.extension import extended
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import write

from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import Command, flag, option
from .group import folder_argument


@click.command(
    cls=Command,
    epilog="""
    vinci tournament extend league --games 120
    vinci tournament extend league --bots "python mine.py" hard
    vinci tournament extend league new.toml --games 120
    vinci tournament extend ladder --bots "python mine-2.py" --retire mine
    """,
)
@folder_argument
@click.argument("file", type=click.Path(path_type=Path), required=False)
@option("--bots BOT ...", multiple=True, help="Bots that enter the league: built-in names or commands.")
@flag("--nodes", help="Declare that the commands play the same from the same seed, so that games can be reproduced.")
@option(
    "--games",
    least=1,
    help="Further games, rounded up to whole blocks. Default: until new bots have played as often as the others.",
)
@option("--retire NAME ...", multiple=True, help="Bots that leave a ladder; their games stay.")
@option("--seed", help="Seed of the new games. Default: a secret random one once the old one is known.")
def extend(
    path: Path,
    file: Path | None,
    bots: tuple[str, ...],
    nodes: bool,
    games: int | None,
    retire: tuple[str, ...],
    seed: str,
) -> None:
    """Add games or bots to a league that is finished or stopped; nothing is played again. `resume` plays them.

    New bots are named by --bots, or by a file with [[bots]] as in that of a league. Bots also enter and leave a ladder
    that is played; it pauses for a moment.
    """
    if not (file or bots or games or retire):
        raise Misused(_("name what is new: --games, --bots, --retire or a file with [[bots]]"))
    folder = Folder(path)
    try:
        league = folder.league()
        tables = configuration.read_bots(file) if file else []
        taken = [bot.name for bot in league.bots]
        tables += configuration.bots(bots, "nodes" if nodes else "time", taken)
        new = configuration.league_bots(tables)
        is_played = league.is_open_ended and folder.is_in_use()
        if is_played:  # wrong options cause no pause
            extended(league, new, games, played=0, is_stopped=False, retired=retire)
            if not league.remote and any(bot.remote for bot in new):
                raise Misused(_("this ladder is played without remote bots; stop it, extend it and open it"))
        with folder.locked_in_pause() if is_played else folder.locked():
            league = folder.league()
            for change in digests.changed(league):
                raise Failed(f"{change}; {digests.advice(league)}")
            if folder.blocks():
                raise Misused(
                    _("this folder is for some blocks of a league only; merge all folders and extend the whole")
                )
            results = folder.planned(league)
            progress = LeagueProgress(league, results.values())
            longer = extended(
                league,
                new,
                None if games is None else ceil(games / league.rotations),
                played=max((result.block + 1 for result in results.values()), default=0),
                is_stopped=progress.is_stopped,
                seed=configuration.checked_seed(seed) if seed else secrets.token_hex(16) * progress.is_decided,
                retired=retire,
            )
            folder.extend(longer)
            if progress.results:
                write(report_of(folder), path)
    except LeagueError as error:
        raise Misused(str(error)) from None
    except FolderError as error:
        raise Failed(str(error)) from None
    number = len(longer.active(longer.blocks))
    how = f"vinci tournament {longer.continued_by} {path}"
    if is_played:
        click.echo(f"{league.name} has {number} bots, and goes on.")
    elif longer.is_open_ended:
        click.echo(f"{league.name} has {number} bots. Go on with: {how}")
    else:
        left = longer.blocks * longer.rotations - len(results)
        click.echo(f"{league.name} has {len(longer.bots)} bots and {left} games left. Play them with: {how}")
    for bot in longer.bots[len(league.bots) :]:
        if bot.remote:
            click.echo(
                f"Invite {bot.name} {'' if is_played else 'then '}with: vinci tournament invite {path} {bot.name}"
            )
