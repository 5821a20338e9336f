"""Labels of the drawn board: a name with the marks and pawns below it is one label of several parts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum
from operator import itemgetter
from typing import Final

from vinci.v1 import game_pb2 as pb

from ..text.names import Catalogue
from . import text_width
from .placement import Box, OccupiedArea, ShapeGrid, Spot

SIZES: Final = (36, 32, 28, 25, 22)
"""Font sizes for names of provinces."""

SEA_SIZES: Final = (44, 38, 33, 28, 24, 21, 18)
SEA_SPACING: Final = 0.14
"""Letter spacing of names of seas, relative to the font size."""

TOLERATED: Final = (0.1, 0.2, 0.35, 0.6, 1.0, 2.0, 20.0)
"""Limits for the part of a label outside of its shape, tried in this order."""

SMALLNESS: Final = 0.8
"""Cost of font size 0 instead of the largest, in the same unit."""

ROOM: Final = 1.2
"""Height of a line, relative to the font size."""

MARKS: Final = 29
"""Font size of marks and tokens."""

MARK: Final = 1.15
"""Height of marks and tokens, relative to the font size."""

TOKEN: Final = 1.85
"""Width of a token without the number of its pawns."""

GAP: Final = 0.2
"""Gap between name and marks."""

DEAR: Final = 128
"""Numbers of the shapes of land, which labels of seas must not cover."""


@dataclass(frozen=True, slots=True)
class LabelPart:
    """A part of a label: its content and place.

    `kind` is "name", "sea", "port", "mine", "fort", "token" or "rose"; `text` is its text, for a token the
    number of pawns; `seat` is its owner.
    """

    kind: str
    box: Box
    size: float
    text: str = ""
    code: str = ""
    seat: int = 0
    declined: bool = False


def labels(board_map: pb.BoardMap, board: pb.Board, state: pb.State | None, names: Catalogue) -> list[LabelPart]:
    """Place all labels of the board without overlaps."""
    taken = OccupiedArea()
    for strait in board_map.straits:
        taken.take(_along(strait.points))
    land = ShapeGrid(board_map.width, board_map.height)
    land.fill(board_map.beyond, 255)
    spots = [land.fill(shape, number) for number, shape in enumerate(board_map.provinces, start=1)]
    marks = {province.code: _marks(province, place, state) for place, province in enumerate(board.provinces)}
    parts: list[LabelPart] = []
    for shape, spot in sorted(zip(board_map.provinces, spots, strict=True), key=_area):
        parts += _placed(land, spot, list(_blocks(names.province(shape.code), marks[shape.code])), taken, 256)
    water = ShapeGrid(board_map.width, board_map.height)
    seas = [water.fill(shape, number) for number, shape in enumerate(board_map.seas, start=1)]
    for shape in (board_map.beyond, *board_map.provinces):
        water.fill(shape, DEAR)
    sea_names = {sea.code: names.sea(sea) for sea in board.seas}
    for shape, spot in sorted(zip(board_map.seas, seas, strict=True), key=_area):
        parts += _placed(water, spot, list(_sea_blocks(sea_names[shape.code])), taken, DEAR)
    return parts + _rose(board_map, taken)


def _area(entry: tuple[pb.Shape, Spot]) -> float:
    """Area of the bounds of a shape: labels of small shapes are placed first."""
    return entry[1].bounds.width * entry[1].bounds.height


def _rose(board_map: pb.BoardMap, taken: OccupiedArea) -> list[LabelPart]:
    """Place a compass rose in open water, if there is room for one."""
    water = ShapeGrid(board_map.width, board_map.height)
    for sea in board_map.seas:
        water.fill(sea, 1)
    around = Box(0, 0, board_map.width, board_map.height)
    side = board_map.width / 11
    spot = Spot(1, around, round(side), round(board_map.height * 0.6))
    box = Box(-side / 2, -side / 2, side, side)
    place = taken.first_free(water.prices(spot, DEAR).places(side, side, 0.03), [box])
    return [LabelPart("rose", box.moved(place.x, place.y), side)] if place else []


def _marks(province: pb.Province, place: int, state: pb.State | None) -> list[LabelPart]:
    """Return the parts below the name of a province, each starting at 0."""
    parts = []
    if state is not None and state.pawns[place]:
        text = str(state.pawns[place])
        is_declined = state.holdings[place] == pb.HOLDING_DECLINED
        parts.append(replace(token(text, MARKS, state.owners[place], declined=is_declined), code=province.code))
    if state is not None and state.forts[place]:
        parts.append(LabelPart("fort", Box(0, 0, MARKS, MARKS * MARK), MARKS, code=province.code))
    parts += [
        LabelPart(kind, Box(0, 0, MARKS * MARK, MARKS * MARK), MARKS)
        for kind in ("port", "mine")
        if getattr(province, kind)
    ]
    return parts


def _blocks(name: str, marks: Sequence[LabelPart]) -> Iterator[list[LabelPart]]:
    """Return the possible labels of a province, centred at 0, 0, the best first."""
    for size in SIZES:
        for lines in _split(name):
            yield _block(lines, marks, size)
        if marks:
            yield _beside(name, marks, size)


def token(pawns: str, size: float, seat: int, *, declined: bool = False) -> LabelPart:
    """Return the token of a garrison, starting at 0; neutral pawns have seat 0."""
    box = Box(0, 0, size * TOKEN + text_width.width(pawns, size, bold=True), size * MARK)
    return LabelPart("token", box, size, pawns, seat=seat, declined=declined)


def _block(lines: Sequence[str], marks: Sequence[LabelPart], size: float) -> list[LabelPart]:
    """Return a name in lines with its marks in a row below."""
    row = MARKS * (MARK + GAP) if marks else 0.0
    top = -(size * ROOM * len(lines) + row) / 2
    parts = []
    for line in lines:
        width = text_width.width(line, size)
        parts.append(LabelPart("name", Box(-width / 2, top, width, size * ROOM), size, line))
        top += size * ROOM
    return parts + _row(marks, -_length(marks) / 2, top + MARKS * GAP)


def _beside(name: str, marks: Sequence[LabelPart], size: float) -> list[LabelPart]:
    """Return a name with its marks in the same line."""
    width = text_width.width(name, size)
    left = -(width + MARKS * GAP + _length(marks)) / 2
    part = LabelPart("name", Box(left, -size * ROOM / 2, width, size * ROOM), size, name)
    return [part, *_row(marks, left + width + MARKS * GAP, -MARKS * MARK / 2)]


def _row(marks: Sequence[LabelPart], left: float, top: float) -> list[LabelPart]:
    parts = []
    for mark in marks:
        parts.append(replace(mark, box=mark.box.moved(left, top)))
        left += mark.box.width + MARKS * GAP
    return parts


def _length(marks: Sequence[LabelPart]) -> float:
    return fsum(mark.box.width for mark in marks) + MARKS * GAP * (len(marks) - 1)


def _sea_blocks(name: str) -> Iterator[list[LabelPart]]:
    """Return the possible labels of a sea."""
    for size in SEA_SIZES:
        for lines in _split(name):
            parts = []
            for place, line in enumerate(lines):
                width = text_width.width(line, size, spacing=size * SEA_SPACING)
                top = (place - len(lines) / 2) * size * ROOM
                parts.append(LabelPart("sea", Box(-width / 2, top, width, size * ROOM), size, line))
            yield parts


def _split(name: str) -> Iterator[list[str]]:
    """Split a name into one line, two lines if it has several words, and a line for each word."""
    words = name.split()
    yield [name]
    if len(words) > 1:
        cuts = [[" ".join(words[:cut]), " ".join(words[cut:])] for cut in range(1, len(words))]
        yield min(cuts, key=lambda lines: max(map(len, lines)))
    if len(words) > 2:
        yield words


def _along(points: Sequence[int]) -> Iterator[Box]:
    """Return small rectangles along a line, to keep labels away from it."""
    ax, ay, bx, by = points[:4]
    pieces = max(1, int(max(abs(bx - ax), abs(by - ay)) / 6))
    for piece in range(pieces + 1):
        yield Box(ax + (bx - ax) * piece / pieces - 2, ay + (by - ay) * piece / pieces - 2, 4, 4)


def _placed(
    raster: ShapeGrid, spot: Spot, blocks: Sequence[Sequence[LabelPart]], taken: OccupiedArea, dear: int
) -> list[LabelPart]:
    """Return the best of several blocks at its best free place: large, and mostly inside.

    Raises ValueError if the board has no room at all.
    """
    prices = raster.prices(spot, dear)
    largest = blocks[0][0].size
    tries = [(most + SMALLNESS * (1 - parts[0].size / largest), most, parts) for parts in blocks for most in TOLERATED]
    for _cost, most, parts in sorted(tries, key=itemgetter(0)):
        width = 2 * max(part.box.left + part.box.width for part in parts)
        height = 2 * max(part.box.top + part.box.height for part in parts)
        place = taken.first_free(prices.places(width, height, most), [part.box for part in parts])
        if place:
            moved = [replace(part, box=part.box.moved(place.x, place.y)) for part in parts]
            taken.take(part.box for part in moved)
            return moved
    raise ValueError("the board is too small for what is to be written on it")
