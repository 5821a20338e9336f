"""The client session: reconnection without gaps or repeats, idempotent requests, and clear errors."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.network.cuttable_proxy import proxy
from tests.support.server.in_process import EASY, HUMAN, LAST_TURN, SOON, Table, address, create, serving, table, within
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.address import BadAddress, joined, with_port
from vinci_client.errors import LONGEST_WAIT, ServerGone, ServerRefused, backoff
from vinci_client.session import Session
from vinci_rules.state import Seat
from vinci_server.app import Server

FEN = [game_pb2.Action(notation="x FEN")]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("192.168.1.5", "192.168.1.5:7654"),
        ("192.168.1.5:80", "192.168.1.5:80"),
        (" localhost ", "localhost:7654"),
        ("::1", "[::1]:7654"),
        ("[::1]", "[::1]:7654"),
        ("[::1]:80", "[::1]:80"),
    ],
)
def test_address_without_port_gets_the_default(given: str, expected: str) -> None:
    assert with_port(given) == expected


@pytest.mark.parametrize("given", ["", "http://host:1", "a:b:c", "host:99999", "host:0", "host:", "ho st", "[::1"])
def test_invalid_address_is_refused_with_an_example(given: str) -> None:
    with pytest.raises(BadAddress, match="is not an address; write it like"):
        with_port(given)


def test_host_and_port_make_an_address() -> None:
    assert [joined(host, 80) for host in ("localhost", "::1")] == ["localhost:80", "[::1]:80"]


def test_retry_delay_grows_to_its_maximum() -> None:
    for attempt in (0, 1, 6, 10, 10_000):
        most = min(0.1 * 2 ** min(attempt, 10), LONGEST_WAIT)
        assert most / 2 <= backoff(attempt) <= most


async def test_watch_resumes_after_a_server_restart(database: Path) -> None:
    first = await Server.start("127.0.0.1", 0, database)
    async with Session(address(first)) as session:
        at = await table(session)
        revisions: list[int] = []
        connected: list[bool] = []
        lost, third = asyncio.Event(), asyncio.Event()

        def on_connection(is_back: bool) -> None:
            connected.append(is_back)
            lost.set()

        async def watch() -> None:
            async for response in session.watch(at.match_id, from_revision=0, on_connection=on_connection):
                if response.HasField("update"):
                    revisions.append(response.update.revision)
                    if len(revisions) == 3:
                        third.set()

        watching = asyncio.create_task(watch())
        await at.act(1, "x FEN", "x BOS", request_id="1")
        await within(third.wait())
        await first.stop()
        await within(lost.wait())
        async with serving(database, first.port) as (_, other):
            again = Table(other, at.match_id, at.host, at.tokens)
            await again.act(1, "hold ARA=4 BOS=3 FEN=3", request_id="2")
            for seat in (2, 3):
                await again.act(seat, f"forfeit {seat}", request_id=f"forfeit {seat}")
            async with asyncio.timeout(SOON):
                await watching
    assert revisions == [0, 1, 2, 3, 4, 5]
    assert connected == [False, True]


async def test_watch_over_broken_connections_has_no_gap_or_repeat(database: Path) -> None:
    async with serving(database) as (server, direct), proxy(server.port) as between:
        at = await table(direct)
        revisions: list[int] = []
        async with Session(f"127.0.0.1:{between.port}") as session, asyncio.timeout(SOON):
            stream = session.watch(at.match_id, from_revision=0)
            for seat, text in ((1, "x FEN"), (1, "x BOS"), (1, "hold ARA=4 BOS=3 FEN=3"), (2, "forfeit 2")):
                while len(revisions) <= (await at.get()).revision:
                    response = await anext(stream)
                    if response.HasField("update"):
                        revisions.append(response.update.revision)
                between.cut()
                await at.act(seat, text, request_id=text)
            await at.act(3, "forfeit 3", request_id="last")
            revisions += [response.update.revision async for response in stream if response.HasField("update")]
        assert revisions == [0, 1, 2, 3, 4, 5]


async def test_action_with_a_lost_answer_is_played_once(database: Path) -> None:
    async with serving(database) as (server, direct), proxy(server.port) as between:
        at = await table(direct)
        updates = at.watch(1)
        async with Session(f"127.0.0.1:{between.port}") as session, asyncio.timeout(SOON):
            await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
            between.deaf = True
            acting = asyncio.create_task(session.act(at.match_id, at.tokens[0], FEN, 0))
            while not (await updates.read()).HasField("update"):
                pass
            between.cut()
            between.deaf = False
            answer = await acting
        assert answer.repeated_request
        assert [update.notation for update in answer.updates] == ["x FEN"]
        assert (await at.get()).revision == 1


@pytest.mark.parametrize(
    ("code", "details"),
    [
        (grpc.StatusCode.INTERNAL, 'Failed "execute_batch": (<grpc._cython.cygrpc.SendMessageOperation>,)'),
        (grpc.StatusCode.CANCELLED, "CANCELLED"),
        (grpc.StatusCode.UNKNOWN, "Stream removed"),
    ],
)
async def test_stream_that_fails_inside_grpc_is_opened_again(
    database: Path, code: grpc.StatusCode, details: str
) -> None:
    """A busy server lets some of very many streams fail that are opened at once."""
    failure = grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), details)
    async with serving(database) as (_, session):
        at = await table(session)
        opened, called = [], []
        watch, get = session.match.Watch, session.lobby.GetMatch

        async def failing(*_: object, **__: object) -> AsyncIterator[match_pb2.WatchResponse]:
            opened.append(1)
            raise failure
            yield match_pb2.WatchResponse()

        class Failing:
            def Watch(self, *args: Any, **kwargs: Any) -> Any:  # noqa: N802  # as the call is named
                return failing() if len(opened) < 2 else watch(*args, **kwargs)

        async def failing_call(*args: Any, **kwargs: Any) -> lobby_pb2.GetMatchResponse:
            called.append(1)
            if len(called) < 3:
                raise failure
            return await get(*args, **kwargs)

        session.match = Failing()  # type: ignore[assignment]
        response = await within(anext(session.watch(at.match_id)))
        assert response.match.match_id == at.match_id
        answer = await within(session.call(failing_call, lobby_pb2.GetMatchRequest(match_id=at.match_id)))
        assert answer.match.match_id == at.match_id
        assert (len(opened), len(called)) == (2, 3)


async def test_action_waits_for_a_restarted_server(database: Path) -> None:
    server = await Server.start("127.0.0.1", 0, database)
    async with Session(address(server)) as session:
        at = await table(session)
        await server.stop()
        acting = asyncio.create_task(session.act(at.match_id, at.tokens[0], FEN, 0))
        await asyncio.sleep(0.05)
        async with serving(database, server.port), asyncio.timeout(SOON):
            assert (await acting).revision == 1


async def test_two_actions_have_different_request_ids(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await session.act(at.match_id, at.tokens[0], FEN)
        with pytest.raises(ServerRefused) as caught:
            await session.act(at.match_id, at.tokens[0], FEN)
        assert caught.value.facts["violation"] == "OwnProvince"


async def test_refusal_has_status_reason_and_facts_and_is_not_retried(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session, EASY.replace("reserve=9", "reserve=1"))
        with pytest.raises(ServerRefused) as caught:
            await session.act(at.match_id, at.tokens[0], [game_pb2.Action(notation="x BOS")])
    error = caught.value
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL_ACTION")
    assert (error.facts["rule"], error.facts["needed"], error.facts["available"]) == ("R-CONQ-3", "3", "1")
    assert str(error) == error.message


async def test_preview_plays_nothing(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        preview = await session.preview(at.match_id, at.tokens[0], FEN[0])
        assert preview.updates[0].notation == "x FEN"
        assert (await at.get()).revision == 0


async def test_error_for_an_unreachable_server_names_the_address(unanswered: str) -> None:
    async with Session(unanswered) as session:
        with pytest.raises(ServerGone, match=f"{unanswered}.*server running there"):
            await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest(), tries=2)
        with pytest.raises(ServerGone):
            await session.create(lobby_pb2.CreateMatchRequest())
        with pytest.raises(ServerGone):
            await session.join("match")


async def test_watch_reports_a_lost_connection_once_and_retries(database: Path) -> None:
    async with serving(database) as (server, session):
        at = await table(session, LAST_TURN)
        await at.act(3, "hold HAM=5")
        port = server.port
    changes: list[bool] = []
    lost = asyncio.Event()

    def on_connection(is_back: bool) -> None:
        changes.append(is_back)
        lost.set()

    async with Session(f"127.0.0.1:{port}") as session:

        async def watch() -> list[int]:
            stream = session.watch(at.match_id, from_revision=0, on_connection=on_connection)
            return [response.update.revision async for response in stream if response.HasField("update")]

        watching = asyncio.create_task(watch())
        await within(lost.wait())
        async with serving(database, port):
            assert await within(watching) == [0, 1]
    assert changes == [False, True]


async def test_refused_watch_raises_the_reason(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        for watch, reason in (
            (session.watch("nosuchid"), "UNKNOWN_MATCH"),
            (session.watch(at.match_id, "wrong"), "BAD_TOKEN"),
            (session.watch(at.match_id, from_revision=9), "FUTURE_REVISION"),
        ):
            with pytest.raises(ServerRefused) as caught:
                await anext(watch)
            assert caught.value.reason == reason


async def test_too_large_message_is_a_refusal_not_a_lost_connection(database: Path) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        with pytest.raises(ServerRefused) as caught:
            await within(session.act(at.match_id, at.tokens[0], [game_pb2.Action(notation="x" * (1 << 20))]))
        assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_other_servers_are_reported_as_not_vinci() -> None:
    other = grpc.aio.server()
    port = other.add_insecure_port("127.0.0.1:0")
    await other.start()
    async with Session(f"127.0.0.1:{port}") as session:
        with pytest.raises(ServerRefused) as caught:
            await within(session.call(session.match.GetRecord, match_pb2.GetRecordRequest(match_id="x")))
        assert caught.value.code is grpc.StatusCode.UNIMPLEMENTED
    await other.stop(None)


async def test_chat_during_a_lost_connection_arrives_once(database: Path) -> None:
    """Chat lines around a reconnection arrive once, with or without earlier lines."""
    async with serving(database) as (server, direct), proxy(server.port) as between:
        at = await table(direct)
        heard: list[str] = []
        async with Session(f"127.0.0.1:{between.port}") as session, asyncio.timeout(SOON):
            stream = session.watch(at.match_id, at.tokens[1])
            assert (await anext(stream)).HasField("match")
            for number in range(4):
                between.cut()
                await direct.say(at.match_id, f"line {number}", at.tokens[0])
                while len(heard) <= number:
                    response = await anext(stream)
                    if response.HasField("chat"):
                        heard.append(response.chat.text)
        assert heard == [f"line {number}" for number in range(4)]


async def test_earlier_chat_is_sent_on_request(database: Path) -> None:
    async with serving(database) as (_, session), asyncio.timeout(SOON):
        at = await table(session)
        first = await session.say(at.match_id, "first", at.tokens[0])
        await session.say(at.match_id, "second", name="Zoe")
        for after, expected in ((0, ["first", "second"]), (first.number, ["second"])):
            collected: list[str] = []
            async for response in session.watch(at.match_id, detail=match_pb2.WatchRequest(chat_after=after)):
                if response.HasField("update"):
                    break
                if response.HasField("chat"):
                    collected.append(response.chat.text)
            assert collected == expected


async def test_pings_are_answered_while_the_watcher_is_busy(database: Path) -> None:
    """The session answers pings although no update is read from it, and passes none on."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session)
        ways = (await server.lobby.get(at.match_id)).timekeeper.round_trips
        stream = session.watch(at.match_id, at.tokens[1])
        assert (await anext(stream)).HasField("match")
        while not ways[Seat(1)].seconds:
            await asyncio.sleep(0.01)
        assert not ways[Seat(0)].seconds
        await session.act(at.match_id, at.tokens[0], FEN)
        assert (await anext(stream)).WhichOneof("kind") in ("match", "update")


