"""A full screen under job control of a shell: stopped, continued and terminated."""

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from typing import Final, final

import pyte
import pytest

from tests.support.processes.vinci_process import LIMIT, environment, is_running

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")

ALTERNATE: Final = 1049 << 5
"""Number in pyte of the mode that hides the output of the shell."""

PLAY: Final = ("play", "--players", "human,dummy,dummy", "--name", "Ann")
COMMANDS: Final = (PLAY, ("tutorial",))


@final
class Job:
    """A command in a terminal, whose modes are those of a shell before and after it."""

    def __init__(self, home: Path, command: Sequence[str]) -> None:
        self._master, slave = pty.openpty()
        ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.modes_before: Final = termios.tcgetattr(slave)
        self.slave: Final = slave
        self.screen: Final = pyte.Screen(80, 24)
        self._stream: Final = pyte.ByteStream(self.screen)
        self.process: Final = subprocess.Popen(
            [sys.executable, "-m", "vinci_cli", *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**environment(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"},
            process_group=0,
        )

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the command."""
        os.kill(self.process.pid, number)

    def type(self, text: str) -> None:
        """Type."""
        os.write(self._master, text.encode())

    def until(self, true: Callable[[str], bool]) -> None:
        """Read until the screen fulfils a condition."""
        deadline = time.monotonic() + LIMIT
        while not true(text := "\n".join(self.screen.display)):
            assert time.monotonic() < deadline, text
            ready, _, _ = select.select([self._master], [], [], 0.05)
            if ready:
                self._stream.feed(os.read(self._master, 65536).replace(b"\x1b[>", b"\x1b["))

    def is_stopped(self) -> bool:
        """Whether the command is stopped by job control."""
        return Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@contextmanager
def playing(home: Path, command: Sequence[str]) -> Iterator[Job]:
    """Start a game that waits for its first move. It is killed when the test leaves it."""
    job = Job(home, command)
    try:
        job.until(lambda text: "Your move" in text)
        assert ALTERNATE in job.screen.mode
        yield job
    finally:
        os.killpg(job.process.pid, signal.SIGKILL)
        job.process.wait()


@pytest.mark.parametrize("command", COMMANDS, ids=["play", "tutorial"])
def test_sigterm_restores_the_terminal(tmp_path: Path, command: Sequence[str]) -> None:
    """After SIGTERM the shell has its screen and modes, and a sentence says what was saved."""
    with playing(tmp_path, command) as job:
        assert termios.tcgetattr(job.slave) != job.modes_before
        job.send(signal.SIGTERM)
        job.until(lambda text: "nothing is lost" in text and not is_running(job.process.pid))
        assert ALTERNATE not in job.screen.mode
        assert termios.tcgetattr(job.slave) == job.modes_before


@pytest.mark.parametrize("command", COMMANDS, ids=["play", "tutorial"])
def test_ctrl_z_restores_the_terminal_until_resumed(tmp_path: Path, command: Sequence[str]) -> None:
    """The shell has its screen and line mode meanwhile; afterwards the game is drawn again."""
    with playing(tmp_path, command) as job:
        job.type("\x1a")
        job.until(lambda _text: job.is_stopped() and ALTERNATE not in job.screen.mode)
        assert termios.tcgetattr(job.slave)[3] == job.modes_before[3]  # line mode with echo
        os.killpg(job.process.pid, signal.SIGCONT)
        job.until(lambda text: "Your move" in text and ALTERNATE in job.screen.mode)


def test_resumed_client_redraws_the_screen(tmp_path: Path) -> None:
    """Resuming a stopped client redraws the whole screen and restores raw input."""
    with playing(tmp_path, PLAY) as job:
        job.send(signal.SIGSTOP)
        job.until(lambda _text: job.is_stopped())
        termios.tcsetattr(job.slave, termios.TCSANOW, job.modes_before)
        os.write(job.slave, b"\x1b[Hwritten by the shell")
        job.until(lambda text: "written by the shell" in text)
        job.send(signal.SIGCONT)
        job.until(lambda text: "written by the shell" not in text and "Your move" in text)
        job.type("e")
        job.until(lambda text: "e Empires" in text)
