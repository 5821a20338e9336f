"""The ground of the board in block characters: two, four or six pixels in a cell of two colours.

A province has the colour of its terrain, tinted with that of its owner: most on own land; declined empires are hatched.
A rim along the border inside shows the owner's full colour. Provinces of one empire are divided by a darker line.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, final

from vinci.v1 import game_pb2 as pb

from ...graphics.palette import TERRAINS
from ...text.tables import Line
from ..toolkit.pixels import Grid, block
from ..toolkit.theme import Palette
from .raster import BEYOND, COAST, OUTSIDE, SEA, Raster
from .symbols import DRAWN, ProvinceLook

LARGE: Final = 50
"""Rows from which on rims are two pixels thick."""

STRAIT: Final = 252
"""Kind of a pixel of water below the line across a strait."""

PLAIN: Final = 256
"""Number of kinds of pixels that have no border: one for each value."""

TEXTURES: Final = {
    terrain: (f"{sign}      ", " " * 7, f"    {sign}  ", " " * 7)
    for terrain, sign in zip(TERRAINS, DRAWN, strict=False)
}
"""Cells of a province of each terrain in each of four rows."""

STROKE: Final = "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}"
HATCH: Final = tuple((f"{STROKE}   " * 2)[row : row + 4] for row in range(4))
"""Cells of a hatched province in each of four rows."""

SHADE: Final = ("░",)
"""Cells of a held province where colours cannot be mixed."""

_EDGES: Final = re.compile(rb"[^\0]+")


class Kind(NamedTuple):
    """A kind of pixels, which have the same colour.

    `others` are values of neighbouring pixels, OUTSIDE for water and land outside the board; empty inside a province.
    `dark`: another province follows to the right or below.
    """

    value: int
    others: frozenset[int] = frozenset()
    dark: bool = False


class CellRun(NamedTuple):
    """Cells side by side that look the same: the kinds of their ink and paper, and a block character or letter.

    `is_name`: the letter is one of the name of a sea. `is_bare`: nothing else is written there, as a label is near.
    """

    start: int
    stop: int
    ink: int
    paper: int
    letter: str
    is_name: bool
    is_bare: bool


class Paint(NamedTuple):
    """Colours of all kinds of pixels; by value of a province what is drawn on it: a colour, and the cells of each row.

    `textures` are left out near labels, `hatching` is not.
    """

    colours: Sequence[str]
    hatching: Mapping[int, tuple[str, Sequence[str]]]
    textures: Mapping[int, tuple[str, Sequence[str]]]


@final
class Ground:
    """The ground for one size: which kinds of pixels lie where."""

    def __init__(
        self, raster: Raster, letters: Mapping[tuple[int, int], str], bare: Collection[tuple[int, int]] = ()
    ) -> None:
        self.kinds: Final[list[Kind]] = [Kind(value) for value in range(PLAIN)]
        self._numbers: Final[dict[tuple[int, ...], int]] = {}
        self._edges: Final[dict[Kind, int]] = {}
        self._reach: Final = 2 if raster.rows >= LARGE else 1
        self._values: Final = sorted(set().union(*raster.pixels) | {STRAIT})
        self._blocks: Final[dict[tuple[int, ...], tuple[int, int, str]]] = {}
        across, down = raster.grid
        lines = [self._line(raster, y) for y in range(len(raster.pixels))]
        self._runs: Final = [
            self._row(
                zip(
                    *(line[n::across] for line in lines[down * row : down * (row + 1)] for n in range(across)),
                    strict=True,
                ),
                [(letters.get((row, x), ""), (row, x) in bare) for x in range(raster.columns)],
                raster.grid,
            )
            for row in range(raster.rows)
        ]

    def paint(self, looks: Sequence[ProvinceLook], provinces: Sequence[pb.Province], palette: Palette) -> Paint:
        """Colours of everything."""
        fills = [
            palette.fill(its.terrain, look.owner, is_declined=look.is_declined, is_own=look.own)
            for look, its in zip(looks, provinces, strict=True)
        ]
        colours = [""] * len(self.kinds)
        outside = {SEA: palette.sea, COAST: palette.coast, BEYOND: palette.beyond, STRAIT: palette.strait}
        for value in self._values:
            colours[value] = outside.get(value) or fills[value]
        for number in range(PLAIN, len(self.kinds)):
            colours[number] = _edge(self.kinds[number], looks, fills, palette)
        hatching: dict[int, tuple[str, Sequence[str]]] = {}
        textures: dict[int, tuple[str, Sequence[str]]] = {}
        for value, look in enumerate(looks):
            if look.is_declined:
                hatching[value] = palette.line(fills[value]), HATCH
            elif look.owner and not palette.has_tints:
                hatching[value] = palette.seats[look.owner], SHADE
            elif palette.has_tints:
                textures[value] = palette.texture(fills[value]), TEXTURES[provinces[value].terrain]
        return Paint(colours, hatching, textures)

    def part(self, row: int, start: int, stop: int, paint: Paint, palette: Palette) -> Line:
        """Cells of a row from start to stop."""
        line: Line = []
        colours = paint.colours
        for run in self._runs[row]:
            if run.stop <= start:
                continue
            if run.start >= stop:
                break
            first, last = max(run.start, start), min(run.stop, stop)
            ink, paper = colours[run.ink], colours[run.paper]
            drawn = paint.hatching.get(run.ink) or (None if run.is_bare else paint.textures.get(run.ink))
            if run.is_name:
                style, text = f"fg:{palette.sea_name} bg:{paper}", run.letter * (last - first)
            elif ink != paper:
                style, text = f"fg:{ink} bg:{paper}", run.letter * (last - first)
            elif drawn is not None:
                ink, rows = drawn
                pattern = rows[row % len(rows)]
                place = first % len(pattern)
                text = (pattern * ((last - first) // len(pattern) + 2))[place : place + last - first]
                style = f"fg:{ink} bg:{paper}"
            else:
                style, text = f"bg:{paper}", " " * (last - first)
            if line and line[-1][0] == style:
                line[-1] = (style, line[-1][1] + text)
            else:
                line.append((style, text))
        return line

    def _line(self, raster: Raster, y: int) -> list[int]:
        """Number of the kind of each pixel of a line."""
        pixels, last = raster.pixels, len(raster.pixels) - 1
        line = pixels[y]
        near: list[bytearray] = []
        for reach in range(1, self._reach + 1):
            near.append(line[reach:] + line[-1:] * reach)
            near.append(pixels[min(y + reach, last)])
            near.append(line[:1] * reach + line[:-reach])
            near.append(pixels[max(y - reach, 0)])
        here, differing = int.from_bytes(line), 0
        for other in near:
            differing |= here ^ int.from_bytes(other)
        kinds = list(line)
        for edge in _EDGES.finditer(differing.to_bytes(len(line))):
            for x in range(*edge.span()):
                value = line[x]
                if value < OUTSIDE:
                    kinds[x] = self._number((value, *[other[x] for other in near]))
        if raster.strait:
            for x, value in enumerate(line):
                if value >= OUTSIDE and (x, y) in raster.strait:
                    kinds[x] = STRAIT
        return kinds

    def _number(self, pixels: tuple[int, ...]) -> int:
        """Number of the kind of a pixel at an edge, from its value and those near it: right, below, left, above."""
        if pixels not in self._numbers:
            value, *near = pixels
            others = frozenset(min(other, OUTSIDE) for other in near if other != value)
            kind = Kind(value, others, any(other != value and other < OUTSIDE for other in near[:2]))
            if kind not in self._edges:
                self._edges[kind] = len(self.kinds)
                self.kinds.append(kind)
            self._numbers[pixels] = self._edges[kind]
        return self._numbers[pixels]

    def _row(self, cells: Iterable[tuple[int, ...]], letters: Sequence[tuple[str, bool]], grid: Grid) -> list[CellRun]:
        """The cells of a row, equal ones merged."""
        runs: list[CellRun] = []
        place = 0
        for (cell, (name, is_bare)), same in groupby(zip(cells, letters, strict=True)):
            if cell not in self._blocks:
                self._blocks[cell] = self._block(cell, grid)
            ink, paper, letter = self._blocks[cell]
            width = len(list(same))
            runs.append(CellRun(place, place + width, ink, paper, name or letter, bool(name), is_bare))
            place += width
        return runs

    def _block(self, cell: tuple[int, ...], grid: Grid) -> tuple[int, int, str]:
        """Ink, paper and block character of a cell: its pixels with no more than two of their kinds.

        These are an edge of each of the two largest areas, or of a single one its edge and the rest.
        """
        if len(set(cell)) == 1:
            return cell[0], cell[0], " "
        areas = [self.kinds[kind].value for kind in cell]
        most = [value for value, _ in Counter(areas).most_common(2)]
        if len(most) == 1:
            ink, paper = self._two(cell)
            inked = [kind == ink or (kind != paper and kind >= PLAIN) for kind in cell]
        else:
            ink, paper = (self._two([kind for kind in cell if self.kinds[kind].value == value])[0] for value in most)
            inked = [value != most[1] for value in areas]
        if not inked[0]:
            ink, paper, inked = paper, ink, [not its for its in inked]
        return ink, paper, block(sum(its << place for place, its in enumerate(inked)), grid)

    def _two(self, kinds: Sequence[int]) -> tuple[int, int]:
        """The most common kind of an edge and, if there is one, of the rest."""
        edges = Counter(kind for kind in kinds if kind >= PLAIN or kind == STRAIT).most_common(2)
        rest = [kind for kind in kinds if kind < PLAIN and kind != STRAIT] or [edges[-1][0]]
        return (edges[0][0] if edges else rest[0]), rest[0]


def _edge(kind: Kind, looks: Sequence[ProvinceLook], fills: Sequence[str], palette: Palette) -> str:
    """Colour of a kind of pixels at an edge."""
    look, fill = looks[kind.value], fills[kind.value]
    if look.selected:
        return palette.selected
    if look.owner and any(other >= OUTSIDE or looks[other].empire != look.empire for other in kind.others):
        return palette.rim(look.owner, is_declined=look.is_declined, fill=fill)
    return palette.line(fill) if kind.dark or look.lost else fill
