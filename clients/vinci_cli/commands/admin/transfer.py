"""`vinci export` and `vinci import`: matches from one database to another, as text."""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from vinci_server.operations import logs
from vinci_server.storage.store import MatchEntry, Store, Stored, StoreError
from vinci_server.transfer import bundle

from ...exceptions import Failed
from ...text.i18n import _, plural
from .. import progress


def export_matches(database: Path, match_ids: Sequence[str]) -> None:
    """Write these matches, or all, to standard output."""
    logs.configure("warning")
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
            told = _("{database} has no match {matches}")
            raise Failed(told.format(database=database, matches=", ".join(unknown)))
        chosen = [entry for entry in entries if not match_ids or entry.match_id in match_ids]
        _write([bundle.first_line(len(chosen))])
        for entry in progress.shown(chosen, len(chosen), _("matches")):
            _write(bundle.lines(entry, await store.load(entry.match_id)))
        sys.stdout.buffer.flush()
    finally:
        store.close()


def _write(lines: Iterable[str]) -> None:
    sys.stdout.buffer.writelines(f"{line}\n".encode() for line in lines)


def import_matches(file: Path, database: Path) -> None:
    """Take the matches of a file into a database; says how many are new."""
    logs.configure("warning")
    try:
        text = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        found = list(progress.shown(bundle.matches(text), bundle.count(text), _("matches")))
    except UnicodeDecodeError as error:
        raise Failed(_("{file} is no text: {error}").format(file=file, error=error)) from None
    except bundle.BadLine as error:
        raise Failed(f"{file}, {error}") from None
    try:
        new = asyncio.run(_import(found, database))
    except StoreError as error:
        raise Failed(str(error)) from None
    told = plural(
        "{new} of {all} matches taken into {database}; {n} were there already",
        "{new} of {all} matches taken into {database}; {n} were there already",
        len(found) - new,
        new=new,
        all=len(found),
        database=database,
    )
    if new == len(found):
        told = _("{new} of {all} matches taken into {database}").format(new=new, all=len(found), database=database)
    print(told)  # noqa: T201  # this is its work


async def _import(found: Sequence[tuple[MatchEntry, Stored]], database: Path) -> int:
    """Returns how many were not there already."""
    store = Store(database)
    try:
        new = []
        for entry, stored in found:
            rows = (await store.load(entry.match_id)).rows
            if not rows:
                new.append((entry, stored))
            elif rows != stored.rows:
                told = _("{database} has another match {match}; nothing was taken")
                raise Failed(told.format(database=database, match=entry.match_id))
        await store.put(new)
    finally:
        store.close()
    return len(new)
