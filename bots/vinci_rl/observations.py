"""Observations: the position as numbers, as a seat sees it. Everything in Vinci is public but the draws to come.

Seats are counted from the observer: 0 is the observer itself, 1 the seat after it.
"""

from collections.abc import Sequence
from math import prod
from typing import Final, final

import numpy as np
import numpy.typing as npt

from vinci_rules.actions import SLOTS
from vinci_rules.board import Board, has, set_of
from vinci_rules.conquest import campaign_of
from vinci_rules.engine import EXPANSION_PHASES
from vinci_rules.phases import PHASES
from vinci_rules.state import Civilization, State
from vinci_rules.traits import TRAITS, strength_of

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
        self.size: Final = sum(prod(shape) for _, shape in self.parts)
        self._slices: Final = _slices(self.parts)
        self._phases: Final = {phase: place for place, phase in enumerate(PHASES)}
        self._blank: Final = np.zeros(self.size, np.float32)
        marked = [*(board.having[mark] for mark in self.marks), board.on_edge]
        static = [[has(those, p) for those in marked] for p in board.provinces]
        self.split(self._blank)["provinces"][:, -len(marks) :] = np.array(static, np.float32)
        self._markets: list[tuple[tuple[Civilization, ...], list[tuple[float, ...]]]] = []
        """The market of each position of the last batch with its numbers: it changes in few steps."""
        self._no_costs: Final = (0,) * len(board.codes)

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
        sets: list[int] = []
        pawns, costs, of_seats, of_games, of_market = [], [], [], [], []
        traits: list[int] = []
        placed: list[tuple[int, int, int]] = []
        row, first = 6 + 2 * len(TRAITS), 0
        for game, (state, observer, placement) in enumerate(zip(states, observers, placements, strict=True)):
            order = [(observer + seat) % seats for seat in range(seats)]
            active, declined = ([empires[seat] for seat in order] for empires in (state.active, state.declined))
            sets += [0 if empire is None else empire.provinces for empire in active]
            sets += [0 if empire is None else empire.provinces for empire in declined]
            campaign = campaign_of(state) if state.phase in EXPANSION_PHASES else None
            sets += [state.neutral, state.forts, set_of(placement.forts), 0 if campaign is None else campaign.reachable]
            pawns.append(state.garrison)
            costs.append(self._no_costs if campaign is None else campaign.costs)
            placed += [(game, p, several) for p, several in placement.pawns.items()]
            for seat, own, old in zip(order, active, declined, strict=True):
                of_seats.append(
                    (
                        state.vp[seat] / VP,
                        state.survivors[seat] / PAWNS,
                        seat == state.actor,
                        state.order.index(seat) / seats,
                        seat in state.forfeited,
                        0 if own is None else own.reserve / PAWNS,
                    )
                )
                if own is not None:
                    traits += [first + trait for trait in own.traits]
                if old is not None:
                    traits += [first + len(TRAITS) + trait for trait in old.traits]
                first += row
            if game >= len(self._markets) or self._markets[game][0] is not state.market:
                self._markets[game : game + 1] = [(state.market, _market(state))]
            of_market.append(self._markets[game][1])
            of_games.append(
                (
                    self._phases[state.phase],
                    state.round / ROUNDS,
                    max(state.vp) / state.options.target,
                    placement.has_begun,
                    state.spied / PAWNS,
                )
            )
        rows = np.tile(self._blank, (number, 1))
        parts = {name: rows[:, part].reshape(number, *shape) for name, part, shape in self._slices}
        bits = np.unpackbits(np.array(sets, "<u8").view(np.uint8).reshape(number, -1, 8), axis=2, bitorder="little")
        bits = bits[:, :, :provinces].transpose(0, 2, 1)
        planes, plane = parts["provinces"], 2 * seats
        garrison = np.array(pawns, np.float32)
        planes[:, :, : plane + 1] = bits[:, :, : plane + 1]
        planes[:, :, plane + 1] = garrison / PAWNS
        planes[:, :, plane + 2] = bits[:, :, plane + 1]
        for game, p, several in placed:
            planes[game, p, plane + 3] = several / PAWNS
        planes[:, :, plane + 4] = bits[:, :, plane + 2]
        planes[:, :, plane + 5] = (np.array(costs, np.float32) + garrison) / PAWNS * bits[:, :, plane + 3]
        planes[:, :, plane + 6] = bits[:, :, plane + 3]
        of_traits = np.bincount(traits, minlength=first).reshape(number, seats, row)[:, :, : row - 6]
        parts["seats"][:, :, :6] = np.array(of_seats, np.float32).reshape(number, seats, 6)
        parts["seats"][:, :, 6:] = of_traits
        parts["market"][:] = of_market
        games = np.array(of_games, np.float32)
        parts["game"][np.arange(number), games[:, 0].astype(int)] = 1
        parts["game"][:, len(PHASES) :] = games[:, 1:]
        return rows


def _slices(parts: Sequence[tuple[str, tuple[int, ...]]]) -> list[tuple[str, slice, tuple[int, ...]]]:
    """Return name, place in the row, and shape of each part."""
    found, start = [], 0
    for name, shape in parts:
        end = start + prod(shape)
        found.append((name, slice(start, end), shape))
        start = end
    return found


def _market(state: State) -> list[tuple[float, ...]]:
    """Return a row for each slot: VP on it, pawns, and the number of each trait."""
    rows = []
    for each in state.market:
        traits = [0.0] * len(TRAITS)
        for trait in each.traits:
            traits[trait] += 1
        rows.append((2 * each.markers / PAWNS, strength_of(each.traits, state.options.strengths) / PAWNS, *traits))
    return rows + [_EMPTY] * (SLOTS - len(rows))


_EMPTY: Final = (0.0,) * (2 + len(TRAITS))
"""A slot of the market without a civilization."""
