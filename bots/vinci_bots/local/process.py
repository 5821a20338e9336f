"""Run a bot as a process: start it by the environment contract, measure it, stop it and its children."""

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Final, final

import psutil

from vinci_client import processes

from ..environment import PROCESS
from . import linux, reaper, sandbox

KILL_SECONDS: Final = 2.0
"""Grace period between SIGTERM and SIGKILL."""
POLL_SECONDS: Final = 0.02
FIRST_LINES: Final = 3
LAST_LINES: Final = 5
MEGABYTE: Final = 2**20


def excerpt(log: Path, first: int = FIRST_LINES) -> tuple[str, ...]:
    """Return the first and last lines of a bot's output, which name the cause of a crash in most languages."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    if len(lines) <= first + LAST_LINES:
        return tuple(lines)
    return (*lines[:first], "...", *lines[-LAST_LINES:])


@final
class BotProcess:
    """Running bot. `cpu` is seconds, `memory` peak RSS in bytes, children included, as of the last measurement.

    With a `door`, the folder of a server's socket, it runs in the sandbox. `folder` is its own one, in which it runs,
    empty for this one. Without a `log` it writes to the standard error of this process.
    `exited` is None while it runs, then the exit status; a negative one is the number of a signal.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: Path | None,
        door: Path | None = None,
        folder: str = "",
    ) -> None:
        """Start the process; its output is appended to the log. Raises OSError."""
        self.cpu = 0.0
        self.memory = 0
        self._is_confined: Final = door is not None
        self.exited: int | None = None
        # A look and a kill in two threads may ask at once; the second would wait for a process that is gone.
        self._waiting: Final = threading.Lock()
        self._log: Final = log
        # Random, as two leagues of one seed have the same seat tokens, and would kill each other's bots by these.
        environment = {**environment, PROCESS: secrets.token_hex(8)}
        self._mark: Final = f"{PROCESS}={environment[PROCESS]}"
        self._family: list[psutil.Process] = []
        variables = processes.bot_environment(environment)
        if door is not None:
            command, variables = sandbox.confined(command, door, folder), sandbox.environment(environment)
        with nullcontext(sys.stderr) if log is None else log.open("a", encoding="utf-8") as output:
            self._process: Final = processes.start(command, output, output, variables, folder or None)
        _note("+", self._process.pid, self._mark)

    @property
    def written(self) -> int:
        """Number of bytes written to the log; 0 without one."""
        return self._log.stat().st_size if self._log else 0

    def last_words(self) -> str:
        """Return the last line of the log; empty without one."""
        return ("", *excerpt(self._log))[-1] if self._log else ""

    def measure(self) -> None:
        """Update `cpu` and `memory`; takes some milliseconds."""
        if self.exited is None:
            with suppress(psutil.Error):
                first = psutil.Process(self._process.pid)
                self._family = [first, *first.children(recursive=True)]
                memory, cpu = zip(*map(_usage, self._family), strict=True)
                self.memory, self.cpu = max(self.memory, sum(memory)), max(self.cpu, sum(cpu))

    def cpu_now(self) -> float:
        """CPU seconds of its processes so far, in steps of the system (10 ms); Linux only.

        Cheaper than `measure`, as it looks at these processes only.
        """
        return linux.cpu_seconds(self._process.pid)

    def waits_for_input(self) -> bool:
        """Whether it can be seen that it reads its standard input, without a connection to any server."""
        return linux.waits_for_input(self._process.pid)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def excess(self, memory: int, output: int) -> tuple[str, str] | None:
        """Return the limit that it exceeds, and a message about it, or None; those of the sandbox apply only there.

        `memory` and `output` are bytes.
        """
        if self.memory > memory:
            return "memory", f"it had {self.memory // MEGABYTE} MB of memory, and may have {memory // MEGABYTE}"
        if self._is_confined and sandbox.is_crowded(self._process.pid):
            return "processes", f"it had more than {sandbox.MOST_PROCESSES} processes"
        if self.written > output:
            return "output", f"it wrote more than {output // MEGABYTE} MB"
        if self._is_confined and self.cpu > sandbox.MOST_CPU:
            return "cpu", f"it used {self.cpu:.0f} s of CPU, and may use {sandbox.MOST_CPU}"
        return None

    def has_ended(self) -> bool:
        """Whether the process has exited."""
        with self._waiting:
            if self.exited is None and os.name == "posix":
                # Instead of `poll`: only this tells the CPU time of a process that ended after the last measurement.
                pid, status, used = os.wait4(self._process.pid, os.WNOHANG)
                if pid:
                    self.cpu = max(self.cpu, used.ru_utime + used.ru_stime)
                    # Told to `Popen`, too, which would wait for a process that is there no more.
                    self._process.returncode = self.exited = os.waitstatus_to_exitcode(status)
            elif self.exited is None:
                self.exited = self._process.poll()
            return self.exited is not None

    def let_end(self) -> None:
        """Ask the process to exit by closing its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def wait(self, seconds: float) -> bool:
        """Wait for the process to exit; return whether it did in time."""
        until = time.monotonic() + seconds
        while not self.has_ended() and time.monotonic() < until:
            time.sleep(POLL_SECONDS)
        return self.has_ended()

    def left_behind(self) -> tuple[str, ...]:
        """Names of child processes that outlived the bot; empty while the bot is running."""
        if os.name != "posix" or not self.has_ended():
            return ()
        return tuple(_names({*_group(self._process.pid), *reaper.bearing(self._mark)}))

    def kill(self) -> None:
        """Stop the process and its children with SIGTERM, then SIGKILL.

        Processes that may not be signalled, as those of another user, only see their standard input close.
        """
        self.let_end()
        if not self.has_ended():
            self.measure()
            self._terminate()
            self.wait(KILL_SECONDS)
        if os.name == "posix":
            reaper.kill(self._process.pid, self._mark)
        else:
            self._process.kill()
        for process in self._family:  # including those that left the group and changed their environment
            with suppress(psutil.Error):
                process.kill()
        if self.wait(KILL_SECONDS):
            _note("-", self._process.pid, self._mark)

    def _terminate(self) -> None:
        """Send SIGTERM to the process group, or to the process on a system without groups."""
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGTERM)
        else:
            self._process.terminate()


def _group(group: int) -> Iterator[int]:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, 0)  # raises if the group is empty
        for pid in psutil.pids():
            with suppress(ProcessLookupError, PermissionError):
                if os.getpgid(pid) == group:
                    yield pid


def _names(pids: Iterable[int]) -> Iterator[str]:
    for pid in sorted(pids):
        with suppress(psutil.Error):
            if (process := psutil.Process(pid)).status() != psutil.STATUS_ZOMBIE:
                yield process.name()


def _usage(process: psutil.Process) -> tuple[int, float]:
    """Return RSS in bytes and CPU seconds of a process, with exited children; zeros if it has exited meanwhile."""
    try:
        cpu = process.cpu_times()
        children = getattr(cpu, "children_user", 0) + getattr(cpu, "children_system", 0)
        return process.memory_info().rss, cpu.user + cpu.system + children
    except psutil.Error:
        return 0, 0.0


@cache
def _reaper() -> subprocess.Popen[str]:
    """Start the reaper of this program once."""
    return subprocess.Popen(
        [sys.executable, "-I", reaper.__file__], stdin=subprocess.PIPE, text=True, start_new_session=True
    )


def reaper_pid() -> int | None:
    """Process id of the reaper; None before the first bot."""
    return _reaper().pid if _reaper.cache_info().currsize else None


def _note(sign: str, group: int, mark: str) -> None:
    if os.name == "posix":
        stdin = _reaper().stdin
        assert stdin is not None
        stdin.write(f"{sign}{group} {mark}\n")
        stdin.flush()
