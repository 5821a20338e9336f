"""Write the letters that look alike, from Unicode's confusables.txt; run as: python -m tools.confusables FILE.

The file is https://www.unicode.org/Public/security/latest/confusables.txt, which is also part of the sources of ICU.
Left out is what names cannot hold: characters that are not printable or not in the form NFKC (those that this Python
does not know yet stay).
"""

import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from vinci_refusals.typed import CONFUSABLES

HEADER = """\
# Characters that look like others: each line has a text, a tab, and the characters that look like it.
# {source}, by tools/confusables.py.
# Copyright (c) 1991-2024 Unicode, Inc., Unicode License v3, https://www.unicode.org/license.txt
"""


def table(text: str) -> str:
    """Return the table for the contents of confusables.txt."""
    alike: defaultdict[str, list[str]] = defaultdict(list)
    lines = text.removeprefix("\ufeff").splitlines()
    for line in lines:
        fields = [field.split() for field in line.partition("#")[0].split(";")]
        if len(fields) == 3:
            character, prototype = ("".join(chr(int(code, 16)) for code in field) for field in fields[:2])
            is_shown = unicodedata.category(character)[0] not in "CZ" or unicodedata.category(character) == "Cn"
            if is_shown and unicodedata.is_normalized("NFKC", character):
                alike[prototype].append(character)
    source = ", ".join(
        line.strip("# ") for line in lines[:8] if line.startswith(("# confusables", "# Date", "# Version"))
    )
    rows = "".join(f"{prototype}\t{''.join(sorted(alike[prototype]))}\n" for prototype in sorted(alike))
    return HEADER.format(source=f"Derived from {source}") + rows


if __name__ == "__main__":
    CONFUSABLES.write_text(table(Path(sys.argv[1]).read_text(encoding="utf-8")), encoding="utf-8")
