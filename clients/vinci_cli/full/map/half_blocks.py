"""The ground of the board in half blocks: two pixels in a cell, one above the other.

Land has the colour of its terrain, darker where provinces meet. A ring along its border inside shows whose empire it
belongs to; that of a declined empire is dashed.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple, final

from vinci.v1 import game_pb2 as pb

from ...text.tables import Line
from ..toolkit.theme import Palette
from .raster import BEYOND, COAST, SEA, Raster
from .symbols import ProvinceLook

LARGE: Final = 100
"""Rows of pixels from which on rings are two pixels thick."""

STRAIT: Final = -4
"""Kind of a water pixel below the line across a strait."""


class Kind(NamedTuple):
    """A kind of pixels, which have the same colour.

    `others` are neighbouring provinces, -1 for water and land outside the board; empty inside a province.
    `dark`: another province follows to the right or below. `odd`: every other pixel, for dashes.
    """

    value: int
    others: frozenset[int] = frozenset()
    dark: bool = False
    odd: bool = False


class PixelRun(NamedTuple):
    """Cells side by side with the same two kinds of pixels; a letter of the name of a sea, or none."""

    start: int
    stop: int
    top: int
    bottom: int
    letter: str = ""


@final
class Ground:
    """The ground for one size: which kinds of pixels lie where."""

    def __init__(self, raster: Raster, letters: dict[tuple[int, int], str]) -> None:
        self.kinds: Final[list[Kind]] = []
        self._numbers: Final[dict[Kind, int]] = {}
        self._reach: Final = 2 if len(raster.pixels) >= LARGE else 1
        rows = [self._row(raster, y) for y in range(len(raster.pixels))]
        self._runs: Final = [
            _runs(rows[2 * row], rows[2 * row + 1], [letters.get((row, x), "") for x in range(raster.columns)])
            for row in range(raster.rows)
        ]

    def colours(self, looks: Sequence[ProvinceLook], provinces: Sequence[pb.Province], palette: Palette) -> list[str]:
        """Colours of all kinds of pixels."""
        return [_colour(kind, looks, provinces, palette) for kind in self.kinds]

    def part(self, row: int, start: int, stop: int, colours: Sequence[str], palette: Palette) -> Line:
        """Cells of a row from start to stop."""
        line: Line = []
        for run in self._runs[row]:
            if run.stop <= start:
                continue
            if run.start >= stop:
                break
            top, bottom = colours[run.top], colours[run.bottom]
            if run.letter:
                style, letter = f"fg:{palette.sea_name} bg:{top}", run.letter
            elif top == bottom:
                style, letter = f"bg:{top}", " "
            else:
                style, letter = f"fg:{top} bg:{bottom}", "▀"
            text = letter * (min(run.stop, stop) - max(run.start, start))
            if line and line[-1][0] == style:
                line[-1] = (style, line[-1][1] + text)
            else:
                line.append((style, text))
        return line

    def _row(self, raster: Raster, y: int) -> list[int]:
        """Number of the kind of each pixel of a row."""
        pixels, last = raster.pixels, len(raster.pixels) - 1
        row = pixels[y]
        near: list[Sequence[int]] = []
        for reach in range(1, self._reach + 1):
            near.append(row[reach:] + row[-1:] * reach)
            near.append(pixels[min(y + reach, last)])
            near.append(row[:1] * reach + row[:-reach])
            near.append(pixels[max(y - reach, 0)])
        kinds: list[int] = []
        plain = {value: self._number(Kind(value)) for value in set(row)}
        inside = [True] * len(row)
        for line in near:
            inside = [same and a == b for same, a, b in zip(inside, row, line, strict=True)]
        for x, value in enumerate(row):
            if value < 0:
                kinds.append(self._number(Kind(STRAIT)) if (x, y) in raster.strait else plain[value])
            elif inside[x]:
                kinds.append(plain[value])
            else:
                around = [line[x] for line in near]
                others = frozenset(max(other, -1) for other in around if other != value)
                dark = any(other != value and other >= 0 for other in around[:2])
                kinds.append(self._number(Kind(value, others, dark, bool((x + y) // self._reach % 2))))
        return kinds

    def _number(self, kind: Kind) -> int:
        if kind not in self._numbers:
            self._numbers[kind] = len(self.kinds)
            self.kinds.append(kind)
        return self._numbers[kind]


def _runs(top: Iterable[int], bottom: Iterable[int], letters: Iterable[str]) -> list[PixelRun]:
    """The cells of a row, equal ones merged."""
    runs: list[PixelRun] = []
    place = 0
    for (above, below, letter), same in groupby(zip(top, bottom, letters, strict=True)):
        width = len(list(same))
        runs.append(PixelRun(place, place + width, above, below, letter))
        place += width
    return runs


def _colour(kind: Kind, looks: Sequence[ProvinceLook], provinces: Sequence[pb.Province], palette: Palette) -> str:
    if kind.value < 0:
        return {SEA: palette.sea, COAST: palette.coast, BEYOND: palette.beyond, STRAIT: palette.strait}[kind.value]
    look, terrain = looks[kind.value], provinces[kind.value].terrain
    if not kind.others:
        return palette.border[terrain] if look.lost else palette.land[terrain]
    if look.selected:
        return palette.selected
    if look.changed and kind.odd:
        return palette.changed
    is_rim = any(other < 0 or looks[other].empire != look.empire for other in kind.others)
    if look.owner and is_rim and (look.holding == pb.HOLDING_ACTIVE or kind.odd):
        return palette.seats[look.owner]
    return palette.border[terrain] if kind.dark or look.lost else palette.land[terrain]
