"""The fixed space of actions: all of the game, with placements of pawns taken apart into single pawns.

A `hold` has more forms than a space could list. Here it is a row of steps: the first pawn that is placed ends the
conquests, each further one goes to a province where the placement can still become legal, and `done` plays it. A
`redeploy` is a row of pawns, and is played with the last one.
"""

from collections.abc import Iterator
from typing import Final, final

import numpy as np
import numpy.typing as npt

from vinci_rules import engine
from vinci_rules.actions import (
    DECLINE,
    PEACE,
    SLOTS,
    STAY,
    TAKE,
    Abandon,
    Action,
    Conquer,
    Decline,
    Hold,
    Peace,
    Redeploy,
    Stay,
    Take,
)
from vinci_rules.board import Board, Province, Provinces, including, members, set_of
from vinci_rules.cohesion import links
from vinci_rules.reorganisation import Part, Reorganisation
from vinci_rules.state import State

Mask = npt.NDArray[np.int8]


@final
class Actions:
    """Numbers of actions, for a board and a number of seats.

    Attributes:
        size: how many there are.
        names: the meaning of each, such as `x ALP` or `pawn ALP`.
    """

    def __init__(self, board: Board, seats: int) -> None:
        self.board: Final = board
        provinces = len(board.codes)
        self.take: Final = 0
        self.decline: Final = SLOTS
        self.stay: Final = SLOTS + 1
        self.done: Final = SLOTS + 2
        self.peace: Final = SLOTS + 3
        self.conquer: Final = self.peace + seats
        self.spies: Final = self.conquer + provinces
        self.abandon: Final = self.spies + provinces
        self.pawn: Final = self.abandon + provinces
        self.fort: Final = self.pawn + provinces
        self.size: Final = self.fort + provinces
        single = [*(f"take {slot + 1}" for slot in range(SLOTS)), "decline", "stay", "done"]
        by_seat = [f"peace {seat + 1}" for seat in range(seats)]
        words = ("x {}", "x {} spy", "abandon {}", "pawn {}", "fort {}")
        self.names: Final = (*single, *by_seat, *(word.format(code) for word in words for code in board.codes))
        conquests = [Conquer(p, spies=spies) for spies in (False, True) for p in board.provinces]
        whole = (*TAKE[:SLOTS], DECLINE, STAY, None, *PEACE[:seats], *conquests, *map(Abandon, board.provinces))
        self._actions: Final[tuple[Action | None, ...]] = (*whole, *[None] * (self.size - len(whole)))

    def number(self, action: Action) -> int:
        """Return the number of an action that is not a placement."""
        match action:
            case Conquer():  # first, as most are
                return (self.spies if action.spies else self.conquer) + action.province
            case Take():
                return self.take + action.slot
            case Decline():
                return self.decline
            case Stay():
                return self.stay
            case Peace():
                return self.peace + action.seat
            case Abandon():
                return self.abandon + action.province
            case _:
                raise ValueError(f"{action} is a placement, or not for learners")

    def action(self, number: int) -> Action | None:
        """Return the action of a number; None for a step of a placement."""
        return self._actions[number]

    def steps(self, state: State, action: Action) -> list[int]:
        """Return the numbers that play an action in a position, in an order in which each is legal."""
        match action:
            case Redeploy():
                return [self.pawn + p for p, pawns in action.pawns for _ in range(pawns)]
            case Hold():
                kept = list(_grown(state, [p for p, _ in action.pawns]))
                more = [p for p, pawns in action.pawns for _ in range(pawns - 1)]
                placed = [self.pawn + p for p in (*kept, *more)] + [self.fort + p for p in action.forts]
                placement = Placement(state, self)
                for number in placed:
                    placement.step(number)
                return placed if placement.is_done else [*placed, self.done]
            case _:
                return [self.number(action)]


def _grown(state: State, provinces: list[Province]) -> Iterator[Province]:
    """Yield provinces in an order in which each one touches those before, as far as they are connected."""
    linked, left, near = links(state.board, state.empire()), set_of(provinces), 0
    while left:
        p = members(left & near or left)[0]
        left &= ~(1 << p)
        near |= linked[p]
        yield p


