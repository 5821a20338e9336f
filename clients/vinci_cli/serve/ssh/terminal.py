"""A terminal at the other end of an SSH channel as input and output of prompt-toolkit.

prompt-toolkit's own support for SSH goes on playing when the connection is lost, keeps in memory whatever a slow
terminal does not read, and can stand still over a long paste; so these few classes are here instead.
"""

import asyncio
import codecs
import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any, Final, TextIO, cast, final

from prompt_toolkit.application.current import AppSession
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import Input
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

USUAL_SIZE: Final = Size(rows=24, columns=80)
"""For a terminal that does not tell its size."""
LARGEST: Final = Size(rows=100, columns=300)
"""The size that is drawn at most. A session needs about 3 MB of memory at 160x50 and 7 MB at this size."""
MOST_KEYS: Final = 4096
"""Keys that are kept while nobody reads them."""
RESTORED: Final = "\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?1049l\x1b[0m\x1b[?25h"
"""No mouse, no pasting mode, the screen of before, plain text and a cursor."""


def size_of(columns: int, rows: int) -> Size:
    """The size of a terminal that says it has this one."""
    return Size(
        rows=min(rows, LARGEST.rows) if rows > 0 else USUAL_SIZE.rows,
        columns=min(columns, LARGEST.columns) if columns > 0 else USUAL_SIZE.columns,
    )


def depth_of(terminal: str, environment: Mapping[str, str]) -> ColorDepth:
    """The colours of a terminal of this type, with the environment variables that its client sent."""
    if environment.get("NO_COLOR") or terminal in ("", "dumb") or terminal.startswith("vt"):
        return ColorDepth.DEPTH_1_BIT
    if environment.get("COLORTERM") in ("truecolor", "24bit") or terminal.endswith("-direct"):
        return ColorDepth.DEPTH_24_BIT
    if terminal in ("linux", "ansi", "cygwin") or terminal.endswith("16color"):
        return ColorDepth.DEPTH_4_BIT
    return ColorDepth.DEPTH_8_BIT


@final
class SshInput(Input):
    """Typed keys. A reader is called in the context in which it was attached."""

    def __init__(self) -> None:
        self._pressed: list[KeyPress] = []
        self._parser: Final = Vt100Parser(lambda key: self._pressed.append(key))
        self._decoder: Final = codecs.getincrementaldecoder("utf-8")("replace")
        self._ready: Callable[[], object] | None = None
        self._ended = False

    def feed(self, data: bytes) -> None:
        """Take data from the channel."""
        self._parser.feed(self._decoder.decode(data))
        del self._pressed[MOST_KEYS:]
        self._tell()

    def end(self) -> None:
        """Nothing more will come."""
        self._ended = True
        self._tell()

    def _tell(self) -> None:
        if self._ready is not None:
            self._ready()

    def read_keys(self) -> list[KeyPress]:
        """Return the keys pressed since the last call."""
        pressed, self._pressed = self._pressed, []
        return pressed

    def flush_keys(self) -> list[KeyPress]:
        """Return the keys pressed, including a lone Escape."""
        self._parser.flush()
        return self.read_keys()

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._ended

    @contextlib.contextmanager
    def attach(self, input_ready_callback: Callable[[], None]) -> Iterator[None]:
        """Call this from now on when something was typed."""
        before, self._ready = self._ready, partial(copy_context().run, input_ready_callback)
        if self._pressed or self._ended:
            asyncio.get_running_loop().call_soon(self._tell)
        try:
            yield
        finally:
            self._ready = before

    @contextlib.contextmanager
    def detach(self) -> Iterator[None]:
        """Call nobody."""
        before, self._ready = self._ready, None
        try:
            yield
        finally:
            self._ready = before

    def raw_mode(self) -> contextlib.AbstractContextManager[None]:
        """The terminal at the other end is in raw mode all the time."""
        return contextlib.nullcontext()

    def cooked_mode(self) -> contextlib.AbstractContextManager[None]:
        """As raw mode."""
        return contextlib.nullcontext()

    def fileno(self) -> int:
        """There is no file. Raises NotImplementedError."""
        raise NotImplementedError

    def typeahead_hash(self) -> str:
        """A name for this input."""
        return f"ssh-{id(self)}"


@final
class SshWriter:
    """Where the output is written to. While the terminal does not keep up, whole pictures are left out."""

    encoding: Final = "utf-8"

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send: Final = send
        self.slow = False
        self.left_out = False

    def write(self, data: str) -> None:
        """Send it, unless the terminal has enough to read."""
        if self.slow:
            self.left_out = True
        else:
            self.write_anyway(data)

    def write_anyway(self, data: str) -> None:
        """Send it."""
        with contextlib.suppress(OSError):  # it is gone
            self._send(data.replace("\n", "\r\n").encode(errors="replace"))

    def flush(self) -> None:
        """Nothing is kept back."""

    def isatty(self) -> bool:
        """It is a terminal."""
        return True


@final
class Terminal:
    """Input, output and size of a remote terminal; `session` is the app session of prompt-toolkit."""

    def __init__(self, send: Callable[[bytes], object], kind: str, depth: ColorDepth, size: Size) -> None:
        self.keys: Final = SshInput()
        self.lines: Final = SshWriter(send)
        self.size = size
        self.session: AppSession | None = None
        self.output: Final = Vt100_Output(
            cast(TextIO, self.lines), lambda: self.size, term=kind, default_color_depth=depth, enable_cpr=False
        )

    def resize(self, size: Size) -> None:
        """It has another size now."""
        self.size = size
        app = self._app()
        if app is not None:
            app._on_resize()

    def slow_down(self) -> None:
        """It does not read as fast as is written."""
        self.lines.slow = True

    def catch_up(self) -> None:
        """Redraw what was skipped, since the terminal has read everything."""
        self.lines.slow = False
        if self.lines.left_out:
            self.lines.left_out = False
            app = self._app()
            if app is not None:
                app.renderer.clear()
                app.invalidate()

    def say_last(self, text: str) -> None:
        """Leave the full screen for good, with a last word."""
        restored = RESTORED if self.lines.slow or self.lines.left_out else ""
        self.lines.write_anyway(restored + text)

    def _app(self) -> Any:
        app = self.session.app if self.session is not None else None
        return app if app is not None and app.is_running else None
