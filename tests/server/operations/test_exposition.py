"""Prometheus metrics of a real server: counters of events and gauges of the current state."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import re
import socket
import time
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.paths import DOCS
from tests.support.server.in_process import (
    EASY,
    HUMAN,
    SOON,
    Table,
    address,
    bot_seat,
    bot_stream,
    create,
    refused,
    table,
    updates,
)
from vinci.v1 import bot_pb2, game_pb2, lobby_pb2
from vinci_client.session import Session
from vinci_refusals.catalogue import REASONS
from vinci_server.app import Server
from vinci_server.rpc.listener import AddressError

THREE = (HUMAN, HUMAN, HUMAN)


@pytest.fixture
async def server(database: Path) -> AsyncIterator[Server]:
    """Start a server with metrics."""
    server = await Server.start("127.0.0.1", 0, database, metrics_at=("127.0.0.1", 0))
    yield server
    await server.stop()


@pytest.fixture
async def session(server: Server) -> AsyncIterator[Session]:
    """Open a session with it."""
    async with Session(address(server)) as session:
        yield session


def scrape(server: Server) -> dict[str, float]:
    """Return all samples by name and labels, as in `vinci_matches{status=open}`."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.metrics_port}/metrics", timeout=SOON) as page:
        text = page.read().decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    named = {}
    for name, labels, value, *_ in samples:
        label_text = ",".join(f"{key}={labels[key]}" for key in sorted(labels))
        named[f"{name}{{{label_text}}}" if label_text else name] = value
    return named


async def figures(server: Server) -> dict[str, float]:
    """Return the samples, scraped in a thread while the server runs in this loop."""
    return await asyncio.to_thread(scrape, server)


async def becomes(server: Server, name: str, wanted: float) -> None:
    """Wait until a sample has a value; the end of a stream is counted slightly after the client knows of it."""
    async with asyncio.timeout(SOON):
        while (await figures(server)).get(name) != wanted:
            await asyncio.sleep(0.01)


async def test_matches_are_counted_by_status(server: Server, session: Session) -> None:
    before = await figures(server)
    assert [before[f"vinci_matches{{status={name}}}"] for name in ("open", "running", "over")] == [0, 0, 0]
    await create(session, *THREE)
    await table(session, EASY)
    after = await figures(server)
    assert [after[f"vinci_matches{{status={name}}}"] for name in ("open", "running", "over")] == [1, 1, 0]
    assert after["vinci_matches_awake"] == 2


async def test_loop_lag_and_cpu_time_of_hosts(server: Server, session: Session) -> None:
    await create(session, *THREE)
    time.sleep(0.15)  # the loop stands still
    await asyncio.sleep(0.2)
    seen = await figures(server)
    late = seen["vinci_event_loop_lag_seconds_count"] - seen["vinci_event_loop_lag_seconds_bucket{le=0.025}"]
    assert late >= 1
    assert 0 < seen["vinci_charged_cpu_seconds_total"] < 10


async def test_actions_are_counted_by_kind_of_actor(server: Server, session: Session) -> None:
    made = await table(session, EASY)
    await made.act(1, "x FEN", "x COL")
    await made.act(1, "x FEN", "x COL")  # the same request again plays nothing
    seen = await figures(server)
    assert seen["vinci_actions_total{by=player}"] == 2
    assert seen["vinci_actions_total{by=dummy}"] == 0


async def test_refusals_are_counted_by_reason_and_calls_by_status(server: Server, session: Session) -> None:
    made = await table(session, EASY)
    await refused(made.act(2, "hold COL=5"))
    await refused(Table(session, made.match_id, "", ("wrong",)).act(1, "x FEN"))
    seen = await figures(server)
    assert seen["vinci_refusals_total{reason=NOT_YOUR_TURN}"] == 1
    assert seen["vinci_refusals_total{reason=BAD_TOKEN}"] == 1
    call = "grpc_method=Act,grpc_service=vinci.v1.MatchService,grpc_type=unary"
    assert seen[f"grpc_server_handled_total{{grpc_code=UNAUTHENTICATED,{call}}}"] == 1
    assert seen[f"grpc_server_handling_seconds_count{{{call}}}"] == 2
    reasons = {name.partition("reason=")[2].rstrip("}") for name in seen if name.startswith("vinci_refusals_total")}
    assert reasons <= set(REASONS)


