from vinci_rules import dummy
from vinci_rules.actions import Action
from vinci_rules.chance import Chance
from vinci_rules.state import State


def greedy(state: State, chance: Chance) -> Action:
    return dummy.choose(state, chance)
