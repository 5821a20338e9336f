"""Environments for learners: a PettingZoo environment for all seats, and a Gymnasium one for a seat among players.

docs/learning.md describes actions, observations and rewards.
"""

from .actions import Actions
from .environment import VinciEnv, env
from .observations import Observations
from .single import SingleSeatEnv
from .trajectories import Decision, trajectory
from .vector import Batch, VectorEnv

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
