"""Estimates the width of drawn text without its font, from the widest of the common fonts."""

import unicodedata
from math import fsum
from typing import Final

_BY_WIDTH: Final = {
    0.3: "'",
    0.35: " ,./:;\\ijl|ł’·",  # noqa: RUF001
    0.4: "()-I[]f",
    0.45: "!Jt",
    0.5: '"*_`r–°',  # noqa: RUF001
    0.55: "?sz“”„",
    0.6: "cvxy",
    0.65: "$0123456789abdeghknopqu{}ø«»",
    0.7: "FLPSTYZßŁ",
    0.75: "ABEKVX",
    0.8: "CGR",
    0.85: "#+<=>DOQU^~Ø×",  # noqa: RUF001
    0.9: "&HNw",
    1.0: "%@mæ—…",
    1.05: "MWœÆ",
}
WIDTHS: Final = {letter: width for width, letters in _BY_WIDTH.items() for letter in letters}
"""Width of a letter in a font of size 1, for upright and italic text; accents do not count."""

WIDEST: Final = 1.15
"""Width of letters that are not in the table."""

BOLD: Final = 1.15
"""Ratio of the widths of bold and regular text."""


def width(text: str, size: float, *, spacing: float = 0.0, bold: bool = False) -> float:
    """Estimate the width of a text in a font of this size; `spacing` is added after every letter, in the same unit."""
    plain = [letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter)]
    letters = fsum(WIDTHS.get(letter, WIDEST) for letter in plain)
    return letters * size * (BOLD if bold else 1.0) + spacing * len(plain)
