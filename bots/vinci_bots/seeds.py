"""Seeds of bots: one for each game, from which the chance of each decision is derived.

The random numbers of a decision depend only on the seed and the revision, so a bot repeats its choice after a lost
connection.
"""

import hashlib
from random import Random

from vinci_rules.chance import FastChance


def bot_seed(seed: str, bot: str) -> str:
    """Return the seed of a bot, derived from the seed of the games and the name of the bot."""
    return hashlib.sha256(f"{seed}|bot|{bot}".encode()).hexdigest()[:32]


def decision_chance(seed: str, revision: int) -> FastChance:
    """Return the chance of a decision at a revision, for a bot with this seed."""
    digest = hashlib.sha256(f"{seed}|{revision}".encode()).digest()
    return FastChance(int.from_bytes(digest[:8], "big"))


def decision_random(seed: str, revision: int) -> Random:
    """Return the generator of random numbers of a decision at a revision, for a bot with this seed."""
    return Random(f"{seed}|random|{revision}")
