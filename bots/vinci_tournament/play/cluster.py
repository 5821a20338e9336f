"""A cluster of Dask as the executor of a league: its workers play games, and refuse leagues that are not theirs.

A worker is admitted if its rules, board and bots have the digests of the league; each of its threads then gets a game
at a time. A game has a process of its own on the worker (`game_process`), so that a game that kills its process leaves
the worker alone; that process ends with the worker, and when the runner is gone.
"""

import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent import futures
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, final

from distributed import Client, get_worker

from ..definition import digests
from ..definition.league import League
from .game_process import GameProcess
from .runner import RunnerError
from .worker import GameError, WorkerLost

CONNECT_SECONDS: Final = 30.0
"""Time in which the scheduler has to answer, and then a first worker has to be admitted."""
WATCH_SECONDS: Final = 1.0
"""Time between two looks for new and lost workers."""

_idle: Final[list[GameProcess]] = []
"""Processes of this worker without a game."""
_checked: Final[set[League]] = set()
"""Leagues that this worker may play."""


@dataclass(slots=True, eq=False)
class _Call:
    """A call for the cluster: its future here, the worker that it was sent to, and its future there."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: "Future[Any]" = field(default_factory=Future)
    worker: str = ""
    sent: Any = None


@final
class Cluster(Executor):
    """An executor for the games of a league.

    Attributes:
        slots: games that the workers, as they were at the start, play at a time.
    """

    def __init__(self, address: str, league: League, tell: Callable[[str], None] = lambda _text: None) -> None:
        """Connect to the scheduler at an address and admit workers; `tell` receives why others are refused.

        Raises RunnerError if the scheduler does not answer, or if no worker can be admitted.
        """
        self._league: Final = league
        self._tell: Final = tell
        self._threads: Final[dict[str, int]] = {}
        self._refused: Final[dict[str, str]] = {}
        self._waiting: Final[deque[_Call]] = deque()
        self._sent: Final[list[_Call]] = []
        self._lock: Final = threading.RLock()
        self._ended: Final = threading.Event()
        try:
            self._client: Final = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise RunnerError(f"no scheduler answers at {address} ({error}); start one with: dask scheduler") from None
        self._wait_for_worker(address)
        self.slots: Final = sum(self._threads.values())
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> "Future[Any]":
        """Have a function called in a process of an admitted worker. Raises RuntimeError after `shutdown`."""
        if self._ended.is_set():
            raise RuntimeError("the executor was shut down")
        call = _Call(partial(function, **named), arguments)
        with self._lock:
            self._waiting.append(call)
        self._send()
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster after the calls in progress, or at once with `cancel_futures`; its workers stay."""
        if self._ended.is_set():
            return
        if wait and not cancel_futures:
            futures.wait([call.future for call in (*self._waiting, *self._sent)])
        self._ended.set()
        self._client.close(CONNECT_SECONDS)  # the scheduler then cancels what only this client wanted

    def _wait_for_worker(self, address: str) -> None:
        """Wait until a worker is admitted. Raises RunnerError if all are refused or there is none."""
        waited = 0.0
        self._look()
        while not self._threads and not self._refused and waited < CONNECT_SECONDS:
            self._ended.wait(WATCH_SECONDS)
            waited += WATCH_SECONDS
            self._look()
        if not self._threads:
            self._client.close()
            none = f"no worker has connected to {address}; start one with: dask worker {address}"
            refused = "; ".join(self._refused.values())
            raise RunnerError(f"no worker at {address} can play this league: {refused}" if refused else none)

    def _look(self) -> None:
        """Admit workers that are new and fit; give up the calls of workers that are gone."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        with self._lock:
            for place in self._threads.keys() - workers.keys():
                del self._threads[place]
            lost = [call for call in self._sent if call.worker not in self._threads]
        for call in lost:
            self._settle(call, WorkerLost(f"the worker {call.worker} was lost"))
            call.sent.cancel()
        new = [place for place in workers if place not in self._threads and place not in self._refused]
        answers = self._client.run(_changed, self._league, workers=new, on_error="return") if new else {}
        for place, answer in answers.items():
            if isinstance(answer, OSError):  # it could not be asked; the next look asks again, if it is still there
                continue
            if why := _refusal(place, answer):
                self._refused[place] = why
                self._tell(f"the worker at {why}")
            else:
                with self._lock:
                    self._threads[place] = workers[place]["nthreads"]

    def _watch(self) -> None:
        while not self._ended.wait(WATCH_SECONDS):
            with suppress(
                OSError, TimeoutError, RuntimeError, ValueError
            ):  # Dask cancels calls if the scheduler is lost
                self._look()
                self._send()

    def _send(self) -> None:
        """Send calls to workers with a free thread, as many as there are."""
        with self._lock:
            busy = Counter(call.worker for call in self._sent)
            free = [place for place, threads in self._threads.items() for _ in range(threads - busy[place])]
            while free and self._waiting:
                call = self._waiting.popleft()
                if not call.future.set_running_or_notify_cancel():
                    continue
                call.worker = free.pop()
                self._sent.append(call)
                call.sent = self._client.submit(
                    _called, self._league, call.function, call.arguments, pure=False, workers=[call.worker]
                )
                call.sent.add_done_callback(partial(self._done, call))

    def _done(self, call: _Call, sent: Any) -> None:
        """Pass on the result or error of a call, and send the next one."""
        try:
            self._settle(call, None, sent.result())
        except CancelledError:
            self._settle(call, BrokenExecutor("the scheduler was lost"))
        except Exception as error:  # whatever the call raised
            self._settle(call, error)
        if not self._ended.is_set():
            self._send()

    def _settle(self, call: _Call, error: Exception | None, result: Any = None) -> None:
        with self._lock:
            if call not in self._sent:
                return  # its worker was lost before
            self._sent.remove(call)
        with suppress(InvalidStateError):
            if error is None:
                call.future.set_result(result)
            else:
                call.future.set_exception(error)


def _refusal(place: str, answer: list[str] | BaseException) -> str:
    """Return why the worker at a place is refused; empty if it is admitted."""
    if isinstance(answer, BaseException):
        return f"{place} is refused: it has no vinci or another version ({type(answer).__name__}: {answer})"
    return f"{place} is refused: {answer[0]}" if answer else ""


def _changed(league: League) -> list[str]:
    """Return in what this worker differs from the league, as sentences; it may play the league if there are none."""
    changes = digests.changed(league)
    (_checked.discard if changes else _checked.add)(league)
    return changes


def _called(league: League, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Call a function in a process of this worker. Raises GameError, and WorkerLost if the process is lost."""
    worker = get_worker()
    for change in () if league in _checked else _changed(league):
        raise WorkerLost(f"the worker {worker.address} refuses the league: {change}")
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing" and worker.status.name in ("running", "paused")

    process = _idle.pop() if _idle else GameProcess()
    if not process.is_running:
        process.end()
        process = GameProcess()
    try:
        value = process.call(function, arguments, is_wanted)
    except GameError:
        _idle.append(process)
        raise
    _idle.append(process)
    return value
