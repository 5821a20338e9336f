"""Long computations are sliced, so that calls of other hosts, and other calls of the same host, are answered."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.event_loop import Rounds
from tests.support.server.in_process import (
    DUMMY,
    HUMAN,
    Table,
    address,
    all_updates,
    bot_seat,
    bot_stream,
    create,
    refused,
    within,
)
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.errors import ServiceError
from vinci_server.limits import BURST_SECONDS, Limits, Traffic
from vinci_server.match import slices
from vinci_server.match.log import history
from vinci_server.match.match import Match
from vinci_server.match.slices import listed
from vinci_server.metrics import Metrics
from vinci_server.rpc.access import OPEN
from vinci_server.rpc.admission import Admission, Payer
from vinci_server.rpc.bots import connected_bot
from vinci_server.rpc.bots.desk import BotDesk
from vinci_server.storage.store import Store

HERE = "ipv4:10.0.0.1:5000"
LONG = {"options": game_pb2.Options(settings={"target": "100"}), "seed": "7"}


def payer() -> Payer:
    """Return a host that is charged for CPU time."""
    admission = Admission(OPEN, Limits(), Metrics())
    context: Any = type("Context", (), {"peer": lambda _: HERE})()
    return admission.payer(context)


async def long_game(session: Session) -> Table:
    """Play a game of dummies to its end."""
    made = await create(session, DUMMY, DUMMY, DUMMY, DUMMY, start_when_full=True, board="europe", **LONG)
    at = Table(session, made.match.match_id, made.host_token, ())
    await all_updates(at.watch(0))
    return at


async def test_one_slice_of_all_computations_runs_per_loop_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0)
    async with Rounds() as rounds:

        def steps() -> Iterator[int]:
            for number in range(20):
                rounds.step()
                yield number

        results = await within(asyncio.gather(*(listed(steps()) for _ in range(40))))
    assert results == [list(range(20))] * 40
    assert rounds.most == 1


async def test_history_of_forty_readers_is_replayed_in_slices(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await long_game(session)
    revision = (await at.get()).revision
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0)
    original = history.GameReplay.replay
    async with Rounds() as rounds:

        def counted(*arguments: Any) -> Any:
            rounds.step()
            return original(*arguments)

        monkeypatch.setattr(history.GameReplay, "replay", counted)
        histories = await within(asyncio.gather(*(all_updates(at.watch(0)) for _ in range(40))))
    assert all([update.revision for update in one] == list(range(revision + 1)) for one in histories)
    assert rounds.most == 1


async def test_sleeping_match_is_read_once_for_all_requests(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN)
    server.lobby.rest(seconds=0, awake=0)
    reads = []
    load = Store.load

    async def counted(store: Store, match_id: str) -> Any:
        reads.append(match_id)
        return await load(store, match_id)

    monkeypatch.setattr(Store, "load", counted)
    request = lobby_pb2.GetMatchRequest(match_id=made.match.match_id)
    await asyncio.gather(*(session.lobby.GetMatch(request) for _ in range(40)))
    assert reads == [made.match.match_id]


async def test_host_is_charged_for_computing_not_for_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    host = payer()

    async def work() -> str:
        begin = time.perf_counter()
        while time.perf_counter() - begin < 0.002:
            pass
        await asyncio.sleep(0.5)
        return "done"

    charged: list[float] = []
    monkeypatch.setattr(host, "charge", charged.append)
    assert await host.pay(work()) == "done"
    assert 0.002 <= sum(charged) < 0.4


async def test_charged_coroutine_can_fail_and_be_cancelled() -> None:
    host = payer()

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        await host.pay(fails())
    ended = []

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    task = asyncio.create_task(host.pay(waits()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == [True]


def test_other_calls_of_a_host_are_admitted_during_its_computation() -> None:
    now = 0.0
    traffic = Traffic(Limits(cpu_milliseconds_per_second=100), lambda: now)
    peer = traffic.call(HERE)
    allowance = BURST_SECONDS * 0.1
    peer.cpu.charge(0.6 * allowance, 0)
    assert traffic.credit(peer) == pytest.approx(0.1 * allowance / 0.1)
    assert traffic.call(HERE) is peer
    peer.cpu.charge(0.5 * allowance, 0)
    with pytest.raises(ServiceError) as caught:
        traffic.call(HERE)
    facts = {"limit": "cpu_milliseconds_per_second", "number": "100", "retry_after": "0.500"}
    assert (caught.value.reason, caught.value.facts) == ("RATE_LIMITED", facts)
    assert traffic.call("ipv4:10.0.0.2:1")
    now = 0.51
    assert traffic.call(HERE) is peer


async def test_host_above_its_cpu_limit_is_refused(database: Path) -> None:
    server = await Server.start("127.0.0.1", 0, database, limits=Limits(cpu_milliseconds_per_second=1))
    try:
        async with Session(address(server)) as session:
            await create(session, HUMAN, HUMAN, HUMAN)

            async def ask() -> None:
                while True:
                    await session.lobby.ListTraits(lobby_pb2.ListTraitsRequest())

            error = await refused(ask())
            assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
            assert error.facts["limit"] == "cpu_milliseconds_per_second"
    finally:
        await server.stop()


async def test_record_and_times_of_a_long_game_are_computed_in_slices(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await long_game(session)
    record = await at.record()
    times = await session.match.GetTimes(match_pb2.GetTimesRequest(match_id=at.match_id))
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0)
    seen: list[int] = []
    slice_ = slices._slice

    def counted(iterator: Any) -> Any:
        seen.append(1)
        return slice_(iterator)

    monkeypatch.setattr(slices, "_slice", counted)
    assert await at.record() == record
    assert len(seen) > len(record) / 2
    assert await session.match.GetTimes(match_pb2.GetTimesRequest(match_id=at.match_id)) == times


async def test_sleeping_matches_are_offered_to_a_bot_one_per_loop_iteration(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(30):
        await create(session, bot_seat("ada"), HUMAN, HUMAN)
    server.lobby.rest(seconds=0, awake=0)
    assert not any(match.is_awake for match in server.lobby.known())
    fill = BotDesk._fill
    async with Rounds() as rounds, bot_stream(server) as ada:

        def counted(desk: BotDesk, match: Match, *arguments: Any) -> Any:
            rounds.step()
            return fill(desk, match, *arguments)

        monkeypatch.setattr(BotDesk, "_fill", counted)
        await ada.hello(games=4_000_000_000)
        seated = {(await ada.next()).seated.match.match_id for _ in range(30)}
    assert len(seated) == 30
    assert rounds.most == 1


async def test_games_per_bot_are_limited(server: Server, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connected_bot, "MOST_GAMES", 2)
    for _ in range(4):
        await create(session, bot_seat("ada"), HUMAN, HUMAN)
    async with bot_stream(server) as ada:
        await ada.hello(games=4_000_000_000)
        for _ in range(2):
            assert (await ada.next()).HasField("seated")
        await asyncio.sleep(0.1)
        assert [len(bot.games) for bot in server._desk.connected] == [2]


async def test_seat_tokens_per_bot_are_limited_to_64(server: Server, session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN)
    request = lobby_pb2.JoinMatchRequest(match_id=made.match.match_id)
    token = (await session.lobby.JoinMatch(request)).seat_token
    async with bot_stream(server) as ada, bot_stream(server) as eve:
        await ada.hello(tokens=[token] * 28_000)
        assert (await ada.next()).seated.seat == 1
        await eve.hello("eve", tokens=[f"{token}{number}" for number in range(65)])
        error = await refused(eve.next())
        assert (error.reason, error.facts["most"]) == ("BAD_TOKEN", "64")


async def test_versions_are_returned_when_no_file_can_be_opened(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(24, "Too many open files")

    version = (await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())).version
    async with bot_stream(server) as ada:
        monkeypatch.setattr("builtins.open", full)
        monkeypatch.setattr("io.open", full)
        monkeypatch.setattr("importlib.metadata.version", full)
        assert (await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())).version == version
        await ada.hello()
