"""The title screen: saved games to continue, and all else that there is."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, final

from vinci.v1 import lobby_pb2
from vinci_client.errors import ServerRefused

from ...connection import saved_seats
from ...connection.saved_seats import SavedSeat
from ...connection.seating import is_played
from ...text.i18n import N_, _, plural
from ...text.refusals import full_sentence
from ...text.tables import Line
from ..toolkit.app import App
from ..toolkit.menu import Menu, MenuItem
from . import words
from .matches import Seated
from .page import EXPECTED
from .server_session import Visit, Visits, is_here, shared
from .title import Backdrop, TitlePage


@final
@dataclass(slots=True)
class Waiting:
    """A saved game: its match once it is known, and what is told of it, or why it is not; `is_sought` once sought."""

    seat: SavedSeat
    match: lobby_pb2.Match | None = None
    problem: str = ""
    is_sought: bool = False
    fields: Sequence[lobby_pb2.MatchField] = ()

    @property
    def target(self) -> str:
        """Its click target."""
        return f"go {self.seat.match_id} {self.seat.seat}"

    def title(self) -> str:
        """Its title in the menu."""
        match = self.match
        if match is None:
            return _("Continue: not now, see below") if self.problem else _("Continue: looking …")
        facts = [words.status(match)]
        if match.status == lobby_pb2.MATCH_STATUS_OPEN:
            facts = [_("waiting for players"), *facts]
        elif match.vp:
            facts.append(_("{n} VP").format(n=match.vp[self.seat.seat - 1]))
        begun = [time.strftime("%Y-%m-%d", time.localtime(match.create_time))] if match.create_time else []
        facts = [*begun, *facts, words.opponents(match, self.seat.seats)]
        return _("Continue: {facts}").format(facts=", ".join(filter(None, facts)))


ENTRIES: Final = {
    "quick": (
        N_("Quick game"),
        N_("A new game at once, against three computer players of the level that you choose."),
    ),
    "tutorial": (N_("Tutorial"), N_("A short prepared game, about ten minutes, that shows everything you need.")),
    "others": (N_("Play with others"), N_("In turn at this terminal, or each at a terminal of their own.")),
    "watch": (N_("Watch"), N_("Look on at a match that others play.")),
    "replay": (N_("Replays"), N_("See a game again that was played, step by step.")),
    "settings": (N_("Settings"), N_("Your name, and how the table looks and behaves.")),
    "leave": (N_("Leave"), N_("Games that are not over wait for you.")),
}
"""Title and explanation of each entry, in their order below the saved games."""

OTHERS_AWAY: Final = N_("With people elsewhere, each at a terminal of their own.")
"""Explanation of "Play with others" where people cannot take turns at one terminal, as over SSH."""

MORE: Final = "more"
"""Target that shows the games that are not shown."""

LATEST: Final = 5
"""Saved games that are shown, so that everything has room in the smallest window, until all are wanted."""

AT_HOME: Final = ("quick", "replay", "settings")
"""Entries that play or read games of this machine."""


def menu(waiting: Sequence[Waiting], chosen: str, *, is_at_home: bool, is_first: bool = False, more: int = 0) -> Menu:
    """Menu of saved games and entries: games on this machine only `is_at_home`, the tutorial on top if `is_first`.

    `more` games are not shown.
    """
    entries = {target: texts for target, texts in ENTRIES.items() if is_at_home or target not in AT_HOME}
    if not is_at_home:
        entries["others"] = (ENTRIES["others"][0], OTHERS_AWAY)
    if is_first:
        entries = {"tutorial": entries["tutorial"]} | entries
    choices = [MenuItem(game.target, [game.title()], "class:hint") for game in waiting]
    if more:
        choices.append(MenuItem(MORE, [plural("{n} more …", "{n} more …", more)], "class:hint"))
    choices += [MenuItem(target, [_(title)]) for target, (title, _about) in entries.items()]
    detail: list[Line] = [[("", _(entries[chosen][1]))]] if chosen in entries else []
    if game := next((game for game in waiting if game.target == chosen), None):
        where = _("this machine") if is_here(game.seat.where) else game.seat.where
        detail = [[("", _("At {where}.").format(where=where))]]
        if game.problem:
            detail.insert(0, [("class:error", game.problem)])
        if game.match is not None:
            detail += words.details(game.match, game.fields, game.seat.seats)
    above: list[Line] = [[("class:faint", _("The rise and fall of civilizations in Europe."))]]
    if is_first:
        above.append([("class:hint", _("Is this your first game? Begin with the tutorial: press Enter."))])
    return Menu(
        "VINCI", choices, chosen, above=above, detail=detail, keys=[("enter", _("choose")), ("escape", _("leave"))]
    )


class GoOn(NamedTuple):
    """Continue a saved game."""

    visit: Visit
    seated: Seated


class MenuPage(TitlePage):
    """Page of the menu; its result is GoOn, or the name of another entry."""

    def __init__(
        self, app: App, backdrop: Backdrop, seats: Sequence[SavedSeat], visits: Visits, chosen: str, *, is_at_home: bool
    ) -> None:
        super().__init__(app, backdrop, chosen)
        self.waiting: list[Waiting] = [Waiting(seat) for seat in seats]
        self._visits: Final = visits
        self._is_at_home: Final = is_at_home
        self._is_unfolded: Final = asyncio.Event()
        self._is_first: Final = is_at_home and saved_seats.is_new_here()

    def menu(self) -> Menu:
        """The menu."""
        shown = self._shown()
        more = len(self.waiting) - len(shown)
        return menu(shown, self.chosen, is_at_home=self._is_at_home, is_first=self._is_first, more=more)

    def _shown(self) -> Sequence[Waiting]:
        """The saved games that are shown: the latest ones, and no line for a single one more."""
        is_whole = self._is_unfolded.is_set() or len(self.waiting) == LATEST + 1
        return self.waiting if is_whole else self.waiting[:LATEST]

    async def background(self) -> None:
        """Load the board, and look up the matches of the saved games."""
        await asyncio.gather(super().background(), self._look_up())

    async def _look_up(self) -> None:
        """Look up the games that are shown, also those in place of dropped ones: each starts a server of its own."""
        while True:
            while due := [game for game in self._shown() if not game.is_sought]:
                await asyncio.gather(*map(self._look, due))
            await self._is_unfolded.wait()
            if all(game.is_sought for game in self.waiting):
                return

    async def _look(self, game: Waiting) -> None:
        game.is_sought = True  # at once: the list is gone through again while servers start
        if game.seat.where == shared():
            game.problem = _("your table for this network opens again")
            return
        try:
            visit = await self._visits.come(game.seat.where, game.seat.access)
            game.fields = visit.info.match_fields
            game.match = await visit.session.get(game.seat.match_id)
        except ServerRefused as error:
            if error.reason == "UNKNOWN_MATCH":
                self._drop(game)
            game.problem = full_sentence(error)
        except EXPECTED as error:
            game.problem = full_sentence(error)
        else:
            if game.match.status > lobby_pb2.MATCH_STATUS_RUNNING:
                self._drop(game)
        self.app.redraw()

    def _drop(self, game: Waiting) -> None:
        """Forget a game that is over or unknown."""
        saved_seats.forget(game.seat)
        self.waiting.remove(game)

    def act(self, target: str) -> None:
        """Open the entry."""
        if game := next((game for game in self.waiting if game.target == target), None):
            self.start(_("Going back to the game …"), self._go_on(game.seat))
        elif target == MORE:
            self._is_unfolded.set()
        else:
            self.app.leave(target)

    async def _go_on(self, seat: SavedSeat) -> None:
        visit = await self._visits.come(seat.where, seat.access)
        match = await visit.session.get(seat.match_id)
        if is_played(match, seat.seats):
            self.say(_("Your seat there is played in another terminal."), is_error=True)
        else:
            self.app.leave(GoOn(visit, Seated(match, seat)))
