"""The stage: pages on a terminal, keys, clicks and typed lines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from cli.full.terminal import KEYS, Terminal, terminal

from vinci_cli.full.block import Block, Depth, Hit, fitted, stacked, wrapped
from vinci_cli.full.stage import Stage


class Echo:
    """A page that shows what was done to it."""

    refresh_seconds = 0.0

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.heard: list[str] = []

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """What was done, below a line that can be clicked."""
        title = Block([[("", f"[size] {columns}x{rows}")]], [Hit(0, 0, 6, "size")])
        return fitted(stacked(title, *(Block(wrapped(line, columns)) for line in self.heard)), columns, rows)

    def press(self, key: str) -> None:
        """Show the key; q leaves, : lets a line be typed."""
        self.heard.append(f"key {key}.")
        if key == "q":
            self.stage.leave("left")
        elif key == ":":
            self.stage.type("say: ", lambda text: self.heard.append(f"typed {text}."), lambda _: [("hello", "a word")])

    def click(self, target: str) -> None:
        """Show what was clicked."""
        self.heard.append(f"click {target}.")

    def scroll(self, target: str, lines: int) -> None:
        """Show what the wheel was turned over."""
        self.heard.append(f"wheel {target} {lines}.")


@asynccontextmanager
async def staged(there: Terminal) -> AsyncIterator[asyncio.Task[object]]:
    """A stage with an echo, and the task that ends when the page does."""
    async with Stage() as stage:
        shown = asyncio.create_task(stage.show(Echo(stage)))
        await there.until("[size]")
        yield shown


@pytest.mark.parametrize("key", [*KEYS, "c-c", "a", "?", "+"])
async def test_keys_reach_the_page_by_name(key: str) -> None:
    """Every key that a page may use arrives as prompt-toolkit calls it."""
    with terminal() as there:
        async with staged(there) as shown:
            there.press("\x03" if key == "c-c" else key)
            await there.until({"space": "key  .", "backspace": "key backspace."}.get(key, f"key {key}."))
            there.press("q")
            assert await shown == "left"


async def test_the_mouse_reaches_the_page_with_what_lies_under_it() -> None:
    """A click and the wheel carry the target of the cell, or none."""
    with terminal() as there:
        async with staged(there):
            there.click("[size]")
            await there.until("click size.")
            there.click("[size]", right=7)
            await there.until("click .")
            there.turn_wheel("[size]", up=True)
            await there.until("wheel size -1.")


async def test_a_line_is_typed_with_completion_or_given_up() -> None:
    """Tab completes, Enter hands the line to the page, Escape gives it up; meanwhile no key reaches the page."""
    with terminal() as there:
        async with staged(there):
            there.press(":")
            await there.until("say:")
            there.press("h", "e", "tab")
            await there.until("say: hello")
            there.press("enter")
            shown = await there.until("typed hello.")
            assert "key h." not in shown
            there.press(":", "x", "escape")
            await there.until("typed None.")


async def test_a_terminal_that_changes_its_size_is_followed() -> None:
    """The page is drawn anew in the new size."""
    with terminal(80, 24) as there:
        async with staged(there):
            await there.until("80x24")
            there.screen.resize(12, 100)
            there.press("a")
            await there.until("100x12")


async def test_a_page_on_top_of_another_gives_it_back() -> None:
    """When the second page is left, the first one is there as before."""
    with terminal() as there:
        async with Stage() as stage:
            below = asyncio.create_task(stage.show(Echo(stage)))
            await there.until("[size]")
            there.press("a")
            await there.until("key a.")
            above = asyncio.create_task(stage.show(Echo(stage)))
            await there.until(lambda shown: "[size]" in shown and "key a." not in shown)
            there.press("q")
            assert await above == "left"
            await there.until("key a.")
            there.press("q")
            assert await below == "left"


async def test_what_goes_wrong_behind_a_page_reaches_who_shows_it() -> None:
    """A failure in the background ends the page with it."""
    with terminal() as there:
        async with Stage() as stage:
            shown = asyncio.create_task(stage.show(Echo(stage)))
            await there.until("[size]")
            stage.fail(ValueError("broken"))
            with pytest.raises(ValueError, match="broken"):
                await shown