async def test_failed_pong_does_not_end_the_watch(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asyncio.Event()

    async def fails(*_arguments: object, **_more: object) -> None:
        asked.set()
        raise grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata())

    async with serving(database) as (_, session), asyncio.timeout(SOON):
        at = await table(session)
        monkeypatch.setattr(session.match, "Pong", fails)
        stream = session.watch(at.match_id, at.tokens[1])
        await anext(stream)
        await asked.wait()
        await session.act(at.match_id, at.tokens[0], FEN)
        while (await anext(stream)).update.revision != 1:
            pass


async def test_undo_with_a_lost_answer_happens_once(database: Path) -> None:
    async with serving(database) as (server, direct), proxy(server.port) as between:
        at = await table(direct)
        await at.act(1, "x FEN", "x BOS")
        updates = at.watch(3)
        async with Session(f"127.0.0.1:{between.port}") as session, asyncio.timeout(SOON):
            await session.get(at.match_id)
            between.deaf = True
            undoing = asyncio.create_task(session.undo(at.match_id, at.tokens[0], 2))
            while not (await updates.read()).HasField("update"):
                pass
            between.cut()
            between.deaf = False
            answer = await undoing
        assert answer.repeated_request
        assert (answer.revision, answer.update.undo_to) == (3, 1)
        assert (await at.get()).revision == 3


