"""The VP that each seat will still earn: a linear function of features, fitted to games of searchers.

`python -m tools.train_value` fits the weights. Most of them depend on the turns that a seat has left, and are
interpolated between KNOTS.
"""

from functools import cache
from typing import Final, NamedTuple

from vinci_rules.board import Province, Provinces, members
from vinci_rules.scoring import land_vp, worth
from vinci_rules.state import Empire, Seat, State
from vinci_rules.traits import GENERAL, GENERAL_PAWNS, MILITIA

from . import weights
from .policy import rounds_left

MOST_GAP: Final = 40
"""VP by which a lead makes a difference."""
PER_TURN: Final = 0.1
"""Scale of features that are multiplied by the turns left."""
SOFT: Final = 4.0
"""VP behind the best opponent at which another one counts half as much."""
ACTIVE_RISK: Final[list[list[float]]] = [
    [0.3, 0.2, 0.16, 0.14, 0.06, 0.04, 0.03, 0.02, 0.01, 0.0],
    [0.6, 0.5, 0.45, 0.34, 0.14, 0.09, 0.055, 0.035, 0.02, 0.01],
    [0.8, 0.7, 0.6, 0.5, 0.21, 0.145, 0.11, 0.08, 0.05, 0.03],
]
DECLINED_RISK: Final[list[list[float]]] = [
    [0.3, 0.25, 0.22, 0.18, 0.1, 0.02, 0.01, 0.0, 0.0, 0.0],
    [0.6, 0.5, 0.45, 0.39, 0.18, 0.05, 0.03, 0.02, 0.01, 0.0],
    [0.8, 0.7, 0.6, 0.5, 0.3, 0.17, 0.1, 0.05, 0.03, 0.02],
]
"""Share of provinces that fall in a round, by the number of opponents beside them (at most 2) and their price (at most
9): from 12,000 turns of `hard` from price 3 on, which a garrison of one pawn has."""


class Outlook(NamedTuple):
    """Features of a seat: the turns that it has left, and the features of `weights.BENT` and `weights.STRAIGHT`."""

    turns: float
    bent: list[float]
    straight: list[float]


@cache
def trained() -> list[float]:
    """Return the weights, in the order of `weights.VALUE`."""
    return weights.read_value()


def price_of(state: State, province: Province, garrison: int) -> int:
    """Return the pawns that a province with this garrison costs without skills and Militia."""
    return state.board.cost[province] + garrison + (state.forts >> province & 1)


def reaches(state: State) -> list[Provinces]:
    """Return by seat the provinces beside its active empire, or where it can enter."""
    found: list[Provinces] = []
    for seat in state.seats():
        empire = state.active[seat]
        if empire is None or seat in state.forfeited:
            found.append(0)
        else:
            found.append(state.board.around(empire.provinces) if empire.provinces else state.board.entry)
    return found


def at_risk(province: Province, reach: list[Provinces], price: int, risk: list[list[float]]) -> float:
    """Return about how often a province of this price falls in a round to opponents with these reaches."""
    foes = 0
    for reached in reach:
        foes += reached >> province & 1
    return risk[min(foes, 2)][min(price, 9)]


def outlooks(state: State) -> list[Outlook]:
    """Return the features of each seat at the beginning of a turn."""
    seats, rounds, reach = len(state.vp), rounds_left(state), reaches(state)
    return [_outlook(state, Seat(seat), rounds, reach) for seat in range(seats)]


