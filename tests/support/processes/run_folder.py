"""A folder of a whole test run, for what is built once and read by the tests of all workers of pytest-xdist."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

try:
    import fcntl
except ImportError:  # Windows: each worker builds for itself
    fcntl = None  # type: ignore[assignment]


@contextmanager
def run_folder(factory: pytest.TempPathFactory, name: str) -> Iterator[Path]:
    """Give the path of a folder that all workers use, and lock it; it is missing until one of them makes it."""
    base = factory.getbasetemp()
    if fcntl is None:
        yield base / name
        return
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    with (base / f"{name}.lock").open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
        yield base / name
