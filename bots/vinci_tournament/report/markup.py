"""Pieces of HTML. Whatever a bot or its author wrote goes through `text`."""

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote

from .wording import printable


def text(value: str) -> str:
    """A text for elements and attributes: nothing in it is markup or can be obeyed."""
    return escape(printable(value))


def who(bot: str, *, first: bool = False) -> str:
    """A bot in a table; one that is first is bold."""
    mark = " first" if first else ""
    return f'<span class="who{mark}">{text(bot)}</span>'


def section(name: str, title: str, *content: str) -> str:
    """A section that can be linked to by its name."""
    return f'<section id="{name}">\n<h2>{text(title)}</h2>\n{"".join(content)}</section>\n'


def figure(title: str, chart: str, told: str) -> str:
    """A chart below its title, with what it shows and how to read it."""
    below = f"<figcaption>{text(told)}</figcaption>"
    return f'<figure>\n<h3>{text(title)}</h3>\n<div class="wide">{chart}</div>\n{below}\n</figure>\n'


def link(path: str, shown: str) -> str:
    """A link to a file beside the page."""
    return f'<a href="{quote(path)}">{text(shown)}</a>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """Heads are text, cells are HTML; columns at these places hold numbers."""
    marks = [' class="number"' if place in set(numbers) else "" for place in range(len(heads))]
    head = "".join(f'<th scope="col"{mark}>{text(one)}</th>' for mark, one in zip(marks, heads, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{mark}>{cell}</td>' for mark, cell in zip(marks, row, strict=True))}</tr>\n" for row in rows
    )
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n'
