"""Choice of a plan by simulations: common random numbers, and sequential halving of the plans."""

import time
from random import Random
from typing import Final

from vinci_rules.actions import Action
from vinci_rules.chance import FastChance
from vinci_rules.engine import play
from vinci_rules.state import Seat, State

from . import policy
from .characters import NOBODY, Character, liking, policy_of
from .plans import Plan, plans
from .policy import Policy

HEAT: Final = 0.5
"""Noise of the policy in simulations, in VP."""
FIRST_PLACE: Final = 10.0
"""Worth of the first place, in VP."""


def utility(end: State, seat: Seat, first_place: float = FIRST_PLACE) -> float:
    """Return the lead over the best opponent in VP, and `first_place` more if it is one."""
    lead = float(end.lead(seat))
    return lead + first_place if lead > 0.0 else lead


def outcome(state: State, actions: list[Action], weights: Policy, number: int) -> State:
    """Return the end of a game by a simulation: the actions, then the policy at all seats but dummies.

    Args:
        state: the position; it is not changed.
        actions: legal actions, one after the other.
        weights: the policy.
        number: seed of all draws and ties; simulations with equal numbers draw alike.
    """
    end = state.copy()
    chance, random = FastChance(number), Random(number)
    for action in actions:
        play(end, action, chance)
    policy.play_on(end, chance, random, weights, HEAT)
    return end


def simulate(state: State, plan: Plan, weights: Policy, number: int, first_place: float = FIRST_PLACE) -> None:
    """Play a plan and the rest of the game, and add the utility to the plan; equal numbers draw alike."""
    plan.total += utility(outcome(state, plan.actions, weights, number), state.actor, first_place)
    plan.simulations += 1


def ranked(
    state: State,
    random: Random,
    weights: Policy,
    samples: int,
    simulations: int,
    seconds: float = 0.0,
    limit: float = 0.0,
    character: Character | None = None,
    foe: int = NOBODY,
) -> list[Plan]:
    """Return the plans for a turn, the best first.

    Args:
        state: the position; it is not changed.
        random: source of plans and simulations.
        weights: the policy of all seats but dummies.
        samples: as for `plans`.
        simulations, seconds, limit: as for `halved`.
        character: what the player likes besides VP; None for nothing.
        foe: the seat that attacked it last, or NOBODY.

    Raises:
        ValueError: the game is over.
    """
    left = plans(state, random, weights if character is None else policy_of(character, weights), samples)
    if character is not None:
        for plan in left:
            plan.liking = liking(state, plan.actions, character, foe)
    return halved(state, left, random, weights, simulations, seconds, limit)


def halved(
    state: State,
    left: list[Plan],
    random: Random,
    weights: Policy,
    simulations: int,
    seconds: float = 0.0,
    limit: float = 0.0,
    first_place: float = FIRST_PLACE,
) -> list[Plan]:
    """Return plans by the results of simulations, the best first; of equal ones the first stays first.

    The worse half of the plans is dropped after each part of the simulations, so that the best ones get most of them.

    Args:
        state: the position; it is not changed.
        left: the plans.
        random: source of simulations.
        weights: the policy of all seats but dummies.
        simulations: number of simulations in all; at least one for each plan.
        seconds: time for all simulations, used up instead of their number unless it is 0.
        limit: seconds after which there is no further simulation, unless it is 0.
        first_place: worth of the first place, in VP.
    """
    lost: list[Plan] = []
    number = random.getrandbits(48)
    parts = max((len(left) - 1).bit_length(), 1)
    start, part, most = time.monotonic(), 0, seconds or limit
    while len(left) > 1:
        part += 1
        passes = max(simulations // (parts * len(left)), 1)
        while passes > 0:
            for plan in left:
                if most and time.monotonic() > start + most:
                    return sorted(left, key=Plan.mean, reverse=True) + lost
                simulate(state, plan, weights, number, first_place)
            number += 1
            if not seconds:
                passes -= 1
            elif time.monotonic() > start + seconds * part / parts:
                break
        left.sort(key=Plan.mean, reverse=True)
        half = (len(left) + 1) // 2
        left, lost = left[:half], left[half:] + lost
    return left + lost
