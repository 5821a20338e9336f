"""Colours, patterns and symbols of the drawn board; `tools/palette.py` writes patterns and symbols for the page."""

import csv
from importlib.resources import files
from typing import Final

from .palette import TERRAINS as NAMES
from .palette import column, seats

_COLOURS: Final = column("paper")
PAPER, INK, FAINT = _COLOURS["paper"], _COLOURS["ink"], "#8a7a60"
BEYOND: Final = _COLOURS["beyond"]
SEA, COAST, SEA_INK, SEA_BORDER = (_COLOURS[role] for role in ("sea", "coast", "sea-ink", "sea-border"))
WATERS: Final = {"sea": SEA, "coast": COAST}

SHORE, BORDER, STRAIT = (_COLOURS[role] for role in ("shore", "border", "strait"))

TERRAINS: Final = {name: (_COLOURS[name], _COLOURS[f"{name}-sign"]) for name in NAMES}
"""Colours of each terrain and of its pattern."""

SEATS: Final = seats("paper")
ON_SEATS: Final = seats("paper", "on-seat")
"""Colour of neutral pawns, then of each seat, and the colour of text on it."""
LINES: Final = {theme: seats(theme, "declined") for theme in ("light", "dark")}
"""Colours of the same for lines on a light and on a dark background, as of texts in a terminal."""

PATTERNS: Final = {
    "farmland": (44, "M4 12h14M8 17h14M26 34h14M22 39h14"),
    "pasture": (46, "M8 16q1-6-2-9M11 16v-10M14 16q-1-6 2-9M31 39q1-6-2-9M34 39v-10M37 39q-1-6 2-9"),
    "hills": (50, "M4 17q8-13 17 0M16 12q6-8 12 1M29 42q8-13 17 0"),
    "forest": (42, "M10 18v-4M4 14h12L10 3ZM31 39v-4M25 35h12L31 24Z"),
    "mountain": (56, "M4 22L15 4L26 22M15 4L19 15M31 50L42 32L53 50M42 32L46 43"),
}
"""Side of the square pattern of each terrain, and its drawing."""

COLOURS: Final = {"none": "none", "surf": PAPER, **_COLOURS}
SYMBOLS: Final[dict[str, list[dict[str, str]]]] = {}
"""Paths of each symbol, in a square of side 100 around 0, 0; fill and stroke are COLOURS. The rose has the north of the
centre of the map."""
for _row in csv.DictReader((files(__package__) / "symbols.csv").read_text(encoding="utf-8").splitlines()):
    SYMBOLS.setdefault(_row["symbol"], []).append(_row)
