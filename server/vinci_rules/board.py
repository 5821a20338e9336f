"""Boards: provinces with terrain and marks, connected by borders, coasts and seas.

A set of provinces is an `int` (`Provinces`): bit p is set if the set holds province p.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache, reduce
from importlib.resources.abc import Traversable
from operator import add, or_
from typing import Final, NewType, TypeAlias, TypeVar, final

from vinci_refusals.wording import Refused

from .data import DATA, DataError, LocalizedText, TableRow, read, read_texts

T = TypeVar("T")

Province = NewType("Province", int)
"""A province: its index in board order, from 0."""

Provinces: TypeAlias = int
"""A set of provinces: bit p is set if province p is in it."""

MOST_PROVINCES: Final = 64
DEFAULT_BOARD: Final = "europe"
"""The board of games that name none."""

_CHUNK: Final = 9
_IN_CHUNK: Final = (1 << _CHUNK) - 1


def _summed(values: Sequence[T], nothing: T, joined: Callable[[T, T], T]) -> tuple[tuple[T, ...], ...]:
    """Return the sums of the values of every subset, in a table for each chunk of nine provinces."""
    tables = []
    for start in range(0, len(values), _CHUNK):
        sums = [nothing]
        for value in values[start : start + _CHUNK]:
            sums += [joined(lower, value) for lower in sums]
        tables.append(tuple(sums))
    return tuple(tables)


_MEMBERS: Final = _summed([(Province(p),) for p in range(MOST_PROVINCES)], (), add)


def members(provinces: Provinces) -> tuple[Province, ...]:
    """Return the provinces of a set, in board order."""
    result: tuple[Province, ...] = ()
    for table in _MEMBERS:
        if chunk := provinces & _IN_CHUNK:
            result = result + table[chunk]
        provinces >>= _CHUNK
        if not provinces:
            break
    return result


def set_of(provinces: Iterable[Province]) -> Provinces:
    """Return the set of these provinces."""
    result = 0
    for province in provinces:
        result |= 1 << province
    return result


def has(provinces: Provinces, province: Province) -> bool:
    """Return whether the set holds the province."""
    return provinces >> province & 1 == 1


def including(provinces: Provinces, province: Province) -> Provinces:
    """Return the set with the province added."""
    return provinces | 1 << province


def without(provinces: Provinces, province: Province) -> Provinces:
    """Return the set with the province removed."""
    return provinces & ~(1 << province)


@final
class Sea:
    """A zone of open water: its code, its names, the provinces on its shores and the seas linked to it."""

    def __init__(self, row: TableRow, provinces: Provinces) -> None:
        self.code: Final = row.text("code")
        self.names: Final = row.names()
        self.edge: Final = row.flag("edge")
        self.inland: Final = row.flag("inland")
        self.links: Final = row.words("links")
        self.provinces: Final = provinces


@final
class Board:
    """A board. All tables are indexed by province and computed once.

    Attributes:
        text, region_texts: names and descriptions of the board and of its regions.
        codes, names, regions: stable id, name in each language and region of every province.
        object_names: the names with their article, as the object of a verb.
        terrain: farmland, pasture, hills, forest or mountain.
        cost: pawns that the empty province costs (R-CONQ-3).
        neighbours: adjacent provinces, by land border or strait (R-CONQ-2).
        straits: neighbours across a strait.
        coastal: neighbours that share a coast with the province (Galleys, R-CONQ-3).
        by_sea: provinces on a sea connected with a sea of the province (Astronomy, R-CONQ-4).
        around, along_coast, across_sea: functions from a set to the union of its lines in these three tables.
        having: the set of provinces by terrain, `mine` or `port`; `province` is all of them.
        neutral, neutral_pawns: provinces with a neutral pawn at the start; pawns by province at the start (R-SETUP-2).
        entry: provinces of R-ENTRY-1; entry_by_sea: those on a sea at the edge.
        entry_by_any_sea: provinces on a sea connected with one at the edge (R-ENTRY-3).
        coasts, coast_names: English name and provinces of each stretch of coast; its name in each language.
        open_sea: provinces on a sea that is not inland (R-DUMMY-6).
        digest: SHA-256 in hexadecimal of the data that affect play, so not of names and regions.
    """

    def __init__(self, name: str, folder: Traversable) -> None:
        rows = read(folder / "provinces.csv", "provinces")
        self.name: Final = name
        self.codes: Final = tuple(row.text("code") for row in rows)
        if len(rows) > MOST_PROVINCES:
            raise rows[MOST_PROVINCES].fault("code", f"a board has at most {MOST_PROVINCES} provinces")
        self.index: Final = {code: Province(place) for place, code in enumerate(self.codes)}
        self.provinces: Final = tuple(self.index.values())
        self.names: Final = tuple(row.names() for row in rows)
        self.object_names: Final = tuple(row.object_names() for row in rows)
        self.regions: Final = tuple(row.text("region") for row in rows)
        self.text: Final = _board_text(name, folder)
        self.region_texts: Final = read_texts(folder / "texts.csv", "region")
        for row in rows:
            if row.text("region") not in self.region_texts:
                raise row.fault("region", f"{row.text('region')!r} has no line of kind region in texts.csv")
        self.terrain: Final = tuple(row.text("terrain") for row in rows)
        self.cost: Final = tuple(terrains()[terrain][1] for terrain in self.terrain)
        self.straits: Final = tuple(self._named(row, "straits") for row in rows)
        self.neighbours: Final = tuple(
            self._named(row, "borders") | strait for row, strait in zip(rows, self.straits, strict=True)
        )
        self._check_mutual(rows)

        sea_rows = read(folder / "seas.csv", "seas")
        seas = [Sea(row, self._named(row, "provinces")) for row in sea_rows]
        _check_links(sea_rows)
        self.seas: Final = tuple(seas)
        shores = read(folder / "coasts.csv", "coasts")
        self.coasts: Final = tuple((row.text("en"), self._named(row, "provinces")) for row in shores)
        self.coast_names: Final = tuple(row.names() for row in shores)
        self.coastal: Final = tuple(
            self.neighbours[p] & _union(shore for _, shore in self.coasts if has(shore, p)) for p in self.provinces
        )
        waters = _connected(seas)
        reached = [_touching(water) for water in waters]
        self.by_sea: Final = tuple(
            without(_union(shores for shores in reached if has(shores, p)), p) for p in self.provinces
        )
        self.around: Final = _union_over(self.neighbours)
        self.along_coast: Final = _union_over(self.coastal)
        self.across_sea: Final = _union_over(self.by_sea)
        self.having: Final = {"province": set_of(self.provinces)} | {
            terrain: set_of(p for p in self.provinces if self.terrain[p] == terrain) for terrain in terrains()
        }
        for mark in ("mine", "port"):
            self.having[mark] = set_of(p for p, row in zip(self.provinces, rows, strict=True) if row.flag(mark))
        self.mountains: Final = self.having["mountain"]
        self.neutral: Final = self.having["province"] & ~self.mountains
        self.neutral_pawns: Final = tuple(int(has(self.neutral, p)) for p in self.provinces)
        self.on_edge: Final = set_of(p for p, row in zip(self.provinces, rows, strict=True) if row.flag("edge"))
        self.entry_by_sea: Final = _touching(sea for sea in seas if sea.edge)
        self.entry_by_any_sea: Final = _union(_touching(water) for water in waters if any(sea.edge for sea in water))
        self.entry: Final = self.on_edge | self.entry_by_sea
        self.open_sea: Final = _touching(sea for sea in seas if not sea.inland)
        self.digest: Final = hashlib.sha256(self._content().encode()).hexdigest()

    def __reduce__(self) -> tuple[Callable[[str], "Board"], tuple[str]]:
        return load_board, (self.name,)

    def set_named(self, codes: Iterable[str]) -> Provinces:
        """Return the set of the provinces with these codes. Raises KeyError for an unknown code."""
        return set_of(self.index[code] for code in codes)

    def codes_of(self, provinces: Provinces) -> tuple[str, ...]:
        """Return the codes of a set of provinces, in board order."""
        return tuple(map(self.codes.__getitem__, members(provinces)))

    def _named(self, row: TableRow, column: str) -> Provinces:
        for code in row.words(column):
            if code not in self.index:
                raise row.fault(column, f"{code!r} is not a province of the board {self.name}")
        return self.set_named(row.words(column))

    def _check_mutual(self, rows: list[TableRow]) -> None:
        for table, column in ((self.neighbours, "borders"), (self.straits, "straits")):
            for p, row in zip(self.provinces, rows, strict=True):
                if has(table[p], p):
                    raise row.fault(column, f"{self.codes[p]} cannot touch itself")
                for q in members(table[p]):
                    if not has(table[q], p):
                        raise row.fault(column, f"{self.codes[q]} does not name {self.codes[p]} in return")

    def _content(self) -> str:
        lines = [
            " ".join((code, self.terrain[p], *(mark for mark in ("mine", "port") if has(self.having[mark], p))))
            + f" edge={has(self.on_edge, p):d} next={','.join(self.codes_of(self.neighbours[p]))}"
            for p, code in zip(self.provinces, self.codes, strict=True)
        ]
        lines += [
            f"sea {sea.code} edge={sea.edge:d} inland={sea.inland:d} {','.join(self.codes_of(sea.provinces))}"
            f" links={','.join(sorted(sea.links))}"
            for sea in self.seas
        ]
        lines += sorted(f"coast {','.join(self.codes_of(shore))}" for _, shore in self.coasts)
        return "\n".join(lines)


class UnknownBoard(Refused, ValueError):
    """No board has this name."""


@cache
def load_board(name: str) -> Board:
    """Load a board from `data/boards/`. Raises UnknownBoard, or DataError for a faulty table."""
    if name not in board_names():
        raise UnknownBoard("UNKNOWN_BOARD", board=name, boards=", ".join(board_names()))
    return Board(name, DATA / "boards" / name)


@cache
def board_names() -> tuple[str, ...]:
    """Return the names of all boards."""
    return tuple(sorted(folder.name for folder in (DATA / "boards").iterdir() if folder.is_dir()))


@cache
def board_texts() -> tuple[LocalizedText, ...]:
    """Return the names and descriptions of all boards. Raises DataError if one is missing."""
    return tuple(_board_text(name, DATA / "boards" / name) for name in board_names())


def _board_text(name: str, folder: Traversable) -> LocalizedText:
    texts = read_texts(folder / "texts.csv", "board")
    if name not in texts:
        raise DataError(f"texts.csv of the board {name}: a line of kind board with the code {name!r} is missing")
    return texts[name]


@cache
def terrains() -> dict[str, tuple[dict[str, str], int]]:
    """Return the name in each language and the cost of an empty province, by terrain."""
    rows = read(DATA / "terrains.csv", "terrains")
    return {row.text("code"): (row.names(), row.number("cost")) for row in rows}


def _union_over(table: tuple[Provinces, ...]) -> Callable[[Provinces], Provinces]:
    """Return a function from a set of provinces to the union of their lines in a table."""
    tables = _summed(table, 0, or_)

    def union(provinces: Provinces) -> Provinces:
        result = 0
        for chunk in tables:
            result |= chunk[provinces & _IN_CHUNK]
            provinces >>= _CHUNK
        return result

    return union


def _union(sets: Iterable[Provinces]) -> Provinces:
    return reduce(or_, sets, 0)


def _touching(seas: Iterable[Sea]) -> Provinces:
    return _union(sea.provinces for sea in seas)


def _check_links(rows: list[TableRow]) -> None:
    links = {row.text("code"): row.words("links") for row in rows}
    for row in rows:
        for code in row.words("links"):
            if row.text("code") not in links.get(code, ()):
                raise row.fault("links", f"{code!r} is not a sea of the board with a link to {row.text('code')}")


def _connected(seas: list[Sea]) -> list[list[Sea]]:
    by_code = {sea.code: sea for sea in seas}
    waters: list[list[Sea]] = []
    left = dict(by_code)
    while left:
        _, start = left.popitem()
        water = [start]
        for sea in water:
            water += [left.pop(code) for code in sea.links if code in left]
        waters.append(water)
    return waters
