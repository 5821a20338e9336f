"""Servers to choose from: those of the network, the one of this user here, and the one at the usual port here."""

import asyncio
from ipaddress import ip_address

from vinci.v1 import lobby_pb2
from vinci_client import discovery
from vinci_client.discovery import FoundServer, SearchFailed
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from .. import home
from ..text.i18n import _
from . import served
from .seating import open_seats

ANSWER_SECONDS = 1.0


async def find() -> list[FoundServer]:
    """Return the servers on the network, after those of this machine that are none of them.

    Raises SearchFailed if the network cannot be searched and no server is here.
    """
    own = served.address_of(home.folder() / "server.db")
    addresses = [address for address in dict.fromkeys([own, served.USUAL]) if address]
    announced, *here = await asyncio.gather(discovery.find(), *map(on_this_machine, addresses), return_exceptions=True)
    local = [server for server in here if isinstance(server, FoundServer)]
    if isinstance(announced, SearchFailed) and local:
        return local
    if isinstance(announced, BaseException):
        raise announced
    assert isinstance(announced, list)
    known = set(map(_port_here, announced))
    return [*(server for server in local if server.address.rpartition(":")[2] not in known), *announced]


async def on_this_machine(address: str = served.USUAL) -> FoundServer | None:
    """Return the server at a local address; None if none answers there."""
    name = _("this machine")
    try:
        async with Session(address) as session:
            request = lobby_pb2.GetServerInfoRequest()
            info = await session.call(session.lobby.GetServerInfo, request, tries=1, seconds=ANSWER_SECONDS)
            listing = (lobby_pb2.MATCH_STATUS_OPEN, lobby_pb2.MATCH_STATUS_RUNNING)
            requests = [lobby_pb2.ListMatchesRequest(status=status) for status in listing]
            opened, running = [
                (await session.call(session.lobby.ListMatches, one, tries=1, seconds=ANSWER_SECONDS)).matches
                for one in requests
            ]
    except ServerRefused as error:
        return FoundServer(name, address, "", 0, 0, 0, "code", tls=error.reason == "NEEDS_TLS")
    except ServerGone:
        return None
    seats = sum(map(open_seats, opened))
    return FoundServer(name, address, info.version, seats, len(opened), len(running), "open", tls=False)


def _port_here(server: FoundServer) -> str:
    """Return the port of an announced server if it is of this machine, else nothing."""
    host, _colon, port = server.address.rpartition(":")
    mine = {interface.ip for interface in discovery.interfaces()}
    return port if ip_address(host.strip("[]").partition("%")[0]) in mine else ""
