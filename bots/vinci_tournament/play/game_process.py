"""A process that plays games for another one. It ends with that one, even if killed, and so does all that it started.

Unlike those of `multiprocessing`, it can be started by a daemonic process, such as a worker of Dask. It reads tasks,
pickled functions with arguments, from its standard input, and writes what they return, or the text of their GameError,
to its standard output.
"""

import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from typing import IO, Any, Final, TypeAlias, final

import psutil

from vinci_client.processes import PYTHON

from .worker import GameError, WorkerLost
from .worker_pool import end_here

POLL_SECONDS: Final = 0.5
"""Time between two questions whether a game is still wanted."""
END_SECONDS: Final = 5.0
"""Time that a process has to end everything that it started, before it is killed."""
IDLE_SECONDS: Final = 300.0
"""Time without a task after which a process ends."""

Task: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]


@final
class GameProcess:
    """Such a process, seen from the one that started it."""

    def __init__(self) -> None:
        self._place: Final = tempfile.TemporaryDirectory(prefix="vinci-", ignore_cleanup_errors=True)
        self._process: Final = subprocess.Popen(
            [*PYTHON, "-m", __name__, self._place.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._reader: Final = ThreadPoolExecutor(1)

    @property
    def is_running(self) -> bool:
        """Whether it can take a task."""
        return self._process.poll() is None

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], is_wanted: Callable[[], bool]) -> Any:
        """Return what a function returns there. Raises GameError as the function does.

        Raises WorkerLost if the process ends, or if it is ended because the result is not wanted any more.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            pickle.dump((function, arguments), self._process.stdin)
            self._process.stdin.flush()
            answer = self._reader.submit(pickle.load, self._process.stdout)
            while True:
                with suppress(NotYet):
                    is_returned, value = answer.result(POLL_SECONDS)
                    break
                if not is_wanted():
                    self.end()
                    raise WorkerLost("the game is not wanted any more")
        except (OSError, EOFError, pickle.UnpicklingError):
            self.end()
            raise WorkerLost(f"the process of the game ended with status {self._process.returncode}") from None
        if not is_returned:
            raise GameError(value)
        return value

    def end(self) -> None:
        """End the process and everything that it started."""
        assert self._process.stdin is not None
        family = []
        with suppress(psutil.Error):  # now: children of a process that was killed cannot be found any more
            family = psutil.Process(self._process.pid).children(recursive=True)
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            for process in family:
                with suppress(psutil.Error):
                    process.kill()
            self._process.kill()
            self._process.wait()
        self._reader.shutdown()
        self._place.cleanup()


def main() -> None:
    """Play games until standard input closes, or nothing is asked for IDLE_SECONDS."""
    (place,) = sys.argv[1:]
    tempfile.tempdir = place
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what games print is no answer
    tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, tasks, place), daemon=True).start()
    while True:
        try:
            function, arguments = tasks.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            end_here(place)
        try:
            answer = True, function(*arguments)
        except GameError as error:
            answer = False, str(error)
        pickle.dump(answer, answers)
        answers.flush()


def _read(stream: IO[bytes], tasks: "queue.SimpleQueue[Task]", place: str) -> None:
    """Put tasks into the queue until the stream ends, and then end this process."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            tasks.put(pickle.load(stream))
    end_here(place)


if __name__ == "__main__":
    main()
