"""Access control: codes, passwords, certificates and refusals."""

# ruff: noqa: D103  # the name of each test says what it checks

import stat
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.support.network.certificates import signed
from tests.support.server.in_process import HUMAN, address, bearer, bot_stream, refused, serving, within
from vinci.v1 import bot_pb2, lobby_pb2, match_pb2
from vinci_client.access import SYSTEM
from vinci_client.access import Access as Key
from vinci_client.errors import ServerRefused
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.limits import USUAL, Limits
from vinci_server.rpc import certificate
from vinci_server.rpc.access import ServerAccess, UnusablePassword, join_code
from vinci_server.rpc.certificate import LETTERS

CALLS: Final = [
    (service.full_name, method)
    for file in (lobby_pb2, match_pb2, bot_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]
CODE: Final = "k3f9-xa2m"
PASSWORD: Final = "open Sesame %41"
INFO: Final = lobby_pb2.GetServerInfoRequest()


@asynccontextmanager
async def closed(database: Path, access: ServerAccess, limits: Limits = USUAL) -> AsyncIterator[Server]:
    """Start a server with access control."""
    server = await Server.start("127.0.0.1", 0, database, access=access, limits=limits)
    try:
        yield server
    finally:
        await server.stop()


async def raw(channel: Any, service: str, method: Any, metadata: Sequence[tuple[str, str]] = ()) -> object:
    """Make a call with an empty request."""
    path, empty = f"/{service}/{method.name}", GetMessageClass(method.input_type)().SerializeToString()
    if method.client_streaming:
        return await channel.stream_stream(path)(metadata=metadata).read()
    if method.server_streaming:
        return await channel.unary_stream(path)(empty, metadata=metadata).read()
    return await channel.unary_unary(path)(empty, metadata=metadata)


async def info(server: Server, key: Key) -> lobby_pb2.GetServerInfoResponse:
    """Return the server information for a client with this key."""
    async with Session(address(server), key) as session:
        return await within(session.call(session.lobby.GetServerInfo, INFO))


async def info_refused(server: Server, key: Key) -> ServerRefused:
    """Return the refusal of a request for server information."""
    with pytest.raises(ServerRefused) as caught:
        await info(server, key)
    return caught.value


@pytest.mark.parametrize(("service", "method"), CALLS, ids=lambda value: getattr(value, "name", ""))
async def test_every_call_needs_the_right_code(database: Path, service: str, method: Any) -> None:
    async with (
        closed(database, ServerAccess(code=CODE)) as server,
        grpc.aio.insecure_channel(address(server)) as channel,
    ):
        error = await refused(raw(channel, service, method))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "NO_ACCESS")
        assert error.facts["needs"] == "code"
        error = await refused(raw(channel, service, method, (("vinci-access", "k3f9xa2n"),)))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "BAD_ACCESS")


@pytest.mark.skipif(not hasattr(health_pb2, "HealthListResponse"), reason="grpcio-health-checking is from before List")
async def test_health_of_all_services(database: Path) -> None:
    async with serving(database) as (server, _), grpc.aio.insecure_channel(address(server)) as channel:
        messages, stub = cast(Any, health_pb2), cast(Any, health_pb2_grpc).HealthStub(channel)
        answer = await stub.List(messages.HealthListRequest())
    assert answer.statuses[""].status == health_pb2.HealthCheckResponse.SERVING
    assert "vinci.v1.LobbyService" in answer.statuses


async def test_health_and_reflection_need_no_code(database: Path) -> None:
    async with (
        closed(database, ServerAccess(code=CODE)) as server,
        grpc.aio.insecure_channel(address(server)) as channel,
    ):
        stub: Any = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection: Any = reflection_pb2_grpc.ServerReflectionStub(cast(grpc.Channel, channel))
        request: Any = reflection_pb2.ServerReflectionRequest
        async for listed in reflection.ServerReflectionInfo(iter([request(list_services="")])):
            assert len(listed.list_services_response.service) > 3


@pytest.mark.parametrize("typed", [CODE, "K3F9XA2M", " k3f9 xa2m", "k3f9-xa2m-0000-1111-2222-3333"])
async def test_code_ignores_case_and_separators(database: Path, typed: str) -> None:
    async with (
        closed(database, ServerAccess(code=CODE)) as server,
        grpc.aio.insecure_channel(address(server)) as channel,
    ):
        service, method = CALLS[0]
        assert await within(raw(channel, service, method, (("vinci-access", typed),)))


