"""Actions of a seat, as immutable values; `notation.py` writes and reads them, `engine.py` plays them."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from .board import MOST_PROVINCES, Province
from .editions import MOST_SEATS
from .state import Seat
from .values import Value

Placement: TypeAlias = tuple[tuple[Province, int], ...]
"""Pawns by province, in board order; each number is at least 1."""


@dataclass(frozen=True, slots=True)
class Take(Value):
    """Take the civilization in a slot of the market; slots count from 0 (R-DRAFT-1)."""

    slot: int


@dataclass(frozen=True, slots=True)
class Decline(Value):
    """Put the active empire into decline (section 4)."""


@dataclass(frozen=True, slots=True)
class Peace(Value):
    """Declare peace with a seat by Diplomacy (R-PEACE-1)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Abandon(Value):
    """Abandon a province before the first conquest (R-MOB-2)."""

    province: Province


@dataclass(frozen=True, slots=True)
class Conquer(Value):
    """Conquer a province at its cost, or with Spies for exactly 2 (R-CONQ-7)."""

    province: Province
    spies: bool = False


@dataclass(slots=True, unsafe_hash=True)  # frozen ones take three times as long to build
class Hold(Value):
    """End the conquests: keep provinces with these pawns, and build forts (R-REORG-1 to R-REORG-5)."""

    pawns: Placement = ()
    forts: tuple[Province, ...] = ()

    # written out, as a generated one stays interpreted
    def __init__(self, pawns: Placement = (), forts: tuple[Province, ...] = ()) -> None:
        self.pawns = pawns
        self.forts = forts


@dataclass(frozen=True, slots=True)
class Stay(Value):
    """Do not decline at the end of a turn with Renaissance (R-DECL-1)."""


@dataclass(slots=True, unsafe_hash=True)  # frozen ones take three times as long to build
class Redeploy(Value):
    """Place survivors in provinces of the active empire (R-REDEP-1)."""

    pawns: Placement

    def __init__(self, pawns: Placement) -> None:  # written out, as a generated one stays interpreted
        self.pawns = pawns


@dataclass(frozen=True, slots=True)
class Forfeit(Value):
    """Remove a seat from the game, also out of its turn (R-FORFEIT-1); not among the legal actions listed."""

    seat: Seat


SLOTS: Final = 6
"""Slots of the market."""

Action: TypeAlias = Take | Decline | Peace | Abandon | Conquer | Hold | Stay | Redeploy | Forfeit

DECLINE: Final = Decline()
STAY: Final = Stay()
TAKE: Final = tuple(Take(slot) for slot in range(SLOTS))
PEACE: Final = tuple(Peace(Seat(seat)) for seat in range(MOST_SEATS))
_PROVINCES: Final = tuple(Province(p) for p in range(MOST_PROVINCES))
CONQUER: Final = tuple(Conquer(p) for p in _PROVINCES)
CONQUER_BY_SPIES: Final = tuple(Conquer(p, spies=True) for p in _PROVINCES)
ABANDON: Final = tuple(Abandon(p) for p in _PROVINCES)
"""Preallocated actions, some indexed by slot, seat or province, for the lists of legal actions."""
