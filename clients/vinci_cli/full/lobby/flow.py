"""The pages of the lobby in their order, until a match is to be played or watched, or the lobby is left.

async with lobby(app, ToMenu(), names, here=database) as result:
    match result:
        case ToTable(session, seat, invitation): ...
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from vinci.v1 import lobby_pb2
from vinci_client.access import OPEN, Access

from ...connection import connect, nearby, saved_seats
from ...connection.match_request import match_request
from ...connection.seating import own_name, seat_bots
from ...exceptions import Failed
from ...text.i18n import _
from ..toolkit.app import App
from .create import MakingPage
from .form import Form
from .lobby import Entry, Leave, Result, ToMatches, ToMenu, ToServers, ToSpectating, ToTable, ToTutorial
from .matches import FILTERS, MAKE, Listed, MatchesPage, Seated, sit_down
from .menu import GoOn, MenuPage
from .quick import MORE, OthersPage, QuickPage
from .records import RecordsPage, recorded
from .server_session import Visit, Visits, is_here, records, shared
from .servers import Find, KnownServers, ServersPage
from .settings_page import SettingsPage
from .title import Backdrop, LoadScene
from .waiting_room import RoomPage

ALONE: Final = ("human", "dummy", "dummy", "dummy")
SHARED_TABLE: Final = ("human", "human", "dummy", "dummy")
"""Seats of a new table before they are changed."""


@asynccontextmanager
async def lobby(
    app: App,
    entry: Entry,
    names: Sequence[str],
    here: Path | None = None,
    search: Find = nearby.find,
    scene: LoadScene | None = None,
) -> AsyncIterator[Result]:
    """Show the pages of the lobby; yields the result.

    `names` are those of the people at this terminal. `here` is the database for games on this machine; without one,
    none are offered. `scene` loads the position behind the title screen. A session that is in the result, and a server
    of this machine behind it, end with the block. The caller starts the bots of a seat (`ToTable.seat.bots`).
    """
    visits = Visits()
    try:
        known = KnownServers(typed=_known_addresses())
        flow = _Flow(app, visits, list(names), str(here.resolve()) if here else "", search, known, Backdrop(scene))
        result = await flow.run(entry)
        await visits.close(result.session if isinstance(result, ToTable | ToSpectating) else None)
        yield result
    finally:
        await visits.close()


@final
@dataclass(slots=True)
class _Flow:
    """The pages of the lobby and the ways between them. Each method returns a result, or None to go back."""

    _app: App
    _visits: Visits
    _names: list[str]
    _here: str
    _search: Find
    _known: KnownServers
    _backdrop: Backdrop
    _access: Access = OPEN

    async def run(self, entry: Entry) -> Result:
        """Show pages until there is a result."""
        if isinstance(entry, ToMenu):
            return await self._menu()
        if isinstance(entry, ToMatches) and entry.invitation:
            visit = await self._visits.come(entry.address, entry.access, entry.invitation)
            return await self._matches(visit, "all") or Leave()
        first = entry if isinstance(entry, ToMatches) else None
        self._access = OPEN if first else entry.access
        if isinstance(entry, ToServers) and entry.only == "running":
            return await self._servers(_("watch"), only=entry.only, goes_in=entry.goes_in) or Leave()
        return await self._servers(_("play on this network"), first=first) or Leave()

    async def _menu(self) -> Result:
        chosen = ""
        while True:
            waiting = [seat for seat in reversed(saved_seats.load()) if self._here or not is_here(seat.where)]
            page = MenuPage(self._app, self._backdrop, waiting, self._visits, chosen, is_at_home=bool(self._here))
            answer = await page.shown()
            chosen = page.chosen
            result: Result | None = None
            match answer:
                case GoOn(visit, seated):
                    result = await self._seated(visit, seated)
                case "quick":
                    result = await self._quick()
                case "others":
                    result = await self._others()
                case "watch":
                    result = await self._servers(_("watch"), only="running")
                case "replay":
                    result = await RecordsPage(self._app, recorded(records())).shown()
                case "settings":
                    result = await SettingsPage(self._app, self._backdrop).shown()
                case "tutorial":
                    return ToTutorial()
                case _:
                    return Leave()
            if result is not None:
                return result

    async def _quick(self) -> Result | None:
        answer = await QuickPage(self._app, self._backdrop, self._names, self._made_here).shown()
        return await self._chosen(answer)

    async def _others(self) -> Result | None:
        chosen = ""
        while True:
            page = OthersPage(
                self._app, self._backdrop, self._names, self._made_here, chosen, is_at_home=bool(self._here)
            )
            answer = await page.shown()
            chosen = page.chosen
            match answer:
                case None:
                    return None
                case "network":
                    result = await self._servers(_("play on this network"))
                case "table":
                    result = await self._servers(_("where is the table to be?"), is_for_table=True)
                case _:
                    result = await self._chosen(answer)
            if result is not None:
                return result

    async def _chosen(self, answer: object) -> Result | None:
        """Go on from a page that makes games on this machine."""
        if answer == MORE:
            return await self._make(await self._visits.come(self._here), list(ALONE))
        if isinstance(answer, Seated):
            return await self._seated(await self._visits.come(self._here), answer)
        return answer if isinstance(answer, Leave) else None

    async def _made_here(self, seats: Sequence[str], names: Sequence[str]) -> Seated:
        """Make a match on this machine for people with these names."""
        request = match_request(",".join(seats))
        return await self._made(await self._visits.come(self._here), request, names)

    async def _servers(
        self,
        title: str,
        only: str = "all",
        *,
        is_for_table: bool = False,
        first: ToMatches | None = None,
        goes_in: bool = False,
    ) -> Result | None:
        self._known.places = self._places() if is_for_table else {}
        page = ServersPage(self._app, title, self._known, self._search, self._visits, self._access)
        page.goes_to_running = goes_in
        if first is not None:
            page.first = (first.address, connect.remembered(first.address, first.access))
        while True:
            visit = await page.shown()
            if not isinstance(visit, Visit):
                return visit if isinstance(visit, Leave) else None
            result = await (self._make(visit, list(SHARED_TABLE)) if is_for_table else self._matches(visit, only))
            if result is not None:
                return result

    def _places(self) -> dict[str, tuple[str, str]]:
        if not self._here:
            return {}
        return {
            shared(): (
                _("This machine, for everybody on the network"),
                _(
                    "Others find the table on the network and need its code, which you will see. "
                    "The server runs as long as you are here; the game waits when it is not."
                ),
            ),
            self._here: (_("This terminal"), _("Everybody sits here and plays in turn.")),
        }

    async def _matches(self, visit: Visit, only: str) -> Result | None:
        if only == "running":
            running = await visit.matches(FILTERS[only][1])
            if len(running) == 1 and visit.own_seats(running[0].match_id) is None:
                return ToSpectating(visit.session, running[0])
        if visit.person and self._names == [own_name()]:
            self._names[:] = [visit.person]
        listed = Listed(self._name(visit), self._names, only, info=visit.info)
        while True:
            answer = await MatchesPage(self._app, visit, listed).shown()
            if answer is None or isinstance(answer, Leave | ToSpectating):
                return answer
            if answer == MAKE:
                result = await self._make(visit, list(SHARED_TABLE))
            else:
                result = await self._seated(visit, answer)
            if result is not None:
                return result

    def _name(self, visit: Visit) -> str:
        names = [server.name for server in self._known.found or () if server.address == visit.where]
        addresses = [*visit.invitation.split()[2:3], visit.session.address]
        return [*names, *addresses][0]

    async def _make(self, visit: Visit, seats: list[str]) -> Result | None:
        form = Form(visit.info, seats, {"names": ", ".join(self._names)}, visit.is_private)
        where = _("on this machine") if is_here(visit.where) else _("at {server}").format(server=self._name(visit))

        async def make(request: lobby_pb2.CreateMatchRequest) -> Seated:
            self._names[:] = [name.strip() for name in form.value("names").split(",")]
            return await self._made(visit, request, self._names)

        answer = await MakingPage(self._app, form, where, make).shown()
        if isinstance(answer, Seated):
            return await self._seated(visit, answer)
        return answer if isinstance(answer, Leave) else None

    async def _made(self, visit: Visit, request: lobby_pb2.CreateMatchRequest, own_names: Sequence[str]) -> Seated:
        """Create the match and take seats: all seats of people on this machine, elsewhere one for each name."""
        if is_here(visit.where) and all(seat.kind != lobby_pb2.SEAT_KIND_HUMAN for seat in request.seats):
            raise Failed(_("Nobody would play at this terminal: make one of the seats a person's."))
        session = visit.session
        created = await session.create(request)
        match_id = created.match.match_id
        visit.hosts[match_id] = created.host_token  # before seats are taken, which may fail: the match is there
        people = [seat.kind for seat in created.match.seats].count(lobby_pb2.SEAT_KIND_HUMAN)
        names = [*own_names, *([""] * people if visit.is_private else [])][:people]
        bots = await seat_bots(session, created.match) if is_here(visit.where) else ()
        seat = await sit_down(visit, match_id, names, bots) if names else None
        return Seated(await session.get(match_id), seat)

    async def _seated(self, visit: Visit, seated: Seated) -> Result | None:
        """Wait until the match starts, then play it or watch it."""
        if seated.match.status == lobby_pb2.MATCH_STATUS_OPEN:
            result: Result | None = await RoomPage(self._app, visit, seated.match, seated.seat).shown()
            return result
        if seated.seat is None:
            return ToSpectating(visit.session, seated.match)
        return ToTable(visit.session, seated.seat, visit.invitation)


def _known_addresses() -> list[str]:
    """Addresses of the servers at which this machine has seats."""
    return list(dict.fromkeys(seat.where for seat in reversed(saved_seats.load()) if not is_here(seat.where)))
