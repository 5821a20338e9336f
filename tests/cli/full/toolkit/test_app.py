"""The stage: pages in a terminal, with keys, clicks and typed lines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.support.terminals.emulator import KEYS, Terminal, terminal
from vinci_cli.full.toolkit.app import POP_TITLE, PUSH_TITLE, TITLE, App
from vinci_cli.full.toolkit.block import Block, Depth, Hit, fitted, stacked, wrapped


class Echo:
    """A page that shows the events it received."""

    refresh_seconds = 0.0

    def __init__(self, app: App) -> None:
        self.app = app
        self.heard: list[str] = []

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Draw the received events below a clickable line."""
        title = Block([[("", f"[size] {columns}x{rows}")]], [Hit(0, 0, 6, "size")])
        return fitted(stacked(title, *(Block(wrapped(line, columns)) for line in self.heard)), columns, rows)

    def press(self, key: str) -> None:
        """Show the key; q leaves, : opens the input line."""
        self.heard.append(f"key {key}.")
        if key == "q":
            self.app.leave("left")
        elif key == ":":
            self.app.type("say: ", lambda text: self.heard.append(f"typed {text}."), lambda _: [("hello", "a word")])

    def click(self, target: str) -> None:
        """Show the click."""
        self.heard.append(f"click {target}.")

    def scroll(self, target: str, lines: int) -> None:
        """Show the target of the wheel."""
        self.heard.append(f"wheel {target} {lines}.")


@asynccontextmanager
async def staged(there: Terminal) -> AsyncIterator[asyncio.Task[object]]:
    """Show an echo page on a stage; yield the stage and the task that ends with the page."""
    async with App() as app:
        shown = asyncio.create_task(app.show(Echo(app)))
        await there.until("[size]")
        yield shown


@pytest.mark.parametrize("key", [*KEYS, "c-c", "a", "?", "+"])
async def test_keys_reach_the_page_by_name(key: str) -> None:
    """Every key of a page arrives with its name in prompt-toolkit."""
    with terminal() as there:
        async with staged(there) as shown:
            there.press("\x03" if key == "c-c" else key)
            await there.until({"space": "key  .", "backspace": "key backspace."}.get(key, f"key {key}."))
            there.press("q")
            assert await shown == "left"


async def test_mouse_events_have_the_target_of_their_cell() -> None:
    """Clicks and the wheel have the target of the cell, or none."""
    with terminal() as there:
        async with staged(there):
            there.click("[size]")
            await there.until("click size.")
            there.click("[size]", right=7)
            await there.until("click .")
            there.turn_wheel("[size]", up=True)
            await there.until("wheel size -1.")


async def test_input_line_completes_and_can_be_cancelled() -> None:
    """Tab completes, Enter passes the line to the page, Escape cancels; meanwhile no key reaches the page."""
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


async def test_resized_terminal_is_redrawn() -> None:
    """The page is redrawn at the new size."""
    with terminal(80, 24) as there:
        async with staged(there):
            await there.until("80x24")
            there.screen.resize(12, 100)
            there.press("a")
            await there.until("100x12")


async def test_page_below_is_restored() -> None:
    """Leaving a page shows the one below it unchanged."""
    with terminal() as there:
        async with App() as app:
            below = asyncio.create_task(app.show(Echo(app)))
            await there.until("[size]")
            there.press("a")
            await there.until("key a.")
            above = asyncio.create_task(app.show(Echo(app)))
            await there.until(lambda shown: "[size]" in shown and "key a." not in shown)
            there.press("q")
            assert await above == "left"
            await there.until("key a.")
            there.press("q")
            assert await below == "left"


async def test_background_error_is_raised_to_the_caller_of_the_page() -> None:
    """An error in the background ends the page and is raised to its caller."""
    with terminal() as there:
        async with App() as app:
            shown = asyncio.create_task(app.show(Echo(app)))
            await there.until("[size]")
            app.fail(ValueError("broken"))
            with pytest.raises(ValueError, match="broken"):
                await shown


class Faulty(Echo):
    """A page that fails at every event; w opens a line whose answer fails, d makes the next drawing fail."""

    is_broken = False

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Draw like an echo page until it fails."""
        if self.is_broken:
            raise ValueError("picture")
        return super().draw(columns, rows, depth)

    def press(self, key: str) -> None:
        """Fail now or at the next drawing."""
        if key == "w":
            self.app.type("say: ", self.answer)
        elif key == "d":
            self.is_broken = True
        else:
            raise ValueError("key")

    def answer(self, text: str | None) -> None:
        """Fail at a typed line."""
        if text is not None:
            raise ValueError("line")

    def click(self, target: str) -> None:
        """Fail."""
        raise ValueError("click")

    def scroll(self, target: str, lines: int) -> None:
        """Fail."""
        raise ValueError("wheel")


@pytest.mark.parametrize("doing", ["picture", "key", "line", "click", "wheel"])
async def test_error_in_a_page_is_raised_to_its_caller(doing: str) -> None:
    """An error in a page is raised to its caller, which can show another page; no traceback is drawn."""
    with terminal() as there:
        async with App() as app:
            shown = asyncio.create_task(app.show(Faulty(app)))
            await there.until("[size]")
            keys = {"picture": "d", "key": "k", "line": "wx\r"}
            if doing == "click":
                there.click("[size]")
            elif doing == "wheel":
                there.turn_wheel("[size]", up=True)
            else:
                there.press(keys[doing])
            with pytest.raises(ValueError, match=doing):
                await shown
            after = asyncio.create_task(app.show(Echo(app)))
            await there.until("[size]")
            assert "Traceback" not in there.text()
            there.press("q")
            assert await after == "left"


async def test_unrelated_errors_are_not_shown_on_this_terminal() -> None:
    """Errors of other sessions in the process are not shown on this terminal."""
    with terminal() as there:
        async with staged(there):
            loop = asyncio.get_running_loop()
            events: list[str] = []
            loop.set_exception_handler(lambda _loop, context: events.append(str(context.get("exception"))))
            loop.call_soon(int, "elsewhere")
            there.press("a")
            shown = await there.until("key a.")
            assert "elsewhere" in events[0]
            assert "elsewhere" not in shown


async def test_page_on_a_closed_terminal_raises_an_error() -> None:
    """A page shown after the terminal was closed raises an error instead of waiting for ever."""
    with terminal() as there:
        app = App()
        await app.__aenter__()
        there.hang_up()
        with pytest.raises(EOFError):
            await app.show(Echo(app))
        with pytest.raises(EOFError):
            await app.show(Echo(app))
        with pytest.raises(EOFError):
            await app.__aexit__(None, None, None)


async def test_title_of_the_window_is_set_and_restored() -> None:
    """The title is that of the moment; the former one is restored at the end."""
    with terminal() as there:
        async with App() as app:
            shown = asyncio.create_task(app.show(Echo(app)))
            await there.until("[size]")
            assert there.screen.title == TITLE
            app.title("Vinci: Your move.")
            await there.until(lambda _text: there.screen.title == "Vinci: Your move.")
            app.leave()
            await shown
        written = "".join(there.written)
    assert written.index(PUSH_TITLE) < written.index(TITLE)
    assert POP_TITLE in written
