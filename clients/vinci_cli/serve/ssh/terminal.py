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
"""Size assumed for a terminal that reports none."""
LARGEST: Final = Size(rows=100, columns=300)
"""Largest size drawn. A session needs about 3 MB of memory at 160x50 and 7 MB at this size."""
MOST_KEYS: Final = 4096
"""Most keys buffered until they are read."""
RESTORED: Final = "\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?1049l\x1b[0m\x1b[?25h"
"""Turns mouse and pasting mode off, and brings back the main screen, plain text and the cursor."""


def size_of(columns: int, rows: int) -> Size:
    """Return the size to draw for a terminal that reports this one."""
    return Size(
        rows=min(rows, LARGEST.rows) if rows > 0 else USUAL_SIZE.rows,
        columns=min(columns, LARGEST.columns) if columns > 0 else USUAL_SIZE.columns,
    )


def depth_of(terminal: str, environment: Mapping[str, str]) -> ColorDepth:
    """Return the colour depth of a terminal of this type, with the environment variables that its client sent."""
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
        self.vt100_parser: Any = Vt100Parser(lambda key: self._pressed.append(key))
        self._decoder: Final = codecs.getincrementaldecoder("utf-8")("replace")
        self._ready: Callable[[], object] | None = None
        self._ended = False

    def feed(self, data: bytes) -> None:
        """Take data from the channel."""
        self.vt100_parser.feed(self._decoder.decode(data))
        del self._pressed[MOST_KEYS:]
        self._tell()

    def end(self) -> None:
        """End the input."""
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
        self.vt100_parser.flush()
        return self.read_keys()

    @property
    def closed(self) -> bool:
        """Whether the input has ended."""
        return self._ended

    @contextlib.contextmanager
    def attach(self, input_ready_callback: Callable[[], None]) -> Iterator[None]:
        """Call this when something was typed, as long as it is entered."""
        if self._pressed or self._ended:
            asyncio.get_running_loop().call_soon(self._tell)
        with self._calling(partial(copy_context().run, input_ready_callback)):
            yield

    def detach(self) -> contextlib.AbstractContextManager[None]:
        """Call no reader, as long as it is entered."""
        return self._calling(None)

    @contextlib.contextmanager
    def _calling(self, reader: Callable[[], object] | None) -> Iterator[None]:
        before, self._ready = self._ready, reader
        try:
            yield
        finally:
            self._ready = before

    def raw_mode(self) -> contextlib.AbstractContextManager[None]:
        """Do nothing: the terminal at the other end is in raw mode all the time."""
        return contextlib.nullcontext()

    cooked_mode = raw_mode

    def fileno(self) -> int:
        """Raise NotImplementedError, since there is no file."""
        raise NotImplementedError

    def typeahead_hash(self) -> str:
        """Return a name for this input."""
        return f"ssh-{id(self)}"


@final
class SshWriter:
    """The output to the channel; while the terminal does not keep up, whole frames are dropped."""

    encoding: Final = "utf-8"

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send: Final = send
        self.slow = False
        self.dropped = False

    def write(self, data: str) -> None:
        """Send text, or drop it while the terminal is slow."""
        # `Vt100_Output` writes all of a frame at once, so no escape sequence is cut.
        if self.slow:
            self.dropped = True
        else:
            self.write_anyway(data)

    def write_anyway(self, data: str) -> None:
        """Send text."""
        with contextlib.suppress(OSError):  # the connection is closed
            self._send(data.replace("\n", "\r\n").encode(errors="replace"))

    def flush(self) -> None:
        """Do nothing, since nothing is buffered."""

    def isatty(self) -> bool:
        """Return True: it is a terminal."""
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
        """Redraw at another size."""
        self.size = size
        app = self._app()
        if app is not None:
            app._on_resize()  # what prompt-toolkit does on SIGWINCH; it has no public way

    def slow_down(self) -> None:
        """Drop output, since the terminal does not keep up."""
        self.lines.slow = True

    def catch_up(self) -> None:
        """Redraw what was skipped, since the terminal has read everything."""
        self.lines.slow = False
        if self.lines.dropped:
            self.lines.dropped = False
            app = self._app()
            if app is not None:
                app.renderer.clear()
                app.invalidate()

    def say_last(self, text: str) -> None:
        """Leave the full screen and print a last text."""
        # What the app wrote to leave the full screen may be among what was dropped.
        restored = RESTORED if self.lines.slow or self.lines.dropped else ""
        self.lines.write_anyway(restored + text)

    def _app(self) -> Any:
        app = self.session.app if self.session is not None else None
        return app if app is not None and app.is_running else None
