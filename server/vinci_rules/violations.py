"""Violations: the rule that an illegal action breaks, and the facts. Clients put them into words."""

from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from .board import Board, Province, Provinces
from .notices import Notice, notice
from .state import Phase, Seat

ProvinceSet: TypeAlias = Annotated[Provinces, "a set, unlike other fields that are an int"]
Slot: TypeAlias = Annotated[int, "from 0"]


@notice
class GameIsOver(Notice):
    """The game is over."""

    rule: ClassVar[str] = "R-END-1"


@notice
class NotNow(Notice):
    """The action is not legal in this phase; `legal` are the words in notation of those that are."""

    rule: ClassVar[str] = "R-MOB-5"
    phase: Phase
    legal: tuple[str, ...]


@notice
class MustDecline(Notice):
    """The empire lost its last province: only a decline is legal."""

    rule: str  # R-LAND-2 or R-LAND-3, by option


@notice
class NoSuchSlot(Notice):
    """The market has fewer slots."""

    rule: ClassVar[str] = "R-DRAFT-1"
    slot: Slot
    slots: int


@notice
class TooExpensive(Notice):
    """The price of the slot in VP is above the score."""

    rule: ClassVar[str] = "R-DRAFT-2"
    needed: int
    available: int


@notice
class NoMorePeace(Notice):
    """Each copy of Diplomacy is already used."""

    rule: ClassVar[str] = "R-PEACE-1"
    copies: int


@notice
class NotAnOpponent(Notice):
    """The seat is the own one, has forfeited, does not exist, or is named already."""

    rule: ClassVar[str] = "R-PEACE-1"
    seat: Seat


@notice
class NotHeld(Notice):
    """The active empire does not hold the province."""

    rule: str
    province: Province


@notice
class OwnProvince(Notice):
    """The active empire already holds the province."""

    rule: ClassVar[str] = "R-CONQ-8"
    province: Province


@notice
class AtPeace(Notice):
    """The province belongs to an active empire of a seat at peace."""

    rule: ClassVar[str] = "R-PEACE-1"
    province: Province
    seat: Seat


@notice
class InContact(Notice):
    """The province is an own declined province or adjacent to one."""

    rule: ClassVar[str] = "R-CONTACT-2"
    province: Province
    declined: ProvinceSet


@notice
class OwnHeritage(Notice):
    """The province is an own declined province, and the empire has Heritage."""

    rule: ClassVar[str] = "R-CONTACT-3"
    province: Province


@notice
class OutOfReach(Notice):
    """No route leads to the province; `reachable` are those that can be conquered with enough pawns."""

    rule: str  # R-CONQ-1, or R-ENTRY-1 for an empire without land
    province: Province
    reachable: ProvinceSet


@notice
class NoSpies(Notice):
    """The empire has no Spies, or has used every copy this turn."""

    rule: ClassVar[str] = "R-CONQ-7"
    copies: int


@notice
class NotEnoughPawns(Notice):
    """The reserve is smaller than the cost."""

    rule: str
    province: Province
    needed: int
    available: int


@notice
class MustConquer(Notice):
    """A seat without provinces must conquer one of those that it can pay for."""

    rule: ClassVar[str] = "R-ENTRY-4"
    affordable: ProvinceSet


@notice
class WrongNumberOfPawns(Notice):
    """The number of pawns placed is not from `least` to `most`."""

    rule: str  # R-REORG-1 or R-REDEP-1
    placed: int
    least: int
    most: int


@notice
class WrongPlacement(Notice):
    """A province is named twice, or with less than one pawn."""

    rule: str
    province: Province


@notice
class NotConnected(Notice):
    """The provinces kept are not connected; `part` is the connected part with the first of them."""

    rule: ClassVar[str] = "R-REORG-2"
    part: ProvinceSet


@notice
class WrongNumberOfProvinces(Notice):
    """The number of provinces kept does not match the number of pawns."""

    rule: ClassVar[str] = "R-REORG-3"
    kept: int
    needed: int
    part: ProvinceSet


@notice
class TooManyForts(Notice):
    """The action builds more forts than the empire has copies of Forts."""

    rule: ClassVar[str] = "R-REORG-5"
    forts: int
    copies: int


@notice
class NoFortHere(Notice):
    """The province is not kept, already has a fort, or is named twice."""

    rule: ClassVar[str] = "R-REORG-5"
    province: Province


@notice
class NoSuchSeat(Notice):
    """The seat does not exist or has already forfeited."""

    rule: ClassVar[str] = "R-FORFEIT-1"
    seat: Seat


Violation: TypeAlias = (
    GameIsOver
    | NotNow
    | MustDecline
    | NoSuchSlot
    | TooExpensive
    | NoMorePeace
    | NotAnOpponent
    | NotHeld
    | OwnProvince
    | AtPeace
    | InContact
    | OwnHeritage
    | OutOfReach
    | NoSpies
    | NotEnoughPawns
    | MustConquer
    | WrongNumberOfPawns
    | WrongPlacement
    | NotConnected
    | WrongNumberOfProvinces
    | TooManyForts
    | NoFortHere
    | NoSuchSeat
)


_FORMS: Final[dict[object, Callable[[Any, Board], str]]] = {
    Province: lambda province, board: board.codes[province],
    ProvinceSet: lambda provinces, board: " ".join(board.codes_of(provinces)),
    Seat: lambda seat, _: str(seat + 1),
    Slot: lambda slot, _: str(slot + 1),
    tuple[str, ...]: lambda words, _: " ".join(words),
}
"""Conversion of facts to text by the type of the field; `str` converts the others."""


def facts(violation: Violation, board: Board) -> dict[str, str]:
    """Return the facts of a violation as texts: codes of provinces separated by blanks, seats and slots from 1."""
    values = [(field, getattr(violation, field.name)) for field in fields(violation) if field.name != "rule"]
    return {f.name: _FORMS[f.type](value, board) if f.type in _FORMS else str(value) for f, value in values}


def described(violation: Violation, board: Board) -> str:
    """Return a violation as one line: rule, name and facts."""
    texts = " ".join(f"{name}={value}" for name, value in facts(violation, board).items())
    return f"{violation.rule}: {type(violation).__name__} {texts}".strip()
