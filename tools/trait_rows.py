"""Adds rows for new traits to section 6 of the translated rules; `--check` only tells whether one is missing.

Run as `python -m tools.trait_rows [--check]`. The English table in docs/rules.md is written by hand. A row that a
translation already has stays as it is; a trait without a row gets one from `vinci_rules/data/traits.csv`.
"""

import re
import sys
from pathlib import Path

from tools.generated import keep
from vinci_rules.data import LANGUAGES
from vinci_rules.traits import KINDS, TraitKind

DOCS = Path(__file__).parents[1] / "docs"
TABLE = re.compile(r"(\n## 6\. .*?\n\|---\|---\|---\|---\|\n)((?:\|[^\n]*\n)*)", re.DOTALL)


def row(kind: TraitKind, language: str) -> str:
    """The row of a trait, made of the data."""
    effect = kind.descriptions[language].removesuffix(".")
    return f"| {kind.names[language]} | {kind.strength} | {kind.source} | {effect} |"


def completed(text: str, language: str) -> str:
    """The rules in a language with a row for every trait, in the order of the data."""
    table = TABLE.search(text)
    if table is None:
        raise ValueError(f"docs/rules.{language}.md: the table of section 6 is missing")
    rows = {line.split("|")[1].strip(): line for line in table[2].splitlines()}
    plain = [kind for kind in KINDS if not kind.lasting]
    fresh = [rows.get(kind.names[language]) or row(kind, language) for kind in plain]
    return text[: table.start(2)] + "".join(f"{line}\n" for line in fresh) + text[table.end(2) :]


def main() -> int:
    """0 if all documents are, or now are, complete."""
    status = 0
    for language in LANGUAGES[1:]:
        path = DOCS / f"rules.{language}.md"
        fresh = completed(path.read_text(encoding="utf-8"), language)
        status |= keep(path, fresh, "lacks a trait in the table of section 6")
    return status


if __name__ == "__main__":
    sys.exit(main())
