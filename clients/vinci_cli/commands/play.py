"""`vinci play`, `join` and `watch`: from a command to a seat at a table."""

import shlex
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from vinci.v1 import lobby_pb2
from vinci_client import processes
from vinci_client.access import OPEN, Access
from vinci_client.discovery import FoundServer
from vinci_client.errors import ServerRefused
from vinci_client.session import OVER, Session

from .. import table_session
from ..connection import connect, local_server, nonces, saved_seats
from ..connection.saved_seats import SavedSeat
from ..connection.seating import login_name, open_seats, seat_bots, seat_people
from ..exceptions import Failed, Misused
from ..game.interface import UserInterface
from ..line.terminal import TerminalScreen
from ..text.i18n import _, plural
from . import interface, servers

AUTOMATIC: Final = "greedy"
"""The bot that plays for a person where there is no terminal."""


def play(request: lobby_pb2.CreateMatchRequest, database: Path, names: Sequence[str], *, line: bool, new: bool) -> None:
    """A game on a server of its own: by people at one terminal or through a pipe, else by bots alone."""
    by_person = line or interface.has_terminal()
    people = [seat.kind for seat in request.seats].count(lobby_pb2.SEAT_KIND_HUMAN)
    if by_person and request.seats and not people:
        raise Misused(
            _(
                "`vinci play` seats people at this terminal: name human in --players, once for each of them. "
                "Without any: vinci selfplay --players greedy,dummy,dummy,dummy"
            )
        )
    if len(names) > max(people, 1):
        told = plural(
            "{names} names for {n} seat of a person: name human in --players for each of them",
            "{names} names for {n} seats of people: name human in --players for each of them",
            max(people, 1),
            names=len(names),
        )
        raise Misused(told)
    scripts = _name_scripts(request.seats)
    bots = [seat.bot for seat in request.seats if seat.kind == lobby_pb2.SEAT_KIND_BOT]
    bots += filter(None, [request.timing.substitute])
    if unknown := [name for name in bots if name not in local_server.BOTS and name not in scripts]:
        told = _("unknown player {players}; known: {known}, or a Python file: first.py")
        raise Misused(told.format(players=", ".join(unknown), known=", ".join(["human", "dummy", *local_server.BOTS])))
    with ExitStack() as stack:
        try:
            address = stack.enter_context(local_server.server(database))
        except processes.InUse:
            raise Failed(
                _(
                    "this game is open already, perhaps in another window; "
                    "leave it there, or play another: --db other.db"
                )
            ) from None
        except processes.NotStarted as error:
            raise Failed(str(error)) from None

        def work(_access: Access) -> Coroutine[Any, Any, None]:
            return _play(address, request, database, names, scripts, by_person=by_person, line=line, new=new)

        connect.run(work, OPEN, "vinci play")


async def _play(
    address: str,
    request: lobby_pb2.CreateMatchRequest,
    database: Path,
    names: Sequence[str],
    scripts: Mapping[str, str],
    *,
    by_person: bool,
    line: bool,
    new: bool,
) -> None:
    said = database.with_suffix(".bots.log")
    command = (
        "vinci play" if database == saved_seats.home() / "play.db" else f"vinci play --db {shlex.quote(str(database))}"
    )
    async with Session(address) as session, interface.opened(line=line) as ui:
        if not by_person:
            for setup in request.seats:
                if setup.kind == lobby_pb2.SEAT_KIND_HUMAN:
                    setup.kind, setup.bot = lobby_pb2.SEAT_KIND_BOT, AUTOMATIC
            match = await _create(session, request, most_people=0)
            with local_server.bots(address, await seat_bots(session, match, scripts), said):
                await table_session.look_on(ui, session, match, 0)
            return
        where = str(database.resolve())
        seat = None if new else await _offer_to_go_on(ui, session, saved_seats.at(where))
        if seat is None:
            people = [setup.kind for setup in request.seats].count(lobby_pb2.SEAT_KIND_HUMAN) or 1
            match = await _create(session, request, most_people=people)
            seated = await seat_bots(session, match, scripts)
            named = [*(names or [login_name()]), *[""] * people][:people]
            seat = replace(await seat_people(session, match.match_id, named), where=where, bots=seated)
        await table_session.stay(ui, session, seat, database.parent, command, _verdict, bots_log=said)


def _name_scripts(seats: Iterable[lobby_pb2.SeatSetup]) -> dict[str, str]:
    """Name bots that are Python files after these; returns the absolute path of each by its name."""
    found: dict[str, str] = {}
    for seat in seats:
        if processes.is_script(seat.bot):
            path = Path(seat.bot).absolute()
            taken = found.get(path.stem, str(path)) != str(path)
            seat.bot = f"{path.stem}-{len(found) + 1}" if taken else path.stem
            found[seat.bot] = str(path)
    return found


async def _create(session: Session, request: lobby_pb2.CreateMatchRequest, most_people: int) -> lobby_pb2.Match:
    """A match that nobody else has to join. Raises Misused for a position whose seats are left open."""
    match = (await session.create(request)).match
    if sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN for seat in match.seats) > most_people:
        raise Misused(
            _("nobody plays some seats of the position; name one for each seat: --players human,greedy,greedy")
        )
    return match


