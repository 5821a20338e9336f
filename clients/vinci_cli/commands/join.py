"""`vinci join` and `vinci watch`: from a command to a table of another server."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import click

from vinci.v1 import lobby_pb2
from vinci_client.access import Access
from vinci_client.discovery import FoundServer
from vinci_client.session import Session

from .. import home, table_session
from ..connection import connect, nonces, person_keys, saved_seats
from ..connection.saved_seats import SavedSeat
from ..connection.seating import is_played, login_name, open_seats, regained, resumed, seat_people
from ..exceptions import Failed, Misused
from ..game.interface import UserInterface
from ..text.i18n import _, plural
from ..text.names import listed
from . import interface_choice, servers
from .base import Command, access_options, flag, option
from .options import match_options, names_option, new_match, position_option, server_option, table_options
from .play import verdict


@click.command(
    cls=Command,
    epilog="""
    vinci join
    vinci join --list
    vinci join 192.168.1.5 --name Ann
    vinci join 192.168.1.5 --code k3f9-xa2m
    vinci join 192.168.1.5 --create human,human,dummy,dummy --clock 60 --on-timeout substitute
    vinci join 192.168.1.5 --name Ann --name Ben
    vinci join 192.168.1.5 --take k3f9xa2m
    """,
)
@click.argument("address", default="")
@server_option()
@flag("--list", "only_list", help="Only list the servers on this network.")
@flag("--json", "as_json", help="With --list: JSON, one object a line.")
@option("--match", "match_id", help="Id of the match; without it, the newest with an open seat.")
@option("--seat", least=1, most=6, help="The seat; without it, the first open one.")
@option("--create PLAYERS", "players", help="Make a new match with these players.")
@option("--take CODE", help="Take over the seat that another terminal hands over.")
@match_options
@position_option
@names_option
@access_options
@table_options
def join(
    address: str,
    access: Access,
    only_list: bool,
    as_json: bool,
    match_id: str,
    seat: int | None,
    players: str,
    take: str,
    names: tuple[str, ...],
    line: str,
    **rules: Any,
) -> None:
    """Take a seat at another server; without an address, at one found on this network or machine.

    Where no seat is open, the lobby of the server shows its matches, and makes new ones.
    """
    if only_list:
        if address:
            raise Misused(_("--list shows all servers on this network; leave out --list or the address"))
        servers.show_all(as_json=as_json)
        return
    if as_json:
        raise Misused(_("--json is for --list"))
    if take and not address:
        raise Misused(_("--take needs the address that the other terminal shows: vinci join ADDRESS --take CODE"))
    if not address:
        _check_terminal("join")
    if not line and not interface_choice.has_terminal():
        raise Misused(_("there is no terminal; use --line to play through a pipe"))
    request = new_match(players, "--create human,human,dummy", **rules)
    if take and (match_id or seat or request is not None or len(names) > 1):
        raise Misused(_("--take says which seat: leave out --match, --seat and --create, and give one --name at most"))
    if seat and len(names) > 1:
        raise Misused(_("--seat is for one person: leave it out, or all but one --name"))
    if not (address or match_id or seat or request) and interface_choice.fills_screen(line=line):
        from .. import lobby_session

        lobby_session.find_table("vinci join", names, access)
        return

    def has_seat(server: FoundServer) -> bool:
        return bool(server.seats or request is not None or saved_seats.at(server.address))

    async def play(session: Session, ui: UserInterface) -> None:
        if take:
            seats = await _take_over(session, take, *names)
        else:
            seats = await _take_seats(ui, session, match_id, seat or 0, names, request)
        command = f"vinci join {session.address}"
        invitation = " ".join([command, *connect.options(session.access)])
        seats = replace(seats, access=session.access)
        await table_session.stay(ui, session, seats, home.folder(), command, verdict, invitation)

    address = address or servers.choose("join", has_seat, interface_choice.screen()).address
    command = f"vinci join {address}{f' --take {take}' if take else ''}"
    try:
        _run(play, address, access, command, line=line, takes_seats=True)
    except NoOpenSeat:
        if match_id or request is not None or not interface_choice.fills_screen(line=line):
            raise
        from .. import lobby_session

        lobby_session.find_table(command, names, access, address)


class NoOpenSeat(Failed):
    """No match of a server has seats for these people; the text says how to make one."""


def _run(
    work: Callable[[Session, UserInterface], Awaitable[None]],
    address: str,
    access: Access,
    command: str,
    *,
    line: str,
    takes_seats: bool = False,
) -> None:
    """Run work at a server in the interface that fits this terminal; `command` is what was typed. Raises Failed."""

    async def visit(access: Access) -> None:
        key = person_keys.at(address) if takes_seats else ""
        async with Session(address, access, key) as session, interface_choice.opened(line=line) as ui:
            await work(session, ui)

    connect.run(visit, connect.remembered(address, access), command, asks=True)


async def _take_seats(
    ui: UserInterface,
    session: Session,
    match_id: str,
    wanted: int,
    names: Sequence[str],
    request: lobby_pb2.CreateMatchRequest | None,
) -> SavedSeat:
    """Return to seats that were left, or take open ones, in a new match if one is requested."""
    own = await table_session.going_on(session, saved_seats.at(session.address))
    elsewhere = await resumed(session, [match.match_id for _seat, match in own])
    if request is None and not wanted:
        for waiting, even_played in ((own, False), (elsewhere, True)):  # a tab elsewhere may still be open
            left = [(seat, match) for seat, match in waiting if match_id in ("", seat.match_id)]
            if seats := await table_session.offer_to_go_on(ui, left, names, even_played=even_played):
                return await regained(session, seats.match_id) if even_played else seats
    if not names:
        names = [await _name_of_another(ui, own) if own else await person_keys.name_at(session) or login_name()]
    if request is not None:
        match_id = (await session.create(request)).match.match_id
    match_id = match_id or await _open_match(session, len(names))
    if len(names) > 1 and open_seats(await session.get(match_id)) < len(names):
        text = _("match {match} does not have {seats} open seats for people")
        raise Failed(text.format(match=match_id, seats=len(names)))
    return await seat_people(session, match_id, names, wanted)


async def _name_of_another(ui: UserInterface, own: Sequence[tuple[SavedSeat, lobby_pb2.Match]]) -> str:
    """Ask for the name of somebody who sits down beside the players of this user, who may play in other terminals."""
    played = [
        match.seats[number - 1].player for seat, match in own if is_played(match, seat.seats) for number in seat.seats
    ]
    reason = plural(
        "{who} plays in another terminal.", "{who} play in another terminal.", len(played), who=listed(played)
    )
    return await ui.name(reason if played else _("You have a seat at this server already."), login_name())


async def _take_over(session: Session, code: str, name: str = "") -> SavedSeat:
    """Take the seat that another terminal hands over."""
    nonce = nonces.new()
    joined = await session.take_over(code, name, nonces.hash_of(nonce))
    return nonces.seated(session.address, [(joined, nonce)])


async def _open_match(session: Session, people: int) -> str:
    """Return the id of the newest match with open seats for so many people. Raises NoOpenSeat."""
    request = lobby_pb2.ListMatchesRequest(status=lobby_pb2.MATCH_STATUS_OPEN)
    listed = await session.call(session.lobby.ListMatches, request)
    for match in listed.matches:
        if open_seats(match) >= people:
            return match.match_id
    raise NoOpenSeat(
        plural(
            "no match at {address} has an open seat; make one: {command}",
            "no match at {address} has {n} open seats; make one: {command}",
            people,
            address=session.address,
            command=f"vinci join {session.address} --create human,human,dummy,dummy",
        )
    )


@click.command(
    cls=Command,
    epilog="""
    vinci watch
    vinci watch 192.168.1.5
    vinci watch localhost k3f9xa2m --from 0
    vinci watch --server 192.168.1.5 k3f9xa2m
    """,
)
@click.argument("address", default="")
@click.argument("match_id", default="")
@server_option(following="match_id")
@option("--from", "from_revision", least=0, help="First revision to show; without it, the latest.")
@access_options
@table_options
def watch(address: str, access: Access, match_id: str, from_revision: int | None, line: str) -> None:
    """Watch a match; without an id, the newest that runs; without an address, choose among those on this network.

    The only running match of the only server is shown at once.
    """
    if not address and interface_choice.fills_screen(line=line):
        from .. import lobby_session

        lobby_session.find_table("vinci watch", [], access, only="running")
        return
    if not address:
        _check_terminal("watch")

    async def show(session: Session, ui: UserInterface) -> None:
        match = await (session.get(match_id) if match_id else _newest_running(session))
        await table_session.look_on(ui, session, match, from_revision)

    address = address or servers.choose("watch", lambda server: server.running > 0, interface_choice.screen()).address
    _run(show, address, access, f"vinci watch {address} {match_id}".strip(), line=line)


async def _newest_running(session: Session) -> lobby_pb2.Match:
    request = lobby_pb2.ListMatchesRequest(status=lobby_pb2.MATCH_STATUS_RUNNING, page_size=1)
    listed = await session.call(session.lobby.ListMatches, request)
    if not listed.matches:
        raise Failed(_("no match is running at {address}").format(address=session.address))
    return await session.get(listed.matches[0].match_id)


def _check_terminal(command: str) -> None:
    """Raise Misused where nobody can be asked which server is meant."""
    if not interface_choice.has_terminal():
        text = _(
            "there is no terminal to choose a server at; name it, as in: vinci {command} 192.168.1.5. "
            "Those on this network: vinci join --list"
        )
        raise Misused(text.format(command=command))
