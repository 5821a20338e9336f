"""Even defence: placement of pawns by the rules and by dummies (R-DUMMY-4, R-REDEP-3)."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from .board import Province, Provinces, has
from .scoring import worth
from .state import Seat, State

FRONT: Final = 1000
"""Merit of a province where an attack threatens, more than any province scores."""

PickTie: TypeAlias = Callable[[int, Sequence[Province]], Province]
"""Picks one of several equal provinces, given in board order; the number counts the pawns placed before."""


def lowest(_step: int, tied: Sequence[Province]) -> Province:
    """Pick the first province in board order."""
    return tied[0]


def attack_cost(state: State, province: Province) -> int:
    """Return the cost of terrain and fort; Militia is left out, as it is equal throughout an empire."""
    return state.board.cost[province] + has(state.forts, province)


def even(
    state: State, seat: Seat, provinces: Sequence[Province], pawns: Sequence[int], more: int, pick_tie: PickTie
) -> list[int]:
    """Return the pawns of each province after `more` have been added, each where an attack is cheapest.

    This raises all provinces to a common cost level as far as the pawns suffice. The remaining pawns go to provinces on
    that level in this order: entries if an opponent is about to enter, else provinces at the front; then the most
    valuable ones; then as `pick_tie` decides.
    """
    placed, costs, forts = list(pawns), state.board.cost, state.forts
    if not placed:
        return placed
    levels = [costs[p] + has(forts, p) + placed[place] for place, p in enumerate(provinces)]
    ascending = sorted(levels)
    level = ascending[0]
    below = 0  # provinces that cost at most the level
    while True:
        while below < len(ascending) and ascending[below] <= level:
            below += 1
        if below > more:
            break
        more -= below
        level += 1
    equals: list[int] = []
    for place, own in enumerate(levels):
        if own < level:
            placed[place] += level - own
        if own <= level:
            equals.append(place)
    if more:
        for place in _preferred(state, seat, provinces, equals, more, pick_tie):
            placed[place] += 1
    return placed


def _preferred(
    state: State, seat: Seat, provinces: Sequence[Province], equals: list[int], number: int, pick_tie: PickTie
) -> list[int]:
    """Return the places of the `number` preferred ones of more provinces that cost an attacker the same."""
    empire = state.active[seat]
    assert empire is not None
    threatened, vp = _threatened(state, seat), worth(state.board, empire.traits)
    merits = [vp[provinces[place]] + (FRONT if has(threatened, provinces[place]) else 0) for place in equals]
    least = sorted(merits)[-number]
    chosen: list[int] = []
    tied: list[Province] = []
    for place, merit in enumerate(merits):
        if merit > least:
            chosen.append(equals[place])
        elif merit == least:
            tied.append(provinces[equals[place]])
    while len(chosen) < number:
        pick = tied[0] if len(tied) == number - len(chosen) else pick_tie(len(chosen), tied)
        tied.remove(pick)
        chosen.append(provinces.index(pick))
    return chosen


def _threatened(state: State, seat: Seat) -> Provinces:
    """Return the entries if an opponent is about to enter the board, else the provinces next to opponents."""
    held = 0
    for other in state.seats():
        enemy = state.active[other]
        if enemy is not None and other != seat and other not in state.forfeited:
            if not enemy.provinces:
                return state.board.entry
            held |= enemy.provinces
    return state.board.around(held)
