"""Policies: functions from a position and a source of chance to an action."""

from collections.abc import Callable
from typing import Final, TypeAlias

from vinci_rules import dummy
from vinci_rules.actions import Action
from vinci_rules.chance import Chance
from vinci_rules.state import State

from .greedy import greedy
from .random_bot import random_bot

Policy: TypeAlias = Callable[[State, Chance], Action]
"""Returns a legal action of the seat to act without changing the state."""

POLICIES: Final[dict[str, Policy]] = {"dummy": dummy.choose, "greedy": greedy, "random": random_bot}
"""Policies by their name in `--players`."""
