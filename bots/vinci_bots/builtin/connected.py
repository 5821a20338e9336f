"""Policies as bots that play at servers."""

from ..sdk import Bot
from ..turn import Answer, Turn
from .policies import POLICIES


def policy_bot(name: str) -> type[Bot]:
    """Return a bot class for a policy. Raises KeyError for an unknown name."""
    policy = POLICIES[name]

    class Connected(Bot):
        def choose(self, turn: Turn) -> Answer:
            return policy(turn.state, turn.chance)

    Connected.name = name
    return Connected
