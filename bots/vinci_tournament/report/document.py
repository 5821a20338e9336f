"""A report as a document: sections of text, tables and charts, in the order of a layout.

A layout is a CSV with a line for each block: the forms that show it (T the terminal, S the state of a league in a
terminal, M Markdown, P the page, N the notes in all of them), its kind, its title, the name of its content, and its
text, in which `{name}` is replaced. A block without its content is left out, and a section without a block that has
content. A section has its id as content, and its title in a terminal as text. Content by kind, where the name may stand
for several by title:

    text      none, a condition, or what `{each}` stands for in a text of its own
    table     a `Table`
    folded    a `Table` that the page folds up behind the title
    items     texts, each with files
    bars      numbers, names and estimates; the text is their head
    matrix    names, and cells by two of them
    lines     pieces of text with commas between them, as many in a line as fit
    chart     a function that draws; charts that follow each other stand side by side
    wide      likewise, alone
    template  what the template of the page with this title shows as `of`
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias

from markupsafe import Markup

from vinci_html import charts

from ..stats.values import Estimate
from .contents import VerdictSection
from .wording import Form, whole


class Starred(NamedTuple):
    """An estimate that may be marked as a finding."""

    estimate: Estimate
    is_found: bool


Value: TypeAlias = str | float | Estimate | Starred
Row: TypeAlias = tuple[str, Estimate] | tuple[str, Estimate, str, str]
"""A label and an estimate, perhaps with a mark and a note."""


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        head: in Markdown and on the page; None if it is not there.
        form: how its numbers are written; None for texts.
        brief: its head in a terminal; None if it is not there.
        interval: how the intervals of its estimates are written in a terminal, which has them in the next column.
        style: of its texts: `who` or `first` for a bot, `list` for several, `code` or `strong`.
    """

    head: str | None
    form: Form | None = None
    brief: str | None = None
    interval: Form | None = None
    style: str = ""


class Table(NamedTuple):
    """Rows with a value for each column. A terminal cuts its column `names` to fit."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    names: int = 1

    def __bool__(self) -> bool:
        return bool(self.rows)


class Block(NamedTuple):
    """A part of a section, as its line of the layout says."""

    on: str
    kind: str
    title: str
    content: Any
    text: str


class Section(NamedTuple):
    """A section: its id on the page, its titles in Markdown and on the page, and in a terminal, and its blocks."""

    name: str
    title: str
    brief: str
    blocks: list[Block]


class Document(NamedTuple):
    """A report.

    Attributes:
        title: what it is about.
        style: the style sheet of its page.
        facts: settings, a few words each.
        sections: in order.
        files: paths and names of files with all values.
        verdicts: of gates.
        notes: sentences on how to read it.
        script: the script of its page.
    """

    title: str
    style: str
    facts: Sequence[str]
    sections: Sequence[Section]
    files: Sequence[tuple[str, str]]
    verdicts: Sequence[VerdictSection] = ()
    notes: Sequence[str] = ()
    script: str = ""

    def shown(self, form: str) -> Iterator[tuple[Section, list[Block]]]:
        """Yield the sections that a form shows, with their blocks."""
        for section in self.sections:
            blocks = [block for block in section.blocks if form in block.on]
            if any(block.content is not None for block in blocks):
                yield section, blocks


def laid_out(package: str, layout: str, values: Mapping[str, Any]) -> list[Section]:
    """Return the sections of a layout with these contents and replacements."""
    sections: list[Section] = []
    for line in csv.DictReader(files(package).joinpath(layout).read_text(encoding="utf-8").splitlines()):
        content = values[line["content"]] if line["content"] and line["kind"] != "section" else None
        title = line["title"].format_map(values)
        if line["kind"] == "section":
            sections.append(Section(line["content"], title, line["text"], []))
        elif content or not line["content"]:
            several = {title: None if line["kind"] == "text" else content}
            if isinstance(content, dict) and line["kind"] not in ("text", "template"):
                several = {name: of for name, of in content.items() if of}
            for each in (content or ()) if "{each}" in line["text"] else ("",):
                text = line["text"].format_map({**values, "each": each})
                sections[-1].blocks.extend(Block(line["on"], line["kind"], *one, text) for one in several.items())
    return sections


def intervals(name: str, rows: Iterable[Row], middle: float, form: Form) -> Callable[[], Markup] | None:
    """Return a function that draws estimates around a middle; None without any."""
    drawn = [
        charts.Interval(label, of.low, of.value, of.high, "".join((whole(of, form), *more[:1])), "".join(more[1:]))
        for label, of, *more in rows
    ]
    return partial(charts.intervals, name, drawn, middle, form) if drawn else None
