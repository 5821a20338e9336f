"""Built-in computer players by name: functions from a position and a source of chance to an action."""

from collections.abc import Callable
from typing import Final, TypeAlias

from vinci_rules import dummy
from vinci_rules.actions import Action
from vinci_rules.chance import Chance, pick_one
from vinci_rules.engine import legal_actions, open_decision, suggestion
from vinci_rules.state import State

from . import names
from .greedy import greedy
from .levels import Player, level

Policy: TypeAlias = Callable[[State, Chance], Action]
"""Returns a legal action of the seat to act without changing the state."""


def random_bot(state: State, chance: Chance) -> Action:
    """Return one of the legal actions, all equally likely; of those with too many forms to list the suggested one."""
    actions = [*legal_actions(state)]
    if open_decision(state) is not None:
        actions.append(suggestion(state))
    return actions[int(pick_one(chance, "random", (), [str(place) for place in range(len(actions))]))]


POLICIES: Final[dict[str, Policy]] = {"dummy": dummy.choose, "greedy": greedy, "random": random_bot}
"""Policies that remember nothing, by their name in `--players`."""
KNOWN: Final = (*POLICIES, *names.LEVELS)
"""Names of all policies."""


def is_policy(name: str) -> bool:
    """Return whether a name, with a budget or not, is that of a policy."""
    return name in POLICIES or names.is_bot(name)


def policy(name: str) -> Policy:
    """Return a policy for one seat of one game.

    Args:
        name: its name, of a level with a budget and a character or not.

    Raises:
        UnknownLevel: the name or the budget is unknown.
    """
    return POLICIES.get(name) or Player(level(name))
