"""Ends bots when the program that started them is gone, even by SIGKILL: a bot never outlives its game.

Run as a program of its own. It reads lines: `+123 MARK` is a process group that was started, with what only its
processes have in their environment, `-123 MARK` one that is gone. When its standard input ends, nobody is left to watch
those that remain, and they are killed.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

KILL_SECONDS = 2.0
"""How long those are looked for that are started while others are killed."""


def bearing(mark: str) -> Iterator[int]:
    """The processes that have this in their environment, as NAME=VALUE; no zombies, and nobody where there is no /proc.

    So those are found that have left their group and lost their parent.
    """
    for entry in os.listdir("/proc") if mark and os.path.isdir("/proc") else ():
        if entry.isdigit():
            with suppress(OSError), open(f"/proc/{entry}/environ", "rb") as file:
                if os.fsencode(mark) in file.read().split(b"\0"):
                    yield int(entry)


def kill(group: int, mark: str) -> None:
    """Kill a group, and whoever bears the mark."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    until = time.monotonic() + KILL_SECONDS
    while (found := list(bearing(mark))) and time.monotonic() < until:
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def main() -> None:
    """Read until the end, then kill what is left."""
    left: set[tuple[int, str]] = set()
    for line in sys.stdin:
        group, mark = line[1:].rstrip("\n").split(" ", 1)
        (left.add if line[0] == "+" else left.discard)((int(group), mark))
    for group, mark in left:
        kill(group, mark)


if __name__ == "__main__":
    main()
