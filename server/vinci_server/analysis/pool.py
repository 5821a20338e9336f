"""Worker processes for playouts and advice. They start when they are needed, and compute parts of calls by turns."""

import asyncio
import json
import math
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Self, final

import structlog

from vinci_rules.playout import Tally

from . import tasks
from .playouts import Question
from .tasks import AdviceQuestion

WORKER: Final = f"{__package__}.worker"
"""Module of a worker process, which imports the players; this one does not."""
PART_SECONDS: Final = 0.03
"""CPU time of a part, about; after it the worker turns to the next host."""
FIRST_PLAYOUTS: Final = 4
"""Playouts of the first parts of a call, whose time is not known yet."""
TRIES: Final = 3
"""Workers that may die over a part before its call fails."""
SILENT_SECONDS: Final = 10.0
"""Time after the end of a part in which a worker has to answer; then it is killed."""
STOP_SECONDS: Final = 5.0
LONGEST_ANSWER: Final = 1 << 20
"""Bytes in a line of a worker."""

_log = structlog.get_logger()


class WorkerLost(RuntimeError):
    """A worker has ended, or does not start."""


class Part(NamedTuple):
    """Playouts of a job: the number of the first, their number, and how many workers have died over them."""

    first: int
    number: int
    deaths: int = 0


@final
@dataclass(eq=False, slots=True)
class Job:
    """Playouts that a call has asked for, or advice, which counts as one.

    Attributes:
        host: whose call it is. question: what is asked. end: time at which it ends, by the monotonic clock.
        spend: counts CPU seconds; returns whether the host may use more.
        left: parts that nobody computes. running: number of parts that workers compute.
        tallies: sums of the finished playouts by opening. done, seconds: their number and CPU time.
        advice: the fields of a message `Advice`, once it is found.
        result: done when no part is left or running.
    """

    host: str
    question: Question | AdviceQuestion
    end: float
    spend: Callable[[float], bool]
    left: deque[Part]
    result: asyncio.Future[None]
    tallies: dict[int, Tally] = field(default_factory=dict)
    running: int = 0
    done: int = 0
    seconds: float = 0.0
    advice: dict[str, Any] | None = None

    def take(self, workers: int) -> Part:
        """Return the next part: a few playouts until their time is known, and at most the share of a worker."""
        part = self.left.popleft()
        in_time = int(PART_SECONDS * self.done / max(self.seconds, 1e-6)) if self.done else FIRST_PLAYOUTS
        share = math.ceil((part.number + sum(other.number for other in self.left)) / workers)
        number = max(1, min(in_time, share, part.number))
        if number < part.number:
            self.left.appendleft(Part(part.first + number, part.number - number, part.deaths))
        self.running += 1
        return Part(part.first, number, part.deaths)

    def add(self, tallies: dict[int, Tally], seconds: float) -> None:
        """Count the results of a part."""
        for place, tally in tallies.items():
            self.tallies.setdefault(place, Tally(len(tally.vp))).join(tally)
            self.done += tally.playouts
        self.seconds += seconds

    def check_end(self) -> None:
        """Set the result if nothing is left to compute."""
        if not self.left and not self.running and not self.result.done():
            self.result.set_result(None)


