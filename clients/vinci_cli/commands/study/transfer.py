"""`vinci export` and `vinci import`: matches from one database to another, as text."""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from vinci_server.operations import logs
from vinci_server.storage.store import MatchEntry, Store, Stored, StoreError
from vinci_server.transfer import bundle

from ...connection import home
from ...exceptions import Failed
from ...text.i18n import _, plural
from .. import progress
from ..base import Command
from ..options import path_option

_database = path_option("--db", "database", help="Database of all games of a server.")


@click.command(
    cls=Command,
    epilog="""
    vinci export > games.jsonl
    vinci export k3f9xa2m --db server.db > game.jsonl
    """,
)
@click.argument("match_ids", nargs=-1, metavar="[MATCH]...")
@_database
def export(match_ids: tuple[str, ...], database: Path | None) -> None:
    """Write matches of a database as text, all of them if none is named. The server that uses it must be stopped."""
    logs.configure("warning")
    database = database or home.folder() / "server.db"
    if not database.exists():
        raise Failed(_("there is no database {database}; name another with --db").format(database=database))
    try:
        asyncio.run(_export(database, match_ids))
    except StoreError as error:
        raise Failed(str(error)) from None


async def _export(database: Path, match_ids: Sequence[str]) -> None:
    store = Store(database)
    try:
        entries = await store.entries()
        if unknown := sorted(set(match_ids) - {entry.match_id for entry in entries}):
            text = _("{database} has no match {matches}")
            raise Failed(text.format(database=database, matches=", ".join(unknown)))
        chosen = [entry for entry in entries if not match_ids or entry.match_id in match_ids]
        _write([bundle.first_line(len(chosen))])
        for entry in progress.shown(chosen, len(chosen), _("matches")):
            _write(bundle.lines(entry, await store.load(entry.match_id)))
        sys.stdout.buffer.flush()
    finally:
        store.close()


def _write(lines: Iterable[str]) -> None:
    sys.stdout.buffer.writelines(f"{line}\n".encode() for line in lines)


@click.command(
    "import",
    cls=Command,
    epilog="""
    vinci import games.jsonl --db other.db
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@_database
def import_(file: Path, database: Path | None) -> None:
    """Take exported matches into a database: all of them, or none if a line was changed.

    Matches that are there already are left alone. The server that uses the database must be stopped.
    """
    import_matches(file, database or home.private_folder() / "server.db")


def import_matches(file: Path, database: Path) -> None:
    """Add the matches of a file to a database, and print how many are new."""
    logs.configure("warning")
    try:
        text = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        matches = list(progress.shown(bundle.matches(text), bundle.count(text), _("matches")))
    except UnicodeDecodeError as error:
        raise Failed(_("{file} is no text: {error}").format(file=file, error=error)) from None
    except bundle.BadLine as error:
        raise Failed(f"{file}, {error}") from None
    try:
        new = asyncio.run(_import(matches, database))
    except StoreError as error:
        raise Failed(str(error)) from None
    sentence = plural(
        "{new} of {all} matches taken into {database}; {n} were there already",
        "{new} of {all} matches taken into {database}; {n} were there already",
        len(matches) - new,
        new=new,
        all=len(matches),
        database=database,
    )
    if new == len(matches):
        sentence = _("{new} of {all} matches taken into {database}").format(new=new, all=new, database=database)
    click.echo(sentence)


async def _import(matches: Sequence[tuple[MatchEntry, Stored]], database: Path) -> int:
    """Add the matches that the database does not have, and return their number."""
    store = Store(database)
    try:
        new = []
        for entry, stored in matches:
            rows = (await store.load(entry.match_id)).rows
            if not rows:
                new.append((entry, stored))
            elif rows != stored.rows:
                text = _("{database} has another match {match}; nothing was taken")
                raise Failed(text.format(database=database, match=entry.match_id))
        await store.put(new)
    finally:
        store.close()
    return len(new)
