"""A server that is restarted with the same file: every match is unchanged and continues."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    SOON,
    Table,
    address,
    all_updates,
    bearer,
    bot_seat,
    bot_stream,
    create,
    eventually,
    join,
    multiply,
    refused,
    serving,
    table,
    updates,
    within,
)
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.errors import ServerGone, from_rpc
from vinci_client.session import Session
from vinci_server import app, lobby
from vinci_server.app import Server
from vinci_server.limits import Limits
from vinci_server.rpc.listener import AddressError

LONG = {"options": game_pb2.Options(settings={"target": "40"}), "seed": "7"}


async def test_matches_are_unchanged_after_a_restart(database: Path) -> None:
    async with serving(database) as (_, session):
        waiting = Table(session, (await create(session, HUMAN, DUMMY, bot_seat("ada"))).match.match_id, "", ())
        left = await create(session, HUMAN, HUMAN, HUMAN, options=game_pb2.Options(edition="DE"))
        token = (await join(session, left.match.match_id, 2)).seat_token
        await session.lobby.LeaveMatch(
            lobby_pb2.LeaveMatchRequest(match_id=left.match.match_id), metadata=bearer(token)
        )
        request = lobby_pb2.SetSeatRequest(match_id=left.match.match_id, seat=3, setup=DUMMY)
        await session.lobby.SetSeat(request, metadata=bearer(left.host_token))
        await join(session, left.match.match_id, 1, player="Ann")
        running, over = await table(session), await table(session, LAST_TURN)
        await running.act(1, "x FEN", "x BOS", "hold ARA=4 BOS=3 FEN=3")
        await over.act(3, "hold HAM=5")
        matches = [waiting, Table(session, left.match.match_id, "", ()), running, over]
        before = [(await at.get(), await at.record()) for at in matches]
        seen = [await updates(at.watch(0, state=True, legal=True, position=True), 2) for at in (running, over)]
    async with serving(database) as (_, session):
        matches = [Table(session, at.match_id, at.host, at.tokens) for at in matches]
        assert [(await at.get(), await at.record()) for at in matches] == before
        for at, old in zip(matches[2:], seen, strict=True):
            assert await updates(at.watch(0, state=True, legal=True, position=True), 2) == old


async def test_tokens_are_valid_after_a_restart(database: Path) -> None:
    async with serving(database) as (_, session):
        made = await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True)
        joined = await join(session, made.match.match_id, 2)
    async with serving(database) as (_, session):
        request = lobby_pb2.SetSeatRequest(match_id=made.match.match_id, seat=1, setup=DUMMY)
        await session.lobby.SetSeat(request, metadata=bearer(made.host_token))
        last = await join(session, made.match.match_id)
        assert last.match.status == lobby_pb2.MATCH_STATUS_RUNNING
        forfeit = [game_pb2.Action(notation="forfeit 2")]
        assert (await session.act(made.match.match_id, joined.seat_token, forfeit)).revision >= 1
        error = await refused(session.act(made.match.match_id, made.host_token, forfeit))
        assert error.reason == "BAD_TOKEN"


async def test_a_game_draws_alike_with_and_without_restarts(database: Path, tmp_path: Path) -> None:
    """Dummies of a game with an open seed play the same actions, however often the server is restarted."""

    async def moves(session: Session, at: Table, number: int) -> None:
        stream = at.watch(state=True)
        for _ in range(number):
            while (update := (await updates(stream, 1))[0]).state.seat_to_act != 1:
                pass
            suggestion = await session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id))
            await session.act(at.match_id, at.tokens[0], [suggestion.action], update.revision)

    async def begin(session: Session) -> Table:
        made = await create(session, HUMAN, DUMMY, DUMMY, start_when_full=True, **LONG)
        token = (await join(session, made.match.match_id)).seat_token
        return Table(session, made.match.match_id, made.host_token, (token,))

    async with serving(tmp_path / "steady.db") as (_, session):
        steady = await begin(session)
        await moves(session, steady, 16)
        expected = [update.notation for update in await updates(steady.watch(0), 40)]
    async with serving(database) as (_, session):
        at = await begin(session)
    for _ in range(8):
        async with serving(database) as (_, session):
            at = Table(session, at.match_id, at.host, at.tokens)
            await moves(session, at, 2)
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert [update.notation for update in await updates(at.watch(0), 40)] == expected


async def test_dummies_continue_after_a_restart(database: Path) -> None:
    async with serving(database) as (_, session):
        made = await create(session, DUMMY, DUMMY, DUMMY, DUMMY, start_when_full=True, **LONG)
    async with serving(database) as (_, session):
        at = Table(session, made.match.match_id, made.host_token, ())
        history = await all_updates(at.watch(0))
        assert history[-1].events[-1].HasField("game_over")
        assert [update.revision for update in history] == list(range(len(history)))


async def test_bot_gets_its_seats_after_a_restart(database: Path) -> None:
    async with serving(database) as (server, session):
        await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
        async with bot_stream(server) as ada:
            await ada.hello("ada")
            await ada.next()
            await ada.answer(await ada.decision(), "x FEN")
            await ada.decision()
    async with serving(database) as (server, _), bot_stream(server) as ada:
        await ada.hello("ada")
        assert (await ada.next()).seated.seat == 1
        assert (await ada.decision()).revision == 1


async def test_server_listens_before_it_has_read_all_matches(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(database) as (_, session):
        await create(session, HUMAN, DUMMY, bot_seat("ada"))
    copies = multiply(database, 400)
    async with serving(database) as (_, session):
        playing = await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
    monkeypatch.setattr(lobby, "WAKE_SECONDS", 0.0)
    async with serving(database) as (server, session), bot_stream(server) as ada:
        assert len(server.lobby.known()) < 200
        assert server.lobby.live == 402
        read = await session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id=copies[-1]))
        assert read.match.status == lobby_pb2.MATCH_STATUS_OPEN
        assert server.lobby.live == 402
        await ada.hello("ada", games=500)
        seats = [(await ada.next()).seated for _ in range(2)]  # running matches come first
        assert playing.match.match_id in {seated.match.match_id for seated in seats}
        await eventually(lambda: len(server.lobby.known()) == 402)
        assert server.lobby.live == 402
        assert not [match for match in server.lobby.known() if match.open_seats not in (0, 1)]


async def test_server_stops_at_once_while_reading_matches(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(database) as (_, session):
        await create(session, HUMAN, HUMAN, HUMAN)
    multiply(database, 400)
    monkeypatch.setattr(lobby, "WAKE_SECONDS", 0.0)
    async with asyncio.timeout(SOON):
        async with serving(database) as (server, _):
            assert server.lobby.live == 401
    assert len(server.lobby.known()) < 401


async def test_stop_ends_every_stream_with_unavailable(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "GRACE_SECONDS", 10 * SOON)  # a stream that the server does not end itself fails the test
    server = await Server.start("127.0.0.1", 0, database)
    async with Session(address(server)) as session, bot_stream(server) as ada:
        at = await table(session)
        stream = at.watch(1, token=at.tokens[0])
        await within(stream.read())
        await ada.hello("ada")
        await within(server.stop())
        for read in (stream.read, ada.next):
            await check_unavailable(read)


async def test_streams_that_begin_during_a_stop_end_with_unavailable(server: Server, session: Session) -> None:
    at = await table(session)
    async with bot_stream(server) as ada:
        server._desk.close()
        await server.lobby.close()
        await ada.hello("ada")
        await check_unavailable(ada.next)
        await check_unavailable(at.watch(1, token=at.tokens[0]).read)
    assert not server._desk.connected


async def check_unavailable(read: Callable[[], Awaitable[object]]) -> None:
    """Assert that a stream ends with UNAVAILABLE, which clients take for a server that is gone."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await within(until_the_end(read))
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert isinstance(from_rpc(caught.value, ""), ServerGone)


