"""The board as cells of a terminal: land by terrain, empires by colour, labels, and marks for what is considered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Final, TypeAlias, final

from vinci.v1 import game_pb2 as pb

from ...text.names import Catalogue
from ...text.tables import Line
from ..toolkit.block import Block, Depth, Hit, cropped, framed, over
from ..toolkit.display import current
from ..toolkit.pixels import Grid, grid_here
from ..toolkit.theme import chip, declined_chip, palette
from .blocks import Ground, Paint
from .labels import NO_PROVINCE, TALL, LabelCells, around, places, sea_places
from .minimap import Minimap
from .monochrome import Letters
from .raster import OUTSIDE, Raster
from .symbols import ASCII, ProvinceLook, Signs, garrison, land, mark, signs

KEPT: Final = 4
"""Number of sizes whose drawn lines are cached for each page."""

SHARED: Final = 16
"""Number of pictures cached for all pages and sessions of this process."""

LEAST_CELLS, ZOOMED_CELLS = 50, 100
"""Cells for each province: with fewer the map is zoomed, to this size."""

INSIDE: Final = (8, 3)
"""Columns and rows at the edge of a zoomed map where nothing may be that is to be seen; else the map moves."""

MINIMAP_COLUMNS: Final = 16


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks on the board, by codes of provinces.

    Attributes:
        selected: the selected province, empty for none.
        is_clicked: whether it was selected with the mouse, whose second click acts on what is seen at the same place.
        targets: costs of the provinces that Enter can conquer; 0 for none.
        changed: provinces changed by the last action. lost: provinces that would be evacuated or cut off.
        planned: planned pawns. forts: provinces with a planned fort.
        own: the seat whose land is emphasised, 0 for none.
    """

    selected: str = ""
    is_clicked: bool = False
    targets: Mapping[str, int] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    planned: Mapping[str, int] = field(default_factory=dict)
    forts: frozenset[str] = frozenset()
    own: int = 0


NOBODY: Final = (pb.HOLDING_NOBODY, 0, 0, False)


Area: TypeAlias = tuple[int, int, int, int]
"""A part of a picture: its first row and column, and how many of both."""

Drawn: TypeAlias = dict[tuple[int, Depth, str], tuple[list[ProvinceLook], Line]]
"""Lines drawn last by row, colours and theme, with the provinces they depend on."""


@dataclass(frozen=True, slots=True)
class _NamedBoard:
    """A board with names in one language, for terminals with Unicode or without; equal if its pictures are equal."""

    contents: bytes
    titles: tuple[str, ...]
    seas: tuple[tuple[str, str], ...]
    is_unicode: bool
    board_map: pb.BoardMap = field(compare=False)
    provinces: Sequence[pb.Province] = field(compare=False)


def _named(board_map: pb.BoardMap, names: Catalogue) -> _NamedBoard:
    """Return a board with names in the language of this session, for its terminal."""
    provinces = list(names.provinces.values())
    return _NamedBoard(
        b"".join(message.SerializeToString(deterministic=True) for message in (board_map, *provinces)),
        tuple(names.province(code) for code in names.provinces),
        tuple((sea.code, names.sea(sea)) for sea in names.seas),
        current().is_unicode,
        board_map,
        provinces,
    )


