"""Commands that need no server: games in one process, records, positions, the board, the rules, a database as text."""

import shutil
import sys
from pathlib import Path
from typing import Any

import click

from ...exceptions import Misused
from ...text.i18n import _
from ..base import Command, option
from ..options import json_option, rules_options

_server_database = option("--db", type=click.Path(path_type=Path), help="Database of all games of a server.")


@click.command(
    cls=Command,
    epilog="""
    vinci export > games.jsonl
    vinci export k3f9xa2m --db server.db > game.jsonl
    """,
)
@click.argument("match_ids", nargs=-1, metavar="[MATCH]...")
@_server_database
def export(match_ids: tuple[str, ...], db: Path | None) -> None:
    """Write matches of a database as text, all of them if none is named. The server that uses it must be stopped."""
    from ...connection import saved_seats
    from ..admin import transfer

    transfer.export_matches(db or saved_seats.home() / "server.db", match_ids)


@click.command(
    "import",
    cls=Command,
    epilog="""
    vinci import games.jsonl --db other.db
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@_server_database
def import_(file: Path, db: Path | None) -> None:
    """Take exported matches into a database: all of them, or none if one is not as it was written.

    Matches that are there already are left alone. The server that uses the database must be stopped.
    """
    from ...connection import saved_seats
    from ..admin import transfer

    transfer.import_matches(file, db or saved_seats.private_home() / "server.db")


@click.command(
    cls=Command,
    epilog="""
    vinci selfplay --players greedy,dummy,dummy,dummy --games 200 --seed 1
    vinci selfplay --players dummy,dummy,dummy,dummy --games 20 --seed 1 --json
    """,
)
@option("--players", default="dummy,dummy,dummy,dummy", show_default=True, help="dummy, greedy or random each.")
@option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many games.")
@option("--seed", default="1", show_default=True, help="Game n uses the seed SEED-n.")
@rules_options
@option("--records", type=click.Path(path_type=Path), help="Folder for a record of each game.")
@json_option
def selfplay(
    players: str, games: int, seed: str, board: str, records: Path | None, as_json: bool, edition: str, **rules: Any
) -> None:
    """Play games in one process, without a server. The same seed gives the same games on every machine."""
    from vinci_rules.board import DEFAULT_BOARD

    from ...connection.match_request import EDITION, settings
    from . import games as games_command

    chosen = settings(rules["options"], rules["target"])
    games_command.selfplay(
        players, games, seed, board or DEFAULT_BOARD, edition or EDITION, chosen, as_json=as_json, records=records
    )


@click.command(
    cls=Command,
    epilog="""
    vinci replay game.jsonl
    vinci replay game.jsonl --line
    vinci replay game.jsonl --verify
    vinci replay game.jsonl --html game.html
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@option("--verify", is_flag=True, help="Also draw everything again from the seed, and ask the dummies again.")
@option("--html", type=click.Path(path_type=Path), help="Write the game as one HTML page instead.")
@option("--line", is_flag=True, help="Tell it in lines, as where there is no terminal.")
@json_option
def replay(file: Path, verify: bool, html: Path | None, line: bool, as_json: bool) -> None:
    """Show a recorded game, in full screen where there is a terminal; names the first line that is not as written."""
    from .. import interface
    from . import games as games_command

    if html is not None and (verify or line or as_json):
        raise Misused(_("--html goes without --verify, --line and --json"))
    if html is not None:
        games_command.write_page(file, html)
    elif verify or as_json or not interface.fills_screen(line=line):
        games_command.replay(file, verify=verify, as_json=as_json)
    else:
        games_command.show_replay(file)


@click.command(
    cls=Command,
    epilog="""
    vinci analyze --legal --json --position "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    vinci analyze --position game.txt --action "x COL" --action "hold ARA=6 COL=5"
    """,
)
@option("--position", required=True, help="The position: text, a file, or - for standard input.")
@option("--legal", is_flag=True, help="What is legal, with costs; the default without --action.")
@option("--action", "actions", multiple=True, help="Play this; several are played in order.")
@json_option
def analyze(position: str, legal: bool, actions: tuple[str, ...], as_json: bool) -> None:
    """What can be done in a position, what an action does there, or why it is illegal."""
    from ...connection.match_request import text_or_file
    from . import games as games_command

    games_command.analyze(text_or_file(position), actions, legal=legal, as_json=as_json)


@click.command(
    cls=Command,
    epilog="""
    vinci board --svg europe.svg
    vinci board --svg game.svg --position "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    """,
)
@option("--svg", "file", required=True, type=click.Path(path_type=Path), help="The file to write, a picture in SVG.")
@option(
    "--board", default="", help="The empty board of this name; without it, the default board or that of the position."
)
@option("--position", default="", help="A position on its board: text, a file, or - for standard input.")
def board(file: Path, board: str, position: str) -> None:
    """Draw a board, empty or with a position on it."""
    from vinci_rules.board import DEFAULT_BOARD

    from ...connection.match_request import text_or_file
    from . import games as games_command

    if board and position:
        raise Misused(_("--board goes without --position, which names its board"))
    games_command.draw(file, board or DEFAULT_BOARD, text_or_file(position))


@click.command(
    cls=Command,
    epilog="""
    vinci rules R-CONQ-3
    vinci rules Weapons
    """,
)
@click.argument("name", default="")
def rules(name: str) -> None:
    """A rule by its id, a group of rules, a trait; without a name, all rules."""
    from ...text import manual

    if not name:
        click.echo_via_pager(manual.rules_document())
        return
    try:
        text = manual.rule(name)
        width = shutil.get_terminal_size().columns
        click.echo("\n".join(manual.wrapped(text, width)) if sys.stdout.isatty() else text)
    except manual.UnknownRule as error:
        raise Misused(str(error)) from None
