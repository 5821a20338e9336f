"""Play with the weights that `train.py` has written: `vinci bot run bot.py`, or as a command in a league.

The weights are in `weights.npz` beside this file, or in the file that VINCI_WEIGHTS names.
"""

import os
from pathlib import Path

import numpy as np
from train import choose

from vinci_bots.sdk import Bot, Turn, run
from vinci_rl import Actions, Observations
from vinci_rl.actions import Placement, mask
from vinci_rules.actions import Action

WEIGHTS = Path(os.environ.get("VINCI_WEIGHTS", Path(__file__).with_name("weights.npz")))


class Learner(Bot):
    """Plays what the trained policy finds likeliest."""

    name = "learner"

    def choose(self, turn: Turn) -> Action:
        """Return the action for one decision; a placement is put together from its steps."""
        state = turn.state
        if "weights" not in turn.game.memory:
            actions, layout = Actions(turn.board, turn.game.seats), Observations(turn.board, turn.game.seats)
            turn.game.memory.update(actions=actions, layout=layout, weights=np.load(WEIGHTS)["weights"])
        actions, layout, weights = (turn.game.memory[name] for name in ("actions", "layout", "weights"))
        placement = Placement(state, actions)
        while not placement.is_done:
            seen = {
                "observation": layout.of(state, state.actor, placement),
                "action_mask": mask(state, actions, placement),
            }
            number, _ = choose(actions, layout, seen, weights, None)
            action = actions.action(number)
            if action is not None:
                return action
            placement.step(number)
        return placement.action()


if __name__ == "__main__":
    run(Learner)
