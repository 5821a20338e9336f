"""Makes text from others safe to show in a terminal."""

import unicodedata
from typing import Final

INVISIBLE: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing: fillers of Hangul, the blank of Braille."""

MOST_MARKS: Final = 2
"""Combining marks kept on one letter; more of them cover the lines above and below."""


def printable(text: str) -> str:
    """Return a text in one line, without control sequences and invisible characters.

    Control characters (C0 with newlines and ESC, C1), characters that reverse the direction of writing, invisible ones,
    and all marks of a letter but the first two are left out.
    """
    if text.isprintable() and text.isascii():
        return text
    characters: list[str] = []
    marks = MOST_MARKS  # none is kept before the first letter
    for letter in text:
        if unicodedata.category(letter) in ("Mn", "Me"):
            marks += 1
            if marks <= MOST_MARKS:
                characters.append(letter)
        elif (letter.isprintable() or unicodedata.category(letter) == "Zs") and letter not in INVISIBLE:
            characters.append(letter)
            marks = 0
    return "".join(characters)


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters: a longer one is cut, between words if it can be, and ends in …."""
    if len(text) <= most:
        return text
    start = text[: most - 1]
    words = start.rpartition(" ")[0].rstrip()
    return f"{words if len(words) > most // 2 else start}…"


def printable_lines(text: str) -> str:
    """Return a text of several lines with each of them printable."""
    return "\n".join(map(printable, text.split("\n")))
