"""An even defence: where pawns go when the rules or a dummy place them (R-DUMMY-4, R-REDEP-3)."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from .board import Province, Provinces, has
from .scoring import worth
from .state import Seat, State

PickTie: TypeAlias = Callable[[int, Sequence[Province]], Province]
"""Settles a tie between provinces, which come in board order; the number tells how many pawns were placed before."""


def lowest(_step: int, tied: Sequence[Province]) -> Province:
    """Ties go to the lowest province in board order."""
    return tied[0]


def attack_cost(state: State, province: Province) -> int:
    """What an attacker pays besides pawns, terrain and fort; Militia is the same all over an empire."""
    return state.board.cost[province] + has(state.forts, province)


def even(state: State, seat: Seat, pawns: dict[Province, int], more: int, pick_tie: PickTie) -> dict[Province, int]:
    """Place `more` pawns one at a time where an attack is cheapest, on top of those in `pawns`.

    All provinces below a level get pawns before any province does on that level, whatever the order among them. So the
    level rises while there are pawns for all; the last ones go, among equals, to provinces where a civilization that is
    announced can enter, or if none is, to front provinces; then to the most valuable; then `pick_tie` settles it.
    """
    if not pawns:
        return pawns
    costs = {p: attack_cost(state, p) + number for p, number in pawns.items()}
    level = min(costs.values())
    while (below := sum(map(level.__ge__, costs.values()))) <= more:
        more -= below
        level += 1
    placed = {p: number + max(level - costs[p], 0) for p, number in pawns.items()}
    if more:
        for p in _preferred(state, seat, [p for p in placed if costs[p] <= level], more, pick_tie):
            placed[p] += 1
    return placed


def _preferred(state: State, seat: Seat, equals: list[Province], number: int, pick_tie: PickTie) -> list[Province]:
    """The first `number` of provinces that cost an attacker the same; there are more of them than that."""
    empire = state.active[seat]
    assert empire is not None
    threatened = _threatened(state, seat)
    value = worth(state.board, empire.traits)
    rank = {p: (not has(threatened, p), -value[p]) for p in equals}
    equals.sort(key=rank.__getitem__)
    last = rank[equals[number - 1]]
    chosen = [p for p in equals if rank[p] < last]
    tied = [p for p in equals if rank[p] == last]
    while len(chosen) < number:
        pick = tied[0] if len(tied) == number - len(chosen) else pick_tie(len(chosen), tied)
        tied.remove(pick)
        chosen.append(pick)
    return chosen


def _threatened(state: State, seat: Seat) -> Provinces:
    """Provinces that come first among equals: entries while a civilization is announced, else the front."""
    held = 0
    for other in state.seats_after(seat):
        enemy = state.active[other]
        if enemy is not None and other not in state.forfeited:
            if not enemy.provinces:
                return state.board.entry
            held |= enemy.provinces
    return state.board.around(held)
