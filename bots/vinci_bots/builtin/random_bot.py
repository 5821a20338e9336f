"""A bot that picks a random legal action; of actions with too many forms to list it knows the suggested one."""

from vinci_rules.actions import Action
from vinci_rules.chance import Chance, pick_one
from vinci_rules.engine import legal_actions, open_decision, suggestion
from vinci_rules.state import State


def random_bot(state: State, chance: Chance) -> Action:
    """Return one of the legal actions, all equally likely."""
    actions = [*legal_actions(state)]
    if open_decision(state) is not None:
        actions.append(suggestion(state))
    return actions[int(pick_one(chance, "random", (), [str(place) for place in range(len(actions))]))]
