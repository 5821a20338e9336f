"""The folder of a person on this machine: games, saved seats and settings."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Final

import platformdirs

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HOME: Final = "VINCI_HOME"
"""Environment variable: the folder for games and seats, instead of the usual one of this machine."""

_home: Final[ContextVar[Path | None]] = ContextVar("home", default=None)


def folder() -> Path:
    """Return the folder for games and seats."""
    return _home.get() or Path(os.environ.get(HOME) or platformdirs.user_data_dir("vinci", appauthor=False))


def private_folder() -> Path:
    """Return the folder for games and seats, made if need be, and closed to other users of this machine.

    A folder that is somebody else's, or where everybody may write (as /tmp), is left as it is.
    """
    private = folder()
    private.mkdir(mode=0o700, parents=True, exist_ok=True)
    mode = private.stat().st_mode
    if os.name != "nt" and mode & 0o077 and not mode & stat.S_ISVTX:
        with suppress(PermissionError):
            private.chmod(0o700)
    return private


@contextmanager
def kept_in(other: Path) -> Iterator[None]:
    """Use another folder in this context: a process may save seats of several people."""
    before = _home.set(other)
    try:
        yield
    finally:
        _home.reset(before)


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Lock what is saved under a name in the folder against other processes of this user."""
    with (private_folder() / f"{name}.lock").open("a", encoding="utf-8") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
        yield


def write_private(path: Path, text: str) -> None:
    """Replace a file atomically, for this user only."""
    private_folder()
    fresh = path.with_suffix(".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)
