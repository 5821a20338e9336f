"""Places of the labels of provinces: without overlaps, and on their own land as far as possible.

A label has one of three forms: the name of the province, or its code, with what stands there in the line below, or code
and garrison in one line. Places depend on the size alone: nothing jumps while a game goes on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from .raster import BEYOND, COAST, OUTSIDE, SEA, Raster

TALL: Final = 5
"""Cells for a code with its signs or a cost, `ALP>7`, and for a garrison, `2:12^`.

The few texts that need one more, `ALP>12` and `10>12^`, take the gap that is left behind every label.
"""

LONG: Final = TALL + 1 + TALL

COST: Final = 3
"""Cells for a cost: `>12`."""

ELSEWHERE, FOREIGN, AWAY = 0.7, 0.5, 0.15
"""Penalties of a place: cell outside the province, cell in another province, cell away from the best point."""

NO_PROVINCE: Final = bytes((COAST, SEA, BEYOND))

POSITIONS: Final = 7
"""Places tried in each direction if there are more than twice as many."""

CHOICES: Final = 60
"""Places considered for a label: the best of each form."""

STEPS: Final = 1000
"""Maximum number of moves until all labels have a place."""

DEAREST: Final = 1e9


class LabelCells(NamedTuple):
    """The cells of a label. `named`: it has the full name; `height` is 1 or 2."""

    row: int
    column: int
    width: int
    height: int
    named: bool = False


class _Choice(NamedTuple):
    cost: float
    place: LabelCells
    mask: int


def places(raster: Raster, names: Sequence[str], signs: Sequence[int]) -> list[LabelCells]:
    """A place for the label of every province; `signs` are the cells that its terrain, mine and port take."""
    pixels = [bytes(line) for line in raster.pixels]
    choices: list[list[_Choice]] = []
    for number, name in enumerate(names):
        named = max(len(name) + 1 + max(signs[number], COST), TALL)
        forms = (
            (4.0, LabelCells(0, 0, TALL, 2)),
            (0.0, LabelCells(0, 0, named, 2, named=True)),
            (6.0, LabelCells(0, 0, LONG, 1)),
        )
        options: list[_Choice] = []
        for base, form in forms:
            best = sorted(_tried(raster, pixels, number, form))[:CHOICES]
            options += [_Choice(base + cost, place, _mask(place, raster.columns)) for cost, place in best]
        choices.append(sorted(options))
    return [choice.place for choice in _arranged(choices)]


def _arranged(choices: Sequence[Sequence[_Choice]]) -> list[_Choice]:
    """A place for each label without overlaps; a label without a free place displaces others, which move on."""
    taken: dict[int, _Choice] = {}
    weight = [1.0] * len(choices)
    waiting = sorted(range(len(choices)), key=lambda n: choices[n][min(8, len(choices[n]) - 1)].cost)
    for _ in range(STEPS):
        if not waiting:
            break
        number = waiting.pop(0)
        used = 0
        for choice in taken.values():
            used |= choice.mask
        best, best_cost = choices[number][0], DEAREST
        for choice in choices[number]:
            if choice.cost >= best_cost:
                break
            cost = choice.cost
            if choice.mask & used:
                cost += sum(5 * weight[other] for other, its in taken.items() if its.mask & choice.mask)
            if cost < best_cost:
                best, best_cost = choice, cost
        for other in [other for other, its in taken.items() if its.mask & best.mask]:
            del taken[other]
            weight[other] += 0.5
            waiting.append(other)
        taken[number] = best
    for _ in range(2):
        for number in list(taken):
            used = 0
            for other, choice in taken.items():
                used |= 0 if other == number else choice.mask
            taken[number] = next((its for its in choices[number] if not its.mask & used), taken[number])
    return [taken.get(number) or choices[number][0] for number in range(len(choices))]


def _tried(
    raster: Raster, pixels: Sequence[bytes], number: int, form: LabelCells
) -> Iterator[tuple[float, LabelCells]]:
    """Places for the label of a province in one form, with their penalties."""
    _, _, width, height, _ = form
    if width >= raster.columns or height > raster.rows:
        return
    across, down = raster.grid
    rows = [y for y, line in enumerate(pixels) if number in line]
    left = min(pixels[y].index(number) for y in rows) // across - width + 2
    right = max(pixels[y].rindex(number) for y in rows) // across - 1
    top, bottom = rows[0] // down - height + 1, rows[-1] // down
    x, y = raster.labels[number]
    for row in _spread(top, bottom, raster.rows - height, y - height / 2):
        lines = pixels[down * row : down * (row + height)]
        for column in _spread(left, right, raster.columns - width - 1, x - width / 2):
            area = b"".join([line[across * column : across * (column + width)] for line in lines])
            own = area.count(number)
            if not own:
                continue
            others = len(area.translate(None, NO_PROVINCE)) - own
            away = abs(column + width / 2 - x) / 2 + abs(row + height / 2 - y)
            cost = (ELSEWHERE * (len(area) - own) + FOREIGN * others) / (across * down) + AWAY * away
            yield cost, form._replace(row=row, column=column)


def _spread(first: int, last: int, most: int, middle: float) -> Iterable[int]:
    """Some of the numbers from first to last within 0 and most, the middle among them."""
    first, last = max(first, 0), max(min(last, most), 0)
    step = 1.0 if last - first <= 2 * POSITIONS else (last - first) / POSITIONS
    numbers = {min(max(round(middle), 0), most)}
    place = float(first)
    while place <= last:
        numbers.add(int(place))
        place += step
    return sorted(numbers)


def _mask(place: LabelCells, columns: int) -> int:
    """The cells of a label and of the gap behind it, as bits."""
    line = (1 << min(place.width + 1, columns - place.column)) - 1
    return sum(line << ((place.row + n) * columns + place.column) for n in range(place.height))


def around(labels: Iterable[LabelCells]) -> set[tuple[int, int]]:
    """The cells of labels, as (row, column), and of a gap on both sides."""
    return {
        (place.row + n, x)
        for place in labels
        for n in range(place.height)
        for x in range(place.column - 1, place.column + place.width + 1)
    }


def sea_places(
    raster: Raster, names: Mapping[str, str], labels: Iterable[LabelCells]
) -> Iterator[tuple[LabelCells, str]]:
    """Places for the names of seas, in one line or two, where the map has them; without room there is none."""
    used = 0
    for label in labels:
        used |= _mask(label, raster.columns)
    for code, name in names.items():
        x, y = raster.seas[code]
        options: list[tuple[float, LabelCells, str]] = []
        for text in {name, name.replace(" ", "\n", 1)}:
            lines = text.split("\n")
            height, width = len(lines), max(map(len, lines))
            for row in range(max(int(y) - height, 0), min(int(y) + 2, raster.rows - height + 1)):
                for column in range(max(int(x) - width - 3, 0), min(int(x) + 4, raster.columns - width + 1)):
                    place = LabelCells(row, column, width, height)
                    if not _mask(place, raster.columns) & used and _is_wet(raster, place):
                        away = abs(column + width / 2 - x) / 2 + abs(row + height / 2 - y)
                        options.append((away + height, place, text))
        if options:
            _, place, text = min(options)
            used |= _mask(place, raster.columns)
            yield place, text


def _is_wet(raster: Raster, place: LabelCells) -> bool:
    """Whether a place has nothing but water and no strait."""
    across, down = raster.grid
    return all(
        min(line[across * place.column : across * (place.column + place.width)]) > OUTSIDE
        for line in raster.pixels[down * place.row : down * (place.row + place.height)]
    )
