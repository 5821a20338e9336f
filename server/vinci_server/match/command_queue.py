"""Runs the commands of a match one after another, each to its end even if its caller is cancelled."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, final

T = TypeVar("T")
P = ParamSpec("P")


class Tasks:
    """Tasks that run in the background; `on_error` is called with the exception of one that fails."""

    __slots__ = ("_on_error", "_tasks")

    def __init__(self, on_error: Callable[[BaseException], None]) -> None:
        self._on_error: Final = on_error
        self._tasks: Final[set[asyncio.Task[Any]]] = set()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task; `settle` waits for its end."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._on_error(error)

    @property
    def is_empty(self) -> bool:
        """Whether all tasks have ended."""
        return not self._tasks

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()

    async def settle(self) -> None:
        """Wait until all tasks have ended."""
        while self._tasks:
            await asyncio.wait(self._tasks)


@final
class CommandQueue(Tasks):
    """Runs commands one after another, first come, first served. Other tasks of a match run beside them."""

    __slots__ = ("_lock", "_runner")

    def __init__(self, on_error: Callable[[BaseException], None]) -> None:
        super().__init__(on_error)
        self._lock: Final = asyncio.Lock()
        self._runner: asyncio.Task[Any] | None = None
        """The task whose command runs now."""

    async def run(self, command: Awaitable[T]) -> T:
        """Run a command in its turn, or at once if it is part of the running one; returns its result."""
        task = asyncio.current_task()
        if task is self._runner:
            # A command that calls another, as `Match.pass_over` does, would wait for its own lock for ever.
            return await command
        if task in self._tasks:  # runs to its end anyhow
            return await self._run_locked(command)
        # A caller that hangs up is cancelled; between storing and applying, this would leave the match behind its log.
        return await asyncio.shield(self.spawn(self._run_locked(command)))

    async def _run_locked(self, command: Awaitable[T]) -> T:
        async with self._lock:
            self._runner = asyncio.current_task()
            try:
                return await command
            finally:
                self._runner = None


class HasQueue(Protocol):
    """An object whose commands run one after another."""

    @property
    def queue(self) -> CommandQueue:
        """The order of its commands."""


M = TypeVar("M", bound=HasQueue)


def command(
    function: Callable[Concatenate[M, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[M, P], Coroutine[Any, Any, T]]:
    """Make a function run in the queue of the match that is its first argument."""

    @wraps(function)
    def enqueue(match: M, /, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, T]:
        return match.queue.run(function(match, *args, **kwargs))

    return enqueue
