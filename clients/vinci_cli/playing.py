"""`vinci play`, `join` and `watch`: from a command to a seat at a table."""

import getpass
import sys
from collections.abc import Coroutine
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.access import OPEN, Access
from vinci_client.discovery import Found
from vinci_client.errors import ServerRefused
from vinci_client.session import Session

from . import entrance, finding, local, saved
from .failed import Failed, Misused
from .line import LineClient, catalogue_of
from .saved import SavedSeat
from .screen import PlainScreen, Screen, TerminalScreen

AUTOMATIC: Final = "greedy"
"""The bot that plays for a person where there is no terminal."""

LONGEST_NAME: Final = 32
"""Characters of a name that a server takes."""


def screen() -> Screen:
    """A terminal if there is one, else plain lines."""
    return TerminalScreen() if sys.stdin.isatty() and sys.stdout.isatty() else PlainScreen()


def login_name() -> str:
    """The name of whoever is logged in, as a server takes it; empty if this machine does not know."""
    try:
        name = getpass.getuser()
    except (ImportError, KeyError, OSError):  # which of them depends on the system and the version of Python
        return ""
    return "".join(filter(str.isprintable, name))[:LONGEST_NAME]


def play(request: lobby_pb2.CreateMatchRequest, database: Path, name: str, *, line: bool, new: bool) -> None:
    """A game on a server of its own: by a person at a terminal or through a pipe, else by bots alone."""
    by_person = line or (sys.stdin.isatty() and sys.stdout.isatty())
    kinds = [seat.kind for seat in request.seats]
    if by_person and kinds and kinds.count(lobby_pb2.SEAT_KIND_HUMAN) != 1:
        raise Misused(
            "`vinci play` seats one person: name human once in --players. For several, each at a screen of their own: "
            "vinci serve --lan --players human,human,dummy,dummy"
        )
    bots = [seat.bot for seat in request.seats if seat.kind == lobby_pb2.SEAT_KIND_BOT]
    if unknown := [name for name in bots if name not in local.BOTS]:
        raise Misused(f"unknown player {', '.join(unknown)}; known: human, dummy, {', '.join(local.BOTS)}")
    with ExitStack() as stack:
        try:
            address = stack.enter_context(local.server(database))
        except local.InUse:
            raise Failed(
                "this game is open already, perhaps in another window; leave it there, or play another: --db other.db"
            ) from None
        except local.NotStarted as error:
            raise Failed(str(error)) from None

        def work(_access: Access) -> Coroutine[Any, Any, None]:
            return _play(address, request, database, name, stack, by_person=by_person, new=new)

        entrance.run(work, OPEN, "vinci play")


async def _play(
    address: str,
    request: lobby_pb2.CreateMatchRequest,
    database: Path,
    name: str,
    stack: ExitStack,
    *,
    by_person: bool,
    new: bool,
) -> None:
    said = database.with_suffix(".bots.log")
    async with Session(address) as session:
        if not by_person:
            for setup in request.seats:
                if setup.kind == lobby_pb2.SEAT_KIND_HUMAN:
                    setup.kind, setup.bot = lobby_pb2.SEAT_KIND_BOT, AUTOMATIC
            match = await _create(session, request, most_people=0)
            stack.enter_context(local.bots(address, await _seat_bots(session, match), said))
            await _look_on(session, match, 0)
            return
        where = str(database.resolve())
        seat = None if new else await _offer_to_go_on(session, saved.latest(where))
        if seat is None:
            match = await _create(session, request, most_people=1)
            seated = await _seat_bots(session, match)
            joined = await session.join(match.match_id, name or login_name())
            seat = SavedSeat(where, match.match_id, joined.seat, joined.seat_token, seated)
            saved.save(seat)
        stack.enter_context(local.bots(address, seat.bots, said))
        await _sit(session, seat, database.parent)


async def _create(session: Session, request: lobby_pb2.CreateMatchRequest, most_people: int) -> lobby_pb2.Match:
    """A match that nobody else has to join. Raises Misused for a position whose seats are left open."""
    match = (await session.create(request)).match
    if sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN for seat in match.seats) > most_people:
        raise Misused("nobody plays some seats of the position; name one for each seat: --players human,greedy,greedy")
    return match


async def _offer_to_go_on(session: Session, seat: SavedSeat | None) -> SavedSeat | None:
    """The seat of a game that was left, if the person wants it."""
    if seat is None:
        return None
    try:
        request = lobby_pb2.GetMatchRequest(match_id=seat.match_id)
        match = (await session.call(session.lobby.GetMatch, request)).match
    except ServerRefused as error:
        if error.reason != "UNKNOWN_MATCH":
            raise
        saved.forget(seat.match_id)
        return None
    if match.status == lobby_pb2.MATCH_STATUS_OVER:
        saved.forget(seat.match_id)
        return None
    score = f", you have {match.vp[seat.seat - 1]} VP" if match.vp else ""
    question = f"A game is waiting (round {match.round}{score}). Go on with it? [Y/n] "
    answer = await screen().ask(lambda: question, lambda: "", lambda _typed: ())
    return None if answer is not None and answer.strip().lower().startswith("n") else seat


