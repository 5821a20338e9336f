"""The option --web of `vinci tournament run` and `resume`: the page of a league that runs."""

import re
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, final

import click

from vinci_client.address import joined
from vinci_tournament.definition.league import League
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.live_ratings import LiveRatings
from vinci_tournament.play.runner import Batch
from vinci_tournament.report.page import MOST_CURVES
from vinci_tournament.results.result import Result

from ...exceptions import Failed, Misused
from ...text.i18n import _
from ..base import F, option, options
from ..options import web_option, web_packages

if TYPE_CHECKING:
    from vinci_server.web.site import Document

PLACE: Final = "/league"
LOCAL: Final = "127.0.0.1"
ASKED_SECONDS: Final = 5.0
"""Seconds after its last request in which a page counts as open; it asks every two seconds."""
END_SECONDS: Final = 3.0
"""Seconds for which the end of the league is shown to open pages."""

MOST_LATEST: Final = 20
"""Games in the list of the latest ones."""
RECORD: Final = re.compile(r"games/([0-9]+-[0-9]+)\.jsonl")
"""Path of the record of a game, below the page, as in the folder of the league."""

_web_options = options(
    web_option(
        help="Show standings, games, records and the report on a page for browsers at this port; 0 for a free one."
    ),
    option(
        "--web-host",
        default="",
        metavar="ADDRESS",
        help="Address for --web, such as 0.0.0.0 for all of this machine. Default: 127.0.0.1.",
    ),
)


def web_options(command: F) -> F:
    """Add the options for browsers, which the command takes as `web`."""

    @wraps(command)
    def run(*args: Any, web_port: int | None, web_host: str, **kwargs: Any) -> Any:
        return command(*args, web=WebOptions(web_port, web_host), **kwargs)

    return _web_options(run)


@dataclass(frozen=True, slots=True)
class WebOptions:
    """The options for browsers as they were typed."""

    port: int | None
    host: str

    def check(self) -> None:
        """Raise Misused for options that do not fit, and Failed if packages are missing."""
        if self.port is None:
            if self.host:
                raise Misused(_("--web-host is about the page: name a port for it, as --web 8080"))
            return
        with web_packages():
            import vinci_server.web.site  # noqa: F401

    @contextmanager
    def serving(self, folder: Folder, league: League) -> Iterator["LiveLeague | None"]:
        """Serve the page of a league and return what it shows; None if there is to be no page. Raises Failed."""
        if self.port is None:
            yield None
            return
        from vinci_server.operations import logs
        from vinci_server.rpc.listener import AddressError
        from vinci_server.web.links import on_terminal
        from vinci_server.web.site import Site
        from vinci_server.web.static import PageMissing

        from ...serve.access import LOOPBACK, addresses_to_type

        host = self.host or LOCAL
        logs.configure("error")
        live = LiveLeague(folder, league)
        try:
            site = Site(host, self.port, PLACE, live.state, live.document)
        except (AddressError, PageMissing) as error:
            raise Failed(str(error)) from None
        links = [f"http://{joined(address, site.port)}{PLACE}" for address in addresses_to_type(host)]
        for link in links:
            click.echo(f"In a browser: {link}", err=True)
        if sys.stderr.isatty() and links and host not in LOOPBACK:
            click.echo(on_terminal(links[0]), err=True)
        try:
            yield live
        finally:
            live.show_end()
            site.stop()


@final
@dataclass(slots=True)
class LiveLeague:
    """A league that is played, for the page; the runner reports to it and the web server reads it."""

    folder: Folder
    league: League
    _live: LiveRatings = field(init=False)
    _finished: set[str] = field(default_factory=set)
    _latest: deque[Result] = field(default_factory=lambda: deque(maxlen=MOST_LATEST))
    _since: dict[Batch, float] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _before: int | None = None
    _games: int = 0
    _left: int = 0
    _is_over: bool = False
    _asked: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._live = LiveRatings(bot.name for bot in self.league.bots)

    def begin(self, league: League) -> None:
        """Show the league as it was extended; its results follow."""
        with self._lock:
            self.league = league
            self._live = LiveRatings(bot.name for bot in league.bots)
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
            if self.league.seeding == "game":  # else a record tells the draws of the other games of its block
                self._finished.update(result.key for result in new)
                self._latest.extend(new)

    def watch(self, running: Sequence[Batch]) -> None:
        """Take the batches that are played now."""
        now = time.monotonic()
        with self._lock:
            self._since = {batch: self._since.get(batch, now) for batch in running}

    def end(self) -> None:
        """Say that no more games are played."""
        with self._lock:
            self._is_over = True
            self._since = {}

    def show_end(self) -> None:
        """If the league is over, give open pages the time to learn of it."""
        with self._lock:
            is_open = self._asked is not None and time.monotonic() - self._asked < ASKED_SECONDS
        if self._is_over and is_open:
            time.sleep(END_SECONDS)

    def state(self) -> dict[str, Any]:
        """Return standings, games and time left, as far as `vinci tournament status --json` has them with its names."""
        now = time.monotonic()
        with self._lock:
            self._asked = now
            rate = (self._games - (self._before or 0)) / max(now - self._began, 1e-9)
            standings, history = self._live.standings(), self._live.history()
            return {
                "name": self.league.name,
                "format": self.league.format,
                "games": self._games,
                "planned": self._games + self._left,
                "complete": self._is_over,
                "provisional": [standing._asdict() for standing in standings],
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
                "seconds_left": self._left / rate
                if rate and not (self._is_over or self.league.is_open_ended)
                else None,
            }

    def document(self, path: str) -> "Document | None":
        """Return the document at a path below the page: the record of a finished game; None if there is none."""
        from vinci_server.web.site import Document

        found = RECORD.fullmatch(path)
        with self._lock:
            is_finished = found is not None and found[1] in self._finished
        if found is None or not is_finished:
            return None
        try:
            return Document("".join(f"{line}\n" for line in self.folder.lines(found[1])).encode())
        except FolderError:
            return None


def _shown(rating: float | None) -> float | None:
    return None if rating is None else round(rating, 2)