@final
class Placement:
    """A placement of pawns that is under way, or could begin; a decision of the seat to act.

    Attributes:
        pawns: the pawns placed so far, by province in board order.
        forts: the forts placed so far.
        is_done: whether nothing more can be placed, so that `action` is to be played.
    """

    def __init__(self, state: State, actions: Actions) -> None:
        self._actions: Final = actions
        self._state: Final = state
        self.pawns: Final[dict[Province, int]] = {}
        self.forts: Final[list[Province]] = []
        self.is_done = False
        self._decision: Final = engine.open_decision(state)
        self._kept: Provinces = 0
        self._placed = 0
        self._next_steps: list[int] | None = None
        """The legal steps of a `hold`, once they are known: each is asked for by `step` and by `legal`."""
        if self._decision == "hold":
            self._limits: Final = Reorganisation(state)
            self._linked: Final = links(state.board, state.empire())

    def copy(self) -> "Placement":
        """Return a placement that goes on from here by itself."""
        twin = Placement(self._state, self._actions)
        twin.pawns.update(self.pawns)
        twin.forts.extend(self.forts)
        twin.is_done, twin._kept, twin._placed = self.is_done, self._kept, self._placed
        return twin

    @property
    def has_begun(self) -> bool:
        """Whether a pawn was placed, so that only steps of the placement are legal."""
        return self._placed > 0

    def legal(self) -> list[int]:
        """Return the legal steps; none if this is no placement."""
        if self._decision == "redeploy":
            return [self._actions.pawn + p for p in members(self._state.empire().provinces)]
        return [] if self._decision is None else self._hold_steps()

    def _hold_steps(self) -> list[int]:
        if self._next_steps is None:
            self._next_steps = self._of_hold()
        return self._next_steps

    def _of_hold(self) -> list[int]:
        actions, limits = self._actions, self._limits
        if not self._placed:
            steps = [actions.pawn + p for part in limits.parts if part.most for p in members(part.provinces)]
            return steps if limits.parts and all(part.least for part in limits.parts) else [*steps, actions.done]
        part = self._part()
        found: list[int] = []
        if self._placed < part.most:
            found = [actions.pawn + p for p in members(self._next(part))]
        if len(self.forts) < limits.forts:
            free = self._kept & ~self._state.forts & ~set_of(self.forts)
            found += [actions.fort + p for p in members(free)]
        if self._placed >= part.least:
            found.append(actions.done)
        return found

    def _part(self) -> Part:
        for part in self._limits.parts:
            if part.provinces & self._kept:
                return part
        raise AssertionError("pawns are placed in a part")

    def _next(self, part: Part) -> Provinces:
        """Return the provinces for the next pawn: new ones, as the rules demand, until all of the part is kept."""
        new = part.provinces & ~self._kept
        if new and self._limits.connected:
            near = 0
            for p in members(self._kept):
                near |= self._linked[p]
            new &= near
        if not new:
            return self._kept
        return new | self._kept if self._limits.free else new

    def step(self, number: int) -> None:
        """Take a step, which must be legal."""
        actions = self._actions
        self._next_steps = None
        if number == actions.done:
            self.is_done = True
            return
        if number >= actions.fort:
            self.forts.append(Province(number - actions.fort))
        else:
            p = Province(number - actions.pawn)
            self.pawns[p] = self.pawns.get(p, 0) + 1
            self._kept = including(self._kept, p)
            self._placed += 1
        if self._decision == "redeploy":
            self.is_done = self._placed == self._state.survivors[self._state.actor]
        else:
            # without a choice left, `done` would be the only step
            self.is_done = self._hold_steps() == [actions.done]

    def action(self) -> Hold | Redeploy:
        """Return the action that was put together."""
        pawns = tuple(sorted(self.pawns.items()))
        return Redeploy(pawns) if self._decision == "redeploy" else Hold(pawns, tuple(sorted(self.forts)))


def mask(state: State, actions: Actions, placement: Placement) -> Mask:
    """Return the legal numbers of the seat to act as ones: of the placement that has begun, or of everything."""
    legal = np.zeros(actions.size, np.int8)
    legal[legal_numbers(state, actions, placement)] = 1
    return legal


def legal_numbers(state: State, actions: Actions, placement: Placement) -> list[int]:
    """Return the legal numbers of the seat to act: of the placement that has begun, or of everything."""
    if state.phase == "over":
        return []
    number = actions.number
    whole = [] if placement.has_begun else [number(action) for action in engine.legal_actions(state)]
    return whole + placement.legal()
