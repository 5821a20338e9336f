"""Names of computer players with their budgets and characters, and what they are like.

It imports nothing: clients use it, which know no rules.
"""

import re
from typing import Final, NamedTuple


def N_(text: str) -> str:  # noqa: N802
    """Return a text as it is; marks it for `make texts`. Clients translate it."""
    return text


LEVELS: Final = {
    "easy": (N_("Easy"), N_("Plays without looking ahead, and makes mistakes.")),
    "normal": (N_("Normal"), N_("Plays without looking ahead.")),
    "hard": (N_("Hard"), N_("Looks ahead for up to a second.")),
    "expert": (N_("Expert"), N_("Looks ahead for up to two seconds; the best opponent.")),
}
"""Title and description of each level, the weakest first."""

SEARCHING: Final = ("hard", "expert")
"""Levels that look ahead, and so can have a budget."""

OTHERS: Final = {
    "greedy": N_("Takes the most valuable provinces, and looks ahead a little."),
    "random": N_("Plays anything that is legal."),
}
"""Descriptions of the bots without a level."""

BOTS: Final = (*LEVELS, *OTHERS)
"""Names of all computer players; levels can have a budget and a character, as in `expert:2000:raider`."""

CHARACTERS: Final = {
    "raider": (N_("raider"), N_("Takes provinces from others wherever it can.")),
    "builder": (N_("builder"), N_("Spreads over free land, and keeps its civilization for long.")),
    "hermit": (N_("hermit"), N_("Leaves others in peace if it can.")),
    "turncoat": (N_("turncoat"), N_("Soon leaves its civilization for another one.")),
    "avenger": (N_("avenger"), N_("Strikes back at whoever attacked it last.")),
    "kingslayer": (N_("kingslayer"), N_("Attacks whoever is ahead.")),
}
"""Name and a sentence of each character of a level."""

MOST_SIMULATIONS: Final = 100_000
MOST_MILLISECONDS: Final = 600_000


class LevelName(NamedTuple):
    """Name of a level with its budget, 0 for its own, and its character, empty for none."""

    level: str
    simulations: int
    milliseconds: int
    character: str


class UnknownLevel(ValueError):
    """The text names no level; the message says what would be right, `template` with `facts` in English."""

    def __init__(self, template: str, **facts: object) -> None:
        super().__init__(template.format(**facts))
        self.template: Final = template
        self.facts: Final = facts


def parse(word: str) -> LevelName:
    """Parse the name of a level.

    Args:
        word: a name, with another number of simulations as in `expert:2000`, or with a time for each decision as in
            `expert@500ms`; after these a character as in `hard:raider` or `expert:2000:raider`.

    Raises:
        UnknownLevel: there is no such level or character, or its budget is out of range.
    """
    level = level_of(word)
    if level not in LEVELS:
        text = "{word!r} is no level; there are {levels}, as in expert:2000, expert@500ms or hard:raider"
        raise UnknownLevel(text, word=word, levels=", ".join(LEVELS))
    found = re.fullmatch(r"[a-z]+(?::(\d{1,9})|@(\d{1,9})ms)?(?::([a-z]+))?", word)
    if found is None:
        text = N_(
            "{word!r} is no player; right are {level}, expert:2000, expert@500ms, hard:raider, expert:2000:raider"
        )
        raise UnknownLevel(text, word=word, level=level)
    simulations, milliseconds, character = found.groups()
    if character and character not in CHARACTERS:
        text = N_("{word!r}: there is no character {character}; there are {names}")
        raise UnknownLevel(text, word=word, character=character, names=", ".join(CHARACTERS))
    if (simulations or milliseconds) and level not in SEARCHING:
        raise UnknownLevel(N_("{word!r}: {level} does not look ahead, so it has no budget"), word=word, level=level)
    if simulations and not 1 <= int(simulations) <= MOST_SIMULATIONS:
        raise UnknownLevel(N_("{word!r}: 1 to {most} simulations are possible"), word=word, most=MOST_SIMULATIONS)
    if milliseconds and not 1 <= int(milliseconds) <= MOST_MILLISECONDS:
        raise UnknownLevel(N_("{word!r}: 1 to {most} ms are possible"), word=word, most=MOST_MILLISECONDS)
    return LevelName(level, int(simulations or 0), int(milliseconds or 0), character or "")


def fault(word: str) -> UnknownLevel | None:
    """Return why a word that begins with a level names no player; None if it does, or begins with anything else."""
    if level_of(word) in LEVELS:
        try:
            parse(word)
        except UnknownLevel as error:
            return error
    return None


def is_bot(word: str) -> bool:
    """Return whether a word names a computer player."""
    return word in OTHERS or (level_of(word) in LEVELS and fault(word) is None)


def level_of(word: str) -> str:
    """Return a word without its budget and its character."""
    return re.split("[:@]", word)[0]
