"""Computer players that this command can start, in words."""

from typing import Final

from vinci_players import names
from vinci_players.names import BOTS, CHARACTERS

from .i18n import N_, _

CHOICES: Final = (*BOTS, *(f"hard:{character}" for character in CHARACTERS))
"""Bots that are proposed where one is chosen without typing."""

DUMMIES: Final = N_(
    "Dummies play by fixed rules, with two more pawns for each civilization: harder than Easy, about as hard as Normal."
)
"""Strength of dummies, as measured in docs/players.md."""

COMPARED: Final = {"easy": N_("Easier than three dummies."), "normal": N_("About as hard as three dummies.")}
"""Levels that three dummies are compared with."""


def fault(word: str) -> str:
    """Return why a word that begins with a level names no player; empty if it does, or begins with anything else."""
    wrong = names.fault(word)
    return _(wrong.template).format(**wrong.facts) if wrong else ""


def about(word: str) -> list[str]:
    """Return sentences about a bot: its level, and its character."""
    levels = {level: text for level, (_title, text) in names.LEVELS.items()}
    described = {**levels, **names.OTHERS, "dummy": DUMMIES}.get(names.level_of(word))
    character = word.rpartition(":")[2]
    sentences = [_(described)] if described else []
    return sentences + ([_(CHARACTERS[character][1])] if sentences and character in CHARACTERS else [])
