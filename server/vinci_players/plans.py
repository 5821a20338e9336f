"""Whole turns to choose from."""

from random import Random
from typing import Final, TypeAlias, final

from vinci_rules import dummy, market
from vinci_rules.actions import ABANDON, DECLINE, Action, Conquer, Hold, Peace, Stay, Take
from vinci_rules.board import Provinces, members
from vinci_rules.chance import FastChance
from vinci_rules.conquest import conquests
from vinci_rules.defence import even, lowest
from vinci_rules.engine import legal_actions, open_decision, play, suggestion
from vinci_rules.state import State
from vinci_rules.traits import DIPLOMACY, RENAISSANCE

from . import policy
from .policy import Policy

COOL: Final = 1.0
HOT: Final = 3.0
"""Noise of sampled turns, alternately, in VP."""
UNTRIED: Final = -1e9
"""Mean utility of a plan without simulations, which comes after all others."""
EARLY_END: Final = 0.1
"""Probability that every fifth sample ends its conquests before the next one."""

Result: TypeAlias = tuple[Provinces, Provinces, tuple[int, ...], int]
"""Result of a turn: the provinces of the seat, all forts, all garrisons, and the slot taken or -1."""


@final
class Plan:
    """Actions to the end of a turn, the utilities of the simulations that began with them, and a worth besides."""

    def __init__(self, actions: list[Action]) -> None:
        self.actions: Final = actions
        self.total = 0.0
        self.simulations = 0
        self.liking = 0.0

    def mean(self) -> float:
        """Return the mean utility and the worth besides it; UNTRIED without simulations."""
        return self.total / self.simulations + self.liking if self.simulations else UNTRIED


def plans(state: State, random: Random, weights: Policy, samples: int) -> list[Plan]:
    """Return turns of the seat to act that lead to different positions.

    Args:
        state: the position; it is not changed.
        random: source of the samples.
        weights: the policy that samples conquests.
        samples: number of expansions to sample. The first one is the best by the policy; then some abandon provinces,
            enter anywhere or end early.

    Returns:
        Each choice of a civilization, each with a decline if one is legal now, and the expansions, each with an even
        defence and one of the frontier. Never empty.

    Raises:
        ValueError: the game is over.
    """
    match state.phase:
        case "over":
            raise ValueError("the game is over")
        case "draft":
            return [Plan([Take(slot)]) for slot in market.affordable_slots(state)]
        case "renaissance":
            return [Plan([Stay()]), *_declines(state)]
        case "redeploy":
            return [Plan([suggestion(state)])]
    found = _declines(state) if state.phase == "start" else []
    if state.phase == "start" and state.actor in state.must_decline:
        return found
    known: dict[Result, Plan] = {}
    for number in range(samples):
        _sample(state, random, weights, number, known)
    return found + list(known.values())


def _declines(state: State) -> list[Plan]:
    return [Plan([DECLINE, Take(slot)]) for slot in market.affordable_slots(state)]


def _sample(state: State, random: Random, weights: Policy, number: int, known: dict[Result, Plan]) -> None:
    """Add an expansion with its reorganisations to the known ones."""
    end, chance = state.copy(), FastChance(number)
    actions: list[Action] = []
    for action in _before_conquests(end, random, number):
        actions.append(action)
        play(end, action, chance)
    while True:
        chosen = _conquest(end, random, weights, number)
        early = number % 5 == 4 and random.random() < EARLY_END
        if chosen is not None and ABANDON[chosen.province] in actions:
            return  # the same without both was cheaper
        if chosen is None or (early and open_decision(end) == "hold"):
            break
        actions.append(chosen)
        play(end, chosen, chance)
    for hold in holds(end):
        _add(end, actions, hold, known)


def _conquest(state: State, random: Random, weights: Policy, number: int) -> Conquer | None:
    """Return the next conquest of a sample: anywhere for an empire that enters, otherwise by the policy with noise."""
    if number and not state.empire().provinces:
        choices = conquests(state)
        if choices:
            return choices[int(random.random() * len(choices))]
    return policy.conquest(state, random, weights, 0.0 if number == 0 else HOT if number % 2 else COOL)


def _before_conquests(state: State, random: Random, number: int) -> list[Action]:
    """Return peace with a seat, if Diplomacy allows it, and for every fourth sample one or two provinces to abandon."""
    first: list[Action] = []
    named = len(state.named[state.actor])
    if state.phase in ("start", "peace") and named < state.empire().copies[DIPLOMACY]:
        others = [action for action in legal_actions(state) if isinstance(action, Peace)]
        best = policy.peace(state)
        if others and number % 3 == 2:
            first.append(others[int(random.random() * len(others))])
        elif best is not None:
            first.append(best)
    held = members(state.empire().provinces)
    if state.phase != "conquer" and number % 4 == 3 and len(held) > 2:
        places = random.sample(range(len(held)), 1 + number // 4 % 2)
        first += [ABANDON[held[place]] for place in places]
    return first


def _add(state: State, actions: list[Action], hold: Hold, known: dict[Result, Plan]) -> None:
    """Add the turn that ends with a reorganisation; with Renaissance also those that decline after it."""
    after, seat = state.copy(), state.actor
    renaissance = state.empire().copies[RENAISSANCE] > 0
    play(after, hold, FastChance(0))
    empire = after.active[seat]
    provinces: Provinces = 0 if empire is None else empire.provinces
    result = (provinces, after.forts, tuple(after.garrison))
    if (*result, -1) in known:
        return
    if not renaissance:
        known[*result, -1] = Plan([*actions, hold])
        return
    known[*result, -1] = Plan([*actions, hold, Stay()])
    for slot in market.affordable_slots(after):
        known[*result, slot] = Plan([*actions, hold, DECLINE, Take(slot)])


def holds(state: State) -> list[Hold]:
    """Return an even defence with the forts of a dummy, and one of the provinces only that foes can reach."""
    plain = dummy.advised_hold(state)
    placed = dict(plain.pawns)
    spare = sum(placed.values()) - len(placed)
    if not spare:
        return [plain]
    reached: Provinces = 0
    for seat in state.seats_after(state.actor):
        foe = state.active[seat]
        if foe is not None and seat not in state.forfeited:
            reached |= state.board.around(foe.provinces) if foe.provinces else state.board.entry
    front = [p for p in placed if reached >> p & 1]
    if not front or len(front) == len(placed):
        return [plain]
    pawns = dict(zip(front, even(state, state.actor, front, [1] * len(front), spare, lowest), strict=True))
    return [plain, Hold(tuple((p, pawns.get(p, 1)) for p in placed), plain.forts)]
