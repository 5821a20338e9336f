"""Validation of positions that were written by hand: each fault is named with the rule that it breaks.

A position without faults contradicts no rule, but it may still be unreachable from the start of a game.
"""

from collections.abc import Iterator

from .actions import SLOTS
from .board import members
from .engine import is_last_round
from .reorganisation import pawns_in
from .state import Empire, Seat, State
from .traits import (
    DIPLOMACY,
    GENERAL,
    GENERAL_PAWNS,
    HERITAGE,
    KINDS,
    MEDICINE,
    RENAISSANCE,
    SPECIALIZATION,
    SPIES,
    Traits,
    codes_of,
    lasting,
    strength_of,
)

_MOBILISED = ("start", "peace", "abandon")
_EXPANSION = (*_MOBILISED, "conquer")


def faults(state: State) -> list[str]:
    """Return every fault of a position as a sentence; empty if it is valid."""
    result = [*_table_faults(state), *_trait_faults(state)]
    for seat in state.seats():
        result += [f"seat {seat + 1}: {fault}" for fault in _seat_faults(state, seat)]
    return result or [*_end_faults(state), *_phase_faults(state)]


def _table_faults(state: State) -> Iterator[str]:
    codes = state.board.codes
    if state.neutral & state.board.mountains:
        names = " ".join(state.board.codes_of(state.neutral & state.board.mountains))
        yield f"neutral: {names} is a mountain, which never has a neutral pawn (R-SETUP-2)"
    if len(state.market) != SLOTS:
        yield f"market: {len(state.market)} civilizations; it always has {SLOTS} (R-DRAFT-3)"
    if state.fills < SLOTS:
        yield f"fills: {state.fills}; at least {SLOTS} civilizations have been drawn (R-SETUP-4)"
    if state.round > state.options.max_rounds:
        yield f"round: {state.round} is after max_rounds={state.options.max_rounds} (R-END-5)"
    free = state.forts
    for empire in (*state.active, *state.declined):
        free &= ~(empire.provinces if empire is not None else 0)
    for p in members(free):
        yield f"{codes[p]}: a fort in a province without an empire (R-REORG-4)"


def _trait_faults(state: State) -> Iterator[str]:
    for kind, left in zip(KINDS, state.bag, strict=True):
        if left < 0:
            copies = kind.in_deck[state.options.deck]
            yield f"{kind.code} is used {copies - left} times; the deck {state.options.deck} has {copies} (R-SETUP-3)"
    for place, civilization in enumerate(state.market):
        for fault in _pair_faults(state, civilization.traits):
            yield f"market slot {place + 1}: {fault}"


def _pair_faults(state: State, traits: Traits) -> Iterator[str]:
    if len(traits) != 2:
        yield f"{codes_of(traits)}: a civilization has two traits (R-SETUP-4)"
    elif traits[0] == traits[1] and (state.options.identical_pair == "redraw" or traits[0] == SPECIALIZATION):
        yield f"{codes_of(traits)}: identical traits are not kept together (R-SETUP-4)"


def _seat_faults(state: State, seat: Seat) -> Iterator[str]:
    active, declined, out = state.active[seat], state.declined[seat], seat in state.forfeited
    own_turn = state.order[state.turn] == seat
    if active is not None:
        yield from _pair_faults(state, active.traits)
        yield from _pawn_faults(state, seat, active)
    elif state.round and not out and not (own_turn and state.phase in ("draft", "over")):
        yield "no active empire; only a seat that is choosing one has none (R-DECL-5)"
    if declined is not None:
        yield from _declined_faults(state, declined)
        if not state.round:
            yield "a declined empire in the opening draft (R-SETUP-6)"
    if active is not None and declined is not None and not active.copies[HERITAGE]:
        touching = state.board.around(active.provinces) & declined.provinces
        if touching:
            names = " ".join(state.board.codes_of(touching))
            yield f"active and declined empire touch in {names}; without Heritage they never do (R-CONTACT-1)"
    named = state.named[seat]
    if len(named) > 2 or len(set(named)) < len(named) or seat in named or set(named) & set(state.forfeited):
        yield "peace names one or two different opponents that have not forfeited (R-PEACE-1)"
    if named and out:
        yield "a seat that forfeited has no peace any more (R-FORFEIT-1)"
    if seat in state.must_decline:
        if state.options.landless_empire == "choice":
            yield "must_decline needs landless_empire=auto_decline or auto_decline_no_pawn (R-LAND-2, R-LAND-3)"
        if active is None or active.provinces or declined is not None or state.survivors[seat]:
            yield "must_decline is for an active empire without land, survivors and declined empire (R-LAND-2)"


def _pawn_faults(state: State, seat: Seat, active: Empire) -> Iterator[str]:
    expanding = state.order[state.turn] == seat and state.phase in _EXPANSION
    stopped = seat in state.forfeited or state.phase == "over"  # perhaps in the middle of a turn (R-FORFEIT-1)
    if not stopped:
        yield from _placement_faults(state, seat, active, expanding=expanding)
    if not state.round and active.provinces:
        yield "land in the opening draft (R-SETUP-6)"
    pawns = active.reserve + pawns_in(state, active.provinces) + state.survivors[seat]
    general = GENERAL_PAWNS * active.copies[GENERAL]
    if expanding and not stopped and pawns < general:
        yield f"{pawns} pawns; General alone gives {general} until reorganisation (R-MOB-4)"
    given = strength_of(active.traits, state.options.strengths) + state.options.extra_pawns[seat]
    most = given + (general if expanding or stopped else 0)
    medicine = active.copies[MEDICINE] * (state.round - (state.order.index(seat) > state.turn))
    if pawns > most + medicine:
        more = f" and {medicine} by Medicine" if active.copies[MEDICINE] else ""
        yield f"{pawns} pawns; {codes_of(active.traits)} gives {most}{more} (R-DRAFT-4)"


