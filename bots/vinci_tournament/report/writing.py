"""Writes the report as files, beside the records of the games."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from ..play.files import has_contents, replace_file
from ..play.folder import collection_paused
from .contents import Report
from .data import csv_games, csv_games_parts, csv_standings, json_parts, junit, to_json
from .markdown import markdown
from .page import page
from .sections import league_document
from .terminal import terminal

FILES: Final[dict[str, Callable[[Report], str]]] = {
    "report.txt": lambda report: terminal(league_document(report)),
    "report.json": to_json,
    "report.html": lambda report: page(league_document(report)),
    "report.md": lambda report: markdown(league_document(report)),
    "standings.csv": csv_standings,
    "games.csv": csv_games,
    "junit.xml": junit,
}
PARTS: Final[dict[str, Callable[[Report], Iterable[str]]]] = {"report.json": json_parts, "games.csv": csv_games_parts}
"""Forms that are too long for one text if a league is large."""


def parts(name: str, report: Report) -> Iterator[bytes]:
    """Yield the contents of a file of the report in parts; nothing if the report has no such form."""
    texts = PARTS[name](report) if name in PARTS else map(FILES[name], [report])
    return (text.encode(errors="backslashreplace") for text in texts if text)


@collection_paused()
def write(report: Report, folder: Path) -> None:
    """Write all forms of the report that are not empty into a folder, each file atomically. Raises OSError.

    Files that have these contents already are left as they are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        is_wanted = name != "junit.xml" or report.league.gates
        if is_wanted and not has_contents(folder / name, parts(name, report)):
            replace_file(folder / name, parts(name, report))
