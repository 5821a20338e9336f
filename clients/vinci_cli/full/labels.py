"""Where the labels of provinces stand, so that none hides another, and each lies on its own land as far as possible.

A label has one of three forms: the name of the province, or its code, with what stands there in the line below, or code
and garrison in one line. Places depend on the size alone: nothing jumps while a game goes on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from .raster import BEYOND, Raster

HELD: Final = 5
"""Cells for the longest garrison: `2:12^`."""

TALL: Final = 6
"""Cells for a code with a cost, `ALP>12`, and for pawns that are planned, `10>12^`."""

LONG: Final = TALL + 1 + HELD

COST: Final = 3
"""Cells for a cost: `>12`."""

POSITIONS: Final = 9
"""Places that are tried in each direction."""

CHOICES: Final = 60
"""Places of a label that are looked at, the best ones."""

STEPS: Final = 1500
"""Labels that are moved at most, until all stand somewhere."""

DEAREST: Final = 1e9


class Place(NamedTuple):
    """The cells of a label. `named`: it has the full name; `height` is 1 or 2."""

    row: int
    column: int
    width: int
    height: int
    named: bool = False


class _Choice(NamedTuple):
    cost: float
    place: Place
    mask: int


def places(raster: Raster, names: Sequence[str], signs: Sequence[int]) -> list[Place]:
    """A place for the label of every province; `signs` are the cells that its terrain, mine and port take."""
    choices = [sorted(_choices(raster, n, name, signs[n]))[:CHOICES] for n, name in enumerate(names)]
    return [choice.place for choice in _arranged(choices)]


def _arranged(choices: Sequence[Sequence[_Choice]]) -> list[_Choice]:
    """One choice each without an overlap: who finds no free one takes the place of others, which then look for another."""
    taken: dict[int, _Choice] = {}
    weight = [1.0] * len(choices)
    waiting = sorted(range(len(choices)), key=lambda n: choices[n][min(8, len(choices[n]) - 1)].cost)
    for _ in range(STEPS):
        if not waiting:
            break
        number = waiting.pop()
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


def _choices(raster: Raster, number: int, name: str, signs: int) -> Iterator[_Choice]:
    """Places for the label of a province, with what is wrong with each."""
    spots = [(x, y) for y, row in enumerate(raster.pixels) if number in row for x in _ends(row, number)]
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    top, bottom = min(y for _, y in spots) // 2, max(y for _, y in spots) // 2
    named = max(len(name) + 1 + max(signs, COST), TALL)
    forms = (Place(0, 0, TALL, 2), Place(0, 0, named, 2, named=True), Place(0, 0, LONG, 1))
    middle_x, middle_y = raster.labels[number]
    for form, base in zip(forms, (4.0, 0.0, 6.0), strict=True):
        if form.width >= raster.columns or form.height > raster.rows:
            continue
        xs = _spread(
            left - form.width // 2, right - form.width // 2, raster.columns - form.width, middle_x - form.width / 2
        )
        ys = _spread(
            top - form.height // 2, bottom - form.height // 2, raster.rows - form.height, middle_y - form.height / 2
        )
        for row in ys:
            for column in xs:
                wrong, own = _outside(raster, number, row, column, form)
                if own < 3:
                    continue
                away = abs(column + form.width / 2 - middle_x) / 2 + abs(row + form.height / 2 - middle_y)
                place = form._replace(row=row, column=column)
                yield _Choice(base + wrong + 0.15 * away, place, _mask(place, raster.columns))


def _ends(row: Sequence[int], number: int) -> tuple[int, int]:
    """The first and the last pixel of a province in a row."""
    return row.index(number), len(row) - 1 - row[::-1].index(number)


def _spread(first: int, last: int, most: int, middle: float) -> Iterable[int]:
    """Numbers from first to last within 0 and most, not too many, the middle among them."""
    first, last = max(first, 0), max(min(last, most), 0)
    step = max((last - first) / POSITIONS, 1.0)
    found = {min(max(round(middle), 0), most)}
    place = float(first)
    while place <= last:
        found.add(int(place))
        place += step
    return sorted(found)


def _outside(raster: Raster, number: int, row: int, column: int, form: Place) -> tuple[float, int]:
    """How bad it is that a label covers what is not its own land, and how many pixels of its own it covers."""
    own = others = 0
    for line in raster.pixels[2 * row : 2 * (row + form.height)]:
        part = line[column : column + form.width]
        here = part.count(number)
        own += here
        others += sum(1 for value in part if value >= 0) - here
    pixels = 2 * form.width * form.height
    return (pixels - own) * 0.35 + others * 0.25, own


def _mask(place: Place, columns: int) -> int:
    """The cells of a label and of the gap behind it, as bits."""
    line = (1 << min(place.width + 1, columns - place.column)) - 1
    return sum(line << ((place.row + n) * columns + place.column) for n in range(place.height))


def sea_places(raster: Raster, names: Mapping[str, str], labels: Iterable[Place]) -> Iterator[tuple[Place, str]]:
    """Places for the names of seas, each as near as possible to where the map has it; those without room are left out."""
    used = 0
    for label in labels:
        used |= _mask(label, raster.columns)
    for code, name in names.items():
        middle_x, middle_y = raster.seas[code]
        found: list[tuple[float, Place, str]] = []
        for lines in {name, name.replace(" ", "\n", 1)}:
            height, width = lines.count("\n") + 1, max(map(len, lines.split("\n")))
            for row in range(max(int(middle_y) - 4, 0), min(int(middle_y) + 5, raster.rows - height + 1)):
                for column in range(
                    max(int(middle_x) - width - 3, 0), min(int(middle_x) + 4, raster.columns - width + 1)
                ):
                    place = Place(row, column, width, height)
                    if _mask(place, raster.columns) & used or not _is_wet(raster, place):
                        continue
                    away = abs(column + width / 2 - middle_x) / 2 + abs(row + height / 2 - middle_y)
                    found.append((away + height, place, lines))
        if found:
            _, place, lines = min(found)
            used |= _mask(place, raster.columns)
            yield place, lines


def _is_wet(raster: Raster, place: Place) -> bool:
    """Whether a place has nothing but water and no strait."""
    return all(
        max(line[place.column : place.column + place.width]) < 0
        and BEYOND not in line[place.column : place.column + place.width]
        for line in raster.pixels[2 * place.row : 2 * (place.row + place.height)]
    )