async def test_only_the_exact_password_is_accepted(database: Path) -> None:
    async with closed(database, ServerAccess(password=PASSWORD)) as server:
        assert (await info(server, Key(password=PASSWORD))).version
        assert (await info_refused(server, Key(password=PASSWORD.lower()))).reason == "BAD_ACCESS"
        assert (await info_refused(server, Key(code=CODE))).reason == "BAD_ACCESS"
        error = await info_refused(server, Key())
        assert (error.reason, error.facts["needs"]) == ("NO_ACCESS", "password")


async def test_seat_token_needs_the_code_as_well(database: Path) -> None:
    async with closed(database, ServerAccess(code=CODE)) as server, Session(address(server), Key(CODE)) as session:
        made = await session.create(lobby_pb2.CreateMatchRequest(seats=[HUMAN] * 3, board="tiny"))
        joined = await session.join(made.match.match_id)
        leave = lobby_pb2.LeaveMatchRequest(match_id=made.match.match_id)
        error = await refused(session.lobby.LeaveMatch(leave, metadata=bearer(joined.seat_token)))
        assert error.reason == "NO_ACCESS"
        answer = await session.call(session.lobby.LeaveMatch, leave, joined.seat_token)
        assert not answer.match.seats[0].taken


async def test_open_server_ignores_a_code(server: Server) -> None:
    for key in (Key(), Key(CODE), Key(password="x")):
        assert (await info(server, key)).version


@pytest.mark.parametrize("is_code", [True, False])
async def test_too_many_wrong_codes_delay_their_sender(database: Path, is_code: bool) -> None:
    access = ServerAccess(code=CODE) if is_code else ServerAccess(password=CODE)
    service, method = CALLS[0]
    own = (("grpc.use_local_subchannel_pool", 1),)
    async with (
        closed(database, access, Limits(wrong_codes_per_minute=3)) as server,
        grpc.aio.insecure_channel(address(server), options=own) as channel,
        grpc.aio.insecure_channel(address(server), options=own) as connected,
        grpc.aio.insecure_channel(address(server), options=own) as other,
    ):

        async def tried(channel: Any, guess: str) -> ServerRefused:
            return await refused(raw(channel, service, method, (("vinci-access", guess),)))

        assert await raw(connected, service, method, (("vinci-access", CODE),))
        for number in range(3):
            assert (await tried(channel, f"wrong{number}")).reason == "BAD_ACCESS"
        assert await raw(connected, service, method, (("vinci-access", CODE),))
        late = [await tried(channel, "wrong")]
        if is_code:
            assert await raw(other, service, method, (("vinci-access", CODE),))
        else:
            late.append(await tried(other, CODE))
            assert (await tried(connected, "wrong")).reason == "RATE_LIMITED"
            late.append(await tried(connected, CODE))  # the connection guesses
        for error in late:
            assert (error.reason, error.facts["limit"]) == ("RATE_LIMITED", "wrong_codes_per_minute")
            assert 0 < float(error.facts["retry_after"]) <= 20


async def test_missing_codes_do_not_count_as_wrong(database: Path) -> None:
    limits = Limits(wrong_codes_per_minute=1)
    async with closed(database, ServerAccess(code=CODE), limits) as server:
        for _ in range(3):
            assert (await info_refused(server, Key())).reason == "NO_ACCESS"
        assert (await info(server, Key(CODE))).version


