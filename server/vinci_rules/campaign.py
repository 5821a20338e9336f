"""The targets of an attacker and their costs, kept while one conquest follows another; `conquest` computes them."""

from typing import Final, TypeAlias, final

from .board import Province, Provinces

Savings: TypeAlias = tuple[tuple[Province, int], ...]
"""For provinces where some route saves pawns: the pawns that the best route saves."""

Reach: TypeAlias = tuple[Provinces, Savings]
"""The provinces that some routes reach, and the savings."""

ReachFromEach: TypeAlias = tuple[tuple[Reach, ...], tuple[Reach, ...]]
"""The reach of each province alone, first without a fort, then with one."""


@final
class Campaign:
    """The targets of the seat to act and their costs, updated after each conquest.

    Attributes:
        reachable: provinces that a route reaches and no rule protects.
        forbidden: provinces that a rule protects.
        costs: cost of each province in pawns if it is reachable, without the pawns that lie on it.
    """

    __slots__ = ("_plain", "_reach_from", "costs", "forbidden", "reachable")

    def __init__(self, plain: tuple[int, ...], reach_from: ReachFromEach, forbidden: Provinces) -> None:
        self._plain: Final = plain
        self._reach_from: Final = reach_from
        self.costs: Final = list(plain)
        self.forbidden = forbidden
        self.reachable: Provinces = 0

    def extend(self, base: Province) -> None:
        """Add a conquered province as a base without a fort, and remove it from the targets (R-CONQ-1)."""
        reached, savings = self._reach_from[0][base]
        self.forbidden |= 1 << base  # `including` inlined: runs for every conquest
        self.reachable = (self.reachable | reached) & ~self.forbidden
        if savings:
            self.save(savings)

    def save(self, savings: Savings) -> None:
        """Lower the costs; the cheapest route to each province counts (R-CONQ-4)."""
        plain, costs = self._plain, self.costs
        for p, saved in savings:
            if plain[p] - saved < costs[p]:
                costs[p] = plain[p] - saved
