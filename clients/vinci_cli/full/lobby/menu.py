"""The title screen: saved games to continue, and all else that there is."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, final

from vinci.v1 import lobby_pb2
from vinci_client.errors import ServerRefused

from ...connection import saved_seats
from ...connection.saved_seats import SavedSeat
from ...connection.seating import is_played
from ...text.i18n import N_, _
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
    """A saved game: its match once it is known, or why it is not."""

    seat: SavedSeat
    match: lobby_pb2.Match | None = None
    problem: str = ""

    @property
    def target(self) -> str:
        """Its click target."""
        return f"go {self.seat.match_id} {self.seat.seat}"

    def title(self) -> str:
        """Its title in the menu."""
        match = self.match
        if match is None:
            return _("Continue: {problem}").format(problem=self.problem or _("looking …"))
        if match.status == lobby_pb2.MATCH_STATUS_OPEN:
            return _("Continue: waiting for players, {seats}").format(seats=words.status(match))
        if not match.vp:
            return _("Continue: {round}").format(round=words.status(match))
        vp = match.vp[self.seat.seat - 1]
        return _("Continue: {round}, you have {vp} VP").format(round=words.status(match), vp=vp)


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

AT_HOME: Final = ("quick", "replay", "settings")
"""Entries that play or read games of this machine."""


def menu(waiting: Sequence[Waiting], chosen: str, *, is_at_home: bool, is_first: bool = False) -> Menu:
    """Menu of saved games and entries: games on this machine only `is_at_home`, the tutorial on top if `is_first`."""
    entries = {target: texts for target, texts in ENTRIES.items() if is_at_home or target not in AT_HOME}
    if not is_at_home:
        entries["others"] = (ENTRIES["others"][0], OTHERS_AWAY)
    if is_first:
        entries = {"tutorial": entries["tutorial"]} | entries
    choices = [MenuItem(game.target, [game.title()], "class:hint") for game in waiting]
    choices += [MenuItem(target, [_(title)]) for target, (title, _about) in entries.items()]
    detail: list[Line] = [[("", _(entries[chosen][1]))]] if chosen in entries else []
    if game := next((game for game in waiting if game.target == chosen), None):
        where = _("this machine") if is_here(game.seat.where) else game.seat.where
        detail = [[("", _("At {where}.").format(where=where))]]
        if game.match is not None:
            detail += words.details(game.match, game.seat.seats)
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
        self._is_first: Final = is_at_home and saved_seats.is_new_here()

    def menu(self) -> Menu:
        """The menu."""
        return menu(self.waiting, self.chosen, is_at_home=self._is_at_home, is_first=self._is_first)

    async def background(self) -> None:
        """Load the board, and look up the matches of the saved games."""
        await asyncio.gather(super().background(), *(self._look(game) for game in self.waiting))

    async def _look(self, game: Waiting) -> None:
        if game.seat.where == shared():
            game.problem = _("your table for this network opens again")
            return
        try:
            visit = await self._visits.come(game.seat.where, game.seat.access)
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
        else:
            self.app.leave(target)

    async def _go_on(self, seat: SavedSeat) -> None:
        visit = await self._visits.come(seat.where, seat.access)
        match = await visit.session.get(seat.match_id)
        if is_played(match, seat.seats):
            self.say(_("Your seat there is played in another terminal."), is_error=True)
        else:
            self.app.leave(GoOn(visit, Seated(match, seat)))
