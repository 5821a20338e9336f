"""`vinci` commands as processes: start, read, write, wait, and kill at the end."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

LIMIT: Final = 90.0
"""Seconds after which a process that should have said something or ended has failed the test."""


class Vinci:
    """A running `vinci` command, perhaps under another one. Its output is shown if the test fails.

    It is killed when the test leaves it.
    """

    def __init__(self, home: Path, *arguments: str, typed: bool = False, under: Sequence[str] = ()) -> None:
        self.arguments: Final = arguments
        self._process: Final = subprocess.Popen(
            [*under, sys.executable, "-m", "vinci_cli", *arguments],
            stdin=subprocess.PIPE if typed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home),
            start_new_session=True,
        )
        self._news: Final = threading.Condition()
        self._told = {"out": "", "err": ""}
        self._seen = 0
        self._readers: Final = [
            threading.Thread(target=self._read, args=(name, pipe), daemon=True)
            for name, pipe in (("out", self._process.stdout), ("err", self._process.stderr))
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> "Vinci":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.kill()
        print(f"$ vinci {' '.join(self.arguments)}\n{self.out}\n--- stderr\n{self.err}\n---")  # noqa: T201

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    @property
    def out(self) -> str:
        """Return the standard output so far."""
        return self._told["out"]

    @property
    def err(self) -> str:
        """Return the standard error so far."""
        return self._told["err"]

    def expect(self, text: str) -> str:
        """Wait for a text in the output; return the output before it, after the previous expected text."""
        deadline = time.monotonic() + LIMIT
        with self._news:
            while (place := self.out.find(text, self._seen)) < 0:
                alive = any(reader.is_alive() for reader in self._readers)
                assert alive, f"it ended without {text!r}: {self._shown()}"
                assert self._news.wait(deadline - time.monotonic()), f"no {text!r} in time: {self._shown()}"
            before = self.out[self._seen : place]
            self._seen = place + len(text)
        return before

    def line(self, start: str) -> str:
        """Return the rest of the next line that contains this text."""
        self.expect(start)
        return self.expect("\n").strip()

    def type(self, text: str) -> None:
        """Write to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()

    def hang_up(self) -> None:
        """Close its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """Kill the process if it still runs."""
        self._process.kill()
        self._process.wait()

    def ended(self) -> int:
        """Wait for the process to exit; return its exit code."""
        try:
            code = self._process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it did not end in time: {self._shown()}") from None
        for reader in self._readers:
            reader.join(LIMIT)
        return code

    def _read(self, name: str, pipe: object) -> None:
        assert hasattr(pipe, "fileno")
        while data := os.read(pipe.fileno(), 65536):
            with self._news:
                self._told[name] += data.decode(errors="replace")
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def _shown(self) -> str:
        return f"vinci {' '.join(self.arguments)}\n{self.out}\n{self.err}"


def run(home: Path, *arguments: str) -> Vinci:
    """Run a command, which must succeed."""
    with Vinci(home, *arguments) as command:
        assert command.ended() == 0, command._shown()
    return command


def fails(home: Path, *arguments: str) -> str:
    """Run a command, which must fail; return its one line of error output, without log and usage."""
    with Vinci(home, *arguments) as command:
        assert command.ended() > 0
    aside = ("{", "Usage: ", "Try ")
    lines = [line for line in command.err.splitlines() if line and not line.startswith(aside)]
    assert len(lines) == 1, command.err
    assert lines[0].startswith("Error: ")
    return lines[0]


@contextmanager
def server(home: Path, *arguments: str, port: int = 0) -> Iterator[tuple[Vinci, str]]:
    """Start a server; yield it with its address."""
    database = str(home / "server.db")
    with Vinci(home, "serve", "--port", str(port), "--db", database, *arguments) as process:
        yield process, process.line("listening on ")


def environment(home: Path) -> Mapping[str, str]:
    """Return an environment that does not use the files of this machine's user."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("VINCI_")}
    return inherited | {"VINCI_HOME": str(home), "LOGNAME": "ann", "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}


def children(parent: int) -> list[int]:
    """Return the child processes of a process, and theirs; Linux only."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    result = [parent]
    for pid in result:
        result += [child for child, its_parent in parents.items() if its_parent == pid]
    return result[1:]


def is_running(pid: int) -> bool:
    """Whether a process runs; a zombie does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(true: Callable[[], bool], what: str) -> None:
    """Poll until a condition holds."""
    deadline = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < deadline, f"{what}: not in time"
        time.sleep(0.02)
