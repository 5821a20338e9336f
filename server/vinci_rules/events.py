"""Events: the consequences of an action, in order. Clients put them into words.

Events are created only if a log is passed (`if log is not None`), so that playouts spend no time on them.
"""

from typing import Literal, TypeAlias

from .actions import Placement
from .board import Province, Provinces
from .notices import Notice, notice
from .state import Seat
from .traits import Traits

Held: TypeAlias = Literal["nobody", "neutral", "active", "declined"]
"""The holder of a province: nobody, a neutral pawn, or an active or declined empire."""


@notice
class OrderDrawn(Notice):
    """The order of play was drawn (R-SETUP-5, R-DUMMY-1)."""

    order: tuple[Seat, ...]


@notice
class CivilizationDrawn(Notice):
    """Two traits were drawn for the last slot; `rejected` were drawn before and put back (R-SETUP-4)."""

    traits: Traits
    rejected: tuple[Traits, ...]


@notice
class CivilizationTaken(Notice):
    """A seat took a civilization (R-DRAFT-1, R-DRAFT-2); `paid` and `received` in VP."""

    seat: Seat
    slot: int
    traits: Traits
    pawns: int
    paid: int
    received: int


@notice
class TurnStarted(Notice):
    """A seat's turn started with mobilisation (R-MOB-1, R-MOB-4)."""

    seat: Seat
    round: int
    reserve: int
    by_medicine: int
    by_general: int


@notice
class PeaceNamed(Notice):
    """A seat declared peace with another (R-PEACE-1)."""

    seat: Seat
    other: Seat


@notice
class Abandoned(Notice):
    """A province was abandoned; its pawns returned to the reserve (R-MOB-2)."""

    seat: Seat
    province: Province


@notice
class Conquered(Notice):
    """A province was conquered (R-CONQ-6). `cost` pawns were placed, `lost` removed, `survivors` set aside."""

    seat: Seat
    province: Province
    cost: int
    spies: bool
    held: Held
    defender: Seat | None
    lost: int
    survivors: int
    fort: bool


@notice
class Evacuated(Notice):
    """Own declined provinces in contact were emptied (R-CONTACT-1)."""

    seat: Seat
    provinces: Provinces


@notice
class DeclineVanished(Notice):
    """A declined empire was removed; its lasting traits returned to the bag (R-DECL-2, R-DECL-7, R-LAND-2)."""

    seat: Seat
    provinces: Provinces
    traits: Traits


@notice
class EmpireCollapsed(Notice):
    """An active empire lost its last province and `pawns` survivors, and must decline (R-LAND-2, R-LAND-3)."""

    seat: Seat
    pawns: int


@notice
class Reorganised(Notice):
    """The conquests ended (R-REORG-1 to R-REORG-5).

    `pawns` and `forts` were placed, `by_general` pawns returned, and `lost` pawns were removed with cut-off parts.
    """

    seat: Seat
    pawns: Placement
    forts: tuple[Province, ...]
    given_up: Provinces
    by_general: int
    lost: int


@notice
class ScoreItem(Notice):
    """VP from one source, `province` or an effect, in one province; None for VP of removed pawns."""

    empire: Literal["active", "declined"]
    source: str
    province: Province | None
    vp: int


@notice
class Scored(Notice):
    """A seat scored; `total` is its score afterwards (R-SCORE-1, R-SCORE-2)."""

    seat: Seat
    items: tuple[ScoreItem, ...]
    vp: int
    total: int


@notice
class Declined(Notice):
    """An empire declined with its provinces and lasting traits; `pawns` surplus pawns were removed (R-DECL-3)."""

    seat: Seat
    provinces: Provinces
    traits: Traits
    pawns: int


@notice
class Stayed(Notice):
    """A seat with Renaissance did not decline after its turn (R-DECL-1)."""

    seat: Seat


@notice
class Redeployed(Notice):
    """Survivors were placed, by the seat or by the rules (R-REDEP-1 to R-REDEP-3)."""

    seat: Seat
    pawns: Placement
    automatic: bool


@notice
class SurvivorsInReserve(Notice):
    """Survivors of a seat without provinces joined its reserve (R-REDEP-2)."""

    seat: Seat
    pawns: int


@notice
class TargetReached(Notice):
    """The first seat reached the target; this is the last round (R-END-1)."""

    seat: Seat
    vp: int


@notice
class SeatForfeited(Notice):
    """A seat left the game; its pawns stay on the board (R-FORFEIT-1)."""

    seat: Seat


@notice
class GameOver(Notice):
    """The game ended; `ranks` by seat, 1 is best, equal scores share one (R-END-2, R-FORFEIT-1)."""

    ranks: tuple[int, ...]
    vp: tuple[int, ...]


Event: TypeAlias = (
    OrderDrawn
    | CivilizationDrawn
    | CivilizationTaken
    | TurnStarted
    | PeaceNamed
    | Abandoned
    | Conquered
    | Evacuated
    | DeclineVanished
    | EmpireCollapsed
    | Reorganised
    | Scored
    | Declined
    | Stayed
    | Redeployed
    | SurvivorsInReserve
    | TargetReached
    | SeatForfeited
    | GameOver
)

Log: TypeAlias = list[Event] | None
"""A list that receives events, or None to create none."""
