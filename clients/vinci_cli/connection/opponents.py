"""Computer players that this command can start: names, budgets and characters, and what they are like, in words."""

import re
from typing import Final

from ..text.characters import CHARACTERS
from ..text.i18n import N_, _

LEVELS: Final = {
    "easy": N_("Plays without looking ahead, and makes mistakes."),
    "normal": N_("Plays without looking ahead."),
    "hard": N_("Looks ahead for up to a second."),
    "expert": N_("Looks ahead for up to five seconds; the best opponent."),
}
"""Descriptions of the levels, the weakest first."""

SEARCHING: Final = ("hard", "expert")
"""Levels that look ahead, and so can have a budget."""

BOTS: Final = (*LEVELS, "greedy", "random")
"""Bots that this command can start; levels can have a budget and a character, as in `expert:2000:raider`."""

CHOICES: Final = (*BOTS, *(f"hard:{character}" for character in CHARACTERS))
"""Bots that are proposed where one is chosen without typing."""

DUMMIES: Final = N_(
    "Dummies play by fixed rules, with two more pawns for each civilization: harder than Easy, about as hard as Normal."
)
"""Strength of dummies, as measured in docs/players.md."""

COMPARED: Final = {"easy": N_("Easier than three dummies."), "normal": N_("About as hard as three dummies.")}
"""Levels that three dummies are compared with."""

OTHERS: Final = {
    "dummy": DUMMIES,
    "greedy": N_("Takes the most valuable provinces, and looks ahead a little."),
    "random": N_("Plays anything that is legal."),
}

MOST_SIMULATIONS: Final = 100_000
MOST_MILLISECONDS: Final = 600_000


def is_bot(word: str) -> bool:
    """Return whether a word names a bot that this command can start."""
    return word in BOTS or (_level_of(word) in LEVELS and not fault(word))


def fault(word: str) -> str:
    """Return why a word that begins with a level names no bot; empty if it does, or begins with anything else."""
    level = _level_of(word)
    found = re.fullmatch(r"[a-z]+(?::(\d{1,9})|@(\d{1,9})ms)?(?::([a-z]+))?", word)
    if level not in LEVELS:
        return ""
    if found is None:
        text = _("{word!r} is no player; right are {level}, expert:2000, expert@500ms, hard:raider, expert:2000:raider")
        return text.format(word=word, level=level)
    simulations, milliseconds, character = found.groups()
    if character and character not in CHARACTERS:
        text = _("{word!r}: there is no character {character}; there are {names}")
        return text.format(word=word, character=character, names=", ".join(CHARACTERS))
    if (simulations or milliseconds) and level not in SEARCHING:
        return _("{word!r}: {level} does not look ahead, so it has no budget").format(word=word, level=level)
    if simulations and not 1 <= int(simulations) <= MOST_SIMULATIONS:
        return _("{word!r}: 1 to {most} simulations are possible").format(word=word, most=MOST_SIMULATIONS)
    if milliseconds and not 1 <= int(milliseconds) <= MOST_MILLISECONDS:
        return _("{word!r}: 1 to {most} ms are possible").format(word=word, most=MOST_MILLISECONDS)
    return ""


def about(word: str) -> list[str]:
    """Return sentences about a bot: its level, and its character."""
    level = _level_of(word)
    sentences = [_(text) for name, text in (LEVELS | OTHERS).items() if name == level]
    character = word.rpartition(":")[2]
    return sentences + ([_(CHARACTERS[character][1])] if sentences and character in CHARACTERS else [])


def _level_of(word: str) -> str:
    return re.split("[:@]", word)[0]
