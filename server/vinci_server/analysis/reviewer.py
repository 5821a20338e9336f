"""Reviews of games, one at a time, computed by a process of the lowest priority so that no running game waits."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final, final

import structlog

from vinci.v1 import game_pb2
from vinci.v1 import match_pb2 as pb

from ..errors import ServiceError
from ..limits import BUSY_SECONDS, host_of
from . import tasks
from .pool import TRIES, WorkerLost, WorkerProcess
from .tasks import ReviewQuestion

SIMULATIONS: Final = 100
"""Simulations of each turn compared: a quarter of those of `vinci review`, with intervals twice as wide."""
SEED: Final = "1"
TURN_SECONDS: Final = 120.0
"""Time in which the next line has to come, on a machine that has other work; then the process is killed."""
SIGN_SECONDS: Final = 5.0
"""Time after which the progress is told again; a client that has left is noticed by it."""
MOST_WAITING: Final = 20
MOST_KEPT: Final = 64
"""Reviews that are kept for the next caller, up to 250 kB each."""

_log = structlog.get_logger()


@final
class _Job:
    """A review that is computed.

    Attributes:
        record: lines of the record. host: who asked first. suggested: what was suggested before it began, by position.
        found: what is found so far. turns: number of turns, 0 until it is known. simulations: those of the review.
        callers: number of calls that wait for it.
        task: what computes it. is_done: whether it is complete, or has failed with `error`.
        news: set, and replaced, at every change.
    """

    def __init__(self, record: Sequence[str], host: str, suggested: Mapping[str, Sequence[str]]) -> None:
        self.record: Final = record
        self.host: Final = host
        self.suggested: Final = suggested
        self.found: Final[list[pb.ReviewResponse]] = []
        self.head: dict[str, Any] = {}
        self.callers = 0
        self.task: asyncio.Task[None]
        self.is_done = False
        self.error: Exception | None = None
        self.news = asyncio.Event()

    def tell(self) -> None:
        """Wake all callers."""
        news, self.news = self.news, asyncio.Event()
        news.set()

    def progress(self, ahead: int) -> pb.ReviewResponse:
        """Return how far it is."""
        turns = self.head.get("turns", 0)
        done = min(len(self.found), turns)
        return pb.ReviewResponse(progress=pb.ReviewProgress(ahead=ahead, done=done, turns=turns))


@final
class Reviewer:
    """Reviews games for the callers of a server. Equal records are reviewed once, and kept."""

    def __init__(self, suggested: Callable[[], Mapping[str, Sequence[str]]], *, enabled: bool) -> None:
        """Create it; `suggested` returns what was suggested lately, by position."""
        self.enabled: Final = enabled
        self._suggested: Final = suggested
        self._jobs: Final[dict[str, _Job]] = {}
        """By key of the record; the first one is computed."""
        self._turn: Final = asyncio.Lock()
        self._kept: Final[dict[str, list[pb.ReviewResponse]]] = {}
        """By key of the record; the one used last comes last."""
        self._processes: Final[set[WorkerProcess]] = set()
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    async def review(self, peer: str, record: Sequence[str]) -> AsyncGenerator[pb.ReviewResponse, None]:
        """Yield the progress of a review and its parts, at once if they are kept.

        Args:
            peer: the address of the caller.
            record: lines of the record.

        Raises:
            ServiceError: reviews are not offered, too many wait, or the record is wrong.
            RuntimeError: the process ends again and again, or reports an error.
        """
        if not self.enabled:
            raise ServiceError("NO_REVIEW")
        key = sha256("\n".join(record).encode()).hexdigest()
        if (kept := self._kept.pop(key, None)) is not None:
            self._kept[key] = kept
            for part in kept:
                yield part
            return
        job = self._jobs.get(key) or self._begun(key, record, host_of(peer))
        job.callers += 1
        sent = 0
        try:
            while True:
                news, is_done = job.news, job.is_done
                yield job.progress(0 if is_done else list(self._jobs).index(key))
                while sent < len(job.found):
                    yield job.found[sent]
                    sent += 1
                if is_done:
                    break
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), SIGN_SECONDS)
            if job.error is not None:
                raise job.error
        finally:
            job.callers -= 1
            if not job.callers:
                _cancel(job.task)
                self._forget(key, job)

    @property
    def pids(self) -> list[int]:
        """The process ids of all workers."""
        return [process.pid for process in self._processes]

    async def stop(self) -> None:
        """End all reviews."""
        for task in self._tasks:
            _cancel(task)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begun(self, key: str, record: Sequence[str], host: str) -> _Job:
        """Return a new review, which waits for those before it. Raises ServiceError."""
        if any(job.host == host for job in self._jobs.values()):
            raise ServiceError("BUSY", "REVIEW", retry_after=BUSY_SECONDS)
        if len(self._jobs) >= MOST_WAITING:
            raise ServiceError("BUSY", "REVIEWS", number=len(self._jobs), retry_after=BUSY_SECONDS)
        job = self._jobs[key] = _Job(record, host, self._suggested())
        job.task = asyncio.create_task(self._run(key, job))
        self._tasks.add(job.task)
        job.task.add_done_callback(self._tasks.discard)
        return job

    def _forget(self, key: str, job: _Job) -> None:
        """Take a review out of the queue; those behind it come nearer."""
        if self._jobs.get(key) is job:
            del self._jobs[key]
        for other in (job, *self._jobs.values()):
            other.tell()

    async def _run(self, key: str, job: _Job) -> None:
        """Compute a review when it is its turn, and keep it."""
        try:
            async with self._turn:
                await self._computed(job)
            self._kept[key] = job.found
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        except asyncio.CancelledError:
            job.error = ServiceError("SHUTTING_DOWN")
            raise
        except Exception as error:
            job.error = error
        finally:
            job.is_done = True
            self._forget(key, job)

    async def _computed(self, job: _Job) -> None:
        """Compute a review, in another process if one has died: the same seed gives the same lines."""
        for tries in range(1, TRIES + 1):
            process = await WorkerProcess.start()
            self._processes.add(process)
            try:
                process.tell(tasks.review(ReviewQuestion(job.record, SIMULATIONS, SEED, job.suggested)))
                number = 0
                while line := _line(json.loads(await process.answer(TURN_SECONDS))):
                    if number == 0:
                        job.head = line
                    elif number > len(job.found):
                        job.found.append(_part(line, job.head))
                    number += 1
                    job.tell()
                return
            except WorkerLost as error:
                _log.error("a worker of the reviews is lost", error=str(error))
                if tries == TRIES:
                    raise
            finally:
                self._processes.discard(process)
                await process.end()


def _cancel(task: asyncio.Task[None]) -> None:
    """Cancel a task once: a second time would interrupt the end of its process."""
    if not task.cancelling():
        task.cancel()


def _line(answer: dict[str, Any]) -> Any:
    """Return the line of an answer; None at the end. Raises ServiceError, or RuntimeError for a failure."""
    if "refusal" in answer:
        reason, which, facts = answer["refusal"]
        raise ServiceError(reason, which, **facts)
    if "error" in answer:
        raise RuntimeError(f"a worker of the reviews reports: {answer['error']}")
    return answer.get("line")


def _part(line: dict[str, Any], head: dict[str, Any]) -> pb.ReviewResponse:
    """Return a line of a review after the first one as a message."""
    if "players" not in line:
        return pb.ReviewResponse(turn=_turn(line))
    summary = pb.ReviewSummary(
        simulations=head["simulations"],
        players=[_player(player) for player in line["players"]],
        turning_points=[pb.TurningPoint(**point) for point in line["turning_points"]],
        wins=[mean for mean, _half in head["wins"]],
    )
    return pb.ReviewResponse(summary=summary)


def _turn(line: dict[str, Any]) -> pb.ReviewedTurn:
    same = {name: line[name] for name in ("first", "last", "round", "seat", "by", "choices")}
    return pb.ReviewedTurn(
        **same,
        played=_moves(line["played"]),
        preferred=_moves(line["preferred"]) if "preferred" in line else None,
        loss=_estimate(line["loss"]),
        vp_loss=_estimate(line["vp_loss"]),
        now=line["now"],
        suggested="suggested" in line,
        wins=[mean for mean, _half in line["wins"]],
        luck=map(_estimate, line["luck"]),
    )


def _moves(moves: dict[str, Any]) -> pb.ReviewedMoves:
    return pb.ReviewedMoves(actions=moves["actions"], traits=moves.get("takes", ()))


def _player(player: dict[str, Any]) -> pb.ReviewedPlayer:
    accuracy, lowest, highest = player["accuracy"] or (0.0, 0.0, 0.0)
    return pb.ReviewedPlayer(
        seat=player["seat"],
        turns=player["turns"],
        accuracy=accuracy,
        lowest=lowest,
        highest=highest,
        loss=_estimate(player["loss"]),
        mistakes=player["mistakes"],
        draws=_estimate(player["draws"]),
        dummies=_estimate(player["dummies"]),
    )


def _estimate(figure: Sequence[float]) -> game_pb2.Estimate:
    return game_pb2.Estimate(mean=figure[0], half_width=figure[1])
