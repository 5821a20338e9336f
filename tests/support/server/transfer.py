"""Export and import of matches of a server."""

from pathlib import Path

from vinci_cli.commands.study import transfer as command
from vinci_server.storage.store import Store
from vinci_server.transfer import bundle


async def export(database: Path, *match_ids: str) -> list[str]:
    """Return the lines of an export."""
    store = Store(database)
    entries = [entry for entry in await store.entries() if not match_ids or entry.match_id in match_ids]
    lines = [bundle.first_line(len(entries))]
    for entry in entries:
        lines += bundle.lines(entry, await store.load(entry.match_id))
    store.close()
    return lines


def take_in(lines: list[str], database: Path) -> None:
    """Import lines."""
    file = database.with_name("lines.jsonl")
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command.import_matches(file, database)