async def test_seat_is_handed_over_to_another_session(database: Path) -> None:
    """The code gives the seat to another session; the stream of the first one ends with the reason."""
    async with serving(database) as (_, session), asyncio.timeout(SOON):
        at = await table(session)
        stream = session.watch(at.match_id, at.tokens[1])
        await anext(stream)
        offer = await session.offer_seat(at.match_id, at.tokens[1])
        taken = await session.take_over(offer.code)
        assert (taken.match.match_id, taken.seat, taken.match.seats[1].player) == (at.match_id, 2, "human 2")
        with pytest.raises(ServerRefused) as caught:
            async for _ in stream:
                pass
        assert caught.value.reason == "TOKEN_CHANGED"
        assert (await session.say(at.match_id, "here", taken.seat_token)).seat == 2


async def test_pause_and_return_to_a_seat(database: Path) -> None:
    async with serving(database) as (_, session), asyncio.timeout(SOON):
        at = await table(session)
        pause = lobby_pb2.PROPOSAL_KIND_PAUSE
        match = await session.propose(at.match_id, at.tokens[0], pause)
        assert [(list(one.agreed), list(one.missing)) for one in match.proposals] == [([1], [2, 3])]
        assert not (await session.propose(at.match_id, at.tokens[0], pause, withdraw=True)).proposals
        for token in at.tokens:
            match = await session.propose(at.match_id, token, pause)
        assert match.paused
        with pytest.raises(ServerRefused) as caught:
            await session.take_back(at.match_id, at.tokens[0])
        assert caught.value.reason == "NOT_SUBSTITUTED"


