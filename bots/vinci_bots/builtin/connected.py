"""The policies as bots of the kit, so that they play at servers."""

from ..sdk import Bot
from ..turn import Answer, Turn
from .policies import POLICIES


def policy_bot(name: str) -> type[Bot]:
    """The policy of this name as a bot. Raises KeyError."""
    policy = POLICIES[name]

    class Connected(Bot):
        def choose(self, turn: Turn) -> Answer:
            return policy(turn.state, turn.chance)

    Connected.name = name
    return Connected
