"""The matches of a server: open ones first, then running ones, then those that are over."""

import asyncio
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, final

from vinci.v1 import lobby_pb2
from vinci_client.access import OPEN
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import OVER

from ...connection import saved_seats
from ...connection.seating import is_played, open_seats, seat_people
from ...text.i18n import N_, _, plural
from ...text.refusals import full_sentence
from ..toolkit.app import TITLE, App
from ..toolkit.menu import Menu, MenuItem
from . import words
from .lobby import ToSpectating
from .page import LobbyPage
from .server_session import OPEN_FIRST, Visit, is_here

REFRESH_SECONDS: Final = 2.0
LONGEST_SEATS: Final = 48

MAKE: Final = "make"
"""Result of the page that leads to a new match."""

FILTERS: Final[dict[str, tuple[str, tuple[lobby_pb2.MatchStatus.ValueType, ...]]]] = {
    "all": (N_("all matches"), OPEN_FIRST),
    "open": (N_("open ones"), (lobby_pb2.MATCH_STATUS_OPEN,)),
    "running": (N_("running ones"), (lobby_pb2.MATCH_STATUS_RUNNING,)),
    "over": (N_("finished ones"), OVER),
}
"""Label and statuses of each filter."""


@final
@dataclass(slots=True)
class Listed:
    """State of the list of matches.

    `matches` is None before the first answer, `now` the time of the answer in seconds since 1970; `problem` says why
    there is no newer one. `own` are the seats of this terminal and of the person by match, `turns` the matches in
    which it is the person's move, `info` is what the server says of itself.
    """

    server: str
    names: list[str]
    only: str = "all"
    matches: Sequence[lobby_pb2.Match] | None = None
    now: float = 0.0
    problem: str = ""
    own: dict[str, Collection[int]] = field(default_factory=dict)
    turns: Collection[str] = ()
    info: lobby_pb2.GetServerInfoResponse = field(default_factory=lobby_pb2.GetServerInfoResponse)


class Seated(NamedTuple):
    """A match with own seats, None for a spectator."""

    match: lobby_pb2.Match
    seat: saved_seats.SavedSeat | None


def matches(listed: Listed, chosen: str) -> Menu:
    """Menu of the matches."""
    known = listed.matches or ()
    choices = []
    for match in known:
        texts = [
            words.status(match) + _of_whom(match, listed),
            words.seats(match)[:LONGEST_SEATS],
            words.clock(match.timing),
            words.rules_in_short(match, listed.info.default_board),
            words.age(listed.now - match.create_time),
        ]
        is_faint = listed.problem or match.status > lobby_pb2.MATCH_STATUS_RUNNING
        choices.append(MenuItem(match.match_id, texts, "class:faint" if is_faint else ""))
    shown = next((match for match in known if match.match_id == chosen), None)
    players = ", ".join(name or _("nameless") for name in listed.names)
    above = _("You are {who}. Shown: {filter}.").format(who=players, filter=_(FILTERS[listed.only][0]))
    return Menu(
        _("matches of {server}").format(server=listed.server),
        choices,
        chosen,
        above=[[("class:hint", above)], *([[("class:error", f"! {listed.problem}")]] if listed.problem else [])],
        heads=[_("state"), _("seats"), _("clock"), _("rules"), _("age")],
        empty=_("Looking …") if listed.matches is None else _("There is none. Press n to make one."),
        about=_("About it") if shown else "",
        detail=words.details(shown, listed.info.match_fields, listed.own.get(shown.match_id, ())) if shown else (),
        keys=[
            ("enter", _does(shown, listed) if shown else _("choose")),
            *([("j", _("sit down too"))] if shown and shown.match_id in listed.own and open_seats(shown) else []),
            *([("w", _("look on"))] if shown and shown.status < lobby_pb2.MATCH_STATUS_OVER else []),
            ("n", _("new match")),
            ("f", _("show others")),
            ("p", _("your name")),
            ("escape", _("back")),
        ],
    )


def _of_whom(match: lobby_pb2.Match, listed: Listed) -> str:
    """Words about the person here for the state of a match; empty for a match of others."""
    if match.match_id in listed.turns:
        return _(", your move")
    return _(", yours") if match.match_id in listed.own else ""


def _title(turns: int) -> str:
    """Title of the window, with the number of matches in which it is the person's move."""
    return (
        plural("{title}: your move in {n} match", "{title}: your move in {n} matches", turns, title=TITLE)
        if turns
        else TITLE
    )


def _does(match: lobby_pb2.Match, listed: Listed) -> str:
    """Label of Enter for a match."""
    if match.status > lobby_pb2.MATCH_STATUS_RUNNING:
        return _("see it again")
    if match.match_id in listed.own:
        return _("go on")
    return _("join") if open_seats(match) else _("look on")


