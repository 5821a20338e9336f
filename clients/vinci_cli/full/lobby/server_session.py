"""Sessions with servers, and the lists of their matches."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from vinci.v1 import lobby_pb2
from vinci_client import processes
from vinci_client.access import OPEN, Access
from vinci_client.address import with_port
from vinci_client.session import Session
from vinci_words.tutorial import tutorial

from ... import home
from ...connection import connect, local_server, nonces, person_keys, saved_seats
from ...exceptions import Failed
from ...text.i18n import _

ANSWER_SECONDS: Final = 5.0
"""Timeout of a list of matches, which is requested again anyway."""

OPEN_FIRST: Final = (
    lobby_pb2.MATCH_STATUS_OPEN,
    lobby_pb2.MATCH_STATUS_RUNNING,
    lobby_pb2.MATCH_STATUS_OVER,
    lobby_pb2.MATCH_STATUS_ENDED,
)


@final
@dataclass(frozen=True, slots=True)
class Visit:
    """A session with a server.

    `where` identifies the server for saved seats: its address, or the database of a server of this machine.
    `invitation` is the command with which others join, empty if they cannot. `hosts` are the host tokens of the matches
    that were created here, by id. `person` is the name of the person at the server, empty for none, and `own` what it
    has to do with matches, by id.
    """

    session: Session
    info: lobby_pb2.GetServerInfoResponse
    where: str
    invitation: str
    person: str = ""
    hosts: dict[str, str] = field(default_factory=dict)
    own: dict[str, lobby_pb2.OwnMatch] = field(default_factory=dict)

    @property
    def is_private(self) -> bool:
        """Whether nobody else can join."""
        return not self.invitation

    def own_seats(self, match_id: str) -> saved_seats.SavedSeat | None:
        """The saved seats of this terminal in a match, if there are any."""
        return next((seat for seat in saved_seats.at(self.where) if seat.match_id == match_id), None)

    async def matches(self, statuses: Sequence[lobby_pb2.MatchStatus.ValueType] = OPEN_FIRST) -> list[lobby_pb2.Match]:
        """The matches of the person that are not over, its turn first, then the newest of each status; no tutorials.

        Sends nonces that are due from own seats, so that matches can start.
        """
        lobby = self.session.lobby
        requests = [lobby_pb2.ListMatchesRequest(status=status) for status in statuses]
        answers = await asyncio.gather(
            *(
                self.session.call(lobby.ListMatches, asked, tries=1, seconds=ANSWER_SECONDS, as_person=not place)
                for place, asked in enumerate(requests)
            )
        )
        self.own.clear()
        mine = (entry for entry in answers[0].own if entry.seat and not _is_of_tutorial(entry.match))
        self.own.update({entry.match.match_id: entry for entry in mine})
        own = [entry.match for entry in self.own.values() if entry.match.status in statuses]
        others = (match for answer in answers for match in answer.matches if match.match_id not in self.own)
        matches = [*own, *(match for match in others if not _is_of_tutorial(match))]
        for match in matches:
            if match.nonces_due and (seat := self.own_seats(match.match_id)) is not None:
                await nonces.send_due(self.session, match, seat.seats)
        return matches


def _is_of_tutorial(match: lobby_pb2.Match) -> bool:
    """Whether a match is a tutorial, which goes on only where it was begun, such as on the page of the server."""
    return match.from_position and match.seed == tutorial().seed


@final
class Visits:
    """The open sessions, one for each server and access."""

    def __init__(self) -> None:
        self._coming: Final[dict[tuple[str, Access], asyncio.Task[Visit]]] = {}
        self._stacks: Final[dict[tuple[str, Access], AsyncExitStack]] = {}

    async def come(self, where: str, access: Access = OPEN, invitation: str = "") -> Visit:
        """Connect to a server at an address, or to one that this machine starts with a database.

        The invitation is shown to others; without one, a command with that address. Raises ServerRefused, ServerGone,
        BadAccess, BadAddress or Failed.
        """
        where = where if is_here(where) else with_port(where)
        coming = self._coming.get((where, access))
        if coming is None or (coming.done() and coming.exception() is not None):
            coming = self._coming[where, access] = asyncio.create_task(self._come(where, access, invitation))
        return await asyncio.shield(coming)  # other pages may wait for it, too, or come back to it

    async def _come(self, where: str, access: Access, invitation: str) -> Visit:
        stack = AsyncExitStack()
        try:
            address, opens, shown = where, access, where
            if is_here(where):
                address, opens, shown = await stack.enter_async_context(_started(Path(where)))
            key = "" if is_here(where) else person_keys.at(where)
            session = await stack.enter_async_context(Session(address, opens, key))
            info = await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest(match_fields=True))
        except BaseException:
            await stack.aclose()
            raise
        self._stacks[where, access] = stack
        usual = " ".join(["vinci join", shown, *connect.options(opens)]) if shown else ""
        return Visit(session, info, where, invitation or usual, await person_keys.name_at(session) or "")

    async def close(self, but: Session | None = None) -> None:
        """Close all sessions but this one."""
        for key, coming in list(self._coming.items()):
            coming.cancel()  # nobody waits for it any more
            (result,) = await asyncio.gather(coming, return_exceptions=True)
            if isinstance(result, Visit) and result.session is not but:
                await self._stacks.pop(key).aclose()
                del self._coming[key]


def records() -> Path:
    """Folder of the records."""
    return home.folder() / "records"


def shared() -> str:
    """Database of the matches of this machine that others can join."""
    return str((home.folder() / "server.db").resolve())


def is_here(where: str) -> bool:
    """Whether `where` is a database of this machine rather than an address."""
    return Path(where).is_absolute()


@asynccontextmanager
async def _started(database: Path) -> AsyncIterator[tuple[str, Access, str]]:
    """Run a server of this machine: its address, its access, and its address for others, empty if they cannot join."""
    try:
        if str(database) != shared():
            async with local_server.in_thread(local_server.server(database)) as address:
                yield address, OPEN, ""
        else:
            async with local_server.in_thread(local_server.shared_server(database)) as (address, shown, code):
                yield address, Access(code), shown
    except processes.InUse:
        raise Failed(_("It is open already, perhaps in another window; leave it there first.")) from None
    except processes.NotStarted as error:
        raise Failed(str(error)) from None