async def test_watchers_seats_and_streams_are_counted(server: Server, session: Session) -> None:
    made = await table(session, EASY)
    player, guest = made.watch(token=made.tokens[0]), made.watch()
    for stream in (player, guest):
        await updates(stream, 1)
    seen = await figures(server)
    assert (seen["vinci_watchers"], seen["vinci_seats_connected"]) == (2, 1)
    call = "grpc_method=Watch,grpc_service=vinci.v1.MatchService,grpc_type=server_stream"
    assert seen[f"grpc_server_started_total{{{call}}}"] == 2
    for stream in (player, guest):
        stream.cancel()
    await becomes(server, f"grpc_server_handled_total{{grpc_code=CANCELLED,{call}}}", 2)
    await becomes(server, "vinci_watchers", 0)
    assert (await figures(server))["vinci_seats_connected"] == 0


async def test_bots_and_their_refused_answers_are_counted(server: Server, session: Session) -> None:
    await create(session, bot_seat("ada"), bot_seat("eve"), bot_seat("eve"), start_when_full=True, seed="1")
    async with bot_stream(server) as bot:
        await bot.hello("ada")
        assert (await bot.next()).HasField("seated")
        assert (await figures(server))["vinci_bots_connected"] == 1
        answer = bot_pb2.Answer(match_id="elsewhere", seat=1, actions=[game_pb2.Action(notation="decline")])
        await bot.send(bot_pb2.PlayRequest(answer=answer))
        await becomes(server, "vinci_refusals_total{reason=NOT_YOUR_SEAT}", 1)
        assert (await figures(server))["vinci_seats_connected"] == 1
    await becomes(server, "vinci_bots_connected", 0)


async def test_commits_are_timed_and_jobs_counted(server: Server, session: Session) -> None:
    before = await figures(server)
    await create(session, *THREE)
    after = await figures(server)
    commits = after["vinci_store_commit_seconds_count"] - before["vinci_store_commit_seconds_count"]
    jobs = after["vinci_store_commit_jobs_sum"] - before["vinci_store_commit_jobs_sum"]
    assert jobs >= commits >= 1
    assert after["vinci_store_bytes"] > 0


async def test_versions_and_start_time(server: Server, session: Session) -> None:
    info = await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())
    seen = await figures(server)
    assert seen[f"vinci_build_info{{engine_version={info.engine_version},version={info.version}}}"] == 1
    assert seen["process_start_time_seconds"] > 0


async def test_number_of_samples_does_not_grow_with_matches(server: Server, session: Session) -> None:
    await create(session, *THREE)
    before = len(await figures(server))
    for _ in range(5):
        await create(session, *THREE)
    assert len(await figures(server)) == before


async def test_metrics_port_in_use_is_named_and_releases_the_database(database: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(AddressError, match=f"metrics on 127.0.0.1 port {port}: .*; choose another --metrics,"):
            await Server.start("127.0.0.1", 0, database, metrics_at=("127.0.0.1", port))
    with pytest.raises(AddressError, match=r"metrics on 203\.0\.113\.1 port 7654: .*; name one .* with --metrics-host"):
        await Server.start("127.0.0.1", 0, database, metrics_at=("203.0.113.1", 7654))
    await (await Server.start("127.0.0.1", 0, database)).stop()


async def test_documented_metrics_exist(server: Server, session: Session) -> None:
    await refused(session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id="nosuchid")))
    page = (DOCS / "operations.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:vinci|process)_[a-z_]+[a-z]\b", page))
    there = {name.partition("{")[0] for name in await figures(server)}
    assert len(named) > 10
    assert named <= there
