"""Plays games of a league with remote entrants at the league's server, as soon as the entrants of a game are there."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from math import inf
from typing import Any, Final, NamedTuple, final

from vinci_bots.local.local_match import USUAL, Unattended

from ..definition.league import League
from ..definition.schedule import ScheduledGame, line_ups
from .worker import GameError, GameOutcome, GameServer, play_match, request_id

TICK: Final = 0.1
"""Seconds between two looks at who is connected."""

Names = frozenset[str]
NOBODY: Final[Names] = frozenset()
NO_TIMES: Final[Mapping[str, float]] = {}


class Presence(NamedTuple):
    """An entrant: the games that it offers to play at once, those that it plays, and seconds since it is away.

    An entrant that offers fewer than it `needs`, which is its number of seats in a game, is as good as away. `came`
    tells whether it has ever connected.
    """

    name: str
    offers: int
    playing: int
    away: float | None
    needs: int = 1
    came: bool = True


def seats_needed(league: League) -> dict[str, int]:
    """Return the largest number of seats that each remote bot has in a game."""
    needs = dict.fromkeys(league.remote, 1)
    for line_up in set(line_ups(league)) if league.kind.repeats_bots else ():
        needs |= {name: max(needs[name], number) for name, number in Counter(line_up).items() if name in needs}
    return needs


@final
class Entrants:
    """Counts the games that remote entrants offer to play at once and those that they play.

    `needs` are their largest numbers of seats in a game. An entrant that is away, or offers less than it needs, is
    waited for, for `absence` seconds before each game that it then forfeits; 0 for ever. Until its first connection,
    which those who `came` have had, it is waited for without a limit. `away` are seconds since some are away.

    Attributes:
        needs: those numbers.
        absence: those seconds.
        gone: those that have withdrawn, and are not waited for.
        came: those that have connected at some time.
    """

    def __init__(
        self,
        needs: Mapping[str, int],
        absence: float,
        came: Iterable[str] = (),
        away: Mapping[str, float] = NO_TIMES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.absence = absence
        self.gone: Names = NOBODY
        self.came: Final = {*came}
        self.needs: Final = dict(needs)
        self._now: Final = now
        self._offered: Mapping[str, int] = {}
        self._present: frozenset[str] = NOBODY
        self._playing: Final[Counter[str]] = Counter()
        self._away: Final = {name: now() - away.get(name, 0) for name in needs}
        self._waited: Final = dict.fromkeys(needs, now())

    def look(self, offered: Mapping[str, int]) -> None:
        """Take the number of games that connected entrants offer to play at once, by name."""
        self._offered = offered
        self._present = frozenset(name for name, needed in self.needs.items() if offered.get(name, 0) >= needed)
        self.came.update(self._present)
        for name in self.needs:
            if name in self._present:
                self._away.pop(name, None)
                self._waited.pop(name, None)
            else:
                self._away.setdefault(name, self._now())
                self._waited.setdefault(name, self._now())

    def absent(self, needed: Mapping[str, int]) -> Names | None:
        """Return who forfeits a game that needs so many seats of each entrant; None if the game has to wait."""
        away = {name for name in needed if name not in self._present}
        if any(self._playing[name] + needed[name] > self._offered[name] for name in needed.keys() - away):
            return None
        return frozenset(away) if all(map(self._is_overdue, away)) else None

    def _is_overdue(self, name: str) -> bool:
        """Whether an entrant that is away forfeits the next game."""
        if name in self.gone:
            return True
        return name in self.came and 0 < self.absence <= self._now() - self._waited[name]

    def wait_anew(self) -> None:
        """Wait for those who are away as if they had left now, as at the start of the league."""
        self._waited.update(dict.fromkeys(self._waited, self._now()))

    def has_some(self, names: Iterable[str]) -> bool:
        """Return whether any of these is there."""
        return not self._present.isdisjoint(names)

    def begin(self, needed: Mapping[str, int], absent: Names) -> None:
        """Count a game that begins; those who are absent are waited for anew before their next game."""
        self._playing.update(needed)
        for name in absent:
            self._waited[name] = self._now()

    def end(self, needed: Mapping[str, int]) -> None:
        """Count a game that is over."""
        self._playing.subtract(needed)

    def presence(self, names: Sequence[str]) -> list[Presence]:
        """Return the presence of entrants."""
        return [
            Presence(
                name,
                self._offered.get(name, 0),
                self._playing[name],
                self._now() - self._away[name] if name in self._away else None,
                self.needs[name],
                name in self.came,
            )
            for name in names
        ]


@final
class _Waiting:
    """Games that are played one after another once their entrants are there.

    Attributes:
        needed: number of seats of each remote entrant in a game.
        has_processes: bots are started on this machine for the games.
        request_id: that of the match of the first game.
        is_void: nobody came when it was to begin.
    """

    def __init__(self, league: League, games: Sequence[ScheduledGame]) -> None:
        self.league: Final = league
        self.games: Final = games
        self.future: Final[Future[list[GameOutcome]]] = Future()
        bots = [league.bot(name) for name in games[0].bots]
        self.needed: Final = Counter(bot.name for bot in bots if bot.remote)
        self.has_processes: Final = any(not (bot.remote or bot.is_dummy) for bot in bots)
        self.request_id: Final = request_id(league, games[0])
        self.is_void = False

    def is_attended(self, absent: Names) -> bool:
        """Return whether somebody is left to play when these are absent; dummies do not count."""
        return self.has_processes or not self.needed.keys() <= absent


@final
class RemoteTables(Executor):
    """Plays games at a server, in an event loop that runs in another thread.

    `offered` returns the number of games that connected entrants offer to play at once, `is_begun` whether there is a
    match for a request id. At most `processes` games with bots of this machine are played in parallel. A game in which
    nobody is left to play waits until an entrant is back; `void` receives its key if it had begun. `stopping` is called
    in the loop before bots of this machine are stopped.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        at: GameServer,
        entrants: Entrants,
        offered: Callable[[], Mapping[str, int]],
        is_begun: Callable[[str], bool],
        processes: int,
        void: Callable[[str], None] = lambda _key: None,
        stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self._loop: Final = loop
        self._at: Final = at
        self._entrants: Final = entrants
        self._offered: Final = offered
        self._is_begun: Final = is_begun
        self._free: int = processes
        self._void: Final = void
        self._stopping: Final = stopping
        self._waiting: Final[dict[_Waiting, None]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._seating: Final = asyncio.run_coroutine_threadsafe(self._seat(), loop)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play games when their entrants are there; takes the arguments of `worker.play_all`."""
        _play, league, games = args
        waiting = _Waiting(league, games)
        self._loop.call_soon_threadsafe(self._waiting.setdefault, waiting, None)
        return waiting.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop all games; those at the server go on when they are submitted again."""
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()

    async def _stop(self) -> None:
        self._seating.cancel()
        self._stopping()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _seat(self) -> None:
        """Start games whose entrants are there, until the end; an error ends all games that wait."""
        try:
            await self._start_games()
        except Exception as error:
            for waiting in self._waiting:
                waiting.future.set_exception(error)
            raise

    async def _start_games(self) -> None:
        """Start games whose entrants are there, without end: first those begun before a restart, last forfeits."""
        while True:
            await asyncio.sleep(TICK)  # also first, so that games begun before a restart have been submitted
            self._entrants.look(self._offered())
            for waiting in list(self._waiting):
                is_wanted = not waiting.is_void or self._entrants.has_some(waiting.needed)
                if is_wanted and self._is_begun(waiting.request_id):  # its entrants reconnect
                    self._begin(waiting, NOBODY, self._entrants.absence or inf)
            overdue = []
            for waiting in list(self._waiting):
                absent = self._absent(waiting)
                if absent:
                    overdue.append(waiting)
                elif absent is not None:
                    self._begin(waiting, absent)
            for waiting in overdue:
                if absent := self._absent(waiting):
                    self._begin(waiting, absent)

    def _absent(self, waiting: _Waiting) -> Names | None:
        if waiting.has_processes and not self._free:
            return None
        absent = self._entrants.absent(waiting.needed)
        return absent if absent is not None and waiting.is_attended(absent) else None

    def _begin(self, waiting: _Waiting, absent: Names, start: float = USUAL.start) -> None:
        del self._waiting[waiting]
        if waiting.is_void or waiting.future.set_running_or_notify_cancel():
            self._entrants.begin(waiting.needed, absent)
            self._free -= waiting.has_processes
            task = self._loop.create_task(self._play(waiting, absent, start))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _play(self, waiting: _Waiting, absent: Names, start: float) -> None:
        try:
            played = [await play_match(waiting.league, game, self._at, absent, start) for game in waiting.games]
            waiting.future.set_result(played)
        except asyncio.CancelledError:
            waiting.future.set_exception(GameError("the league was stopped"))
            raise
        except Unattended:
            waiting.is_void = True
            self._waiting[waiting] = None
            self._void(waiting.games[0].key)
        except Exception as error:
            key = waiting.games[0].key
            waiting.future.set_exception(GameError(f"game {key} could not be played: {error or type(error).__name__}"))
        finally:
            self._entrants.end(waiting.needed)
            self._free += waiting.has_processes
