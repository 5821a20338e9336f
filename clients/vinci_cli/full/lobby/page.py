"""Base of the pages of the lobby: keys, clicks, and background work while the page is shown."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from vinci_client.access import BadAccess
from vinci_client.address import BadAddress
from vinci_client.discovery import SearchFailed
from vinci_client.errors import ServerGone, ServerRefused

from ...exceptions import Failed
from ...text.refusals import full_sentence
from ..toolkit.app import App
from ..toolkit.block import Block, Depth
from ..toolkit.menu import Menu, drawn
from .lobby import Leave

PAGE_LINES: Final = 10
EXPECTED: Final = (ServerRefused, ServerGone, BadAccess, BadAddress, SearchFailed, Failed, OSError)
"""Errors that are shown in the page; all others are faults of the program."""


class LobbyPage:
    """A page with lines to choose from; `shown` shows it and returns its result.

    Subclasses give the contents (`menu`) and handle Enter (`act`), left and right (`turn`), other keys (`key`), Escape
    (`back`) and background work (`background`).
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
        """Show the page and return its result; background work is cancelled when it closes."""
        background = asyncio.create_task(self.background())
        background.add_done_callback(self.app.fail_with)
        try:
            return await self.app.show(self)
        finally:
            tasks = [background, *([self._work] if self._work is not None else [])]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # For subclasses to override.

    def menu(self) -> Menu:
        """The contents; the notice is added to them."""
        raise NotImplementedError

    def act(self, target: str) -> None:
        """Take Enter, or a second click, on a choice."""

    def turn(self, target: str, step: int) -> None:
        """Take left (-1) or right (1) on a choice."""

    def key(self, key: str) -> None:
        """Take any other key."""

    def back(self) -> None:
        """Take Escape."""
        self.app.leave()

    async def background(self) -> None:
        """Background work while the page is shown."""

    def failed(self, error: Exception) -> None:
        """Show an error of background work."""
        self.say(full_sentence(error), is_error=True)

    # For subclasses to use.

    def say(self, text: str, *, is_error: bool = False) -> None:
        """Show a notice until the next key."""
        self.notice, self.is_error = text, is_error
        self.app.redraw()

    def ask(self, prompt: str, typed: Callable[[str], None], text: str = "", *, hidden: bool = False) -> None:
        """Read a line; `typed` gets it without blanks around it, and is not called if it is cancelled."""
        self.app.type(prompt, lambda line: None if line is None else typed(line.strip()), text=text, hidden=hidden)

    def start(self, doing: str, work: Coroutine[Any, Any, None]) -> None:
        """Start work unless other work is under way; Escape cancels it."""
        if self._work is not None:
            work.close()  # else Python warns of a coroutine that nobody awaited
            return

        async def do() -> None:
            try:
                await work
                if self.notice == doing:  # the work may have said something itself
                    self.say("")
            except EXPECTED as error:
                self.failed(error)
            finally:
                self._work = None

        self.say(doing)
        self._work = asyncio.create_task(do())
        self._work.add_done_callback(self.app.fail_with)

    # Called by the app.

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Draw the page."""
        return drawn(replace(self._settled(), notice=self.notice, is_error=self.is_error), columns, rows)

    def press(self, key: str) -> None:
        """Take a key."""
        self._has_moved = True
        targets = self._settled().targets()
        if self._work is None:  # what is being done stays to be seen
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
        """Select the target, or act on it if it is selected; arrows turn values, keys are pressed."""
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
        """Move the selection."""
        self._has_moved = True
        self._move(self._settled().targets(), lines)

    def _move(self, targets: list[str], lines: int) -> None:
        with suppress(ValueError):
            self._place = max(min(targets.index(self.chosen) + lines, len(targets) - 1), 0)
            self.chosen = targets[self._place]

    def _settled(self) -> Menu:
        """The menu, with another choice selected if the selected one is gone."""
        menu = self.menu()
        targets = menu.targets()
        is_late = not self._has_moved and targets[:1] != [self.chosen]  # better choices came before anyone chose
        if not targets or (self.chosen in targets and not is_late):
            self._place = targets.index(self.chosen) if targets else 0
            return menu
        self.chosen = targets[min(self._place, len(targets) - 1)]
        return self.menu()
