"""`vinci play`, `join` and `watch`: from a command to a seat at a table."""

import getpass
import shlex
import sys
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.access import OPEN, Access
from vinci_client.discovery import Found
from vinci_client.errors import ServerRefused
from vinci_client.session import Session

from . import entrance, finding, local, saved, timing
from .failed import Failed, Misused
from .line import LineClient, catalogue_of
from .saved import SavedSeat
from .screen import PlainScreen, Screen, TerminalScreen, sentence
from .seats import open_seats, seat_bots, seat_people

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


def play(request: lobby_pb2.CreateMatchRequest, database: Path, names: Sequence[str], *, line: bool, new: bool) -> None:
    """A game on a server of its own: by people at one terminal or through a pipe, else by bots alone."""
    by_person = line or (sys.stdin.isatty() and sys.stdout.isatty())
    people = [seat.kind for seat in request.seats].count(lobby_pb2.SEAT_KIND_HUMAN)
    if by_person and request.seats and not people:
        raise Misused(
            "`vinci play` seats people at this terminal: name human in --players, once for each of them. Without any: "
            "vinci selfplay --players greedy,dummy,dummy,dummy"
        )
    if len(names) > max(people, 1):
        raise Misused(
            f"{len(names)} names for {max(people, 1)} seats of people: name human in --players for each of them"
        )
    bots = [seat.bot for seat in request.seats if seat.kind == lobby_pb2.SEAT_KIND_BOT]
    bots += filter(None, [request.timing.substitute])
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
            return _play(address, request, database, names, by_person=by_person, new=new)

        entrance.run(work, OPEN, "vinci play")


async def _play(
    address: str,
    request: lobby_pb2.CreateMatchRequest,
    database: Path,
    names: Sequence[str],
    *,
    by_person: bool,
    new: bool,
) -> None:
    said = database.with_suffix(".bots.log")
    command = "vinci play" if database == saved.home() / "play.db" else f"vinci play --db {shlex.quote(str(database))}"
    async with Session(address) as session:
        if not by_person:
            for setup in request.seats:
                if setup.kind == lobby_pb2.SEAT_KIND_HUMAN:
                    setup.kind, setup.bot = lobby_pb2.SEAT_KIND_BOT, AUTOMATIC
            match = await _create(session, request, most_people=0)
            with local.bots(address, await seat_bots(session, match), said):
                await _look_on(session, match, 0)
            return
        where = str(database.resolve())
        seat = None if new else await _offer_to_go_on(session, saved.at(where))
        if seat is None:
            people = [setup.kind for setup in request.seats].count(lobby_pb2.SEAT_KIND_HUMAN) or 1
            match = await _create(session, request, most_people=people)
            seated = await seat_bots(session, match)
            named = [*(names or [login_name()]), *[""] * people][:people]
            seat = replace(await seat_people(session, match.match_id, named), where=where, bots=seated)
        following: SavedSeat | None = seat
        while following is not None:
            saved.save(following)
            with local.bots(address, following.bots, said):
                following = await _sit(session, following, database.parent, command)


async def _create(session: Session, request: lobby_pb2.CreateMatchRequest, most_people: int) -> lobby_pb2.Match:
    """A match that nobody else has to join. Raises Misused for a position whose seats are left open."""
    match = (await session.create(request)).match
    if sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN for seat in match.seats) > most_people:
        raise Misused("nobody plays some seats of the position; name one for each seat: --players human,greedy,greedy")
    return match


async def _offer_to_go_on(session: Session, seats: Sequence[SavedSeat], names: Sequence[str] = ()) -> SavedSeat | None:
    """The seat of a game that was left, if the person wants it: the latest, or with names the latest of one of them."""
    for seat in seats:
        try:
            match = await session.get(seat.match_id)
        except ServerRefused as error:
            if error.reason != "UNKNOWN_MATCH":
                raise
            saved.forget(seat)
            continue
        if match.status in (lobby_pb2.MATCH_STATUS_OVER, lobby_pb2.MATCH_STATUS_ENDED):
            saved.forget(seat)
            continue
        own = [match.seats[number - 1].player for number in seat.seats]
        if names and not set(names) & set(own):
            continue
        score = f", you have {match.vp[seat.seat - 1]} VP" if match.vp else ""
        whose = f" for {' and '.join(own)}" if all(own) else ""
        return (
            seat
            if await _agreed(f"A game is waiting{whose} (round {match.round}{score}). Go on with it? [Y/n] ")
            else None
        )
    return None


async def _agreed(question: str) -> bool:
    """Whether a person says yes; so do Enter and the end of input."""
    while True:
        answer = await screen().ask(lambda: question, lambda: "", lambda _typed: [("y", ""), ("n", "")])
        word = (answer or "").strip().lower()
        if word in ("", "y", "yes", "n", "no"):
            return word not in ("n", "no")


def join(
    address: str,
    access: Access,
    match_id: str,
    seat: int,
    names: Sequence[str],
    request: lobby_pb2.CreateMatchRequest | None,
) -> None:
    """A seat at a table of another server: the one that was left, one that is open, or one at a new table.

    Several names take a seat each, for several people at this terminal. Without an address, of a server that the person
    chooses among those on the network.
    """
    if not address:

        def has_seat(server: Found) -> bool:
            return bool(server.seats or request is not None or saved.at(server.address))

        address = finding.choose("join", has_seat, screen()).address

    def work(access: Access) -> Coroutine[Any, Any, None]:
        return _join(Session(address, access), match_id, seat, names, request)

    entrance.run(work, entrance.remembered(address, access), f"vinci join {address}", asks=True)


