"""Seats at a match for the people at this terminal and for the bots that it brings."""

import asyncio
import getpass
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import Final

from vinci.v1 import lobby_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from .. import settings
from ..text.i18n import _, plural
from ..text.names import listed
from . import nonces, person_keys, saved_seats
from .saved_seats import SavedSeat

ASK_SECONDS: Final = 3.0
"""Seconds between questions whether somebody wants a rematch."""

LONGEST_NAME: Final = 32
"""Most characters of a name that a server takes."""


def login_name() -> str:
    """Return the login name in a form that servers take; empty if it is unknown."""
    try:
        name = getpass.getuser()
    except (ImportError, KeyError, OSError):  # which of them depends on the system and the version of Python
        return ""
    return "".join(filter(str.isprintable, name))[:LONGEST_NAME]


def own_name() -> str:
    """Return the name of the person here: as set, else the login name in a form that servers take."""
    return "".join(filter(str.isprintable, settings.get("name")))[:LONGEST_NAME] or login_name()


async def seat_people(session: Session, match_id: str, names: Sequence[str], wanted: int = 0) -> SavedSeat:
    """Take a seat in a match for each name.

    The first is that of the person at this machine, who gets the seat that it has, unless it has one here already or
    the name is another; all others are guests. A login name that belongs to somebody gets a number.
    """
    person = await person_keys.name_at(session)
    saved = [seat for seat in saved_seats.at(session.address) if seat.match_id == match_id]
    seats = (await session.get(match_id)).seats if person and saved else ()  # a saved seat may be lost since
    has_seat = any(seats[number - 1].player == person for seat in saved for number in seat.seats if seats)
    joined = []
    for place, name in enumerate(names):
        nonce = nonces.new()
        as_person = person is not None and not place and not has_seat and name in ("", person or name)
        try:
            answer = await session.join(match_id, name, wanted, nonces.hash_of(nonce), as_person=as_person)
        except ServerRefused as error:
            if error.facts.get("which") != "BOUND":
                raise
            if as_person and not person and await person_keys.name_at(session) not in ("", name):
                as_person = False  # another terminal here has bound the key to its name meanwhile
            elif name in (login_name(), person):
                name = error.facts["first"]
            else:
                raise  # somebody chose the name
            answer = await session.join(match_id, name, wanted, nonces.hash_of(nonce), as_person=as_person)
        joined.append((answer, nonce))
    return nonces.seated(session.address, joined)


async def resumed(session: Session, known: Collection[str]) -> list[tuple[SavedSeat, lobby_pb2.Match]]:
    """Return the seats of the person in open and running matches but those known, each with its match."""
    if not await person_keys.name_at(session):
        return []
    seats = [seat for seat in await session.resume() if seat.match.match_id not in known]
    return [(nonces.seated(session.address, [(seat, "")]), seat.match) for seat in seats]


async def regained(session: Session, match_id: str) -> SavedSeat:
    """Return the seat of the person in a match, with a new nonce: that of the other device may be lost."""
    nonce = nonces.new()
    return nonces.seated(session.address, [(await session.join(match_id, nonce_hash=nonces.hash_of(nonce)), nonce)])


async def seat_bots(
    session: Session, match: lobby_pb2.Match, scripts: Mapping[str, str] = MappingProxyType({})
) -> tuple[tuple[str, str], ...]:
    """Return names and tokens of the bots of a match; with its token none of them is assigned to another match.

    `scripts` has the paths of bots that are Python files by their names; these take the place of the names.

    The substitute has none: it waits for a seat to play.
    """
    seated = []
    for seat in match.seats:
        if seat.kind == lobby_pb2.SEAT_KIND_BOT:
            joined = await session.join(match.match_id, seat.bot, seat.seat)
            seated.append((scripts.get(seat.bot, seat.bot), joined.seat_token))
    if match.timing.substitute:
        seated.append((match.timing.substitute, ""))
    return tuple(seated)


def open_seats(match: lobby_pb2.Match) -> int:
    """Return how many people can still join a match."""
    return sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN and not seat.taken for seat in match.seats)


def is_played(match: lobby_pb2.Match, seats: Iterable[int]) -> bool:
    """Return whether another terminal plays some of these seats now; this one must not have come back yet."""
    return any(match.seats[number - 1].connected for number in seats)


@asynccontextmanager
async def telling_rematch(session: Session, match_id: str, tell: Callable[[str], None]) -> AsyncIterator[None]:
    """Tell, while this is entered, who has sat down for another game after a match that is over."""
    task = asyncio.create_task(tell_rematch(session, match_id, tell))
    try:
        yield
    finally:
        task.cancel()


async def tell_rematch(session: Session, match_id: str, tell: Callable[[str], None]) -> None:
    """Wait until somebody has sat down for another game after a match that is over, and tell who, once."""
    while True:
        with suppress(ServerGone, ServerRefused):
            over = await session.get(match_id)
            following = (await session.get(over.rematch)).seats if over.rematch else ()
            waiting = [seat.player or _("seat {number}").format(number=seat.seat) for seat in following if _sits(seat)]
            if waiting:
                tell(plural("{who} wants another game.", "{who} want another game.", len(waiting), who=listed(waiting)))
                return
        await asyncio.sleep(ASK_SECONDS)


def _sits(seat: lobby_pb2.MatchSeat) -> bool:
    return seat.kind == lobby_pb2.SEAT_KIND_HUMAN and seat.taken
