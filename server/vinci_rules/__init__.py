"""The rules of Vinci, without input and output, clock, network and global random state.

Start with `engine.py`: `new_game`, `legal_actions`, `check`, `apply`. The rules by id are in `docs/rules.md`.
"""

ENGINE_VERSION = "0.1.0"
"""Changes when an action in a position can have another result than before."""
