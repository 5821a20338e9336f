"""A question in a box in the middle of the screen, with a key for each answer."""

from collections.abc import Sequence
from typing import Final, final

from .app import App
from .block import Block, Depth, fitted, framed, over, stacked, wrapped
from .text import Segment, key_name, written

WIDEST: Final = 60
NARROWEST: Final = 16
"""Width of the text in cells; it is cut in smaller windows."""


@final
class Question:
    """A question with answers, chosen by key or click; Enter is the first answer, Escape the last one.

    The result is the key of the answer.
    """

    refresh_seconds = 0.0

    def __init__(self, app: App, text: str, answers: Sequence[tuple[str, str]]) -> None:
        self._app: Final = app
        self._text: Final = text
        self._answers: Final = answers

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Draw the box."""
        inside = max(min(WIDEST, columns - 4), NARROWEST)
        lines = wrapped(self._text, inside - 2)
        answers = [Segment(" ")]
        for key, meaning in self._answers:
            answers += [Segment(f" {key_name(key)}  {meaning} ", "class:button", f"key {key}"), Segment("  ")]
        text = Block([*([("", " "), *line] for line in lines), []])
        box = framed(stacked(text, written([answers], inside)), "Vinci", inside + 2, text.height + 3)
        top, left = max((rows - box.height) // 2, 0), max((columns - inside - 2) // 2, 0)
        return fitted(over(fitted(Block(), columns, rows), box, top, left), columns, rows)

    def press(self, key: str) -> None:
        """Take the key of an answer."""
        keys = [answer for answer, _meaning in self._answers]
        chosen = {"enter": keys[0], "escape": keys[-1], "c-c": keys[-1]}.get(key, key)
        if chosen in keys:
            self._app.leave(chosen)

    def click(self, target: str) -> None:
        """Take a click on an answer."""
        kind, _blank, key = target.partition(" ")
        if kind == "key":
            self.press(key)

    def scroll(self, target: str, lines: int) -> None:
        """Do nothing."""
