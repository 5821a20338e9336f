"""The state of a game: compact, mutable and cheap to copy.

Data of seats are lists indexed by `Seat`; data of provinces are a list indexed by `Province` or sets of provinces.
Empires, civilizations and all that changes seldom are immutable: actions replace them, so copies of a state share them.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, NewType, TypeAlias, final

from .board import Board, Province, Provinces
from .campaign import Campaign
from .editions import MOST_SEATS, Options
from .traits import Copies, Traits, copies_of

Seat = NewType("Seat", int)
"""A seat of the game, from 0; notation, positions and messages number seats from 1."""

_SEATS: Final = tuple(tuple(map(Seat, range(seats))) for seats in range(MOST_SEATS + 1))

Phase: TypeAlias = Literal["draft", "start", "peace", "abandon", "conquer", "renaissance", "redeploy", "over"]
"""The phase of the next action; `phases.py` lists the legal kinds of action of each phase."""


@final
class Civilization:
    """A pair of traits in a slot of the market, with its markers (2 VP each)."""

    __slots__ = ("markers", "traits")

    def __init__(self, traits: Traits, markers: int = 0) -> None:
        self.traits: Final = traits
        self.markers: Final = markers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Civilization) and (self.traits, self.markers) == (other.traits, other.markers)

    def __hash__(self) -> int:
        return hash((self.traits, self.markers))

    def __reduce__(self) -> tuple[type["Civilization"], tuple[Traits, int]]:
        return Civilization, (self.traits, self.markers)


@final
class Empire:
    """A civilization in play: its traits, the copies of each effect, its provinces, and the pawns in its reserve.

    A declined empire keeps only its lasting traits and has no reserve.
    """

    __slots__ = ("copies", "provinces", "reserve", "traits")

    def __init__(self, traits: Traits, copies: Copies, provinces: Provinces, reserve: int) -> None:
        self.traits: Final = traits
        self.copies: Final = copies
        self.provinces: Final = provinces
        self.reserve: Final = reserve

    @classmethod
    def of(cls, traits: Traits, provinces: Provinces = 0, reserve: int = 0) -> "Empire":
        """Return an empire with these traits."""
        return cls(traits, copies_of(traits), provinces, reserve)

    def having(self, provinces: Provinces, reserve: int) -> "Empire":
        """Return this empire with other provinces and another reserve."""
        return Empire(self.traits, self.copies, provinces, reserve)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Empire)
            and self.traits == other.traits
            and self.provinces == other.provinces
            and self.reserve == other.reserve
        )

    def __hash__(self) -> int:
        return hash((self.traits, self.provinces, self.reserve))

    def __reduce__(self) -> tuple[type["Empire"], tuple[Traits, Copies, Provinces, int]]:
        return Empire, (self.traits, self.copies, self.provinces, self.reserve)


class Holder(NamedTuple):
    """The holder of a province: the active or else the declined empire of a seat."""

    seat: Seat
    active: bool


_HOLDERS: Final = tuple((Holder(Seat(seat), False), Holder(Seat(seat), True)) for seat in range(MOST_SEATS))
"""Preallocated holders, by seat and whether its active empire holds the province."""

_COMPARED: Final = (
    "active", "actor", "bag", "board", "declined", "eliminated", "fills", "forfeited", "forts", "garrison", "market",
    "must_decline", "named", "neutral", "options", "order", "phase", "round", "spied", "survivors", "target_reached",
    "turn", "vp",
)  # fmt: skip
"""Attributes of a state that equal states have in common: all but the campaign, a cache."""


@final
class State:
    """The state of a game. Attributes by seat are indexed by `Seat`; lists are changed in place, tuples replaced.

    Attributes:
        order: the seats in order of play; a round starts with the first one (R-SETUP-5, R-DUMMY-1).
        round: 0 in the opening draft, then from 1.
        turn: index in `order` of the seat whose turn it is.
        phase, actor: phase and seat of the next action.
        vp: score by seat.
        active, declined: the empires of each seat, or None.
        survivors: pawns set aside this turn, by defending seat (R-CONQ-6).
        named: seats with which each seat has declared peace, in the order of naming (R-PEACE-1).
        must_decline: seats bound by automatic decline (R-LAND-2, R-LAND-3).
        forfeited: seats that forfeited, the earliest first (R-FORFEIT-1).
        garrison: pawns by province, neutral ones included.
        neutral, forts: provinces with a neutral pawn; provinces with a fort.
        market: the six civilizations, slot I first.
        bag: copies of each trait in the bag, indexed by `Trait`.
        fills: number of civilizations drawn so far; part of the key of the next draw.
        spied: conquests by Spies this turn. eliminated: foreign and neutral pawns removed this turn.
        target_reached: whether a score has reached the target (R-END-1, R-END-3).
        campaign: cache of `conquest.campaign_of`.
    """

    __slots__ = (*_COMPARED, "campaign")

    def __init__(self, board: Board, options: Options) -> None:
        """Create a state without its other attributes, which `lay_out` or `copy` set."""
        self.board = board
        self.options = options

    def lay_out(self, bag: tuple[int, ...]) -> None:
        """Lay out the neutral pawns (R-SETUP-2), without order of play, market and empires."""
        board, seats = self.board, self.options.seats
        self.order: tuple[Seat, ...] = ()
        self.round = 0
        self.turn = 0
        self.phase: Phase = "draft"
        self.actor = Seat(0)
        self.vp = [0] * seats
        self.active: list[Empire | None] = [None] * seats
        self.declined: list[Empire | None] = [None] * seats
        self.survivors = [0] * seats
        self.named: tuple[tuple[Seat, ...], ...] = ((),) * seats
        self.must_decline: tuple[Seat, ...] = ()
        self.forfeited: tuple[Seat, ...] = ()
        self.neutral = board.neutral
        self.garrison = list(board.neutral_pawns)
        self.forts: Provinces = 0
        self.market: tuple[Civilization, ...] = ()
        self.bag = bag
        self.fills = 0
        self.spied = 0
        self.eliminated = 0
        self.target_reached = False
        self.campaign: Campaign | None = None

    def copy(self) -> "State":
        """Return an independent copy."""
        new = State(self.board, self.options)
        new.order = self.order
        new.round = self.round
        new.turn = self.turn
        new.phase = self.phase
        new.actor = self.actor
        new.vp = self.vp[:]
        new.active = self.active[:]
        new.declined = self.declined[:]
        new.survivors = self.survivors[:]
        new.named = self.named
        new.must_decline = self.must_decline
        new.forfeited = self.forfeited
        new.neutral = self.neutral
        new.garrison = self.garrison[:]
        new.forts = self.forts
        new.market = self.market
        new.bag = self.bag
        new.fills = self.fills
        new.spied = self.spied
        new.eliminated = self.eliminated
        new.target_reached = self.target_reached
        new.campaign = None
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and all(getattr(self, name) == getattr(other, name) for name in _COMPARED)

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], "State"], tuple[dict[str, Any]]]:
        return _restored, ({name: getattr(self, name) for name in _COMPARED},)

    __hash__ = None  # type: ignore[assignment]  # mutable

    def seats(self) -> tuple[Seat, ...]:
        """Return all seats in ascending order."""
        return _SEATS[len(self.vp)]

    def empire(self) -> Empire:
        """Return the active empire of the seat to act; it has one in every phase of an expansion."""
        empire = self.active[self.actor]
        assert empire is not None
        return empire

    def at_peace(self, seat: Seat, other: Seat) -> bool:
        """Return whether peace protects the active empires of two seats from each other (R-PEACE-1)."""
        return other in self.named[seat] or seat in self.named[other]

    def lead(self, seat: Seat) -> int:
        """Return the VP of a seat less those of the best other one."""
        return self.vp[seat] - max(self.vp[:seat] + self.vp[seat + 1 :])

    def name(self, seat: Seat, others: tuple[Seat, ...]) -> None:
        """Set the seats with which a seat has declared peace."""
        self.named = (*self.named[:seat], others, *self.named[seat + 1 :])

    def provinces_of(self, seat: Seat) -> Provinces:
        """Return the provinces of the active and the declined empire of a seat."""
        active, declined = self.active[seat], self.declined[seat]
        held: Provinces = 0 if active is None else active.provinces
        return held if declined is None else held | declined.provinces

    def seats_after(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the other seats in order of play after this one."""
        place = self.order.index(seat)
        return self.order[place + 1 :] + self.order[:place]

    def owner(self, province: Province) -> Holder | None:
        """Return the holder of a province, or None if no empire holds it."""
        bit = 1 << province  # `has` inlined: runs for every conquest of a held province
        for seat in self.seats():
            active, declined = self.active[seat], self.declined[seat]
            if active is not None and active.provinces & bit:
                return _HOLDERS[seat][1]
            if declined is not None and declined.provinces & bit:
                return _HOLDERS[seat][0]
        return None


def _restored(attributes: dict[str, Any]) -> State:
    """Return the state with these attributes, for copies and for other processes."""
    state = State(attributes["board"], attributes["options"])
    for name, value in attributes.items():
        setattr(state, name, value)
    state.campaign = None
    return state
