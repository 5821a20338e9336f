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

from vinci_bots.process import reaper_pid


@final
class Processes(ProcessPoolExecutor):
    """So many worker processes; shut down with `cancel_futures`, they end at once and with all that they started."""

    def __init__(self, number: int) -> None:
        self._theirs, self._lifeline = multiprocessing.Pipe(duplex=False)
        self._place: Final = tempfile.TemporaryDirectory(prefix="vinci-", ignore_cleanup_errors=True)
        context = multiprocessing.get_context("spawn")
        super().__init__(number, context, _begin, (self._theirs, self._place.name))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End them: after what they play now, or at once."""
        if cancel_futures:
            self._lifeline.close()
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._theirs.close()
        self._place.cleanup()


def _begin(lifeline: Connection, place: str) -> None:
    """In a new worker: Ctrl-C is for whoever started it; it does not outlive that one, nor do its files."""
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
