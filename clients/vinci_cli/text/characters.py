"""Characters of computer players in words."""

from typing import Final

from .i18n import N_, _

CHARACTERS: Final = {
    "raider": (N_("raider"), N_("Takes provinces from others wherever it can.")),
    "builder": (N_("builder"), N_("Spreads over free land, and keeps its civilization for long.")),
    "hermit": (N_("hermit"), N_("Leaves others in peace if it can.")),
    "turncoat": (N_("turncoat"), N_("Soon leaves its civilization for another one.")),
    "avenger": (N_("avenger"), N_("Strikes back at whoever attacked it last.")),
    "kingslayer": (N_("kingslayer"), N_("Attacks whoever is ahead.")),
}
"""Name and a sentence of each character of a level."""


def label(word: str) -> str:
    """Return a bot in words: `hard raider` for `hard:raider`; another name as it is."""
    before, _colon, character = word.rpartition(":")
    return f"{before} {_(CHARACTERS[character][0])}" if before and character in CHARACTERS else word
