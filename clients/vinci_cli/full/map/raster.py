"""The board as pixels, several in a cell of a terminal, at a given size."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple, final

from vinci.v1 import game_pb2

from ..toolkit.pixels import HALVES, Grid

COAST, SEA, BEYOND = 255, 254, 253
"""Pixels outside provinces: coastal water, dark water, land beyond the board."""

OUTSIDE: Final = BEYOND
"""Pixels from this value on are in no province."""

WIDEST: Final = 2.0
"""Maximum factor by which the map is stretched to fill the window."""

MARGIN: Final = 0.012
"""Margin around the provinces, in units of the map."""

FEWEST: Final = 3
"""Minimum size of a province, in cells."""


class Viewport(NamedTuple):
    """From the map to pixels: the corner that is seen, and pixels for a unit of the map."""

    left: float
    top: float
    across: float
    down: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point of the map, in pixels."""
        return (x - self.left) * self.across, (y - self.top) * self.down


@final
class Raster:
    """The board as pixels for an area of cells.

    Attributes:
        grid: pixels of a cell.
        pixels: rows of pixels: the number of a province in board order, or COAST, SEA or BEYOND.
        strait: pixels of water, as (x, y), below lines across straits.
        labels: preferred place of the label of each province, in cells. seas: the same by code of a sea.
    """

    def __init__(self, board_map: game_pb2.BoardMap, columns: int, rows: int, grid: Grid = HALVES) -> None:
        self.columns: Final = columns
        self.rows: Final = rows
        self.grid: Final = grid
        width, height = columns * grid.across, rows * grid.down
        left, top, across, down = _view(board_map, columns, 2 * rows)
        self.view: Final = Viewport(left, top, across * grid.across, down * grid.down / 2)
        self.pixels: Final = [bytearray([COAST]) * width for _ in range(height)]
        for sea in board_map.seas:
            self._fill(sea, SEA)
        self._fill(board_map.beyond, BEYOND)
        for number, province in enumerate(board_map.provinces):
            self._fill(province, number)
        self._extend(board_map.width, board_map.height)
        for number, province in enumerate(board_map.provinces):
            self._keep(province, number)
        self.strait: Final = frozenset(pixel for line in board_map.straits for pixel in self._line(line))
        self.labels: Final = [self._cell(province) for province in board_map.provinces]
        self.seas: Final = {sea.code: self._cell(sea) for sea in board_map.seas}

    def cells(self, row: int) -> Sequence[bytes]:
        """The pixels of each cell of a row."""
        across, down = self.grid
        lines = self.pixels[down * row : down * (row + 1)]
        return [bytes(cell) for cell in zip(*(line[n::across] for line in lines for n in range(across)), strict=True)]

    def _cell(self, shape: game_pb2.Shape) -> tuple[float, float]:
        x, y = self.view.at(shape.label_x, shape.label_y)
        return x / self.grid.across, y / self.grid.down

    def _fill(self, shape: game_pb2.Shape, value: int) -> None:
        """Give a value to the pixels whose centres lie inside a shape: between each two crossings of their row."""
        left, top, across, down = self.view
        width, height = len(self.pixels[0]), len(self.pixels)
        crossings: list[list[float]] = [[] for _ in range(height)]
        for ring in shape.rings:
            xs = [(x - left) * across - 0.5 for x in ring.points[::2]]
            ys = [(y - top) * down - 0.5 for y in ring.points[1::2]]
            before_x, before_y = xs[-1], ys[-1]
            for x, y in zip(xs, ys, strict=True):
                first, last = (before_y, y) if before_y < y else (y, before_y)
                start, stop = max(ceil(first), 0), min(ceil(last), height)
                if start < stop:
                    slope = (x - before_x) / (y - before_y)
                    for row in range(start, stop):
                        crossings[row].append(before_x + (row - before_y) * slope)
                before_x, before_y = x, y
        pixel = bytes([value])
        for line, places in zip(self.pixels, crossings, strict=True):
            places.sort()
            for start_x, stop_x in zip(places[::2], places[1::2], strict=True):
                start, stop = max(ceil(start_x), 0), min(ceil(stop_x), width)
                if start < stop:
                    line[start:stop] = pixel * (stop - start)

    def _extend(self, width: int, height: int) -> None:
        """Extend the edge of the map outwards."""
        left, top = (max(ceil(place - 0.5), 0) for place in self.view.at(0, 0))
        right, bottom = (int(place - 0.5) for place in self.view.at(width, height))
        for row in self.pixels:
            width = len(row)
            row[:left] = row[left : left + 1] * left
            row[right + 1 :] = row[min(right, width - 1) :][:1] * (width - right - 1)
        self.pixels[:top] = [self.pixels[top].copy() for _ in range(top)]
        last = min(bottom, len(self.pixels) - 1)
        self.pixels[last + 1 :] = [self.pixels[last].copy() for _ in range(len(self.pixels) - last - 1)]

    def _keep(self, shape: game_pb2.Shape, value: int) -> None:
        """Enlarge a province that is too small to be seen."""
        across, down = self.grid
        if sum(row.count(value) for row in self.pixels) >= FEWEST * across * down:
            return
        x, y = self.view.at(shape.label_x, shape.label_y)
        for row in range(int(y) - down // 2, int(y) - down // 2 + down):
            for column in range(int(x) - across, int(x) + 2 * across):
                if 0 <= row < len(self.pixels) and 0 <= column < len(self.pixels[0]):
                    self.pixels[row][column] = value

    def _line(self, line: game_pb2.StraitLine) -> Iterable[tuple[int, int]]:
        """The pixels of water on a line, dashed."""
        places = [self.view.at(x, y) for x, y in _pairs(line.points)]
        pixels: dict[tuple[int, int], None] = {}  # in their order, each once
        for (x, y), (to_x, to_y) in pairwise(places):
            steps = max(ceil(max(abs(to_x - x), abs(to_y - y))), 1)
            for step in range(steps + 1):
                pixels[int(x + (to_x - x) * step / steps), int(y + (to_y - y) * step / steps)] = None
        area = [(x, y) for x, y in pixels if 0 <= y < len(self.pixels) and 0 <= x < len(self.pixels[0])]
        return [(x, y) for x, y in area if self.pixels[y][x] in (COAST, SEA)][::2]


def _view(board_map: game_pb2.BoardMap, width: int, height: int) -> Viewport:
    """The part of the map with all provinces, as large as the pixels allow; what is left over shows what is around."""
    points = [point for shape in board_map.provinces for ring in shape.rings for point in _pairs(ring.points)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    margin = MARGIN * max(board_map.width, board_map.height)
    left, right, top, bottom = min(xs) - margin, max(xs) + margin, min(ys) - margin, max(ys) + margin
    across, down = width / (right - left), height / (bottom - top)
    across, down = min(across, down * WIDEST), min(down, across * WIDEST)
    return Viewport(
        _start(left, right, width / across, board_map.width),
        _start(top, bottom, height / down, board_map.height),
        across,
        down,
    )


def _start(first: float, last: float, length: float, whole: int) -> float:
    """Start of a view of this length, centred on first to last as far as the map reaches."""
    if length >= whole:
        return (whole - length) / 2
    return min(max((first + last - length) / 2, 0), whole - length)


def _pairs(points: Sequence[int]) -> Iterable[tuple[int, int]]:
    return zip(points[::2], points[1::2], strict=True)
