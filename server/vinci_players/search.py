"""Choice of a plan by simulations: common random numbers, and sequential halving of the plans."""

import time
from random import Random
from typing import Final, final

from vinci_rules.actions import DECLINE, Action
from vinci_rules.chance import Chance, FastChance
from vinci_rules.engine import play
from vinci_rules.state import Seat, State

from . import policy, value
from .characters import NOBODY, Character, liking, policy_of
from .plans import Plan, plans
from .policy import Policy

HEAT: Final = 0.5
"""Noise of the policy in simulations, in VP."""
FIRST_PLACE: Final = 10.0
"""Worth of the first place, in VP."""
REPLY_HEAT: Final = 2.0
"""Noise of the policy in replies of opponents but the first one, in VP."""


@final
class Horizon:
    """Simulations that end at the own next turn, for tables without dummies, and what follows them.

    To the end of a game all seats play by a weak policy, which tells what a turn is worth among such players. Against
    players that search it is more exact to simulate the next round only, with replies that are the best of a few, and
    to take the rest from games of searchers. The best plans by both together win most against either kind.

    Attributes:
        values: weights of the VP to expect, as for `value.final_vp`.
        replies: turns tried for each opponent, besides a decline.
        width: positions kept in the beam search for plans.
        kept: plans that are simulated, the best ones by the position right after the turn.
        share: so many simulations to the end of the game are replaced by one to the horizon.
        finalists: plans that are then simulated to the end of the game, the best ones by the horizon; 0 for none.
        trust: weight of the lead by the horizon beside the utility at the end.
        ends: of so many simulations one is played to the end.
    """

    def __init__(
        self,
        values: list[float],
        replies: int,
        width: int,
        kept: int,
        share: int,
        finalists: int,
        trust: float,
        ends: int,
    ) -> None:
        self.values: Final = values
        self.replies: Final = replies
        self.width: Final = width
        self.kept: Final = kept
        self.share: Final = share
        self.finalists: Final = finalists
        self.trust: Final = trust
        self.ends: Final = ends


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
    cut: Horizon | None = None,
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
        cut: the simulations up to a horizon that come first, unless a seat is a dummy; None for none.

    Raises:
        ValueError: the game is over.
    """
    cut = within(state, cut)
    proposing = weights if character is None else policy_of(character, weights)
    left = plans(state, random, proposing, samples, 0 if cut is None else cut.width)
    if character is not None:
        for plan in left:
            plan.liking = liking(state, plan.actions, character, foe)
    return sifted(state, left, random, weights, simulations, seconds, limit, cut=cut)


def within(state: State, cut: Horizon | None) -> Horizon | None:
    """Return a horizon, or None beside a dummy: simulations to the end of the game play dummies as these play."""
    return None if any(state.options.dummies) else cut


def sifted(
    state: State,
    left: list[Plan],
    random: Random,
    weights: Policy,
    simulations: int,
    seconds: float = 0.0,
    limit: float = 0.0,
    first_place: float = FIRST_PLACE,
    cut: Horizon | None = None,
) -> list[Plan]:
    """Return plans by simulations up to a horizon, then to the end, the best first; arguments are those of `halved`.

    With a horizon those that are poor right after the turn are left out.
    """
    if cut is None:
        return halved(state, left, random, weights, simulations, seconds, limit, first_place)
    left = _best_at_once(state, left, weights, cut)
    left = halved(state, left, random, weights, simulations // cut.share, seconds / 2, limit / 2, cut=cut)
    if not cut.finalists:
        return left
    finalists = left[: cut.finalists]
    for plan in finalists:
        plan.liking += cut.trust * (plan.mean() - plan.liking)
        plan.total, plan.simulations = 0.0, 0
    simulations //= cut.ends
    best = halved(state, finalists, random, weights, simulations, seconds / 2, limit / 2, first_place)
    return best + left[cut.finalists :]


def halved(
    state: State,
    left: list[Plan],
    random: Random,
    weights: Policy,
    simulations: int,
    seconds: float = 0.0,
    limit: float = 0.0,
    first_place: float = FIRST_PLACE,
    cut: Horizon | None = None,
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
        cut: the horizon at which simulations end; None for the end of the game.
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
                if cut is None:
                    simulate(state, plan, weights, number, first_place)
                else:
                    plan.total += value.lead(
                        expected(state, plan.actions, weights, number, cut, cut.replies), state.actor
                    )
                    plan.simulations += 1
            number += 1
            if not seconds:
                passes -= 1
            elif time.monotonic() > start + seconds * part / parts:
                break
        left.sort(key=Plan.mean, reverse=True)
        half = (len(left) + 1) // 2
        left, lost = left[:half], left[half:] + lost
    return left + lost


def _best_at_once(state: State, plans: list[Plan], weights: Policy, cut: Horizon) -> list[Plan]:
    """Return the best plans by the position right after the turn, with the two best declines."""
    for plan in plans:
        plan.total = value.lead(expected(state, plan.actions, weights, 0, cut, 0), state.actor)
        plan.simulations = 1
    ranked = sorted(plans, key=Plan.mean, reverse=True)
    declines = [plan for plan in ranked if DECLINE in plan.actions][:2]
    found = ranked[: cut.kept] + [plan for plan in declines if plan not in ranked[: cut.kept]]
    for plan in plans:
        plan.total, plan.simulations = 0.0, 0
    return found


def expected(
    state: State, actions: list[Action], weights: Policy, number: int, cut: Horizon, replies: int
) -> list[float]:
    """Return the final VP of all seats to expect at the next own turn, or right after this one without replies.

    Args:
        state: the position; it is not changed.
        actions: legal actions to the end of the turn.
        weights: the policy that proposes replies.
        number: seed of all draws and ties; simulations with equal numbers draw alike.
        cut: weights of the VP to expect.
        replies: turns tried for each opponent.
    """
    end, seat, begun = state.copy(), state.actor, (state.round, state.turn)
    chance, random = FastChance(number), Random(number)
    for action in actions:
        play(end, action, chance)
    while end.phase != "over":
        if end.phase == "start" and (end.round, end.turn) != begun:
            if end.actor == seat or not replies:
                break
            _reply(end, chance, random, weights, cut, replies)
        else:
            policy.play_one(end, chance, random, weights, HEAT)
    return value.final_vp(end, cut.values)


def _reply(state: State, chance: Chance, random: Random, weights: Policy, cut: Horizon, replies: int) -> None:
    """Play a turn: a decline or one of a few by the policy, whichever promises the best lead right after it."""
    seat, number = state.actor, random.getrandbits(32)
    best: list[Action] = []
    most = -1e9
    may_decline = state.empire().provinces != 0
    for place in range(-1 if may_decline else 0, replies):
        end, draws = state.copy(), FastChance(number)
        if place < 0:
            play(end, DECLINE, draws)
            actions: list[Action] = [DECLINE, policy.take(end, random, weights, 0.0)]
            play(end, actions[1], draws)
        else:
            heat = REPLY_HEAT if place else 0.0
            actions = policy.quick_turn(end, draws, Random(number + place), weights, heat)
        lead = value.lead(value.final_vp(end, cut.values), seat)
        if lead > most:
            best, most = actions, lead
    for action in best:
        if state.actor == seat and state.phase not in ("redeploy", "over"):
            play(state, action, chance)
