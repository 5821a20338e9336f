"""Advice with reasons: a plan for the turn, the results to expect, the main threat, and whether to decline now.

Example:
    >>> from vinci_players.policy import simulating
    >>> from vinci_rules import position
    >>> state = position.read("tiny; seat 1 | BAR+CUR reserve=5; seat 2 | DIP+REN; seat 3 | WEA+MIL")
    >>> advised = advise(state, Random(1), simulating(), Budget(simulations=40, checks=10))
    >>> len(advised.actions) > 1, advised.decline, advised.checks
    (True, None, 10)
"""

import time
from collections.abc import Sequence
from math import fsum
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from vinci_rules.actions import DECLINE, Abandon, Action, Take
from vinci_rules.board import Province, members
from vinci_rules.chance import FastChance
from vinci_rules.engine import play
from vinci_rules.scoring import worth
from vinci_rules.state import Seat, State

from . import search
from .estimates import Course, Estimate, estimate, expected, gain, horizon, leads
from .features import until_my_turn
from .levels import HORIZON
from .plans import Plan
from .policy import Policy

SAMPLES: Final = 20
"""Expansions sampled for a turn."""
FEWEST_CHECKS: Final = 4
LEAST_SHARE: Final = 0.1
"""Share of simulations from which a province counts as threatened."""
MOST_THREATENED: Final = 3


class Budget(NamedTuple):
    """Work for an advice.

    Attributes:
        simulations: simulations to the end of the game that search for plans.
        checks: simulations of each plan compared, other ones than those of the search, which would bias the means.
        seconds: most seconds, about; 0 for no limit. Without a limit equal arguments give equal advice.
    """

    simulations: int = 300
    checks: int = 200
    seconds: float = 0.0


class Threat(NamedTuple):
    """The opponent that takes most from the seat before its next turn.

    Attributes:
        seat: the opponent.
        vp: mean VP a turn that the seat loses to it.
        provinces: provinces that it takes most often, each with its share of the simulations, the most frequent first.
    """

    seat: Seat
    vp: float
    provinces: list[tuple[Province, float]]


class DeclineAdvice(NamedTuple):
    """The best decline of this turn.

    Attributes:
        slot: slot of the civilization to take then, counted from 0.
        gain: how much further the seat is ahead at the end than with the best plan without a decline, in VP.
    """

    slot: int
    gain: Estimate


class Comparison(NamedTuple):
    """The best plan that begins with an action, compared with the best plan of all.

    Attributes:
        actions: the plan.
        vp: difference in final VP. margin: difference in VP ahead of the best opponent.
    """

    actions: list[Action]
    vp: Estimate
    margin: Estimate


class Advice(NamedTuple):
    """Advice for the turn of a seat.

    Attributes:
        seat: the seat.
        actions: the best plan for its turn. One with a decline is better than going on beyond the error, one that
            abandons provinces than keeping them, and one that departs from what was advised before than that.
        vp: its final VP. margin: its final VP ahead of the best opponent.
        rival: the opponent with the most final VP. rival_vp: their mean.
        threat: the opponent that takes most before the next turn of the seat, if any does.
        decline: the best decline, if the search keeps one as well as a plan that goes on.
        comparison: that of the action asked about, whose plan may be the best.
        next_taken: if the plan begins by taking a civilization, the best plan found that takes another one.
        checks: simulations of each plan compared.
    """

    seat: Seat
    actions: list[Action]
    vp: Estimate
    margin: Estimate
    rival: Seat
    rival_vp: float
    threat: Threat | None
    decline: DeclineAdvice | None
    comparison: Comparison | None
    next_taken: Comparison | None
    checks: int


