"""The display of a session: what its terminal can show, besides its size and its number of colours.

It belongs to the context, as the language does: over SSH one process serves several terminals. What its environment
does not tell, the terminal is asked: the colour of its background, and its name, which tells how fine its block
characters are. Every terminal answers the last question, so that nobody waits for one that does not know the others.
Answers are taken out of what is typed, however late they come.
"""

import re
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, final

THEMES: Final = ("dark", "light")
BLOCKS: Final = ("sextants", "quadrants", "halves")
"""Block characters of which the map is drawn: six, four or two pixels in a cell."""

THEME, BLOCKS_VARIABLE = "VINCI_THEME", "VINCI_BLOCKS"
"""Environment variables: theme and block characters, in place of those that are found out."""

TERMS_WITH_SEXTANTS: Final = ("xterm-kitty", "foot", "foot-extra", "xterm-ghostty")
"""Types of terminals (TERM) that draw sextants themselves."""

NAMES_WITH_PICTURES: Final = ("kitty", "ghostty", "wezterm", "konsole")
"""Terminals that show images; others are only asked when somebody wants one."""

QUESTIONS: Final = "\x1b]11;?\x1b\\\x1b[>q\x1b[c"
"""The colour of the background (OSC 11), name and version (XTVERSION), and what every terminal tells (DA1)."""