@final
class Art:
    """Draws a board at any size; whatever depends on the size alone is cached."""

    def __init__(self, board_map: pb.BoardMap, names: Catalogue) -> None:
        self._map: Final = board_map
        self._names: Final = names
        self._points: Final = {shape.code: (shape.label_x, shape.label_y) for shape in board_map.provinces}
        self._pictures: Final[dict[tuple[int, int, Grid], tuple[_Picture, Drawn]]] = {}
        self._shown: dict[tuple[int, int], tuple[_Picture, int, int]] = {}
        """The picture drawn last, and its first row and column that were seen, by the size of the area."""
        self._corner = [0, 0]
        """First column and row of the part that was zoomed last; clicks hit what is seen if it moves seldom."""
        self._minimap: Final = Minimap(board_map, list(names.provinces), MINIMAP_COLUMNS)

    def draw(
        self, state: pb.State | None, marks: Marks, columns: int, rows: int, depth: Depth, *, zooms: bool = False
    ) -> Block:
        """The board, of exactly this size; cells of a province are hits `province ALP`.

        If it `zooms`, an area that is small for the board shows a part of it, around what is selected or happened last,
        and all of it with its owners in a corner.
        """
        looks = _looks(state, list(self._names.provinces), marks)
        depth = depth if current().is_unicode else 1
        if not zooms or not self.is_small(columns, rows):
            picture, drawn = self._picture(columns, rows, depth)
            self._shown = {(columns, rows): (picture, 0, 0)}
            return picture.draw(looks, depth, drawn)
        ratio = self._map.height / (2 * self._map.width)
        high = max(rows, round((ZOOMED_CELLS * len(looks) * ratio) ** 0.5))
        wide = max(columns, round(high / ratio))
        picture, drawn = self._picture(wide, high, depth)
        margins = (0, 0) if marks.is_clicked else INSIDE
        sizes = zip(picture.focus(looks), self._corner, (columns, rows), (wide, high), margins, strict=True)
        column, row = self._corner = [_start(*size) for size in sizes]
        self._shown = {(columns, rows): (picture, row, column)}
        part = cropped(picture.draw(looks, depth, drawn, row, row + rows), row, column, rows, columns)
        return self._with_minimap(part, picture, looks, (row, column, rows, columns), depth)

    def is_small(self, columns: int, rows: int) -> bool:
        """Whether an area is too small for all names, owners and pawns of the board."""
        return columns * rows < LEAST_CELLS * len(self._points)

    def _picture(self, columns: int, rows: int, depth: Depth) -> "tuple[_Picture, Drawn]":
        grid = grid_here(depth)
        picture = self._pictures.pop((columns, rows, grid), None)
        picture = picture or (cached_picture(_named(self._map, self._names), columns, rows, grid), {})
        self._pictures[columns, rows, grid] = picture
        if len(self._pictures) > KEPT:
            del self._pictures[next(iter(self._pictures))]
        return picture

    def _with_minimap(
        self, part: Block, picture: "_Picture", looks: Sequence[ProvinceLook], area: Area, depth: Depth
    ) -> Block:
        """A part of the map, with all of it in the corner in which least land is hidden."""
        mini = self._minimap.draw(looks, picture.in_view(area), depth)
        row, column, rows, columns = area
        high, wide = mini.height + 2, MINIMAP_COLUMNS + 2
        corners = [(down, right) for right in (0, columns - wide) for down in (rows - high, 0)]
        hidden = [picture.land_in((row + down, column + right, high, wide), looks) for down, right in corners]
        return over(part, framed(mini, "", wide, high), *corners[hidden.index(min(hidden))])

    def place(self, code: str, columns: int, rows: int) -> tuple[int, int] | None:
        """Row and column of the label of a province in the picture drawn last at a size; None if it is not seen."""
        if (columns, rows) not in self._shown or code not in self._points:
            return None
        picture, first_row, first_column = self._shown[columns, rows]
        row, column = picture.place(code)
        is_seen = first_row <= row < first_row + rows and first_column <= column < first_column + columns
        return (row - first_row, column - first_column) if is_seen else None

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
    looks: list[ProvinceLook] = []
    for code, its in zip(codes, holdings, strict=True):
        own = bool(marks.own) and its[:2] == (pb.HOLDING_ACTIVE, marks.own)
        looks.append(
            ProvinceLook(
                *its,
                selected=code == marks.selected,
                cost=marks.targets.get(code, -1),
                changed=code in marks.changed,
                lost=code in marks.lost,
                planned=marks.planned.get(code, -1),
                new_fort=code in marks.forts,
                own=own,
            )
            if code in marked
            else ProvinceLook(*its, own=own)
        )
    return looks


