"""Announcements on the network: contents, updates, and servers without them."""

import re
import sys
from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from tests.support.network.multicast import skip_without_multicast
from tests.support.paths import DOCS
from tests.support.server.in_process import DUMMY, HUMAN, bot_seat, create, join
from vinci_client.discovery import FoundServer, find
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.operations.discovery import Announcement, Announcer, counted, is_loopback, service_name


async def announcements(server: Server, until: Callable[[list[FoundServer]], bool]) -> list[FoundServer]:
    """Search until this server is found as expected, up to 20 times, and return its announcements."""
    address = f"127.0.0.1:{server.port}"
    for _ in range(20):
        servers = [one for one in await find(1.5) if one.address == address]
        if until(servers):
            return servers
    raise AssertionError(f"not as expected: {servers}")


@pytest.fixture
async def announced(server: Server) -> Server:
    """Start a server that is announced on the loopback interface; yield it."""
    skip_without_multicast()
    server.announce(Announcement("Café No. 7", "127.0.0.1", server.port, access="code", tls=True))
    return server


async def test_announcement_has_name_version_access_and_seats(announced: Server, session: Session) -> None:
    """The number of seats is announced again when it changes."""
    (seen,) = await announcements(announced, bool)
    assert (seen.name, seen.access, seen.tls) == ("Café No. 7", "code", True)
    assert (seen.seats, seen.open, seen.running) == (0, 0, 0)
    made = await create(session, HUMAN, HUMAN, bot_seat("ada"), DUMMY)
    await announcements(announced, lambda servers: [(one.seats, one.open) for one in servers] == [(2, 1)])
    await join(session, made.match.match_id)
    await announcements(announced, lambda servers: [(one.seats, one.open) for one in servers] == [(1, 1)])


async def test_stopped_server_is_not_found(announced: Server) -> None:
    """A stopping server withdraws its announcement."""
    await announcements(announced, bool)
    await announced.stop()
    assert await announcements(announced, lambda servers: not servers) == []


async def test_announcement_counts_open_seats_and_running_matches(server: Server, session: Session) -> None:
    """Open seats are human seats of matches that have not started; started matches are running."""
    await create(session, HUMAN, HUMAN, HUMAN)
    await create(session, HUMAN, DUMMY, bot_seat(), bot_seat())
    await create(session, bot_seat(), DUMMY, DUMMY, start_when_full=True)
    assert counted(server.lobby.known()) == {"seats": "4", "open": "2", "running": "1"}


async def unannounced(server: Server, session: Session) -> str:
    """Return the logged reason why a server is not announced, after it has created a match."""
    with capture_logs() as entries:
        server.announce(Announcement("Friday", "0.0.0.0", server.port))
        await create(session, HUMAN, HUMAN, HUMAN)
    (entry,) = [entry for entry in entries if entry["event"] == "not announced on the network"]
    assert entry["log_level"] == "warning"
    return str(entry["reason"])


async def test_server_runs_without_the_discovery_package(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package is optional; the log names it."""
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert "zeroconf" in await unannounced(server, session)


async def test_server_runs_without_permission_to_announce(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may refuse the socket; the log has the error."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", refuse)
    assert "Operation not permitted" in await unannounced(server, session)


async def test_announced_keys_are_documented(server: Server) -> None:
    """docs/protocol-reference.md lists exactly the keys that are sent."""
    announcer = Announcer(server.lobby, Announcement("Friday", "0.0.0.0", server.port))
    info = announcer._info(("192.168.1.5",), counted([]))
    page = (DOCS / "protocol-reference.md").read_text(encoding="utf-8")
    rows = page.partition("\n| key |")[2].partition("\n\n")[0].splitlines()
    documented = {key.encode() for row in rows for key in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert documented == set(info.properties)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("ann on laptop", "ann on laptop"),
        ("No. 7", "No- 7"),
        (".", "-"),
        ("ö" * 32, "ö" * 27),
        ("🏛" * 32, "🏛" * 13),
    ],
)
def test_server_names_become_dns_labels(name: str, label: str) -> None:
    """A label has no dots and at most 63 bytes, including a suffix, and a number that may be appended."""
    assert service_name(name, "1a2b") == f"{label} 1a2b._vinci._tcp.local."
    assert len(f"{label} 1a2b-2".encode()) <= 63


async def test_servers_of_one_name_have_services_of_their_own(server: Server) -> None:
    """Two that start at the same moment would otherwise both claim the same name, and hide each other."""
    announcement = Announcement("Friday", "0.0.0.0", server.port)
    services = {Announcer(server.lobby, announcement).service for _ in range(2)}
    assert len(services) == 2


@pytest.mark.parametrize(
    ("host", "only_here"),
    [("127.0.0.1", True), ("127.0.0.2", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False)],
)
def test_loopback_addresses_are_recognised(host: str, only_here: bool) -> None:
    """A server that only this machine can reach is not announced."""
    assert is_loopback(host) is only_here