def join(
    address: str, access: Access, match_id: str, seat: int, name: str, request: lobby_pb2.CreateMatchRequest | None
) -> None:
    """A seat at a table of another server: the one that was left, one that is open, or one at a new table.

    Without an address, of a server that the person chooses among those on the network.
    """
    if not address:

        def has_seat(server: Found) -> bool:
            return bool(server.seats or request is not None or saved.latest(server.address))

        address = finding.choose("join", has_seat, screen()).address

    def work(access: Access) -> Coroutine[Any, Any, None]:
        return _join(Session(address, access), match_id, seat, name, request)

    entrance.run(work, entrance.remembered(address, access), f"vinci join {address}", asks=True)


async def _join(
    session: Session, match_id: str, wanted: int, name: str, request: lobby_pb2.CreateMatchRequest | None
) -> None:
    async with session:
        known = saved.latest(session.address)
        seat = None
        if known is not None and request is None and match_id in ("", known.match_id) and not wanted:
            seat = await _offer_to_go_on(session, known)
        if seat is None:
            if request is not None:
                match_id = (await session.create(request)).match.match_id
            match_id = match_id or await _open_match(session)
            joined = await session.join(match_id, name or login_name(), wanted)
            seat = SavedSeat(session.address, match_id, joined.seat, joined.seat_token)
        saved.save(replace(seat, access=session.access))
        await _sit(session, seat, saved.home())


async def _open_match(session: Session) -> str:
    """The newest match with an open seat for a person."""
    request = lobby_pb2.ListMatchesRequest(status=lobby_pb2.MATCH_STATUS_OPEN)
    listed = await session.call(session.lobby.ListMatches, request)
    for match in listed.matches:
        if any(seat.kind == lobby_pb2.SEAT_KIND_HUMAN and not seat.taken for seat in match.seats):
            return match.match_id
    raise Failed(
        f"no match at {session.address} has an open seat; make one: "
        f"vinci join {session.address} --create human,human,dummy,dummy"
    )


def watch(address: str, access: Access, match_id: str, from_revision: int | None) -> None:
    """Look on at a match, the newest that runs if none is named; without an address, at a server on the network."""
    address = address or finding.choose("watch", lambda server: server.running > 0, screen()).address

    def work(access: Access) -> Coroutine[Any, Any, None]:
        return _watch(Session(address, access), match_id, from_revision)

    command = f"vinci watch {address} {match_id}".strip()
    entrance.run(work, entrance.remembered(address, access), command, asks=True)


async def _watch(session: Session, match_id: str, from_revision: int | None) -> None:
    async with session:
        if not match_id:
            request = lobby_pb2.ListMatchesRequest(status=lobby_pb2.MATCH_STATUS_RUNNING, page_size=1)
            listed = await session.call(session.lobby.ListMatches, request)
            if not listed.matches:
                raise Failed(f"no match is running at {session.address}")
            match_id = listed.matches[0].match_id
        wanted = lobby_pb2.GetMatchRequest(match_id=match_id)
        match = (await session.call(session.lobby.GetMatch, wanted)).match
        await _look_on(session, match, from_revision)


async def _look_on(session: Session, match: lobby_pb2.Match, from_revision: int | None) -> None:
    names = await catalogue_of(session, match)
    client = LineClient(session, match, names, PlainScreen() if not sys.stdout.isatty() else TerminalScreen())
    await client.watch(from_revision)


async def _sit(session: Session, seat: SavedSeat, folder: Path) -> None:
    """Play a seat until the game is over or the person leaves."""
    request = lobby_pb2.GetMatchRequest(match_id=seat.match_id)
    match = (await session.call(session.lobby.GetMatch, request)).match
    names = await catalogue_of(session, match)
    talk = screen()
    talk.show([f"Match {seat.match_id}, seat {seat.seat}. Type help for what can be typed."])
    over = await LineClient(session, match, names, talk).play(seat.seat, seat.token)
    if not over:
        talk.show(["The game waits for you. The same command goes on with it."])
        return
    saved.forget(seat.match_id)
    lines = await session.call(session.match.GetRecord, match_pb2.GetRecordRequest(match_id=seat.match_id))
    path = folder / "records" / f"{seat.match_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines.lines), encoding="utf-8")
    talk.show([f"The record is in {path}; see it again with: vinci replay {path}"])


async def _seat_bots(session: Session, match: lobby_pb2.Match) -> tuple[tuple[str, str], ...]:
    """Names and tokens of the bots of a match. With a token of its own none of them plays in another match instead."""
    seated = []
    for seat in match.seats:
        if seat.kind == lobby_pb2.SEAT_KIND_BOT:
            joined = await session.join(match.match_id, seat.bot, seat.seat)
            seated.append((seat.bot, joined.seat_token))
    return tuple(seated)
