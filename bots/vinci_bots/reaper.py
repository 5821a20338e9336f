"""Ends process groups when the program that started them is gone, even by SIGKILL: a bot never outlives its game.

Run as a program of its own. It reads lines: `+123` is a group that was started, `-123` one that is gone. When its
standard input ends, nobody is left to watch the groups that remain, and they are killed.
"""

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Read until the end, then kill what is left."""
    left: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        (left.add if line[0] == "+" else left.discard)(group)
    for group in left:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
