"""What all pages of the lobby have in common: keys, clicks, and work that goes on while the page is shown."""

import asyncio
from collections.abc import Awaitable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from vinci_client.access import BadAccess
from vinci_client.address import BadAddress
from vinci_client.discovery import SearchFailed
from vinci_client.errors import ServerGone, ServerRefused

from ...exceptions import Failed
from ...text import refusals
from ..toolkit.app import App
from ..toolkit.block import Block, Depth
from ..toolkit.menu import Menu, drawn
from .lobby import Leave

PAGE_LINES: Final = 10
EXPECTED: Final = (ServerRefused, ServerGone, BadAccess, BadAddress, SearchFailed, Failed, OSError)
"""What can go wrong without a fault of ours; it is told in the page."""


def told(error: Exception) -> str:
    """What went wrong, as a sentence."""
    text = refusals.sentence(error).strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


class LobbyPage:
    """A page with lines to choose from. Whoever shows it awaits `shown`.

    A subclass says what is seen (`sheet`), what Enter does (`act`), what left and right (`turn`), other keys (`key`)
    and Escape (`back`), and what goes on meanwhile (`background`).
    """

    refresh_seconds: float = 0.0

    def __init__(self, app: App, chosen: str = "") -> None:
        self.app: Final = app
        self.chosen = chosen
        self.notice = ""
        self.is_error = False
        self._place = 0
        self._has_moved = bool(chosen)
        self._work: asyncio.Task[None] | None = None

    async def shown(self) -> Any:
        """Show it until it is left; what it was left with. What goes on in it ends with it."""
        background = asyncio.create_task(self.background())
        background.add_done_callback(self.app.fail_with)
        try:
            return await self.app.show(self)
        finally:
            tasks = [task for task in (background, self._work) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # What a subclass does otherwise.

    def menu(self) -> Menu:
        """What is seen; the notice is added to it."""
        raise NotImplementedError

    def act(self, target: str) -> None:
        """Enter, or a second click, on a choice."""

    def turn(self, target: str, step: int) -> None:
        """Left (-1) or right (1) on a choice."""

    def key(self, key: str) -> None:
        """Any key that nothing else is done with."""

    def back(self) -> None:
        """Escape."""
        self.app.leave()

    async def background(self) -> None:
        """What goes on as long as the page is shown."""

    def failed(self, error: Exception) -> None:
        """Work went wrong."""
        self.say(told(error), is_error=True)

    # What a subclass uses.

    def say(self, text: str, *, is_error: bool = False) -> None:
        """Tell something until the next key."""
        self.notice, self.is_error = text, is_error
        self.app.redraw()

    def start(self, doing: str, work: Coroutine[Any, Any, None]) -> None:
        """Do something that takes its time, one thing at a time; Escape gives it up."""
        if self._work is not None:
            work.close()
            return
        self.say(doing)
        self._work = asyncio.create_task(self._do(doing, work))
        self._work.add_done_callback(self.app.fail_with)

    async def _do(self, doing: str, work: Awaitable[None]) -> None:
        try:
            await work
            if self.notice == doing:
                self.say("")
        except EXPECTED as error:
            self.failed(error)
        finally:
            self._work = None

    # Called by the app.

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The picture."""
        menu = replace(self._settled(), notice=self.notice, is_error=self.is_error)
        return drawn(menu, columns, rows)

    def press(self, key: str) -> None:
        """A key."""
        self._has_moved = True
        targets = [choice.target for choice in self._settled().choices if choice.target]
        if self._work is None:
            self.say("")
        match key:
            case "c-c" | "c-q":
                self.app.leave(Leave())
            case "escape" if self._work is not None:
                self._work.cancel()
                self.say("")
            case "escape":
                self.back()
            case "up" | "down" | "pageup" | "pagedown" | "home" | "end" if targets:
                lines = {"up": -1, "down": 1, "pageup": -PAGE_LINES, "pagedown": PAGE_LINES}
                self._move(targets, lines.get(key, -len(targets) if key == "home" else len(targets)))
            case "left" | "right" if self.chosen:
                self.turn(self.chosen, 1 if key == "right" else -1)
            case "enter" if self.chosen:
                self.act(self.chosen)
            case _:
                self.key(key)

    def click(self, target: str) -> None:
        """A click selects, a second one does what Enter does; arrows turn, keys in the last line are pressed."""
        self._has_moved = True
        word, _blank, rest = target.partition(" ")
        if word == "key":
            self.press(rest)
        elif word in ("less", "more"):
            self.chosen = rest
            self.press("right" if word == "more" else "left")
        elif target and target == self.chosen:
            self.press("enter")
        elif target:
            self.chosen = target
            if self._work is None:
                self.say("")

    def scroll(self, target: str, lines: int) -> None:
        """The wheel goes through the choices."""
        self._has_moved = True
        self._move([choice.target for choice in self._settled().choices if choice.target], lines)

    def _move(self, targets: list[str], lines: int) -> None:
        with suppress(ValueError):
            self._place = max(min(targets.index(self.chosen) + lines, len(targets) - 1), 0)
            self.chosen = targets[self._place]

    def _settled(self) -> Menu:
        """The sheet, after another choice took the place of one that is gone."""
        menu = self.menu()
        targets = [choice.target for choice in menu.choices if choice.target]
        is_late = not self._has_moved and targets[:1] != [self.chosen]  # better ones came, as nobody had chosen yet
        if not targets or (self.chosen in targets and not is_late):
            self._place = targets.index(self.chosen) if targets else 0
            return menu
        self.chosen = targets[min(self._place, len(targets) - 1)]
        return self.menu()
