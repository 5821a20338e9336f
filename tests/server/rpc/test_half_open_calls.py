"""Calls without a message, and health streams: limits per host, and memory of the server."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.support.processes.vinci_process import Vinci
from tests.support.server.in_process import SOON, address, eventually, refused, within
from vinci.v1 import lobby_pb2
from vinci_server.app import Server
from vinci_server.limits import Limits
from vinci_server.rpc import handlers
from vinci_server.rpc.access import ServerAccess

GET_MATCH = "/vinci.v1.LobbyService/GetMatch"
CALLS = (GET_MATCH, "/vinci.v1.MatchService/Watch", "/vinci.v1.BotService/Play", "/grpc.health.v1.Health/Check")
REQUEST = lobby_pb2.GetMatchRequest(match_id="nothere").SerializeToString()
MOST_MEGABYTES = 30


@asynccontextmanager
async def limited(
    database: Path, access: ServerAccess | None = None, **numbers: int
) -> AsyncIterator[tuple[Server, Any]]:
    """Start a server with these limits, and open a channel to it."""
    server = await Server.start("127.0.0.1", 0, database, access=access or ServerAccess(), limits=Limits(**numbers))
    try:
        async with grpc.aio.insecure_channel(address(server)) as channel:
            yield server, channel
    finally:
        await server.stop()


def half_open(channel: Any, path: str = GET_MATCH) -> Any:
    """Start a call without sending its message."""
    return channel.stream_stream(path)()


async def all_wait(server: Server, number: int) -> None:
    """Wait until the server has a number of calls that wait for their first message."""
    peer = server.admission.traffic.peer("ipv4:127.0.0.1:1")
    await eventually(lambda: peer.waiting == number)


def watch_health(channel: Any, service: str = "") -> Any:
    """Open a stream of the health of a service."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    return stub.Watch(health_pb2.HealthCheckRequest(service=service))


@pytest.mark.parametrize("path", CALLS)
async def test_call_without_a_message_is_refused_in_time(
    database: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(handlers, "FIRST_MESSAGE_SECONDS", 0.2)
    async with limited(database) as (_, channel):
        error = await refused(half_open(channel, path).read())
        assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
        assert "no message came" in error.message


async def test_call_closed_without_a_message_is_refused(database: Path) -> None:
    async with limited(database) as (_, channel):
        call = half_open(channel)
        await call.done_writing()
        assert "ended without a message" in (await refused(call.read())).message


@pytest.mark.parametrize("path", CALLS)
async def test_half_open_calls_are_limited(database: Path, path: str) -> None:
    async with limited(database, waiting_calls_per_peer=3) as (server, channel):
        waiting = [half_open(channel) for _ in range(3)]
        await all_wait(server, 3)
        error = await refused(half_open(channel, path).read())
        assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
        assert error.facts["limit"] == "waiting_calls_per_peer"
        await waiting[0].write(REQUEST)
        assert (await refused(waiting[0].read())).reason == "UNKNOWN_MATCH"
        answered = half_open(channel)
        await answered.write(REQUEST)
        assert (await refused(answered.read())).reason == "UNKNOWN_MATCH"
        for call in waiting:
            call.cancel()


@pytest.mark.parametrize("path", CALLS[:3])
async def test_access_is_checked_before_the_message(database: Path, path: str) -> None:
    async with limited(database, ServerAccess(password="swordfish")) as (_, channel):
        assert (await refused(half_open(channel, path).read())).reason == "NO_ACCESS"


async def test_calls_per_connection_are_limited_by_the_host_limit(database: Path) -> None:
    async with limited(database, streams_per_peer=2, waiting_calls_per_peer=1) as (server, channel):
        streams = []
        for _ in range(2):  # one after the other, so that no two wait for their message
            streams.append(watch_health(channel))
            await within(streams[-1].read())
        waiting = half_open(channel)
        await all_wait(server, 1)
        further = watch_health(channel)
        with pytest.raises(TimeoutError):  # the connection takes no further call as long as these are open
            await asyncio.wait_for(asyncio.shield(asyncio.ensure_future(further.read())), 0.5)
        waiting.cancel()
        streams[0].cancel()


async def test_health_streams_count_towards_the_host_limit(database: Path) -> None:
    async with limited(database, ServerAccess(password="swordfish"), streams_per_peer=2) as (_, channel):
        streams = [watch_health(channel) for _ in range(2)]
        for stream in streams:
            assert (await within(stream.read())).status == health_pb2.HealthCheckResponse.SERVING
        error = await refused(watch_health(channel).read())
        assert (error.reason, error.facts["limit"]) == ("TOO_MANY_STREAMS", "streams_per_peer")
        streams[0].cancel()
        async with asyncio.timeout(SOON):
            while True:
                try:
                    assert (await watch_health(channel).read()).status == health_pb2.HealthCheckResponse.SERVING
                    break
                except grpc.aio.AioRpcError:
                    await asyncio.sleep(0.01)


async def test_health_watcher_is_notified_after_another_has_left(server: Server) -> None:
    async with grpc.aio.insecure_channel(address(server)) as channel:
        leaving, stays = watch_health(channel, "vinci.v1.LobbyService"), watch_health(channel, "vinci.v1.LobbyService")
        await within(leaving.read())
        await within(stays.read())
        leaving.cancel()
        await asyncio.sleep(0.2)
        await server._drain(True)
        assert (await within(stays.read())).status == health_pb2.HealthCheckResponse.NOT_SERVING
        unknown = watch_health(channel, "nobody")
        assert (await within(unknown.read())).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


async def growth(home: Path, calls: int, connections: int, path: str, *arguments: str) -> float:
    """Return the megabytes by which half-open calls of one host enlarge the server."""
    with Vinci(home, "serve", "--port", "0", "--db", str(home / "games.db"), *arguments) as server:
        port = re.sub(r".*:", "", server.line("listening on"))
        process = psutil.Process(server.pid)
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with AsyncExitStack() as stack:
            channels = [
                await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{port}", options))
                for _ in range(connections)
            ]
            for channel in channels:
                await channel.channel_ready()
            before = process.memory_info().rss
            held = []
            for number in range(calls):
                held.append(half_open(channels[number % connections], path))
                if (
                    number % 100 == 99
                ):  # no faster than the server takes them, since it is not the backlog that is measured
                    stub: Any = health_pb2_grpc.HealthStub(channels[0])
                    with suppress(grpc.aio.AioRpcError):  # by then this is one too many
                        await stub.Check(health_pb2.HealthCheckRequest())
            await asyncio.sleep(1)
            after = process.memory_info().rss
            assert server.lives
            for call in held:
                call.cancel()
        return (after - before) / 1e6


async def test_half_open_calls_cost_little_memory(tmp_path: Path) -> None:
    assert await growth(tmp_path, 2_000, 4, GET_MATCH) < MOST_MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "arguments"), [(CALLS[0], ()), (CALLS[2], ()), (CALLS[0], ("--password", "swordfish"))]
)
async def test_many_half_open_calls_cost_little_memory(tmp_path: Path, path: str, arguments: tuple[str, ...]) -> None:
    assert await growth(tmp_path, 20_000, 20, path, *arguments) < MOST_MEGABYTES
