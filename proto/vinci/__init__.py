"""Vinci as a library for Python; the messages of the protocol are in `vinci.v1`.

Names are looked up in `vinci_library` when they are first used: programs that only want messages load no rules.
"""

from importlib import import_module
from typing import Any

__all__ = ["Game", "IllegalAction", "Player", "Position", "actions", "events", "load", "new_game", "players"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"vinci has no {name}; it has {', '.join(__all__)}")
    return getattr(import_module("vinci_library"), name)


def __dir__() -> list[str]:
    return [*__all__, "v1"]
