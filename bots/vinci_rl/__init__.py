"""Environments for learners: a PettingZoo environment for all seats, and a Gymnasium one for a seat among players.

docs/learning.md describes actions, observations and rewards.
"""

try:
    from .actions import Actions
    from .environment import VinciEnv, env
    from .observations import Observations
    from .single import SingleSeatEnv
    from .trajectories import Decision, trajectory
    from .vector import Batch, VectorEnv
except ModuleNotFoundError as error:
    if (error.name or "").startswith("vinci"):
        raise
    from vinci_cli.installation import install_command

    text = f"vinci_rl needs packages that are not installed ({error}): {install_command('rl')}"
    raise ModuleNotFoundError(text, name=error.name) from None

__all__ = [
    "Actions",
    "Batch",
    "Decision",
    "Observations",
    "SingleSeatEnv",
    "VectorEnv",
    "VinciEnv",
    "env",
    "trajectory",
]
