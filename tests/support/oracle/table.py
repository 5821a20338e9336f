"""The table of a game, from docs/rules.md alone: who has what where, what chance gives, and what a conquest costs.

Seats count from 1, provinces are codes. Forfeits and undo are left out.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from .book import COSTS, EDITIONS, SIZES, TRAITS, Board, copies


class Disagreement(Exception):
    """Raised if a record contradicts the rules."""


def expect(agrees: bool, what: str) -> None:
    """Raise Disagreement unless the condition holds."""
    if not agrees:
        raise Disagreement(what)


@dataclass
class Empire:
    """An active or declined empire; `owed` are the pawns that it must have on the table, reserve and survivors included."""

    traits: list[str]
    land: set[str] = field(default_factory=set)
    reserve: int = 0
    owed: int = 0


@dataclass
class Seat:
    """The state of one seat."""

    dummy: bool
    vp: int
    extra: int
    active: Empire | None = None
    declined: Empire | None = None
    survivors: int = 0
    peace: list[int] = field(default_factory=list)
    must_decline: bool = False


class Table:
    """State of a game: board, seats, market and options."""

    def __init__(self, first: dict[str, Any], seed: str) -> None:
        self.board: Final = Board(first["board"])
        self.edition: Final = first["edition"]
        self.changed: Final = first.get("options", {})
        self.options: Final = {**EDITIONS[self.edition], **self.changed}
        self.seed: Final = seed
        self.drawn: list[str] = []  # what chance gave since the caller last looked
        dummies = [who == "dummy" for who in first["seats"]]
        size = SIZES[len(dummies)]
        solo = len(dummies) == 4 and 2 <= sum(dummies) <= 3
        self.target: Final = int(self.options.get("target", size["solo_target" if solo else "target"]))
        dummy_extra = int(self.options.get("dummy_extra_pawns", size["dummy_extra"]))
        self.seats: Final = {
            number: Seat(
                dummy,
                int(self.options.get("dummy_start_vp", 10)) if dummy else 10,
                dummy_extra if dummy else int(size["extra"]),
            )
            for number, dummy in enumerate(dummies, start=1)
        }
        self.bag: Final = Counter({code: int(row[self.options["deck"]]) for code, row in TRAITS.items()})
        self.market: list[tuple[list[str], int]] = []
        self.fills = self.round = self.spied = self.eliminated = 0
        self.reached = False
        self.phase = "draft"
        self.neutral = {code for code in self.board.order if self.board.terrain[code] != "mountain"}
        self.forts: set[str] = set()
        self.pawns = {code: int(code in self.neutral) for code in self.board.order}
        self.order: list[int] = []
        self.draw_order(any(dummies))
        self.turn = self.actor = self.order[0]
        self.fill()

    # Chance

    def draw(self, purpose: str, key: list[int], candidates: list[str]) -> str:
        """Return the candidate with the smallest digest (docs/chance.md); a single one needs no draw."""
        if len(candidates) > 1:
            place = f"{self.seed}|{purpose}|{'.'.join(map(str, key))}|"
            digests = {hashlib.sha256((place + one).encode()).hexdigest(): one for one in candidates}
            candidates = [digests[min(digests)]]
            self.drawn += candidates
        return candidates[0]

    def draw_order(self, with_dummies: bool) -> None:
        """Draw the order of play (R-SETUP-5, R-DUMMY-1)."""
        left = [str(number) for number in self.seats]
        if not with_dummies:
            first = left.index(self.draw("first", [], left))
            left = left[first:] + left[:first]
        while left:
            picked = self.draw("order", [len(self.order)], left) if with_dummies else left[0]
            left.remove(picked)
            self.order.append(int(picked))

    def draw_trait(self, attempt: int, position: int) -> str:
        """Draw one trait from the bag; each copy is a candidate."""
        candidates = [f"{code}#{copy + 1}" for code, number in self.bag.items() for copy in range(number)]
        code = self.draw("market", [self.fills, attempt, position], candidates).partition("#")[0]
        self.bag[code] -= 1
        return code

    def fill(self) -> None:
        """Fill the market to six civilizations (R-SETUP-4, R-DRAFT-3)."""
        while len(self.market) < 6:
            attempt, aside = 0, []
            pair = [self.draw_trait(0, 0), self.draw_trait(0, 1)]
            while pair[0] == pair[1]:
                attempt += 1
                if self.options["identical_pair"] == "redraw":
                    self.bag.update(pair)
                    pair = [self.draw_trait(attempt, 0), self.draw_trait(attempt, 1)]
                elif pair[0] == "SPE":
                    aside.append(pair[1])
                    pair[1] = self.draw_trait(attempt, 1)
                else:
                    break
            self.bag.update(aside)
            self.market.append((pair, 0))
            self.fills += 1

    # Holdings

    def empire(self) -> Empire:
        """Return the active empire of the seat to act."""
        result = self.seats[self.actor].active
        assert result is not None
        return result

    def holder(self, province: str) -> tuple[int, bool] | None:
        """Return the seat that holds a province, and whether with its active empire; None if no seat does."""
        for number, seat in self.seats.items():
            for empire, active in ((seat.active, True), (seat.declined, False)):
                if empire is not None and province in empire.land:
                    return number, active
        return None

    def others(self, number: int) -> list[int]:
        """Return the other seats in the order of play after this one."""
        place = self.order.index(number)
        return self.order[place + 1 :] + self.order[:place]

    def at_peace(self, one: int, other: int) -> bool:
        """R-PEACE-1."""
        return other in self.seats[one].peace or one in self.seats[other].peace

    def parts(self, land: set[str], by_sea: bool) -> list[set[str]]:
        """Return the connected parts (R-REORG-2)."""
        result, left = [], set(land)
        while left:
            part = [left.pop()]
            for code in part:
                linked = left & self.board.near[code]
                if by_sea:
                    linked |= left & self.board.by_sea_from[code]
                left -= linked
                part += linked
            result.append(set(part))
        return result

    def savings(self, target: str) -> list[int]:
        """Return the pawns that each way to a province saves; empty without a way (R-ENTRY-1 to 3, R-CONQ-1 to 4)."""
        board, empire = self.board, self.empire()
        galleys, astronomy = copies(empire.traits, "galleys"), copies(empire.traits, "astronomy")
        result = []
        if not empire.land:
            if copies(empire.traits, "revolution") or target in board.on_edge:
                result.append(0)
            if target in (board.edge_waters if astronomy else board.edge_sea):
                option = self.options["galleys_on_entry"]
                result.append(galleys if option == "yes" or (option == "astronomy" and astronomy) else 0)
        for origin in empire.land:
            fort = int(origin in self.forts)
            if target in board.near[origin]:
                along = galleys if target in board.on_shore_of[origin] else 0
                result.append(int(board.terrain[origin] == "mountain") + fort + along)
            if astronomy and target in board.by_sea_from[origin]:
                result.append(galleys + (fort if self.options["forts_by_sea"] == "yes" else 0))
        return result

    def is_protected(self, target: str) -> bool:
        """Whether the seat to act may not conquer a province whatever it costs (R-CONQ-8, R-PEACE-1, R-CONTACT)."""
        empire, declined, held = self.empire(), self.seats[self.actor].declined, self.holder(target)
        if held is not None and held[1] and (held[0] == self.actor or self.at_peace(self.actor, held[0])):
            return True
        if declined is None:
            return False
        if copies(empire.traits, "heritage"):
            return target in declined.land and self.options["heritage_conquest"] == "forbidden"
        touches = bool(({target} | self.board.near[target]) & declined.land)
        return touches and self.options["own_decline_contact"] == "forbid"

    def cost(self, target: str) -> int | None:
        """Return the pawns to conquer a province without Spies; None if that is not possible (R-CONQ-3)."""
        traits, terrain, held = self.empire().traits, self.board.terrain[target], self.holder(target)
        savings = self.savings(target)
        if not savings or self.is_protected(target):
            return None
        cost = COSTS[terrain] + self.pawns[target] + int(target in self.forts)
        if held is not None and held[1]:
            defender = self.seats[held[0]].active
            assert defender is not None
            cost += copies(defender.traits, "militia")
        cost -= copies(traits, "weapons") + max(savings)
        if terrain == "mountain":
            cost -= copies(traits, "mountaineers")
        return max(cost, 0)

    def may_stay_out(self) -> bool:
        """R-ENTRY-4, for an empire without land."""
        empire = self.empire()
        lent = 7 * copies(empire.traits, "general") + copies(empire.traits, "medicine")
        if self.options["landless_entry"] == "free" or empire.reserve <= lent:
            return True
        spies = copies(empire.traits, "spies") > self.spied
        costs = [cost for cost in map(self.cost, self.board.order) if cost is not None]
        return not any(cost <= empire.reserve or (spies and empire.reserve >= 2) for cost in costs)

    # Changes that several actions make

    def place(self, pawns: dict[str, int]) -> None:
        """Add survivors of the seat to act to its garrisons."""
        for code, number in pawns.items():
            self.pawns[code] += number
        self.seats[self.actor].survivors = 0

    def clear(self, empire: Empire, provinces: set[str]) -> None:
        """Take provinces from an empire; pawns and forts are removed."""
        for code in provinces:
            self.pawns[code] = 0
        self.forts -= provinces
        empire.land -= provinces

    def shrink_declined(self, number: int, provinces: set[str]) -> None:
        """A declined empire loses provinces, its traits with the last one (R-DECL-7)."""
        declined = self.seats[number].declined
        assert declined is not None
        self.clear(declined, provinces)
        if not declined.land:
            self.remove_declined(number)

    def remove_declined(self, number: int) -> None:
        """R-DECL-2."""
        declined = self.seats[number].declined
        if declined is not None:
            self.clear(declined, set(declined.land))
            self.bag.update(declined.traits)
        self.seats[number].declined = None
