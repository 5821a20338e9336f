"""The waiting room of a match: its seats, and the command with which others join."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.errors import ServerRefused

from ...connection import saved_seats
from ...connection.seating import open_seats
from ...game.stream import MatchStream
from ...text import refusals
from ...text.i18n import _
from ...text.tables import Line
from ..toolkit.app import App
from ..toolkit.menu import Menu, MenuItem
from . import words
from .form import setups
from .lobby import ToSpectating, ToTable
from .page import LobbyPage
from .server_session import Visit


@final
@dataclass(slots=True)
class WaitingRoom:
    """State of the page: the match, own seats with their tokens, and the command with which others join.

    `fields` describe what is told of the match.
    """

    match: lobby_pb2.Match
    seats: dict[int, str]
    is_host: bool
    invitation: str = ""
    is_connected: bool = True
    fields: Sequence[lobby_pb2.MatchField] = ()


def waiting_room(room: WaitingRoom, chosen: str) -> Menu:
    """Menu of the seats."""
    match = room.match
    missing = open_seats(match)
    choices = []
    for seat in match.seats:
        state, style = words.readiness(seat)
        mine = _("(you)") if seat.seat in room.seats else ""
        can_change = room.is_host and not _is_joined(seat)
        who = "" if seat.kind == lobby_pb2.SEAT_KIND_BOT and not seat.taken else words.player_text(seat)
        texts = [str(seat.seat), who, mine, state, words.kind(seat)]
        choices.append(MenuItem(f"seat {seat.seat}", texts, style, turns=can_change))
    if not room.is_connected:
        above = _("The connection is lost; it is tried again. What is shown may be old.")
    elif missing:
        above = _("Waiting for players: {open}.").format(open=words.status(match))
    elif match.nonces_due:
        above = _("The game starts when everybody is connected.")
        if room.is_host:
            above += " " + _("Press s to empty the seats of those who stay away.")
    else:
        above = _("Everybody is here. Press s to start.") if room.is_host else _("Everybody is here; the host starts.")
    lines: list[Line] = [[("class:hint" if room.is_connected else "class:error", above)]]
    if room.invitation:
        others = _("Others find it by {command} on this network, or type:").format(command="vinci join")
        lines += [[("", others)], [("class:title", room.invitation)]]
    detail: list[Line] = []
    if chosen.startswith("seat ") and room.is_host:
        seat = match.seats[int(chosen.split()[1]) - 1]
        if not _is_joined(seat):
            change = _("Nobody has taken seat {seat}: left and right change who is to sit there.")
            detail.append([("class:hint", change.format(seat=seat.seat))])
    detail += words.details(match, room.fields, room.seats)[len(match.seats) :]  # the seats are the choices above
    start = [("s", _("start"))] if room.is_host else []
    leave = [("l", _("get up"))] if room.seats else []
    return Menu(
        _("waiting room"),
        choices,
        chosen,
        above=lines,
        heads=["", _("who"), "", _("state"), _("seat for")],
        about=_("The match"),
        detail=detail,
        keys=[*start, *leave, ("escape", _("back, the seat is kept") if room.seats else _("back"))],
    )


def _is_joined(seat: lobby_pb2.MatchSeat) -> bool:
    """Whether a person or bot has taken a seat; a dummy never counts as joined."""
    return seat.taken and seat.kind != lobby_pb2.SEAT_KIND_DUMMY


class RoomPage(LobbyPage):
    """Page of the waiting room; its result is ToTable or ToSpectating after the start, Leave, or None to go back."""

    def __init__(self, app: App, visit: Visit, match: lobby_pb2.Match, seat: saved_seats.SavedSeat | None) -> None:
        super().__init__(app)
        self.visit: Final = visit
        self._seat: Final = seat
        self._host: Final = visit.hosts.get(match.match_id, "")
        self.room: Final = WaitingRoom(
            match, dict(seat.seats) if seat else {}, bool(self._host), visit.invitation, fields=visit.info.match_fields
        )

    def menu(self) -> Menu:
        """The seats."""
        return waiting_room(self.room, self.chosen)

    async def background(self) -> None:
        """Follow the match with all own seats."""
        try:
            await MatchStream(self.visit.session, self.room.match.match_id, self.room.seats, self).attend()
        except ServerRefused as error:
            self.failed(error)

    # Calls of MatchStream.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Something happened."""
        if response.HasField("match"):
            self._follow(response.match)

    def lose(self, seat: int) -> None:
        """Tell that a seat is lost."""
        self.say(_("Seat {seat} is no longer yours.").format(seat=seat), is_error=True)

    def tell_connection(self, connected: bool) -> None:
        """The connection was lost, or is back."""
        self.room.is_connected = connected
        self.app.redraw()

    def _follow(self, match: lobby_pb2.Match) -> None:
        self.room.match = match
        self.app.redraw()
        if match.status == lobby_pb2.MATCH_STATUS_OPEN:
            return
        if match.status == lobby_pb2.MATCH_STATUS_ENDED:
            self.say(_("The match was ended: {why}.").format(why=refusals.phrase(match.ended)), is_error=True)
            return
        self.app.bell()
        if self._seat is not None and self.room.seats:
            saved = saved_seats.find(match.match_id, self.room.seats.values())  # nonces may have been added
            seat = saved or self._seat
            self.app.leave(ToTable(self.visit.session, seat, self.room.invitation))
        else:
            self.app.leave(ToSpectating(self.visit.session, match))

    # What is pressed.

    def turn(self, target: str, step: int) -> None:
        """Change the kind of player of an open seat (host only)."""
        seat = self.room.match.seats[int(target.split()[1]) - 1]
        if not self.room.is_host or _is_joined(seat):
            return
        kinds, now = setups(), lobby_pb2.SeatSetup(kind=seat.kind, bot=seat.bot)
        place = kinds.index(now) + step if now in kinds else 0
        self.start(_("Changing seat {seat} …").format(seat=seat.seat), self._set(seat.seat, kinds[place % len(kinds)]))

    def act(self, target: str) -> None:
        """Turn the seat to its next kind."""
        self.turn(target, 1)

    def key(self, key: str) -> None:
        """Start on `s`, give the seats up on `l`."""
        if key == "s" and self.room.is_host:
            self.start(_("Starting …"), self._start())
        elif key == "l" and self.room.seats:
            self.start(_("Getting up …"), self._get_up())

    async def _set(self, seat: int, setup: lobby_pb2.SeatSetup) -> None:
        request = lobby_pb2.SetSeatRequest(match_id=self.room.match.match_id, seat=seat, setup=setup)
        self._follow((await self.visit.session.call(self.visit.session.lobby.SetSeat, request, self._host)).match)

    async def _start(self) -> None:
        request = lobby_pb2.StartMatchRequest(match_id=self.room.match.match_id)
        self._follow((await self.visit.session.call(self.visit.session.lobby.StartMatch, request, self._host)).match)

    async def _get_up(self) -> None:
        request = lobby_pb2.LeaveMatchRequest(match_id=self.room.match.match_id)
        for token in list(self.room.seats.values()):
            await self.visit.session.call(self.visit.session.lobby.LeaveMatch, request, token)
        if self._seat is not None:
            saved_seats.forget(self._seat)
        self.app.leave()
