"""Names as people type and see them, compared by server and clients."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

CONFUSABLES: Final = Path(__file__).with_name("confusables.tsv")
"""Characters that look like others, by Unicode's UTS 39; `tools/confusables.py` writes it."""
_IGNORED: Final = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Printable characters that show nothing: they join others or choose their form."""


def folded(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if sign.isalnum())


@lru_cache(maxsize=4096)
def looks(text: str) -> frozenset[str]:
    """Return the skeletons of a text (UTS 39) as it is and in lower case; texts that share one look alike."""
    return frozenset(_skeleton(form).casefold() for form in (text, text.casefold()))


def _skeleton(text: str) -> str:
    seen = _IGNORED.sub("", text)
    replaced = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", seen)).translate(_prototypes())
    return unicodedata.normalize("NFD", replaced)


@cache
def _prototypes() -> Mapping[int, str]:
    rows = (line.rpartition("\t") for line in CONFUSABLES.read_text(encoding="utf-8").split("\n"))
    return {ord(character): prototype for prototype, tab, characters in rows if tab for character in characters}
