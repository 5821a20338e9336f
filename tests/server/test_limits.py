"""Limits per host and in total: each refusal names its limit and has no effect."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.in_process import HUMAN, SOON, bot_seat, bot_stream, create, refused, table
from tests.support.server.limited import limited
from vinci.v1 import bot_pb2, lobby_pb2
from vinci_client.errors import retry_after
from vinci_server import limits as limits_module
from vinci_server.errors import ServiceError
from vinci_server.limits import (
    BURST_SECONDS,
    FIRST_LOOK,
    IDLE_SECONDS,
    MOST_HELD_SECONDS,
    REFUSALS_PER_SECOND,
    USUAL,
    Bucket,
    Limits,
    Traffic,
    host_of,
    limits,
)
from vinci_server.rpc import admission

HERE = "ipv4:10.0.0.1:5000"
INFO = lobby_pb2.GetServerInfoRequest()


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    now: float = 0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


def allowed(traffic: Traffic, where: str = HERE, size: int = 10) -> bool:
    """Whether a call is admitted."""
    try:
        traffic.request(traffic.call(where), size)
    except ServiceError:
        return False
    return True


def test_token_bucket_refills_with_time() -> None:
    bucket = Bucket(2, 3, 0)
    assert [bucket.take(1, 0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take(1, 0.4) == pytest.approx(0.1)
    assert bucket.take(1, 0.5) == 0
    assert [bucket.take(1, 100) > 0 for _ in range(4)] == [False, False, False, True]


def test_charge_above_the_bucket_becomes_a_debt() -> None:
    bucket = Bucket(10, 50, 0)
    assert bucket.take(80, 0) == 0
    assert bucket.wait(1, 0) == pytest.approx(3.1)
    assert bucket.charge(10, 0) == 4
    assert bucket.charge(0, 4) == 0


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("ipv4:10.0.0.1:5000", "10.0.0.1"),
        ("ipv4:10.0.0.1:5001", "10.0.0.1"),
        ("ipv6:%5B::1%5D:80", "::/64"),
        ("ipv6:[2001:db8:0:1:aaaa::1]:80", "2001:db8:0:1::/64"),
        ("ipv6:%5B2001:db8:0:1:bbbb::2%5D:90", "2001:db8:0:1::/64"),
        ("ipv6:%5Bfe80::1%25eth0%5D:80", "fe80::/64"),
        ("ipv6:%5B::ffff:10.0.0.1%5D:80", "10.0.0.1"),
        ("unix:/run/vinci.sock", "unix"),
        ("", ""),
    ],
)
def test_peer_is_identified_by_host_or_network(written: str, host: str) -> None:
    assert host_of(written) == host


def test_peers_have_separate_limits() -> None:
    clock = Clock()
    traffic = Traffic(Limits(calls_per_second=2), clock)
    assert [allowed(traffic) for _ in range(2 * BURST_SECONDS + 1)].count(True) == 2 * BURST_SECONDS
    assert allowed(traffic, "ipv4:10.0.0.2:5000")
    assert not allowed(traffic, "ipv4:10.0.0.1:9999")
    clock.now = 0.5
    assert allowed(traffic)


def test_bytes_are_counted_as_well_as_calls() -> None:
    clock = Clock()
    traffic = Traffic(Limits(bytes_per_second=100), clock)
    assert [allowed(traffic, size=200) for _ in range(4)] == [True, True, True, False]
    clock.now = 1
    assert allowed(traffic, size=200)


def test_idle_peers_are_forgotten_and_those_with_streams_are_not() -> None:
    clock = Clock()
    traffic = Traffic(Limits(calls_per_second=1), clock)
    idle, busy = traffic.call("ipv4:10.0.0.2:1"), traffic.call(HERE)
    with traffic.stream(busy):
        clock.now = IDLE_SECONDS + 1
        for number in range(FIRST_LOOK):
            traffic.call(f"ipv4:10.1.{number // 256}.{number % 256}:1")
        assert traffic.call(HERE) is busy
        assert traffic.call("ipv4:10.0.0.2:1") is not idle


def test_limits_are_set_by_name() -> None:
    assert limits([]) == USUAL
    assert limits(["streams=7", "matches=1"]) == Limits(streams=7, matches=1)


@pytest.mark.parametrize(
    "setting",
    [
        "streams",
        "streams=",
        "streams=0",
        "streams=-1",
        "streams=1e3",
        "streams=٣",
        "streams=9999999999",
        "streams=" + "9" * 5000,
    ],
)
def test_invalid_limit_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match="whole number from 1"):
        limits([setting])


def test_unknown_limit_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=", ".join(field.name for field in fields(Limits))):
        limits(["spam=1"])


async def test_server_info_has_the_limits(database: Path) -> None:
    async with limited(database, matches=7) as (_, session):
        limits_in_info = (await session.lobby.GetServerInfo(INFO)).limits
        assert dict(limits_in_info) == asdict(Limits(matches=7))


async def test_too_many_calls_are_refused_with_the_time_to_wait(database: Path) -> None:
    async with limited(database, calls_per_second=1) as (_, session):
        for _ in range(BURST_SECONDS):
            await session.lobby.GetServerInfo(INFO)
        error = await refused(session.lobby.GetServerInfo(INFO))
        assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        assert error.facts["limit"] == "calls_per_second"
        assert 0 < float(error.facts["retry_after"]) <= 1
        await asyncio.sleep(float(error.facts["retry_after"]))
        assert (await session.lobby.GetServerInfo(INFO)).version


def test_refusals_come_later_and_are_charged() -> None:
    clock = Clock()
    traffic = Traffic(Limits(cpu_milliseconds_per_second=100), clock)
    assert {traffic.refusal(HERE) for _ in range(REFUSALS_PER_SECOND)} == {0}
    assert [traffic.refusal(HERE) * REFUSALS_PER_SECOND for _ in range(3)] == [1, 2, 3]
    assert traffic.refusal("ipv4:10.0.0.2:1") == 0
    waits = [traffic.refusal(HERE) for _ in range(3 * int(MOST_HELD_SECONDS) * REFUSALS_PER_SECOND)]
    assert (max(waits), waits[-1]) == (MOST_HELD_SECONDS, 0)
    with pytest.raises(ServiceError, match="computing"):
        traffic.call(HERE)


async def test_host_that_goes_on_calling_is_refused_later(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "REFUSALS_PER_SECOND", 4)
    async with limited(database, calls_per_second=1) as (_, session):
        begin = time.monotonic()
        calls = await asyncio.gather(*(session.lobby.GetServerInfo(INFO) for _ in range(15)), return_exceptions=True)
        assert sum(isinstance(one, grpc.aio.AioRpcError) for one in calls) >= 9
        assert time.monotonic() - begin > 1


async def test_too_many_bytes_are_refused(database: Path) -> None:
    async with limited(database, bytes_per_second=100) as (_, session):
        large = lobby_pb2.GetMatchRequest(match_id="x" * 900)
        assert (await refused(session.lobby.GetMatch(large))).reason == "UNKNOWN_MATCH"
        error = await refused(session.lobby.GetMatch(large))
        assert (error.reason, error.facts["limit"]) == ("RATE_LIMITED", "bytes_per_second")


async def test_too_many_new_matches_are_refused(database: Path) -> None:
    async with limited(database, matches_per_minute=2) as (_, session):
        for _ in range(2):
            await create(session, HUMAN, HUMAN, HUMAN)
        error = await refused(create(session, HUMAN, HUMAN, HUMAN))
        assert (error.reason, error.facts["limit"]) == ("RATE_LIMITED", "matches_per_minute")
        assert 0 < float(error.facts["retry_after"]) <= 30
        assert len((await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches) == 2


async def test_full_server_accepts_a_match_when_another_is_over(database: Path) -> None:
    async with limited(database, matches=1) as (_, session):
        at = await table(session)
        error = await refused(create(session, HUMAN, HUMAN, HUMAN))
        assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_MATCHES")
        for seat in (1, 2):
            await at.act(seat, f"forfeit {seat}", request_id=f"{seat}")
        assert (await create(session, HUMAN, HUMAN, HUMAN)).host_token


async def test_server_with_loop_lag_refuses_new_matches_for_a_while(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(admission, "KEPT_SECONDS", 0.3)
    async with limited(database, lag_milliseconds=200) as (_, session):
        time.sleep(0.4)  # the loop stands still
        error = await refused(create(session, HUMAN, HUMAN, HUMAN))
        assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "BUSY")
        assert (error.facts["limit"], retry_after(error)) == ("lag_milliseconds", 5)
        async with asyncio.timeout(SOON):
            while True:
                with suppress(grpc.aio.AioRpcError):
                    await create(session, HUMAN, HUMAN, HUMAN)
                    break
                await asyncio.sleep(0.1)


async def test_concurrent_creates_respect_the_limit(database: Path) -> None:
    async with limited(database, matches=5) as (_, session):
        made = await asyncio.gather(*(create(session, HUMAN, HUMAN, HUMAN) for _ in range(20)), return_exceptions=True)
        assert sum(isinstance(one, lobby_pb2.CreateMatchResponse) for one in made) == 5


@pytest.mark.parametrize("limit", ["streams", "streams_per_peer"])
async def test_streams_are_limited_until_another_ends(database: Path, limit: str) -> None:
    async with limited(database, **{limit: 2}) as (server, session), bot_stream(server) as ada:
        at = await table(session)
        watching = at.watch()
        await watching.read()
        await ada.hello()
        for stream in (at.watch(), at.watch()):
            error = await refused(stream.read())
            assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
            assert error.facts["limit"] == limit
        watching.cancel()
        async with asyncio.timeout(SOON):
            while True:
                try:
                    assert (await at.watch().read()).match.match_id == at.match_id
                    break
                except grpc.aio.AioRpcError:
                    await asyncio.sleep(0.01)


def test_small_messages_count_as_256_bytes_and_cpu_debt_delays() -> None:
    traffic = Traffic(Limits(bytes_per_second=256, cpu_milliseconds_per_second=100), Clock())
    peer = traffic.call(HERE)
    assert [traffic.message(peer, 1) for _ in range(BURST_SECONDS + 2)] == [0] * BURST_SECONDS + [1, 2]
    traffic.charge(peer, BURST_SECONDS * 0.1 + 0.5)
    assert traffic.message(peer, 1) == pytest.approx(5)


async def test_refused_answers_of_a_bot_are_charged(database: Path) -> None:
    async with limited(database, cpu_milliseconds_per_second=1) as (server, session), bot_stream(server) as ada:
        made = await create(session, bot_seat("ada"), bot_seat("ada"), bot_seat("ada"))
        await ada.hello(games=3)
        for _ in range(100):
            await ada.answer(bot_pb2.Decision(match_id=made.match.match_id, seat=9))
        answered = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                while True:
                    answered += (await ada.next()).HasField("refused")
        assert answered < 100


async def test_bot_that_sends_too_much_is_throttled_and_keeps_its_seat(database: Path) -> None:
    async with limited(database, bytes_per_second=1000) as (server, session), bot_stream(server) as ada:
        made = await create(session, bot_seat("ada"), bot_seat("ada"), bot_seat("ada"), start_when_full=True)
        await ada.hello(games=3)
        seen: list[Any] = []
        for _ in range(3):
            await ada.answer(bot_pb2.Decision(match_id=made.match.match_id, seat=9), "x" * 2_000)
        async with asyncio.timeout(SOON):
            while len(seen) < 3:
                response = await ada.next()
                assert response is not grpc.aio.EOF
                if response.HasField("refused"):
                    seen.append(response.refused.refusal.reason)
        assert seen == ["NOT_YOUR_SEAT"] * 3
