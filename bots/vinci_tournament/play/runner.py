"""Plays the missing games of a league until all are played or its stopping rule ends it.

Games are sent to an executor of `concurrent.futures`: processes on this machine (`worker_pool.Processes`), a cluster
(`cluster.Cluster`) or any other. If a worker or a machine is lost, its games are played again, one at a time at first,
to find a game that kills its worker; by a new executor, unless the error is WorkerLost.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil, inf
from typing import Final, TypeAlias

from ..definition import digests
from ..definition.league import League
from ..definition.schedule import Plan, ScheduledGame
from ..pairing.chooser import Chooser
from ..results.result import Result, other_conditions
from . import worker
from .folder import Folder
from .progress import LeagueProgress
from .worker import GameError, GameOutcome, Play, WorkerLost, play_all

TICK: Final = 0.1
"""Seconds for which finished games are collected before they are stored together."""
AHEAD: Final = 8
"""Maximum number of batches in flight for each worker."""
QUICK: Final = ("dummy", "random")
"""Policies that play a game in milliseconds, as long as a transfer, so a worker gets several games at a time."""
MOST_LOSSES: Final = 3
"""Number of lost workers of one game, played alone, after which the league ends."""

Tell: TypeAlias = Callable[[Sequence[Result], int], None]
"""Receives new results and the number of games that are not finished."""
Batch: TypeAlias = tuple[ScheduledGame, ...]
Watch: TypeAlias = Callable[[Sequence[Batch]], None]
"""Receives the batches that workers play now, about every TICK; a worker plays the games of a batch one by one."""


class _Lost(Exception):
    """The executor or one of its workers failed, and the games that it was playing were lost."""


class RunnerError(Exception):
    """The league cannot be continued; the text names the game and the reason."""


def run(
    folder: Folder,
    executor: Callable[[], Executor],
    workers: int,
    tell: Tell = lambda _new, _left: None,
    play: Play = worker.play,
    watch: Watch = lambda _running: None,
    most: int | None = None,
) -> bool:
    """Play the missing games of the league in a folder that is locked. Finished games are kept in any case.

    `executor` makes an executor of `workers` games in parallel; it is called again if one is lost. `tell` receives the
    progress and `watch` the running games; `play` plays a game in a worker. `most` is the number of games after which a
    league without an end stops, rounded up to whole blocks. Returns False if another process wants to change the
    league: games under way were dropped, and the rest is to be played after a pause of the folder. Raises RunnerError
    if the league cannot be continued, and FolderError.
    """
    league = folder.league()
    for change in digests.changed(league):
        raise RunnerError(f"{change}; {digests.advice(league)}")
    done = folder.planned(league)
    for change, _games in other_conditions(league, done.values()):
        raise RunnerError(f"{change}; restore these conditions, or start a new league")
    blocks = folder.blocks() or range(league.blocks)
    plan = Plan(league)
    missing = [game for game in plan.games if game.key not in done and game.block in blocks]
    progress = LeagueProgress(league, done.values())
    chooser = None
    if league.is_by_results:
        further = inf if most is None else ceil(max(most - len(missing), 0) / league.rotations)
        chooser = Chooser(plan, folder.choose, league.blocks + (further if league.is_open_ended else 0))
        chooser.note(done.values())
    run = _Run(folder, league, progress, deque(_batches(league, missing)), workers, tell, play, watch, chooser)
    run.choose()
    tell(list(done.values()), run.games_left)
    while run.goes_on:
        current = executor()
        try:
            run.play(current)
        finally:
            run.end(current)
    folder.order()
    return not run.is_interrupted


def _batches(league: League, missing: Sequence[ScheduledGame]) -> Iterator[Batch]:
    """Yield the missing games in order: quick games by blocks of one game for each seat, others one by one."""
    blocks = league.seats // league.rotations
    for _blocks, group in groupby(missing, key=lambda game: game.block // blocks):
        block = tuple(group)
        is_quick = all(league.bot(name).policy in QUICK for name in block[0].bots)
        yield from [block] if is_quick else [(game,) for game in block]


@dataclass(slots=True)
class _Run:
    """The remaining batches in order, those in flight, and the games suspected of killing their worker."""

    folder: Folder
    league: League
    progress: LeagueProgress
    left: deque[Batch]
    workers: int
    tell: Tell
    play_game: Play
    watch: Watch
    chooser: Chooser | None = None
    suspects: deque[Batch] = field(default_factory=deque)
    losses: Counter[Batch | None] = field(default_factory=Counter)
    flying: dict[Future[list[GameOutcome]], Batch] = field(default_factory=dict)
    is_interrupted: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether there are games to play that count, and nobody waits for the folder."""
        is_done = self.is_interrupted or self.progress.is_decided
        return bool(self.left or self.suspects or self.flying) and not is_done

    @property
    def games_left(self) -> int:
        """The number of games that are not finished."""
        chosen = sum(map(len, [*self.left, *self.suspects, *self.flying.values()]))
        return chosen + (int(self.chooser.left) if self.chooser and self.chooser.left < inf else 0)

    def choose(self) -> None:
        """Add the games of blocks that can be chosen now, if results choose them."""
        if self.chooser is not None:
            self.left.extend(_batches(self.league, self.chooser.games()))

    def play(self, executor: Executor) -> None:
        """Play until all games are finished or the executor fails. Raises RunnerError."""
        try:
            while self.goes_on:
                self._submit(executor)
                self.watch(self._running())
                wait(self.flying, TICK)
                self._collect()
                self.is_interrupted = self.folder.is_pause_wanted()
        except _Lost as error:
            self._take_back(error)

    def end(self, executor: Executor) -> None:
        """Shut an executor down and cancel the games that no worker has begun."""
        try:
            executor.shutdown(cancel_futures=True)
        except TypeError:  # some executors, such as that of Dask, lack the argument
            for future in self.flying:
                future.cancel()
            executor.shutdown()

    def _submit(self, executor: Executor) -> None:
        """Send a suspect alone; otherwise send enough batches to keep all workers busy."""
        if self.suspects and not self.flying:
            self._send(executor, self.suspects[0])
        while not self.suspects and self.left and len(self.flying) < AHEAD * self.workers:
            self._send(executor, self.left[0])
            self.left.popleft()

    def _send(self, executor: Executor, batch: Batch) -> None:
        try:
            self.flying[executor.submit(play_all, self.play_game, self.league, batch)] = batch
        except Exception as error:  # executors raise errors of any type
            raise _Lost(f"{type(error).__name__}: {error}") from None

    def _collect(self) -> None:
        """Save the results of finished games. Raises _Lost if the executor was lost, RunnerError if a game failed."""
        ended = {future: _error(future) for future in self.flying if future.done()}
        played = [outcome for future, error in ended.items() if error is None for outcome in future.result()]
        lost: list[tuple[Batch, WorkerLost]] = []
        for future, error in ended.items():
            if error is None or isinstance(error, (GameError, WorkerLost)):
                batch = self.flying.pop(future)
                if error is None and self._is_alone(batch):
                    self.suspects.popleft()
                if isinstance(error, WorkerLost):
                    lost.append((batch, error))
        if played:
            self.folder.keep(played)
            results = [outcome.result for outcome in played]
            self.progress.note(results)
            self.losses[None] = 0
            if self.chooser is not None:
                self.chooser.note(results)
                self.choose()
            self.tell(results, self.games_left + sum(len(batch) for batch, _ in lost))
        for batch, why in lost:
            self._suspect([batch], str(why))
        errors = [error for error in ended.values() if error is not None and not isinstance(error, WorkerLost)]
        for error in errors:
            if isinstance(error, GameError):
                raise RunnerError(str(error)) from None
        for error in errors:
            raise _Lost(f"{type(error).__name__}: {error}") from None

    def _running(self) -> list[Batch]:
        """Return the batches that are played now: a pool calls a batch running that only waits for the next worker."""
        return [batch for future, batch in self.flying.items() if future.running()][: self.workers]

    def _is_alone(self, batch: Batch) -> bool:
        """Whether a batch in flight is the first suspect, which is played alone."""
        return bool(self.suspects) and batch == self.suspects[0]

    def _suspect(self, lost: Sequence[Batch], error: str) -> None:
        """Retry lost batches one game at a time. Raises RunnerError for a game that was lost alone too often."""
        for batch in lost:
            if self._is_alone(batch):
                self._count_loss(batch, f"the worker of game {batch[0].key}", error)
            else:
                self.suspects.extend((game,) for game in batch)

    def _take_back(self, error: _Lost) -> None:
        """After the loss of the executor, retry the batches in flight.

        Raises RunnerError for a game that was lost alone, or an executor that was lost without a game, too often.
        """
        lost = list(self.flying.values())
        self.flying.clear()
        if not any(map(self._is_alone, lost)):
            self._count_loss(None, "the executor", str(error))
        self._suspect(lost[: self.workers], str(error))
        self.left.extendleft(reversed(lost[self.workers :]))

    def _count_loss(self, batch: Batch | None, subject: str, error: str) -> None:
        """Count the loss of a batch, or of the executor. Raises RunnerError for the last one that is accepted."""
        self.losses[batch] += 1
        if self.losses[batch] == MOST_LOSSES:
            raise RunnerError(f"{subject} was lost {MOST_LOSSES} times ({error})")


def _error(future: Future[list[GameOutcome]]) -> BaseException | None:
    """Return the error of a future that is done; None if it has a result."""
    return CancelledError("it was cancelled") if future.cancelled() else future.exception()
