"""Limits of entrants of a league: the usual ones for each host, and streams of a key; the organiser has none of calls."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.server.rpc.test_league_access import ENTRANTS, OWN, entrant, key_of, league
from tests.support.server.in_process import EASY, BotStream, address, bot_seat, eventually, refused
from vinci.v1 import bot_pb2, lobby_pb2
from vinci.v1.bot_pb2_grpc import BotServiceStub
from vinci.v1.lobby_pb2_grpc import LobbyServiceStub
from vinci_cli.serve.league import LIMITS
from vinci_client.access import Access
from vinci_client.errors import from_rpc
from vinci_server import limits as limits_module
from vinci_server.app import Server
from vinci_server.limits import BURST_SECONDS, USUAL, Limits, Traffic

BOARD = lobby_pb2.GetBoardRequest()
SLOW = replace(LIMITS, calls_per_second=2)


def test_only_limits_of_new_matches_are_lifted_for_a_league() -> None:
    usual = asdict(USUAL)
    assert {name for name, limit in asdict(LIMITS).items() if limit != usual[name]} == {
        "lag_milliseconds",
        "max_rounds",
        "target",
    }


async def test_stream_beyond_the_limit_of_a_key_is_refused_and_the_others_go_on(database: Path) -> None:
    async with league(database) as (server, session), AsyncExitStack() as stack:
        key, other_key = await key_of(session, database, "ann"), await key_of(session, database, "ben")
        streams = [await stack.enter_async_context(entrant(server)) for _ in range(USUAL.streams_per_key)]
        for stream in streams:
            await stream.hello("ann", key=key)
        async with entrant(server) as more, entrant(server) as ben:
            await more.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ann", key=key)))
            error = await refused(more.next())
            assert (error.reason, error.facts) == ("TOO_MANY_STREAMS", {"limit": "streams_per_key", "number": "32"})
            await ben.hello("ben", key=other_key)
        await eventually(lambda: server.offered_games() == {"ann": 32})
        await session.create(lobby_pb2.CreateMatchRequest(seats=[bot_seat("ann")] * 3, position=EASY, board="tiny"))
        assert [(await stream.next()).seated.seat for stream in streams[:3]] == [1, 2, 3]
        await streams[-1].done()
        await eventually(lambda: server.offered_games() == {"ann": 31})
        async with entrant(server) as again:
            await again.hello("ann", key=key)


async def test_streams_that_listen_count_and_those_with_seat_tokens_do_not(database: Path) -> None:
    async with league(database, limits=Limits(streams_per_key=1)) as (server, session), entrant(server) as ann:
        key = await key_of(session, database, "ann")
        made = await session.create(lobby_pb2.CreateMatchRequest(seats=[bot_seat("x")] * 3))
        tokens = [(await session.join(made.match.match_id, "ann", seat)).seat_token for seat in (1, 2)]
        await ann.hello("ann", key=key)
        async with entrant(server) as first, entrant(server) as second:
            for stream, token in ((first, tokens[0]), (second, tokens[1])):
                await stream.hello("ann", key=key, tokens=[token])
                assert (await stream.next()).HasField("seated")
        async with grpc.aio.insecure_channel(address(server)) as channel:
            request = bot_pb2.ListenRequest(hello=bot_pb2.Hello(name="ann", key=key))
            listening: Any = BotServiceStub(channel).Listen(request, metadata=Access(code=ENTRANTS).metadata())
            assert (await refused(listening.read())).facts["limit"] == "streams_per_key"


@asynccontextmanager
async def entrant_at(server: Server, host: str) -> AsyncIterator[BotStream]:
    """Open a stream of a bot that comes from a host."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(host, 0))
        await asyncio.gather(copy(reader, onward[1]), copy(onward[0], writer))

    relaying = await asyncio.start_server(relay, "127.0.0.1", 0)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{relaying.sockets[0].getsockname()[1]}") as channel:
        stream = BotStream(channel)
        stream._call = BotServiceStub(channel).Play(metadata=Access(code=ENTRANTS).metadata())
        yield stream
        stream.cancel()
    relaying.close()


async def flood(server: Server, answers: list[str]) -> None:
    """Call without end, as an entrant on this host; `answers` are the reasons of refusals, and empty for others."""
    async with grpc.aio.insecure_channel(address(server)) as channel:
        while True:
            try:
                await LobbyServiceStub(channel).GetBoard(BOARD, metadata=Access(code=ENTRANTS).metadata())
                answers.append("")
            except grpc.aio.AioRpcError as error:
                answers.append(from_rpc(error, "").reason)


@pytest.mark.skipif(sys.platform != "linux", reason="needs 127.0.0.2")
async def test_calls_in_a_loop_are_refused_while_a_bot_on_another_host_plays(database: Path) -> None:
    async with league(database, limits=SLOW) as (server, session), entrant_at(server, "127.0.0.2") as ann:
        key, answers = await key_of(session, database, "ann"), list[str]()
        flooding = asyncio.create_task(flood(server, answers))
        await eventually(lambda: answers.count("RATE_LIMITED") > 50)
        await ann.hello("ann", key=key, games=3)
        seats = [bot_seat("ann")] * 3
        await session.create(
            lobby_pb2.CreateMatchRequest(seats=seats, position=EASY, board="tiny", start_when_full=True)
        )
        for _ in seats:
            assert (await ann.next()).HasField("seated")
        await ann.answer(await ann.decision(), "hold ARA=10")
        assert (await ann.decision()).seat == 2
        for _ in range(10 * BURST_SECONDS):  # the organiser's calls, from the same host as the others
            assert (await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())).version
        flooding.cancel()
        refused_ones = answers[2 * BURST_SECONDS :]
        assert refused_ones.count("RATE_LIMITED") > 0.9 * len(refused_ones)


async def test_connection_without_limits_has_them_again_with_the_code_of_entrants(database: Path) -> None:
    async with league(database, limits=SLOW) as (server, _), grpc.aio.insecure_channel(address(server)) as channel:
        board = LobbyServiceStub(channel).GetBoard
        for _ in range(10 * BURST_SECONDS):
            await board(BOARD, metadata=Access(code=OWN).metadata())

        async def loop() -> None:
            for _ in range(10 * BURST_SECONDS):
                await board(BOARD, metadata=Access(code=ENTRANTS).metadata())

        assert (await refused(loop())).reason == "RATE_LIMITED"


def test_clients_of_a_proxy_are_not_trusted_and_few_connections_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "MOST_TRUSTED", 1)
    traffic = Traffic(USUAL)
    for address_ in ("ipv4:10.0.0.1:0", "ipv4:10.0.0.1:1", "ipv4:10.0.0.1:2"):
        traffic.trust(address_, is_trusted=True)
    limited = traffic.peer("ipv4:10.0.0.1:0")
    assert traffic.peer("ipv4:10.0.0.1:1") is limited
    assert traffic.peer("ipv4:10.0.0.1:2") is not limited
