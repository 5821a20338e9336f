"""Labels of the drawn board, at the places that come with the map; what has none is written in the middle."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Final, NamedTuple

from vinci.v1 import game_pb2 as pb

from ..text.names import Catalogue
from . import text_width

PLAIN_SIZE: Final = 25
"""Font size of names on a map that has no places for them."""

SEA_SPACING: Final = 0.14
"""Letter spacing of names of seas, relative to the font size."""

ROOM: Final = 1.2
"""Height of a line, relative to the font size."""

MARKS: Final = 31
"""Font size of marks and tokens."""

MARK: Final = 1.15
"""Height of marks and tokens, relative to the font size."""

TOKEN: Final = 1.85
"""Width of a token without the number of its pawns."""

DIGIT: Final = 0.72
"""Width of a digit of that number, about."""

GAP: Final = 0.2
"""Gap between marks, and between name and marks."""

BASE: Final = 0.34
"""Distance of the base line of a text from the middle of its height, relative to the font size."""

HATCH: Final = 13
"""Distance of the lines that hatch declined empires."""


class Box(NamedTuple):
    """A rectangle of the map."""

    left: float
    top: float
    width: float
    height: float

    def overlaps(self, other: "Box", air: float = 0.0) -> bool:
        """Whether two rectangles overlap, or are nearer than `air` in both directions."""
        return (
            self.left < other.left + other.width + air
            and other.left < self.left + self.width + air
            and self.top < other.top + other.height + air
            and other.top < self.top + self.height + air
        )

    def moved(self, right: float, down: float) -> "Box":
        """Return the rectangle, moved."""
        return Box(self.left + right, self.top + down, self.width, self.height)


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
    """Return all labels of the board, in the language of the names."""
    places = next((one for one in board_map.labels if one.language == names.language), pb.MapLabels())
    known = {label.code: label for label in (*places.provinces, *places.seas)}
    shapes = {shape.code: shape for shape in (*board_map.provinces, *board_map.seas)}
    parts: list[LabelPart] = []
    for place, province in enumerate(board.provinces):
        label = known.get(province.code) or _plain(shapes[province.code], names.province(province.code))
        parts += (_line("name", line) for line in label.lines)
        parts += _row(_marks(province, place, state), label)
    for sea in board.seas:
        label = known.get(sea.code) or _plain(shapes[sea.code], names.sea(sea))
        parts += (_line("sea", line, SEA_SPACING) for line in label.lines)
    if places.rose_side:
        side = places.rose_side
        box = Box(places.rose_x - side / 2, places.rose_y - side / 2, side, side)
        parts.append(LabelPart("rose", box, side))
    return parts


def _plain(shape: pb.Shape, name: str) -> pb.MapLabel:
    """Return a label in the middle of a shape."""
    x, y = shape.label_x, shape.label_y
    line = pb.MapLine(text=name, x=x, y=y, size=PLAIN_SIZE)
    return pb.MapLabel(code=shape.code, lines=[line], marks_x=x, marks_y=y + round((PLAIN_SIZE + MARKS) * 0.7))


def _line(kind: str, line: pb.MapLine, spacing: float = 0.0) -> LabelPart:
    width, height = text_width.width(line.text, line.size, spacing=line.size * spacing), line.size * ROOM
    return LabelPart(kind, Box(line.x - width / 2, line.y - height / 2, width, height), line.size, line.text)


def _marks(province: pb.Province, place: int, state: pb.State | None) -> list[LabelPart]:
    """Return the marks of a province, each starting at 0."""
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


def token(pawns: str, size: float, seat: int, *, declined: bool = False) -> LabelPart:
    """Return the token of a garrison, starting at 0; neutral pawns have seat 0."""
    box = Box(0, 0, size * TOKEN + text_width.width(pawns, size, bold=True), size * MARK)
    return LabelPart("token", box, size, pawns, seat=seat, declined=declined)


def _row(marks: Sequence[LabelPart], label: pb.MapLabel) -> Iterator[LabelPart]:
    """Place marks in a row, smaller where the label has less room for them."""
    length = _length(mark.box.width for mark in marks)
    scale = min(1.0, label.marks_width / length) if label.marks_width and marks else 1.0
    left = label.marks_x - scale * length / 2
    for mark in marks:
        width, height = mark.box.width * scale, mark.box.height * scale
        yield replace(mark, box=Box(left, label.marks_y - height / 2, width, height), size=mark.size * scale)
        left += width + MARKS * GAP * scale


def _length(widths: Iterable[float]) -> float:
    every = list(widths)
    return fsum(every) + MARKS * GAP * (len(every) - 1)
