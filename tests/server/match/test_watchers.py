"""Watch over gRPC: from any revision, without gap or repeat, during the match."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    SOON,
    Table,
    all_updates,
    bearer,
    create,
    join,
    refused,
    table,
    updates,
    within,
)
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules import notation, position
from vinci_rules.state import Seat
from vinci_server.app import Server
from vinci_server.errors import ServiceError
from vinci_server.limits import USUAL
from vinci_server.lobby import Lobby
from vinci_server.match.audience import presence, watchers
from vinci_server.match.match import Match
from vinci_server.match.seats import seating, starting
from vinci_server.metrics import Metrics
from vinci_server.rpc.access import OPEN
from vinci_server.rpc.admission import Admission
from vinci_server.rpc.services import match_service
from vinci_server.rpc.services.match_service import MatchService
from vinci_server.storage.store import Store

TURN = ("x FEN", "x BOS", "hold ARA=4 BOS=3 FEN=3")
GAME = {"options": game_pb2.Options(settings={"target": "40"}), "seed": "7"}


class NoMetadata:
    """The context of a call without metadata."""

    def invocation_metadata(self) -> tuple[()]:
        """No token."""
        return ()

    def peer(self) -> str:
        """Some host."""
        return "ipv4:10.0.0.1:5000"


def service(lobby: Lobby) -> MatchService:
    """Return the match service of a server with these matches."""
    return MatchService(lobby, Admission(OPEN, USUAL, Metrics()))


async def finished_game(session: Session) -> Table:
    """Play a game of dummies to its end, longer than the history in memory."""
    made = await create(session, DUMMY, DUMMY, DUMMY, DUMMY, start_when_full=True, **GAME)
    at = Table(session, made.match.match_id, made.host_token, ())
    await all_updates(at.watch(0))
    assert (await at.get()).revision > 64
    return at


async def started(lobby: Lobby, text: str) -> Match:
    """Start a match in memory from a position."""
    match, _ = await lobby.create(lobby_pb2.CreateMatchRequest(position=text))
    for _ in range(3):
        await seating.join(match, None, "", seating.NO_NONCE)
    await starting.start(match)
    return match


async def act(match: Match, seat: int, text: str) -> None:
    """Play an action of a seat, counted from 1."""
    assert match.ledger.state is not None
    await match.act(Seat(seat - 1), "player", [notation.read(text, match.ledger.state.board)])


async def test_watch_begins_with_the_match(session: Session) -> None:
    at = await table(session)
    first = await within(at.watch(0).read())
    assert first.match.match_id == at.match_id
    assert first.match.status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_watch_without_revision_begins_at_the_latest(session: Session) -> None:
    at = await table(session)
    await at.act(1, "x FEN", "x BOS")
    stream = at.watch()
    assert [update.revision for update in await updates(stream, 1)] == [2]
    await at.act(1, "x COL", request_id="2")
    assert [update.revision for update in await updates(stream, 1)] == [3]


async def test_new_revisions_are_kept_while_old_ones_are_read(server: Server, session: Session) -> None:
    """Otherwise the next watcher would miss them."""
    at = await table(session)
    await at.act(1, *TURN[:2])
    server.lobby.rest(seconds=0, awake=0)
    match = await server.lobby.get(at.match_id)
    await match.wake()
    reading = match.ledger.game.revisions(0, match.revision)
    assert next(reading).revision == 0
    await at.act(1, TURN[2], request_id="2")
    assert [played.revision for played in reading] == [1, 2]
    await at.act(2, "decline", request_id="3")
    assert [update.revision for update in await updates(at.watch(2), 3)] == [2, 3, 4]


async def test_clocks_that_change_during_the_start_of_a_watch_are_in_order(server: Server, session: Session) -> None:
    """Otherwise older clocks would be shown as current."""
    at = await table(session, timing=lobby_pb2.Timing(bank_seconds=100))
    stream = service(server.lobby).watch(match_pb2.WatchRequest(match_id=at.match_id), NoMetadata())  # type: ignore[arg-type]
    assert (await anext(stream)).HasField("match")
    await at.act(1, "hold ARA=10")
    received: list[int] = []
    async for response in stream:
        if response.HasField("clocks"):
            received.append(response.clocks.revision)
        if len(received) == 2:
            break
    assert received == [0, 1]


@pytest.mark.parametrize("first", [0, 1, 2, 3, 4])
async def test_watch_from_a_revision_has_no_gap_or_repeat(session: Session, first: int) -> None:
    at = await table(session)
    await at.act(1, *TURN)
    stream = at.watch(first)
    await at.act(2, "decline", request_id="2")
    assert [update.revision for update in await updates(stream, 5 - first)] == list(range(first, 5))


@pytest.mark.parametrize("first", [2, 2**64 - 1])
async def test_revision_beyond_the_next_is_refused_with_the_latest(session: Session, first: int) -> None:
    at = await table(session)
    error = await refused(at.watch(first).read())
    assert (error.code, error.reason) == (grpc.StatusCode.OUT_OF_RANGE, "FUTURE_REVISION")
    assert error.facts == {"revision": "0", "next": "1"}


async def test_match_can_be_watched_before_its_start(session: Session) -> None:
    made = await create(session, HUMAN, DUMMY, DUMMY, start_when_full=True)
    request = match_pb2.WatchRequest(match_id=made.match.match_id)
    early: Any = session.match.Watch(request)
    assert (await within(early.read())).match.status == lobby_pb2.MATCH_STATUS_OPEN
    await join(session, made.match.match_id)
    (opening,) = await updates(early, 1)
    assert opening.revision == 0
    assert opening.events[0].HasField("order_drawn")


async def test_updates_have_only_the_requested_details(session: Session) -> None:
    at = await table(session)
    (plain,) = await updates(at.watch(), 1)
    assert not plain.HasField("state")
    assert not plain.HasField("legal")
    assert plain.position == ""
    (full,) = await updates(at.watch(state=True, legal=True, position=True), 1)
    assert full.state.seat_to_act == 1
    assert list(full.legal.conquer) == ["BOS", "COL", "FEN"]
    assert full.position == position.write(position.read(EASY))


async def test_revisions_of_a_finished_game_are_equal_from_any_start(session: Session) -> None:
    at = await finished_game(session)
    whole = await all_updates(at.watch(0, state=True))
    assert [update.revision for update in whole] == list(range(len(whole)))
    assert whole[-1].events[-1].HasField("game_over")
    for first in (1, len(whole) // 2, len(whole) - 1, len(whole)):
        assert await all_updates(at.watch(first, state=True)) == whole[first:]


async def test_stream_ends_normally_when_the_game_is_over(session: Session) -> None:
    at = await table(session, LAST_TURN)
    stream = at.watch(0)
    await updates(stream, 1)
    await at.act(3, "hold HAM=5")
    assert [update.revision for update in await all_updates(stream)] == [1]
    assert await stream.code() is grpc.StatusCode.OK


async def test_slow_reader_of_old_revisions_gets_the_end(database: Path) -> None:
    """The game ends while the reader still gets its first revisions."""
    store = Store(database)
    lobby = Lobby(store)
    match = await started(lobby, LAST_TURN)
    request = match_pb2.WatchRequest(match_id=match.match_id, from_revision=0)
    stream = service(lobby).watch(request, NoMetadata())  # type: ignore[arg-type]
    assert (await anext(stream)).HasField("match")
    assert (await anext(stream)).update.revision == 0
    await act(match, 3, "hold HAM=5")
    assert [response.update.revision async for response in stream if response.HasField("update")] == [1]
    store.close()


async def test_watcher_that_does_not_read_is_disconnected(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "QUEUE_LENGTH", 2)
    store = Store(database)
    lobby = Lobby(store)
    match = await started(lobby, EASY)
    stream = service(lobby).watch(match_pb2.WatchRequest(match_id=match.match_id), NoMetadata())  # type: ignore[arg-type]
    await anext(stream)
    for text in TURN:
        await act(match, 1, text)
    assert match.ledger.revision == 3
    with pytest.raises(ServiceError) as caught:
        async with asyncio.timeout(SOON):
            [_ async for _ in stream]
    assert caught.value.reason == "SLOW_WATCHER"
    store.close()


async def test_idle_match_sends_heartbeats(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_service, "HEARTBEAT_SECONDS", 0.01)
    at = await table(session)
    stream = at.watch(1)
    await within(stream.read())
    assert (await within(stream.read())).heartbeat.revision == 0


async def test_watcher_with_a_token_makes_its_seat_present(session: Session) -> None:
    at = await table(session)
    onlooker = at.watch(1)
    await within(onlooker.read())
    sitting = at.watch(1, token=at.tokens[1])
    assert [seat.connected for seat in (await within(onlooker.read())).match.seats] == [False, True, False]
    sitting.cancel()
    assert not any(seat.connected for seat in (await within(onlooker.read())).match.seats)


async def test_players_are_told_the_number_of_spectators(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MOST_TOLD", 2)
    at = await table(session)
    sitting = at.watch(1, token=at.tokens[0])

    async def told() -> int:
        while not (response := await within(sitting.read())).HasField("match"):
            pass
        return int(response.match.spectators)

    assert await told() == 0
    await told()  # to itself, that it is connected
    streams = []
    for number in (1, 2, 3):
        streams.append(at.watch(1))
        assert (await within(streams[-1].read())).match.spectators == number
    assert [await told(), await told()] == [1, 2]
    streams.pop().cancel()
    assert await told() == 2
    streams.pop().cancel()
    assert await told() == 1


async def test_watch_with_a_wrong_token_is_refused(session: Session) -> None:
    at = await table(session)
    error = await refused(at.watch(0, token="wrong").read())
    assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN")


async def test_all_watchers_get_equal_updates_of_concurrent_actions(session: Session) -> None:
    made = await create(session, HUMAN, DUMMY, DUMMY, DUMMY, start_when_full=True, **GAME)
    token = (await join(session, made.match.match_id)).seat_token
    at = Table(session, made.match.match_id, made.host_token, (token,))
    tasks = [asyncio.create_task(all_updates(at.watch(0))) for _ in range(5)]
    await session.match.Act(
        match_pb2.ActRequest(match_id=at.match_id, request_id="1", actions=[game_pb2.Action(notation="forfeit 1")]),
        metadata=bearer(token),
    )
    histories = await asyncio.gather(*tasks)
    assert [update.revision for update in histories[0]] == list(range(len(histories[0])))
    assert all(other == histories[0] for other in histories)
