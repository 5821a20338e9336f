"""Writes a balance report in all forms into the folder of the study."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from ..play.files import replace_file
from .comparison import Comparison
from .forms import text, to_csv, to_json
from .page import page

FILES: Final[dict[str, Callable[[Comparison], str]]] = {
    "balance.txt": text,
    "balance.json": to_json,
    "balance.csv": to_csv,
    "balance.html": page,
}


def write(comparison: Comparison, folder: Path) -> None:
    """Write all forms, each file atomically. Raises OSError."""
    for name, form in FILES.items():
        replace_file(folder / name, [form(comparison).encode()])
