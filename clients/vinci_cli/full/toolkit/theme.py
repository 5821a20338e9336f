"""Colours: of the board in cells, by depth, and of text, as a style sheet.

No colour is the only sign of anything. The six of the seats differ for colour-blind people as well; a test simulates
the three kinds. Texts outside the board set no background: they are legible on a dark terminal and on a light one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from prompt_toolkit.styles import Style

from .block import Depth

SEATS: Final = 6
BLACK, WHITE = "#000000", "#ffffff"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the board, as prompt-toolkit names colours.

    `land` and `border` by terrain, the second for pixels at a border; `ink` by terrain for what is written on it.
    `seats` and `on_seats`: a seat's colour, and what is written on it; `declined`: its colour on black. They start with
    the neutral pawns.
    """

    land: Mapping[str, str]
    border: Mapping[str, str]
    ink: Mapping[str, str]
    seats: tuple[str, ...]
    on_seats: tuple[str, ...]
    declined: tuple[str, ...]
    sea: str
    coast: str
    beyond: str
    strait: str
    sea_name: str
    selected: str
    target: str
    changed: str
    lost: str
    on_mark: str


TERRAINS: Final = ("farmland", "pasture", "hills", "forest", "mountain")


def _by_terrain(*colours: str) -> dict[str, str]:
    return dict(zip(TERRAINS, colours, strict=True))


def _ansi(names: str) -> tuple[str, ...]:
    return tuple(f"ansi{name}" for name in names.split())


PALETTES: Final[Mapping[Depth, Palette]] = {
    24: Palette(
        land=_by_terrain("#bcb25e", "#85a463", "#8e6540", "#2f4f38", "#757aa6"),
        border=_by_terrain("#8c8340", "#5f7a46", "#664629", "#1d3625", "#555a80"),
        ink=_by_terrain(BLACK, BLACK, WHITE, WHITE, BLACK),
        seats=("#d0d0d0", "#641ff4", "#ff3b07", "#08a48a", "#c870ff", "#f6ff2e", "#baffff"),
        on_seats=(BLACK, WHITE, BLACK, BLACK, BLACK, BLACK, BLACK),
        declined=("#d0d0d0", "#9a78ff", "#ff6a40", "#08b89a", "#c870ff", "#f6ff2e", "#baffff"),
        sea="#12233c",
        coast="#2c5c85",
        beyond="#34332f",
        strait="#c8d8e8",
        sea_name="#7f9cc0",
        selected="#ffffff",
        target="#ffffff",
        changed="#ffb000",
        lost="#ff3030",
        on_mark=BLACK,
    ),
    8: Palette(
        land=_by_terrain("#d7af5f", "#87af5f", "#af875f", "#5f875f", "#8a8a8a"),
        border=_by_terrain("#af875f", "#5f875f", "#875f5f", "#005f00", "#626262"),
        ink=_by_terrain(BLACK, BLACK, BLACK, BLACK, BLACK),
        seats=("#d0d0d0", "#5f00ff", "#ff0000", "#00af87", "#d75fd7", "#ffff00", "#d7ffff"),
        on_seats=(BLACK, WHITE, BLACK, BLACK, BLACK, BLACK, BLACK),
        declined=("#d0d0d0", "#8787ff", "#ff5f00", "#00af87", "#d75fd7", "#ffff00", "#d7ffff"),
        sea="#00005f",
        coast="#005f87",
        beyond="#303030",
        strait="#d7d7ff",
        sea_name="#87afd7",
        selected="#ffffff",
        target="#ffffff",
        changed="#ffaf00",
        lost="#ff0000",
        on_mark=BLACK,
    ),
    4: Palette(
        land=_by_terrain(*_ansi("yellow brightgreen red green gray")),
        border=_by_terrain(*_ansi("black black black black black")),
        ink=_by_terrain(*_ansi("black black white white black")),
        seats=_ansi("brightblack brightblue brightred cyan magenta brightyellow brightcyan"),
        on_seats=_ansi("white white black black white black black"),
        declined=_ansi("gray brightblue brightred cyan brightmagenta brightyellow brightcyan"),
        sea="ansiblack",
        coast="ansiblue",
        beyond="ansibrightblack",
        strait="ansiwhite",
        sea_name="ansibrightblue",
        selected="ansiwhite",
        target="ansiwhite",
        changed="ansibrightyellow",
        lost="ansibrightred",
        on_mark="ansiblack",
    ),
}
"""Palettes of the board by depth; depth 1 has none."""

_TEXT: Final[Mapping[str, tuple[str, str, str]]] = {
    "seat1": ("bold", "ansiblue bold", "#7d55f5 bold"),
    "seat2": ("bold", "ansired bold", "#f04010 bold"),
    "seat3": ("bold", "ansicyan bold", "#08957e bold"),
    "seat4": ("bold", "ansimagenta bold", "#b863e8 bold"),
    "seat5": ("bold", "ansiyellow bold", "#9c9a00 bold"),
    "seat6": ("bold", "ansigray bold", "#5fa8b0 bold"),
    "neutral": ("", "ansibrightblack", "#8a8a8a"),
    "declined": ("nobold italic", "nobold italic", "nobold italic"),
    "faint": ("", "ansibrightblack", "#808080"),
    "title": ("bold", "bold", "bold"),
    "you": ("bold", "bold", "bold"),
    "hint": ("", "ansicyan", "#2090a8"),
    "error": ("bold", "ansired bold", "#e04040 bold"),
    "frame": ("", "ansibrightblack", "#808080"),
    "selected": ("reverse", "reverse", "reverse"),
    "key": ("bold", "ansicyan bold", "#2090a8 bold"),
    "button": ("reverse", "reverse", "reverse"),
    "input": ("", "", ""),
    "target": ("bold", "bold", "bold"),
    "changed": ("underline", "ansiyellow underline", "#c08400 underline"),
    "lost": ("bold", "ansired bold", "#e04040 bold"),
    "sea": ("", "ansiblue", "#5580b0"),
    "coast": ("", "ansicyan", "#3f88b8"),
    "strait": ("", "", "#8098b0"),
    "beyond": ("", "ansibrightblack", "#808080"),
    "farmland": ("", "ansiyellow", "#a08830"),
    "pasture": ("", "ansigreen", "#6a9a40"),
    "hills": ("", "ansired", "#a87848"),
    "forest": ("", "ansigreen", "#3f8a55"),
    "mountain": ("", "", "#757aa6"),
}
"""Styles of text without colours, with sixteen, and with more."""


@cache
def style_sheet(depth: Depth) -> Style:
    """The classes of text for a depth; `chip1` to `chip6` are a seat's colour as background, `chip0` neutral."""
    column = {1: 0, 4: 1}.get(depth, 2)
    rules = {name: styles[column] for name, styles in _TEXT.items()}
    for seat in range(SEATS + 1):
        rules[f"chip{seat}"] = chip(seat, depth)
    return Style(list(rules.items()))


def chip(seat: int, depth: Depth) -> str:
    """Style of a text on the colour of a seat; seat 0 is neutral."""
    if depth not in PALETTES:
        return "bold" if seat else ""
    palette = PALETTES[depth]
    return f"fg:{palette.on_seats[seat]} bg:{palette.seats[seat]} bold"


def declined_chip(seat: int, depth: Depth) -> str:
    """Style of a text about the declined empire of a seat: its colour on black."""
    if depth not in PALETTES:
        return ""
    palette = PALETTES[depth]
    return f"fg:{palette.declined[seat]} bg:{BLACK if depth > 4 else 'ansiblack'}"
