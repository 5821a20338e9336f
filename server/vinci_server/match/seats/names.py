"""Names of people and bots: validity, and uniqueness at one table."""

import re
import unicodedata
from collections.abc import Collection
from typing import Final

from ...errors import ServiceError

LONGEST_NAME: Final = 32
MOST_MARKS: Final = 2
"""Combining marks in a row, as in letters with two accents."""
INVISIBLE: Final = frozenset("\u200d\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as printable, even as letters, and show nothing."""
_EMOJI: Final = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINER: Final = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
"""The joiner of emoji, as in that of a family; between other characters it is invisible and not printable."""


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


def different(name: str, others: Collection[str]) -> str:
    """Return the name, with a number behind it if another one is the same but for its case."""
    taken = {unicodedata.normalize("NFKC", other).casefold() for other in others}
    unique, number = name, 1
    while unique.casefold() in taken:
        number += 1
        end = f" ({number})"
        unique = name[: LONGEST_NAME - len(end)].rstrip() + end
    return unique


def _is_visible(name: str) -> bool:
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks > MOST_MARKS or character in INVISIBLE:
            return False
    return any(unicodedata.category(character)[0] in "LN" for character in name)
