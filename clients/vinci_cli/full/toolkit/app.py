"""The terminal in full screen: shows one page at a time, passes keys and clicks to it, and reads typed lines.

A page is drawn again after every event; the result depends only on its state, the size and the depth of colours.
`tests/cli/full` drives the app through a pipe.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, Protocol, final

from prompt_toolkit.application import Application, get_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Float, FloatContainer, Layout, Window
from prompt_toolkit.layout.containers import ConditionalContainer
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput, ConditionalProcessor, PasswordProcessor
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import DynamicStyle

from ...line.screen import Candidates
from ...line.terminal import WordCompleter, readable
from ...text.i18n import _, untied
from . import picture
from .block import Block, Depth, fitted, stacked
from .canvas import Canvas
from .display import PATIENCE, PICTURE_QUESTIONS, QUESTIONS, Answers, current
from .theme import style_sheet

ESCAPE_SECONDS: Final = 0.05
"""Seconds until Escape counts as a key, as it may be the start of an arrow key."""

DEPTH_OF: Final = {
    ColorDepth.DEPTH_1_BIT: 1,
    ColorDepth.DEPTH_4_BIT: 4,
    ColorDepth.DEPTH_8_BIT: 8,
    ColorDepth.DEPTH_24_BIT: 24,
}

TITLE: Final = "Vinci"
PUSH_TITLE: Final = "\x1b[22;0t"
POP_TITLE: Final = "\x1b[23;0t"
"""Sequences of xterm that keep the title of the window, and restore it; other terminals ignore them."""

TERMS_OF_777: Final = ("foot", "rxvt")
"""Beginnings of TERM of terminals that take notifications as OSC 777, as those of VTE do; others take OSC 9."""

PICTURE_PATIENCE: Final = 1.0
"""Seconds for which a picture waits for the terminal to tell that it shows pictures."""

ALIASES: Final = {"c-m": "enter", "c-i": "tab", "c-h": "backspace"}
"""Names of keys that a terminal sends as control characters."""

NOT_PRESSED: Final = (
    *(Keys.Any, Keys.CPRResponse, Keys.BracketedPaste, Keys.SIGINT, Keys.Ignore, Keys.ControlL),
    *(Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.ScrollUp, Keys.ScrollDown),
)
"""Keys of prompt-toolkit that are no key presses, or that it handles itself."""


class Page(Protocol):
    """A page that fills the terminal."""

    @property
    def refresh_seconds(self) -> float:
        """Seconds between redraws while nothing happens, for clocks; 0 for none."""

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Draw the page in exactly this size."""

    def press(self, key: str) -> None:
        """Take a key: a character, or a name such as `up`, `enter`, `tab`, `escape`, `pageup`, `f1`, `c-c`."""

    def click(self, target: str) -> None:
        """Take a click on a click target; empty for none."""

    def scroll(self, target: str, lines: int) -> None:
        """Take the wheel over a click target, down (positive) or up."""


def depth_here() -> ColorDepth:
    """Colour depth of this terminal, from its environment."""
    if os.environ.get("NO_COLOR"):
        return ColorDepth.DEPTH_1_BIT
    if (chosen := ColorDepth.from_env()) is not None:
        return chosen
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return ColorDepth.DEPTH_24_BIT
    return get_app_session().output.get_default_color_depth()


