"""The rules of Vinci, without input and output, clock, network and global random state.

Start with `engine.py`: `new_game`, `legal_actions`, `check`, `apply`. The rules by id are in `docs/rules.md`.
"""

from . import core as core  # before every other module: it chooses between compiled modules and their sources

ENGINE_VERSION = "0.1.0"
"""Changes when an action in a position can have another result than before."""
