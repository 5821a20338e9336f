"""Names and origins, TLS, proxies, and connections that are slow, silent or too many."""

import asyncio
import socket
import ssl
import time
from pathlib import Path

import pytest

from tests.support.network.certificates import signed
from tests.support.server.in_process import eventually
from tests.support.server.over_http import JSON, Web, Wire, page, web_server
from vinci_server.limits import Limits, Traffic, host_of
from vinci_server.rpc.access import ServerAccess
from vinci_server.rpc.certificate import given, own
from vinci_server.rpc.listener import MAX_MESSAGE_BYTES, AddressError
from vinci_server.web import connection, context
from vinci_server.web.connection import Connections
from vinci_server.web.hosts import Hosts

HERE = socket.gethostname().lower()
CHUNK = b"10000\r\n" + bytes(0x10000) + b"\r\n"


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:80", "192.168.1.5", "[fe80::1]:8080", "localhost:8080", "LocalHost", HERE, "vinci.example.org:8080"],
)
def test_known_names(host: str) -> None:
    """Addresses, localhost, the machine and the names that were given."""
    assert Hosts(["Vinci.example.org"]).problem(host, "", "http") == ""


@pytest.mark.parametrize(
    "host",
    ["evil.example", "", "user@localhost", "localhost.evil.example", "127.0.0.1.evil.example", "a:b:c", "x" * 400],
)
def test_unknown_names(host: str) -> None:
    """Any other name could lead here without our knowing."""
    assert Hosts([]).problem(host, "", "http")


@pytest.mark.parametrize(
    ("host", "origin", "is_own"),
    [
        ("localhost:8080", "http://localhost:8080", True),
        ("localhost", "http://localhost:80", True),
        ("localhost", "https://localhost", False),
        ("localhost:8080", "http://localhost:8081", False),
        ("localhost:8080", "http://127.0.0.1:8080", False),
        ("localhost:8080", "https://evil.example", False),
        ("localhost:8080", "null", False),
    ],
)
def test_origins(host: str, origin: str, is_own: bool) -> None:
    """A page of another site, of another port too, may not call."""
    assert (Hosts([]).problem(host, origin, "http") == "") == is_own


async def test_wrong_names_and_origins_are_refused(web: Web) -> None:
    """Neither page nor calls are for other names and other sites."""
    called = await web.call("LobbyService/ListMatches", origin="http://evil.example")
    assert (called.status, called.json()["code"]) == (403, "permission_denied")
    web.host = "evil.example"
    shown = await web.get("/")
    assert shown.status == 403
    assert (
        shown.body
        == b"this server is not known as evil.example: use its address; its owner can add the name with --web-name evil.example\n"
    )
    assert (await web.call("LobbyService/ListMatches")).status == 403
    assert (await web.request("POST", "/qr", b'{"path": "/"}', content_type=JSON)).status == 403


async def test_tls_with_a_given_certificate(tmp_path: Path, database: Path) -> None:
    """The page has the certificate of the server, and its name."""
    files = signed(tmp_path, "vinci.test")
    access = ServerAccess(certificate=given(files.chain, files.key))
    async with web_server(database, access) as (_, web):
        web.context = ssl.create_default_context(cafile=str(files.authority))
        web.context.check_hostname = False
        web.host = "vinci.test"
        assert await web.ok("LobbyService/ListMatches", origin=f"https://vinci.test:{web.port}") == {}
        with pytest.raises(ssl.SSLCertVerificationError):
            await Web(web.port, context=ssl.create_default_context()).get("/")
        async with Web(web.port).wire() as plain:
            plain.send("GET", "/", b"", {"host": "localhost"})
            assert await plain.ended() == b""


async def test_tls_with_an_own_certificate(database: Path) -> None:
    """The certificate that the server made encrypts the page, too."""
    certificate = own(database)
    async with web_server(database, ServerAccess(code="k3f9-xa2m", certificate=certificate)) as (_, web):
        web.context = ssl.create_default_context(cadata=certificate.chain.decode())
        web.context.check_hostname = False
        assert (await web.get("/")).status == 200


