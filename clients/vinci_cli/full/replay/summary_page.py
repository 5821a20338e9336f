"""The page after a game: its summary, with replay, rematch and HTML page."""

from collections.abc import Callable
from typing import Final, final

from ...game.statistics import GameStatistics
from ...text.i18n import _
from ...text.names import Catalogue
from .. import LEAST_COLUMNS, LEAST_ROWS
from ..toolkit.app import App
from ..toolkit.block import Block, Depth, fitted, stacked, wrapped
from ..toolkit.text import Segment, across, button, flowed, key_name, written
from .background import BackgroundReview
from .summary import summary

STEPS: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -10_000, "end": 10_000}
"""Rows that a key scrolls down."""


@final
class SummaryPage:
    """The summary of a game in full screen; its result is "replay", "rematch" or "leave".

    `save` writes the game as an HTML page and returns a sentence about it, `animate` as an animated picture; None if
    that is not possible. `background` reviews the game if that is asked for. `can_rematch` offers another game.
    `notice` is shown until the next key.

    Attributes:
        goes_back: whether Escape goes back to the replay instead of leaving.
    """

    refresh_seconds = 0.0

    def __init__(
        self,
        app: App,
        story: GameStatistics,
        names: Catalogue,
        save: Callable[[], str] | None = None,
        animate: Callable[[], str] | None = None,
        *,
        background: BackgroundReview | None = None,
        can_rematch: bool = False,
        notice: str = "",
    ) -> None:
        self._app: Final = app
        self._story: Final = story
        self._names: Final = names
        self._files: Final = {"h": save, "a": animate}
        self._background: Final = background or BackgroundReview(app, None, None)
        self._results: Final = {"r": "replay", "q": "leave", "escape": "leave", "c-c": "leave", "c-d": "leave"}
        if can_rematch:
            self._results["m"] = "rematch"
        self.goes_back = False
        self._back = 0
        self._farthest = 0
        self.notice = notice
        self._news = ""

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The visible part of the summary, and the keys."""
        whole = summary(self._story, self._names, columns, rows, self._background.review)
        foot = self._footer(columns, is_large=columns >= LEAST_COLUMNS and rows >= LEAST_ROWS)
        high = rows - foot.height
        self._farthest = max(whole.height - high, 0)
        self._back = min(self._back, self._farthest)
        part = Block(whole.lines[self._back : self._back + high])
        return stacked(fitted(part, columns, high), fitted(foot, columns, foot.height))

    def _footer(self, columns: int, *, is_large: bool) -> Block:
        shared = {"h": _("share as a file"), "a": _("as an animation")}
        labels = {key: label for key, label in shared.items() if self._files[key] is not None}
        labels |= {"v": _("review")} if self._background.can_start else {}
        labels |= {"r": _("replay")} | ({"m": _("another game")} if "m" in self._results else {}) | {"q": _("leave")}
        labels = {"escape": _("back")} | labels if self.goes_back else labels
        parts = button("↑↓", _("more"), "key pagedown") if self._farthest else []
        for key, label in labels.items():
            parts += [Segment("  " if parts else ""), *button(key_name(key), label, f"key {key}")]
        said = "\n".join(filter(None, [self._news, self.notice or self._background.said]))
        notice = Block(wrapped(said, columns, "class:hint")) if said else Block()
        keys = flowed(parts, columns)[:2] if is_large and across(parts) > columns else [parts]
        return stacked(notice, written(keys, columns))

    def tell(self, text: str) -> None:
        """Show a text below the summary from now on."""
        self._news = text
        self._app.redraw()

    def press(self, key: str) -> None:
        """Take a key."""
        self.notice = ""
        if key in STEPS:
            self._move(STEPS[key])
        elif key in self._results:
            self._app.leave("replay" if key == "escape" and self.goes_back else self._results[key])
        elif (write := self._files.get(key)) is not None:
            self.notice = write()
        elif key == "v":
            self._background.start()

    def click(self, target: str) -> None:
        """Take a click on a key."""
        kind, _blank, key = target.partition(" ")
        if kind == "key":
            self.press(key)

    def scroll(self, target: str, lines: int) -> None:
        """Take the wheel."""
        self._move(3 * lines)

    def _move(self, lines: int) -> None:
        self._back = min(max(self._back + lines, 0), self._farthest)
