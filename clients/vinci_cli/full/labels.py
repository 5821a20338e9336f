"""Where the labels of provinces stand, so that none hides another, and each lies on its own land as far as possible.

A label has one of three forms: the name of the province, or its code, with what stands there in the line below, or code
and garrison in one line. Places depend on the size alone: nothing jumps while a game goes on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from .raster import BEYOND, COAST, SEA, Raster

HELD: Final = 5
"""Cells for the longest garrison: `2:12^`."""

TALL: Final = 6
"""Cells for a code with a cost, `ALP>12`, and for pawns that are planned, `10>12^`."""

LONG: Final = TALL + 1 + HELD

COST: Final = 3
"""Cells for a cost: `>12`."""

OWN: Final = 3
"""Pixels of its own province that a label covers at least."""

OUTSIDE, FOREIGN, AWAY = 0.35, 0.25, 0.15
"""What it costs a place: a pixel outside of the province, moreover in another one, a cell away from the best point."""

NO_PROVINCE: Final = bytes(value & 255 for value in (COAST, SEA, BEYOND))

POSITIONS: Final = 7
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
    pixels = [bytes(value & 255 for value in line) for line in raster.pixels]
    choices: list[list[_Choice]] = []
    for number, name in enumerate(names):
        best = sorted(_choices(raster, pixels, number, name, signs[number]))[:CHOICES]
        choices.append([_Choice(cost, place, _mask(place, raster.columns)) for cost, place in best])
    return [choice.place for choice in _arranged(choices)]


def _arranged(choices: Sequence[Sequence[_Choice]]) -> list[_Choice]:
    """One choice each without an overlap: who finds none free drives others away, which then look for another."""
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


def _choices(
    raster: Raster, pixels: Sequence[bytes], number: int, name: str, signs: int
) -> Iterator[tuple[float, Place]]:
    """Places for the label of a province, with what is wrong with each."""
    spots = [(x, y) for y, row in enumerate(pixels) if number in row for x in (row.index(number), row.rindex(number))]
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    top, bottom = min(y for _, y in spots) // 2, max(y for _, y in spots) // 2
    named = max(len(name) + 1 + max(signs, COST), TALL)
    forms = (Place(0, 0, TALL, 2), Place(0, 0, named, 2, named=True), Place(0, 0, LONG, 1))
    middle_x, middle_y = raster.labels[number]
    for form, base in zip(forms, (4.0, 0.0, 6.0), strict=True):
        _, _, width, height, _ = form
        if width > raster.columns or height > raster.rows:
            continue
        for row in _spread(top - height // 2, bottom - height // 2, raster.rows - height, middle_y - height / 2):
            lines = pixels[2 * row : 2 * (row + height)]
            for column in _spread(left - width // 2, right - width // 2, raster.columns - width, middle_x - width / 2):
                parts = [line[column : column + width] for line in lines]
                own = sum(part.count(number) for part in parts)
                if own < OWN:
                    continue
                others = sum(len(part.translate(None, NO_PROVINCE)) for part in parts) - own
                away = abs(column + width / 2 - middle_x) / 2 + abs(row + height / 2 - middle_y)
                cost = base + OUTSIDE * (2 * width * height - own) + FOREIGN * others + AWAY * away
                yield cost, Place(row, column, width, height, form.named)


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


def _mask(place: Place, columns: int) -> int:
    """The cells of a label and of the gap behind it, as bits."""
    line = (1 << min(place.width + 1, columns - place.column)) - 1
    return sum(line << ((place.row + n) * columns + place.column) for n in range(place.height))


def sea_places(raster: Raster, names: Mapping[str, str], labels: Iterable[Place]) -> Iterator[tuple[Place, str]]:
    """Places for the names of seas, near to where the map has them; those without room are left out."""
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