@final
class _Picture:
    """A board at one size: what does not depend on the game."""

    def __init__(self, board: _NamedBoard, columns: int, rows: int, grid: Grid) -> None:
        self._provinces: Final = board.provinces
        self._titles: Final = board.titles
        self._columns: Final = columns
        raster = Raster(board.board_map, columns, rows, grid)
        self._places: Final = places(raster, self._titles, [len(land(its, ASCII)) for its in self._provinces])
        letters = {
            (place.row + n, place.column + m): letter
            for place, text in sea_places(raster, dict(board.seas), self._places)
            for n, line in enumerate(text.split("\n"))
            for m, letter in enumerate(line.center(place.width).rstrip())
        }
        self._raster: Final = raster
        self._sea_names: Final = letters
        self._labels: Final[list[list[int]]] = [[] for _ in range(rows)]
        for number, place in sorted(enumerate(self._places), key=lambda item: item[1].column):
            for row in range(place.row, place.row + place.height):
                self._labels[row].append(number)
        down = grid.down
        self._near: Final = [
            _near(raster.pixels[max(down * y - 2, 0) : down * (y + 1) + 2], self._labels[y]) for y in range(rows)
        ]
        self._hits: Final = list(self._find_hits(raster))

    def place(self, code: str) -> tuple[int, int]:
        """Row and column of the middle of a label."""
        its = self._places[next(n for n, province in enumerate(self._provinces) if province.code == code)]
        return its.row + its.height // 2, its.column + its.width // 2

    @cached_property
    def _ground(self) -> Ground:
        return Ground(self._raster, self._sea_names, around(self._places))

    @cached_property
    def _letters(self) -> Letters:
        return Letters(self._raster, self._sea_names, self._places)

    def focus(self, looks: Sequence[ProvinceLook]) -> tuple[float, float]:
        """Column and row of what is to be seen: the selection, else what happened last, else own land, else all."""
        for is_seen in ("selected", "changed", "own"):
            places = [its for its, look in zip(self._places, looks, strict=True) if getattr(look, is_seen)]
            if places:
                across = sum(its.column + its.width / 2 for its in places) / len(places)
                return across, sum(its.row + its.height / 2 for its in places) / len(places)
        return self._columns / 2, len(self._near) / 2

    def in_view(self, area: Area) -> set[int]:
        """The provinces whose labels lie in a part of the picture."""
        row, column, rows, columns = area
        return {
            number
            for number, its in enumerate(self._places)
            if row <= its.row < row + rows and column <= its.column + its.width / 2 < column + columns
        }

    def land_in(self, area: Area, looks: Sequence[ProvinceLook]) -> int:
        """Cells with land in a part of the picture; those of what is to be seen count many times."""
        row, column, rows, columns = area
        weights = {
            f"province {its.code}": 100 * look.selected + 20 * look.changed + 5 * look.own + 1
            for its, look in zip(self._provinces, looks, strict=True)
        }
        return sum(
            max(min(hit.stop, column + columns) - max(hit.start, column), 0) * weights[hit.target]
            for hit in self._hits
            if row <= hit.row < row + rows
        )

    def draw(
        self, looks: Sequence[ProvinceLook], depth: Depth, drawn: Drawn, first: int = 0, stop: int | None = None
    ) -> Block:
        """The board, or only the rows from `first` to `stop`, the others empty; unchanged lines are those `drawn`."""
        colours = palette(depth)
        paint = self._ground.paint(looks, self._provinces, colours) if colours else None
        lines: list[Line] = []
        for row, near in enumerate(self._near):
            if not first <= row < (len(self._near) if stop is None else stop):
                lines.append([])
                continue
            seen = [looks[number] for number in near]
            key = row, depth, current().theme
            before, line = drawn.get(key, (None, []))
            if before != seen:
                line = self._line(row, looks, paint, depth)
                drawn[key] = seen, line
            lines.append(line)
        return Block(lines, self._hits)

    def _line(self, row: int, looks: Sequence[ProvinceLook], paint: Paint | None, depth: Depth) -> Line:
        cells: Line = []
        place = 0
        for number in self._labels[row]:
            its = self._places[number]
            fill = paint.colours[number] if paint is not None else ""
            start, label = _label(its, row, looks[number], self._titles[number], self._provinces[number], depth, fill)
            if label and start >= place:
                cells += [*self._part(row, place, start, looks, paint, depth), *label]
                place = start + sum(len(text) for _, text in label)
        return cells + self._part(row, place, self._columns, looks, paint, depth)

    def _part(
        self, row: int, start: int, stop: int, looks: Sequence[ProvinceLook], paint: Paint | None, depth: Depth
    ) -> Line:
        if start >= stop:
            return []
        colours = palette(depth)
        if paint is not None and colours is not None:
            return self._ground.part(row, start, stop, paint, colours)
        return self._letters.part(row, start, stop, looks, self._provinces)

    def _find_hits(self, raster: Raster) -> Iterable[Hit]:
        """Click targets of the cells: labels, or the land in any part of a cell."""
        codes = [its.code for its in self._provinces]
        for row in range(raster.rows):
            cells = [max(cell.translate(None, NO_PROVINCE), default=OUTSIDE) for cell in raster.cells(row)]
            for number in self._labels[row]:
                its = self._places[number]
                cells[its.column : its.column + its.width] = [number] * its.width
            start = 0
            for number, same in groupby(cells):
                stop = start + len(list(same))
                if number < OUTSIDE:
                    yield Hit(row, start, stop, f"province {codes[number]}")
                start = stop


