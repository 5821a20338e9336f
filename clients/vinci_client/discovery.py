"""Finding servers on the network: those that announce themselves, as docs/protocol-reference.md says."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from vinci_refusals.wording import Refused

from .address import joined
from .printable import printable

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncZeroconf

SERVICE_TYPE: Final = "_vinci._tcp.local."
PROTOCOL: Final = "vinci.v1"
SEARCH_SECONDS: Final = 2.0
"""Time for every server on a usual network to answer, though the first question be lost."""
ANSWER_SECONDS: Final = 1.0
LONGEST_TEXT: Final = 32
"""Most characters shown of a text that a server announces."""

Interface: TypeAlias = IPv4Interface | IPv6Interface


@dataclass(frozen=True, order=True, slots=True)
class FoundServer:
    """A server on the network: name, address with port, version, and how many seats and matches it has.

    `seats` are those open to people, `open` the matches that wait for players, `running` those at play. `access` is
    `open`, or `code` where a code or password is needed.
    """

    name: str
    address: str
    version: str
    seats: int
    open: int
    running: int
    access: str
    tls: bool


class SearchFailed(Refused):
    """This machine cannot search the network; the text says why."""

    def __init__(self, error: Exception) -> None:
        super().__init__("SEARCH_FAILED", error=error)


async def find(seconds: float = SEARCH_SECONDS) -> list[FoundServer]:
    """Return the servers that answer within this time, by name. Raises SearchFailed."""
    try:
        from zeroconf import BadTypeInNameException, IPVersion, ServiceStateChange
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # it tells of each interface without a route
    except ImportError as error:
        raise SearchFailed(error) from None
    there: set[str] = set()
    infos: list[AsyncServiceInfo] = []

    def on_change(*, name: str, state_change: ServiceStateChange, **_others: Any) -> None:
        if state_change is ServiceStateChange.Removed:
            there.discard(name)
        else:
            there.add(name)

    try:
        async with _searcher() as searcher:
            browser = AsyncServiceBrowser(searcher.zeroconf, SERVICE_TYPE, handlers=[on_change])
            await asyncio.sleep(seconds)
            await browser.async_cancel()
            for name in there:
                with suppress(BadTypeInNameException):  # an announcement with an invalid name
                    infos.append(AsyncServiceInfo(SERVICE_TYPE, name))
            await asyncio.gather(*(info.async_request(searcher.zeroconf, ANSWER_SECONDS * 1000) for info in infos))
    except (OSError, RuntimeError) as error:
        raise SearchFailed(error) from None
    own = interfaces()
    servers = [read(info.properties, info.parsed_scoped_addresses(IPVersion.All), info.port, own) for info in infos]
    return sorted({server for server in servers if server is not None})


def read(
    properties: Mapping[bytes, bytes | None], addresses: Sequence[str], port: int | None, own: Sequence[Interface]
) -> FoundServer | None:
    """Return the announcement of a server; None if it has no address or speaks another protocol.

    Anybody can announce anything, so that texts are cut and cleaned, and numbers that are none count as 0.
    """
    announced = {key.decode(errors="replace"): _cleaned(value or b"") for key, value in properties.items()}
    if not addresses or not port or announced.get("protocol") != PROTOCOL:
        return None
    address = joined(nearest(addresses, own), port)
    return FoundServer(
        name=announced.get("name") or address,
        address=address,
        version=announced.get("version", ""),
        seats=_number(announced.get("seats", "")),
        open=_number(announced.get("open", "")),
        running=_number(announced.get("running", "")),
        access=announced.get("access", "open"),
        tls=announced.get("tls") == "yes",
    )


def nearest(addresses: Sequence[str], own: Sequence[Interface]) -> str:
    """Return the address under which this machine reaches a server best.

    An address that this machine has as well is not the server's, unless all are: machines with containers have the same
    private addresses. Then one on a network of this machine goes first, and IPv4, and one that needs no interface.
    """
    mine = {interface.ip for interface in own}

    def distance(text: str) -> tuple[bool, bool, bool, bool]:
        ip = ip_address(text.partition("%")[0])
        is_near = any(ip.version == interface.version and ip in interface.network for interface in own)
        return ip in mine, not is_near, ip.is_link_local, ip.version == 6

    return min(addresses, key=distance)


def interfaces() -> list[Interface]:
    """Return the addresses of this machine with their networks."""
    import ifaddr

    ips = [ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    return [
        ip_interface(f"{(ip.ip if isinstance(ip.ip, str) else ip.ip[0]).partition('%')[0]}/{ip.network_prefix}")
        for ip in ips
    ]


def _searcher() -> "AsyncZeroconf":
    """Open a socket on every interface, without IPv6 if this machine has none."""
    from zeroconf import IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    try:
        return AsyncZeroconf(ip_version=IPVersion.All)
    except (OSError, RuntimeError):
        return AsyncZeroconf(ip_version=IPVersion.V4Only)


def _cleaned(value: bytes) -> str:
    return printable(value.decode(errors="replace"))[:LONGEST_TEXT].strip()


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
