"""Records as trajectories: what each seat saw, could do and did."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import vinci
from vinci_rules.actions import Forfeit

from .actions import Actions, Mask, Placement, mask
from .environment import Reward, rewards
from .observations import Array, Observations


class Decision(NamedTuple):
    """A step of a seat: its observation, the mask of its actions, its action, and its reward at the end of the game."""

    seat: int
    observation: Array
    action_mask: Mask
    action: int
    reward: float


def trajectory(record: str | Path | Sequence[str], reward: Reward = "rank") -> Iterator[Decision]:
    """Yield the decisions of a recorded game that is over, in order; those of dummies and forfeits are left out.

    Args:
        record: the file, or the lines.
        reward: as in `VinciEnv`.

    Raises:
        RecordError: the record is not valid.
        ValueError: the game is not over.
    """
    end = vinci.load(record)
    if not end.is_over:
        raise ValueError("the game of this record is not over")
    worth = rewards(end, reward)
    board, seats = end.state.board, len(end.scores)
    actions, layout = Actions(board, seats), Observations(board, seats)
    for position, action in end.replay():
        state = position.state
        if state.options.dummies[state.actor] or isinstance(action, Forfeit):
            continue
        placement, seat = Placement(state, actions), state.actor
        for number in actions.steps(state, action):
            yield Decision(
                seat, layout.of(state, seat, placement), mask(state, actions, placement), number, worth[seat]
            )
            if actions.action(number) is None:
                placement.step(number)
