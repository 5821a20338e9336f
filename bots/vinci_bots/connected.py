"""A policy behind a server: decisions in, actions out."""

import secrets

from vinci.v1.bot_pb2 import Decision
from vinci.v1.game_pb2 import Action
from vinci_client.bot import Choose
from vinci_codec import actions
from vinci_rules import position
from vinci_rules.chance import FastChance

from .policy import POLICIES


def chooser(name: str) -> Choose:
    """The policy of this name for `vinci_client.bot.play`; it asks for positions. Raises KeyError."""
    policy = POLICIES[name]
    chance = FastChance(secrets.randbits(64))

    async def choose(decision: Decision) -> list[Action]:
        state = position.read(decision.position)
        return [actions.to_message(policy(state, chance), state.board)]

    return choose
