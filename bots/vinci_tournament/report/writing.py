"""Writes the report as files, beside the records of the games."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from ..play.files import replace_file
from .contents import Report
from .data import csv_games, csv_standings, to_json
from .junit import junit
from .markdown import markdown
from .page import page
from .terminal import terminal

FILES: Final[dict[str, Callable[[Report], str]]] = {
    "report.txt": terminal,
    "report.json": to_json,
    "report.html": page,
    "report.md": markdown,
    "standings.csv": csv_standings,
    "games.csv": csv_games,
    "junit.xml": junit,
}


def write(report: Report, folder: Path) -> None:
    """Write all forms of the report that are not empty into a folder, each file atomically. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, form in FILES.items():
        if content := form(report):
            replace_file(folder / name, content.encode(errors="backslashreplace"))
