"""Connected parts of an empire (R-REORG-2)."""

from functools import cache
from operator import or_

from .board import Board, Provinces, members
from .state import Empire, State
from .traits import ASTRONOMY, MESSAGES


def links(board: Board, empire: Empire) -> tuple[Provinces, ...]:
    """Return the provinces connected with each province: adjacent ones, with Astronomy also those by connected seas."""
    return _links_by_sea(board) if empire.copies[ASTRONOMY] else board.neighbours


@cache
def _links_by_sea(board: Board) -> tuple[Provinces, ...]:
    return tuple(map(or_, board.neighbours, board.by_sea))


def parts(board: Board, empire: Empire, provinces: Provinces) -> list[Provinces]:
    """Return the connected parts of a set of provinces, ordered by their lowest province."""
    linked = links(board, empire)
    result = []
    while provinces:
        part, grown = 0, provinces & -provinces
        while grown not in (part, provinces):
            part = grown  # ends when a round adds nothing
            for p in members(provinces):
                if grown >> p & 1:  # `has` inlined: the innermost loop of a reorganisation
                    grown |= linked[p]
            grown &= provinces
        result.append(grown)
        provinces ^= grown
    return result


def exempt(state: State, empire: Empire) -> bool:
    """Return whether the seat to act ignores cohesion: with Messages, and as a dummy (R-DUMMY-2)."""
    return bool(empire.copies[MESSAGES]) or state.options.dummies[state.actor]