@final
class App:
    """A terminal in full screen, within `async with`.

    The colour depth is `depth`, or that of the terminal.

    Attributes:
        is_job: Ctrl-Z stops the process, as the terminal is its own.
    """

    def __init__(self, depth: ColorDepth | None = None) -> None:
        self.is_job = False
        self._depth: Final = depth or depth_here()
        self._drawn: Final = asyncio.Event()
        self._page: Page | None = None
        self._ended: asyncio.Future[Any] | None = None
        self._typed: Callable[[str | None], None] | None = None
        self._title = ""
        self._prompt = ""
        self._hidden = False
        self._picture = self._painted = ""
        self._window = (0, 0)
        self._candidates: Candidates = lambda _typed: ()
        self._buffer: Final = Buffer(
            completer=WordCompleter(lambda typed: self._candidates(typed)),
            history=InMemoryHistory(),
            multiline=False,
            accept_handler=self._accept,
        )
        self._app: Final[Application[None]] = self._application()
        self._running: asyncio.Task[None] | None = None

    def _application(self) -> Application[None]:
        typing = Condition(lambda: self._typed is not None)
        hidden = ConditionalProcessor(PasswordProcessor(), Condition(lambda: self._hidden))
        line = Window(
            BufferControl(self._buffer, input_processors=[hidden, BeforeInput(lambda: self._prompt)]),
            height=1,
            style="class:input",
        )
        root = FloatContainer(
            Canvas(
                self._draw,
                lambda target: self._tell(lambda page: page.click(target)),
                lambda target, lines: self._tell(lambda page: page.scroll(target, lines)),
            ),
            [
                Float(ConditionalContainer(line, typing), left=0, right=0, bottom=0, height=1),
                Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True),
            ],
        )
        app: Application[None] = Application(
            Layout(root, focused_element=line),
            key_bindings=self._bindings(typing),
            style=DynamicStyle(lambda: style_sheet(self.depth)),
            color_depth=self._depth,
            full_screen=True,
            mouse_support=True,
        )
        app.after_render += lambda _app: self._paint()
        app.ttimeoutlen = app.timeoutlen = ESCAPE_SECONDS
        return app

    def _bindings(self, typing: Condition) -> KeyBindings:
        bindings = KeyBindings()

        def press(event: KeyPressEvent) -> None:
            key = event.key_sequence[0].key
            name = key.value if isinstance(key, Keys) else key
            self._tell(lambda page: page.press(ALIASES.get(name, name)))

        for key in (Keys.Any, *(key for key in Keys if key not in NOT_PRESSED)):
            bindings.add(key, filter=~typing)(press)  # one by one, as a binding of a key counts more than one of all

        @bindings.add("escape", filter=typing)
        @bindings.add("c-c", filter=typing)
        def _leave(_event: KeyPressEvent) -> None:
            self._finish(None)

        @bindings.add("c-z", filter=Condition(lambda: self.is_job))
        def _stop(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @bindings.add("c-l")
        def _anew(event: KeyPressEvent) -> None:
            event.app.renderer.clear()

        return bindings

    async def __aenter__(self) -> "App":
        self._app.output.write_raw(PUSH_TITLE)
        self.title(TITLE)
        running = self._app.run_async(handle_sigint=False, set_exception_handler=False)
        self._running = asyncio.create_task(running)
        self._running.add_done_callback(self._closed)
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._running is not None
        await asyncio.sleep(0)  # it may just have been entered, and not run yet
        if self._app.is_running:
            self._app.exit()
        await self._running
        self._picture = ""
        self._paint()
        self._app.output.write_raw(POP_TITLE)
        self._app.output.flush()

    async def ask(self) -> None:
        """Ask the terminal for its background and its name; wait a moment for the answers, which may come later."""
        display = current()
        if not (display.has_chosen_theme and display.has_chosen_blocks):
            await self._ask(QUESTIONS, PATIENCE)

    async def asks_pictures(self) -> bool:
        """Ask the terminal whether it shows pictures, and for its size in pixels."""
        current().shows_pictures = False
        await self._ask(PICTURE_QUESTIONS, PICTURE_PATIENCE)
        return current().shows_pictures

    async def _ask(self, questions: str, seconds: float) -> None:
        keys: Any = self._app.input
        display = current()
        if not hasattr(keys, "vt100_parser"):
            return
        answered = asyncio.Event()

        def learned() -> None:
            self._app.renderer.clear()
            self.redraw()
            if answers.is_over:
                answered.set()

        parser = keys.vt100_parser
        answers = Answers(parser, display, learned)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._drawn.wait()  # from when on the terminal echoes nothing
                keys.vt100_parser = answers
                self._app.output.write_raw(questions)
                self._app.output.flush()
                await answered.wait()
                keys.vt100_parser = parser

    def _closed(self, running: asyncio.Task[None]) -> None:
        """End the page that is shown, as the terminal is gone."""
        self.fail((None if running.cancelled() else running.exception()) or EOFError())

    # For pages.

    @property
    def depth(self) -> Depth:
        """Bits of a colour in this terminal."""
        return DEPTH_OF[self._depth]

    async def show(self, page: Page) -> Any:
        """Show a page until it is left; returns its result.

        Raises what the page raises, and EOFError when the terminal is gone.
        """
        assert self._running is not None
        if self._running.done():
            raise EOFError
        before, ended_before = self._page, self._ended
        self._page, self._ended = page, asyncio.get_running_loop().create_future()
        self._finish(None)
        ticking = asyncio.create_task(self._tick(page))
        self.redraw()
        try:
            return await self._ended
        finally:
            ticking.cancel()
            self._page, self._ended = before, ended_before
            self._finish(None)

    def leave(self, result: object = None) -> None:
        """End the page that is shown with a result."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(result)

    def fail(self, error: BaseException) -> None:
        """End the page that is shown with an exception, which `show` raises."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_exception(error)

    def fail_with(self, task: asyncio.Task[None]) -> None:
        """End the page that is shown with the exception of a finished task, if it has one."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(error)

    async def paint(self, svg: str) -> None:
        """Show a drawing in place of the page until a key is pressed. Raises ImportError as `picture.png` does."""
        columns, rows = self._app.output.get_size().columns, self._app.output.get_size().rows
        wide, high = current().pixels
        wide, high = wide or columns * picture.CELL[0], high or rows * picture.CELL[1]
        room = high * (rows - 1) // rows  # without the row that says how to go back
        drawn = await asyncio.to_thread(picture.png, svg, wide, room)
        left = (wide - picture.size_of(drawn)[0]) * columns // (2 * wide)
        self._picture, self._window = picture.kitty(drawn, left, 0), (columns, rows)
        self.redraw()

    def _paint(self) -> None:
        """Write the picture after the page below it is drawn, or delete it."""
        if self._picture != self._painted:
            self._app.output.write_raw(self._picture or picture.DELETE)
            self._app.output.flush()
            self._painted = self._picture

    def redraw(self) -> None:
        """Request that the page is drawn again."""
        self._app.invalidate()

    def draw_anew(self) -> None:
        """Redraw the whole terminal after another program used it."""
        ExitStack().enter_context(self._app.input.raw_mode())  # never left, as the mode before it is another's
        self._app.renderer.reset()
        self.redraw()

    def title(self, text: str) -> None:
        """Set the title of the window."""
        if text != self._title:
            self._title = text
            self._app.output.set_title(text)
            self._app.output.flush()

    def notify(self, text: str) -> None:
        """Show a notification on the desktop, if the terminal passes it on."""
        said = "".join(filter(str.isprintable, text))
        is_777 = "VTE_VERSION" in os.environ or os.environ.get("TERM", "").startswith(TERMS_OF_777)
        self._app.output.write_raw(f"\x1b]777;notify;{TITLE};{said}\x07" if is_777 else f"\x1b]9;{TITLE}: {said}\x07")
        self._app.output.flush()

    def bell(self) -> None:
        """Ring the bell."""
        self._app.output.bell()
        self._app.output.flush()

    def type(
        self,
        prompt: str,
        typed: Callable[[str | None], None],
        candidates: Candidates = lambda _typed: (),
        text: str = "",
        *,
        hidden: bool = False,
    ) -> None:
        """Read a line at the bottom; `typed` gets it, or None if it was cancelled.

        A hidden line, such as a password, is neither shown nor kept in the history.
        """
        self._prompt, self._candidates, self._hidden = untied(prompt), candidates, hidden
        self._buffer.reset(Document(text, len(text)))
        self._typed = typed
        self.redraw()

    # Events of the terminal.

    def _accept(self, buffer: Buffer) -> bool:
        self._finish(buffer.text)
        return False

    def _finish(self, text: str | None) -> None:
        typed, self._typed = self._typed, None  # before the call, which may ask for another line
        self._buffer.reset(append_to_history=text is not None and not self._hidden)
        if typed is not None:
            with self._failing():
                typed(text and readable(text))
        self.redraw()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """End the page with the exceptions that it raises."""
        try:
            yield
        except Exception as error:
            self.fail(error)

    def _draw(self, columns: int, rows: int) -> Block:
        self._drawn.set()
        if self._picture and self._window == (columns, rows):
            hint = Block([[("class:hint", f" {_('any key returns')}")]])
            return stacked(fitted(Block(), columns, rows - 1), fitted(hint, columns, 1))
        self._picture = ""  # the window has another size
        with self._failing():
            if self._page is not None:
                return self._page.draw(columns, rows, self.depth)
        return fitted(Block(), columns, rows)

    def _tell(self, event: Callable[[Page], None]) -> None:
        if self._picture:
            self._picture = ""
            self.redraw()
        elif self._page is not None:
            with self._failing():
                event(self._page)
            self.redraw()

    async def _tick(self, page: Page) -> None:
        while True:
            await asyncio.sleep(page.refresh_seconds or 1)
            if page.refresh_seconds:
                self.redraw()
