"""`vinci bot pack`: a bot as an archive, to be handed in for a league."""

import shlex
from pathlib import Path

import click

from vinci_bots.local import manifest
from vinci_bots.local.manifest import BadManifest
from vinci_tournament.entrants import archive
from vinci_tournament.entrants.archive import BadArchive

from ...exceptions import Failed
from ...text.i18n import _, plural
from ..base import Command
from ..options import path_option


@click.command(cls=Command, epilog="vinci bot pack mybot\nvinci bot pack mybot --out ann.zip")
@click.argument("folder", type=click.Path(path_type=Path))
@path_option("--out FILE.zip", help="The archive. Default: the folder's name with .zip.")
def pack(folder: Path, out: Path | None) -> None:
    """Pack a folder with a bot.toml into an archive for a league of others; see docs/open-leagues.md."""
    if not folder.is_dir():
        raise Failed(_("there is no folder {folder}").format(folder=folder))
    out = out or Path(f"{folder.absolute().name}.zip")
    if out.exists():
        raise Failed(_("{folder} is there already, and stays as it is; choose another name").format(folder=out))
    try:
        known = manifest.read(folder, folder.absolute().name)
        if not known.build:
            manifest.check(known, folder)
        files = archive.pack(folder, out)
    except (BadManifest, BadArchive) as error:
        raise Failed(f"{folder}: {error}") from None
    click.echo(
        plural(
            "{name}: {n} file in {archive}.",
            "{name}: {n} files in {archive}.",
            len(files),
            name=known.name,
            archive=out,
        )
    )
    click.echo(_("Check it with: {command}").format(command=f"vinci bot check --sandbox {shlex.quote(str(folder))}"))
