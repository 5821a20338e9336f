"""The whole board in a corner of a zoomed map: who owns what, and which part is seen."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final, final

from vinci.v1 import game_pb2 as pb

from ...text.tables import Line
from ..toolkit.block import Block, Depth, Hit
from ..toolkit.pixels import Grid, block, grid_here
from ..toolkit.theme import Palette, mixed, palette
from .raster import BEYOND, COAST, OUTSIDE, SEA, Raster
from .symbols import ProvinceLook

FADED: Final = 0.55
"""Share of the sea in the colour of a province that is not seen in the zoomed map."""


@final
class Minimap:
    """The board of this width, with the height that keeps its proportions."""

    def __init__(self, board_map: pb.BoardMap, codes: Sequence[str], columns: int) -> None:
        self._map: Final = board_map
        self._codes: Final = codes
        self._columns: Final = columns
        self._rasters: Final[dict[Grid, Raster]] = {}

    def draw(self, looks: Sequence[ProvinceLook], seen: Collection[int], depth: Depth) -> Block:
        """Provinces in the colours of their owners or, without colours, as their numbers; `seen` ones are brighter."""
        grid = grid_here(depth)
        if grid not in self._rasters:
            rows = max(round(self._columns * self._map.height / (2 * self._map.width)), 1)
            self._rasters[grid] = Raster(self._map, self._columns, rows, grid)
        raster, colours = self._rasters[grid], palette(depth)
        lines: list[Line] = []
        hits: list[Hit] = []
        shades = (
            {value: _shade(value, looks, seen, colours) for value in set().union(*raster.pixels)} if colours else {}
        )
        for row in range(raster.rows):
            cells = raster.cells(row)
            lines.append(
                [
                    _coloured([shades[value] for value in cell], grid) if colours else _letter(cell, looks)
                    for cell in cells
                ]
            )
            for value, same in groupby(enumerate(min(cell) for cell in cells), key=lambda cell: cell[1]):
                places = [place for place, _value in same]
                if value < OUTSIDE:
                    hits.append(Hit(row, places[0], places[-1] + 1, f"province {self._codes[value]}"))
        return Block(lines, hits)


def _shade(value: int, looks: Sequence[ProvinceLook], seen: Collection[int], colours: Palette) -> str:
    """Colour of a pixel."""
    if value >= OUTSIDE:
        return {SEA: colours.sea, COAST: colours.sea, BEYOND: colours.beyond}[value]
    look = looks[value]
    if look.selected:
        return colours.selected
    colour = (
        colours.rim(look.owner, is_declined=look.is_declined, fill=colours.nobody) if look.owner else colours.nobody
    )
    return colour if value in seen or not colours.has_tints else mixed(colour, colours.sea, FADED)


def _coloured(cell: Sequence[str], grid: Grid) -> tuple[str, str]:
    """A cell in the two colours that most of its pixels have."""
    common = sorted(dict.fromkeys(cell), key=cell.count)[-2:]
    ink, paper = cell[0] if cell[0] in common else common[0], ""
    paper = next((colour for colour in common if colour != ink), ink)
    mask = sum((colour == ink) << place for place, colour in enumerate(cell))
    return f"fg:{ink} bg:{paper}", block(mask, grid) if ink != paper else " "


def _letter(cell: bytes, looks: Sequence[ProvinceLook]) -> tuple[str, str]:
    """A cell without colours: the number of the owner, `-` if it declined, `.` for free land, `#` for the selection."""
    value = min(cell)
    if value >= OUTSIDE:
        return "", " "
    look = looks[value]
    if look.selected:
        return "bold", "#"
    return "", ("-" if look.is_declined else str(look.owner)) if look.owner else "."
