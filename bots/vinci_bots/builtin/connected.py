"""Policies as bots that play at servers."""

from typing import Final

from ..sdk import Bot
from ..turn import Answer, Turn
from . import policies

MOST_SECONDS: Final = 2.0
"""Time for a search at a server, where people wait; a turn can need three."""


def policy_bot(name: str) -> type[Bot]:
    """Return a bot class for a policy. Raises KeyError for an unknown name."""
    policies.policy(name)

    class Connected(Bot):
        def __init__(self) -> None:
            self._policy = policies.policy(name, MOST_SECONDS)

        def choose(self, turn: Turn) -> Answer:
            return self._policy(turn.state, turn.chance)

    Connected.name = name
    return Connected
