"""Arrows of attacks over the board."""

from collections.abc import Callable, Iterable
from typing import Final

from ...text.recap import Attack
from ..toolkit.block import Block, Depth, painted
from ..toolkit.theme import chip

HEADS: Final = {(0, 1): "▶", (0, -1): "◀", (1, 0): "▼", (-1, 0): "▲"}
PLAIN_HEADS: Final = {(0, 1): ">", (0, -1): "<", (1, 0): "v", (-1, 0): "^"}
SHAFT: Final = "•"
PLAIN_SHAFT: Final = "*"
LABEL: Final = (2, 4)
"""Rows and columns from the middle of a label that are kept free of the arrows to and from its province."""


def drawn(
    board: Block, attacks: Iterable[Attack], place: Callable[[str], tuple[int, int] | None], depth: Depth
) -> Block:
    """The board with an arrow for each attack, or a head alone for one from the edge of the board or over a sea.

    Args:
        board: the board.
        attacks: the attacks, the latest on top.
        place: row and column of a province on the board, None for one that is not seen.
        depth: bits of a colour.
    """
    cells: dict[tuple[int, int], tuple[str, str]] = {}
    heads, shaft = (HEADS, SHAFT) if depth > 4 else (PLAIN_HEADS, PLAIN_SHAFT)
    for attack in attacks:
        end, start = place(attack.target), place(attack.origin) if attack.origin else None
        if end is None:
            continue
        style = chip(attack.seat, depth)
        if start is None:
            cells[end[0] - LABEL[0], end[1]] = style, heads[1, 0]
            continue
        way = _line(start, end)
        free = [at for at in way if not _is_near(at, start) and not _is_near(at, end)] or [way[len(way) // 2]]
        cells |= dict.fromkeys(free[:-1], (style, shaft))
        cells[free[-1]] = style, heads[_direction(start, end)]
    return painted(board, cells)


def _is_near(at: tuple[int, int], label: tuple[int, int]) -> bool:
    return abs(at[0] - label[0]) < LABEL[0] and abs(at[1] - label[1]) < LABEL[1]


def _line(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """Cells of a straight line; both ends are in it."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [
        (round(start[0] + (end[0] - start[0]) * n / steps), round(start[1] + (end[1] - start[1]) * n / steps))
        for n in range(steps + 1)
    ]


def _direction(here: tuple[int, int], there: tuple[int, int]) -> tuple[int, int]:
    """The main direction from a cell to another; a row is about as high as two columns are wide."""
    down, right = there[0] - here[0], there[1] - here[1]
    if abs(right) > 2 * abs(down):
        return 0, 1 if right > 0 else -1
    return (1 if down >= 0 else -1), 0