def advise(
    state: State,
    random: Random,
    weights: Policy,
    budget: Budget,
    asked: Action | None = None,
    planned: Sequence[Action] = (),
) -> Advice:
    """Return the advice for the seat to act.

    Args:
        state: the position; it is not changed.
        random: source of plans and simulations.
        weights: the policy of all seats but dummies in simulations.
        budget: work to do.
        asked: a legal action to compare with the best plan.
        planned: what is left of a plan advised before in this turn; another one must be better beyond the error.

    Raises:
        ValueError: the game is over.
    """
    start, seat = time.monotonic(), state.actor
    limit = budget.seconds * (0.4 if asked is None else 0.25)
    found = _ranked(state, random, weights, budget.simulations, limit)
    compared = [found[0].actions]
    of_other_kind = [plan.actions for plan in found if (DECLINE in plan.actions) != (DECLINE in compared[0])]
    compared += of_other_kind[:1]
    compared += [plan.actions for plan in found if _takes_another(plan.actions, compared[0])][:1]
    about = len(compared)
    if asked is not None:
        begun = _beginning(state, asked, compared[0], random, weights, budget, limit)
        if asked == DECLINE and of_other_kind and DECLINE in compared[1]:
            about, compared[1] = 1, begun  # it was searched for longer than the decline found before
        else:
            compared.append(begun)
    safe = list(planned) or (_keeping_provinces(found) if _abandons(compared[0]) else [])
    if safe and safe not in compared:
        compared.append(safe)
    end = start + 0.85 * budget.seconds if budget.seconds else 0.0
    first = random.getrandbits(48)
    ends = _ends(state, compared, weights, first, budget.checks, end)
    courses = [
        Course(of_plan, expected(state, actions, weights, first, len(of_plan)))
        for actions, of_plan in zip(compared, ends, strict=True)
    ]
    utilities = [_utility(course, seat) for course in courses]
    best = max(range(len(compared)), key=utilities.__getitem__)
    decline = _decline(compared, courses, seat) if of_other_kind else None
    if decline is not None and DECLINE in compared[best] and decline.gain.mean <= decline.gain.half:
        # a decline can be made up for next turn, but not taken back
        best = [DECLINE in actions for actions in compared].index(False)
    if safe and (planned or _abandons(compared[best])):
        # searches in the course of a turn have different errors, so that each would often contradict the one before
        place = compared.index(safe)
        better = gain(courses[best], courses[place], seat)[1]
        best = best if better.mean > better.half else place
    taken = [place for place, actions in enumerate(compared) if _takes_another(actions, compared[best])]
    next_taken = max(taken, key=utilities.__getitem__, default=None)
    means = [sum([end.vp[other] for end in ends[best]]) / len(ends[best]) for other in range(len(state.vp))]

    def difference(place: int) -> Comparison:
        return Comparison(compared[place], *gain(courses[place], courses[best], seat))

    rival = max([Seat(other) for other in range(len(means)) if other != seat], key=means.__getitem__)
    return Advice(
        seat,
        compared[best],
        estimate([end.vp[seat] for end in ends[best]]),
        estimate([end.lead(seat) for end in ends[best]]),
        rival,
        means[rival],
        _threat(state, compared[best], weights, first, len(ends[best])),
        decline,
        None if asked is None else difference(about),
        None if next_taken is None else difference(next_taken),
        len(ends[best]),
    )


def explain(state: State, action: Action, random: Random, weights: Policy, budget: Budget) -> Comparison:
    """Return the comparison of a legal action with the best plan, as `advise` does. Raises ValueError."""
    comparison = advise(state, random, weights, budget, action).comparison
    assert comparison is not None
    return comparison


def _abandons(actions: list[Action]) -> bool:
    return any(isinstance(action, Abandon) for action in actions)


def _takes_another(actions: list[Action], than: list[Action]) -> bool:
    """Return whether a plan begins by taking a civilization, and another one begins by taking another one."""
    return isinstance(actions[0], Take) and isinstance(than[0], Take) and actions[0] != than[0]


def _keeping_provinces(found: list[Plan]) -> list[Action]:
    """Return the best plan that neither abandons provinces nor declines; empty if there is none."""
    return next((plan.actions for plan in found if not _abandons(plan.actions) and DECLINE not in plan.actions), [])


