"""Announcements of servers: choice of addresses, sanitized texts, invalid ones ignored."""

import asyncio
import sys
from ipaddress import ip_interface
from typing import Any, Final

import pytest
from zeroconf import ServiceInfo, const
from zeroconf._dns import DNSPointer
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncZeroconf

from tests.support.network.multicast import skip_without_multicast
from vinci_client.discovery import SERVICE_TYPE, FoundServer, SearchFailed, find, nearest, read

HOME: Final = [ip_interface("127.0.0.1/8"), ip_interface("192.168.1.7/24"), ip_interface("fd00::7/64")]
LAPTOP: Final = [*HOME, ip_interface("172.17.0.1/16"), ip_interface("fe80::7/64")]
TOLD: Final = {
    b"name": b"Friday",
    b"version": b"0.1.0",
    b"protocol": b"vinci.v1",
    b"seats": b"2",
    b"open": b"1",
    b"running": b"3",
    b"access": b"code",
    b"tls": b"yes",
}


def test_every_announced_key_is_read() -> None:
    """Every key of docs/protocol-reference.md has a field."""
    assert read(TOLD, ["192.168.1.5"], 7654, HOME) == FoundServer(
        "Friday", "192.168.1.5:7654", "0.1.0", seats=2, open=1, running=3, access="code", tls=True
    )


@pytest.mark.parametrize(
    ("addresses", "best"),
    [
        (["10.0.0.5", "192.168.1.5"], "192.168.1.5"),
        (["fd00::5", "192.168.1.5"], "192.168.1.5"),
        (["10.0.0.5", "fd00::5"], "fd00::5"),
        (["fe80::5%2", "fd00::5"], "fd00::5"),
        (["fe80::5%2", "10.0.0.5"], "fe80::5%2"),
        (["172.17.0.1", "192.168.1.5"], "192.168.1.5"),
        (["172.17.0.1", "10.0.0.5"], "10.0.0.5"),
        (["172.17.0.1", "192.168.1.7"], "172.17.0.1"),
    ],
)
def test_choice_of_the_address(addresses: list[str], best: str) -> None:
    """An address on a common network is preferred, IPv4 first; an address that this machine has too is skipped unless the server runs here."""
    assert nearest(addresses, LAPTOP) == best
    assert nearest(addresses[::-1], LAPTOP) == (best if best != "172.17.0.1" else "192.168.1.7")


def test_ipv6_address_has_brackets() -> None:
    """A link-local IPv6 address also has its interface."""
    server = read(TOLD, ["fe80::5%2"], 7000, HOME)
    assert server is not None
    assert server.address == "[fe80::5%2]:7000"


def test_control_characters_are_removed() -> None:
    """Any machine on the network can announce any text."""
    properties = TOLD | {b"name": b"\x1b[2J\nFriday" + b"!" * 99, b"version": b"\xff\x07", b"seats": b"many"}
    server = read(properties, ["192.168.1.5"], 7654, HOME)
    assert server is not None
    assert server.name == "[2JFriday" + "!" * 23
    assert (server.version, server.seats) == ("\N{REPLACEMENT CHARACTER}", 0)


def test_server_without_name_is_named_by_its_address() -> None:
    """A server without a name is named by its address, and missing numbers are 0."""
    server = read({b"protocol": b"vinci.v1", b"tls": None}, ["192.168.1.5"], 7654, HOME)
    assert server == FoundServer("192.168.1.5:7654", "192.168.1.5:7654", "", 0, 0, 0, "open", tls=False)


def test_unusable_announcements_are_skipped() -> None:
    """Announcements of another protocol, without address or without port are skipped."""
    assert read(TOLD | {b"protocol": b"vinci.v2"}, ["192.168.1.5"], 7654, HOME) is None
    assert read(TOLD, [], 7654, HOME) is None
    assert read(TOLD, ["192.168.1.5"], None, HOME) is None


async def test_invalid_service_name_hides_no_other_server() -> None:
    """An announced name with control characters is skipped without an error."""
    skip_without_multicast()
    loop = asyncio.get_running_loop()
    faults: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _loop, context: faults.append(context))
    good = ServiceInfo(
        SERVICE_TYPE, f"Friday.{SERVICE_TYPE}", 7000, properties=TOLD, parsed_addresses=["127.0.0.1"], server="f.local."
    )
    evil = DNSOutgoing(const._FLAGS_QR_RESPONSE | const._FLAGS_AA)
    evil_name = DNSPointer(SERVICE_TYPE, const._TYPE_PTR, const._CLASS_IN, 120, f"a\x07\x1b[2Jb.{SERVICE_TYPE}")
    evil.add_answer_at_time(evil_name, 0)
    async with AsyncZeroconf(interfaces=["127.0.0.1"]) as network:
        await (await network.async_register_service(good))
        searching = asyncio.create_task(find())
        for _ in range(5):
            await asyncio.sleep(0.1)
            network.zeroconf.async_send(evil)
        assert "127.0.0.1:7000" in [server.address for server in await searching]
    assert faults == []


async def test_failed_search_raises_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search needs a package and a socket, either of which can be missing."""

    def refuse(**_options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", refuse)
    with pytest.raises(SearchFailed, match="Operation not permitted"):
        await find(0)
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    with pytest.raises(SearchFailed, match="zeroconf"):
        await find(0)
