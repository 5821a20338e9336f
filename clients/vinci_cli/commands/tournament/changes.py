"""`vinci tournament start`, `withdraw`, `readmit` and `change`: events of a league that may be played meanwhile.

Their output is in English only.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path

import click

from vinci_tournament.definition.changes import changed, dropped, returned, withdrawn
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.definition.events import Event
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.live import last_live

from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import Command, flag, option
from .group import folder_argument


@contextmanager
def _changing(folder: Folder) -> Iterator[None]:
    """Hold the lock of a folder; the process that plays its league pauses meanwhile. Raises Misused and Failed."""
    try:
        folder.league()
        if folder.blocks():
            raise Misused(_("this folder is for some blocks of a league only; merge all folders and change the whole"))
        with folder.locked_in_pause() if folder.is_in_use() else folder.locked():
            yield
    except LeagueError as error:
        raise Misused(str(error)) from None
    except FolderError as error:
        raise Failed(str(error)) from None


def _begun(folder: Folder) -> set[str]:
    """Return the keys of games that are over, or were under way when the league was played last."""
    state = last_live(folder.path)
    return {*folder.results(), *(key for key, _bots in (state.running if state else ()))}


@click.command(cls=Command, epilog="vinci tournament start weekend\nvinci tournament start weekend --drop")
@folder_argument
@flag("--drop", help="Withdraw the bots that have never connected.")
def start(path: Path, drop: bool) -> None:
    """Start a league with bots on other machines now, whoever is missing."""
    folder = Folder(path)
    with _changing(folder):
        league = folder.league()
        if not league.remote:
            raise Misused(_("{league} has no bots on other machines, and starts at once").format(league=league.name))
        if league.is_started or folder.results():
            raise Misused(_("{league} has started already").format(league=league.name))
        missing = sorted({*league.remote} - league.connected)
        drops = drop or league.missing == "drop"
        gone = dropped(league, missing) if drops else []
        folder.note_events([Event("started"), *gone])
    wait = f" It waits for the games of {', '.join(missing)}." if missing and not drops else ""
    click.echo(f"{league.name} has started.{wait}")
    for event in gone:
        click.echo(event.told)


@click.command(cls=Command, epilog="vinci tournament withdraw weekend jon")
@folder_argument
@click.argument("bot", metavar="NAME")
def withdraw(path: Path, bot: str) -> None:
    """Withdraw a bot from a league, also while it is played; what it has played stays.

    Blocks that have begun are finished, by forfeits if the bot is away; the others get line-ups without it.
    """
    folder = Folder(path)
    with _changing(folder):
        event = withdrawn(folder.league(), bot, _begun(folder))
        folder.note_events([event])
    click.echo(event.told)


@click.command(cls=Command, epilog="vinci tournament readmit weekend jon")
@folder_argument
@click.argument("bot", metavar="NAME")
def readmit(path: Path, bot: str) -> None:
    """Take a bot back that withdrew from a league, also while it is played; it plays until it has caught up."""
    folder = Folder(path)
    with _changing(folder):
        event = returned(folder.league(), bot, _begun(folder))
        folder.note_events([event])
    click.echo(event.told)


@click.command(
    cls=Command,
    epilog="""
    vinci tournament change weekend --absence 60
    vinci tournament change weekend --clock 30 --games 400
    """,
)
@folder_argument
@option("--absence SECONDS", help="Seconds for which a bot on another machine is waited for; 0: for ever.")
@option("--clock", help="30: seconds a decision; 10m+15s: a bank, and more with each turn; for blocks that come.")
@option("--games", least=1, help="Number of games of the whole league, rounded up to whole blocks.")
def change(path: Path, absence: str, clock: str, games: int | None) -> None:
    """Change conditions or the end of a league, also while it is played; each change is in its report."""
    folder = Folder(path)
    with _changing(folder):
        league = folder.league()
        blocks = "" if games is None else str(ceil(games / league.rotations))
        values = {key: value for key, value in (("absence", absence), ("clock", clock), ("blocks", blocks)) if value}
        if not values:
            raise Misused(_("name what changes: {options}").format(options="--absence, --clock, --games"))
        begun = _begun(folder)
        found = [changed(league, key, value, begun) for key, value in values.items()]
        events = [event for event in found if event is not None]
        folder.note_events(events)
    for event in events:
        click.echo(event.told)
    if not events:
        click.echo("Nothing changes.")
