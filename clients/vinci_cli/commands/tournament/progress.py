"""Progress of a league while it is played: on its page for browsers, and as a line on standard error."""

import os
import sys
import time
from collections.abc import Sequence
from typing import Final

from vinci_tournament.definition.league import League
from vinci_tournament.live.league import LiveLeague
from vinci_tournament.play.live import awaited, opening
from vinci_tournament.play.live_ratings import LiveRatings
from vinci_tournament.play.remote import Presence
from vinci_tournament.play.runner import Batch
from vinci_tournament.results.result import Result

from ..progress import Line


class Progress:
    """Progress of a league on its page, if it has one, and on standard error.

    That is a line that is updated at a terminal, else a line per minute; it begins with the `name`, if there is one.
    """

    def __init__(self, league: League, page: LiveLeague | None, *, is_endless: bool, name: str = "") -> None:
        self._page: Final = page
        self._is_endless: Final = is_endless
        self._league: Final = league.name
        self._name: Final = f"{name}: " if name else ""
        self._live: Final = LiveRatings(bot.name for bot in league.bots)
        self._line: Final = Line()
        self._began = time.monotonic()
        self._before: int | None = None
        self._done = 0
        self._left = 0
        self._away: Sequence[str] = ()
        self._awaited = ""
        self._told: object = None

    def __call__(self, new: Sequence[Result], left: int) -> None:
        """Take new results and the number of games that are left."""
        if self._page is not None:
            self._page.note(new, left)
        if self._before is None:
            self._before = len(new)
        self._done += len(new)
        self._left = left
        if self._line.is_seen:
            self._live.note_many(new)
        self._show()

    def watch(self, running: Sequence[Batch], entrants: Sequence[Presence] = (), start: str = "") -> None:
        """Take the games that are played now, remote bots, and when the league starts, if it has not."""
        if self._page is not None:
            self._page.watch(running, entrants, start)
        missing = [entrant.name for entrant in entrants if not entrant.came]
        if start:
            self._began = time.monotonic()
            self._show_opening(opening(start, missing))
            return
        self._away = [entrant.name for entrant in entrants if entrant.away is not None]
        self._awaited = awaited(missing, running, self._league)
        self._show()

    def _show_opening(self, text: str) -> None:
        """Show when the league starts and who is missing."""
        if self._line.is_due() and (text != self._told or self._line.is_seen):
            self._told = text
            self._line.update(f"{self._name}{text}")

    def _show(self) -> None:
        """Show the line if it is due; if standard error is not a terminal, only if there is news."""
        news = self._done, tuple(self._away), self._awaited
        is_seen = self._line.is_seen
        if self._before is None or not self._line.is_due() or (news == self._told and not is_seen):
            return
        self._told = news
        rate = (self._done - self._before) / (time.monotonic() - self._began)
        to_come = None if self._is_endless else self._left
        columns = os.get_terminal_size(sys.stderr.fileno()).columns - 1 - len(self._name) if is_seen else None
        live = self._live if is_seen else None
        if self._awaited:
            text = f"{line(self._done, to_come, 0.0, None)}; {self._awaited}"[:columns]
        else:
            text = line(self._done, to_come, rate, live, columns, self._away)
        self._line.update(self._name + text)

    def tell(self, text: str) -> None:
        """Print a line above that of the progress."""
        self._line.tell(text)

    def end_games(self) -> None:
        """Say that no more games are played."""
        if self._page is not None:
            self._page.end()

    def end(self) -> None:
        """Clear the line."""
        self._line.show("")


def line(
    done: int,
    left: int | None,
    rate: float,
    live: LiveRatings | None,
    width: int | None = None,
    away: Sequence[str] = (),
) -> str:
    """Format games, speed, estimated time left, who is away, and as many leaders of the provisional standings as fit.

    `left` is None for a league without an end.
    """
    rest = f", {left / rate / 60:.0f} min left" if rate and left is not None else ""
    speed = f", {rate:.3g} a second" if rate else ""
    of = "" if left is None else f" of {done + left}"
    text = f"{done}{of} games{speed}{rest}"
    if away:
        text += f"; away: {', '.join(away)}"
    if live is None or not done:
        return text[:width]
    text += "; provisional:"
    for standing in live.standings():
        longer = f"{text} {standing.bot} {standing.skill:.0f}"
        if width is not None and len(longer) > width:
            break
        text = longer
    return text[:width]
