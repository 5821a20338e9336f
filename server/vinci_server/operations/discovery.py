"""Announces the server by DNS service discovery, as docs/protocol-reference.md says. Failures are logged only."""

import asyncio
import secrets
import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, final

import structlog

from ..lobby import Lobby
from ..match.match import Match

if TYPE_CHECKING:
    from zeroconf import ServiceInfo
    from zeroconf.asyncio import AsyncZeroconf

SERVICE_TYPE: Final = "_vinci._tcp.local."
PROTOCOL: Final = "vinci.v1"
LOOK_SECONDS: Final = 2.0
"""Seconds between looks at seats and addresses, which are announced again when they have changed."""
LONGEST_LABEL: Final = 55
"""Bytes of the name of a server in that of its service. DNS allows 63, with the suffix and a number of zeroconf."""
EVERY_ADDRESS: Final = ("0.0.0.0", "::")

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Announcement:
    """The constant part of an announcement; `access` is `open`, or `code` for a code or password."""

    name: str
    host: str
    port: int
    access: str = "open"
    tls: bool = False


@final
class Announcer:
    """Announces a server from `start` to `stop`.

    Attributes:
        service: DNS name of the announced service.
    """

    def __init__(self, lobby: Lobby, announcement: Announcement) -> None:
        self._lobby: Final = lobby
        self._announcement: Final = announcement
        self._machine: Final = f"vinci-{secrets.token_hex(4)}.local."
        self.service = service_name(announcement.name, secrets.token_hex(2))
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start; errors are logged."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Withdraw the announcement."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        try:
            listening = await _addresses_of(self._announcement.host)
            async with _responder(self._announcement.host, listening) as responder:
                await self._tell(responder, listening)
        except Exception as error:  # nothing that fails here may stop the server
            _log.warning("not announced on the network", reason=str(error) or type(error).__name__)

    async def _tell(self, responder: "AsyncZeroconf", listening: tuple[str, ...]) -> None:
        """Announce the server, and again whenever something has changed."""
        announced_addresses: tuple[str, ...] = ()
        announced_counts: dict[str, str] = {}
        while True:
            await responder.async_update_interfaces()
            addresses = listening or local_addresses(self._announcement.host)
            counts = counted(self._lobby.known())
            if addresses and (addresses, counts) != (announced_addresses, announced_counts):
                info = self._info(addresses, counts)
                if announced_addresses:
                    await (await responder.async_update_service(info))
                else:
                    await (await responder.async_register_service(info, allow_name_change=True))
                    self.service = info.name
                    _log.info("announced on the network", name=self._announcement.name, addresses=addresses)
                announced_addresses, announced_counts = addresses, counts
            await asyncio.sleep(LOOK_SECONDS)

    def _info(self, addresses: tuple[str, ...], counts: dict[str, str]) -> "ServiceInfo":
        from zeroconf import ServiceInfo

        announcement = self._announcement
        properties = {
            "name": announcement.name,
            "version": version("vinci-server"),
            "protocol": PROTOCOL,
            **counts,
            "access": announcement.access,
            "tls": "yes" if announcement.tls else "no",
        }
        return ServiceInfo(
            SERVICE_TYPE,
            self.service,
            announcement.port,
            properties=properties,
            server=self._machine,
            parsed_addresses=list(addresses),
        )


def service_name(name: str, suffix: str) -> str:
    """Return the DNS name of the service: without dots, and not too long.

    Args:
        name: that of the server.
        suffix: what tells servers of one name apart that start at the same moment, when neither sees the other's claim.
    """
    label = name.replace(".", "-").encode()[:LONGEST_LABEL].decode(errors="ignore").strip()
    return f"{label} {suffix}.{SERVICE_TYPE}"


def counted(matches: Iterable[Match]) -> dict[str, str]:
    """Return the number of open seats, open matches and running matches."""
    seats = waiting = running = 0
    for match in matches:
        if match.status == "open":
            waiting += 1
            seats += match.open_seats
        elif match.status == "running":
            running += 1
    return {"seats": str(seats), "open": str(waiting), "running": str(running)}


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens on a host."""
    try:
        infos = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False  # listening there will report the error
    return all(ip_address(info[4][0]).is_loopback for info in infos)


def local_addresses(host: str) -> tuple[str, ...]:
    """Return the addresses of this machine under which others reach a server on all interfaces."""
    import ifaddr

    addresses = set()
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            text = (ip.ip if isinstance(ip.ip, str) else ip.ip[0]).partition("%")[0]
            if not ip_address(text).is_loopback and (ip.is_IPv4 or host == "::"):
                addresses.add(text)
    return tuple(sorted(addresses))


async def _addresses_of(host: str) -> tuple[str, ...]:
    """Return the addresses of a host; none if it means every address."""
    if host in EVERY_ADDRESS:
        return ()
    infos = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(sorted({str(info[4][0]) for info in infos}))


def _responder(host: str, listening: tuple[str, ...]) -> "AsyncZeroconf":
    """Return the zeroconf responder on the interfaces on which the server listens."""
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    if listening:
        return AsyncZeroconf(interfaces=list(listening))
    return AsyncZeroconf(InterfaceChoice.All, ip_version=IPVersion.All if host == "::" else IPVersion.V4Only)
