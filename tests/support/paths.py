"""Folders of the project that tests read."""

from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2]
DOCS: Final = PROJECT / "docs"
DATA: Final = PROJECT / "tests" / "data"
"""Golden files and the inputs that go with them."""