@final
class WorkerProcess:
    """A process of `worker`. Create it with `WorkerProcess.start`."""

    def __init__(self, process: Process) -> None:
        self._process: Final = process
        self._task = 0
        self.job: Job | None = None

    @classmethod
    async def start(cls) -> Self:
        """Start a process that is ready. Raises WorkerLost."""
        creating = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", WORKER),
                stdin=PIPE,
                stdout=PIPE,
                limit=LONGEST_ANSWER,
                start_new_session=os.name != "nt",
            )
        )
        try:
            process = await asyncio.shield(creating)
        except OSError as error:
            raise WorkerLost(f"a worker of the analysis does not start: {error}") from None
        except asyncio.CancelledError:  # asyncio would forget the process
            await cls(await creating).end()
            raise
        new = cls(process)
        try:
            await new.answer(SILENT_SECONDS)
        except asyncio.CancelledError:
            await new.end()
            raise
        return new

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.returncode is None

    async def compute(self, job: Job, part: Part) -> float:
        """Compute a part and count it; returns its CPU seconds. Raises WorkerLost, or RuntimeError with its error."""
        self._task += 1
        self.job = job
        seconds = max(0.0, job.end - time.monotonic())
        line = tasks.task(self._task, job.question, part.first, part.number, seconds)
        try:
            self.tell(line)
            answer = json.loads(await self.answer(seconds + SILENT_SECONDS))
        finally:
            self.job = None
        seconds = answer.get("seconds", 0.0)
        job.add(tasks.tallies(answer), seconds)
        job.advice = answer.get("advice")
        return float(seconds)

    def tell(self, line: str) -> None:
        """Send a line to the process."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode())

    def interrupt(self) -> None:
        """End the part early."""
        with suppress(OSError):
            self.tell(tasks.stop(self._task))

    async def end(self) -> None:
        """Close its standard input so that it ends; kill it if it does not."""
        # as the supervisor of vinci_cli does for whole services: the server imports nothing of clients
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def answer(self, seconds: float) -> bytes:
        """Return the next line; without one in this time the process is killed. Raises WorkerLost."""
        assert self._process.stdout is not None
        line = b""
        with suppress(OSError, ValueError):  # ValueError: the line is too long
            async with asyncio.timeout(seconds):
                line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            # At its end the process is gone: to kill it would reap it before asyncio, which would then tell status 255.
            if not self._process.stdout.at_eof():
                with suppress(ProcessLookupError):
                    self._process.kill()
            raise WorkerLost(f"a worker of the analysis has ended with status {await self._process.wait()}")
        return line


@final
class Pool:
    """Up to `most` workers for all calls. A worker that dies is replaced, and its part computed again."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._turns: Final[dict[str, deque[Job]]] = {}
        """Jobs with parts left by host; the host and the job whose turn it is are first."""
        self._slots: Final[set[asyncio.Task[None]]] = set()
        self._idle = 0
        self._workers: Final[set[WorkerProcess]] = set()
        self._ready: Final = asyncio.Event()
        self._wanted: Final = asyncio.Event()
        self._failure: WorkerLost | None = None
        self._is_closed = False

    async def compute(
        self, host: str, question: Question, number: int, seconds: float, spend: Callable[[float], bool]
    ) -> dict[int, Tally]:
        """Play playouts within a time that begins when the first worker is ready.

        Args:
            host: whose call it is; hosts take turns.
            question: what is asked.
            number: number of playouts, through all openings.
            seconds: time until the answer.
            spend: counts CPU seconds as they are used; returns whether the host may use more.

        Returns:
            The sums of the finished playouts by opening.

        Raises:
            RuntimeError: workers do not start, die again and again, or report an error.
        """
        job = await self._done(host, question, number, seconds, spend)
        return {} if job is None else job.tallies

    async def advise(
        self, host: str, question: AdviceQuestion, seconds: float, spend: Callable[[float], bool]
    ) -> dict[str, Any] | None:
        """Return the answer of one worker to a question for advice, with the arguments of `compute`.

        Returns:
            The fields of a message `Advice`; None if the time was up before a worker was free.

        Raises:
            RuntimeError: as in `compute`.
        """
        job = await self._done(host, question, 1, seconds, spend)
        return None if job is None else job.advice

    async def _done(
        self,
        host: str,
        question: Question | AdviceQuestion,
        number: int,
        seconds: float,
        spend: Callable[[float], bool],
    ) -> Job | None:
        """Return a job when it is done; None if the pool is closed."""
        if self._is_closed:
            return None
        self._failure = None
        for _ in range(min(self._most - len(self._slots), number - self._idle)):
            slot = asyncio.create_task(self._serve())
            self._slots.add(slot)
            slot.add_done_callback(self._slots.discard)
        await self._ready.wait()
        if self._failure is not None:
            raise self._failure
        loop = asyncio.get_running_loop()
        job = Job(host, question, time.monotonic() + seconds, spend, deque([Part(0, number)]), loop.create_future())
        self._queue(job)
        alarm = loop.call_later(seconds, self._withdraw, job)
        if self._is_closed:
            self._withdraw(job)
        try:
            await job.result
            return job
        finally:
            alarm.cancel()
            self._withdraw(job)

    @property
    def pids(self) -> list[int]:
        """The process ids of all workers."""
        return [process.pid for process in self._workers]

    def close(self) -> None:
        """End all calls with what is computed so far."""
        self._is_closed = True
        self._ready.set()
        for job in {job for jobs in self._turns.values() for job in jobs} | {w.job for w in self._workers if w.job}:
            self._withdraw(job)

    async def stop(self) -> None:
        """End all workers."""
        self.close()
        for slot in self._slots:
            slot.cancel()
        await asyncio.gather(*self._slots, return_exceptions=True)

    async def _serve(self) -> None:
        """Compute parts with one worker, and with another one when it has died."""
        while True:
            try:
                process = await WorkerProcess.start()
            except WorkerLost as error:
                self._fail(error)
                return
            self._workers.add(process)
            self._ready.set()
            try:
                await self._work(process)
            finally:
                self._workers.discard(process)
                if not self._workers and not self._is_closed:
                    self._ready.clear()
                await process.end()

    async def _work(self, process: WorkerProcess) -> None:
        """Compute parts until the process ends."""
        while True:
            while not self._turns:
                self._idle += 1
                try:
                    await self._wanted.wait()
                finally:
                    self._idle -= 1
            if not process.is_alive:
                return
            job, part = self._next()
            try:
                if not job.spend(await process.compute(job, part)):
                    self._withdraw(job)
            except WorkerLost as error:
                _log.error("a worker of the analysis is lost", error=str(error))
                again = part._replace(deaths=part.deaths + 1)
                if again.deaths == TRIES:
                    self._end(job, error)
                elif time.monotonic() < job.end and not job.result.done() and not self._is_closed:
                    job.left.appendleft(again)
                    if len(job.left) == 1:
                        self._queue(job)
                return
            except Exception as error:
                self._end(job, error)
            finally:
                job.running -= 1
                job.check_end()

    def _next(self) -> tuple[Job, Part]:
        """Return the next part of the job whose turn it is; its host comes last then."""
        host = next(iter(self._turns))
        jobs = self._turns.pop(host)
        job = jobs.popleft()
        part = job.take(self._most)
        if job.left:
            jobs.append(job)
        if jobs:
            self._turns[host] = jobs
        elif not self._turns:
            self._wanted.clear()
        return job, part

    def _queue(self, job: Job) -> None:
        self._turns.setdefault(job.host, deque()).append(job)
        self._wanted.set()

    def _withdraw(self, job: Job) -> None:
        """Compute nothing more of a job; it ends when its running parts have been interrupted."""
        job.left.clear()
        jobs = self._turns.get(job.host, deque())
        if job in jobs:
            jobs.remove(job)
            if not jobs:
                del self._turns[job.host]
            if not self._turns:
                self._wanted.clear()
        for process in self._workers:
            if process.job is job:
                process.interrupt()
        job.check_end()

    def _end(self, job: Job, error: Exception) -> None:
        """End a job with an error."""
        if not job.result.done():
            job.result.set_exception(error)
        self._withdraw(job)

    def _fail(self, error: WorkerLost) -> None:
        """Note that a worker does not start; if there is no other, all calls fail."""
        _log.error("a worker of the analysis does not start", error=str(error))
        if self._workers:
            return
        self._failure = error
        self._ready.set()
        self._ready.clear()
        for job in [job for jobs in self._turns.values() for job in jobs]:
            self._end(job, error)
