"""A league that is played, as its page for browsers shows it."""

import re
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, final

from ..definition.league import League
from ..play.files import notes_file
from ..play.folder import Folder, FolderError
from ..play.forfeits import Forfeits
from ..play.live import remove_page, write_page
from ..play.live_ratings import LiveRatings
from ..play.progress import LeagueProgress
from ..play.remote import Presence
from ..play.resource_usage import Cost
from ..play.runner import Batch
from ..report.sections import MOST_CURVES
from ..results.result import Result
from .report import LiveFile, LiveReport

ASKED_SECONDS: Final = 5.0
"""Seconds after its last request in which a page counts as open; it asks every two seconds."""
END_SECONDS: Final = 1.0
"""Seconds after which it is looked again whether somebody still looks at the end of the league."""
MOST_LATEST: Final = 20
"""Games in the list of the latest ones."""
TIMES_PAUSE: Final = 50
"""Pause between two readings of the times of decisions, in durations of one, which is a second for a large league."""
TOLD_SECONDS: Final = 2.0
"""Seconds between two updates of the file from which `status` takes the addresses of the page."""
RECORD: Final = re.compile(r"games/([0-9]+-[0-9]+)\.(jsonl|notes\.json)")
"""Path of the record of a game or of its notes, below the page, as in the folder of the league."""


