"""A bot that picks any action that is listed as legal, or the suggested one where there are too many to list."""

from vinci_rules.actions import Action
from vinci_rules.chance import Chance, pick_one
from vinci_rules.engine import legal_actions, open_decision, suggestion
from vinci_rules.state import State


def random_bot(state: State, chance: Chance) -> Action:
    """One of the legal actions, each as likely as any other."""
    actions = [*legal_actions(state)]
    if open_decision(state) is not None:
        actions.append(suggestion(state))
    return actions[int(pick_one(chance, "random", (), [str(place) for place in range(len(actions))]))]