async def test_stop_does_not_wait_for_a_game_of_dummies(database: Path) -> None:
    server = await Server.start("127.0.0.1", 0, database, limits=Limits(max_rounds=10_000))
    async with Session(address(server)) as session:
        options = game_pb2.Options(settings={"target": "10000", "max_rounds": "10000"})
        made = await create(session, *[DUMMY] * 6, start_when_full=True, options=options, board="europe")
        await within(server.stop())
    async with serving(database) as (_, session):
        match = await Table(session, made.match.match_id, "", ()).get()
        assert match.status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_acknowledged_requests_survive_a_stop(database: Path) -> None:
    server = await Server.start("127.0.0.1", 0, database)
    async with Session(address(server)) as session:
        tables = [await table(session) for _ in range(20)]
        acts = [asyncio.ensure_future(at.act(1, "x FEN")) for at in tables]
        await asyncio.wait(acts, return_when=asyncio.FIRST_COMPLETED)
        await server.stop()
        answers = await asyncio.gather(*acts, return_exceptions=True)
    async with serving(database) as (_, session):
        for at, answer in zip(tables, answers, strict=True):
            now = await Table(session, at.match_id, at.host, at.tokens).get()
            if isinstance(answer, match_pb2.ActResponse):
                assert now.revision == 1


async def test_port_in_use_is_reported_and_releases_the_database(server: Server, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with pytest.raises(AddressError) as caught:
        await Server.start("127.0.0.1", server.port, other)
    assert f"127.0.0.1:{server.port}" in str(caught.value)
    assert "--listen" in str(caught.value)
    async with serving(other):
        pass


@pytest.mark.parametrize("host", ["203.0.113.1", "no-such-host.invalid"])
async def test_host_of_another_machine_is_refused(tmp_path: Path, host: str) -> None:
    with pytest.raises(AddressError, match=f"cannot listen on {host}:7654: .*; name one of this machine with --listen"):
        await Server.start(host, 7654, tmp_path / "other.db")


async def until_the_end(read: Callable[[], Awaitable[object]]) -> None:
    """Read a stream until it ends."""
    while await read() is not grpc.aio.EOF:
        pass
