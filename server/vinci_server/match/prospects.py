"""Prospects of the seat to act: the provinces and VP that each civilization could bring on the present board."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from vinci_rules import dummy, market, reorganisation
from vinci_rules.actions import Conquer
from vinci_rules.board import Province, set_of
from vinci_rules.chance import FastChance
from vinci_rules.decline import decline
from vinci_rules.engine import play
from vinci_rules.scoring import land_vp, slavery_vp
from vinci_rules.state import Empire, Seat, State
from vinci_rules.traits import GENERAL, GENERAL_PAWNS, MEDICINE, Copies, copies_of

OWN_TURN: Final = ("start", "peace", "abandon", "conquer")


@dataclass(frozen=True, slots=True)
class Prospect:
    """The result of the conquests that a dummy would choose, if a turn with a civilization began on this board.

    Attributes:
        slot: slot of the market, from 0; None for the present civilization, which goes on.
        pawns: pawns in hand before the conquests.
        provinces: provinces conquered, in order.
        vp: VP that the active empire would score then with what it can hold. once: those of them for pawns removed, by
            Slavery, which no later turn scores again. declined_vp: VP of the declined empire beside it.
        anew: pawns of those in hand that come again each turn, by Medicine and General.
        before: opponents that move before a civilization enters, in the opening draft or after a decline.
    """

    slot: int | None
    pawns: int
    provinces: tuple[Province, ...]
    vp: int
    once: int
    declined_vp: int
    anew: int
    before: int


def prospects(state: State) -> Iterator[Prospect | None]:
    """Yield the prospects of the seat to act, the present civilization first, and None after each conquest.

    Args:
        state: the position; it is not changed.
    """
    seat = state.actor
    if state.phase in OWN_TURN and seat not in state.must_decline:
        present = state.copy()
        present.phase = "conquer"
        yield from _conquests(present, seat, None, 0)
    if state.phase in (*OWN_TURN, "draft", "renaissance"):
        earlier = state.order if state.round else state.order[: state.order.index(seat)]
        before = sum([other != seat and other not in state.forfeited for other in earlier])
        for slot in market.affordable_slots(state):
            yield from _conquests(_with_civilization(state, seat, slot), seat, slot, before)


def _with_civilization(state: State, seat: Seat, slot: int) -> State:
    """Return the position at the start of a turn of a seat that has declined and taken a slot."""
    result = state.copy()
    if result.active[seat] is not None:
        decline(result, seat, None)
    traits = state.market[slot].traits
    copies = copies_of(traits)
    pawns = market.pawns_for(result, traits) + _anew(copies)
    result.active[seat] = Empire(traits, copies, 0, pawns)
    result.round, result.turn, result.phase = max(state.round, 1), state.order.index(seat), "conquer"
    result.spied = result.eliminated = 0
    result.campaign = None
    return result


def _anew(copies: Copies) -> int:
    return copies[MEDICINE] + GENERAL_PAWNS * copies[GENERAL]


def _conquests(state: State, seat: Seat, slot: int | None, before: int) -> Iterator[Prospect | None]:
    """Conquer as a dummy does; yields None after each conquest, and the prospect at the end."""
    pawns, provinces = state.empire().reserve, []
    while isinstance(action := dummy.advise(state), Conquer):
        provinces.append(action.province)
        play(state, action, FastChance(0))
        yield None
    empire = state.empire()
    kept = set_of([p for p, _ in reorganisation.suggestion(state).pawns])
    once = slavery_vp(state, empire)
    vp = land_vp(state.board, Empire(empire.traits, empire.copies, kept, 0)) + once
    declined_vp = land_vp(state.board, state.declined[seat])
    yield Prospect(slot, pawns, tuple(provinces), vp, once, declined_vp, _anew(empire.copies), before)
