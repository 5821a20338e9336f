"""A bot that conquers the most VP for the fewest pawns, and declines when a new civilization promises more.

Long-term choices (to decline, which civilization to take, where to enter) are evaluated by a few playouts to the end of
the game, in which this bot follows simple rules and the others play like dummies.
"""

from collections.abc import Sequence
from typing import Final

from vinci_rules import dummy, market
from vinci_rules.actions import Action, Conquer, Decline, Stay, Take
from vinci_rules.board import Provinces, has
from vinci_rules.chance import Chance, FastChance
from vinci_rules.conquest import SPIES_COST, campaign_of, conquests
from vinci_rules.engine import play, suggestion
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
            return _most_promising(state, [Take(slot) for slot in market.affordable_slots(state)])
        case "renaissance":
            return _most_promising(state, [Stay(), Decline()])
        case "redeploy":
            return suggestion(state)
        case "start":
            if state.actor in state.must_decline:
                return Decline()
            if state.empire().provinces and promise(state, Decline()) > promise(state, _go_on(state)):
                return Decline()
    if not state.empire().provinces:
        choices = conquests(state)
        ranks = _ranks(state, choices)
        best = sorted(range(len(choices)), key=ranks.__getitem__, reverse=True)[:ENTRIES]
        if best:
            return _most_promising(state, [choices[place] for place in best])
    return _go_on(state)


def _most_promising(state: State, choices: Sequence[Action]) -> Action:
    """Return the choice with the highest promise; a single one needs no playouts."""
    return choices[0] if len(choices) == 1 else max(choices, key=lambda action: promise(state, action))


def promise(state: State, action: Action) -> float:
    """Return the mean lead over the best opponent at the end of the game, in VP, after this action."""
    seat = state.actor
    ends = _branches(state, action)
    for end, chance in ends:
        _play_on(end, seat, chance)
    return sum([end.lead(seat) for end, _ in ends]) / len(ends)


def _branches(state: State, action: Action) -> list[tuple[State, FastChance]]:
    """Play an action and those that follow in every playout; return where the playouts part, with their chances.

    Playouts differ only by what they draw, and what they draw goes to the end of the market. Until one of these
    civilizations is taken, the first playout is played for all, and the others only draw. A single position is returned
    if they never part, for then all end alike.
    """
    seat, known = state.actor, len(state.market)
    first, chance = state.copy(), FastChance(0)
    others = [(state.copy(), FastChance(number)) for number in range(1, PLAYOUTS)]
    bag = first.bag
    while True:
        if isinstance(action, Take):
            if action.slot >= known:
                break
            known -= 1
            for other, draws in others:
                _return_to_bag(other, bag, first.bag)
                other.market = other.market[: action.slot] + other.market[action.slot + 1 :]
                market.fill(other, draws, None)
        play(first, action, chance)
        if isinstance(action, Take):
            bag = first.bag
        if first.phase == "over":
            return [(first, chance)]
        if first.options.dummies[first.actor]:  # its actions can be drawn
            break
        action = _following(first, seat, chance)
    ends = [(first, chance)]
    for other, draws in others:
        end = first.copy()
        _return_to_bag(other, bag, first.bag)
        end.bag = other.bag
        end.market = end.market[:known] + other.market[known:]
        ends.append((end, draws))
    return ends


def _return_to_bag(other: State, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """Add the traits to another bag by which this one has grown."""
    other.bag = tuple(own + after[trait] - before[trait] for trait, own in enumerate(other.bag))


def _play_on(end: State, seat: Seat, chance: Chance) -> None:
    """Play a position to the end of the game."""
    while end.phase != "over":
        play(end, _following(end, seat, chance), chance)


def _following(state: State, seat: Seat, chance: Chance) -> Action:
    """Return the next action in a playout for a seat."""
    if state.actor == seat:
        return _simple(state)
    if state.options.dummies[state.actor]:
        return dummy.choose(state, chance)
    return dummy.advise(state)


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
    ranks = _ranks(state, choices)
    return choices[ranks.index(max(ranks))]


def _ranks(state: State, choices: list[Conquer]) -> list[tuple[bool, int, int, bool]]:
    """Return the ranks of conquests: no wasted Spies, high value, low price, no active defender."""
    costs, garrison = campaign_of(state).costs, state.garrison
    held: Provinces = 0
    for empire in state.active:
        if empire is not None:
            held |= empire.provinces
    ranks = []
    for choice, value in zip(choices, dummy.values(state, [choice.province for choice in choices]), strict=True):
        p = choice.province
        cost = max(costs[p] + garrison[p], 0)
        wasted = choice.spies and cost <= SPIES_COST
        ranks.append((not wasted, value, -(SPIES_COST if choice.spies else cost), not has(held, p)))
    return ranks
