"""The terminal as a stage: it shows one page at a time, hands it keys and clicks, and lets a line be typed.

A page is asked for its picture whenever something happened; what it draws depends on nothing but what it knows, the
size and the depth of colours. Everything here is thin: `tests/cli/full` drives it through a pipe.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
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

from ...line.terminal import Candidates, WordCompleter, readable
from ...text.i18n import untied
from .block import Block, Depth, fitted
from .canvas import Canvas
from .theme import style_sheet

ESCAPE_SECONDS: Final = 0.05
"""How long a single Escape is waited for, as it may be the start of an arrow key."""

DEPTH_OF: Final = {
    ColorDepth.DEPTH_1_BIT: 1,
    ColorDepth.DEPTH_4_BIT: 4,
    ColorDepth.DEPTH_8_BIT: 8,
    ColorDepth.DEPTH_24_BIT: 24,
}

ALIASES: Final = {"c-m": "enter", "c-i": "tab", "c-h": "backspace"}
"""Names of keys that a terminal sends as something else."""

NOT_PRESSED: Final = (
    Keys.Any,
    Keys.CPRResponse,
    Keys.Vt100MouseEvent,
    Keys.WindowsMouseEvent,
    Keys.BracketedPaste,
    Keys.SIGINT,
    Keys.Ignore,
    Keys.ScrollUp,
    Keys.ScrollDown,
    Keys.ControlL,
)
"""What prompt-toolkit calls a key and is none, or one that it handles."""


class Page(Protocol):
    """Something that fills the terminal."""

    @property
    def refresh_seconds(self) -> float:
        """How often it is drawn even if nothing happens, as a clock may run in it; 0 for never."""

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Its picture, of this size."""

    def press(self, key: str) -> None:
        """A key: a character, or a name such as `up`, `enter`, `tab`, `escape`, `pageup`, `f1`, `c-c`."""

    def click(self, target: str) -> None:
        """A click on something that the picture named; empty for nothing."""

    def scroll(self, target: str, lines: int) -> None:
        """The wheel was turned over something."""


def depth_here() -> ColorDepth:
    """The colours that this terminal shows, as it says itself."""
    if os.environ.get("NO_COLOR"):
        return ColorDepth.DEPTH_1_BIT
    if (chosen := ColorDepth.from_env()) is not None:
        return chosen
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return ColorDepth.DEPTH_24_BIT
    return get_app_session().output.get_default_color_depth()


@final
class App:
    """A terminal in full screen, as long as it is entered with `async with`.

    Colours are those that the terminal says it shows, or as many as `depth` says.

    Attributes:
        is_job: the terminal is that of this process, and Ctrl-Z gives it back to the shell for a while.
    """

    def __init__(self, depth: ColorDepth | None = None) -> None:
        self.is_job = False
        self._depth: Final = depth or depth_here()
        self._page: Page | None = None
        self._ended: asyncio.Future[Any] | None = None
        self._typed: Callable[[str | None], None] | None = None
        self._prompt = ""
        self._hidden = False
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
            Canvas(self._draw, self._click, self._scroll),
            [
                Float(ConditionalContainer(line, typing), left=0, right=0, bottom=0, height=1),
                Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True),
            ],
        )
        app: Application[None] = Application(
            Layout(root, focused_element=line),
            key_bindings=self._bindings(typing),
            style=style_sheet(self.depth),
            color_depth=self._depth,
            full_screen=True,
            mouse_support=True,
        )
        app.ttimeoutlen = app.timeoutlen = ESCAPE_SECONDS
        return app

    def _bindings(self, typing: Condition) -> KeyBindings:
        bindings = KeyBindings()

        def press(event: KeyPressEvent) -> None:
            key = event.key_sequence[0].key
            name = key.value if isinstance(key, Keys) else key
            self._press(ALIASES.get(name, name))

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
        running = self._app.run_async(handle_sigint=False, set_exception_handler=False)
        self._running = asyncio.create_task(running)
        self._running.add_done_callback(self._closed)
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        assert self._running is not None
        await asyncio.sleep(0)  # it may just have been entered, and not run yet
        if self._app.is_running:
            self._app.exit()
        await self._running

    def _closed(self, running: asyncio.Task[None]) -> None:
        """The terminal is gone: whoever waits for a page is told."""
        self.fail((None if running.cancelled() else running.exception()) or EOFError())

    # What pages use.

    @property
    def depth(self) -> Depth:
        """Bits of a colour that the terminal shows."""
        return DEPTH_OF[self._depth]

    async def show(self, page: Page) -> Any:
        """Show a page until it is left; what it was left with.

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
        """End the page that is shown."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(result)

    def fail(self, error: BaseException) -> None:
        """End the page that is shown with what went wrong; whoever shows it gets the exception."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_exception(error)

    def fail_with(self, task: asyncio.Task[None]) -> None:
        """End the page that is shown with what went wrong in a task of it that is done, if anything did."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(error)

    def redraw(self) -> None:
        """Draw the page again, soon."""
        self._app.invalidate()

    def draw_anew(self) -> None:
        """Draw all of it, after somebody else had the terminal."""
        ExitStack().enter_context(self._app.input.raw_mode())  # never left, as the mode before it is another's
        self._app.renderer.reset()
        self.redraw()

    def bell(self) -> None:
        """Ring."""
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
        """Let a line be typed at the bottom; `typed` gets it, or None if that was given up.

        A hidden line is a password: nobody sees or remembers it.
        """
        self._prompt, self._candidates, self._hidden = untied(prompt), candidates, hidden
        self._buffer.reset(Document(text, len(text)))
        self._typed = typed
        self.redraw()

    # What the terminal says.

    def _accept(self, buffer: Buffer) -> bool:
        self._finish(buffer.text)
        return False

    def _finish(self, text: str | None) -> None:
        typed, self._typed = self._typed, None
        self._buffer.reset(append_to_history=text is not None and not self._hidden)
        if typed is not None:
            with self._failing():
                typed(text and readable(text))
        self.redraw()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """What a page does wrong ends it: nothing above would know whose page it was."""
        try:
            yield
        except Exception as error:
            self.fail(error)

    def _draw(self, columns: int, rows: int) -> Block:
        with self._failing():
            if self._page is not None:
                return self._page.draw(columns, rows, self.depth)
        return fitted(Block(), columns, rows)

    def _press(self, key: str) -> None:
        self._tell(lambda page: page.press(key))

    def _click(self, target: str) -> None:
        self._tell(lambda page: page.click(target))

    def _scroll(self, target: str, lines: int) -> None:
        self._tell(lambda page: page.scroll(target, lines))

    def _tell(self, what: Callable[[Page], None]) -> None:
        if self._page is not None:
            with self._failing():
                what(self._page)
            self.redraw()

    async def _tick(self, page: Page) -> None:
        while True:
            await asyncio.sleep(page.refresh_seconds or 1)
            if page.refresh_seconds:
                self.redraw()
