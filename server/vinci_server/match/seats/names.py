"""Names of people and bots: what can be one, and how those at one table stay different."""

import unicodedata
from collections.abc import Collection
from typing import Final

from ...errors import ServiceError

LONGEST_NAME: Final = 32
MOST_MARKS: Final = 2
"""Combining marks in a row, as in letters with two accents."""
INVISIBLE: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as printable, even as letters, and show nothing."""


def one_line(text: str, longest: int) -> str | None:
    """A text with single blanks between its words; None if it is longer than that or would spoil a screen."""
    line = " ".join(text.split())
    return line if len(line) <= longest and line.isprintable() else None


def check_name(name: str) -> str:
    """A name as it is shown, in Unicode's form NFKC; empty for none. Raises ServiceError."""
    cleaned = one_line(unicodedata.normalize("NFKC", name), LONGEST_NAME)
    if cleaned is None:
        raise ServiceError("BAD_NAME", most=LONGEST_NAME)
    if cleaned and not _is_visible(cleaned):
        raise ServiceError("BAD_NAME", "INVISIBLE", most=MOST_MARKS)
    return cleaned


def different(name: str, others: Collection[str]) -> str:
    """The name, or with a number behind it, so that it is none of the others, whatever their capitals."""
    taken = {unicodedata.normalize("NFKC", other).casefold() for other in others}
    found, number = name, 1
    while found.casefold() in taken:
        number += 1
        end = f" ({number})"
        found = name[: LONGEST_NAME - len(end)].rstrip() + end
    return found


def _is_visible(name: str) -> bool:
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks > MOST_MARKS or character in INVISIBLE:
            return False
    return any(unicodedata.category(character)[0] in "LN" for character in name)
