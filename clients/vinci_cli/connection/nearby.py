"""Servers to choose from: those that announce themselves on the network, and the one at the usual port here."""

import asyncio
from ipaddress import ip_address

from vinci.v1 import lobby_pb2
from vinci_client import discovery
from vinci_client.address import DEFAULT_PORT
from vinci_client.discovery import FoundServer, SearchFailed
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from ..text.i18n import _
from .seating import open_seats

ADDRESS = f"localhost:{DEFAULT_PORT}"
ANSWER_SECONDS = 1.0


async def find() -> list[FoundServer]:
    """Return the servers on the network and, if it is none of them, the one at the usual port of this machine.

    Raises SearchFailed if the network cannot be searched and no server is here.
    """
    announced, here = await asyncio.gather(discovery.find(), on_this_machine(), return_exceptions=True)
    local = here if isinstance(here, FoundServer) else None
    if isinstance(announced, SearchFailed) and local is not None:
        return [local]
    if isinstance(announced, BaseException):
        raise announced
    return announced if local is None or any(map(_is_here, announced)) else [local, *announced]


async def on_this_machine(address: str = ADDRESS) -> FoundServer | None:
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


def _is_here(server: FoundServer) -> bool:
    """Return whether an announced server is the one at the usual port of this machine."""
    host, _colon, port = server.address.rpartition(":")
    mine = {interface.ip for interface in discovery.interfaces()}
    return port == str(DEFAULT_PORT) and ip_address(host.strip("[]").partition("%")[0]) in mine