async def test_log_of_a_wrong_code_has_its_host_only(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with closed(database, ServerAccess(code=CODE)) as server:
        await info_refused(server, Key("0000-zzzz"))
    written = "".join(capsys.readouterr())
    assert "wrong code" in written
    assert "127.0.0.1" in written
    for secret in ("0000", CODE, CODE.replace("-", "")):
        assert secret not in written


@pytest.mark.parametrize("password", ["schön", "x" * 65, " x", "x ", "tab\t"])
def test_invalid_password_is_refused(password: str) -> None:
    with pytest.raises(UnusablePassword, match="64 printable ASCII"):
        ServerAccess(password=password)


def test_code_is_created_once_in_a_private_file(database: Path) -> None:
    code = join_code(database, None)
    assert join_code(database, None) == code
    assert [len(group) for group in code.split("-")] == [4, 4]
    assert stat.S_IMODE(database.with_suffix(".code").stat().st_mode) == 0o600
    assert join_code(database.with_name("other.db"), None) != code


@pytest.mark.parametrize("kept", [b"", b"short\n", b"\xff" * 8, b"UPPERCAS\n"])
def test_file_without_a_code_gets_one(database: Path, kept: bytes) -> None:
    database.with_suffix(".code").write_bytes(kept)
    code = join_code(database, None).replace("-", "")
    assert len(code) == 8
    assert set(code) <= set(LETTERS)
    assert join_code(database, None).replace("-", "") == code


def test_certificate_is_created_once_with_its_fingerprint_in_the_code(database: Path) -> None:
    own = certificate.own(database)
    assert certificate.own(database) == own
    assert stat.S_IMODE(database.with_suffix(".pem").stat().st_mode) == 0o600
    code = join_code(database, own)
    assert [len(group) for group in code.split("-")] == [4] * 6
    assert code.startswith(join_code(database, None))
    assert code.replace("-", "").endswith(own.fingerprint())
    assert certificate.own(database.with_name("other.db")).fingerprint() != own.fingerprint()


@pytest.mark.parametrize("kept", [b"", b"junk", b"-----BEGIN CERTIFICATE-----\njunk"])
def test_damaged_own_certificate_is_named_and_left_alone(database: Path, kept: bytes) -> None:
    path = database.with_suffix(".pem")
    path.write_bytes(kept)
    with pytest.raises(certificate.BadCertificate, match=f"{path.name}.*remove it"):
        certificate.own(database)
    assert path.read_bytes() == kept


def test_unusable_given_certificates_are_named(tmp_path: Path) -> None:
    files = signed(tmp_path, "one")
    other = signed(tmp_path, "two")
    locked = signed(tmp_path, "locked", passphrase=b"secret")
    for chain, key, expected in (
        (tmp_path / "none", files.key, "none cannot be read"),
        (files.chain, tmp_path / "none", "none cannot be read"),
        (files.key, files.key, "is no certificate in PEM"),
        (files.chain, other.key, "is not the one of the certificate"),
        (files.chain, files.chain, "has no private key"),
        (locked.chain, locked.key, "without a passphrase"),
    ):
        with pytest.raises(certificate.BadCertificate, match=expected):
            certificate.given(chain, key)


async def test_full_code_gives_access_with_a_self_signed_certificate(database: Path) -> None:
    own = certificate.own(database)
    code = join_code(database, own)
    async with closed(database, ServerAccess(code=code, certificate=own)) as server:
        assert (await info(server, Key(code))).version
        async with Session(address(server), Key(code.upper().replace("-", " "))) as session:
            made = await create_with(session)
            watching = session.watch(made.match_id)
            assert (await within(anext(watching))).match.match_id == made.match_id


async def create_with(session: Session) -> lobby_pb2.Match:
    """Create a match in a session with the code."""
    return (await session.create(lobby_pb2.CreateMatchRequest(seats=[HUMAN] * 3, board="tiny"))).match


async def test_server_with_another_certificate_gets_no_data(database: Path) -> None:
    own = certificate.own(database)
    secret = join_code(database, None)
    async with closed(database, ServerAccess(code=secret, certificate=own)) as server:
        error = await info_refused(server, Key(f"{secret}-0000-0000-0000-0000"))
    assert error.reason == "WRONG_SERVER"
    assert "another certificate than the one that the join code names" in error.message


async def test_server_without_tls_is_refused_with_a_full_code(database: Path) -> None:
    async with closed(database, ServerAccess(code=CODE)) as server:
        error = await info_refused(server, Key(f"{CODE}-0000-0000-0000-0000"))
        assert (error.reason, "does not use TLS" in error.message) == ("WRONG_SERVER", True)
        error = await info_refused(server, Key(CODE, tls=SYSTEM))
        assert (error.reason, "does not use TLS" in error.message) == ("WRONG_SERVER", True)


async def test_client_without_tls_recognises_a_tls_server(database: Path) -> None:
    own = certificate.own(database)
    async with closed(database, ServerAccess(code=join_code(database, own), certificate=own)) as server:
        for key in (Key(), Key(join_code(database, None))):
            error = await info_refused(server, key)
            assert (error.reason, error.facts["needs"]) == ("NEEDS_TLS", "code")


async def test_given_certificate_is_trusted_through_its_authority(database: Path, tmp_path: Path) -> None:
    files = signed(tmp_path, "localhost")
    given = certificate.given(files.chain, files.key)
    assert given.names() == ["localhost"]
    async with closed(database, ServerAccess(password="x", certificate=given)) as server:
        key = Key(password="x", tls=str(files.authority))
        async with Session(f"localhost:{server.port}", key) as session:
            assert (await within(session.call(session.lobby.GetServerInfo, INFO))).version
        error = await info_refused(server, key)  # at 127.0.0.1, which the certificate does not name
        assert error.reason == "WRONG_SERVER"
        async with Session(f"localhost:{server.port}", Key(password="x", tls=SYSTEM)) as session:
            with pytest.raises(ServerRefused, match="is not trusted here"):
                await within(session.call(session.lobby.GetServerInfo, INFO))


async def test_bot_needs_the_code(database: Path) -> None:
    async with closed(database, ServerAccess(code=CODE)) as server, bot_stream(server) as ada:
        error = await refused(ada.hello())
        assert error.reason == "NO_ACCESS"
