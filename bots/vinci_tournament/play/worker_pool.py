"""Worker processes on this machine, as an executor. They end with whoever started them, even if that one is killed."""

import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final, NoReturn, final

import psutil

from vinci_bots.local.process import reaper_pid

SAFE_PATH: Final = "PYTHONSAFEPATH"
"""The environment variable that does what `python -P` does; the only way to tell the processes of multiprocessing."""


@final
class Processes(ProcessPoolExecutor):
    """So many worker processes; shut down with `cancel_futures`, they end at once and with all that they started."""

    def __init__(self, number: int) -> None:
        self._theirs, self._lifeline = multiprocessing.Pipe(duplex=False)
        self._place: Final = tempfile.TemporaryDirectory(prefix="vinci-", ignore_cleanup_errors=True)
        context = multiprocessing.get_context("spawn")
        self._safe_path: Final = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"
        super().__init__(number, context, _begin, (self._theirs, self._place.name, self._safe_path))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End them: after what they play now, or at once."""
        if cancel_futures:
            self._lifeline.close()
        super().shutdown(wait, cancel_futures=cancel_futures)
        _set_safe_path(self._safe_path)
        self._theirs.close()
        self._place.cleanup()


def _set_safe_path(value: str | None) -> None:
    """Set the variable as it was in the environment; None if it was not there."""
    os.environ.pop(SAFE_PATH, None)
    if value is not None:
        os.environ[SAFE_PATH] = value


def _begin(lifeline: Connection, place: str, safe_path: str | None) -> None:
    """In a new worker: Ctrl-C is for whoever started it; it does not outlive that one, nor do its files."""
    _set_safe_path(safe_path)  # bots are started with the environment of whoever started us
    tempfile.tempdir = place
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda _signal, _frame: _end(place))  # so others are told when one has died
    threading.Thread(target=_end_with, args=(lifeline, place), daemon=True).start()


def _end_with(lifeline: Connection, place: str) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv()
    _end(place)


def _end(place: str) -> NoReturn:
    """End this process with all that it started. The reaper ends by itself, after the groups of bots that are left."""
    for started in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if started.pid != reaper_pid():
                started.kill()
    shutil.rmtree(place, ignore_errors=True)
    os._exit(1)
