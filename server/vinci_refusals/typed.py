"""Names as people type and see them, compared by server and clients."""

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

CONFUSABLES: Final = Path(__file__).with_name("confusables.tsv")
"""Characters that look like others, by Unicode's UTS 39; `tools/confusables.py` writes it."""


def folded(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if sign.isalnum())


@lru_cache(maxsize=4096)
def looks(text: str) -> frozenset[str]:
    """Return the skeletons of a text (UTS 39) as it is and in lower case; texts that share one look alike."""
    return frozenset(_skeleton(form).casefold() for form in (text, text.casefold()))


def _skeleton(text: str) -> str:
    replaced = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text)).translate(_prototypes())
    return unicodedata.normalize("NFD", replaced)


@cache
def _prototypes() -> Mapping[int, str]:
    rows = (line.rpartition("\t") for line in CONFUSABLES.read_text(encoding="utf-8").split("\n"))
    return {ord(character): prototype for prototype, tab, characters in rows if tab for character in characters}
