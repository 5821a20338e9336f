"""Servers and bots that this command starts by itself, as processes of their own; they end with it.

They run in a session of their own, so Ctrl-C in the client does not reach them. They stop when their standard input
closes, which happens even if the client is killed.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

STOP_SECONDS: Final = 10


class NotStarted(Exception):
    """A process did not come up; the text holds what it said."""


def command(*arguments: str) -> list[str]:
    """The `vinci` command of this installation with these arguments."""
    return [sys.executable, "-m", "vinci_cli", *arguments]


@contextmanager
def server(database: Path) -> Iterator[str]:
    """A server on a free port of this machine only; yields its address. Raises NotStarted."""
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            command("serve", "--port", "0", "--db", str(database), "--with-stdin", "--log-level", "warning"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            **_apart(),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            if not line.startswith("listening on "):
                process.wait(STOP_SECONDS)
                errors.seek(0)
                raise NotStarted(errors.read().strip() or "the server did not start")
            yield line.split()[-1]
        finally:
            process.stdin.close()
            _stop(process)


@contextmanager
def bots(address: str, names: Sequence[str]) -> Iterator[None]:
    """A process for each bot, connected to a server."""
    processes = [
        subprocess.Popen(
            command("bot", name, address),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **_apart(),
        )
        for name in names
    ]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            _stop(process)


def _apart() -> dict[str, int | bool]:
    if os.name == "nt":
        return {"creationflags": int(getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0))}
    return {"start_new_session": True}


def _stop(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