PICTURE_QUESTIONS: Final = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[14t\x1b[c"
"""Whether it knows the graphics protocol of kitty, its size in pixels, and what every terminal tells.

They are asked when a picture is wanted, as some old terminals would write the first one on the screen.
"""

PATIENCE: Final = 0.2
"""Seconds for which a full screen waits for the answers before it is drawn."""

LATEST: Final = 10.0
"""Seconds for which the beginning of an answer is kept from the keys."""

ANSWER: Final = re.compile(
    r"\x1b\]11;(?P<colour>[^\x07\x1b]*)(?:\x07|\x1b\\)|\x1bP>\|(?P<name>[^\x1b]*)\x1b\\|\x1b_Gi=31;(?P<picture>[^\x1b]*)\x1b\\"
    r"|\x1b\[4;(?P<pixels>[0-9]+;[0-9]+)t|(?P<last>\x1b\[\?[0-9;]*c)"
)
BEGINNING: Final = re.compile(
    r"\x1b(?:\](?:1(?:1(?:;[^\x07\x1b]*\x1b?)?)?)?|P(?:>(?:\|[^\x1b]*\x1b?)?)?|_(?:G[^\x1b]*\x1b?)?|\[(?:\?[0-9;]*|4(?:;[0-9;]*)?)?)?\Z"
)
COLOUR: Final = re.compile(r"rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")

LEAST_KEPT: Final = 3
"""Characters from which on a beginning is no key."""

NAMES_WITH_SEXTANTS: Final = {"kitty": 0, "foot": 0, "wezterm": 0, "ghostty": 0, "contour": 0, "vte": 6100}
"""Terminals that draw sextants themselves, whatever the font has, with their first version, 0 for any."""


@dataclass(slots=True)
class Display:
    """A terminal: the theme that fits its background, its block characters, and whether it has more than ASCII.

    `may_show_pictures`: terminals of its name show images. `is_console`: it is the console of Linux, which has lines
    and halves but few other characters.
    The first two change while the terminal answers what it was asked, unless they were chosen. `shows_pictures` and
    `pixels`, width and height of the window or 0, are only known after the terminal was asked about pictures.
    """

    theme: str = "dark"
    blocks: str = "quadrants"
    is_unicode: bool = True
    has_chosen_theme: bool = False
    has_chosen_blocks: bool = False
    shows_pictures: bool = False
    pixels: tuple[int, int] = (0, 0)
    is_console: bool = False
    may_show_pictures: bool = False

    @property
    def has_signs(self) -> bool:
        """Whether it has the signs of the map."""
        return self.is_unicode and not self.is_console

    def prefer(self, setting: str, value: str) -> None:
        """Take a theme or block characters that were chosen; an empty value leaves them to the terminal from now on."""
        if setting == "theme":
            self.theme, self.has_chosen_theme = value or self.theme, bool(value)
        elif setting == "blocks":
            self.blocks, self.has_chosen_blocks = value or self.blocks, bool(value)

    def learn_background(self, luminance: float | None) -> None:
        """Take the theme for a background of this luminance, 0 to 1; None is unknown."""
        if luminance is not None and not self.has_chosen_theme:
            self.theme = "light" if luminance > 0.5 else "dark"

    def learn_name(self, name: str) -> None:
        """Take the name of the terminal, or the type that contains it."""
        self.may_show_pictures = self.may_show_pictures or any(its in name.lower() for its in NAMES_WITH_PICTURES)

    def learn_sextants(self, *, known: bool) -> None:
        """Take sextants if the terminal draws them."""
        if known and not self.has_chosen_blocks:
            self.blocks = "sextants"


def found(environment: Mapping[str, str], encoding: str, theme: str = "", blocks: str = "") -> Display:
    """Return the display of a terminal from its environment and encoding; `theme` and `blocks` are chosen or empty."""
    theme = environment.get(THEME, "") if environment.get(THEME, "") in THEMES else theme
    blocks = environment.get(BLOCKS_VARIABLE, "") if environment.get(BLOCKS_VARIABLE, "") in BLOCKS else blocks
    is_unicode = encoding.lower().startswith(("utf", "u8", "cp65001"))
    terminal = environment.get("TERM", "")
    display = Display(theme or "dark", blocks or "quadrants", is_unicode, bool(theme), bool(blocks))
    display.learn_name(f"{terminal} {environment.get('TERM_PROGRAM', '')}")
    display.is_console = terminal == "linux"
    display.learn_sextants(known=terminal in TERMS_WITH_SEXTANTS)
    if not is_unicode or (display.is_console and not blocks):
        display.blocks, display.has_chosen_blocks = "halves", True
    return display


_USUAL: Final = Display()
_chosen: Final[ContextVar[Display | None]] = ContextVar("display", default=None)


def current() -> Display:
    """Return the display of this session."""
    return _chosen.get() or _USUAL


def choose(display: Display) -> None:
    """Use a display in this context, and in those that are copied from it."""
    _chosen.set(display)


@final
class Answers:
    """A parser of keys that takes the answers out of what it passes on.

    Attributes:
        is_over: the last answer is there.
    """

    def __init__(self, parser: Any, display: Display, learned: Callable[[], None]) -> None:
        self._parser: Final = parser
        self._display: Final = display
        self._learned: Final = learned
        self._kept = ""
        self._until: Final = time.monotonic() + LATEST
        self.is_over = False

    def feed(self, data: str) -> None:
        """Take what was typed or answered."""
        if not self.is_over:
            data = ANSWER.sub(self._take, self._kept + data)
            self._kept = ""
            beginning = BEGINNING.search(data)
            if beginning is not None and not self.is_over and time.monotonic() < self._until:
                data, self._kept = data[: beginning.start()], beginning.group()
        if data:
            self._parser.feed(data)

    def flush(self) -> None:
        """Pass on what may be a key, such as Escape alone."""
        if len(self._kept) < LEAST_KEPT:
            kept, self._kept = self._kept, ""
            if kept:
                self._parser.feed(kept)
        self._parser.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._parser, name)

    def _take(self, answer: re.Match[str]) -> str:
        if (colour := answer["colour"]) is not None:
            self._display.learn_background(luminance(colour))
        elif (name := answer["name"]) is not None:
            self._display.learn_name(name)
            self._display.learn_sextants(known=has_sextants(name))
        elif (picture := answer["picture"]) is not None:
            self._display.shows_pictures = picture == "OK"
        elif (pixels := answer["pixels"]) is not None:
            high, wide = pixels.split(";")
            self._display.pixels = int(wide), int(high)
        else:
            self.is_over = True
        self._learned()
        return ""


def luminance(colour: str) -> float | None:
    """Return how bright a colour such as rgb:ffff/ffff/ffff is, 0 to 1; None for another text."""
    found = COLOUR.fullmatch(colour.partition("/a")[0]) or COLOUR.match(colour)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (int("f" * len(part), 16)) for part in found.groups())
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def has_sextants(terminal: str) -> bool:
    """Return whether a terminal of this name and version, such as `kitty(0.35.2)` or `VTE(7600)`, draws sextants."""
    words = re.split(r"[ (]", terminal.lower(), maxsplit=1)
    least = NAMES_WITH_SEXTANTS.get(words[0])
    if least is None:
        return False
    number = re.match(r"\d+", words[1]) if len(words) > 1 else None
    return not least or (number is not None and int(number.group()) >= least)
