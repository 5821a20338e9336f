"""A bot as a process: started by the contract, watched, and ended with all that it started."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, final

import psutil

from vinci_client import processes

from . import reaper

KILL_SECONDS: Final = 2.0
"""How long what is told to end has before it is killed."""
POLL_SECONDS: Final = 0.02
TERMINATE: Final = signal.SIGTERM
KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


@final
class BotProcess:
    """A running command; `cpu` is seconds, `memory` the most bytes (RSS) that it and its children had when measured.

    `exited` is None while it runs, then the status with which it ended; below 0 it is the number of a signal.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        """Start it; what it writes goes to the end of the log. Raises OSError."""
        self.cpu = 0.0
        self.memory = 0
        self.exited: int | None = None
        self._log: Final = log
        self._family: list[psutil.Process] = []
        with log.open("a", encoding="utf-8") as said:
            self._process: Final = processes.start(command, said, said, environment)
        _note("+", self._process.pid)

    @property
    def written(self) -> int:
        """Bytes that it has written."""
        return self._log.stat().st_size

    def measure(self) -> None:
        """See how much it uses. Takes some milliseconds."""
        if self.exited is None:
            with suppress(psutil.Error):
                first = psutil.Process(self._process.pid)
                self._family = [first, *first.children(recursive=True)]
                self.memory = max(self.memory, sum(_memory(one) for one in self._family))
                self.cpu = max(self.cpu, sum(_cpu(one) for one in self._family))

    def has_ended(self) -> bool:
        """Whether it has ended by itself."""
        if self.exited is None and os.name == "posix":
            pid, status, used = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                self.cpu = max(self.cpu, used.ru_utime + used.ru_stime)
                self._process.returncode = self.exited = os.waitstatus_to_exitcode(status)
        elif self.exited is None:
            self.exited = self._process.poll()
        return self.exited is not None

    def let_end(self) -> None:
        """Tell it that nobody needs it any more: its standard input ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def wait(self, seconds: float) -> bool:
        """Whether it ends by itself within so many seconds."""
        until = time.monotonic() + seconds
        while not self.has_ended() and time.monotonic() < until:
            time.sleep(POLL_SECONDS)
        return self.has_ended()

    def left_behind(self) -> tuple[str, ...]:
        """What it has started and still runs after it has ended, by name; nothing while it runs itself."""
        if os.name != "posix" or not self.has_ended():
            return ()
        try:
            os.killpg(self._process.pid, 0)
        except (ProcessLookupError, PermissionError):
            return ()
        return tuple(_names(self._process.pid))

    def kill(self) -> None:
        """End it and all that it started: it is told to, and made to when it does not.

        What may not be signalled, as under another user, is left to its closed standard input.
        """
        self.let_end()
        if not self.has_ended():
            self.measure()
            self._signal(TERMINATE)
            self.wait(KILL_SECONDS)
        self._signal(KILL)
        for one in self._family:  # also those that have left the group
            with suppress(psutil.Error):
                one.kill()
        if self.wait(KILL_SECONDS):
            _note("-", self._process.pid)

    def _signal(self, number: signal.Signals) -> None:
        """To its group; to it alone on a system without groups."""
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)
        else:
            self._process.terminate()


def _names(group: int) -> Iterator[str]:
    """The processes of a group that run, by name."""
    for one in psutil.process_iter(["name", "status"]):
        with suppress(ProcessLookupError, PermissionError):
            if os.getpgid(one.pid) == group and one.info["status"] != psutil.STATUS_ZOMBIE:
                yield str(one.info["name"])


def _memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # it has just ended
        return 0


def _cpu(process: psutil.Process) -> float:
    """Seconds of a process, and of those of its children that have ended."""
    try:
        used = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(used.user + used.system + getattr(used, "children_user", 0) + getattr(used, "children_system", 0))


@cache
def _reaper() -> subprocess.Popen[str]:
    """The reaper of this program."""
    return subprocess.Popen(
        [sys.executable, "-I", reaper.__file__], stdin=subprocess.PIPE, text=True, start_new_session=True
    )


def reaper_pid() -> int | None:
    """The process that ends bots when this program is gone; None if there was no bot yet."""
    return _reaper().pid if _reaper.cache_info().currsize else None


def _note(sign: str, group: int) -> None:
    if os.name == "posix":
        told = _reaper().stdin
        assert told is not None
        told.write(f"{sign}{group}\n")
        told.flush()
