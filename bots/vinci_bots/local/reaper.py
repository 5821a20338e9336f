"""Kill bots whose parent program died, even by SIGKILL, so that no bot outlives its game.

Runs as a separate program and reads lines: `+123 MARK` reports a started process group, with a variable that only its
processes have in their environment; `-123 MARK` reports that it has ended. When standard input closes, the parent is
gone and the remaining groups are killed.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

KILL_SECONDS = 2.0
"""Time limit in which to kill processes that keep starting new ones."""


def bearing(mark: str) -> Iterator[int]:
    """Yield ids of processes with NAME=VALUE in their environment, without zombies; none on systems without /proc.

    Finds processes that have left their group and lost their parent.
    """
    for entry in os.listdir("/proc") if mark and os.path.isdir("/proc") else ():
        if entry.isdigit():
            with suppress(OSError), open(f"/proc/{entry}/environ", "rb") as file:
                if os.fsencode(mark) in file.read().split(b"\0"):
                    yield int(entry)


def kill(group: int, mark: str) -> None:
    """Kill a process group and all processes with the mark."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    until = time.monotonic() + KILL_SECONDS
    while (pids := list(bearing(mark))) and time.monotonic() < until:
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def main() -> None:
    """Track groups until standard input closes, then kill the remaining ones."""
    left: set[tuple[int, str]] = set()
    for line in sys.stdin:
        group, mark = line[1:].rstrip("\n").split(" ", 1)
        (left.add if line[0] == "+" else left.discard)((int(group), mark))
    for group, mark in left:
        kill(group, mark)


if __name__ == "__main__":
    main()