async def _offer_to_go_on(
    ui: UserInterface, session: Session, seats: Sequence[SavedSeat], names: Sequence[str] = ()
) -> SavedSeat | None:
    """The seat of a game that was left, if the person wants it: the latest, or with names the latest of one of them."""
    for seat in seats:
        try:
            match = await session.get(seat.match_id)
        except ServerRefused as error:
            if error.reason != "UNKNOWN_MATCH":
                raise
            saved_seats.forget(seat)
            continue
        if match.status in OVER:
            saved_seats.forget(seat)
            continue
        own = [match.seats[number - 1].player for number in seat.seats]
        if names and not set(names) & set(own):
            continue
        score = _(", you have {vp} VP").format(vp=match.vp[seat.seat - 1]) if match.vp else ""
        told = (
            _("A game is waiting for {names} (round {round}{score}). Go on with it?")
            if all(own)
            else _("A game is waiting (round {round}{score}). Go on with it?")
        )
        question = told.format(names=_(" and ").join(own), round=match.round, score=score)
        return seat if await ui.agrees(question) else None
    return None


def join(
    address: str,
    access: Access,
    match_id: str,
    seat: int,
    names: Sequence[str],
    request: lobby_pb2.CreateMatchRequest | None,
    *,
    line: bool,
) -> None:
    """A seat at a table of another server: the one that was left, one that is open, or one at a new table.

    Several names take a seat each, for several people at this terminal. Without an address, of a server that the person
    chooses among those on the network.
    """
    if not address:

        def has_seat(server: FoundServer) -> bool:
            return bool(server.seats or request is not None or saved_seats.at(server.address))

        address = servers.choose("join", has_seat, TerminalScreen()).address

    def work(access: Access) -> Coroutine[Any, Any, None]:
        return _join(Session(address, access), match_id, seat, names, request, line=line)

    connect.run(work, connect.remembered(address, access), f"vinci join {address}", asks=True)


async def _join(
    session: Session,
    match_id: str,
    wanted: int,
    names: Sequence[str],
    request: lobby_pb2.CreateMatchRequest | None,
    *,
    line: bool,
) -> None:
    async with session, interface.opened(line=line) as ui:
        seat = None
        if request is None and not wanted:
            known = [left for left in saved_seats.at(session.address) if match_id in ("", left.match_id)]
            seat = await _offer_to_go_on(ui, session, known, names)
        if seat is None:
            names = names or [login_name()]
            if request is not None:
                match_id = (await session.create(request)).match.match_id
            match_id = match_id or await _open_match(session, len(names))
            if len(names) > 1 and open_seats(await session.get(match_id)) < len(names):
                told = _("match {match} has not got {seats} open seats for people")
                raise Failed(told.format(match=match_id, seats=len(names)))
            seat = await seat_people(session, match_id, names, wanted)
        await _sit_on(ui, session, seat)


def take_over(address: str, access: Access, code: str, name: str = "", *, line: bool) -> None:
    """The seat that another terminal hands over."""

    def work(access: Access) -> Coroutine[Any, Any, None]:
        return _take_over(Session(address, access), code, name, line=line)

    command = f"vinci join {address} --take {code}"
    connect.run(work, connect.remembered(address, access), command, asks=True)


async def _take_over(session: Session, code: str, name: str, *, line: bool) -> None:
    async with session, interface.opened(line=line) as ui:
        nonce = nonces.new()
        joined = await session.take_over(code, name, nonces.hash_of(nonce))
        await _sit_on(ui, session, nonces.seated(session.address, [(joined, nonce)]))


async def _sit_on(ui: UserInterface, session: Session, seat: SavedSeat) -> None:
    """Play a seat at a server of others, and the rematches after it."""
    command = f"vinci join {session.address}"
    invitation = " ".join([command, *connect.options(session.access)])
    await table_session.stay(
        ui, session, replace(seat, access=session.access), saved_seats.home(), command, _verdict, invitation
    )


def _verdict(seat: SavedSeat, lines: Sequence[str], *, over: bool) -> str:
    """Check the draws of a game that is over."""
    from ..records import fairness  # loads the rules, 0.13 s that the start need not wait for

    return fairness.verdict(seat, lines, over=over)


async def _open_match(session: Session, people: int) -> str:
    """The newest match with open seats for so many people."""
    request = lobby_pb2.ListMatchesRequest(status=lobby_pb2.MATCH_STATUS_OPEN)
    listed = await session.call(session.lobby.ListMatches, request)
    for match in listed.matches:
        if open_seats(match) >= people:
            return match.match_id
    raise Failed(
        plural(
            "no match at {address} has an open seat; make one: {command}",
            "no match at {address} has {n} open seats; make one: {command}",
            people,
            address=session.address,
            command=f"vinci join {session.address} --create human,human,dummy,dummy",
        )
    )


def watch(address: str, access: Access, match_id: str, from_revision: int | None, *, line: bool) -> None:
    """Look on at a match, the newest that runs if none is named; without an address, at a server on the network."""
    address = address or servers.choose("watch", lambda server: server.running > 0, TerminalScreen()).address

    def work(access: Access) -> Coroutine[Any, Any, None]:
        return _watch(Session(address, access), match_id, from_revision, line=line)

    command = f"vinci watch {address} {match_id}".strip()
    connect.run(work, connect.remembered(address, access), command, asks=True)


async def _watch(session: Session, match_id: str, from_revision: int | None, *, line: bool) -> None:
    async with session, interface.opened(line=line) as ui:
        if not match_id:
            request = lobby_pb2.ListMatchesRequest(status=lobby_pb2.MATCH_STATUS_RUNNING, page_size=1)
            listed = await session.call(session.lobby.ListMatches, request)
            if not listed.matches:
                raise Failed(_("no match is running at {address}").format(address=session.address))
            match_id = listed.matches[0].match_id
        await table_session.look_on(ui, session, await session.get(match_id), from_revision)
