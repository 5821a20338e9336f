"""The ground of the board without colours: borders as lines, land with letters for its terrain or its owner."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, final

from vinci.v1 import game_pb2 as pb

from ...text.tables import Line
from ..toolkit.display import current
from .labels import LabelCells, around
from .raster import BEYOND, OUTSIDE, SEA, Raster
from .symbols import ProvinceLook, Signs, land, signs

BOXES: Final = "·│││─┘┐┤─└┌├─┴┬┼"
"""Lines through a cell by the neighbours to which they lead: above 1, below 2, left 4, right 8."""


class LetterRun(NamedTuple):
    """Cells side by side: text that never changes, or, with a province, one letter that tells about it."""

    text: str
    province: int = -1


@final
class Letters:
    """The ground for one size."""

    def __init__(self, raster: Raster, letters: dict[tuple[int, int], str], labels: Iterable[LabelCells]) -> None:
        bare = around(labels)
        cells = [
            _smooth([above if above < OUTSIDE else below for above, below in zip(top, bottom, strict=True)])
            for top, bottom in zip(raster.pixels[::2], raster.pixels[1::2], strict=True)
        ]
        borders = _borders(cells)
        self._runs: Final = [self._row(raster, cells, borders, row, letters, bare) for row in range(raster.rows)]

    def part(
        self, row: int, start: int, stop: int, looks: Sequence[ProvinceLook], provinces: Sequence[pb.Province]
    ) -> Line:
        """Cells of a row from start to stop."""
        its = signs(1)
        text = "".join(
            run.text if run.province < 0 else _letter(row, looks[run.province], provinces[run.province], its)
            for run in self._runs[row]
        )[start:stop]
        return [("", text)] if text else []

    @staticmethod
    def _row(
        raster: Raster,
        cells: list[list[int]],
        borders: Mapping[tuple[int, int], str],
        row: int,
        letters: dict[tuple[int, int], str],
        bare: Collection[tuple[int, int]],
    ) -> list[LetterRun]:
        runs: list[LetterRun] = []
        for x, value in enumerate(cells[row]):
            province = -1
            if (row, x) in letters:
                text = letters[row, x]
            elif borders.get((row, x)):
                text = borders[row, x]
            elif (x, 2 * row) in raster.strait or (x, 2 * row + 1) in raster.strait:
                text = "."
            elif (row, x) in bare:
                text = " "
            elif value >= OUTSIDE:
                text = _far(value, row, x)
            else:
                text, province = " ", value if (x + 2 * row) % 4 == 0 else -1
            if runs and province == runs[-1].province == -1:
                runs[-1] = LetterRun(runs[-1].text + text)
            else:
                runs.append(LetterRun(text, province))
        return runs


def _smooth(line: list[int]) -> list[int]:
    """A row in which no single cell lies between two that are alike."""
    alike = zip(line, line[1:], line[2:], strict=False)
    return [*line[:1], *(left if left == right else cell for left, cell, right in alike), *line[-1:]]


def _borders(cells: Sequence[Sequence[int]]) -> dict[tuple[int, int], str]:
    """The characters of borders by row and column: to the right of a cell and below it."""
    last_row, last = len(cells) - 1, len(cells[0]) - 1
    places = {
        (row, x): (_differ(value, line[min(x + 1, last)]), _differ(value, cells[min(row + 1, last_row)][x]))
        for row, line in enumerate(cells)
        for x, value in enumerate(line)
    }
    places = {place: sides for place, sides in places.items() if any(sides)}
    if not current().is_unicode:
        return {place: "|" if is_right else "_" for place, (is_right, _is_below) in places.items()}
    return {place: BOXES[_arms(places, *place)] for place in places}


def _arms(places: Mapping[tuple[int, int], tuple[bool, bool]], row: int, x: int) -> int:
    """The neighbours to which the border in a cell leads, as bits: no line joins two that run side by side."""
    is_upright, is_flat = places[row, x]
    near = (
        (row - 1, x, 0, is_upright),
        (row + 1, x, 0, is_upright),
        (row, x - 1, 1, is_flat),
        (row, x + 1, 1, is_flat),
    )
    return sum(
        1 << bit
        for bit, (down, across, side, is_along) in enumerate(near)
        if (down, across) in places and (is_along or places[down, across][side])
    )


def _differ(cell: int, other: int) -> bool:
    """Whether there is a border: only provinces have one."""
    return cell != other and (cell < OUTSIDE or other < OUTSIDE)


def _far(value: int, row: int, column: int) -> str:
    """Dark water and land outside the board."""
    if value == SEA and (column + 3 * row) % 6 == 0:
        return "~"
    return ":" if value == BEYOND and (column + row) % 2 == 0 else " "


def _letter(row: int, look: ProvinceLook, province: pb.Province, its: Signs) -> str:
    """Letter that fills a province: its owner, `-` in every other row of a declined empire, or its terrain."""
    if look.selected:
        return "#"
    if look.owner:
        return "-" if look.holding == pb.HOLDING_DECLINED and row % 2 else str(look.owner)
    return land(province, its)[0]