async def test_rematch_moves_players_by_one_seat(database: Path) -> None:
    async with serving(database) as (_, session), asyncio.timeout(SOON):
        made = await create(
            session, *[HUMAN] * 3, start_when_full=True, options=game_pb2.Options(settings={"max_rounds": "1"})
        )
        match_id = made.match.match_id
        tokens = [(await session.join(match_id, name)).seat_token for name in ("Ann", "Ben", "Cleo")]
        for seat, token in enumerate(tokens, start=1):
            if (await session.get(match_id)).status != lobby_pb2.MATCH_STATUS_OVER:
                await session.act(match_id, token, [game_pb2.Action(forfeit=game_pb2.Forfeit(seat=seat))])
        joined = [await session.join_rematch(match_id, token) for token in tokens]
        assert [one.seat for one in joined] == [2, 3, 1]
        assert [seat.player for seat in joined[-1].match.seats] == ["Cleo", "Ann", "Ben"]
        assert joined[-1].match.status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_decision_times_are_returned(database: Path) -> None:
    async with serving(database) as (_, session), asyncio.timeout(SOON):
        at = await table(session)
        await session.act(at.match_id, at.tokens[0], FEN)
        (time,) = await session.times(at.match_id)
        assert (time.revision, time.seat, time.by) == (1, 1, "player")
