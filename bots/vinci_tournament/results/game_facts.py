"""Facts of a game besides its scores: civilizations with their VP, and attacks between seats.

They are collected from actions and positions, which costs far less than the events of the rules.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, final

from vinci_rules import record
from vinci_rules.actions import Action, Conquer, Decline, Hold, Take
from vinci_rules.scoring import land_vp
from vinci_rules.state import Seat, State
from vinci_rules.traits import KINDS

from .result import CivilizationResult


class Facts(NamedTuple):
    """Civilizations in the order in which they were taken, and attacks as in `Result`."""

    civilizations: tuple[CivilizationResult, ...]
    attacks: tuple[tuple[int, ...], ...]


def facts_of(lines: Iterable[str]) -> Facts:
    """Return the facts of a record. Raises RecordError if it does not replay."""
    return facts_of_steps(record.replay(lines))


def facts_of_steps(steps: Iterator[record.Step]) -> Facts:
    """Return the facts of a replay or of `record.verified`. Raises RecordError as these do."""
    step = next(steps)
    collector = FactCollector(len(step.state.vp))
    for step in steps:
        if step.action is not None:
            collector.before(step.before, step.action)
    return collector.facts(step.state)


@final
class FactCollector:
    """Collects the facts of a game: call `before` each action, and `facts` when the game is over."""

    def __init__(self, seats: int) -> None:
        self._attacks: Final = [[0] * seats for _ in range(seats)]
        self._taken: Final[list[tuple[Seat, tuple[str, ...]]]] = []
        self._vp: Final[list[int]] = []
        self._active: Final = [0] * seats
        self._declined: Final = [0] * seats
        self._scoring: tuple[Seat, int, bool] | None = None

    def before(self, state: State, action: Action) -> None:
        """Collect the facts of an action that is about to be played in this position."""
        if self._scoring is not None:
            self._score(*self._scoring, state)
        seat = state.actor
        if isinstance(action, Conquer):  # not `match`, which takes longer: half of the actions are conquests
            if state.garrison[action.province] and (holder := state.owner(action.province)):
                self._attacks[seat][holder.seat] += holder.seat != seat
        elif isinstance(action, Take):
            self._take(state, action)
        elif isinstance(action, Hold):
            self._scoring = seat, state.vp[seat], False
        elif isinstance(action, Decline):
            self._scoring = seat, state.vp[seat], True
            self._declined[seat] = self._active[seat]

    def facts(self, state: State) -> Facts:
        """Return the facts of the game, which ended in this position."""
        if self._scoring is not None:
            self._score(*self._scoring, state)
        earned = zip(self._taken, self._vp, strict=True)
        return Facts(
            tuple(CivilizationResult(seat, traits, vp) for (seat, traits), vp in earned),
            tuple(map(tuple, self._attacks)),
        )

    def _take(self, state: State, action: Take) -> None:
        traits = sorted(KINDS[trait].code for trait in state.market[action.slot].traits)
        self._active[state.actor] = len(self._taken)
        self._taken.append((state.actor, tuple(traits)))
        self._vp.append(0)

    def _score(self, seat: Seat, vp: int, has_declined: bool, state: State) -> None:
        """Split the VP that a seat scored with its last action between its declined and its active civilization."""
        gained = state.vp[seat] - vp
        old = gained if has_declined else land_vp(state.board, state.declined[seat])
        self._vp[self._declined[seat]] += old
        self._vp[self._active[seat]] += gained - old
        self._scoring = None
