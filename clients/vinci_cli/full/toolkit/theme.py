"""Colours: of the board in cells, by theme and depth, and of text, as a style sheet.

No colour is the only sign of anything. Those of the board differ for colour-blind people as well; a test simulates the
three kinds. Texts outside the board set no background: they are legible on a dark terminal and on a light one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from prompt_toolkit.styles import Style

from ...graphics.palette import SEATS, TERRAINS, column
from ...graphics.palette import seats as of_seats
from .block import Depth
from .display import current

BLACK, WHITE = "#000000", "#ffffff"

ALIKE: Final = 0.8
"""Share of the mean of all terrains below a tint, so that owners differ more than terrains."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the board, as prompt-toolkit names colours.

    `land` and `border` by terrain, the second for lines between provinces; `ink` by terrain for what is written on it.
    They, and all tints, are computed from `land` where colours can be mixed. `seats` and `on_seats`: a seat's colour,
    and what is written on it; `declined`: its colour on `background`. They start with the neutral pawns. `lighter`:
    share of white in the tint of declined empires, 0 to 1. `own` and `held`: shares of the owner's colour in the tint
    of a province, 0 to 1: own land, land of others and declined empires. `tints`: own, held and declined land by seat,
    for colours that are too few to be mixed.
    """

    land: Mapping[str, str]
    seats: tuple[str, ...]
    on_seats: tuple[str, ...]
    declined: tuple[str, ...]
    background: str
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


def _palette(medium: str, own: float = 0, held: float = 0, lighter: float = 0) -> Palette:
    """Return the colours of a medium of the palette, with the shares by which they are mixed."""
    colours = column(medium)
    is_mixed = medium != "sixteen"
    return Palette(
        land={terrain: colours[terrain] for terrain in TERRAINS},
        seats=of_seats(medium),
        on_seats=of_seats(medium, "on-seat"),
        declined=of_seats(medium, "declined"),
        background=colours["background"],
        sea=colours["sea"],
        coast=colours["coast"],
        beyond=colours["beyond"],
        strait=colours["strait"],
        sea_name=colours["sea-ink"],
        lighter=lighter,
        selected=colours["selected"],
        on_selected=colours["on-selected"],
        target=colours["target"],
        changed=colours["changed"],
        lost=colours["lost"],
        on_mark=colours["on-mark"],
        ink=None if is_mixed else {terrain: colours[f"on-{terrain}"] for terrain in TERRAINS},
        border="" if is_mixed else colours["border"],
        own=own,
        held=held,
        tints=[of_seats(medium, kind) for kind in ("own", "held", "declined-land")] if medium.endswith("256") else (),
    )


MIXED: Final[Mapping[str, Palette]] = {
    "dark": _palette("dark", own=0.717, held=0.526, lighter=0.134),
    "light": _palette("light", own=0.786, held=0.55, lighter=0.171),
}
"""Palettes of the board by theme for terminals in which colours can be mixed."""

OF_256: Final[Mapping[str, Palette]] = {theme: _palette(f"{theme}256") for theme in MIXED}
"""The same for terminals of 256 colours, chosen among these by a search for the largest differences.

Mixed colours would become those of other terrains and seats. The terrain of held land is told by its signs alone.
"""

SIXTEEN: Final = _palette("sixteen")


def palette(depth: Depth) -> Palette | None:
    """Return the colours of the board in the theme of this session; None without colours."""
    if depth <= 1:
        return None
    return SIXTEEN if depth == 4 else (OF_256 if depth == 8 else MIXED)[current().theme]


_TEXT: Final[Mapping[str, tuple[str, str, str]]] = {
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
def _sheet(depth: Depth, theme: str) -> Style:
    number = {1: 0, 4: 1}.get(depth, 2)
    rules = {name: styles[number] for name, styles in _TEXT.items()}
    names = of_seats("sixteen" if depth == 4 else theme, "name") if depth > 1 else [""] * SEATS
    rules |= {f"seat{seat}": f"{colour} bold" for seat, colour in enumerate(names, 1)}
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
    return f"fg:{colours.declined[seat]} bg:{colours.background}" if colours is not None else ""
