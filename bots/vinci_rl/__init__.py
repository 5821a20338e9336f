"""Environments for learners: a PettingZoo environment for all seats, and a Gymnasium one for a seat among players.

docs/learning.md describes actions, observations and rewards.
"""

from .actions import Actions
from .environment import VinciEnv, env
from .observations import Observations
from .single import SingleSeatEnv
from .trajectories import Decision, trajectory

__all__ = ["Actions", "Decision", "Observations", "SingleSeatEnv", "VinciEnv", "env", "trajectory"]