def _placement_faults(state: State, seat: Seat, active: Empire, *, expanding: bool) -> Iterator[str]:
    own_turn = state.order[state.turn] == seat
    codes, garrison = state.board.codes, state.garrison
    for p in members(active.provinces):
        if not garrison[p] and not (own_turn and state.phase == "conquer"):
            yield f"{codes[p]}: no pawn; only in the middle of conquests a province may have none (R-REORG-4)"
        if own_turn and state.phase in _MOBILISED and garrison[p] != 1:
            yield f"{codes[p]}: {garrison[p]} pawns; after mobilisation it is 1, the others are in reserve (R-MOB-1)"
    if active.reserve and active.provinces and not expanding:
        yield f"reserve={active.reserve}: nothing is held back by an empire with land out of its turn (R-REORG-1)"


def _declined_faults(state: State, declined: Empire) -> Iterator[str]:
    if not declined.provinces:
        yield "a declined empire without provinces is gone (R-DECL-7)"
    for p in members(declined.provinces):
        if state.garrison[p] != 1:
            yield f"{state.board.codes[p]}: {state.garrison[p]} pawns; a declined province has one (R-DECL-3)"
    if len(declined.traits) > 2 or lasting(declined.traits) != declined.traits:
        yield f"{codes_of(declined.traits)}: only lasting traits stay, and Specialization beside one (R-DECL-4)"


def _end_faults(state: State) -> Iterator[str]:
    if state.phase == "over" and not is_last_round(state) and len(state.order) - len(state.forfeited) > 1:
        yield "over, though this is not the last round and several seats play (R-END-1)"


def _phase_faults(state: State) -> Iterator[str]:
    seat, actor = state.order[state.turn], state.actor
    empire = state.active[seat]
    remaining = len(state.order) - len(state.forfeited)
    if state.phase == "over":
        return
    if remaining < 2:
        yield "one seat is left, so the game is over: turn N over (R-FORFEIT-1)"
    if seat in state.forfeited and state.phase != "redeploy":
        yield f"turn: seat {seat + 1} has forfeited; its turns are skipped (R-FORFEIT-1)"
    if (state.phase == "draft") != (empire is None) and state.phase != "redeploy":
        held = "has" if empire is not None else "has no"
        yield f"turn: seat {seat + 1} {held} active empire in phase {state.phase}; it chooses one in draft (R-DECL-5)"
    if not state.round and state.phase != "draft":
        yield f"round 0 is the opening draft; its phase is draft, not {state.phase} (R-SETUP-6)"
    if not state.round:
        for place, other in enumerate(state.order):
            chosen = state.active[other] is not None
            if chosen != (place < state.turn) and other not in state.forfeited:
                yield f"seat {other + 1}: in the opening draft those before seat {seat + 1} have chosen (R-SETUP-6)"
    copies = empire.copies if empire is not None else (0,) * len(KINDS)
    if state.spied > (copies[SPIES] if state.phase == "conquer" else 0):
        yield f"turn: spied={state.spied}, more than copies of Spies, or before the first conquest (R-CONQ-7)"
    if state.eliminated and state.phase != "conquer":
        number, phase = state.eliminated, state.phase
        yield f"turn: eliminated={number} in phase {phase}; pawns are removed by conquests only (R-CONQ-6)"
    if state.phase == "start" and state.named[seat]:
        yield f"seat {seat + 1}: peace ends when its turn starts (R-PEACE-1)"
    if state.phase == "peace" and (not copies[DIPLOMACY] or len(state.named[seat]) > copies[DIPLOMACY]):
        yield "turn: phase peace follows a peace that Diplomacy allows (R-PEACE-1)"
    if state.phase == "renaissance" and not copies[RENAISSANCE]:
        yield "turn: phase renaissance needs Renaissance on the active empire (R-DECL-1)"
    if seat in state.must_decline and state.phase not in ("start", "redeploy"):
        yield f"seat {seat + 1}: it must decline before anything else (R-LAND-2)"
    yield from _survivor_faults(state, seat, actor)


def _survivor_faults(state: State, seat: Seat, actor: Seat) -> Iterator[str]:
    attacking = state.phase in ("conquer", "renaissance", "redeploy") or (state.phase == "draft" and state.round)
    for other in state.seats():
        if state.survivors[other] and (not attacking or other == seat or state.active[other] is None):
            yield f"seat {other + 1}: survivors are set aside only while another seat is attacking (R-CONQ-6)"
    if state.phase == "redeploy":
        empire = state.active[actor]
        if actor == seat or actor in state.forfeited or not state.survivors[actor] or empire is None:
            yield f"turn: seat {actor + 1} has no survivors to redeploy (R-REDEP-1)"
        elif empire.provinces.bit_count() < 2 or state.options.redeployment == "automatic":
            yield f"turn: seat {actor + 1} is not asked where to redeploy (R-REDEP-1, R-REDEP-3)"
        for other in state.seats_after(seat):
            if other == actor:
                break
            if state.survivors[other]:
                yield f"seat {other + 1}: it redeploys before seat {actor + 1} (R-REDEP-1)"
