"""Building blocks for bots: play on until a seat's next turn, and estimates of what a position holds for it.

Example:
    >>> from random import Random
    >>> from vinci_rules import position
    >>> from vinci_rules.chance import FastChance
    >>> state = position.read("tiny; seat 1 | BAR+CUR reserve=5; seat 2 | DIP+REN; seat 3 | WEA+MIL")
    >>> until_my_turn(state, state.actor, FastChance(1), Random(1))
    >>> state.round, state.actor, state.phase
    (2, 0, 'start')
"""

from random import Random
from typing import Final

from vinci_rules.actions import DECLINE
from vinci_rules.board import Province, members
from vinci_rules.chance import Chance, FastChance
from vinci_rules.engine import play
from vinci_rules.scoring import land_vp, worth
from vinci_rules.state import Seat, State
from vinci_rules.traits import GENERAL, GENERAL_PAWNS, MEDICINE

from . import policy
from .policy import Policy, rounds_left

__all__ = ["decline_vp", "final_vp", "rounds_left", "threats", "until_my_turn", "vp_at_risk"]

HEAT: Final = 1.0
"""Noise of the policy by default, in VP."""


def until_my_turn(
    state: State,
    seat: Seat,
    chance: Chance,
    random: Random,
    weights: Policy | None = None,
    heat: float = HEAT,
    begun: tuple[int, int] | None = None,
) -> None:
    """Play to the beginning of a seat's next turn, or to the end of the game.

    The policy plays all seats, the turn of the seat itself if it has begun, and its redeployments; dummies play by
    their rules.

    Args:
        state: the position, changed in place.
        seat: the seat.
        chance: draws civilizations.
        random: source of ties and noise.
        weights: the policy; that of simulations if None.
        heat: noise of the policy, in VP.
        begun: round and turn of the turn after which the next one is sought; those of the position if None.
    """
    weights = weights or policy.simulating()
    begun = begun or (state.round, state.turn)
    while state.phase != "over":
        if state.actor == seat and state.phase != "redeploy" and (state.round, state.turn) != begun:
            return
        policy.play_one(state, chance, random, weights, heat)


def threats(state: State, seat: Seat) -> dict[Province, int]:
    """Return the provinces of a seat that another one could take with the first conquest of its next turn.

    Each other seat is taken to move next, with all its pawns but one for each of its provinces. Costs and reach are
    those of the rules.

    Args:
        state: the position; it is not changed.
        seat: the seat.

    Returns:
        For each of these provinces the fewest pawns that it costs another seat.
    """
    own = state.provinces_of(seat)
    found: dict[Province, int] = {}
    for other in state.seats():
        if other == seat or state.active[other] is None or other in state.forfeited:
            continue
        places, prices = policy.targets(_at_turn_of(state, other))
        for province, price in zip(places, prices, strict=True):
            if own >> province & 1 and price < found.get(province, price + 1):
                found[province] = price
    return found


def vp_at_risk(state: State, seat: Seat) -> int:
    """Return the VP in a turn of a seat's provinces that `threats` names."""
    total = 0
    threatened = threats(state, seat)
    for empire in (state.active[seat], state.declined[seat]):
        if empire is not None:
            vp = worth(state.board, empire.traits)
            total += sum([vp[p] for p in members(empire.provinces) if p in threatened])
    return total


def decline_vp(state: State) -> int:
    """Return the VP that the seat to act scores with a decline now; 0 if it has scored in this turn already.

    Raises:
        ValueError: it has no active empire.
    """
    seat = state.actor
    if state.active[seat] is None:
        raise ValueError(f"seat {seat + 1} has no active empire to decline")
    after = state.copy()
    play(after, DECLINE, FastChance(0))
    return after.vp[seat] - state.vp[seat]


def final_vp(state: State) -> list[float]:
    """Return about the VP of each seat when the target is reached, if all incomes stay as they are (R-END-1)."""
    left = rounds_left(state)
    result = []
    for seat in state.seats():
        income = land_vp(state.board, state.active[seat]) + land_vp(state.board, state.declined[seat])
        still = state.phase != "over" and state.order.index(seat) >= state.turn
        result.append(state.vp[seat] + income * (left + still))
    return result


def _at_turn_of(state: State, seat: Seat) -> State:
    """Return the position as if the turn of a seat with an empire began now, in which it can conquer."""
    result = state.copy()
    empire = result.active[seat]
    assert empire is not None
    if state.actor != seat or state.phase == "redeploy":
        reserve = empire.reserve + empire.copies[MEDICINE] + GENERAL_PAWNS * empire.copies[GENERAL]
        for p in members(empire.provinces):
            reserve += result.garrison[p] - 1
            result.garrison[p] = 1
        result.active[seat] = empire.having(empire.provinces, reserve)
    result.turn, result.actor, result.phase, result.spied = state.order.index(seat), seat, "start", 0
    return result
