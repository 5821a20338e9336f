"""An emulated terminal for tests of full-screen pages: a pipe carries keys and clicks, pyte keeps the screen."""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, final

import pyte
from prompt_toolkit.application import AppSession, create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import get_cwidth

KEYS: Final = {
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "enter": "\r",
    "tab": "\t",
    "s-tab": "\x1b[Z",
    "escape": "\x1b",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "f1": "\x1bOP",
    "backspace": "\x7f",
    "space": " ",
}
"""Bytes that a terminal sends for each key that has a name."""

APC: Final = re.compile(r"\x1b_[^\x1b]*\x1b\\")
"""Sequences that pyte would show as text."""

PATIENCE: Final = 20.0
"""Seconds after which a screen that was waited for will not come."""


class Person:
    """A person at a terminal with keyboard and mouse; `send` takes their input."""

    def __init__(self, screen: pyte.Screen, send: Callable[[str], None]) -> None:
        self.screen: Final = screen
        self._send: Final = send

    def press(self, *keys: str) -> None:
        """Press keys by name, or type characters."""
        self._send("".join(KEYS.get(key, key) for key in keys))

    def click(self, text: str, *, right: int = 0) -> None:
        """Click on the first cell of a text, or that many cells to its right."""
        row, column = self.place(text)
        self.click_at(row, column + right)

    def click_at(self, row: int, column: int) -> None:
        """Click on a cell."""
        for end in "Mm":
            self._send(f"\x1b[<0;{column + 1};{row + 1}{end}")

    def turn_wheel(self, text: str, *, up: bool) -> None:
        """Turn the wheel over a text."""
        row, column = self.place(text)
        self._send(f"\x1b[<{64 if up else 65};{column + 1};{row + 1}M")

    def place(self, text: str) -> tuple[int, int]:
        """Return row and column of a text on the screen."""
        for number, line in enumerate(self._lines()):
            if text in line:
                return number, line.index(text)
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text()}")

    def text(self) -> str:
        """Return the text of the screen."""
        return "\n".join(line.rstrip() for line in self._lines())

    def _lines(self) -> Iterable[str]:
        """Return the lines of the screen, as its `display`, which takes three times as long; it alone knows wide characters."""
        blank, screen = self.screen.default_char, self.screen
        rows = [screen.buffer[number] for number in range(screen.lines)]
        lines = ["".join([row.get(column, blank).data for column in range(screen.columns)]) for row in rows]
        has_wide = any(get_cwidth(character) > 1 for character in set().union(*lines))
        return screen.display if has_wide else lines


@final
class Terminal(Person):
    """A terminal in this process, and its user."""

    def __init__(self, keyboard: PipeInput, columns: int, rows: int) -> None:
        super().__init__(pyte.Screen(columns, rows), keyboard.send_text)
        self.session: AppSession | None = None
        self._keyboard: Final = keyboard
        self._stream: Final = pyte.Stream(self.screen)
        self.written: Final[list[str]] = []
        """Output of the program with its control sequences."""

    # The side of the program.

    def write(self, data: str) -> int:
        """Display characters of the program, without pictures. pyte ignores the modes for mouse and pasting."""
        self.written.append(data)
        self._stream.feed(APC.sub("", data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: output is not buffered."""

    def size(self) -> Size:
        """Return rows and columns."""
        return Size(rows=self.screen.lines, columns=self.screen.columns)

    # The side of the person.

    def send(self, data: bytes) -> None:
        """Send bytes that need not be characters."""
        self._keyboard.send_bytes(data)

    def hang_up(self) -> None:
        """Close the input."""
        self._keyboard.close()

    async def presses(self, *keys: str) -> None:
        """Press keys, and wait until the program has taken them and drawn the screen again."""
        assert self.session is not None
        app = self.session.app
        assert app is not None
        left, drawn = len(keys), asyncio.Event()

        def take(_processor: object) -> None:
            nonlocal left
            left -= 1

        def draw(_app: object) -> None:
            if left <= 0:
                drawn.set()

        app.key_processor.after_key_press += take
        app.after_render += draw
        self.press(*keys)
        try:
            await asyncio.wait_for(drawn.wait(), PATIENCE)
        finally:
            app.key_processor.after_key_press -= take
            app.after_render -= draw

    async def until(self, condition: str | Callable[[str], bool]) -> str:
        """Wait until a text is on the screen, or the screen fulfils a condition; return the screen."""
        for _ in range(int(PATIENCE / 0.02)):
            shown = self.text()
            if condition in shown if isinstance(condition, str) else condition(shown):
                return shown
            await asyncio.sleep(0.02)
        raise AssertionError(f"not in {PATIENCE:.0f} seconds: {condition!r}\n{self.text()}")


@contextmanager
def terminal(columns: int = 80, rows: int = 24) -> Iterator[Terminal]:
    """Run prompt-toolkit in an emulated terminal while this is entered."""
    with create_pipe_input() as keyboard:
        there = Terminal(keyboard, columns, rows)
        output = Vt100_Output(there, there.size, term="xterm-256color", enable_cpr=False)  # type: ignore[arg-type]
        with create_app_session(input=keyboard, output=output) as there.session:
            yield there
