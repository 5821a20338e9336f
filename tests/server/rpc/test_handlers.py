"""Common behaviour of all calls: unparsable bytes, size limits, error status, health and reflection."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from tests.support.server.in_process import HUMAN, SOON, address, bot_stream, create, refused, table
from vinci.v1 import admin_pb2, bot_pb2, game_pb2, lobby_pb2, match_pb2, person_pb2
from vinci_client.errors import ServerRefused, from_rpc
from vinci_client.session import Session
from vinci_refusals.catalogue import REASONS
from vinci_server.app import Server
from vinci_server.errors import ServiceError

SERVICES = {
    file.services_by_name[name].full_name: file.services_by_name[name]
    for file, name in (
        (lobby_pb2.DESCRIPTOR, "LobbyService"),
        (match_pb2.DESCRIPTOR, "MatchService"),
        (person_pb2.DESCRIPTOR, "PersonService"),
        (bot_pb2.DESCRIPTOR, "BotService"),
        (admin_pb2.DESCRIPTOR, "AdminService"),
    )
}
CALLS = [(service.full_name, method) for service in SERVICES.values() for method in service.methods]
REQUEST: Any = reflection_pb2.ServerReflectionRequest
GARBAGE = b"\xff\xff\xff\xff"


@pytest.fixture
async def channel(server: Server) -> AsyncIterator[Any]:
    """Open a bare channel to the server."""
    async with grpc.aio.insecure_channel(address(server)) as channel:
        yield channel


async def raw(channel: Any, service: str, method: Any, data: bytes) -> bytes:
    """Return the first answer to a call with these bytes as request."""
    path = f"/{service}/{method.name}"
    call: Any
    if method.client_streaming:
        call = channel.stream_stream(path)()
        await call.write(data)
        return bytes(await call.read())
    if method.server_streaming:
        return bytes(await channel.unary_stream(path)(data).read())
    return bytes(await channel.unary_unary(path)(data))


@pytest.mark.parametrize(("service", "method"), CALLS, ids=lambda value: getattr(value, "name", ""))
async def test_unparsable_request_is_an_invalid_argument(channel: Any, service: str, method: Any) -> None:
    async def call() -> bytes:
        return await raw(channel, service, method, GARBAGE)

    error = await refused(call())
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")


@pytest.mark.parametrize(("service", "method"), CALLS, ids=lambda value: getattr(value, "name", ""))
async def test_empty_request_is_answered_or_refused_with_a_reason(channel: Any, service: str, method: Any) -> None:
    try:
        async with asyncio.timeout(SOON):
            await raw(channel, service, method, b"")
    except grpc.aio.AioRpcError as caught:
        failure = from_rpc(caught, "")
        assert isinstance(failure, ServerRefused)
        assert failure.reason not in ("", "INTERNAL")


async def test_unknown_fields_are_ignored(channel: Any) -> None:
    unknown = b"\xaa\x3e\x03new"  # field 997, three bytes
    info = next(method for _, method in CALLS if method.name == "GetServerInfo")
    data = await raw(channel, "vinci.v1.LobbyService", info, unknown)
    assert lobby_pb2.GetServerInfoResponse.FromString(data).version


async def test_refusal_has_a_status_and_an_error_info(session: Session) -> None:
    at = await table(session)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await at.act(1, "x GOR")
    details: list[Any] = [
        value for key, value in caught.value.trailing_metadata() or () if key == "grpc-status-details-bin"
    ]
    status = status_pb2.Status.FromString(bytes(details[0]))
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (info.domain, info.reason, info.metadata["rule"]) == ("vinci", "ILLEGAL_ACTION", "R-CONQ-1")
    assert (status.code, status.message) == (caught.value.code().value[0], caught.value.details())


@pytest.mark.parametrize(
    ("reason", "facts", "milliseconds"),
    [
        ("RATE_LIMITED", {"retry_after": "2.340"}, 2340),
        ("SHUTTING_DOWN", {}, 1000),
        ("STORE_FAILED", {}, 1000),
        ("SLOW_WATCHER", {}, 1000),
        ("BAD_SEAT", {}, None),
    ],
)
def test_temporary_refusal_has_a_retry_info(reason: str, facts: dict[str, str], milliseconds: int | None) -> None:
    """Retry policies of gRPC libraries use a `RetryInfo`."""
    ((_, data),) = ServiceError(reason, **facts).trailing_metadata()
    _, *others = status_pb2.Status.FromString(data).details
    retry_info = error_details_pb2.RetryInfo()
    delays = [retry_info.retry_delay.ToMilliseconds() for detail in others if detail.Unpack(retry_info)]
    assert delays == ([] if milliseconds is None else [milliseconds])


@pytest.mark.parametrize("long", ["x" * 100_000, "é" * 50_000, "\U0001f600" * 20_000, "\n" * 100_000])
async def test_long_text_in_any_field_is_refused_with_a_short_answer(session: Session, long: str) -> None:
    options = game_pb2.Options
    for call in (
        session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id=long)),
        session.lobby.GetBoard(lobby_pb2.GetBoardRequest(name=long)),
        session.lobby.ListMatches(lobby_pb2.ListMatchesRequest(page_token=long)),
        create(session, HUMAN, HUMAN, HUMAN, board=long),
        create(session, HUMAN, HUMAN, HUMAN, seed=long),
        create(session, position=long),
        create(session, position=f"tiny; seat 1 | {long}"),
        create(session, HUMAN, HUMAN, HUMAN, options=options(edition=long)),
        create(session, HUMAN, HUMAN, HUMAN, options=options(settings={long: "1"})),
        create(session, HUMAN, HUMAN, HUMAN, options=options(settings={"target": long})),
    ):
        error = await refused(call)
        assert error.code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND)


async def test_long_answer_of_a_bot_is_refused_and_the_stream_continues(server: Server, session: Session) -> None:
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        for _ in range(2):
            await ada.answer(bot_pb2.Decision(match_id="x" * 100_000, seat=1), "x" * 100_000)
            assert (await ada.next()).refused.refusal.reason == "NOT_YOUR_SEAT"


async def test_internal_error_is_reported_without_its_text(
    session: Session, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_name: str) -> None:
        raise RuntimeError("secret of the server")

    monkeypatch.setattr("vinci_server.rpc.services.lobby_service.load_board", fail)
    error = await refused(session.lobby.GetBoard(lobby_pb2.GetBoardRequest()))
    assert (error.code, error.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "secret" not in error.message
    assert "secret of the server" in "".join(capsys.readouterr())
    assert (await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())).version


def test_every_reason_has_a_status() -> None:
    codes = {name: ServiceError(name).code for name, reason in REASONS.items() if reason.status}
    assert grpc.StatusCode.OK not in codes.values()
    assert [reason for reason, code in codes.items() if code is grpc.StatusCode.UNAVAILABLE] == ["SHUTTING_DOWN"]


async def test_health_of_the_server_and_each_service(channel: Any) -> None:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    for name in ("", *SERVICES):
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


REFLECTION = {f"grpc.reflection.{version}.ServerReflection" for version in ("v1", "v1alpha")}


@pytest.mark.parametrize("reflection", sorted(REFLECTION))
async def test_reflection_lists_the_services_and_describes_them(channel: Any, reflection: str) -> None:
    call = channel.stream_stream(
        f"/{reflection}/ServerReflectionInfo",
        REQUEST.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    wanted = [REQUEST(list_services=""), *[REQUEST(file_containing_symbol=name) for name in (*SERVICES, *REFLECTION)]]
    listed, *described = [answer async for answer in call(iter(wanted))]
    names = {service.name for service in listed.list_services_response.service}
    assert names == {*SERVICES, *REFLECTION, "grpc.health.v1.Health"}
    for answer, name in zip(described, (*SERVICES, *REFLECTION), strict=True):
        file = FileDescriptorProto.FromString(answer.file_descriptor_response.file_descriptor_proto[0])
        assert name in [f"{file.package}.{service.name}" for service in file.service]


async def test_unknown_call_is_unimplemented(channel: Any) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await channel.unary_unary("/vinci.v1.LobbyService/Undo")(b"")
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
