"""The board as cells of a terminal: land by terrain, empires by colour, labels, and marks for what is considered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Final, final

from vinci.v1 import game_pb2 as pb

from ...text.names import Catalogue
from ...text.tables import Line
from ..toolkit.block import Block, Depth, Hit
from ..toolkit.theme import PALETTES, chip, declined_chip
from .half_blocks import Ground
from .labels import TALL, LabelCells, places, sea_places
from .monochrome import Letters
from .raster import Raster
from .symbols import ASCII, ProvinceLook, Signs, garrison, land, mark, signs

KEPT: Final = 4
"""Number of window sizes whose pictures are cached."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks on the board, by codes of provinces.

    Attributes:
        selected: the selected province, empty for none.
        targets: costs of the provinces that Enter can conquer; 0 for none.
        changed: provinces changed by the last action. lost: provinces that would be evacuated or cut off.
        planned: planned pawns. forts: provinces with a planned fort.
    """

    selected: str = ""
    targets: Mapping[str, int] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    planned: Mapping[str, int] = field(default_factory=dict)
    forts: frozenset[str] = frozenset()


NOBODY: Final = (pb.HOLDING_NOBODY, 0, 0, False)


@final
class Art:
    """Draws a board at any size; whatever depends on the size alone is cached."""

    def __init__(self, board_map: pb.BoardMap, names: Catalogue) -> None:
        self._map: Final = board_map
        self._names: Final = names
        self._points: Final = {shape.code: (shape.label_x, shape.label_y) for shape in board_map.provinces}
        self._pictures: Final[dict[tuple[int, int], _Picture]] = {}

    def draw(self, state: pb.State | None, marks: Marks, columns: int, rows: int, depth: Depth) -> Block:
        """The board, of exactly this size; cells of a province are hits `province ALP`."""
        picture = self._pictures.pop((columns, rows), None) or _Picture(self._map, self._names, columns, rows)
        self._pictures[columns, rows] = picture
        if len(self._pictures) > KEPT:
            del self._pictures[next(iter(self._pictures))]
        return picture.draw(_looks(state, list(self._names.provinces), marks), depth)

    def toward(self, code: str, direction: str) -> str:
        """The next province to the `left`, `right`, `up` or `down`; the same one if there is none.

        From none it is the first province of the board.
        """
        if code not in self._points:
            return next(iter(self._points))
        x, y = self._points[code]
        turn = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}[direction]
        best, nearest = code, float("inf")
        for other, (other_x, other_y) in self._points.items():
            along = (other_x - x) * turn[0] + (other_y - y) * turn[1]
            aside = abs((other_x - x) * turn[1]) + abs((other_y - y) * turn[0])
            if along > 0 and aside <= 2 * along and along + 1.5 * aside**2 / along < nearest:
                best, nearest = other, along + 1.5 * aside**2 / along
        return best


def _looks(state: pb.State | None, codes: Sequence[str], marks: Marks) -> list[ProvinceLook]:
    """Appearance of every province."""
    marked = {marks.selected, *marks.targets, *marks.changed, *marks.lost, *marks.planned, *marks.forts}
    holdings: Iterable[tuple[pb.Holding.ValueType, int, int, bool]] = (
        zip(state.holdings, state.owners, state.pawns, state.forts, strict=True) if state else [NOBODY] * len(codes)
    )
    return [
        ProvinceLook(
            *its,
            selected=code == marks.selected,
            cost=marks.targets.get(code, -1),
            changed=code in marks.changed,
            lost=code in marks.lost,
            planned=marks.planned.get(code, -1),
            new_fort=code in marks.forts,
        )
        if code in marked
        else ProvinceLook(*its)
        for code, its in zip(codes, holdings, strict=True)
    ]


@final
class _Picture:
    """A board at one size: its fixed parts, and the lines that were drawn last."""

    def __init__(self, board_map: pb.BoardMap, names: Catalogue, columns: int, rows: int) -> None:
        self._provinces: Final = list(names.provinces.values())
        self._titles: Final = [names.province(code) for code in names.provinces]
        self._columns: Final = columns
        raster = Raster(board_map, columns, rows)
        self._places: Final = places(raster, self._titles, [len(land(its, ASCII)) for its in self._provinces])
        seas = {sea.code: names.sea(sea) for sea in names.seas}
        letters = {
            (place.row + n, place.column + m): letter
            for place, text in sea_places(raster, seas, self._places)
            for n, line in enumerate(text.split("\n"))
            for m, letter in enumerate(line.center(place.width).rstrip())
        }
        self._raster: Final = raster
        self._sea_names: Final = letters
        self._labels: Final[list[list[int]]] = [[] for _ in range(rows)]
        for number, place in sorted(enumerate(self._places), key=lambda item: item[1].column):
            for row in range(place.row, place.row + place.height):
                self._labels[row].append(number)
        self._near: Final = [_near(raster.pixels[max(2 * y - 2, 0) : 2 * y + 4], self._labels[y]) for y in range(rows)]
        self._hits: Final = list(self._find_hits(raster))
        self._drawn: Final[dict[tuple[int, Depth], tuple[list[ProvinceLook], Line]]] = {}

    @cached_property
    def _ground(self) -> Ground:
        return Ground(self._raster, self._sea_names)

    @cached_property
    def _letters(self) -> Letters:
        return Letters(self._raster, self._sea_names, self._places)

    def draw(self, looks: Sequence[ProvinceLook], depth: Depth) -> Block:
        """The board; unchanged lines are reused."""
        palette = PALETTES.get(depth)
        colours = self._ground.colours(looks, self._provinces, palette) if palette else []
        lines: list[Line] = []
        for row, near in enumerate(self._near):
            seen = [looks[number] for number in near]
            before, line = self._drawn.get((row, depth), (None, []))
            if before != seen:
                line = self._line(row, looks, colours, depth)
                self._drawn[row, depth] = seen, line
            lines.append(line)
        return Block(lines, self._hits)

    def _line(self, row: int, looks: Sequence[ProvinceLook], colours: Sequence[str], depth: Depth) -> Line:
        cells: Line = []
        place = 0
        for number in self._labels[row]:
            its = self._places[number]
            start, label = _label(its, row, looks[number], self._titles[number], self._provinces[number], depth)
            if label and start >= place:
                cells += [*self._part(row, place, start, looks, colours, depth), *label]
                place = start + sum(len(text) for _, text in label)
        return cells + self._part(row, place, self._columns, looks, colours, depth)

    def _part(
        self, row: int, start: int, stop: int, looks: Sequence[ProvinceLook], colours: Sequence[str], depth: Depth
    ) -> Line:
        if start >= stop:
            return []
        if depth in PALETTES:
            return self._ground.part(row, start, stop, colours, PALETTES[depth])
        return self._letters.part(row, start, stop, looks, self._provinces)

    def _find_hits(self, raster: Raster) -> Iterable[Hit]:
        """Click targets of the cells: labels, or the land in either half of a cell."""
        codes = [its.code for its in self._provinces]
        for row in range(raster.rows):
            cells = [max(pair) for pair in zip(raster.pixels[2 * row], raster.pixels[2 * row + 1], strict=True)]
            for number in self._labels[row]:
                its = self._places[number]
                cells[its.column : its.column + its.width] = [number] * its.width
            start = 0
            for number, same in groupby(cells):
                stop = start + len(list(same))
                if number >= 0:
                    yield Hit(row, start, stop, f"province {codes[number]}")
                start = stop


def _near(pixels: Iterable[Sequence[int]], labels: Iterable[int]) -> list[int]:
    """Provinces that a row depends on."""
    return sorted({value for line in pixels for value in set(line) if value >= 0} | set(labels))


def _label(
    place: LabelCells, row: int, look: ProvinceLook, title: str, province: pb.Province, depth: Depth
) -> tuple[int, Line]:
    """One line of a label, and where it starts."""
    its = signs(depth)
    head, body = _head(place, look, title, province, its, depth), _body(look, its, depth)
    first, second = (sum(len(text) for _, text in line) for line in (head, body))
    if place.height == 1:
        return place.column, [*head, *([(head[0][0], " ")] if body else []), *body]
    start = place.column + max(place.width - max(first, second), 0) // 2
    if row == place.row:
        return start, head
    return (start + (first - second) // 2 if place.named and first > second else start), body


def _head(place: LabelCells, look: ProvinceLook, title: str, province: pb.Province, its: Signs, depth: Depth) -> Line:
    """Name or code of a province with its mark; terrain, mine and port where there is room."""
    name, extra = title if place.named else province.code, land(province, its)
    marked = mark(look, its)
    room = place.width if place.height == 2 else TALL
    text = f"{name} {extra}" if place.named else name + extra
    if len(text) + len(marked) > room:
        text = name
    if depth not in PALETTES:
        style = "bold" + (" reverse" if look.selected else "") + (" underline" if look.changed else "")
        return [(style, text), *([("bold", marked)] if marked else [])]
    palette = PALETTES[depth]
    style = f"fg:{palette.ink[province.terrain]} bg:{palette.land[province.terrain]} bold"
    if look.selected:
        style = f"fg:{palette.on_mark} bg:{palette.selected} bold"
    elif look.changed:
        style = f"fg:{palette.on_mark} bg:{palette.changed} bold underline"
    sign = f"fg:{palette.on_mark} bg:{palette.lost if look.lost else palette.target} bold"
    return [(style, text), *([(sign, marked)] if marked else [])]


def _body(look: ProvinceLook, its: Signs, depth: Depth) -> Line:
    """Garrison of a province."""
    text = garrison(look, its, TALL + 1)
    if not text:
        return []
    if look.holding == pb.HOLDING_DECLINED:
        return [(declined_chip(look.owner, depth), text)]
    return [(chip(look.owner, depth), text)]
