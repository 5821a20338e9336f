"""Questions to the terminal: the colour of its background, and its name, which tells how fine its block characters are.

Every terminal answers the last question, so that nobody waits for one that does not know the others. Answers are taken
out of what is typed, however late they come.
"""

import re
import time
from collections.abc import Callable
from typing import Any, Final, final

from .display import Display

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