def _ranked(state: State, random: Random, weights: Policy, simulations: int, limit: float) -> list[Plan]:
    """Return plans, the best first; those that there was no time to simulate are left out, unless a horizon tells."""
    begin, cut = time.monotonic(), horizon(state)
    search.outcome(state, [], weights, 0)
    if cut is not None:
        search.expected(state, [], weights, 0, cut, cut.replies)
    is_slow = limit > 0.0 and (time.monotonic() - begin) * simulations > limit
    most = limit if is_slow else 0.0
    searched = simulations * (1 if cut is None else cut.ends)
    found = search.ranked(state, random, weights, SAMPLES, searched, limit=most, cut=cut)
    return [plan for plan in found if plan.simulations or cut is not None] or found


def _beginning(
    state: State, action: Action, best: list[Action], random: Random, weights: Policy, budget: Budget, limit: float
) -> list[Action]:
    """Return the best plan that begins with an action."""
    if best[0] == action:
        return best
    after = state.copy()
    play(after, action, FastChance(0))
    if after.phase == "over" or after.actor != state.actor or (after.turn, after.round) != (state.turn, state.round):
        return [action]
    return [action, *_ranked(after, random, weights, budget.simulations, limit)[0].actions]


def _ends(
    state: State, compared: list[list[Action]], weights: Policy, first: int, checks: int, end: float
) -> list[list[State]]:
    """Return the ends of simulations by plan; those of equal place draw alike. After the time `end` there are fewer."""
    ends: list[list[State]] = [[] for _ in compared]
    for number in range(first, first + max(checks, FEWEST_CHECKS)):
        if end and number >= first + FEWEST_CHECKS and time.monotonic() > end:
            break
        for place, actions in enumerate(compared):
            ends[place].append(search.outcome(state, actions, weights, number))
    return ends


def _decline(compared: list[list[Action]], courses: list[Course], seat: Seat) -> DeclineAdvice:
    """Return the comparison of a plan with a decline and one without, which are the first two."""
    place = 0 if DECLINE in compared[0] else 1
    taken = compared[place][-1]
    assert isinstance(taken, Take)
    return DeclineAdvice(taken.slot, gain(courses[place], courses[1 - place], seat)[1])


def _threat(state: State, actions: list[Action], weights: Policy, first: int, number: int) -> Threat | None:
    """Return the opponent that takes most VP in simulations from the end of a plan to the seat's next turn."""
    seat, planned = state.actor, (state.round, state.turn)
    vp = [0] * len(state.vp)
    times: list[dict[Province, int]] = [{} for _ in state.vp]
    for seed in range(first, first + number):
        end = state.copy()
        chance, random = FastChance(seed), Random(seed)
        for action in actions:
            play(end, action, chance)
        held = [empire for empire in (end.active[seat], end.declined[seat]) if empire is not None]
        until_my_turn(end, seat, chance, random, weights, search.HEAT, planned)
        for other, theirs in enumerate(end.active):
            if other == seat or theirs is None:
                continue
            for empire in held:
                for p in members(empire.provinces & theirs.provinces):
                    vp[other] += worth(state.board, empire.traits)[p]
                    times[other][p] = times[other].get(p, 0) + 1
    worst = max(range(len(vp)), key=vp.__getitem__)
    often = sorted(times[worst], key=times[worst].__getitem__, reverse=True)[:MOST_THREATENED]
    shares = [(p, times[worst][p] / number) for p in often if times[worst][p] >= LEAST_SHARE * number]
    return Threat(Seat(worst), vp[worst] / number, shares) if vp[worst] and shares else None


def _utility(course: Course, seat: Seat) -> float:
    total = fsum([search.utility(end, seat) for end in course.ends])
    if not course.expected:
        return total
    return total + HORIZON.trust * len(course.ends) * fmean(leads(course, seat))
