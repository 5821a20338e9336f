"""The display of a session: what its terminal can show, besides its size and its number of colours.

It belongs to the context, as the language does: over SSH one process serves several terminals.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

THEMES: Final = ("dark", "light")
BLOCKS: Final = ("sextants", "quadrants", "halves")
"""Block characters of which the map is drawn: six, four or two pixels in a cell."""

THEME, BLOCKS_VARIABLE = "VINCI_THEME", "VINCI_BLOCKS"
"""Environment variables: theme and block characters, in place of those that are found out."""

TERMS_WITH_SEXTANTS: Final = ("xterm-kitty", "foot", "foot-extra", "xterm-ghostty")
"""Types of terminals (TERM) that draw sextants themselves."""

NAMES_WITH_PICTURES: Final = ("kitty", "ghostty", "wezterm", "konsole")
"""Terminals that show images; others are only asked when somebody wants one."""


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
