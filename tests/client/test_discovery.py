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


def test_what_a_server_tells_is_read() -> None:
    """Every key of docs/protocol.md has its place."""
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
def test_the_address_is_chosen_that_is_reached_best(addresses: list[str], best: str) -> None:
    """On a network of both machines, IPv4 first; one that this machine has too leads back to it, unless it serves."""
    assert nearest(addresses, LAPTOP) == best
    assert nearest(addresses[::-1], LAPTOP) == (best if best != "172.17.0.1" else "192.168.1.7")


def test_an_address_of_the_newer_kind_stands_in_brackets() -> None:
    """With the interface that leads there, where it needs one."""
    server = read(TOLD, ["fe80::5%2"], 7000, HOME)
    assert server is not None
    assert server.address == "[fe80::5%2]:7000"


def test_what_can_hurt_a_terminal_is_left_out() -> None:
    """Anybody on the network can announce anything."""
    told = TOLD | {b"name": b"\x1b[2J\nFriday" + b"!" * 99, b"version": b"\xff\x07", b"seats": b"many"}
    server = read(told, ["192.168.1.5"], 7654, HOME)
    assert server is not None
    assert server.name == "[2JFriday" + "!" * 23
    assert (server.version, server.seats) == ("\N{REPLACEMENT CHARACTER}", 0)


def test_a_server_without_a_name_has_that_of_its_address() -> None:
    """Check that a server without a name is named by its address, and missing numbers are 0."""
    server = read({b"protocol": b"vinci.v1", b"tls": None}, ["192.168.1.5"], 7654, HOME)
    assert server == FoundServer("192.168.1.5:7654", "192.168.1.5:7654", "", 0, 0, 0, "open", tls=False)


def test_what_is_no_server_for_this_client_is_left_out() -> None:
    """One of another protocol, one without an address, one without a port."""
    assert read(TOLD | {b"protocol": b"vinci.v2"}, ["192.168.1.5"], 7654, HOME) is None
    assert read(TOLD, [], 7654, HOME) is None
    assert read(TOLD, ["192.168.1.5"], None, HOME) is None


async def test_a_name_that_cannot_be_hides_no_other() -> None:
    """Somebody announces a service whose name would move the cursor; nothing comes of it, not even an error."""
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


async def test_who_cannot_search_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package, and where the system refuses the socket."""

    def refuse(**_options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", refuse)
    with pytest.raises(SearchFailed, match="Operation not permitted"):
        await find(0)
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    with pytest.raises(SearchFailed, match="zeroconf"):
        await find(0)
