"""A bot that conquers the most VP for the fewest pawns, and declines when a new civilization promises more.

Long-term choices (to decline, which civilization to take, where to enter) are evaluated by a few playouts to the end of
the game, in which this bot follows simple rules and the others play like dummies.
"""

from typing import Final

from vinci_rules import dummy, market
from vinci_rules.actions import Action, Conquer, Decline, Stay, Take
from vinci_rules.chance import Chance, FastChance
from vinci_rules.conquest import conquests, cost, price
from vinci_rules.engine import apply, suggestion
from vinci_rules.scoring import land_vp
from vinci_rules.state import Seat, State
from vinci_rules.traits import GENERAL, GENERAL_PAWNS

PLAYOUTS: Final = 6
ENTRIES: Final = 6
POOR_EMPIRE_VP: Final = 10
FEW_PAWNS: Final = 3


def greedy(state: State, _chance: Chance) -> Action:
    """Return the action of the seat to act; equal positions give equal actions."""
    match state.phase:
        case "draft":
            takes = [Take(slot) for slot in market.affordable_slots(state)]
            return max(takes, key=lambda take: promise(state, take))
        case "renaissance":
            choices: tuple[Action, ...] = (Stay(), Decline())
            return max(choices, key=lambda action: promise(state, action))
        case "redeploy":
            return suggestion(state)
        case "start":
            if state.actor in state.must_decline:
                return Decline()
            if state.empire().provinces and promise(state, Decline()) > promise(state, _go_on(state)):
                return Decline()
    if not state.empire().provinces:
        entries = sorted(conquests(state), key=lambda entry: _rank(state, entry), reverse=True)[:ENTRIES]
        if entries:
            return max(entries, key=lambda entry: promise(state, entry))
    return _go_on(state)


def promise(state: State, action: Action) -> float:
    """Return the mean lead over the best opponent at the end of the game, in VP, after this action."""
    seat = state.actor
    return sum(_playout(state, seat, action, number) for number in range(PLAYOUTS)) / PLAYOUTS


def _playout(state: State, seat: Seat, action: Action, number: int) -> int:
    chance = FastChance(number)
    end = state.copy()
    apply(end, action, chance)
    while end.phase != "over":
        if end.actor == seat:
            following: Action = _simple(end)
        elif end.options.dummies[end.actor]:
            following = dummy.choose(end, chance)
        else:
            following = dummy.advise(end)
        apply(end, following, chance)
    return end.vp[seat] - max(vp for other, vp in enumerate(end.vp) if other != seat)


def _simple(state: State) -> Action:
    """Return the action of this bot in its own playouts: the same conquests, simple rules for the rest."""
    match state.phase:
        case "draft":
            return Take(0)
        case "renaissance":
            return Stay()
        case "redeploy":
            return suggestion(state)
        case "start":
            empire = state.empire()
            free = empire.reserve - GENERAL_PAWNS * empire.copies[GENERAL]
            poor = land_vp(state.board, empire) < POOR_EMPIRE_VP and free < FEW_PAWNS
            if poor or state.actor in state.must_decline:
                return Decline()
    return _go_on(state)


def _go_on(state: State) -> Action:
    """Return the most valuable, then cheapest conquest; without one, an even defence with forts. Never peace."""
    choices = conquests(state)
    if not choices:
        return dummy.advised_hold(state)
    return max(choices, key=lambda conquest: _rank(state, conquest))


def _rank(state: State, conquest: Conquer) -> tuple[bool, int, int, bool]:
    """Return the rank of a conquest: no wasted Spies, high value, low price, no active defender."""
    wasted = conquest.spies and cost(state, conquest.province) <= price(state, conquest)
    owner = state.owner(conquest.province)
    strikes_back = owner is not None and owner.active
    return not wasted, dummy.value(state, conquest.province), -price(state, conquest), not strikes_back