async def _join(
    session: Session, match_id: str, wanted: int, names: Sequence[str], request: lobby_pb2.CreateMatchRequest | None
) -> None:
    async with session:
        seat = None
        if request is None and not wanted:
            known = [left for left in saved.at(session.address) if match_id in ("", left.match_id)]
            seat = await _offer_to_go_on(session, known, names)
        if seat is None:
            names = names or [login_name()]
            if request is not None:
                match_id = (await session.create(request)).match.match_id
            match_id = match_id or await _open_match(session, len(names))
            if len(names) > 1 and open_seats(await session.get(match_id)) < len(names):
                raise Failed(f"match {match_id} has not got {len(names)} open seats for people")
            seat = await seat_people(session, match_id, names, wanted)
        await _sit_on(session, seat)


def take_over(address: str, access: Access, code: str, name: str = "") -> None:
    """The seat that another terminal hands over."""

    def work(access: Access) -> Coroutine[Any, Any, None]:
        return _take_over(Session(address, access), code, name)

    command = f"vinci join {address} --take {code}"
    entrance.run(work, entrance.remembered(address, access), command, asks=True)


async def _take_over(session: Session, code: str, name: str) -> None:
    async with session:
        joined = await session.take_over(code, name)
        await _sit_on(session, SavedSeat(session.address, joined.match.match_id, joined.seat, joined.seat_token))


async def _sit_on(session: Session, seat: SavedSeat) -> None:
    """Play a seat, and the rematches after it."""
    following: SavedSeat | None = replace(seat, access=session.access)
    command = f"vinci join {session.address}"
    invitation = " ".join([command, *entrance.options(session.access)])
    while following is not None:
        saved.save(following)
        following = await _sit(session, following, saved.home(), command, invitation)


async def _open_match(session: Session, people: int) -> str:
    """The newest match with open seats for so many people."""
    request = lobby_pb2.ListMatchesRequest(status=lobby_pb2.MATCH_STATUS_OPEN)
    listed = await session.call(session.lobby.ListMatches, request)
    for match in listed.matches:
        if open_seats(match) >= people:
            return match.match_id
    wanted = "an open seat" if people == 1 else f"{people} open seats"
    raise Failed(
        f"no match at {session.address} has {wanted}; make one: "
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
        await _look_on(session, await session.get(match_id), from_revision)


async def _look_on(session: Session, match: lobby_pb2.Match, from_revision: int | None) -> None:
    names = await catalogue_of(session, match)
    if sys.stdin.isatty() and sys.stdout.isatty():
        talk = TerminalScreen()
        talk.show(["You look on. Type help for what can be typed."])
        await LineClient(session, match, names, talk, own_name=login_name()).play({}, from_revision)
    else:
        out = TerminalScreen() if sys.stdout.isatty() else PlainScreen()
        await LineClient(session, match, names, out).watch(from_revision)


async def _sit(session: Session, seat: SavedSeat, folder: Path, command: str, invitation: str = "") -> SavedSeat | None:
    """Play seats until the game ends or nobody is here any more; the seats in the rematch, if one is wanted.

    `command` goes on with a game that was left, `invitation` lets another terminal in.
    """
    match = await session.get(seat.match_id)
    names = await catalogue_of(session, match)
    talk = screen()
    numbers = " and ".join(map(str, seat.seats))
    sits = f"seat {numbers}" if len(seat.seats) == 1 else f"seats {numbers}"
    talk.show([f"Match {seat.match_id}, {sits}. Type help for what can be typed."])
    for told in timing.in_words(match.timing):
        talk.show(sentence(told))
    client = LineClient(session, match, names, talk, invitation=invitation)
    ending = await client.play(seat.seats)
    if ending == "left" and client.seats:
        (number, token), *others = client.seats.items()
        saved.save(replace(seat, seat=number, token=token, others=tuple(others)))
        talk.show([f"The game waits for you. To go on with it: {command}"])
        return None
    saved.forget(seat)
    if ending == "lost":
        return None
    lines = await session.call(session.match.GetRecord, match_pb2.GetRecordRequest(match_id=seat.match_id))
    path = folder / "records" / f"{seat.match_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines.lines), encoding="utf-8")
    talk.show([f"The record is in {path}; see it again with: vinci replay {path}"])
    people = sum(one.kind == lobby_pb2.SEAT_KIND_HUMAN for one in match.seats)
    if ending == "over" and not match.from_position and (talk.always_asks or people > 1):
        return await _rematch(session, replace(seat, others=tuple(client.seats.items())), talk)
    return None


async def _rematch(session: Session, seat: SavedSeat, talk: Screen) -> SavedSeat | None:
    """The seats in another game with the same players, if the people here want one."""
    question = "Another game with the same players? Type rematch, or Enter to leave: "
    answer = await talk.ask(lambda: question, lambda: "", lambda _typed: [("rematch", "another game")])
    if answer is None or answer.strip().lower() not in ("rematch", "r", "yes", "y"):
        return None
    joined = [await session.join_rematch(seat.match_id, token) for _, token in seat.others]
    bots = [
        (name, token and (await session.join_rematch(seat.match_id, token)).seat_token) for name, token in seat.bots
    ]
    first, *others = joined
    return replace(
        seat,
        match_id=first.match.match_id,
        seat=first.seat,
        token=first.seat_token,
        others=tuple((one.seat, one.seat_token) for one in others),
        bots=tuple(bots),
    )
