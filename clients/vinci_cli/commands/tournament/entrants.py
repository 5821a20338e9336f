"""The bots that were handed in for a league: prepared before it, as docs/open-leagues.md tells."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from vinci_bots.doctor.tested_bot import Deadlines
from vinci_bots.local.process import MEGABYTE
from vinci_tournament.entrants import pages, prepare
from vinci_tournament.play.folder import ENTRANTS, LEAGUE, Folder

from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..bot.sandbox import check_sandbox
from ..progress import Line


def prepared(source: Path, file: Path | None, given: Mapping[str, Any], folder: Folder) -> list[Path]:
    """Return the folders of the entrants that passed; prepare them unless the league has begun.

    Raises Misused and Failed.
    """
    if file is not None or "gauntlet" in given or "gate" in given:
        raise Misused(_("--entrants takes the bots from its folder: leave out the file, --gauntlet and --gate"))
    if not given.get("sandbox"):
        raise Misused(_("--entrants runs programs of others: add --sandbox, which confines them"))
    if not source.is_dir():
        raise Misused(_("--entrants: there is no folder {folder}").format(folder=source))
    check_sandbox()
    place = folder.path / ENTRANTS
    if not (folder.path / LEAGUE).exists():
        if folder.path.exists() and {path.name for path in folder.path.iterdir()} - {ENTRANTS}:
            raise Failed(_("{folder} is not empty; choose another folder with --out").format(folder=folder.path))
        limits = Deadlines(memory=(given.get("memory") or 2048) * MEGABYTE)
        line = Line()
        try:
            prepare.prepare(source, place, limits, line.show)
        finally:
            line.show("")
    entrants = prepare.stored(place)
    for text in prepare.summary(entrants):
        click.echo(text, err=True)
    if not (folder.path / LEAGUE).exists():
        pages.write(place, entrants, ())
    return [prepare.folder_of(place, entrant.name) for entrant in entrants if entrant.plays]
