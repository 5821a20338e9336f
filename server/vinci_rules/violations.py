"""Why an action is refused: the rule that it breaks and the facts, for a program to read. Wording is up to clients."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Final, TypeAlias, final

from .board import Board, Province, Provinces
from .state import Phase, Seat

ProvinceSet: TypeAlias = Annotated[Provinces, "a set, unlike other fields that are an int"]
Slot: TypeAlias = Annotated[int, "from 0"]


@final
@dataclass(frozen=True, slots=True)
class GameIsOver:
    """Nothing can be played any more."""

    rule: ClassVar[str] = "R-END-1"


@final
@dataclass(frozen=True, slots=True)
class NotNow:
    """The action does not belong to this phase; `legal` names the actions that do, as notation writes them."""

    rule: ClassVar[str] = "R-MOB-5"
    phase: Phase
    legal: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class MustDecline:
    """The empire lost its last province: only a decline is legal."""

    rule: str  # R-LAND-2 or R-LAND-3, by option


@final
@dataclass(frozen=True, slots=True)
class NoSuchSlot:
    """The market has fewer slots; `slot` counts from 0."""

    rule: ClassVar[str] = "R-DRAFT-1"
    slot: Slot
    slots: int


@final
@dataclass(frozen=True, slots=True)
class TooExpensive:
    """The price of a slot, in VP, is above the score."""

    rule: ClassVar[str] = "R-DRAFT-2"
    needed: int
    available: int


@final
@dataclass(frozen=True, slots=True)
class NoMorePeace:
    """As many opponents are named as the empire has copies of Diplomacy."""

    rule: ClassVar[str] = "R-PEACE-1"
    copies: int


@final
@dataclass(frozen=True, slots=True)
class NotAnOpponent:
    """Peace is for another seat, still in the game and not named yet."""

    rule: ClassVar[str] = "R-PEACE-1"
    seat: Seat


@final
@dataclass(frozen=True, slots=True)
class NotHeld:
    """The active empire does not hold the province."""

    rule: str
    province: Province


@final
@dataclass(frozen=True, slots=True)
class OwnProvince:
    """The active empire holds the province already."""

    rule: ClassVar[str] = "R-CONQ-8"
    province: Province


@final
@dataclass(frozen=True, slots=True)
class AtPeace:
    """The province belongs to an active empire at peace."""

    rule: ClassVar[str] = "R-PEACE-1"
    province: Province
    seat: Seat


@final
@dataclass(frozen=True, slots=True)
class InContact:
    """The province is, or touches, a declined province of one's own."""

    rule: ClassVar[str] = "R-CONTACT-2"
    province: Province
    declined: ProvinceSet


@final
@dataclass(frozen=True, slots=True)
class OwnHeritage:
    """With Heritage, one's own declined provinces are not conquered."""

    rule: ClassVar[str] = "R-CONTACT-3"
    province: Province


@final
@dataclass(frozen=True, slots=True)
class OutOfReach:
    """No route leads there; `reachable` is what could be conquered, pawns permitting."""

    rule: str  # R-CONQ-1, or R-ENTRY-1 for an empire without land
    province: Province
    reachable: ProvinceSet


@final
@dataclass(frozen=True, slots=True)
class NoSpies:
    """The empire has no Spies, or has used them this turn."""

    rule: ClassVar[str] = "R-CONQ-7"
    copies: int


@final
@dataclass(frozen=True, slots=True)
class NotEnoughPawns:
    """The reserve is smaller than the cost."""

    rule: str
    province: Province
    needed: int
    available: int


@final
@dataclass(frozen=True, slots=True)
class MustConquer:
    """A seat without land conquers a first province while it can; `reachable` are those it can pay for."""

    rule: ClassVar[str] = "R-ENTRY-4"
    affordable: ProvinceSet


@final
@dataclass(frozen=True, slots=True)
class WrongNumberOfPawns:
    """The pawns placed are not as many as there are: from `least` to `most`."""

    rule: str  # R-REORG-1 or R-REDEP-1
    placed: int
    least: int
    most: int


@final
@dataclass(frozen=True, slots=True)
class WrongPlacement:
    """A province is named twice or with less than one pawn."""

    rule: str
    province: Province


@final
@dataclass(frozen=True, slots=True)
class NotConnected:
    """The provinces kept are not connected; `part` is the connected part that holds the first of them."""

    rule: ClassVar[str] = "R-REORG-2"
    part: ProvinceSet


@final
@dataclass(frozen=True, slots=True)
class WrongNumberOfProvinces:
    """With these pawns, another number of provinces of the part must be kept."""

    rule: ClassVar[str] = "R-REORG-3"
    kept: int
    needed: int
    part: ProvinceSet


@final
@dataclass(frozen=True, slots=True)
class TooManyForts:
    """More forts than copies of the trait."""

    rule: ClassVar[str] = "R-REORG-5"
    forts: int
    copies: int


@final
@dataclass(frozen=True, slots=True)
class NoFortHere:
    """A fort needs a province that is kept, has no fort yet and gets only one."""

    rule: ClassVar[str] = "R-REORG-5"
    province: Province


@final
@dataclass(frozen=True, slots=True)
class NoSuchSeat:
    """No seat of this game that could forfeit: there is none of this number, or it has forfeited already."""

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
"""How a fact is written, by the type of its field; other types as `str` writes them."""


def facts(violation: Violation, board: Board) -> dict[str, str]:
    """Return the facts of a violation as texts: codes of provinces separated by blanks, seats and slots from 1."""
    return {
        field.name: _fact(field.type, getattr(violation, field.name), board)
        for field in fields(violation)
        if field.name != "rule"
    }


def _fact(kind: object, value: Any, board: Board) -> str:
    form = _FORMS.get(kind)
    return form(value, board) if form else str(value)


def described(violation: Violation, board: Board) -> str:
    """A violation in one line: the rule, which one, and the facts."""
    told = " ".join(f"{name}={value}" for name, value in facts(violation, board).items())
    return f"{violation.rule}: {type(violation).__name__} {told}".strip()
