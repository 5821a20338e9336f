"""Announcements on the network: their content, their updates, and servers without them."""

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


async def found(server: Server, until: Callable[[list[FoundServer]], bool]) -> list[FoundServer]:
    """Search until this server is found as expected, up to 20 times, and return its announcements."""
    address = f"127.0.0.1:{server.port}"
    for _ in range(20):
        servers = [one for one in await find(1.5) if one.address == address]
        if until(servers):
            return servers
    raise AssertionError(f"not as expected: {servers}")


@pytest.fixture
async def announced(server: Server) -> Server:
    """A server that is announced on the loopback interface, which every machine has."""
    skip_without_multicast()
    server.announce(Announcement("Café No. 7", "127.0.0.1", server.port, access="code", tls=True))
    return server


async def test_an_announced_server_is_found_with_what_it_tells(announced: Server, session: Session) -> None:
    """Its name, its version, what it takes to come in; and seats, which are told again when they change."""
    (seen,) = await found(announced, bool)
    assert (seen.name, seen.access, seen.tls) == ("Café No. 7", "code", True)
    assert (seen.seats, seen.open, seen.running) == (0, 0, 0)
    made = await create(session, HUMAN, HUMAN, bot_seat("ada"), DUMMY)
    await found(announced, lambda servers: [(one.seats, one.open) for one in servers] == [(2, 1)])
    await join(session, made.match.match_id)
    await found(announced, lambda servers: [(one.seats, one.open) for one in servers] == [(1, 1)])


async def test_a_server_that_stops_is_found_no_more(announced: Server) -> None:
    """It takes leave of the network; whoever searches afterwards does not see it."""
    await found(announced, bool)
    await announced.stop()
    assert await found(announced, lambda servers: not servers) == []


async def test_matches_are_counted(server: Server, session: Session) -> None:
    """Open seats are those of people in matches that have not started; a match that has started runs."""
    await create(session, HUMAN, HUMAN, HUMAN)
    await create(session, HUMAN, DUMMY, bot_seat(), bot_seat())
    await create(session, bot_seat(), DUMMY, DUMMY, start_when_full=True)
    assert counted(server.lobby.known()) == {"seats": "4", "open": "2", "running": "1"}


async def unannounced(server: Server, session: Session) -> str:
    """Why a server that was to be announced is not, as it says in its log; it makes a match meanwhile."""
    with capture_logs() as entries:
        server.announce(Announcement("Friday", "0.0.0.0", server.port))
        await create(session, HUMAN, HUMAN, HUMAN)
    (entry,) = [entry for entry in entries if entry["event"] == "not announced on the network"]
    assert entry["log_level"] == "warning"
    return str(entry["reason"])


async def test_a_server_without_the_package_serves(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package can be left out; the log names it."""
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert "zeroconf" in await unannounced(server, session)


async def test_a_server_that_may_not_send_serves(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may refuse the socket; the log says how."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", refuse)
    assert "Operation not permitted" in await unannounced(server, session)


async def test_what_is_told_is_documented(server: Server) -> None:
    """The table of keys in docs/protocol.md names those that are sent, and no others."""
    announcer = Announcer(server.lobby, Announcement("Friday", "0.0.0.0", server.port))
    info = announcer._info("Friday._vinci._tcp.local.", ("192.168.1.5",), counted([]))
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
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
def test_names_become_labels_of_the_network(name: str, label: str) -> None:
    """Dots would part the name there, and it has 63 bytes at most, a number that may be added included."""
    assert service_name(name) == f"{label}._vinci._tcp.local."


@pytest.mark.parametrize(
    ("host", "only_here"),
    [("127.0.0.1", True), ("127.0.0.2", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False)],
)
def test_what_only_this_machine_reaches_is_known(host: str, only_here: bool) -> None:
    """Such a server is not announced: nobody else could come."""
    assert is_loopback(host) is only_here