@final
@dataclass(slots=True)
class LiveLeague:
    """A league that is played, for the page; the runner reports to it and the web server reads it.

    Attributes:
        links: addresses of the page, which are stored while it is served.
        is_over: whether no more games are played.
    """

    folder: Folder
    league: League
    links: Sequence[str] = ()
    _live: LiveRatings = field(init=False)
    _gate: LeagueProgress = field(init=False)
    _report: LiveReport = field(init=False)
    _forfeits: Forfeits = field(init=False)
    _times: dict[str, Cost] = field(default_factory=dict)
    _timed_until: float = 0.0
    _finished: set[str] = field(default_factory=set)
    _latest: deque[Result] = field(default_factory=lambda: deque(maxlen=MOST_LATEST))
    _since: dict[Batch, float] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _before: int | None = None
    _games: int = 0
    _left: int = 0
    _entrants: Sequence[Presence] = ()
    _start: str = ""
    is_over: bool = field(default=False, init=False)
    _asked: float | None = None
    _told: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._live = LiveRatings(bot.name for bot in self.league.bots)
        self._gate = LeagueProgress(self.league)
        self._forfeits = Forfeits(self.folder.path)
        self._report = LiveReport(self.folder.path)

    def begin(self, league: League) -> None:
        """Show the league as it was extended; its results follow."""
        with self._lock:
            self.league = league
            self._live = LiveRatings(bot.name for bot in league.bots)
            self._gate = LeagueProgress(league)
            self._forfeits = Forfeits(self.folder.path)
            self._latest.clear()
            self._since = {}
            self._began = time.monotonic()
            self._before = None
            self._games = 0

    def note(self, new: Sequence[Result], left: int) -> None:
        """Count new results and the games that are left."""
        with self._lock:
            if self._before is None:
                self._before = len(new)
            self._games += len(new)
            self._left = left
            self._live.note_many(new)
            self._forfeits.note(new)
            if self.league.kind.is_gate:
                self._gate.note(new)
            if not self._has_secrets:
                self._finished.update(result.key for result in new)
                self._latest.extend(new)

    def watch(self, running: Sequence[Batch], entrants: Sequence[Presence] = (), start: str = "") -> None:
        """Take the batches that are played now, remote bots, and when the league starts, if it has not."""
        now = time.monotonic()
        with self._lock:
            if self._start and not start:
                self._began = now
            self._entrants = entrants
            self._start = start
            self._since = {batch: self._since.get(batch, now) for batch in running}
        if self._told is None:
            remove_page(self.folder.path)  # that of a killed process
        if self._told is None or now - self._told >= TOLD_SECONDS:
            write_page(self.folder.path, self.links)
            self._told = now

    def end(self) -> None:
        """Say that no more games are played."""
        with self._lock:
            self.is_over = True
            self._since = {}

    def show_end(self, *, until_stopped: bool) -> None:
        """If the league is over, wait while a page shows its end, or until Ctrl-C."""
        with suppress(KeyboardInterrupt):
            while self.is_over and (until_stopped or self._is_open()):
                if self._told is not None:
                    write_page(self.folder.path, self.links)
                time.sleep(END_SECONDS)

    def _is_open(self) -> bool:
        """Return whether a page is open somewhere."""
        with self._lock:
            return self._asked is not None and time.monotonic() - self._asked < ASKED_SECONDS

    def state(self) -> dict[str, Any]:
        """Return standings, games and time left, as far as `vinci tournament status --json` has them with its names."""
        now = time.monotonic()
        self._read_times(now)  # without the lock, for which the runner would wait
        with self._lock:
            self._asked = now
            rate = (self._games - (self._before or 0)) / max(now - self._began, 1e-9)
            standings, history = self._live.standings(), self._live.history()
            evidence = self._gate.evidence
            missing = [entrant.name for entrant in self._entrants if not entrant.came]
            is_waiting = bool(missing) and not self._since  # for those, without a limit
            has_end = not (self.is_over or self.league.is_open_ended or is_waiting)
            return {
                "name": self.league.name,
                "format": self.league.format,
                "games": self._games,
                "planned": self._games + self._left,
                "complete": self.is_over,
                "state": "finished" if self.is_over else "open" if self._start else "running",
                "start": self._start,
                "missing": missing,
                "provisional": [standing._asdict() for standing in standings],
                "bots": self._told_bots(),
                "gate": evidence and {"bot": self.league.bots[0].name, **evidence.told()},
                "left": [*dict(self.league.retired), *sorted(self.league.withdrawn)],
                "history": {
                    "games": [games for games, _ in history],
                    "bots": [
                        {"bot": bot, "ratings": [_shown(ratings.get(bot)) for _, ratings in history]}
                        for bot in [standing.bot for standing in standings if standing.games][:MOST_CURVES]
                    ],
                },
                "latest": [
                    {
                        "game": result.key,
                        "bots": result.bots,
                        "ranks": result.ranks,
                        "vp": result.vp,
                        "forfeits": [forfeit.seat for forfeit in result.forfeits],
                    }
                    for result in reversed(self._latest)
                ],
                "running": [
                    {"games": [game.key for game in batch], "bots": batch[0].bots, "seconds": now - since}
                    for batch, since in self._since.items()
                ],
                "seconds_left": self._left / rate if rate and has_end else None,
            }

    def _read_times(self, now: float) -> None:
        """Read the times of decisions, unless that was done a while ago."""
        if now >= self._timed_until:
            with suppress(FolderError):
                self._times = {bot: cost for bot, (_, cost) in self.folder.used().items()}
            self._timed_until = now + TIMES_PAUSE * (time.monotonic() - now)

    def _told_bots(self) -> list[dict[str, Any]]:
        """Return what a row of the page tells of each bot: whether it is here, its times and its forfeits."""
        here = {entrant.name: entrant for entrant in self._entrants}
        forfeits = self._forfeits.told()
        return [
            {
                "bot": bot.name,
                "connection": _connection(here.get(bot.name)),
                "away": here[bot.name].away if bot.name in here else None,
                **{name: self._time(bot.name, share) for name, share in (("median_ms", 0.5), ("most_ms", 0.99))},
                "forfeits": forfeits.get(bot.name),
            }
            for bot in self.league.bots
            if not bot.is_dummy
        ]

    def _time(self, bot: str, share: float) -> float | None:
        return _shown(self._times[bot].quantile(share)) if bot in self._times else None

    @property
    def _has_secrets(self) -> bool:
        """Whether games tell the draws of others: in a league begun by an earlier version those of a block do."""
        return self.league.seeding == "block"

    def document(self, path: str) -> LiveFile | None:
        """Return the document at a path below the page: a record, notes of bots, or a file of the report.

        None if there is none. A game that is not over has neither record nor notes.
        """
        found = RECORD.fullmatch(path)
        with self._lock:
            games, is_finished = self._games, found is not None and found[1] in self._finished
        if found is None:
            return None if self._has_secrets else self._report.document(path, games)
        if not is_finished:
            return None
        if found[2] != "jsonl":
            noted = self.folder.path / notes_file(found[1])
            return LiveFile(noted.read_bytes() if noted.is_file() else b"")
        try:
            return LiveFile("".join(f"{line}\n" for line in self.folder.lines(found[1])).encode())
        except FolderError:
            return None

    def close(self) -> None:
        """Remove the addresses of the page, and end the process that makes the report, if it runs."""
        if self._told is not None:
            remove_page(self.folder.path)
        self._report.close()


def _connection(entrant: Presence | None) -> str:
    """Return `never`, `away` or `here`, empty for a bot that is started here."""
    if entrant is None:
        return ""
    return "here" if entrant.offers else "away" if entrant.came else "never"


def _shown(rating: float | None) -> float | None:
    return None if rating is None else round(rating, 2)
