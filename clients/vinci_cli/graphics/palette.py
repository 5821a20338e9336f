"""The colours of every board: drawn as SVG, on the page, and in a terminal, read from `palette.csv`.

A row is a role: what a colour is for, and for a seat the name that people call it by, the same everywhere. A column is
a medium: `paper` for drawings and the light page, `light` for terminals on a light background, `dark` for terminals and
the page in the dark, `light256` and `dark256` for terminals of 256 colours, `sixteen` for those of sixteen, which have
no themes. Without an own colour, a column of 256 has that of its theme.
"""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

SEATS: Final = 6
TERRAINS: Final = ("farmland", "pasture", "hills", "forest", "mountain")
FILE: Final = Path(__file__).with_name("palette.csv")


@cache
def _rows() -> tuple[Mapping[str, str], ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@cache
def column(medium: str) -> Mapping[str, str]:
    """Return the colour of each role that a medium has, as #rrggbb or, of sixteen colours, by name."""
    theme = medium.removesuffix("256")
    colours = ((row["role"], row[medium] or row[theme]) for row in _rows())
    return {role: colour for role, colour in colours if colour}


def seats(medium: str, role: str = "seat") -> tuple[str, ...]:
    """Return the colours of a role by seat, those of neutral pawns first if they have one."""
    colours = column(medium)
    return tuple(colours[f"{role}{seat}"] for seat in range(SEATS + 1) if f"{role}{seat}" in colours)
