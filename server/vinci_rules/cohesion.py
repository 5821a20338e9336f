"""Which provinces hang together (R-REORG-2)."""

from functools import cache

from .board import Board, Provinces, members
from .state import Empire, State
from .traits import ASTRONOMY, MESSAGES


def parts(board: Board, empire: Empire, provinces: Provinces) -> list[Provinces]:
    """The connected parts of a set of provinces, the one with the lowest province first."""
    links = _links(board, bool(empire.copies[ASTRONOMY]))
    found = []
    while provinces:
        part, grown = 0, provinces & -provinces
        while grown not in (part, provinces):
            part = grown  # what one round of growth starts from
            for p in members(provinces):
                if grown >> p & 1:
                    grown |= links[p]
            grown &= provinces
        found.append(grown)
        provinces ^= grown
    return found


def linked(board: Board, empire: Empire, provinces: Provinces) -> Provinces:
    """The provinces that cohesion joins to one of these: adjacent ones, with Astronomy also those by connected seas."""
    return _linked(board, bool(empire.copies[ASTRONOMY]), provinces)


def exempt(state: State, empire: Empire) -> bool:
    """Whether the seat to act ignores cohesion: with Messages, and for dummies (R-DUMMY-2)."""
    return bool(empire.copies[MESSAGES]) or state.options.dummies[state.actor]


@cache
def _links(board: Board, by_sea: bool) -> tuple[Provinces, ...]:
    """What is linked to each province of a board."""
    return tuple(_linked(board, by_sea, 1 << p) for p in board.provinces)


def _linked(board: Board, by_sea: bool, provinces: Provinces) -> Provinces:
    near = board.around(provinces)
    return near | board.across_sea(provinces) if by_sea else near