def _outlook(state: State, seat: Seat, rounds: float, reach: list[Provinces]) -> Outlook:
    board, order, others = state.board, state.order, len(state.vp) - 1
    place = order.index(seat)
    wait = (place - state.turn) % len(order)
    turns = rounds + (1.0 if place >= state.turn else 0.0)
    empire, fallen = state.active[seat], state.declined[seat]
    soon: list[Provinces] = []
    late: list[Provinces] = []
    best = total = 0
    for other in state.seats():
        if other != seat:
            best = max(best, state.vp[other])
            total += state.vp[other]
            if (order.index(other) - state.turn) % len(order) < wait:
                soon.append(reach[other])
            else:
                late.append(reach[other])
    share = len(soon) / others
    straight = [0.0] * len(weights.STRAIGHT)
    provinces = spare = landless = landless_pawns = landless_worth = risk = later = richest = 0.0
    if empire is not None:
        vp, own, militia = worth(board, empire.traits), empire.provinces, empire.copies[MILITIA]
        pawns = empire.reserve - (GENERAL_PAWNS * empire.copies[GENERAL] if wait == 0 and state.phase == "start" else 0)
        for p in members(own):
            pawns += state.garrison[p]
        risk = share * _vp_at_risk(state, empire, soon, militia, ACTIVE_RISK)
        later = (1.0 - share) * _vp_at_risk(state, empire, late, militia, ACTIVE_RISK)
        if own:
            provinces = float(own.bit_count())
            spare = pawns - provinces
            for p in members(reach[seat] & ~state.provinces_of(seat)):
                if vp[p] > richest and price_of(state, p, state.garrison[p]) <= 4:
                    richest = float(vp[p])
        else:
            landless, landless_pawns = 1.0, float(pawns)
            landless_worth = float(sum(vp)) / len(vp) * pawns
        for effect, copies in enumerate(empire.copies):
            if copies:
                straight[effect] = float(copies)
                straight[effect + len(empire.copies)] = copies * turns * PER_TURN
    fading = later_fading = 0.0
    if fallen is not None:
        fading = share * _vp_at_risk(state, fallen, soon, 0, DECLINED_RISK)
        later_fading = (1.0 - share) * _vp_at_risk(state, fallen, late, 0, DECLINED_RISK)
    ahead, gap = float(max(min(state.vp[seat] - best, MOST_GAP), -MOST_GAP)), state.vp[seat] - total / others
    bent = [1.0, float(land_vp(board, empire)), float(land_vp(board, fallen)), provinces, spare, landless]
    bent += [landless_pawns, landless_worth, risk, fading, later, later_fading, ahead, gap, richest, float(wait)]
    return Outlook(turns, bent, straight)


def _vp_at_risk(state: State, empire: Empire, reach: list[Provinces], militia: int, risk: list[list[float]]) -> float:
    """Return about the VP of an empire that fall in a round to opponents with these reaches."""
    total = 0.0
    if reach:
        vp = worth(state.board, empire.traits)
        for p in members(empire.provinces):
            total += vp[p] * at_risk(p, reach, price_of(state, p, state.garrison[p]) + militia, risk)
    return total


def final_vp(state: State, by: list[float]) -> list[float]:
    """Return the VP of each seat to expect at the end of the game, from the beginning of a turn."""
    if state.phase == "over":
        return [float(vp) for vp in state.vp]
    result: list[float] = []
    knots, count = weights.KNOTS, len(weights.BENT)
    for seat, outlook in enumerate(outlooks(state)):
        low, share = between(outlook.turns)
        total, first = float(state.vp[seat]), low * count
        for place, feature in enumerate(outlook.bent):
            if feature:
                lower, upper = by[first + place], by[first + count + place]
                total += feature * (lower + share * (upper - lower))
        first = len(knots) * count
        for place, feature in enumerate(outlook.straight):
            if feature:
                total += feature * by[first + place]
        result.append(total)
    return result


def between(turns: float) -> tuple[int, float]:
    """Return the knot before so many turns left, and the share of the way to the next one."""
    knots, low = weights.KNOTS, 0
    while low < len(knots) - 2 and turns >= knots[low + 1]:
        low += 1
    return low, min(max((turns - knots[low]) / (knots[low + 1] - knots[low]), 0.0), 1.0)


def lead(finals: list[float], seat: Seat) -> float:
    """Return the VP of a seat less a mean of the others, of whom those close to the best one count most."""
    most = max([vp for other, vp in enumerate(finals) if other != seat])
    total = parts = 0.0
    for other, vp in enumerate(finals):
        if other != seat:
            behind = (most - vp) / SOFT
            part = 1.0 / (1.0 + behind * behind)
            total += part * vp
            parts += part
    return finals[seat] - total / parts