async def test_proxy_tells_addresses(database: Path) -> None:
    """Only the named proxy says whom it serves; each of them has an account of its own."""
    limits = Limits(calls_per_second=1)
    async with web_server(database, limits=limits, proxies=["127.0.0.1"], names=["vinci.example.org"]) as (_, web):
        web.host = "vinci.example.org"
        for number in range(8):
            headers = {"x_forwarded_for": f"6.6.6.6, 10.0.0.{number}", "x_forwarded_proto": "https"}
            await web.ok("LobbyService/ListMatches", origin=f"https://vinci.example.org:{web.port}", **headers)
    async with web_server(database, limits=limits) as (_, web):
        answers = [await web.call("LobbyService/ListMatches", x_forwarded_for=f"10.0.0.{n}") for n in range(8)]
        assert [answer.status for answer in answers][-1] == 429


async def test_port_in_use(web: Web, tmp_path: Path) -> None:
    """A port that is taken is a clear error."""
    with pytest.raises(
        AddressError, match=rf"cannot listen on 127\.0\.0\.1:{web.port}: .*; choose another --web, or 0"
    ):
        async with web_server(tmp_path / "other" / "games.db", port=web.port):
            pass


async def test_silent_connections_end(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection without a request, and one whose headers do not end, are closed."""
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.1)
    for beginning in (b"", b"GET / HTTP/1.1\r\nhost: loc"):
        async with web.wire() as wire:
            wire.writer.write(beginning)
            assert await wire.ended() == b""


async def test_endless_headers_end(web: Web) -> None:
    """Headers have a size."""
    async with web.wire() as wire:
        wire.writer.write(b"GET / HTTP/1.1\r\nx: " + b"y" * (2 * connection.MOST_HEAD_BYTES))
        assert await wire.ended() == b""
    for size, status in ((60_000, b"200"), (66_000, b"400")):
        async with web.wire() as wire:
            wire.send("GET", "/", b"", {"host": "localhost", "connection": "close", "x": "y" * size})
            assert (await wire.ended()).split()[1] == status


async def _write_chunks(wire: Wire) -> None:
    for _ in range(1000):
        wire.writer.write(CHUNK)
        await wire.writer.drain()


@pytest.mark.parametrize("path", ["/vinci.v1.LobbyService/ListMatches", "/vinci.v1.LobbyService/No", "/qr", "/", "/x"])
async def test_endless_bodies_end_and_are_charged(database: Path, path: str) -> None:
    """A request ends after two messages' worth, and the host pays for what was read."""
    async with web_server(database, limits=Limits(bytes_per_second=100)) as (server, web), web.wire() as wire:
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {JSON}\r\ntransfer-encoding: chunked\r\n\r\n"
        wire.writer.write(head.encode())
        with pytest.raises(ConnectionError):
            await _write_chunks(wire)
        owed = 100 * server.admission.traffic.peer("ipv4:127.0.0.1:1").bytes.wait(0, time.monotonic())
        assert 0.9 * MAX_MESSAGE_BYTES < owed < 2.5 * MAX_MESSAGE_BYTES
        assert (await web.get("/")).status == 429


async def test_late_bodies_are_refused(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call whose body does not come in time is refused, and its host may have only some of them."""
    monkeypatch.setattr(context, "FIRST_MESSAGE_SECONDS", 0.5)
    async with web_server(database, limits=Limits(waiting_calls_per_peer=1)) as (server, web):
        headers = {"host": "localhost", "content-type": JSON, "content-length": "100"}
        async with web.wire() as wire, web.wire() as other:
            wire.send("POST", "/vinci.v1.LobbyService/ListMatches", b"{", headers)
            peer = server.admission.traffic.peer("ipv4:127.0.0.1:1")
            await eventually(lambda: peer.waiting == 1)
            other.send("POST", "/vinci.v1.LobbyService/ListMatches", b"{", headers)
            assert (await other.answer()).reason == "TOO_MANY_STREAMS"
            late = await wire.answer()
            assert (late.reason, late.headers["connection"]) == ("MALFORMED", "close")
            assert await wire.ended() == b""
        assert peer.waiting == 0


async def test_late_link_is_refused(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The request for a link has to come in time, too, in parts if it likes."""
    monkeypatch.setattr(context, "FIRST_MESSAGE_SECONDS", 0.5)
    headers = {"host": "localhost", "content-type": JSON, "content-length": "13"}
    async with web.wire() as wire:
        wire.send("POST", "/qr", b'{"path"', headers)
        await wire.writer.drain()
        assert "no message came" in (await wire.answer()).json()["message"]
    async with web.wire() as wire:
        wire.send("POST", "/qr", b'{"path"', headers)
        await wire.writer.drain()
        wire.writer.write(b': "/"}')
        assert (await wire.answer()).status == 200


async def test_files_are_limited(database: Path) -> None:
    """Requests for files count as calls."""
    async with web_server(database, limits=Limits(calls_per_second=1)) as (_, web):
        answers = [await web.get("/") for _ in range(7)]
        assert (answers[0].status, answers[-1].status) == (200, 429)
        assert b"1 calls" in answers[-1].body or b"calls_per_second" in answers[-1].body


@pytest.mark.parametrize("proxy", ["10.0.0.7", "2001:db8::7"])
def test_connections_of_a_proxy_are_not_limited(proxy: str) -> None:
    """A proxy is known by its address, of IPv6 too, where a host is a whole network."""
    counted = Connections(1, [proxy], Traffic(Limits()))
    assert [counted.add(host_of(f"ipv6:[{proxy}]:80")) for _ in range(3)] == [True] * 3
    assert [counted.add("10.0.0.8") for _ in range(2)] == [True, False]


async def test_host_has_so_many_connections(database: Path) -> None:
    """Connections of one host are limited; those that end make room."""
    async with web_server(database, limits=Limits(streams_per_peer=1, waiting_calls_per_peer=1)) as (_, web):
        async with web.wire() as first, web.wire(), web.wire() as third:
            assert await third.ended() == b""
            first.send("GET", "/", b"", {"host": "localhost"})
            assert (await first.answer()).status == 200
        async with asyncio.timeout(30):
            while True:
                try:
                    assert (await web.get("/")).status == 200
                    break
                except (ConnectionError, asyncio.IncompleteReadError):
                    await asyncio.sleep(0.02)


async def test_client_that_does_not_read_is_cut_off(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that leaves its answer unread loses its connection, and others are served meanwhile."""
    monkeypatch.setattr(connection, "UNREAD_SECONDS", 0.2)
    (page(database.parent / "page") / "assets" / "large.bin").write_bytes(bytes(20_000_000))
    async with web_server(database) as (_, web), web.wire() as wire:
        front = web.front
        assert front is not None
        wire.send("GET", "/assets/large.bin", b"", {"host": "localhost"})
        await eventually(lambda: front.connections == 1)
        assert (await web.get("/")).status == 200
        await eventually(lambda: front.connections == 0)


async def test_requests_come_one_by_one(database: Path) -> None:
    """A connection with a second request before the answer to the first is closed, and its stream is forgotten."""
    async with web_server(database) as (server, web), web.wire() as wire:
        seats = {"board": "tiny", "seats": [{"kind": "SEAT_KIND_HUMAN"}] * 3}
        match_id = (await web.ok("LobbyService/CreateMatch", seats))["match"]["matchId"]
        body = f'{{"matchId": "{match_id}"}}'.encode()
        for _ in range(2):
            wire.send("POST", "/vinci.v1.MatchService/Watch", body, {"host": "localhost", "content-type": JSON})
        await wire.ended()
        match = await server.lobby.get(match_id)
        await eventually(lambda: not match.audience.watchers and not server.admission.traffic.streams)


async def test_garbage_is_refused(web: Web) -> None:
    """Bytes that are no HTTP are refused, and the connection ends."""
    async with web.wire() as wire:
        wire.writer.write(b"\x16\x03\x01hello\r\n\r\n")
        assert (await wire.ended()).startswith(b"HTTP/1.1 400")
