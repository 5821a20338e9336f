"""Where the chance of a bot comes from: a seed for each game, and from it a chance of its own for each decision.

A decision's chance depends on the seed and the revision only, so a bot that comes back after a lost connection, or is
asked again, plays as it would have.
"""

import hashlib

from vinci_rules.chance import FastChance


def bot_seed(seed: str, bot: str) -> str:
    """The seed of a bot in games that are drawn from `seed`: of its name, never of its seat."""
    return hashlib.sha256(f"{seed}|bot|{bot}".encode()).hexdigest()[:32]


def decision_chance(seed: str, revision: int) -> FastChance:
    """The chance of one decision of a game in which the bot has this seed."""
    digest = hashlib.sha256(f"{seed}|{revision}".encode()).digest()
    return FastChance(int.from_bytes(digest[:8], "big"))
