"""A report in Markdown, for the summary of a CI run, with tables in the syntax of GitHub and GitLab."""

from typing import Final

from vinci_html.text import printable

from .document import Block, Column, Document, Starred, Value
from .wording import SIGNS, count, whole

SPECIAL: Final = "\\`*_[]<>#|~&@$/"
"""Characters with a meaning in Markdown or HTML."""

UNNAMED: Final = ("#", "Flag")
"""Heads that say no more than what is below them."""


def markdown(document: Document) -> str:
    """Return a report."""
    parts = [f"# {_text(document.title)}"]
    parts += [f"**{SIGNS[gate.outcome]}**: {_text(gate.question)}. {_text(gate.reason)}" for gate in document.verdicts]
    parts += [_text(" · ".join(document.facts)), *map(_text, document.notes)]
    for section, blocks in document.shown("M"):
        parts += [f"## {section.title}", *map(_block, blocks)]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    if block.kind == "text":
        return _text(block.text)
    if block.kind == "items":
        quoted = [(text, ", ".join(f"`{file}`" for file in files)) for text, files in block.content]
        return "\n".join(f"- {_text(text)}{files and f' ({files})'}" for text, files in quoted)
    of = [(place, column) for place, column in enumerate(block.content.columns) if column.head is not None]
    lines = [[_head(column) for _, column in of], ["---:" if column.form else "---" for _, column in of]]
    lines += [[_cell(row[place], column) for place, column in of] for row in block.content.rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _head(column: Column) -> str:
    head = "" if column.head in UNNAMED else column.head or ""
    return f"{head} (95 %)" if column.form not in (None, count) else head


def _cell(value: Value, column: Column) -> str:
    if isinstance(value, str) or column.form is None:
        return f"<code>{_text(str(value))}</code>" if column.style in ("who", "first") else _text(str(value))
    if isinstance(value, int | float):
        return column.form(value)
    return whole(value.estimate if isinstance(value, Starred) else value, column.form)


def _text(text: str) -> str:
    """Escape a text: special characters become numeric references."""
    return "".join(f"&#{ord(letter)};" if letter in SPECIAL else letter for letter in printable(text))
