"""The board as cells of a terminal: land by terrain, empires by colour, labels, and marks for what is considered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import game_pb2

from ..catalogue import Catalogue
from .block import Block, Depth, fitted


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on the board, by codes of provinces.

    Attributes:
        selected: the province that is looked at, empty for none.
        targets: what can be done with Enter, and what it costs; 0 for nothing.
        changed: what the last action changed. lost: what would be lost, evacuated or cut off.
        planned: pawns that are to stand there. forts: provinces that are to have a fort.
    """

    selected: str = ""
    targets: Mapping[str, int] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    planned: Mapping[str, int] = field(default_factory=dict)
    forts: frozenset[str] = frozenset()


NO_MARKS: Final = Marks()


@final
class Art:
    """A board that can be drawn at any size. What depends on the size alone is kept."""

    def __init__(self, board_map: game_pb2.BoardMap, names: Catalogue) -> None:
        self._map: Final = board_map
        self._names: Final = names

    def draw(self, state: game_pb2.State | None, marks: Marks, columns: int, rows: int, depth: Depth) -> Block:
        """The board, of exactly this size; cells of a province are hits `province ALP`."""
        return fitted(Block(), columns, rows)

    def toward(self, code: str, direction: str) -> str:
        """The province that lies next to one `left`, `right`, `up` or `down`; itself if there is none."""
        return code
