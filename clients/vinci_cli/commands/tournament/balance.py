"""`vinci tournament balance`. Its output is in English only; see docs/balance.md."""

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from vinci_rules.record import RecordError
from vinci_tournament.balance import study as definition
from vinci_tournament.balance.build import comparison_of
from vinci_tournament.balance.forms import FILES, write
from vinci_tournament.balance.study import Study, StudyError
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.play import runner
from vinci_tournament.play.folder import FolderError
from vinci_tournament.play.runner import RunnerError
from vinci_tournament.play.worker_pool import Processes, pool_of

from ...connection.connect import INTERRUPTED, stop_in_order
from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import Command, flag, option
from ..options import as_typed, path_option
from ..progress import Line
from .group import workers_option
from .progress import Progress

OUT: Final = Path("balance")


@click.command(
    cls=Command,
    epilog="""
    vinci tournament balance --editions standard,FR,NL,DE,WEB --bots normal
    vinci tournament balance --bots normal easy --change WEA=+2 --change FOR=2
    vinci tournament balance --bots normal --seats 3,4,5,6 --games 400
    vinci tournament balance --resume balance
    """,
)
@option("--editions EDITION ...", multiple=True, help="Editions to compare. Default: standard.")
@option(
    "--change TRAIT=STRENGTH ...",
    "changes",
    multiple=True,
    help="Compare with a game in which a trait has another strength: WEA=5, or WEA=+2 for 2 pawns more.",
)
@option("--bots BOT ...", multiple=True, help="Bots that play: built-in names or commands. Default: normal.")
@flag("--nodes", help="Declare that the commands play the same from the same seed.")
@option("--seats SEATS ...", multiple=True, help="Numbers of seats, such as 3,4,5,6. Default: 4.")
@option("--games", least=1, help="Games for each edition or change, and for each number of seats. Default: 400.")
@option("--seed", help="Seed of all games. Default: a secret random one.")
@option("--board", help="Name of the board; an unknown one is refused with a list of all.")
@option("--target", least=1, help="VP that end the game.")
@path_option("--out FOLDER", help="Folder for the study. Default: balance.")
@path_option("--resume FOLDER", help="Continue a stopped study, or write its report again.")
@option("--json", "form", flag_value="balance.json", help="Print all values as JSON.")
@option("--csv", "form", flag_value="balance.csv", help="Print the effects as CSV.")
@workers_option
def balance(out: Path | None, resume: Path | None, form: str | None, workers: int | None, **flags: Any) -> None:
    """Compare editions, or the game with changed traits, by games with the same seeds.

    Reports what each trait and pair of traits is worth, how often it is taken and at what price, the length of games,
    lead changes, and how much the first seat wins.
    """
    given = {name: value for name, value in flags.items() if value not in (None, "", (), False)}
    if resume is not None and (given or out):
        text = _("{options}: the study in --resume knows this; leave it out")
        raise Misused(text.format(options=as_typed([*given, *(["out"] if out else [])])))
    number = workers or os.cpu_count() or 1
    folder = resume or out or OUT
    try:
        study = definition.read(folder) if resume else Study(**_fields(given))
        parts = definition.begin(study, folder)
    except (StudyError, LeagueError, FolderError) as error:
        raise Misused(str(error)) from None
    line = Line()
    stop_in_order()
    try:
        for place, part in enumerate(parts, 1):
            name = f"{part.arm.name}, {part.seats} seats ({place} of {len(parts)})"
            progress = Progress(part.folder.league(), None, is_endless=False, name=name)
            with part.folder.locked():
                runner.run(part.folder, lambda: Processes(number), number, progress)
        with pool_of(number) as pool:
            spread = pool.map if pool else map
            comparison = comparison_of(study, parts, folder, spread, partial(_show_records, line))
        write(comparison, folder)
    except KeyboardInterrupt:
        line.show("")
        click.echo(
            f"Interrupted; finished games are kept. Continue with: vinci tournament balance --resume {folder}", err=True
        )
        sys.exit(INTERRUPTED)
    except (FolderError, RunnerError, RecordError, OSError) as error:
        line.show("")
        raise Failed(str(error)) from None
    line.show("")
    click.echo(FILES[form or "balance.txt"](comparison), nl=False)
    if form is None:
        click.echo(f"Page with charts, values and records: {folder}")


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the study for these options. Raises StudyError."""
    if "editions" in given:
        given["editions"] = tuple(_words(given["editions"]))
    if "seats" in given:
        words = _words(given["seats"])
        if not all(word.isascii() and word.isdigit() for word in words):
            raise StudyError(f"--seats: {', '.join(words)!r}: give numbers such as 3,4,5,6")
        given["seats"] = tuple(sorted({int(word) for word in words}))
    return {"bots": ("normal",)} | given


def _words(given: Sequence[str]) -> list[str]:
    return [word.strip() for text in given for word in text.split(",") if word.strip()]


def _show_records(line: Line, arm: str, records: int) -> None:
    if line.is_due():
        line.update(f"{arm}: {records} records read")
