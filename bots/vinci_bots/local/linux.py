"""Processes of a bot as Linux tells them in /proc, cheaper than a look at all processes."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
READ: Final = ("0", "63")
"""Numbers of the system call `read`, on x86 and on ARM."""


def family(pid: int, most: int | None = None) -> list[int]:
    """Return a process and its descendants; if they are more than `most`, not all of them."""
    found = [pid]
    for each in found:  # grows
        for children in (PROC / str(each) / "task").glob("*/children"):
            with suppress(OSError):
                found += map(int, children.read_text().split())
        if most is not None and len(found) > most:
            break
    return found


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and its descendants so far, in steps of the system (10 ms)."""
    ticks = 0
    for each in family(pid):
        with suppress(OSError):
            after_name = (PROC / str(each) / "stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, after_name[11:15]))  # user and system, its own and of children that ended
    return ticks / os.sysconf("SC_CLK_TCK")


def waits_for_input(pid: int) -> bool:
    """Return whether it can be seen that a process reads its standard input, without a connection to any server."""
    place = PROC / str(pid)
    try:
        call, first, *_ = (place / "syscall").read_text().split()
        reads = call in READ and int(first, 16) == 0
        return reads and not any(os.readlink(file).startswith("socket:") for file in (place / "fd").iterdir())
    except (OSError, ValueError):  # another system, or one that does not let us look
        return False
