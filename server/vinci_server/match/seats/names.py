"""Names of people and bots: validity, and uniqueness at one table."""

import re
import unicodedata
from collections.abc import Collection
from typing import Final

from vinci_refusals.typed import looks

from ...errors import ServiceError

LONGEST_NAME: Final = 32
MOST_MARKS: Final = 2
"""Combining marks in a row, as in letters with two accents."""
INVISIBLE: Final = frozenset("\u200d\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as printable, even as letters, and show nothing."""
_EMOJI: Final = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINER: Final = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
"""The joiner of emoji, as in that of a family; between other characters it is invisible and not printable."""

SOMEBODY: Final = "somebody"
"""Name in place of that of a person who was forgotten."""
KEPT: Final = (SOMEBODY, "dummy", "easy", "normal", "hard", "expert", "greedy", "random")
"""Names that people cannot take: those of dummies and computer players, too."""
_SEAT: Final = re.compile("seat [0-9lo]+")
"""A seat as clients name it, in the form that texts share which look like it."""


def one_line(text: str, longest: int) -> str | None:
    """Return a text with single blanks between its words; None if it is too long or not printable."""
    line = " ".join(text.split())
    return line if len(line) <= longest and _JOINER.sub("", line).isprintable() else None


def check_name(name: str) -> str:
    """Return a name in Unicode's form NFKC; empty for none. Raises ServiceError."""
    cleaned = one_line(unicodedata.normalize("NFKC", name), LONGEST_NAME)
    if cleaned is None:
        raise ServiceError("BAD_NAME", most=LONGEST_NAME)
    if cleaned and not _is_visible(cleaned):
        raise ServiceError("BAD_NAME", "INVISIBLE", most=MOST_MARKS)
    return cleaned


def check_person(name: str, others: Collection[str]) -> None:
    """Check that a person's name looks neither like another name nor like a seat or computer player.

    The same name but for its case can be taken: it gets a number. Raises ServiceError.
    """
    level = re.split("[:@]", name)[0]  # of one with a budget or character, as in hard:raider
    if any(map(_SEAT.fullmatch, looks(name))) or any(looks(level) & looks(kept) for kept in KEPT):
        raise ServiceError("BAD_NAME", "KEPT", name=name)
    check_unlike(name, [other for other in others if _same(other) != _same(name)])


def check_unlike(name: str, others: Collection[str]) -> None:
    """Raises ServiceError if a name looks like one of others."""
    for other in others:
        if looks(name) & looks(other):
            raise ServiceError("BAD_NAME", "ALIKE", name=name, other=other)


def different(name: str, others: Collection[str]) -> str:
    """Return the name, with a number behind it if another one is the same but for its case."""
    taken = set(map(_same, others))
    unique, number = name, 1
    while _same(unique) in taken:
        number += 1
        end = f" ({number})"
        unique = name[: LONGEST_NAME - len(end)].rstrip() + end
    return unique


def _same(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _is_visible(name: str) -> bool:
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks > MOST_MARKS or character in INVISIBLE:
            return False
    return any(unicodedata.category(character)[0] in "LN" for character in name)