class MatchesPage(LobbyPage):
    """Page of the matches; its result is Seated, ToSpectating, MAKE, Leave, or None to go back."""

    def __init__(self, app: App, visit: Visit, listed: Listed) -> None:
        super().__init__(app)
        self.visit: Final = visit
        self.listed: Final = listed
        self._asked: Final = asyncio.Event()

    def menu(self) -> Menu:
        """The matches."""
        return matches(self.listed, self.chosen)

    async def background(self) -> None:
        """Refresh the list periodically."""
        while True:
            self._asked.clear()  # before the call: another filter may be asked for during it
            only = self.listed.only
            try:
                matches = await self.visit.matches(FILTERS[only][1])
            except (ServerGone, ServerRefused) as error:
                text = _("{problem} What is shown may be old; it is tried again.")
                self.listed.problem = text.format(problem=full_sentence(error))
            else:
                if only == self.listed.only:  # else this answers an earlier filter
                    self.listed.matches, self.listed.problem = matches, ""
            self.listed.now = time.time()
            self.listed.own = {match_id: (entry.seat,) for match_id, entry in self.visit.own.items()}
            self.listed.own.update({seat.match_id: tuple(seat.seats) for seat in saved_seats.at(self.visit.where)})
            self.listed.turns = frozenset(match_id for match_id, entry in self.visit.own.items() if entry.your_turn)
            self.app.title(_title(len(self.listed.turns)))
            self.app.redraw()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), REFRESH_SECONDS)

    async def shown(self) -> Any:
        """Show the page and return its result."""
        try:
            return await super().shown()
        finally:
            self.app.title(TITLE)

    def act(self, target: str) -> None:
        """Join, continue, watch or replay the chosen match."""
        match = self._match()
        if match is None:
            return
        if match.status == lobby_pb2.MATCH_STATUS_ENDED and not match.vp:
            self.say(_("This match was ended before it began: nothing was played."), is_error=True)
        elif match.status > lobby_pb2.MATCH_STATUS_RUNNING:
            self.app.leave(ToSpectating(self.visit.session, match))
        elif seat := self.visit.own_seats(match.match_id):
            self.start(_("Going back to the game …"), self._go_on(seat))
        elif match.match_id in self.visit.own:
            self.start(_("Going back to the game …"), self._resume(match))
        elif open_seats(match):
            self.key("j")
        else:
            self._look_on(match)

    def key(self, key: str) -> None:
        """Take another seat, watch, create a match, change the filter or the name."""
        match key:
            case "j" if (shown := self._match()) is not None:
                self.start(_("Sitting down …"), self._join(shown))
            case "w" if (shown := self._match()) is not None and shown.status < lobby_pb2.MATCH_STATUS_OVER:
                self._look_on(shown)
            case "n":
                self.app.leave(MAKE)
            case "f" | "tab":
                names = list(FILTERS)
                self.listed.only = names[(names.index(self.listed.only) + 1) % len(names)]
                self.listed.matches = None
                self._asked.set()
            case "p":
                prompt = _("Your name, or several with commas: ")
                self.ask(prompt, self._named, ", ".join(self.listed.names))

    def _look_on(self, match: lobby_pb2.Match) -> None:
        is_open = match.status == lobby_pb2.MATCH_STATUS_OPEN
        self.app.leave(Seated(match, None) if is_open else ToSpectating(self.visit.session, match))

    def _match(self) -> lobby_pb2.Match | None:
        return next((match for match in self.listed.matches or () if match.match_id == self.chosen), None)

    def _named(self, text: str) -> None:
        names = [name.strip() for name in text.split(",") if name.strip()]
        if names:
            self.listed.names[:] = names

    async def _go_on(self, seat: saved_seats.SavedSeat) -> None:
        match = await self.visit.session.get(seat.match_id)
        if is_played(match, seat.seats):
            self.say(_("Your seat there is played in another terminal."), is_error=True)
        else:
            self.app.leave(Seated(match, seat))

    async def _resume(self, match: lobby_pb2.Match) -> None:
        """Go on with a seat that the person has taken on another device."""
        self.app.leave(Seated(match, await sit_down(self.visit, match.match_id, [self.visit.person])))

    async def _join(self, match: lobby_pb2.Match) -> None:
        if open_seats(match) < len(self.listed.names):
            text = _("This match has fewer open seats than there are names here: {names}. Press p to change them.")
            self.say(text.format(names=", ".join(self.listed.names)), is_error=True)
            return
        seat = await sit_down(self.visit, match.match_id, self.listed.names)
        self.app.leave(Seated(match, seat))


async def sit_down(
    visit: Visit, match_id: str, names: Sequence[str], bots: tuple[tuple[str, str], ...] = ()
) -> saved_seats.SavedSeat:
    """Take a seat for each name and save the seats, with the bots that this terminal starts."""
    seat = await seat_people(visit.session, match_id, names)
    access = OPEN if is_here(visit.where) else visit.session.access
    seat = replace(seat, where=visit.where, access=access, bots=bots)
    saved_seats.save(seat)
    return seat
