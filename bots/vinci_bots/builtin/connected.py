"""Policies as bots that play at servers."""

from ..sdk import Bot
from ..turn import Answer, Turn
from . import policies


def policy_bot(name: str) -> type[Bot]:
    """Return a bot class for a policy. Raises KeyError for an unknown name."""
    policies.policy(name)

    class Connected(Bot):
        def __init__(self) -> None:
            self._policy = policies.policy(name)

        def choose(self, turn: Turn) -> Answer:
            return self._policy(turn.state, turn.chance)

    Connected.name = name
    return Connected
