"""Plays what is missing of a league, until all is played or its stopping rule has seen enough.

Work goes to an executor of `concurrent.futures`: processes of this machine (`processes.Processes`), or another one. Who
dies there loses nothing: a new executor plays the games that were lost, first one at a time, so that a game that kills
whoever plays it is found.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from typing import Final, TypeAlias, final

from . import digests, worker
from .course import Course
from .folder import Folder
from .league import League
from .results import Result
from .schedule import Game, games
from .worker import Outcome

TICK: Final = 0.05
"""Seconds in which games that end are collected, to be written down together."""
AHEAD: Final = 16
"""How many games wait for each worker at most."""
MOST_DEATHS: Final = 3

Tell: TypeAlias = Callable[[Sequence[Result], int], None]
"""Is told the results that are new, and how many games of the league are not done."""
Play: TypeAlias = Callable[[League, Game], Outcome]


class RunnerError(Exception):
    """The league cannot go on; the text says at which game, and why."""


def run(
    folder: Folder,
    executor: Callable[[], Executor],
    workers: int,
    tell: Tell = lambda _new, _left: None,
    play: Play = worker.play,
) -> None:
    """Play the missing games of the league in a folder that is locked, until its course is over.

    `executor` makes a new one each time that one is needed; `workers` is how many games it plays at once. Raises
    RunnerError, FolderError and whatever a game raises; what was played until then stays.
    """
    league = folder.league()
    for change in digests.changed(league):
        raise RunnerError(f"{change}; begin another league")
    done = folder.results()
    course = Course(league)
    course.note(done.values())
    run = _Run(folder, league, course, workers, tell, play)
    run.left.extend(game for game in games(league) if game.key not in done)
    tell(list(done.values()), len(run.left))
    while run.goes_on:
        with_it = executor()
        try:
            run.play(with_it)
        finally:
            with_it.shutdown(cancel_futures=True)


@final
class _Run:
    """The games that are left in order, those that are being played, and those under suspicion."""

    def __init__(self, folder: Folder, league: League, course: Course, workers: int, tell: Tell, play: Play) -> None:
        self.left: Final[deque[Game]] = deque()
        self._suspects: Final[deque[Game]] = deque()
        self._deaths: Final[Counter[str]] = Counter()
        self._folder: Final = folder
        self._league: Final = league
        self._course: Final = course
        self._workers: Final = workers
        self._tell: Final = tell
        self._play: Final = play

    @property
    def goes_on(self) -> bool:
        """Whether there is something to play that still counts."""
        return bool(self.left or self._suspects) and not self._course.is_decided

    def play(self, executor: Executor) -> None:
        """Play until nothing goes on, or the executor breaks. Raises RunnerError."""
        flying: dict[Future[Outcome], Game] = {}
        try:
            while (flying or self.goes_on) and not self._course.is_decided:
                self._submit(executor, flying)
                wait(flying, TICK)
                self._collect(flying)
        except BrokenExecutor:
            self._take_back(list(flying.values()))

    def _submit(self, executor: Executor, flying: dict[Future[Outcome], Game]) -> None:
        """A suspect alone; everybody else as far ahead as keeps all workers at work."""
        if self._suspects:
            if not flying:
                flying[executor.submit(self._play, self._league, self._suspects[0])] = self._suspects[0]
            return
        while self.left and len(flying) < AHEAD * self._workers:
            flying[executor.submit(self._play, self._league, self.left[0])] = self.left[0]
            self.left.popleft()

    def _collect(self, flying: dict[Future[Outcome], Game]) -> None:
        """Write down what was played. Raises BrokenExecutor if something was lost, RunnerError if a game went wrong."""
        errors = {future: future.exception() for future in flying if future.done()}
        lost = [error for error in errors.values() if isinstance(error, BrokenExecutor)]
        wrong = [(flying[future], error) for future, error in errors.items() if error is not None and error not in lost]
        played = [future.result() for future, error in errors.items() if error is None]
        for future, error in errors.items():
            if error not in lost:
                del flying[future]
        if played:
            self._folder.keep(played)
            results = [outcome.result for outcome in played]
            self._course.note(results)
            if self._suspects:
                self._suspects.popleft()
            self._tell(results, len(self.left) + len(self._suspects) + len(flying))
        for game, error in wrong:
            raise RunnerError(f"game {game.key} could not be played: {error or type(error).__name__}") from error
        for error in lost:
            raise error

    def _take_back(self, lost: Sequence[Game]) -> None:
        """After a death: the oldest games were at play, so one of them may be why; who dies alone is why."""
        if self._suspects and lost:
            key = self._suspects[0].key
            self._deaths[key] += 1
            if self._deaths[key] == MOST_DEATHS:
                raise RunnerError(f"game {key} killed the process that played it {MOST_DEATHS} times")
        else:
            self._suspects.extend(lost[: self._workers])
            self.left.extendleft(reversed(lost[self._workers :]))
