"""Observations: the position as numbers, as a seat sees it. Everything in Vinci is public but the draws to come.

Seats are counted from the observer: 0 is the observer itself, 1 the seat after it.
"""

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Final, final

import numpy as np
import numpy.typing as npt

from vinci_rules.actions import SLOTS
from vinci_rules.board import Board, has
from vinci_rules.conquest import campaign_of
from vinci_rules.engine import EXPANSION_PHASES
from vinci_rules.phases import PHASES
from vinci_rules.state import Civilization, State
from vinci_rules.traits import TRAITS, Strengths, Traits, strength_of

from .actions import Placement

Array = npt.NDArray[np.float32]

MARKS: Final = ("mine", "port", "mountain", "forest", "farmland", "field")
PAWNS: Final = 10.0
"""Pawns that count as 1."""
ROUNDS: Final = 20.0
VP: Final = 100.0
MARKETS: Final = 4096
"""Markets whose numbers are kept."""


@final
class Observations:
    """The layout of observations, for a board and a number of seats.

    Attributes:
        size: length of an observation.
        parts: name and shape of each part, in their order.
        planes: names of the planes of the part `provinces`.
    """

    def __init__(self, board: Board, seats: int) -> None:
        self.board: Final = board
        self.seats: Final = seats
        held = [f"{kind} of seat {seat}" for kind in ("active", "declined") for seat in range(seats)]
        self.marks: Final = tuple(mark for mark in MARKS if mark in board.having)
        marks = [*self.marks, "edge"]
        self.planes: Final = (
            *held,
            "neutral",
            "pawns",
            "fort",
            "pawns placed",
            "forts placed",
            "cost",
            "reach",
            *marks,
        )
        of_seat = 6 + 2 * len(TRAITS)
        self.parts: Final[tuple[tuple[str, tuple[int, ...]], ...]] = (
            ("provinces", (len(board.codes), len(self.planes))),
            ("seats", (seats, of_seat)),
            ("market", (SLOTS, 2 + len(TRAITS))),
            ("game", (len(PHASES) + 4,)),
        )
        self.size: Final = sum(prod(shape) for _, shape in self.parts)
        self._slices: Final = _slices(self.parts)
        self._phases: Final = {phase: place for place, phase in enumerate(PHASES)}
        self._blank: Final = np.zeros(self.size, np.float32)
        marked = [*(board.having[mark] for mark in self.marks), board.on_edge]
        static = [[has(those, p) for those in marked] for p in board.provinces]
        self.split(self._blank)["provinces"][:, -len(marks) :] = np.array(static, np.float32)
        self._markets: dict[int, tuple[tuple[Civilization, ...], Array]] = {}
        """Markets by their identity, with their numbers: they change in few steps."""
        self._no_costs: Final = (0,) * len(board.codes)
        self._nobody: Final = [False] * seats

    def split(self, observation: Array) -> dict[str, Array]:
        """Return the parts of an observation, in their shapes."""
        return {name: observation[part].reshape(shape) for name, part, shape in self._slices}

    def of(self, state: State, observer: int, placement: Placement) -> Array:
        """Return what a seat sees; the placement under way is that of the seat to act."""
        observation: Array = self.batch([state], [observer], [placement])[0]
        return observation

    def batch(self, states: Sequence[State], observers: Sequence[int], placements: Sequence[Placement]) -> Array:
        """Return what a seat sees in each of several positions, as rows.

        Everything is gathered as lists first, and turned into numbers at once: this is where the time goes.
        """
        number, seats, provinces = len(states), self.seats, len(self.board.codes)
        sets, more_sets, by_seat, orders, of_games, of_market = [], [], [], [], [], []
        traits: list[int] = []
        pawns: list[int] = []
        costs: list[int] = []
        first, row = 0, 2 * len(TRAITS)
        for state in states:
            declined_first = first + len(TRAITS)
            reserves = [0] * seats
            for seat, empire in enumerate(state.active):
                if empire is None:
                    sets.append(0)
                else:
                    sets.append(empire.provinces)
                    reserves[seat] = empire.reserve
                    traits += [first + seat * row + trait for trait in empire.traits]
            for seat, empire in enumerate(state.declined):
                if empire is None:
                    sets.append(0)
                else:
                    sets.append(empire.provinces)
                    traits += [declined_first + seat * row + trait for trait in empire.traits]
            first += seats * row
            campaign = campaign_of(state) if state.phase in EXPANSION_PHASES else None
            reach = 0 if campaign is None else campaign.reachable
            more_sets += [state.neutral, state.forts, reach]
            pawns += state.garrison
            costs += self._no_costs if campaign is None else campaign.costs
            gone = [seat in state.forfeited for seat in range(seats)] if state.forfeited else self._nobody
            by_seat.append((state.vp, state.survivors, gone, reserves))
            orders.append(state.order)
            of_market.append(self._market(state))
            of_games.append(
                (
                    self._phases[state.phase],
                    state.actor,
                    state.round / ROUNDS,
                    max(state.vp) / state.options.target,
                    0,  # has_begun, which `place` writes
                    state.spied / PAWNS,
                )
            )
        games = np.array(of_games, np.float32)
        # seats as the observer counts them
        places = (np.array(observers)[:, None] + np.arange(seats)) % seats
        every = np.arange(number)[:, None]
        rows = np.tile(self._blank, (number, 1))
        parts = {name: rows[:, part].reshape(number, *shape) for name, part, shape in self._slices}
        held = np.array(sets, "<u8").reshape(number, 2, seats)[every, :, places].transpose(0, 2, 1).reshape(number, -1)
        all_sets = np.concatenate([held, np.array(more_sets, "<u8").reshape(number, 3)], axis=1)
        bits = np.unpackbits(all_sets.view(np.uint8).reshape(number, -1, 8), axis=2, bitorder="little")
        bits = bits[:, :, :provinces].transpose(0, 2, 1)
        planes, plane = parts["provinces"], 2 * seats
        garrison = np.array(pawns, np.float32).reshape(number, provinces)
        planes[:, :, : plane + 1] = bits[:, :, : plane + 1]
        planes[:, :, plane + 1] = garrison / PAWNS
        planes[:, :, plane + 2] = bits[:, :, plane + 1]
        pawns_needed = np.array(costs, np.float32).reshape(number, provinces) + garrison
        planes[:, :, plane + 5] = pawns_needed / PAWNS * bits[:, :, plane + 2]
        planes[:, :, plane + 6] = bits[:, :, plane + 2]
        of_seats = np.array(by_seat, np.float32)[every, :, places]
        numbers = parts["seats"]
        numbers[:, :, 0] = of_seats[:, :, 0] / VP
        numbers[:, :, 1] = of_seats[:, :, 1] / PAWNS
        numbers[:, :, 2] = places == games[:, 1:2]
        numbers[:, :, 3] = np.argsort(np.array(orders), axis=1)[every, places] / seats
        numbers[:, :, 4] = of_seats[:, :, 2]
        numbers[:, :, 5] = of_seats[:, :, 3] / PAWNS
        numbers[:, :, 6:] = np.bincount(traits, minlength=first).reshape(number, seats, row)[every, places]
        np.stack(of_market, out=parts["market"])
        parts["game"][every[:, 0], games[:, 0].astype(int)] = 1
        parts["game"][:, len(PHASES) :] = games[:, 2:]
        for placement, seen in zip(placements, rows, strict=True):
            if placement.has_begun:
                self.place(placement, seen)
        return rows

    def _market(self, state: State) -> Array:
        """Return a row for each slot of the market: VP on it, pawns, and the number of each trait."""
        market = state.market
        known = self._markets.get(id(market))
        if known is None:
            rows = np.zeros((SLOTS, 2 + len(TRAITS)), np.float32)
            for slot, each in enumerate(market):
                rows[slot] = _of_traits(each.traits, state.options.strengths)
                rows[slot, 0] = 2 * each.markers / PAWNS
            if len(self._markets) >= MARKETS:
                self._markets.clear()
            # keeps the market, too, so that no other one gets its identity
            known = self._markets[id(market)] = market, rows
        return known[1]

    def place(self, placement: Placement, observation: Array) -> None:
        """Write a placement under way into an observation of the same position with less of it, or nothing."""
        wide, first = len(self.planes), 2 * self.seats + 3
        for p, several in placement.pawns.items():
            observation[p * wide + first] = several / PAWNS
        for p in placement.forts:
            observation[p * wide + first + 1] = 1
        observation[self.size - 2] = 1  # has_begun, in `game`


def _slices(parts: Sequence[tuple[str, tuple[int, ...]]]) -> list[tuple[str, slice, tuple[int, ...]]]:
    """Return name, place in the row, and shape of each part."""
    found, start = [], 0
    for name, shape in parts:
        end = start + prod(shape)
        found.append((name, slice(start, end), shape))
        start = end
    return found


@cache
def _of_traits(traits: Traits, strengths: Strengths) -> Array:
    """Return a row of the market without VP."""
    row = np.bincount([2 + trait for trait in traits], minlength=2 + len(TRAITS)).astype(np.float32)
    row[1] = strength_of(traits, strengths) / PAWNS
    return row
