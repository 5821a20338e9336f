"""Even defence (R-DUMMY-4), from docs/rules.md alone: for dummies, and for redeployments by the rules (R-REDEP-3)."""

from collections import Counter
from typing import TypeAlias

from .book import COSTS
from .table import Table

TieKey: TypeAlias = tuple[str, list[int]]
"""The purpose of the draw that settles ties and the start of its key; without, ties go to the first in board order."""


def attack_cost(table: Table, province: str) -> int:
    """Return the cost of an attack without the pawns; Militia is left out, as it is equal in all of an empire."""
    return COSTS[table.board.terrain[province]] + int(province in table.forts)


def spread(
    table: Table, land: set[str], number: int, tie: TieKey | None = None, *, anew: bool = False
) -> dict[str, int]:
    """Return the pawns to add to provinces, on top of present pawns or, with `anew`, of one pawn each."""
    costs = {code: attack_cost(table, code) + (1 if anew else table.pawns[code]) for code in table.board.sorted(land)}
    added = Counter[str]()
    while number:
        cheapest = [code for code in costs if costs[code] == min(costs.values())]
        if len(cheapest) > number:
            cheapest = _first(table, cheapest, number, tie)
        for code in cheapest:
            costs[code] += 1
        added.update(cheapest)
        number -= len(cheapest)
    return dict(added)


def _first(table: Table, equals: list[str], number: int, tie: TieKey | None) -> list[str]:
    """Return the preferred provinces among those with equal attack costs, for the last pawns."""
    board, traits = table.board, table.empire().traits
    enemies = [enemy for other in table.others(table.actor) if (enemy := table.seats[other].active) is not None]
    if all(enemy.land for enemy in enemies):
        danger = {near for enemy in enemies for code in enemy.land for near in board.near[code]}
    else:
        danger = board.on_edge | board.edge_sea
    ranks = {code: (code in danger, board.worth(traits, code)) for code in equals}
    chosen: list[str] = []
    while len(chosen) < number:
        left = [code for code in equals if code not in chosen]
        best = [code for code in left if ranks[code] == max(ranks[one] for one in left)]
        if len(best) <= number - len(chosen):
            chosen += best
        elif tie is None:
            chosen.append(best[0])
        else:
            chosen.append(table.draw(tie[0], [*tie[1], len(chosen)], best))
    return chosen
