"""Colours: of the board in cells, by theme and depth, and of text, as a style sheet.

No colour is the only sign of anything. Those of the board differ for colour-blind people as well; a test simulates the
three kinds. Texts outside the board set no background: they are legible on a dark terminal and on a light one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from prompt_toolkit.styles import Style

from .block import Depth
from .display import current

SEATS: Final = 6
BLACK, WHITE = "#000000", "#ffffff"

ALIKE: Final = 0.8
"""Share of the mean of all terrains below a tint, so that owners differ more than terrains."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the board, as prompt-toolkit names colours.

    `land` and `border` by terrain, the second for lines between provinces; `ink` by terrain for what is written on it.
    They, and all tints, are computed from `land` where colours can be mixed. `seats` and `on_seats`: a seat's colour,
    and what is written on it; `declined`: its colour on `paper`. They start with the neutral pawns. `lighter`: share of
    white in the tint of declined empires, 0 to 1. `own` and `held`: shares of the owner's colour in the tint of a
    province, 0 to 1: own land, land of others and declined empires. `tints`: own, held and declined land by seat, for
    colours that are too few to be mixed.
    """

    land: Mapping[str, str]
    seats: tuple[str, ...]
    on_seats: tuple[str, ...]
    declined: tuple[str, ...]
    paper: str
    sea: str
    coast: str
    beyond: str
    strait: str
    sea_name: str
    lighter: float
    selected: str
    on_selected: str
    target: str
    changed: str
    lost: str
    on_mark: str
    ink: Mapping[str, str] | None = None
    border: str = ""
    own: float = 0
    held: float = 0
    tints: Sequence[tuple[str, ...]] = ()

    @property
    def has_tints(self) -> bool:
        """Whether colours can be mixed."""
        return not self.border

    @property
    def mean(self) -> str:
        """The mean colour of all terrains."""
        return mean(tuple(self.land.values()))

    @property
    def nobody(self) -> str:
        """The colour of provinces without an owner where terrains are not told apart."""
        return self.mean if self.has_tints else self.land["mountain"]

    def fill(self, terrain: str, seat: int, *, is_declined: bool, is_own: bool) -> str:
        """Return the colour of a province: that of its terrain, tinted with that of its owner if it has one."""
        land = self.land[terrain]
        if not seat or not self.has_tints:
            return land
        if self.tints:
            return self.tints[2 if is_declined else 0 if is_own else 1][seat - 1]
        tint = mixed(mixed(land, self.mean, ALIKE), self.seats[seat], self.own if is_own else self.held)
        return mixed(tint, WHITE, self.lighter) if is_declined else tint

    def rim(self, seat: int, *, is_declined: bool, fill: str) -> str:
        """Return the colour of the rim of an empire."""
        return mixed(self.seats[seat], fill, 0.35) if is_declined and self.has_tints else self.seats[seat]

    def line(self, fill: str) -> str:
        """Return the colour of lines on a province: those between provinces of one empire, and hatching."""
        return mixed(fill, BLACK, 0.3) if self.has_tints else self.border

    def texture(self, fill: str) -> str:
        """Return the colour of the signs of its terrain all over a province."""
        return mixed(fill, readable(fill), 0.22)

    def ink_on(self, fill: str, terrain: str) -> str:
        """Return the colour of a name on a province."""
        return readable(fill) if self.ink is None else self.ink[terrain]


@cache
def mixed(one: str, other: str, share: float) -> str:
    """Return a colour with a share of another one, 0 to 1."""
    parts = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(first + (second - first) * share):02x}" for first, second in parts)


@cache
def mean(colours: tuple[str, ...]) -> str:
    """Return the mean of colours."""
    result = colours[0]
    for number, colour in enumerate(colours[1:], 2):
        result = mixed(result, colour, 1 / number)
    return result


@cache
def readable(colour: str) -> str:
    """Return black or white, whichever can be read better on a colour."""
    red, green, blue = ((int(colour[at : at + 2], 16) / 255) ** 2.2 for at in (1, 3, 5))
    return BLACK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else WHITE


TERRAINS: Final = ("farmland", "pasture", "hills", "forest", "mountain")


def _by_terrain(*colours: str) -> dict[str, str]:
    return dict(zip(TERRAINS, colours, strict=True))


def _ansi(names: str) -> tuple[str, ...]:
    return tuple(f"ansi{name}" for name in names.split())


_SEATS_DARK: Final = ("#d0d0d0", "#0000ac", "#d78200", "#5dc8a4", "#0069ff", "#d7ff1c", "#e8c9ff")
_SEATS_LIGHT: Final = ("#4d463c", "#0000ff", "#760000", "#3eff00", "#8777c1", "#7c5d00", "#220037")

MIXED: Final[Mapping[str, Palette]] = {
    "dark": Palette(
        land=_by_terrain("#85714d", "#667b65", "#775459", "#4a544b", "#73727f"),
        seats=_SEATS_DARK,
        on_seats=tuple(map(readable, _SEATS_DARK)),
        declined=("#d0d0d0", "#8080ff", "#d78200", "#5dc8a4", "#4a93ff", "#d7ff1c", "#e8c9ff"),
        paper=BLACK,
        sea="#151435",
        coast="#1b3e5a",
        beyond="#2d2121",
        lighter=0.315,
        own=0.66,
        held=0.42,
        strait="#c8d8e8",
        sea_name="#7f9cc0",
        selected=WHITE,
        on_selected=BLACK,
        target=WHITE,
        changed="#ffb000",
        lost="#ff3030",
        on_mark=BLACK,
    ),
    "light": Palette(
        land=_by_terrain("#eddcc9", "#d4dcb9", "#dbc8a8", "#c1ccb6", "#e0ddd1"),
        seats=_SEATS_LIGHT,
        on_seats=tuple(map(readable, _SEATS_LIGHT)),
        declined=("#4d463c", "#0000ff", "#760000", "#1c7a00", "#6a59ab", "#7c5d00", "#220037"),
        paper=WHITE,
        sea="#79b9e4",
        coast="#c7daf8",
        beyond="#ebece1",
        lighter=0.184,
        own=0.72,
        held=0.46,
        strait="#7a2d1e",
        sea_name="#1d4759",
        selected=BLACK,
        on_selected=WHITE,
        target=WHITE,
        changed="#ffb000",
        lost="#ff3030",
        on_mark=BLACK,
    ),
}
"""Palettes of the board by theme for terminals in which colours can be mixed."""

OF_256: Final[Mapping[str, Palette]] = {
    "dark": replace(
        MIXED["dark"],
        land=_by_terrain("#875f00", "#5f875f", "#870000", "#585858", "#767676"),
        sea="#00005f",
        coast="#005f87",
        beyond="#262626",
        tints=(
            ("#0000d7", "#d78700", "#5faf5f", "#005fff", "#afd700", "#d7afd7"),
            ("#0000af", "#878700", "#00afaf", "#5f87d7", "#d7d787", "#af8787"),
            ("#875faf", "#d7af87", "#afd7af", "#87afff", "#87d75f", "#bcbcbc"),
        ),
    ),
    "light": replace(
        MIXED["light"],
        seats=(*_SEATS_LIGHT[:-1], "#5f005f"),
        land=_by_terrain("#d7af5f", "#d7ffaf", "#d78700", "#87af87", "#d0d0d0"),
        sea="#5fafff",
        coast="#afd7ff",
        beyond="#ffffff",
        tints=(
            ("#5f00ff", "#870000", "#00ff00", "#8787af", "#875f00", "#5f005f"),
            ("#5f5fd7", "#af5f5f", "#87d700", "#afafd7", "#af875f", "#875f87"),
            ("#5f87ff", "#d75f87", "#afff5f", "#b2b2b2", "#d7d787", "#808080"),
        ),
    ),
}
"""The same for terminals of 256 colours, chosen among these by a search for the largest differences.

