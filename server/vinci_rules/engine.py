"""The game from its first draw to its end: which actions are legal, and what an action changes.

`legal_actions`, `check` and `apply` use the same functions of the rule modules, so they agree. All of them concern the
seat to act, `state.actor`; states are changed in place.

Example:
    >>> from vinci_rules.board import load_board
    >>> from vinci_rules.chance import FairChance
    >>> from vinci_rules.editions import options
    >>> chance = FairChance("example")
    >>> state = new_game(load_board("tiny"), options((False, False, False)), chance)
    >>> state.order, state.actor, state.phase
    ((2, 0, 1), 2, 'draft')
    >>> legal_actions(state)[:2]
    [Take(slot=0), Take(slot=1)]
    >>> check(state, Take(9))
    NoSuchSlot(slot=9, slots=6)
    >>> apply(state, Take(0), chance)
    >>> state.actor, state.phase
    (0, 'draft')
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, assert_never, final

from . import conquest, market, redeployment, reorganisation
from .actions import (
    ABANDON,
    DECLINE,
    PEACE,
    STAY,
    TAKE,
    Abandon,
    Action,
    Conquer,
    Decline,
    Forfeit,
    Hold,
    Peace,
    Redeploy,
    Stay,
    Take,
)
from .board import Board, has, members, set_of, without
from .chance import Chance, pick_one
from .decline import decline
from .editions import STARTING_VP, Options
from .events import Abandoned, GameOver, Log, OrderDrawn, PeaceNamed, SeatForfeited, Stayed, TurnStarted
from .phases import PHASES, WORDS
from .scoring import score
from .state import Seat, State
from .traits import DIPLOMACY, GENERAL, GENERAL_PAWNS, MEDICINE, RENAISSANCE
from .violations import GameIsOver, MustDecline, NoMorePeace, NoSuchSeat, NotAnOpponent, NotHeld, NotNow, Violation

EXPANSION_PHASES: Final = ("start", "peace", "abandon", "conquer")

OpenDecision: TypeAlias = Literal["hold", "redeploy"]


@final
class IllegalAction(ValueError):
    """An illegal action was refused and the state left unchanged.

    Attributes:
        action: the action.
        violation: the rule that it breaks, with the facts.
    """

    def __init__(self, action: Action, violation: Violation) -> None:
        super().__init__(f"{action}: {violation.rule} {violation}")
        self.action = action
        self.violation = violation


def new_game(board: Board, options: Options, chance: Chance, log: Log = None) -> State:
    """Start a game: lay out the board, draw the order of play and fill the market (section 1).

    Args:
        board: the board, from `load_board`.
        options: the seats and the rules, from `editions.options`.
        chance: draws the order and the civilizations.
        log: receives the events, if given.

    Returns:
        The position before the first choice of a civilization.
    """
    state = State(board, options)
    state.lay_out(market.full_bag(options.deck))
    state.order = _draw_order(options, chance)
    state.actor = state.order[0]
    state.vp = [options.dummy_start_vp if dummy else STARTING_VP for dummy in options.dummies]
    if log is not None:
        log.append(OrderDrawn(state.order))
    market.fill(state, chance, log)
    return state


def legal_actions(state: State) -> Sequence[Action]:
    """Return the legal actions of the seat to act, in a fixed order, without `Hold` and `Redeploy`.

    These two have too many forms to list; `open_decision` tells whether one of them is legal. Forfeits are not listed.
    """
    phase = state.phase
    if phase == "conquer":
        return conquest.conquests(state)
    if phase in EXPANSION_PHASES:
        return _before_conquests(state)
    if phase == "draft":
        return [TAKE[slot] for slot in market.affordable_slots(state)]
    if phase == "renaissance":
        return [DECLINE, STAY]
    return []  # survivors are redeployed, or the game is over


def open_decision(state: State) -> OpenDecision | None:
    """Return which action with too many forms to list is legal now, or None; `suggestion` returns one form of it."""
    if state.phase == "redeploy":
        return "redeploy"
    if state.phase in EXPANSION_PHASES and not _bound_to_decline(state) and reorganisation.may_hold(state):
        return "hold"
    return None


def suggestion(state: State) -> Hold | Redeploy:
    """Return a legal action for the open decision, the same as the default action (R-FORFEIT-3).

    Call it only if `open_decision` is not None.
    """
    if state.phase == "redeploy":
        return redeployment.suggestion(state, state.actor)
    return reorganisation.suggestion(state)


def default_action(state: State) -> Action:
    """Return the action that is played for a seat whose time runs out (R-FORFEIT-3).

    Raises:
        ValueError: the game is over.
    """
    match state.phase:
        case "draft":
            return Take(0)
        case "renaissance":
            return Stay()
        case "over":
            raise ValueError("the game is over")
    if _bound_to_decline(state):
        return Decline()
    if open_decision(state) is None:
        return min(conquest.conquests(state), key=lambda action: (conquest.price(state, action), action.province))
    return suggestion(state)


def explain(state: State, action: Action) -> tuple[conquest.CostItem, ...]:
    """Return the cost of a conquest in its parts.

    Args:
        state: the position.
        action: any action; it need not be affordable.

    Returns:
        Pairs of a source (such as `terrain` or `weapons`) and the pawns that it adds or, if negative, saves; empty
        for other actions and for provinces out of reach. A negative sum means a cost of 0.
    """
    if not isinstance(action, Conquer) or state.phase not in EXPANSION_PHASES:
        return ()
    if not has(conquest.campaign_of(state).reachable, action.province):
        return ()
    return (("spies", conquest.SPIES_COST),) if action.spies else conquest.cost_items(state, action.province)


def check(state: State, action: Action) -> Violation | None:
    """Check an action without playing it.

    Args:
        state: the position.
        action: an action of the seat to act, or a forfeit of any seat.

    Returns:
        The rule that the action breaks, with the facts; None if it is legal.
    """
    if state.phase == "over":
        return GameIsOver()
    if isinstance(action, Forfeit):
        known = action.seat in state.seats() and action.seat not in state.forfeited
        return None if known else NoSuchSeat(action.seat)
    if type(action) not in PHASES[state.phase]:
        return NotNow(state.phase, tuple(WORDS[kind] for kind in PHASES[state.phase]))
    if _bound_to_decline(state):
        if isinstance(action, Decline):
            return None
        return MustDecline("R-LAND-2" if state.options.landless_empire == "auto_decline" else "R-LAND-3")
    match action:
        case Conquer():
            return conquest.refusal(state, action)
        case Hold():
            return reorganisation.refusal(state, action)
        case Redeploy():
            return redeployment.refusal(state, action)
        case Take():
            return market.refusal(state, action)
        case Abandon():
            held = has(state.empire().provinces, action.province)
            return None if held else NotHeld("R-MOB-2", action.province)
        case Peace():
            return _refusal_of_peace(state, action)
        case Decline() | Stay():
            return None
        case _:
            assert_never(action)


def apply(state: State, action: Action, chance: Chance, log: Log = None) -> None:
    """Play an action and its consequences up to the next decision.

    Args:
        state: the position, changed in place.
        action: an action of the seat to act, or a forfeit of any seat.
        chance: draws civilizations, if any are drawn.
        log: receives the events, if given.

    Raises:
        IllegalAction: the action is illegal; the state is unchanged.
    """
    violation = check(state, action)
    if violation is not None:
        raise IllegalAction(action, violation)
    play(state, action, chance, log)


def play(state: State, action: Action, chance: Chance, log: Log = None) -> None:
    """Play an action like `apply`, but without the check, for searches that take actions from `legal_actions`.

    Args:
        state: the position, changed in place; `State.copy` keeps the one before.
        action: a legal action; an illegal one leaves an invalid state.
        chance: draws civilizations, if any are drawn.
        log: receives the events, if given.
    """
    if isinstance(action, Conquer):  # most actions are conquests, and they alone keep the campaign
        state.phase = "conquer"
        conquest.conquer(state, action, log)
        return
    state.campaign = None
    match action:
        case Hold():
            _hold(state, action, log)
        case Redeploy():
            redeployment.redeploy(state, state.actor, action.pawns, log)
            _redeploy_next(state, log)
        case Take():
            market.take(state, action, chance, log)
            _end_turn(state, log)
        case Decline():
            _decline(state, log)
        case Abandon():
            _abandon(state, action, log)
        case Peace():
            _peace(state, action, log)
        case Stay():
            if log is not None:
                log.append(Stayed(state.actor))
            _end_turn(state, log)
        case Forfeit():
            _forfeit(state, action, log)
        case _:
            assert_never(action)


def ranks(state: State) -> tuple[int, ...]:
    """Return the rank of each seat at the present scores (R-END-2, R-FORFEIT-1).

    1 is best. Equal scores share a rank; seats that forfeited come last, the earliest at the very end.
    """
    standing = [
        (0, state.forfeited.index(seat)) if seat in state.forfeited else (1, state.vp[seat]) for seat in state.seats()
    ]
    return tuple(1 + sum(other > own for other in standing) for own in standing)


def is_last_round(state: State) -> bool:
    """Return whether this round is the last one (R-END-1, R-END-5)."""
    return state.round > 0 and (state.target_reached or state.round >= state.options.max_rounds)


def _before_conquests(state: State) -> list[Action]:
    """Return the legal actions of a turn before its first conquest; decline and peace come before abandoning."""
    actions: list[Action] = []
    if state.phase == "start":
        actions.append(DECLINE)
        if _bound_to_decline(state):
            return actions
    empire = state.empire()
    if state.phase != "abandon" and len(state.named[state.actor]) < empire.copies[DIPLOMACY]:
        actions += [PEACE[seat] for seat in state.seats() if _is_opponent(state, seat)]
    actions += [ABANDON[p] for p in members(empire.provinces)]
    actions += conquest.conquests(state)
    return actions


def _draw_order(options: Options, chance: Chance) -> tuple[Seat, ...]:
    seats = [str(seat + 1) for seat in range(options.seats)]
    if not any(options.dummies):
        first = int(pick_one(chance, "first", (), seats)) - 1
        return tuple(Seat((first + place) % options.seats) for place in range(options.seats))
    order: list[str] = []
    while seats:
        order.append(pick_one(chance, "order", (len(order),), seats))
        seats.remove(order[-1])
    return tuple(Seat(int(seat) - 1) for seat in order)


def _bound_to_decline(state: State) -> bool:
    """Return whether the only legal action is to decline (R-LAND-2, R-LAND-3)."""
    return state.phase == "start" and state.actor in state.must_decline


def _refusal_of_peace(state: State, action: Peace) -> Violation | None:
    """Return why this peace is illegal, or None (R-PEACE-1)."""
    copies, named = state.empire().copies[DIPLOMACY], state.named[state.actor]
    if len(named) >= copies:
        return NoMorePeace(copies)
    other = action.seat
    return None if other in state.seats() and _is_opponent(state, other) else NotAnOpponent(other)


def _is_opponent(state: State, seat: Seat) -> bool:
    """Return whether the seat to act can still declare peace with this seat."""
    return seat != state.actor and seat not in state.named[state.actor] and seat not in state.forfeited


def _hold(state: State, action: Hold, log: Log) -> None:
    """End the conquests and score; Renaissance adds one decision before the turn ends."""
    reorganisation.reorganise(state, action, log)
    score(state, state.actor, log)
    state.spied = state.eliminated = 0
    if state.empire().copies[RENAISSANCE]:
        state.phase = "renaissance"
    else:
        _end_turn(state, log)


def _abandon(state: State, action: Abandon, log: Log) -> None:
    """Move all pawns of a province back to the reserve (R-MOB-2)."""
    state.phase = "abandon"
    empire, p = state.empire(), action.province
    state.active[state.actor] = empire.having(without(empire.provinces, p), empire.reserve + state.garrison[p])
    state.garrison[p] = 0
    state.forts = without(state.forts, p)
    if log is not None:
        log.append(Abandoned(state.actor, p))


def _peace(state: State, action: Peace, log: Log) -> None:
    state.phase = "peace"
    state.name(state.actor, (*state.named[state.actor], action.seat))
    if log is not None:
        log.append(PeaceNamed(state.actor, action.seat))


def _decline(state: State, log: Log) -> None:
    """Decline, and score unless Renaissance allowed it after scoring (R-DECL-1, R-DECL-5)."""
    all_traits = state.empire().traits if state.options.decline_score == "all" else None
    decline(state, state.actor, log)
    if state.phase == "start":
        score(state, state.actor, log, all_traits)
    state.phase = "draft"


def _start_turn(state: State, log: Log) -> None:
    """Start the turn of the next seat: a choice in the opening draft, else mobilisation (R-MOB-1, R-MOB-4)."""
    seat = state.actor = state.order[state.turn]
    if state.round == 0:
        state.phase = "draft"
        return
    state.phase = "start"
    if state.named[seat]:
        state.name(seat, ())
    empire = state.empire()
    reserve, garrison = empire.reserve, state.garrison
    for p in members(empire.provinces):
        reserve += garrison[p] - 1
        garrison[p] = 1
    by_medicine, by_general = empire.copies[MEDICINE], GENERAL_PAWNS * empire.copies[GENERAL]
    reserve += by_medicine + by_general
    state.active[seat] = empire.having(empire.provinces, reserve)
    if log is not None:
        log.append(TurnStarted(seat, state.round, reserve, by_medicine, by_general))


def _end_turn(state: State, log: Log) -> None:
    """End a turn: let the others redeploy, or end the game after the last turn (section 3)."""
    if is_last_round(state) and all(seat in state.forfeited for seat in state.order[state.turn + 1 :]):
        _finish(state, log)
    else:
        _redeploy_next(state, log)


def _redeploy_next(state: State, log: Log) -> None:
    """Let the next seat with survivors redeploy; after all of them, start the next turn (R-REDEP-1)."""
    if any(pawns for pawns in state.survivors):
        for seat in state.seats_after(state.order[state.turn]):
            if not redeployment.settle(state, seat, log):
                state.phase = "redeploy"
                state.actor = seat
                return
    _next_turn(state, log)


def _next_turn(state: State, log: Log) -> None:
    while True:
        if state.turn + 1 < len(state.order):
            state.turn += 1
        elif is_last_round(state):
            _finish(state, log)
            return
        else:
            state.turn = 0
            state.round += 1
        if state.order[state.turn] not in state.forfeited:
            _start_turn(state, log)
            return


def _finish(state: State, log: Log) -> None:
    state.phase = "over"
    state.actor = state.order[state.turn]
    if log is not None:
        log.append(GameOver(ranks(state), tuple(state.vp)))


def _forfeit(state: State, action: Forfeit, log: Log) -> None:
    """Remove a seat from play; its pawns stay on the board (R-FORFEIT-1)."""
    seat = action.seat
    state.forfeited = (*state.forfeited, seat)
    if seat == state.order[state.turn]:
        state.spied = state.eliminated = 0
    for other in state.seats():
        state.name(other, () if other == seat else tuple(named for named in state.named[other] if named != seat))
    if log is not None:
        log.append(SeatForfeited(seat))
    if len(state.forfeited) == len(state.order) - 1:
        _finish(state, log)
    elif state.phase != "redeploy" and state.actor == seat:
        _release_empty_provinces(state, seat)
        _end_turn(state, log)
    elif state.actor == seat:
        _redeploy_next(state, log)


def _release_empty_provinces(state: State, seat: Seat) -> None:
    """Give up provinces conquered without a pawn, when a seat stops in the middle of its turn (R-REORG-4)."""
    empire = state.active[seat]
    if empire is not None:
        kept = set_of(p for p in members(empire.provinces) if state.garrison[p])
        state.active[seat] = empire.having(kept, empire.reserve)
