"""`vinci export` and `vinci import`: matches from one database to another, as text."""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import click

from vinci_server.operations import logs
from vinci_server.storage.store import MatchEntry, Store, Stored, StoreError
from vinci_server.transfer import bundle, salvage

from ... import home
from ...exceptions import Failed
from ...text.i18n import _, plural
from .. import progress
from ..base import Command, flag
from ..options import path_option

SOME_LOST: Final = 3
"""Status of `vinci export --salvage` if anything could not be read."""

_database = path_option("--db", "database", help="Database of all games of a server.")


@click.command(
    cls=Command,
    epilog="""
    vinci export > games.jsonl
    vinci export k3f9xa2m --db server.db > game.jsonl
    vinci export --salvage --db damaged.db > saved.jsonl
    """,
)
@click.argument("match_ids", nargs=-1, metavar="[MATCH]...")
@_database
@flag(
    "--salvage",
    "is_damaged",
    help="Write what can be read of a damaged database, which is not changed, and tell what is lost. "
    "Status 3 if anything is.",
)
def export(match_ids: tuple[str, ...], database: Path | None, is_damaged: bool) -> None:
    """Write matches of a database as text, all of them if none is named. The server that uses it must be stopped."""
    logs.configure("warning")
    database = database or home.folder() / "server.db"
    if not database.exists():
        raise Failed(_("there is no database {database}; name another with --db").format(database=database))
    try:
        if is_damaged:
            is_whole = _salvage(database, match_ids)
        else:
            asyncio.run(_export(database, match_ids))
            is_whole = True
    except StoreError as error:
        raise Failed(str(error)) from None
    if not is_whole:
        sys.exit(SOME_LOST)


async def _export(database: Path, match_ids: Sequence[str]) -> None:
    store = Store(database)
    try:
        entries = await store.entries()
        _check_known(database, match_ids, [entry.match_id for entry in entries])
        chosen = [entry for entry in entries if not match_ids or entry.match_id in match_ids]
        _write([bundle.first_line(len(chosen))])
        for entry in progress.shown(chosen, len(chosen), _("matches")):
            _write(bundle.lines(entry, await store.load(entry.match_id)))
        sys.stdout.buffer.flush()
    finally:
        store.close()


def _check_known(database: Path, match_ids: Sequence[str], known: Sequence[str]) -> None:
    """Raises Failed if a match that was named is not in the database."""
    if unknown := sorted(set(match_ids) - set(known)):
        text = _("{database} has no match {matches}")
        raise Failed(text.format(database=database, matches=", ".join(unknown)))


def _salvage(database: Path, match_ids: Sequence[str]) -> bool:
    """Write what can be read of a damaged database, and tell what is lost; returns whether nothing is."""
    whole, part, lost = 0, 0, 0
    with salvage.opened(database) as wreck, tempfile.TemporaryFile() as lines:
        _check_known(database, match_ids, wreck.match_ids)
        chosen = [match_id for match_id in wreck.match_ids if not match_ids or match_id in match_ids]
        for match_id in progress.shown(chosen, len(chosen), _("matches")):
            match, fault = wreck.read(match_id)
            if match is None:
                lost += 1
                text = _("match {match} is lost: {error}")
                click.echo(text.format(match=match_id, error=fault), err=True)
                continue
            lines.writelines(f"{line}\n".encode() for line in bundle.lines(*match))
            whole, part = (whole, part + 1) if fault else (whole + 1, part)
            if fault:
                text = _("match {match} is saved up to entry {number}: {error}")
                click.echo(text.format(match=match_id, number=len(match[1].rows), error=fault), err=True)
        _write([bundle.first_line(whole + part)])
        lines.seek(0)
        sys.stdout.flush()
        shutil.copyfileobj(lines, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        if wreck.fault:
            text = _("the list of matches cannot be read as a whole, so there may have been others: {error}")
            click.echo(text.format(error=wreck.fault), err=True)
    text = _("Matches saved as a whole: {whole}, in part: {part}, lost: {lost}.")
    click.echo(text.format(whole=whole, part=part, lost=lost), err=True)
    return not (part or lost or wreck.fault)


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