Mixed colours would become those of other terrains and seats. The terrain of held land is told by its signs alone.
"""

SIXTEEN: Final = Palette(
    land=_by_terrain(*_ansi("yellow brightgreen red green gray")),
    border="ansiblack",
    ink=_by_terrain(*_ansi("black black white white black")),
    seats=_ansi("brightblack brightblue brightred cyan magenta brightyellow brightcyan"),
    on_seats=_ansi("white white black black white black black"),
    declined=_ansi("gray brightblue brightred cyan brightmagenta brightyellow brightcyan"),
    paper="ansiblack",
    sea="ansiblack",
    coast="ansiblue",
    beyond="ansibrightblack",
    lighter=0,
    strait="ansiwhite",
    sea_name="ansibrightblue",
    selected="ansiwhite",
    on_selected="ansiblack",
    target="ansiwhite",
    changed="ansibrightyellow",
    lost="ansibrightred",
    on_mark="ansiblack",
)


def palette(depth: Depth) -> Palette | None:
    """Return the colours of the board in the theme of this session; None without colours."""
    if depth <= 1:
        return None
    return SIXTEEN if depth == 4 else (OF_256 if depth == 8 else MIXED)[current().theme]


_TEXT: Final[Mapping[str, tuple[str, str, str]]] = {
    "seat1": ("bold", "ansiblue bold", ""),
    "seat2": ("bold", "ansired bold", ""),
    "seat3": ("bold", "ansicyan bold", ""),
    "seat4": ("bold", "ansimagenta bold", ""),
    "seat5": ("bold", "ansiyellow bold", ""),
    "seat6": ("bold", "ansigray bold", ""),
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
"""Styles of text without colours, with sixteen, and with more; those of seats with more are in `_NAMES`."""

_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "dark": ("#4a55f0", "#d07800", "#2a9c78", "#2f8cff", "#949c00", "#b07ad8"),
    "light": ("#3038f0", "#b83020", "#2f9a10", "#8070c0", "#8c6a00", "#7a3a90"),
}
"""Colours of the names of seats by theme, which are legible on the other one, too."""


@cache
def _sheet(depth: Depth, theme: str) -> Style:
    column = {1: 0, 4: 1}.get(depth, 2)
    rules = {name: styles[column] for name, styles in _TEXT.items()}
    if column == 2:
        rules |= {f"seat{seat}": f"{colour} bold" for seat, colour in enumerate(_NAMES[theme], 1)}
    for seat in range(SEATS + 1):
        rules[f"chip{seat}"] = chip(seat, depth)
    return Style(list(rules.items()))


def style_sheet(depth: Depth) -> Style:
    """Return the classes of text for a depth; `chip1` to `chip6` are a seat's colour as background, `chip0` neutral."""
    return _sheet(depth, current().theme)


def chip(seat: int, depth: Depth) -> str:
    """Return the style of a text on the colour of a seat; seat 0 is neutral."""
    colours = palette(depth)
    if colours is None:
        return "bold" if seat else ""
    return f"fg:{colours.on_seats[seat]} bg:{colours.seats[seat]} bold"


def declined_chip(seat: int, depth: Depth) -> str:
    """Return the style of a text about the declined empire of a seat: its colour on that of the terminal."""
    colours = palette(depth)
    return f"fg:{colours.declined[seat]} bg:{colours.paper}" if colours is not None else ""
