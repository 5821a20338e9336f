"""A menu: lines to choose from, and an explanation of the chosen one. All pages of the lobby look like this.

Drawing is a pure function of menu and size. In a wide window the explanation stands beside the lines, else below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, final

from ...text.tables import Line, plain
from .block import Block, beside, cells, cut, fitted, framed, over, padded, stacked, wrapped
from .text import TIE, Row, Segment, button, flowed, key_name, written
from .text import across as text_width

WIDE: Final = 110
"""Columns from which on the explanation stands beside the lines."""

WIDEST: Final = 150
"""Maximum width, as longer lines are hard to read."""

LEAST_ROWS: Final = 3
LEAST_COLUMNS: Final = 20
"""The smallest frame with something in it."""

WIDEST_BOX: Final = 66
"""Maximum width of a menu in a box over a picture."""

LEAST_BOX: Final = 16
ABOUT_ROWS: Final = 4
"""Rows of the explanation in a box, and the rows from which on there is one."""

GAP: Final = "  "
SMALLEST_COLUMN: Final = 4


class MenuItem(NamedTuple):
    """A line: click target and text by column; a single text spans all columns.

    Without a target it is a heading. One that `turns` has several values, and arrows beside the last column.
    """

    target: str
    cells: Sequence[str]
    style: str = ""
    turns: bool = False


@final
@dataclass(frozen=True, slots=True)
class Menu:
    """Contents of a page of the lobby.

    Attributes:
        title: of the page. above: lines between the title and the choices.
        heads: headings of the columns, or none. empty: text in place of choices if there are none.
        chosen: the target of the choice that keys are about.
        about, detail: title and lines of the explanation.
        notice: an answer, or the work under way; `is_error` for an error.
        keys: keys of the page, each with its effect.
    """

    title: str
    choices: Sequence[MenuItem]
    chosen: str = ""
    above: Sequence[Line] = ()
    heads: Sequence[str] = ()
    empty: str = ""
    about: str = ""
    detail: Sequence[Line] = ()
    notice: str = ""
    is_error: bool = False
    keys: Sequence[tuple[str, str]] = ()

    def targets(self) -> list[str]:
        """Targets of the choices."""
        return [choice.target for choice in self.choices if choice.target]


def drawn(menu: Menu, columns: int, rows: int) -> Block:
    """Draw a menu in exactly this size."""
    across = min(columns, WIDEST)
    above: list[Line] = [[("", " "), *line] for line in _wrapped(menu.above, across - 2)]
    head = Block([[("class:title", f" Vinci · {menu.title}")], *above])
    feet = _feet(menu, across)
    body = _body(menu, across, max(rows - head.height - feet.height, 0))
    empty = Block([[]] * (rows - head.height - body.height - feet.height))
    page = fitted(stacked(head, body, empty, feet), across, rows)
    margin = Block([[("", " " * ((columns - across) // 2))]] * rows)
    return fitted(beside(margin, page), columns, rows)


def boxed(menu: Menu, behind: Block, columns: int, rows: int) -> Block:
    """Draw a menu in a box over a picture, which is cut to the rows above the keys; the size is exactly this."""
    feet = _feet(menu, columns)
    room = max(rows - feet.height, 0)
    page = fitted(behind, columns, room)
    inner = min(columns - 4, WIDEST_BOX) - 4
    if inner >= LEAST_COLUMNS and room > LEAST_ROWS:
        head = Block([*_wrapped(menu.above, inner), []]) if menu.above else Block()
        about = Block(
            [[], *_wrapped(menu.detail, inner)][: max(ABOUT_ROWS, room - head.height - len(menu.choices) - 4)]
        )
        about = fitted(about, inner, max(ABOUT_ROWS, about.height) if room >= LEAST_BOX else 0)
        shown = min(len(menu.choices), room - head.height - about.height - 2)
        body = stacked(head, _lines(menu, inner, shown), about)
        body = beside(Block([[("", " ")]] * body.height), fitted(body, inner, body.height))
        box = framed(body, menu.title, inner + 4, min(body.height + 2, room))
        page = over(page, box, max((room - box.height) // 2, 0), (columns - inner - 4) // 2)
    return stacked(page, fitted(feet, columns, feet.height))


def _body(menu: Menu, columns: int, rows: int) -> Block:
    """Choices and explanation, as high as needed, at most `rows`."""
    if rows < LEAST_ROWS or columns < LEAST_COLUMNS:
        return Block()
    wanted = max(len(menu.choices), 1) + bool(menu.heads) + 2
    if not menu.about:
        return _choices(menu, columns, min(wanted, rows))
    if columns >= WIDE:
        across = columns * 3 // 5
        height = min(max(wanted, len(_wrapped(menu.detail, columns - across - 4)) + 2), rows)
        return beside(_choices(menu, across, height), _detail(menu, columns - across, height))
    below = len(_wrapped(menu.detail, columns - 4)) + 2
    below = min(below, max(rows - wanted, rows * 2 // 5))
    if below < LEAST_ROWS:
        return _choices(menu, columns, min(wanted, rows))
    return stacked(_choices(menu, columns, min(wanted, rows - below)), _detail(menu, columns, below))


def _choices(menu: Menu, columns: int, rows: int) -> Block:
    """The choices in a frame; if there are too many, those around the chosen one."""
    inner, shown = columns - 2, rows - 2 - bool(menu.heads)
    lines = [] if menu.choices else wrapped(menu.empty, inner, "class:faint")
    count = f"{min(place_of(menu) + 1, len(menu.choices))}/{len(menu.choices)}" if len(menu.choices) > shown else ""
    return framed(stacked(_lines(menu, inner, shown), Block(lines)), count, columns, rows)


def _lines(menu: Menu, columns: int, shown: int) -> Block:
    """The headings, and that many choices around the chosen one."""
    start = max(min(place_of(menu) - shown // 2, len(menu.choices) - shown), 0)
    widths = _widths(menu, columns - 2)
    rows: list[Row] = [[Segment("  " + _row(menu.heads, widths), "class:faint")]] if menu.heads else []
    for choice in menu.choices[start : start + shown]:
        is_chosen = bool(choice.target) and choice.target == menu.chosen
        rows.append(_choice(choice, widths, columns, is_chosen=is_chosen))
    return written(rows, columns)


def _choice(choice: MenuItem, widths: Sequence[int], across: int, *, is_chosen: bool) -> Row:
    """The line of a choice, with arrows around a value that turns."""
    if not choice.target:
        return [Segment(choice.cells[0], "class:title")]
    style = "class:selected" if is_chosen else choice.style
    text = "▸ " if is_chosen else "  "
    row = []
    if choice.turns:
        text += _row([*choice.cells[:-1], ""], widths[:-1]) + GAP
        value = plain(cut([("", f" {choice.cells[-1]} ")], across - cells(text) - 2))
        row = [
            Segment("◂", "class:button", f"less {choice.target}"),
            Segment(value, style, choice.target),
            Segment("▸", "class:button", f"more {choice.target}"),
        ]
    else:
        text += _row(choice.cells, widths)
    row = [Segment(text, style, choice.target), *row]
    return [*row, Segment(" " * (across - text_width(row)), style, choice.target)]


def _widths(menu: Menu, across: int) -> list[int]:
    """Width of each column: as its texts need, less for the widest ones if there is no room."""
    rows = [menu.heads, *(choice.cells for choice in menu.choices if len(choice.cells) > 1)]
    count = max((len(row) for row in rows), default=0)
    widths = [max((cells(row[n]) for row in rows if n < len(row)), default=0) for n in range(count)]
    while sum(widths) + len(GAP) * (count - 1) > across and max(widths, default=0) > SMALLEST_COLUMN:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(texts: Sequence[str], widths: Sequence[int]) -> str:
    if len(texts) == 1:
        return texts[0]
    return GAP.join(plain(padded([("", text)], across)) for text, across in zip(texts, widths, strict=False))


def _detail(menu: Menu, columns: int, rows: int) -> Block:
    lines: list[Line] = [[("", " "), *line] for line in _wrapped(menu.detail, columns - 4)]
    return framed(Block(lines), menu.about, columns, rows)


def _wrapped(lines: Sequence[Line], columns: int) -> list[Line]:
    """Wrap lines of a single text; others stay as they are."""
    split = [wrapped(line[0][1], columns, line[0][0]) if len(line) == 1 else [line] for line in lines]
    return [row for rows in split for row in rows]


def _feet(menu: Menu, columns: int) -> Block:
    """The notice and the keys, wrapped."""
    style = "class:error" if menu.is_error else "class:hint"
    notice = f"! {menu.notice}" if menu.is_error else menu.notice
    lines = [[("", " "), *line] for line in wrapped(notice, columns - 2, style)]
    keys = [
        part
        for key, effect in menu.keys
        for part in (Segment(TIE), *button(key_name(key), effect, f"key {key}"), Segment(" "))
    ]
    return stacked(Block(lines), written(flowed(keys, columns), columns))


def place_of(menu: Menu) -> int:
    """Index of the chosen item among the choices; 0 if it is missing."""
    targets = [choice.target for choice in menu.choices]
    return targets.index(menu.chosen) if menu.chosen and menu.chosen in targets else 0
