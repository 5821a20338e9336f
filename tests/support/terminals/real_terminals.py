"""Commands in real terminals: a pseudoterminal read by pyte, or tmux. Tests wait for screen contents, never for a time."""

import os
import pty
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from fcntl import ioctl
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self, final

import pyte

from tests.support.processes.vinci_process import LIMIT, environment
from tests.support.terminals.emulator import Person

MODES: Final = {1049: "alternate screen", 1000: "mouse", 1003: "mouse moves", 1006: "mouse", 2004: "pasting"}
"""Modes that a full screen switches on, by their number in xterm."""


ENDED: Final = "The command ended: "
"""Text that the shell prints after a command, before its status."""
WITH_TERMINAL: Final = (
    "import os, sys; os.close(os.open(os.ttyname(0), os.O_RDWR)); os.execvp(sys.argv[1], sys.argv[1:])"
)
"""Program that makes its standard input the terminal that controls it, and becomes the command in its arguments.

A `preexec_fn` would fork this process, in which gRPC then writes errors into the terminal.
"""


def vinci(*arguments: str) -> list[str]:
    """Return the command line of `vinci` in a shell, which prints the exit status and keeps the terminal open."""
    command = shlex.join([sys.executable, "-m", "vinci_cli", *arguments])
    return ["sh", "-c", f'{command}; echo "{ENDED}$?"; read line']


class Window(Person):
    """A terminal in which a command runs, and its user."""

    def until(self, condition: str | Callable[[str], bool]) -> str:
        """Wait until a text is on the screen, or the screen fulfils a condition; return the screen."""
        deadline = time.monotonic() + LIMIT
        while not (condition in self.text() if isinstance(condition, str) else condition(self.text())):
            assert time.monotonic() < deadline, f"not in time: {condition!r}\n{self.text()}"
            goes_on = self._read() and (condition == ENDED or ENDED not in self.text())
            assert goes_on, f"it ended without {condition!r}:\n{self.text()}"
        return self.text()

    def changes_from(self, before: str) -> str:
        """Wait until the screen differs from an earlier one; return it."""
        return self.until(lambda now: now != before)

    def click(self, text: str, *, right: int = 0) -> None:
        """Wait for a text and click on it."""
        self.until(text)
        super().click(text, right=right)

    def resize(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        raise NotImplementedError

    def switched_on(self) -> set[str]:
        """Return the terminal modes that a full screen has enabled and not disabled again."""
        raise NotImplementedError

    def papers(self) -> set[str]:
        """Return the background colours of the cells, as six hexadecimal digits or pyte names."""
        return {self.screen.buffer[row][column].bg for row in range(self.screen.lines) for column in range(80)}

    def _read(self) -> bool:
        """Read new output; return whether more may follow."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self


@final
class Pty(Window):
    """A pseudoterminal with true colour. Its processes are killed when the test leaves it."""

    depth: Final = 24

    def __init__(self, home: Path, command: Sequence[str], columns: int = 80, rows: int = 24) -> None:
        self._master, slave = pty.openpty()
        super().__init__(pyte.Screen(columns, rows), self._type)
        self._stream: Final = pyte.ByteStream(self.screen)
        self.resize(columns, rows)
        self._process: Final = subprocess.Popen(
            [sys.executable, "-ISc", WITH_TERMINAL, *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=_environment(home, TERM="xterm-256color", COLORTERM="truecolor"),
            start_new_session=True,
        )
        os.close(slave)

    def _type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def __exit__(self, *_error: object) -> None:
        self.send(signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the terminal."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, number)

    def ended(self) -> int:
        """Read to the end; return the exit status."""
        while self._read():
            pass
        return self._process.wait(LIMIT)

    def resize(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self.screen.resize(rows, columns)
        ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def switched_on(self) -> set[str]:
        """Return the terminal modes that a full screen has enabled and not disabled again."""
        result = {name for number, name in MODES.items() if number << 5 in self.screen.mode}
        return result | ({"no cursor"} if self.screen.cursor.hidden else set())

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], 0.2)
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:  # the other side has closed
            return False
        self._stream.feed(data.replace(b"\x1b[>", b"\x1b["))  # which pyte does not know
        return bool(ready) or self._process.poll() is None


@final
class Tmux(Window):
    """A window of tmux with 256 colours. Its server is killed when the test leaves it."""

    depth: Final = 8

    def __init__(self, home: Path, command: Sequence[str], columns: int = 80, rows: int = 24) -> None:
        super().__init__(pyte.Screen(columns, rows), self._type)
        settings = home / "tmux.conf"
        settings.write_text("set -g status off\nset -g default-terminal tmux-256color\nset -s escape-time 0\n")
        self._sockets: Final = TemporaryDirectory()  # a path in the home may be longer than that of a socket can be
        self._tmux: Final = ["tmux", "-u", "-f", str(settings)]
        self._environment: Final = _environment(home, TMUX_TMPDIR=self._sockets.name)
        self._do("new-session", "-d", "-x", str(columns), "-y", str(rows), shlex.join(command))

    def __exit__(self, *_error: object) -> None:
        self._do("kill-server")
        self._sockets.cleanup()

    def resize(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self._do("resize-window", "-x", str(columns), "-y", str(rows))
        self.screen.resize(rows, columns)

    def switched_on(self) -> set[str]:
        """Return the terminal modes that a full screen has enabled and not disabled again."""
        flags = self._do("display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{?cursor_flag,0,1}").split()
        names = ("alternate screen", "mouse", "no cursor")
        return {name for name, flag in zip(names, flags, strict=True) if flag == "1"}

    def _type(self, text: str) -> None:
        self._do("send-keys", "-H", *(f"{byte:x}" for byte in text.encode()))

    def _read(self) -> bool:
        time.sleep(0.05)
        self.screen.reset()
        pyte.Stream(self.screen).feed(self._do("capture-pane", "-e", "-p").rstrip("\n").replace("\n", "\r\n"))
        return True

    def _do(self, *arguments: str) -> str:
        done = subprocess.run([*self._tmux, *arguments], env=self._environment, capture_output=True, check=True)
        return done.stdout.decode()


def _environment(home: Path, **more: str) -> Mapping[str, str]:
    """Return an environment with the colours and size of the terminal, in English."""
    of_others = ("NO_COLOR", "COLORTERM", "COLUMNS", "LINES", "TMUX", "LC_")
    inherited = {name: value for name, value in environment(home).items() if not name.startswith(of_others)}
    display = {"VINCI_THEME": "dark", "VINCI_BLOCKS": "quadrants"}  # so that nobody waits for answers
    return {**inherited, **display, "LANG": "C.UTF-8", "HOME": str(home), **more}
