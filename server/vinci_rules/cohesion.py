"""Which provinces hang together (R-REORG-2)."""

from functools import lru_cache

from .board import Board, Provinces
from .state import Empire, State
from .traits import ASTRONOMY, MESSAGES


def parts(board: Board, empire: Empire, provinces: Provinces) -> tuple[Provinces, ...]:
    """The connected parts of a set of provinces, the one with the lowest province first."""
    return _parts(board, bool(empire.copies[ASTRONOMY]), provinces)


def linked(board: Board, empire: Empire, provinces: Provinces) -> Provinces:
    """The provinces that cohesion joins to one of these: adjacent ones, with Astronomy also those by connected seas."""
    near = board.around(provinces)
    return near | board.across_sea(provinces) if empire.copies[ASTRONOMY] else near


def exempt(state: State) -> bool:
    """Whether the seat to act ignores cohesion: with Messages, and for dummies (R-DUMMY-2)."""
    return bool(state.empire().copies[MESSAGES]) or state.options.dummies[state.actor]


@lru_cache(maxsize=1 << 10)
def _parts(board: Board, by_sea: bool, provinces: Provinces) -> tuple[Provinces, ...]:
    found = []
    while provinces:
        part = 0
        grown = provinces & -provinces
        while grown != part:
            part = grown
            grown |= board.around(part) & provinces
            if by_sea:
                grown |= board.across_sea(part) & provinces
        found.append(part)
        provinces &= ~part
    return tuple(found)
