"""Golden files of pages: the text of every cell at all four colour depths, and its style.

A page is its text at depth 1, then each of its lines as runs of cells that look alike: the name of a look, and how many
cells if it is more than one. Two tables follow for all pages of a file.

- A look: its name, its ink and its paper (`-` for what the terminal has), whether it is bold, italic, underlined or
  reversed at depths 1, 4, 8 and 24, and its characters at depths 4, 8 and 24, where `.` is the one of the text above;
  at the end of the line they are missing if they are blank.
- A colour: its name, and what it is at depths 4, 8 and 24.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby, product
from string import ascii_lowercase, ascii_uppercase
from typing import Final, NamedTuple, TypeAlias, final

from tests.support.full_screen.colours import DEPTHS
from vinci_cli.full.toolkit.block import Block, cells
from vinci_cli.full.toolkit.theme import style_sheet
from vinci_cli.text.tables import Fragment

NAMES: Final = (*ascii_lowercase, *map("".join, product(ascii_uppercase, ascii_lowercase)))
"""Names of looks and colours, in the order in which they are needed. None of them is the beginning of another one."""

GROUND: Final = " ▀"
"""Characters of the map in colours, which are told wherever they stand on a colour."""

FLAGS: Final = ("bold", "italic", "underline", "reverse")

Colour: TypeAlias = tuple[str, ...]


class CellStyle(NamedTuple):
    """The style of a cell."""

    ink: Colour
    paper: Colour
    flags: str
    characters: str


@final
class Pages:
    """Pages as text, with shared names of styles and colours."""

    def __init__(self) -> None:
        self._looks: Final[dict[CellStyle, str]] = {}
        self._colours: Final[dict[Colour, str]] = {("-", "-", "-"): "-"}
        self._lines: Final[list[str]] = []

    def add(self, title: str, drawn: Sequence[Block]) -> None:
        """Add a page as drawn at each depth."""
        self._lines.extend([title, *drawn[0].text().split("\n"), ""])
        for same_line in zip(*(block.lines for block in drawn), strict=True):
            looks = map(_look, zip(*map(_cells, same_line), strict=True))
            self._lines.append("".join(self._run(look, len(list(same))) for look, same in groupby(looks)))
        self._lines.append("")

    def text(self) -> str:
        """Return all added pages as text."""
        looks = [f"{name} {self._told(look)}" for look, name in self._looks.items()]
        colours = [f"{name} {' '.join(colour)}" for colour, name in self._colours.items() if name != "-"]
        return "\n".join([*self._lines, "looks", *looks, "", "colours", *colours, ""])

    def _run(self, look: CellStyle, length: int) -> str:
        name = self._looks.setdefault(look, NAMES[len(self._looks)])
        return f"{name}{length}" if length > 1 else name

    def _told(self, look: CellStyle) -> str:
        return f"{self._name(look.ink)} {self._name(look.paper)} {look.flags} {look.characters}".rstrip()

    def _name(self, colour: Colour) -> str:
        return self._colours.setdefault(colour, NAMES[len(self._colours) - 1])


def _cells(line: Iterable[Fragment]) -> Iterable[Fragment]:
    """Return the cells of a line; the second cell of a wide character is empty."""
    for style, text in line:
        for letter in text:
            yield style, letter
            yield from [(style, "")] * (cells(letter) - 1)


@cache
def _look(cell: tuple[Fragment, ...]) -> CellStyle:
    """Return the style of a cell from its style and character at each depth."""
    shown = [style_sheet(depth).get_attrs_for_style_str(style) for depth, (style, _) in zip(DEPTHS, cell, strict=True)]
    flags = ["".join(flag[0] for flag in FLAGS if getattr(its, flag)) for its in shown]
    plain = cell[0][1]
    return CellStyle(
        tuple(its.color or "-" for its in shown[1:]),
        tuple(its.bgcolor or "-" for its in shown[1:]),
        ",".join(flags),
        "".join(
            letter if letter != plain or (its.bgcolor and letter in GROUND) else "."
            for its, (_, letter) in zip(shown[1:], cell[1:], strict=True)
        ),
    )
