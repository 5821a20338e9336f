"""Worker processes on this machine, as an executor. They end with the process that started them, even if killed."""

import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Final, NoReturn, TypeVar, final

import psutil

from vinci_bots.local.process import reaper_pid

SAFE_PATH: Final = "PYTHONSAFEPATH"
"""Environment variable equivalent to `python -P`; multiprocessing has no option for it."""
AHEAD: Final = 8
"""Items of `in_order` for each worker that are computed, or wait for it, at a time."""

T = TypeVar("T")
R = TypeVar("R")


@final
class Processes(ProcessPoolExecutor):
    """A pool of worker processes. A shutdown with `cancel_futures` ends them and their child processes at once."""

    def __init__(self, number: int) -> None:
        self._number: Final = number
        # a pipe of its own, since multiprocessing closes the standard input of its workers
        self._theirs, self._lifeline = multiprocessing.Pipe(duplex=False)
        self._place: Final = tempfile.TemporaryDirectory(prefix="vinci-", ignore_cleanup_errors=True)
        context = multiprocessing.get_context("spawn")
        self._safe_path: Final = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"
        super().__init__(number, context, _begin, (self._theirs, self._place.name))

    def in_order(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the results of a function for items in their order; unlike `map`, keep few of them at a time."""
        flying: deque[Future[R]] = deque()
        for item in items:
            flying.append(self.submit(function, item))
            if len(flying) > AHEAD * self._number:
                yield flying.popleft().result()
        while flying:
            yield flying.popleft().result()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers after their current games, or at once with `cancel_futures`."""
        if cancel_futures:
            self._lifeline.close()
        super().shutdown(wait, cancel_futures=cancel_futures)
        os.environ.pop(SAFE_PATH, None)
        if self._safe_path is not None:
            os.environ[SAFE_PATH] = self._safe_path
        self._theirs.close()
        self._place.cleanup()


@contextmanager
def pool_of(number: int) -> Iterator[Processes | None]:
    """Open a pool of so many worker processes, which ends at once when it is left; None for a single one."""
    if number <= 1:
        yield None
        return
    pool = Processes(number)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(lifeline: Connection, place: str) -> None:
    """Initialize a worker: ignore Ctrl-C, and end with the process that started it, without leaving files."""
    tempfile.tempdir = place
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda _signal, _frame: end_here(place))  # so that the pool notices a killed worker
    threading.Thread(target=_end_with, args=(lifeline, place), daemon=True).start()


def _end_with(lifeline: Connection, place: str) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv()
    end_here(place)


def end_here(place: str) -> NoReturn:
    """End this process and its child processes, except the reaper, which ends after the process groups of bots."""
    for started in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if started.pid != reaper_pid():
                started.kill()
    shutil.rmtree(place, ignore_errors=True)
    os._exit(1)
