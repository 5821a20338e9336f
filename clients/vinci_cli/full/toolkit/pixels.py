"""Pixels in the cells of a terminal: block characters of two, four or six pixels."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from .block import Depth
from .display import current


class Grid(NamedTuple):
    """Pixels of a cell: side by side, and one below the other."""

    across: int
    down: int


HALVES: Final = Grid(1, 2)
QUADRANTS: Final = Grid(2, 2)
SEXTANTS: Final = Grid(2, 3)
GRIDS: Final[Mapping[str, Grid]] = {"sextants": SEXTANTS, "quadrants": QUADRANTS, "halves": HALVES}

_LEFT, _RIGHT = 0b010101, 0b101010
_SEXTANTS: Final = {0: " ", _LEFT: "▌", _RIGHT: "▐", 0b111111: "█"}
_FIRST_SEXTANT: Final = 0x1FB00


def grid_here(depth: Depth) -> Grid:
    """Return the pixels in a cell of the maps of this session: terminals of few colours often have few characters."""
    return GRIDS[current().blocks] if depth > 4 else HALVES


def block(mask: int, grid: Grid) -> str:
    """Return the block character with these pixels: bit 0 is the left one at the top, bit 1 the next one."""
    if grid == HALVES:
        return " ▀▄█"[mask]
    if grid == QUADRANTS:
        return " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"[mask]
    return _SEXTANTS.get(mask) or chr(_FIRST_SEXTANT + mask - 1 - (mask > _LEFT) - (mask > _RIGHT))
