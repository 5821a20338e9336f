"""Handover of a seat to another terminal, and rematches."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.server.in_process import (
    DUMMY,
    HUMAN,
    LAST_TURN,
    Table,
    address,
    bearer,
    create,
    join,
    refused,
    serving,
    table,
    updates,
    within,
)
from tests.support.server.match_calls import finished, offer, rematch, take
from vinci.v1 import admin_pb2, lobby_pb2
from vinci_client.errors import ServerRefused, from_rpc
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.limits import Limits
from vinci_server.match.seats.tokens import ADMIN_FILE


async def test_seat_is_handed_over_to_another_terminal(session: Session) -> None:
    """Redeeming a handover code moves the seat and revokes the old token."""
    at = await table(session)
    stream = at.watch(token=at.tokens[0])
    await updates(stream, 1)
    taken = await take(session, await offer(at, 1), "Ben")
    assert (taken.match.match_id, taken.seat) == (at.match_id, 1)
    assert taken.match.seats[0].player == "Ben"
    assert (await refused(at.act(1, "x FEN"))).reason == "BAD_TOKEN"
    now = Table(session, at.match_id, at.host, (taken.seat_token, *at.tokens[1:]))
    assert (await now.act(1, "x FEN")).revision == 1
    failure = await _end_of(stream)
    assert failure.reason == "TOKEN_CHANGED"


async def _end_of(stream: object) -> ServerRefused:
    import grpc

    try:
        while True:
            await within(stream.read())  # type: ignore[attr-defined]  # a call of grpc.aio
    except grpc.aio.AioRpcError as error:
        failure = from_rpc(error, "")
        assert isinstance(failure, ServerRefused)
        return failure


async def test_handover_without_a_name_keeps_the_name(session: Session) -> None:
    """Without a name the seat keeps its name, because the player is the same."""
    made = await create(session, HUMAN, DUMMY, DUMMY)
    ann = await join(session, made.match.match_id, player="Ann")
    at = Table(session, made.match.match_id, made.host_token, (ann.seat_token,))
    assert (await take(session, await offer(at, 1))).match.seats[0].player == "Ann"


async def test_handover_code_works_once(session: Session) -> None:
    """A used or wrong code is refused."""
    at = await table(session)
    code = await offer(at, 1)
    await take(session, f" {code.upper()} ")
    assert (await refused(take(session, code))).reason == "BAD_CODE"
    assert (await refused(take(session, "nosuchcd"))).reason == "BAD_CODE"


async def test_handover_survives_a_restart(database: Path) -> None:
    """The log has the hash of the new token."""
    async with serving(database) as (_, session):
        at = await table(session)
        token = (await take(session, await offer(at, 1))).seat_token
    assert token.encode() not in database.read_bytes()
    async with serving(database) as (_, session):
        assert (await Table(session, at.match_id, at.host, (token,)).act(1, "x FEN")).revision == 1


async def test_rematch_moves_players_by_one_seat(session: Session) -> None:
    """The rematch starts when all people have asked for it."""
    at = await finished(session)
    first = await rematch(session, at.match_id, at.tokens[0])
    assert (first.seat, first.match.status) == (2, lobby_pb2.MATCH_STATUS_OPEN)
    assert [seat.kind for seat in first.match.seats] == [
        lobby_pb2.SEAT_KIND_BOT,
        lobby_pb2.SEAT_KIND_HUMAN,
        lobby_pb2.SEAT_KIND_HUMAN,
    ]
    second = await rematch(session, at.match_id, at.tokens[1])
    assert (second.match.match_id, second.seat) == (first.match.match_id, 3)
    assert second.match.status == lobby_pb2.MATCH_STATUS_RUNNING
    assert [seat.player for seat in second.match.seats] == ["ada", "Ann", "Ben"]
    assert second.match.commitment != (await at.get()).commitment
    assert (await at.get()).rematch == first.match.match_id


async def test_seats_of_a_rematch_are_reserved(session: Session) -> None:
    """Nobody else can join a seat of a rematch."""
    at = await finished(session)
    following = (await rematch(session, at.match_id, at.tokens[0])).match.match_id
    assert (await refused(join(session, following, 3))).reason == "SEAT_TAKEN"
    assert (await refused(join(session, following))).reason == "NO_OPEN_SEAT"


async def test_repeated_rematch_request_returns_a_new_token(session: Session) -> None:
    """The first answer may have been lost."""
    at = await finished(session)
    lost = await rematch(session, at.match_id, at.tokens[0])
    again = await rematch(session, at.match_id, at.tokens[0])
    assert (again.match.match_id, again.seat) == (lost.match.match_id, lost.seat)
    assert again.seat_token != lost.seat_token
    await rematch(session, at.match_id, at.tokens[1])
    now = Table(session, again.match.match_id, "", (lost.seat_token, again.seat_token))
    assert (await refused(now.act(1, "forfeit 2"))).reason == "BAD_TOKEN"
    assert (await now.act(2, "forfeit 2")).revision == 1


async def test_rematch_of_an_open_seed_has_another_open_seed(session: Session) -> None:
    """The seed of the rematch is published, used for its start, and within the length limit."""
    for seed, following in (("7", "7."), ("x" * 128, "x" * 127 + ".")):
        at = await finished(session, seed=seed)
        assert (await rematch(session, at.match_id, at.tokens[0])).match.seed == following
        second = await rematch(session, at.match_id, at.tokens[1])
        assert second.match.status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_rematch_needs_a_finished_game_without_start_position(session: Session) -> None:
    """In other cases a rematch is refused."""
    at = await table(session, LAST_TURN)
    assert (await refused(rematch(session, at.match_id, at.tokens[0]))).reason == "NO_REMATCH"
    await at.act(3, "hold HAM=5")
    assert (await refused(rematch(session, at.match_id, at.tokens[0]))).reason == "NO_REMATCH"


async def test_rematch_survives_a_restart(database: Path) -> None:
    """A seat of a rematch can still be taken after a restart of the server."""
    async with serving(database) as (_, session):
        at = await finished(session)
        first = await rematch(session, at.match_id, at.tokens[0])
    async with serving(database) as (_, session):
        second = await rematch(session, at.match_id, at.tokens[1])
    assert second.match.match_id == first.match.match_id
    assert second.match.status == lobby_pb2.MATCH_STATUS_RUNNING


@pytest.mark.parametrize("how", ["another code", "a new token", "a kick"])
async def test_handover_code_is_void_after_a_change_of_the_seat(session: Session, database: Path, how: str) -> None:
    """A handover code is void once the seat has a new token or player."""
    at = await table(session)
    old, other = await offer(at, 1), await offer(at, 1)
    admin = bearer((database.parent / ADMIN_FILE).read_text().strip())
    match how:
        case "another code":
            token = (await take(session, other)).seat_token
        case "a new token":
            rotate = admin_pb2.RotateSeatTokenRequest(match_id=at.match_id, seat=1)
            token = (await session.admin.RotateSeatToken(rotate, metadata=admin)).seat_token
        case _:
            await session.admin.KickSeat(admin_pb2.KickSeatRequest(match_id=at.match_id, seat=1), metadata=admin)
            token = (await join(session, at.match_id, 1)).seat_token
    assert (await refused(take(session, old))).reason == "BAD_CODE"
    await replace(at, tokens=(token,)).act(1, "forfeit 1")


async def test_rematch_counts_towards_the_limits(database: Path) -> None:
    """A rematch is refused while there are too many matches; joining an existing rematch is not."""
    server = await Server.start("127.0.0.1", 0, database, limits=Limits(matches=1))
    try:
        async with Session(address(server)) as session:
            at = await finished(session)
            full = (await create(session, HUMAN, DUMMY, DUMMY)).match.match_id
            assert (await refused(rematch(session, at.match_id, at.tokens[0]))).reason == "TOO_MANY_MATCHES"
            admin = bearer((database.parent / ADMIN_FILE).read_text().strip())
            await session.admin.EndMatch(admin_pb2.EndMatchRequest(match_id=full, reason="late"), metadata=admin)
            for token in at.tokens:
                last = await rematch(session, at.match_id, token)
            assert last.match.status == lobby_pb2.MATCH_STATUS_RUNNING
    finally:
        await server.stop()


async def test_concurrent_rematch_requests_make_one_match(session: Session) -> None:
    """Each player gets the own seat, and the match starts."""
    at = await finished(session)
    responses = await asyncio.gather(*(rematch(session, at.match_id, token) for token in at.tokens))
    assert len({one.match.match_id for one in responses}) == 1
    assert [one.seat for one in responses] == [2, 3]
    assert (await replace(at, match_id=responses[0].match.match_id).get()).status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_new_rematch_token_ends_streams_of_the_old_one(session: Session) -> None:
    """This happens whenever a seat gets a new token."""
    at = await finished(session)
    lost = await rematch(session, at.match_id, at.tokens[0])
    await rematch(session, at.match_id, at.tokens[1])
    stream = replace(at, match_id=lost.match.match_id).watch(token=lost.seat_token)
    assert (await within(stream.read())).HasField("match")
    await rematch(session, at.match_id, at.tokens[0])
    assert (await _end_of(stream)).reason == "TOKEN_CHANGED"
