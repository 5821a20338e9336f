"""Policies: functions from a position and a source of chance to an action."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from vinci_players.levels import LEVELS, Player, UnknownLevel, level
from vinci_rules import dummy
from vinci_rules.actions import Action
from vinci_rules.chance import Chance
from vinci_rules.state import State

from .greedy import greedy
from .random_bot import random_bot

Policy: TypeAlias = Callable[[State, Chance], Action]
"""Returns a legal action of the seat to act without changing the state."""

POLICIES: Final[dict[str, Policy]] = {"dummy": dummy.choose, "greedy": greedy, "random": random_bot}
"""Policies that remember nothing, by their name in `--players`."""
KNOWN: Final = (*POLICIES, *LEVELS)
"""Names of all policies. Levels can have a budget and a character, as in `expert:2000:raider`."""


def is_policy(name: str) -> bool:
    """Return whether a name, with a budget or not, is that of a policy."""
    try:
        policy(name)
    except KeyError:
        return False
    return True


def fault(name: str) -> str:
    """Return why a name that begins with a level is no policy; empty if it is one, or begins with anything else."""
    try:
        policy(name)
    except KeyError as error:
        return str(error.args[0]) if re.split("[:@]", name)[0] in LEVELS else ""
    return ""


def policy(name: str) -> Policy:
    """Return a policy for one seat of one game.

    Args:
        name: its name, of a level with a budget and a character or not.

    Raises:
        KeyError: the name or the budget is unknown.
    """
    if name in POLICIES:
        return POLICIES[name]
    try:
        return Player(level(name))
    except UnknownLevel as error:
        raise KeyError(*error.args) from None