cached_picture: Final = lru_cache(SHARED)(_Picture)


def _start(place: float, before: int, window: int, whole: int, margin: int) -> int:
    """First cell of a window: that of before if a place is well inside, else so that the place is in the middle."""
    if not before + margin <= place < before + window - margin:
        before = round(place - window / 2)
    return min(max(before, 0), whole - window)


def _near(pixels: Iterable[Sequence[int]], labels: Iterable[int]) -> list[int]:
    """Provinces that a row depends on."""
    return sorted({value for line in pixels for value in set(line) if value < OUTSIDE} | set(labels))


def _label(
    place: LabelCells, row: int, look: ProvinceLook, title: str, province: pb.Province, depth: Depth, fill: str
) -> tuple[int, Line]:
    """One line of a label, and where it starts."""
    its = signs(depth)
    head, body = _head(place, look, title, province, its, depth, fill), _body(look, its, depth)
    first, second = (sum(len(text) for _, text in line) for line in (head, body))
    if place.height == 1:
        return place.column, [*head, *([(head[0][0], " ")] if body else []), *body]
    start = place.column + max(place.width - max(first, second), 0) // 2
    if row == place.row:
        return start, head
    return (start + (first - second) // 2 if place.named and first > second else start), body


def _head(
    place: LabelCells, look: ProvinceLook, title: str, province: pb.Province, its: Signs, depth: Depth, fill: str
) -> Line:
    """Name or code of a province with its mark; terrain, mine and port where there is room."""
    name, extra = title if place.named else province.code, land(province, its)
    marked = mark(look, its)
    room = place.width if place.height == 2 else TALL
    text = f"{name} {extra}" if place.named else name + extra
    if len(text) + len(marked) > room:
        text = name
    colours = palette(depth)
    if colours is None:
        style = "bold" + (" reverse" if look.selected else "") + (" underline" if look.changed else "")
        return [(style, text), *([("bold", marked)] if marked else [])]
    style = f"fg:{colours.ink_on(fill, province.terrain)} bg:{fill} bold"
    if look.selected:
        style = f"fg:{colours.on_selected} bg:{colours.selected} bold"
    elif look.changed:
        style = f"fg:{colours.on_mark} bg:{colours.changed} bold underline"
    sign = f"fg:{colours.on_mark} bg:{colours.lost if look.lost else colours.target} bold"
    return [(style, text), *([(sign, marked)] if marked else [])]


def _body(look: ProvinceLook, its: Signs, depth: Depth) -> Line:
    """Garrison of a province."""
    text = garrison(look, its, TALL + 1)
    if not text:
        return []
    if look.holding == pb.HOLDING_DECLINED:
        return [(declined_chip(look.owner, depth), text)]
    return [(chip(look.owner, depth), text)]
