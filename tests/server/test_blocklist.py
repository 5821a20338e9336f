"""Hosts that abuse the server are shut out for a while, and nobody else is."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import socket
import sys
from pathlib import Path

import pytest

from benchmarks.abuse import PREFACE, call, message
from tests.support.server.in_process import SOON
from tests.support.server.limited import limited
from vinci.v1 import lobby_pb2
from vinci_server import blocklist as blocklist_module
from vinci_server.blocklist import CALM_SECONDS, FIRST_SECONDS, MOST_SECONDS, Blocklist, attach
from vinci_server.metrics import Metrics

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs filters of packets")
ABUSER, OTHER = "127.0.0.2", "127.0.0.3"
MANY = [f"10.{number // 250}.{number % 250}.1" for number in range(128)]
MANY_NETWORKS = [f"2001:db8:{number:x}::/64" for number in range(128)]


def heard(receiver: socket.socket, family: socket.AddressFamily, *senders: str) -> list[str]:
    """Return what a socket receives of one datagram from each of these addresses, which contains it."""
    port = receiver.getsockname()[1]
    for sender in senders:
        with socket.socket(family, socket.SOCK_DGRAM) as out:
            out.bind((sender, 0))
            out.sendto(sender.encode(), ("::1" if family == socket.AF_INET6 else "127.0.0.1", port))
    received = []
    receiver.setblocking(False)
    while True:
        try:
            received.append(receiver.recv(100).decode())
        except BlockingIOError:
            return received


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::")])
def test_packets_of_listed_hosts_are_dropped(family: socket.AddressFamily, address: str) -> None:
    with socket.socket(family, socket.SOCK_DGRAM) as receiver:
        receiver.bind((address, 0))
        attach(receiver, [*MANY, ABUSER, *MANY_NETWORKS])
        assert heard(receiver, socket.AF_INET, ABUSER, OTHER) == [OTHER]
        attach(receiver, [OTHER])
        assert heard(receiver, socket.AF_INET, ABUSER, OTHER) == [ABUSER]
        attach(receiver, [])
        assert heard(receiver, socket.AF_INET, ABUSER, OTHER) == [ABUSER, OTHER]
        attach(receiver, [])  # there is none any more


def test_packets_of_listed_networks_are_dropped() -> None:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as receiver:
        try:
            receiver.bind(("::1", 0))
        except OSError:
            pytest.skip("no IPv6")
        attach(receiver, [ABUSER, *MANY_NETWORKS, "0:0:0:1::/64", "0:1::/64"])
        assert heard(receiver, socket.AF_INET6, "::1") == ["::1"]
        attach(receiver, [ABUSER, *MANY_NETWORKS, "::/64"])
        assert heard(receiver, socket.AF_INET6, "::1") == []


async def test_host_is_shut_out_longer_each_time_until_it_was_calm() -> None:
    now = 0.0
    hosts = Blocklist(Metrics(), lambda: now)
    times = []
    for _ in range(7):
        times.append(hosts.shut_out(ABUSER))
        hosts.let_in(ABUSER)
        now += times[-1]
    assert times == [10, 20, 40, 80, 160, 300, 300] == [FIRST_SECONDS, *times[1:5], MOST_SECONDS, MOST_SECONDS]
    assert hosts.shut_out(OTHER) == FIRST_SECONDS
    now += CALM_SECONDS
    assert hosts.shut_out(ABUSER) == FIRST_SECONDS


async def test_time_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocklist_module, "FIRST_SECONDS", 1e-9)
    hosts, ended = Blocklist(Metrics()), asyncio.Event()
    assert hosts.shut_out(ABUSER)
    assert ABUSER in hosts
    asyncio.get_running_loop().call_later(0.001, ended.set)
    await ended.wait()
    assert ABUSER not in hosts


@pytest.mark.parametrize("host", ["127.0.0.1", "::/64", "unix", "", "10.0.0.9"])
async def test_exempt_hosts_are_never_shut_out(host: str) -> None:
    hosts = Blocklist(Metrics())
    hosts.exempt(["10.0.0.9"])
    assert not hosts.shut_out(host)
    assert host not in hosts


async def test_abusive_host_is_shut_out_and_others_are_not(database: Path) -> None:
    async with limited(database, refusals_before_shut_out=20) as (server, session):
        watched = session.lobby.GetServerInfo
        assert (await watched(lobby_pb2.GetServerInfoRequest())).version
        other = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(OTHER, 0))
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(ABUSER, 0))
        writer.write(PREFACE + b"".join(call(2 * n + 1) + message(2 * n + 1, b"\xff" * 9) for n in range(20)))
        async with asyncio.timeout(SOON):
            while await reader.read(65536):
                pass
        writer.close()
        assert ABUSER in server.admission.blocklist
        loop = asyncio.get_running_loop()
        with socket.socket() as again, socket.socket() as clean:
            for one, host in ((again, ABUSER), (clean, OTHER)):
                one.bind((host, 0))
                one.setblocking(False)
            async with asyncio.timeout(SOON):
                connecting = asyncio.create_task(loop.sock_connect(again, ("127.0.0.1", server.port)))
                await loop.sock_connect(clean, ("127.0.0.1", server.port))
                assert not connecting.done()
                other[1].write(PREFACE)
                assert await other[0].read(1)
                assert (await watched(lobby_pb2.GetServerInfoRequest())).version
                server.admission.blocklist.let_in(ABUSER)
                await connecting  # its system sends the first packet again after a second
        other[1].close()
