"""`vinci tournament start`: changes a league that is open, also while it is played. Its output is in English only."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from vinci_tournament.definition.events import Event
from vinci_tournament.play.folder import Folder, FolderError

from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import Command
from .group import folder_argument


@contextmanager
def _changing(folder: Folder) -> Iterator[None]:
    """Hold the lock of a folder; the process that plays its league pauses meanwhile. Raises Failed."""
    try:
        folder.league()
        with folder.locked_in_pause() if folder.is_in_use() else folder.locked():
            yield
    except FolderError as error:
        raise Failed(str(error)) from None


@click.command(cls=Command, epilog="vinci tournament start weekend")
@folder_argument
def start(path: Path) -> None:
    """Start a league with bots on other machines now, whoever is missing."""
    folder = Folder(path)
    with _changing(folder):
        league = folder.league()
        if not league.remote:
            raise Misused(_("{league} has no bots on other machines, and starts at once").format(league=league.name))
        if league.is_started or folder.results():
            raise Misused(_("{league} has started already").format(league=league.name))
        folder.note_events([Event("started")])
    missing = ", ".join(sorted({*league.remote} - league.connected))
    click.echo(f"{league.name} has started. {f'It waits for the games of {missing}.' if missing else ''}".rstrip())
