"""The actions that the server plays: those of dummies, and of substitutes without a bot."""

from collections.abc import Callable, Iterator
from typing import Final

from vinci_rules import dummy
from vinci_rules.chance import RecordingChance
from vinci_rules.state import Seat

from .log.batch import Batch

ACTIONS_AT_ONCE: Final = 16
"""Actions that are played in one batch, before other commands of the match run."""


def autoplay(batch: Batch, plays: Callable[[Seat], bool]) -> Iterator[None]:
    """Play actions one by one until the server does not play the seat to act, or the batch is full."""
    while (state := batch.state).phase != "over" and plays(state.actor) and len(batch.acts) < ACTIONS_AT_ONCE:
        if state.options.dummies[state.actor]:
            rolling = RecordingChance(batch.chance)
            action = dummy.choose(state, rolling)
            batch.play(state.actor, "dummy", action, rolls=rolling.picks)
        else:
            batch.play(state.actor, "substitute", dummy.advise(state))
        yield
