"""Observations: the position as numbers, as a seat sees it. Everything in Vinci is public but the draws to come.

Seats are counted from the observer: 0 is the observer itself, 1 the seat after it.
"""

from typing import Final, final

import numpy as np
import numpy.typing as npt

from vinci_rules.actions import SLOTS
from vinci_rules.board import Board, has, members
from vinci_rules.conquest import campaign_of
from vinci_rules.engine import EXPANSION_PHASES
from vinci_rules.market import pawns_for
from vinci_rules.phases import PHASES
from vinci_rules.state import Empire, State
from vinci_rules.traits import TRAITS

from .actions import Placement

Array = npt.NDArray[np.float32]

MARKS: Final = ("mine", "port", "mountain", "forest", "farmland", "field")
PAWNS: Final = 10.0
"""Pawns that count as 1."""
ROUNDS: Final = 20.0
VP: Final = 100.0


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
        self.size: Final = sum(int(np.prod(shape)) for _, shape in self.parts)
        static = [
            [has(board.having[mark], p) for mark in self.marks] + [has(board.on_edge, p)] for p in board.provinces
        ]
        self._static: Final = np.array(static, np.float32)
        self._phases: Final = {phase: place for place, phase in enumerate(PHASES)}

    def split(self, observation: Array) -> dict[str, Array]:
        """Return the parts of an observation, in their shapes."""
        found, start = {}, 0
        for name, shape in self.parts:
            end = start + int(np.prod(shape))
            found[name] = observation[start:end].reshape(shape)
            start = end
        return found

    def of(self, state: State, observer: int, placement: Placement) -> Array:
        """Return what a seat sees; the placement under way is that of the seat to act."""
        observation = np.zeros(self.size, np.float32)
        parts = self.split(observation)
        self._write_provinces(parts["provinces"], state, observer, placement)
        for seat in range(self.seats):
            self._write_seat(parts["seats"][seat], state, (observer + seat) % self.seats)
        for slot, civilization in enumerate(state.market):
            row = parts["market"][slot]
            row[0] = 2 * civilization.markers / PAWNS
            row[1] = pawns_for(state, civilization.traits) / PAWNS if state.phase != "over" else 0
            for trait in civilization.traits:
                row[2 + trait] += 1
        game = parts["game"]
        game[self._phases[state.phase]] = 1
        game[len(PHASES) :] = (
            state.round / ROUNDS,
            max(state.vp) / state.options.target,
            placement.has_begun,
            state.spied / PAWNS,
        )
        return observation

    def _write_provinces(self, planes: Array, state: State, observer: int, placement: Placement) -> None:
        seats = self.seats
        for seat in range(seats):
            place = (seat - observer) % seats
            for empire, first in ((state.active[seat], 0), (state.declined[seat], seats)):
                if empire is not None and empire.provinces:
                    planes[members(empire.provinces), first + place] = 1
        plane = 2 * seats
        if state.neutral:
            planes[members(state.neutral), plane] = 1
        planes[:, plane + 1] = state.garrison
        planes[:, plane + 1] /= PAWNS
        if state.forts:
            planes[members(state.forts), plane + 2] = 1
        for p, pawns in placement.pawns.items():
            planes[p, plane + 3] = pawns / PAWNS
        for p in placement.forts:
            planes[p, plane + 4] = 1
        if state.phase in EXPANSION_PHASES:
            campaign = campaign_of(state)
            if reach := members(campaign.reachable):
                planes[reach, plane + 5] = [(campaign.costs[p] + state.garrison[p]) / PAWNS for p in reach]
                planes[reach, plane + 6] = 1
        planes[:, plane + 7 :] = self._static

    def _write_seat(self, row: Array, state: State, seat: int) -> None:
        row[:6] = (
            state.vp[seat] / VP,
            state.survivors[seat] / PAWNS,
            seat == state.actor,
            state.order.index(seat) / self.seats,
            seat in state.forfeited,
            0 if (active := state.active[seat]) is None else active.reserve / PAWNS,
        )
        _write_traits(row[6:], active)
        _write_traits(row[6 + len(TRAITS) :], state.declined[seat])


def _write_traits(row: Array, empire: Empire | None) -> None:
    if empire is not None:
        for trait in empire.traits:
            row[trait] += 1
