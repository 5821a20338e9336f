"""Places names and marks on the map of a board, in every language, and writes them into `map.json`.

`python -m tools.map_labels` places them anew on the shapes that `map.json` has, after a change of a name; `make map`
does so after it has drawn the shapes.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from math import floor
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from google.protobuf.json_format import MessageToDict, ParseDict

from tools.generated import keep
from tools.placement import OccupiedArea, ShapeGrid, Spot
from vinci.v1 import game_pb2 as pb
from vinci_cli.graphics import text_width
from vinci_cli.graphics.labels import DIGIT, GAP, MARK, MARKS, ROOM, SEA_SPACING, TOKEN, Box
from vinci_cli.text.i18n import LANGUAGES
from vinci_codec import catalogue
from vinci_rules.board import Board, board_names, load_board
from vinci_rules.data import DATA

SIZES: Final = (36, 32, 28, 25, 22)
"""Font sizes for names of provinces."""

SEA_SIZES: Final = (44, 38, 33, 28, 24, 21, 18)

TOLERATED: Final = (0.1, 0.2, 0.35, 0.6, 1.0, 2.0, 20.0)
"""Limits for the part of a label outside of its shape, tried in this order."""

SMALLNESS: Final = 0.8
"""Cost of font size 0 instead of the largest, in the same unit."""

DEAR: Final = 128
"""Numbers of the shapes of land, which labels of seas must not cover."""

ALONE: Final = 64
"""Font size of marks without names, on a map of the usual width."""

USUAL_WIDTH: Final = 2400


class Block(NamedTuple):
    """A label before it is placed, around 0, 0; `boxes` are its lines and, if it has any, the row of its marks."""

    size: int
    texts: Sequence[str]
    boxes: Sequence[Box]


def written(drawing: dict[str, Any]) -> str:
    """Return a map as text, a shape a line."""
    lines = []
    for name, value in drawing.items():
        rows = value if isinstance(value, list) else [value]
        texts = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
        lines.append(f'"{name}":' + ("[\n" + ",\n".join(texts) + "\n]" if isinstance(value, list) else texts[0]))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def with_labels(drawing: dict[str, Any], board: Board) -> dict[str, Any]:
    """Return the map of a board, `BoardMap` as a dictionary, with places for its names and marks."""
    message, names = ParseDict(drawing, pb.BoardMap()), catalogue.board(board)
    points = _alone(message)
    shapes = [
        shape | {"markX": points[shape["code"]][0], "markY": points[shape["code"]][1]} for shape in drawing["provinces"]
    ]
    labels = [MessageToDict(_labels(message, names, language)) for language in LANGUAGES]
    return drawing | {"provinces": shapes, "labels": labels}


def _labels(board_map: pb.BoardMap, board: pb.Board, language: str) -> pb.MapLabels:
    """Place all labels of one language without overlaps."""
    found = pb.MapLabels(language=language)
    taken = OccupiedArea()
    for strait in board_map.straits:
        taken.take(_along(strait.points))
    land = ShapeGrid(board_map.width, board_map.height)
    land.fill(board_map.beyond, 255)
    provinces = {province.code: province for province in board.provinces}
    placed: dict[str, pb.MapLabel] = {}
    for shape, spot in _smallest_first(land, board_map.provinces):
        province = provinces[shape.code]
        row = _row(province.port + province.mine)
        block = _placed(land, spot, list(_blocks(province.names[language], row)), taken, 256)
        marks = block.boxes[-1]
        placed[shape.code] = pb.MapLabel(
            code=shape.code,
            lines=_lines(block),
            marks_x=_nearest(marks.left + marks.width / 2),
            marks_y=_nearest(marks.top + marks.height / 2),
            marks_width=floor(row),
        )
    found.provinces.extend(placed[shape.code] for shape in board_map.provinces)
    water = ShapeGrid(board_map.width, board_map.height)
    seas = _smallest_first(water, board_map.seas)
    for shape in (board_map.beyond, *board_map.provinces):
        water.fill(shape, DEAR)
    sea_names = {sea.code: sea.names[language] for sea in board.seas}
    for shape, spot in seas:
        block = _placed(water, spot, list(_sea_blocks(sea_names[shape.code])), taken, DEAR)
        found.seas.append(pb.MapLabel(code=shape.code, lines=_lines(block)))
    _add_rose(board_map, taken, found)
    return found


def _smallest_first(grid: ShapeGrid, shapes: Sequence[pb.Shape]) -> list[tuple[pb.Shape, Spot]]:
    """Draw shapes with their numbers; return them with the smallest bounds first, as these are placed first."""
    spots = [(shape, grid.fill(shape, number)) for number, shape in enumerate(shapes, start=1)]
    return sorted(spots, key=lambda entry: entry[1].bounds.width * entry[1].bounds.height)


def _alone(board_map: pb.BoardMap) -> dict[str, tuple[int, int]]:
    """Return the middle of the marks of each province for maps that are too small for names."""
    land, taken = ShapeGrid(board_map.width, board_map.height), OccupiedArea()
    land.fill(board_map.beyond, 255)
    size = ALONE * board_map.width / USUAL_WIDTH
    box = Box(-size * (TOKEN + DIGIT) / 2, -size * MARK / 2, size * (TOKEN + DIGIT), size * MARK)
    points = {}
    for shape, spot in _smallest_first(land, board_map.provinces):
        found = _placed(land, spot, [Block(ALONE, (), (box,))], taken, 256).boxes[0]
        points[shape.code] = (_nearest(found.left + found.width / 2), _nearest(found.top + found.height / 2))
    return points


def _add_rose(board_map: pb.BoardMap, taken: OccupiedArea, found: pb.MapLabels) -> None:
    """Place a compass rose in open water, if there is room for one."""
    water = ShapeGrid(board_map.width, board_map.height)
    for sea in board_map.seas:
        water.fill(sea, 1)
    side = board_map.width // 11
    spot = Spot(1, Box(0, 0, board_map.width, board_map.height), side, round(board_map.height * 0.6))
    place = taken.first_free(water.prices(spot, DEAR).places(side, side, 0.03), [Box(-side / 2, -side / 2, side, side)])
    if place:
        found.rose_x, found.rose_y, found.rose_side = _nearest(place.x), _nearest(place.y), side


def _row(symbols: int) -> float:
    """Length of the row of marks: a token, and ports and mines, or room for a fort."""
    return MARKS * (TOKEN + DIGIT + max(symbols, 1) * (MARK + GAP))


def _blocks(name: str, row: float) -> Iterator[Block]:
    """Return the possible labels of a province, the best first: its marks are below its name or beside it."""
    height = MARKS * MARK
    for size in SIZES:
        for texts in _split(name):
            end = -(_high(size) * len(texts) + MARKS * GAP + height) / 2 + _high(size) * len(texts)
            marks = Box(-row / 2, end + MARKS * GAP, row, height)
            yield Block(size, texts, (*_column(texts, size, end - _high(size) * len(texts)), marks))
        width = text_width.width(name, size)
        left = -(width + MARKS * GAP + row) / 2
        line = Box(left, -_high(size) / 2, width, _high(size))
        yield Block(size, (name,), (line, Box(left + width + MARKS * GAP, -height / 2, row, height)))


def _sea_blocks(name: str) -> Iterator[Block]:
    """Return the possible labels of a sea, the best first."""
    for size in SEA_SIZES:
        for texts in _split(name):
            yield Block(size, texts, _column(texts, size, -_high(size) * len(texts) / 2, SEA_SPACING))


def _column(texts: Sequence[str], size: int, top: float, spacing: float = 0.0) -> list[Box]:
    """Return the boxes of lines below each other."""
    widths = [text_width.width(text, size, spacing=size * spacing) for text in texts]
    return [Box(-width / 2, top + at * _high(size), width, _high(size)) for at, width in enumerate(widths)]


def _high(size: int) -> int:
    """Return the height of a line in whole units, so that lines of a name abut after rounding, too."""
    return floor(size * ROOM) + 1


def _lines(block: Block) -> list[pb.MapLine]:
    return [
        pb.MapLine(text=text, x=_nearest(left + width / 2), y=_nearest(top + height / 2), size=block.size)
        for text, (left, top, width, height) in zip(block.texts, block.boxes, strict=False)
    ]


def _nearest(number: float) -> int:
    """Round halves up, as `round` does not: lines of a name would move apart or together."""
    return floor(number + 0.5)


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


def _placed(grid: ShapeGrid, spot: Spot, blocks: Sequence[Block], taken: OccupiedArea, dear: int) -> Block:
    """Return the best of several blocks at its best free place: large, and mostly inside.

    Raises ValueError if the board has no room at all.
    """
    prices = grid.prices(spot, dear)
    largest = blocks[0].size
    tries = [(most + SMALLNESS * (1 - block.size / largest), most, block) for block in blocks for most in TOLERATED]
    for _cost, most, block in sorted(tries, key=itemgetter(0)):
        width = 2 * max(box.left + box.width for box in block.boxes)
        height = 2 * max(box.top + box.height for box in block.boxes)
        place = taken.first_free(prices.places(width, height, most), block.boxes)
        if place:
            moved = [box.moved(place.x, place.y) for box in block.boxes]
            taken.take(moved)
            return block._replace(boxes=moved)
    raise ValueError("the board is too small for what is to be written on it")


def main() -> int:
    """Place the labels of all boards; return 0 if all maps are, or now are, up to date."""
    files = {name: Path(str(DATA)) / "boards" / name / "map.json" for name in board_names()}
    return max(
        keep(
            file,
            written(with_labels(json.loads(file.read_text(encoding="utf-8")), load_board(name))),
            "does not have the places of labels that the tool computes",
        )
        for name, file in files.items()
    )


if __name__ == "__main__":
    sys.exit(main())
