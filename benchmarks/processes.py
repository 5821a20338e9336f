"""Processes beside the one that measures: a server, an echo of it, loads. None is left behind. Linux only."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

PAGE: Final = os.sysconf("SC_PAGE_SIZE")
TICKS: Final = os.sysconf("SC_CLK_TCK")


class Process:
    """A Python program that is ended when it is left. It is told to end by the end of its standard input."""

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self._process: Final = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if arguments[0] == "vinci_cli" else None,
            text=True,
            env=os.environ | (environment or {}),
        )

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def line(self) -> str:
        """The next line that it writes."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a process of the benchmark ended early")
        return line.rstrip("\n")

    def write(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def found(self) -> dict[str, Any]:
        """The next line that it writes, which is what a load found."""
        return dict(json.loads(self.line()))


@contextmanager
def vinci(database: Path | None = None, *limits: str) -> Iterator[tuple[Process, str]]:
    """Start a server as players do, with `--limit` for each limit and with its own database unless one is given.

    Yields the process and its address.
    """
    with TemporaryDirectory(dir=".", prefix=".bench-") as folder:  # /tmp may be memory, which is no disk to wait for
        path = str(database or Path(folder, "bench.db"))
        options = [word for limit in limits for word in ("--limit", limit)]
        with Process("vinci_cli", "serve", "--port", "0", "--db", path, "--with-stdin", *options) as process:
            yield process, process.line().removeprefix("listening on ")


@contextmanager
def vinci_with_web(*limits: str) -> Iterator[tuple[Process, str, str]]:
    """Start a server as `vinci` does, also for HTTP. Yields the process, its address and that of its web server."""
    with TemporaryDirectory(dir=".", prefix=".bench-") as folder:
        options = [word for limit in limits for word in ("--limit", limit)]
        path = str(Path(folder, "bench.db"))
        with Process(
            "vinci_cli", "serve", "--port", "0", "--web", "0", "--db", path, "--with-stdin", *options
        ) as process:
            yield process, process.line().removeprefix("listening on "), process.line().removeprefix("web on ")


@contextmanager
def echo() -> Iterator[tuple[Process, str]]:
    """An echo, and its address."""
    with Process("benchmarks.echo") as process:
        yield process, process.line()


def load(kind: str, address: str, **options: float | str) -> Process:
    """A load on a server, `benchmarks.load`."""
    words = [f"--{name}={value}" for name, value in options.items()]
    return Process("benchmarks.load", kind, address, *words)


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def megabytes(pid: int) -> float:
    """Return the memory of a process in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1e6
