"""`vinci bot new`: the templates `bots/python` and `bots/typescript`, copied with the name of the new bot."""

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Final

import click

from vinci.v1 import game_pb2
from vinci_players.names import BOTS

from ...exceptions import Failed, Misused
from ...text.i18n import OF_PROGRAMS, _
from ..base import Command, option

SOURCES: Final = (Path(__file__).parents[2] / "templates", Path(__file__).parents[4] / "bots")
"""Folders with the templates: in the installed package, and in the checkout."""

MADE: Final = ("node_modules", "dist", "generated", "__pycache__", ".*_cache")
"""Files that are not copied, since they are generated again."""

NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}")
TAKEN: Final = ("human", "dummy", *BOTS)
"""Words with another meaning in lists of players."""

NAMED: Final = {
    "python": r"starter",
    "typescript": r'typescript-bot|(?<![/@])(?<!--lang )\btypescript\b(?!":)',  # a package is called so, too
}
"""Pattern of the placeholder for the name in the files of each language."""

PYTHON: Final = "python" if shutil.which("python") == sys.executable else shlex.quote(sys.executable)
"""The Python that Vinci is installed for, as typed."""
TO_START: Final = {
    "python": (f"{PYTHON} -m unittest", "vinci bot run bot.py"),
    "typescript": ("npm install", "npm run build", "npm start"),
}
"""Commands to type in the new folder; the last one plays."""


@click.command(
    cls=Command,
    epilog="""
    vinci bot new hermit
    vinci bot new hermit --lang typescript
    """,
)
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@option(
    "--lang",
    "in_language",
    type=click.Choice(OF_PROGRAMS),
    default="python",
    show_default=False,
    help="Its programming language.",
)
def new(folder: Path, in_language: str) -> None:
    """Write a new bot, ready to run, with a test: a folder of its own."""
    name = folder.name
    if not NAME.fullmatch(name) or name in TAKEN:
        text = _(
            "{name!r} is no name for a new bot: a letter, then letters, digits, - or _, in lower case; "
            "not a built-in bot"
        )
        raise Misused(text.format(name=name))
    if folder.exists():
        raise Failed(_("{folder} is there already, and stays as it is; choose another name").format(folder=folder))
    shutil.copytree(_source(in_language), folder, ignore=shutil.ignore_patterns(*MADE))
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        path.write_text(re.sub(NAMED[in_language], name, path.read_text(encoding="utf-8")), encoding="utf-8")
    if in_language != "python":
        protos = folder / "proto" / "vinci" / "v1"
        protos.mkdir(parents=True)
        for proto in Path(game_pb2.__file__).parent.glob("*.proto"):
            shutil.copy(proto, protos)
    click.echo(_("{folder} is a bot that plays; its README says how. To see it play:").format(folder=folder))
    click.echo(f"  vinci serve --players {name},dummy,dummy")
    click.echo(f"  {' && '.join([shlex.join(['cd', str(folder)]), *TO_START[in_language]])}")


def _source(in_language: str) -> Path:
    """Return the template of a language. Raises Failed if there is none."""
    for folder in SOURCES:
        if (folder / in_language).is_dir():
            return folder / in_language
    raise Failed(_("this installation has no beginning of a bot in {language}").format(language=in_language))
