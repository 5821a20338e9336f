"""The rules of Vinci and nothing else: no input or output, no clock, no network, no chance of its own.

Start with `engine.py`: `new_game`, `legal_actions`, `check`, `apply`. The rules by id are in `docs/rules.md`.
"""

ENGINE_VERSION = "0.1.0"
"""Changes whenever the same position and action can have another consequence."""
