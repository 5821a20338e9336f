"""The market: six civilizations, their draws and prices (R-SETUP-4, section 2)."""

from collections.abc import Iterable
from typing import Final

from .actions import SLOTS, Take
from .chance import Chance, pick_one
from .events import CivilizationDrawn, CivilizationTaken, Log
from .scoring import award
from .state import Civilization, Empire, State
from .traits import KINDS, SPECIALIZATION, TRAIT_BY_CODE, Trait, Traits, copies_of, strength_of
from .violations import NoSuchSlot, TooExpensive, Violation

MARKER_VP: Final = 2

_CANDIDATES: Final = tuple(
    tuple(
        tuple(f"{kind.code}#{copy}" for copy in range(1, copies + 1))
        for copies in range(max(kind.in_deck.values()) + 1)
    )
    for kind in KINDS
)
"""Candidates of a draw, by trait and number of its copies in the bag."""


def full_bag(deck: str) -> tuple[int, ...]:
    """Return the number of copies of each trait in a deck (R-SETUP-3)."""
    return tuple(kind.in_deck[deck] for kind in KINDS)


def put_back(state: State, traits: Iterable[Trait]) -> None:
    """Return traits to the bag."""
    bag = list(state.bag)
    for trait in traits:
        bag[trait] += 1
    state.bag = tuple(bag)


def take_out(state: State, traits: Iterable[Trait]) -> None:
    """Remove traits from the bag."""
    bag = list(state.bag)
    for trait in traits:
        bag[trait] -= 1
    state.bag = tuple(bag)


def fill(state: State, chance: Chance, log: Log) -> None:
    """Draw civilizations until the market has six (R-SETUP-4, R-DRAFT-3)."""
    while len(state.market) < SLOTS:
        traits, rejected = _draw_pair(state, chance)
        state.market = (*state.market, Civilization(traits))
        state.fills += 1
        if log is not None:
            log.append(CivilizationDrawn(traits, rejected))


def price(slot: int) -> int:
    """Return the price of a slot in VP: 2 for each civilization passed over (R-DRAFT-1)."""
    return MARKER_VP * slot


def pawns_for(state: State, traits: Traits) -> int:
    """Return the pawns that a civilization gives the seat to act (R-DRAFT-4)."""
    return strength_of(traits, state.options.strengths) + state.options.extra_pawns[state.actor]


def affordable_slots(state: State) -> range:
    """Return the slots that the seat to act can pay for."""
    return range(min(len(state.market), state.vp[state.actor] // MARKER_VP + 1))


def refusal(state: State, action: Take) -> Violation | None:
    """Return why taking this slot is illegal, or None."""
    if not 0 <= action.slot < len(state.market):
        return NoSuchSlot(action.slot, len(state.market))
    if action.slot not in affordable_slots(state):
        return TooExpensive(needed=price(action.slot), available=state.vp[state.actor])
    return None


def take(state: State, action: Take, chance: Chance, log: Log) -> None:
    """Pay for a slot, take its civilization and the VP on it, and refill the market (R-DRAFT-1 to R-DRAFT-4)."""
    seat, slot = state.actor, action.slot
    passed, chosen, later = state.market[:slot], state.market[slot], state.market[slot + 1 :]
    pawns = pawns_for(state, chosen.traits)
    received = MARKER_VP * chosen.markers
    state.vp[seat] -= price(slot)
    state.market = tuple([Civilization(one.traits, one.markers + 1) for one in passed]) + later
    state.active[seat] = Empire(chosen.traits, copies_of(chosen.traits), 0, pawns)
    if log is not None:
        log.append(CivilizationTaken(seat, slot, chosen.traits, pawns, price(slot), received))
    award(state, seat, received, log)
    fill(state, chance, log)


def _draw_pair(state: State, chance: Chance) -> tuple[Traits, tuple[Traits, ...]]:
    """Draw two traits; also return those that were drawn before and put back."""
    rejected: list[Traits] = []
    attempt = 0
    first = _draw(state, chance, attempt, 0)
    second = _draw(state, chance, attempt, 1)
    while first == second:
        if state.options.identical_pair == "redraw":
            put_back(state, (first, second))
            rejected.append((first, second))
            attempt += 1
            first = _draw(state, chance, attempt, 0)
        elif first == SPECIALIZATION:
            rejected.append((second,))
            attempt += 1
        else:
            break
        second = _draw(state, chance, attempt, 1)
    for single in rejected:
        if len(single) == 1:
            put_back(state, single)
    return (first, second), tuple(rejected)


def _draw(state: State, chance: Chance, attempt: int, position: int) -> Trait:
    candidates: list[str] = []
    for kind, left in enumerate(state.bag):
        candidates += _CANDIDATES[kind][left]
    picked = pick_one(chance, "market", (state.fills, attempt, position), candidates)
    trait = TRAIT_BY_CODE[picked.partition("#")[0]]
    take_out(state, (trait,))
    return trait
