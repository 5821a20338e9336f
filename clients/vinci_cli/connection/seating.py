"""Seats at a match for the people at this terminal and for the bots that it brings."""

import asyncio
import getpass
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import Final

from vinci.v1 import lobby_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from .. import settings
from ..text.i18n import _, plural
from ..text.names import listed
from . import nonces
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
    """Take a seat in a match for each name."""
    given = [(name, nonces.new()) for name in names]
    joined = [(await session.join(match_id, name, wanted, nonces.hash_of(nonce)), nonce) for name, nonce in given]
    return nonces.seated(session.address, joined)


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
