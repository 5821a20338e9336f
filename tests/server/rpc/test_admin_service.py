"""Administration over gRPC: the admin token, visible data, draining, backups."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    Table,
    address,
    all_updates,
    bearer,
    bot_seat,
    bot_stream,
    create,
    join,
    refused,
    serving,
    table,
    updates,
)
from vinci.v1 import admin_pb2 as pb
from vinci.v1 import lobby_pb2
from vinci_client.session import Session
from vinci_rules import position
from vinci_server.app import Server
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.match.time import timekeeper
from vinci_server.storage.store import Store, StoreError

THREE = (HUMAN, HUMAN, HUMAN)
EVERY_CALL = (
    pb.GetServerStatusRequest(),
    pb.ListActivityRequest(),
    pb.InspectMatchRequest(),
    pb.PauseMatchRequest(),
    pb.ResumeMatchRequest(),
    pb.EndMatchRequest(reason="fire alarm"),
    pb.KickSeatRequest(seat=1),
    pb.HandOverSeatRequest(seat=1),
    pb.RotateSeatTokenRequest(seat=1),
    pb.MakeBotKeyRequest(name="ada"),
    pb.RemoveBotKeyRequest(name="ada"),
    pb.ListBotKeysRequest(),
    pb.ListPersonsRequest(),
    pb.RenamePersonRequest(name="Ann", new_name="Bob"),
    pb.MergePersonsRequest(name="Ann", into="Bob"),
    pb.RemovePersonRequest(name="Ann"),
    pb.DrainServerRequest(draining=True),
    pb.BackupDatabaseRequest(path="/never"),
)

Admin = Callable[[Any], Awaitable[Any]]


def asked(session: Session, request: Any, *metadata: tuple[str, str]) -> Awaitable[Any]:
    """Return the call that this request belongs to."""
    call: Awaitable[Any] = getattr(session.admin, type(request).__name__.removesuffix("Request"))(
        request, metadata=metadata
    )
    return call


@pytest.fixture
def admin(session: Session, database: Path) -> Admin:
    """Return calls with the admin token of the server."""
    token = (database.parent / ADMIN_FILE).read_text().strip()
    return lambda request: asked(session, request, *bearer(token))


async def health(server: Server, service: str) -> int:
    """Return the health status of a service."""
    async with grpc.aio.insecure_channel(address(server)) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        return int((await stub.Check(health_pb2.HealthCheckRequest(service=service))).status)


def test_all_calls_are_tested() -> None:
    calls = pb.DESCRIPTOR.services_by_name["AdminService"].methods
    assert [type(request).__name__ for request in EVERY_CALL] == [f"{call.name}Request" for call in calls]


@pytest.mark.parametrize("request_", EVERY_CALL, ids=lambda request: type(request).__name__)
async def test_every_call_needs_the_admin_token(session: Session, admin: Admin, request_: Any) -> None:
    host = (await create(session, *THREE)).host_token
    for metadata, reason in (
        ((), "NO_TOKEN"),
        (bearer(host), "NOT_THE_ADMIN"),
        (bearer("admin.guess"), "NOT_THE_ADMIN"),
    ):
        assert (await refused(asked(session, request_, *metadata))).reason == reason
    assert not (await admin(pb.GetServerStatusRequest())).draining


async def test_token_file_is_private_and_stable(database: Path) -> None:
    path = database.parent / ADMIN_FILE
    async with serving(database):
        token = path.read_text()
        assert path.stat().st_mode & 0o077 == 0
    async with serving(database):
        assert path.read_text() == token
    path.unlink()
    async with serving(database) as (_, session):
        assert path.read_text() != token
        assert (await refused(asked(session, EVERY_CALL[0], *bearer(token.strip())))).reason == "NOT_THE_ADMIN"
    assert token.strip().encode() not in database.read_bytes()


async def test_empty_token_file_is_refused_and_releases_the_database(database: Path) -> None:
    (database.parent / ADMIN_FILE).touch()
    with pytest.raises(StoreError, match="delete it"):
        await Server.start("127.0.0.1", 0, database)
    (database.parent / ADMIN_FILE).unlink()
    await (await Server.start("127.0.0.1", 0, database)).stop()


async def test_status_counts_matches_and_connections(
    server: Server, session: Session, admin: Admin, database: Path
) -> None:
    made = await table(session)
    await create(session, *THREE)
    stream = made.watch(token=made.tokens[0])
    await updates(stream, 1)
    async with bot_stream(server) as bot:
        await bot.hello("ada")
        await bot.pinged()
        status = await admin(pb.GetServerStatusRequest())
    assert (status.matches["open"], status.matches["running"], status.matches["over"]) == (1, 1, 0)
    assert (status.awake, status.connected_seats, status.watchers, status.bots) == (2, 1, 1, 1)
    assert status.database == str(database)
    assert status.database_bytes > 0
    assert status.start_time > 0
    stream.cancel()


async def test_running_clock_does_not_make_a_match_active(
    server: Server, session: Session, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timekeeper, "READING_SECONDS", 0.05)
    at = await table(session, timing=lobby_pb2.Timing(bank_seconds=1000))
    match = await server.lobby.get(at.match_id)
    moved = match.moved
    while match.changed == moved:
        await asyncio.sleep(0.05)
    assert match.moved == moved
    assert (await admin(pb.GetServerStatusRequest())).moving == 0


async def test_match_is_active_while_a_bot_is_to_act_or_after_an_event(
    server: Server, session: Session, admin: Admin
) -> None:
    await table(session)
    assert (await admin(pb.GetServerStatusRequest(quiet_seconds=3600))).moving == 1
    assert (await admin(pb.GetServerStatusRequest())).moving == 0
    await create(session, bot_seat("ada"), bot_seat("ada"), bot_seat("ada"), start_when_full=True)
    assert (await admin(pb.GetServerStatusRequest())).moving == 0
    async with bot_stream(server) as bot:
        await bot.hello("ada", games=3)
        for _ in range(3):
            assert (await bot.next()).HasField("seated")
        await bot.decision()
        assert (await admin(pb.GetServerStatusRequest())).moving == 1


async def test_list_has_presence_pages_and_a_status_filter(session: Session, admin: Admin) -> None:
    opened = (await create(session, *THREE)).match.match_id
    made = await table(session)
    stream, guest = made.watch(token=made.tokens[1]), made.watch()
    for one in (stream, guest):
        await updates(one, 1)
    first = await admin(pb.ListActivityRequest(page_size=1))
    second = await admin(pb.ListActivityRequest(page_size=1, page_token=first.next_page_token))
    assert [match.match_id for match in (*first.matches, *second.matches)] == [made.match_id, opened]
    assert second.next_page_token == ""
    (running,) = first.matches
    assert (running.watchers, running.connected_seats, running.match.revision) == (2, 1, 0)
    assert running.last_activity >= running.create_time > 0
    only = await admin(pb.ListActivityRequest(status=lobby_pb2.MATCH_STATUS_OPEN))
    assert [match.match_id for match in only.matches] == [opened]
    for one in (stream, guest):
        one.cancel()


async def test_list_does_not_wake_sleeping_matches(database: Path) -> None:
    async with serving(database) as (_, session):
        waiting, over = await table(session), await table(session, LAST_TURN)
        await over.act(3, "hold HAM=5")
    async with serving(database) as (_, session):
        token = (database.parent / ADMIN_FILE).read_text().strip()
        for _ in range(2):
            listed = (await asked(session, pb.ListActivityRequest(), *bearer(token))).matches
            assert [match.match_id for match in listed] == [over.match_id, waiting.match_id]
            assert [match.status for match in listed] == [
                lobby_pb2.MATCH_STATUS_OVER,
                lobby_pb2.MATCH_STATUS_RUNNING,
            ]
            for match in listed:
                assert not match.HasField("match")
                assert match.last_activity > 0
        shown = await asked(session, pb.InspectMatchRequest(match_id=over.match_id), *bearer(token))
        assert shown.activity.match.ranks
        assert shown.seat_to_act == 0
        status = await asked(session, pb.GetServerStatusRequest(), *bearer(token))
        assert (status.awake, status.matches["running"], status.moving) == (1, 1, 0)


async def test_match_is_shown_with_position_and_latest_entries(session: Session, admin: Admin) -> None:
    made = await table(session)
    await made.act(1, "x FEN", "x COL")
    shown = await admin(pb.InspectMatchRequest(match_id=made.match_id, entries=3))
    assert shown.activity.match == await made.get()
    assert shown.seat_to_act == 1
    assert position.read(shown.position).actor == 0
    assert [(entry.number, entry.kind, entry.seat, entry.by, entry.notation) for entry in shown.entries] == [
        (5, "start", 0, "", ""),
        (6, "act", 1, "player", "x FEN"),
        (7, "act", 1, "player", "x COL"),
    ]
    assert shown.entries[2].time >= shown.entries[0].time > 0


async def test_answers_have_no_secrets(session: Session, admin: Admin, tmp_path: Path) -> None:
    made = await create(session, *THREE, start_when_full=True)
    match_id = made.match.match_id
    joined = [await join(session, match_id, nonce=f"nonce-{seat}") for seat in range(3)]
    shown = [await admin(pb.InspectMatchRequest(match_id=match_id)), await admin(pb.ListActivityRequest())]
    await admin(pb.BackupDatabaseRequest(path=str(tmp_path / "copy.db")))
    store = Store(tmp_path / "copy.db")
    rows = [json.loads(row.text) for row in (await store.load(match_id)).rows]
    store.close()
    secrets = [made.host_token, *(one.seat_token for one in joined), *(rows[0][key] for key in ("seed", "salt"))]
    secrets += [rows[0]["host_hash"], *(row["token_hash"] for row in rows[1:4]), *rows[4]["nonces"]]
    assert len(secrets) == 13
    assert not [secret for secret in secrets if secret in str(shown)]


async def test_match_is_paused_and_resumed(session: Session, admin: Admin) -> None:
    made = await table(session)
    assert (await admin(pb.PauseMatchRequest(match_id=made.match_id))).match.paused
    assert (await refused(made.act(1, "x FEN"))).reason == "PAUSED"
    shown = await admin(pb.InspectMatchRequest(match_id=made.match_id))
    assert (shown.seat_to_act, shown.entries[-1].kind) == (0, "pause")
    assert not (await admin(pb.ResumeMatchRequest(match_id=made.match_id))).match.paused
    assert (await made.act(1, "x FEN")).revision == 1


async def test_match_is_ended_with_a_reason_for_everybody(session: Session, admin: Admin) -> None:
    made = await table(session)
    stream = made.watch(token=made.tokens[0])
    await updates(stream, 1)
    ended = (await admin(pb.EndMatchRequest(match_id=made.match_id, reason="fire  alarm"))).match
    assert (ended.status, ended.ended) == (lobby_pb2.MATCH_STATUS_ENDED, "fire alarm")
    await all_updates(stream)
    assert (await refused(made.act(1, "x FEN"))).reason == "MATCH_ENDED"
    assert (await refused(admin(pb.EndMatchRequest(match_id=made.match_id, reason="again")))).reason == "MATCH_ENDED"
    (listed,) = (await admin(pb.ListActivityRequest(status=lobby_pb2.MATCH_STATUS_ENDED))).matches
    assert listed.match_id == made.match_id


@pytest.mark.parametrize("reason", ["", "  ", "x" * 301, "\a"])
async def test_end_of_a_match_needs_a_reason(session: Session, admin: Admin, reason: str) -> None:
    made = await table(session)
    request = pb.EndMatchRequest(match_id=made.match_id, reason=reason)
    assert (await refused(admin(request))).reason == "BAD_REASON"
    assert (await made.get()).status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_kick_frees_the_seat_of_a_bot(server: Server, session: Session, admin: Admin) -> None:
    made = await create(session, bot_seat("ada"), HUMAN, HUMAN, position=EASY, start_when_full=True)
    match_id = made.match.match_id
    await join(session, match_id)
    await join(session, match_id)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
        await ada.answer(await ada.decision(), "x FEN")
        await ada.decision()
        freed = (await admin(pb.KickSeatRequest(match_id=match_id, seat=1))).match
        assert (freed.seats[0].taken, freed.seats[0].substituted) == (False, True)
    await join(session, match_id, 1, player="ann")
    seat = (await session.get(match_id)).seats[0]
    assert (seat.taken, seat.player, seat.substituted) == (True, "ann", False)


async def test_kicked_player_loses_the_seat_which_can_be_joined(session: Session, admin: Admin) -> None:
    made = await table(session)
    stream = made.watch(token=made.tokens[1])
    await updates(stream, 1)
    kicked = (await admin(pb.KickSeatRequest(match_id=made.match_id, seat=2))).match
    assert (kicked.seats[1].taken, kicked.seats[1].substituted) == (False, True)
    assert (await refused(all_updates(stream))).reason == "TOKEN_CHANGED"
    assert (await refused(made.act(2, "hold COL=5"))).reason == "BAD_TOKEN"
    assert (await join(session, made.match_id, 2, player="Eve")).seat == 2


async def test_handover_code_works_once(session: Session, admin: Admin) -> None:
    made = await table(session)
    offer = await admin(pb.HandOverSeatRequest(match_id=made.match_id, seat=1))
    assert offer.seconds == 600
    assert (await made.act(1, "x FEN")).revision == 1
    taken = await join(session, "", code=offer.code, player="Eve")
    assert (taken.match.match_id, taken.seat, taken.match.seats[0].player) == (made.match_id, 1, "Eve")
    assert (await refused(made.act(1, "x COL", request_id="late"))).reason == "BAD_TOKEN"
    assert (await refused(join(session, "", code=offer.code))).reason == "BAD_CODE"


async def test_new_token_revokes_the_old_one(session: Session, admin: Admin) -> None:
    made = await table(session)
    before = (await made.get()).seats[0].player
    rotated = await admin(pb.RotateSeatTokenRequest(match_id=made.match_id, seat=1))
    assert (await refused(made.act(1, "x FEN"))).reason == "BAD_TOKEN"
    again = Table(session, made.match_id, made.host, (rotated.seat_token,))
    assert (await again.act(1, "x FEN")).revision == 1
    assert (await made.get()).seats[0].player == before


@pytest.mark.parametrize("seat", [0, 4, 2**32 - 1])
@pytest.mark.parametrize("kind", [pb.KickSeatRequest, pb.HandOverSeatRequest, pb.RotateSeatTokenRequest])
async def test_unknown_seat_is_refused(session: Session, admin: Admin, kind: Any, seat: int) -> None:
    made = await table(session)
    assert (await refused(admin(kind(match_id=made.match_id, seat=seat)))).reason == "BAD_SEAT"


@pytest.mark.parametrize("kind", [pb.KickSeatRequest, pb.HandOverSeatRequest, pb.RotateSeatTokenRequest])
async def test_open_seat_is_refused(session: Session, admin: Admin, kind: Any) -> None:
    made = await create(session, *THREE)
    assert (await refused(admin(kind(match_id=made.match.match_id, seat=1)))).reason == "BAD_SEAT"


async def test_clocks_are_shown(session: Session, admin: Admin) -> None:
    made = await table(session, timing=lobby_pb2.Timing(bank_seconds=3600))
    clocks = (await admin(pb.InspectMatchRequest(match_id=made.match_id))).clocks
    assert clocks.running == 1
    assert list(clocks.left[1:]) == [3_600_000, 3_600_000]
    untimed = await table(session)
    assert not (await admin(pb.InspectMatchRequest(match_id=untimed.match_id))).HasField("clocks")


async def test_draining_server_refuses_new_players(server: Server, session: Session, admin: Admin) -> None:
    opened = await create(session, HUMAN, DUMMY, DUMMY, start_when_full=True)
    full = await create(session, HUMAN, DUMMY, DUMMY)
    token = (await join(session, full.match.match_id)).seat_token
    await admin(pb.DrainServerRequest(draining=True))
    assert (await admin(pb.GetServerStatusRequest())).draining
    start = lobby_pb2.StartMatchRequest(match_id=full.match.match_id)
    seat = lobby_pb2.SetSeatRequest(match_id=opened.match.match_id, seat=1, setup=DUMMY)
    rematch = lobby_pb2.JoinRematchRequest(match_id=full.match.match_id)
    for call in (
        create(session, *THREE),
        session.lobby.JoinRematch(rematch, metadata=bearer(token)),
        join(session, opened.match.match_id),
        session.lobby.StartMatch(start, metadata=bearer(full.host_token)),
        session.lobby.SetSeat(seat, metadata=bearer(opened.host_token)),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "DRAINING")
    await admin(pb.DrainServerRequest(draining=False))
    await join(session, opened.match.match_id)
    await session.lobby.StartMatch(start, metadata=bearer(full.host_token))


async def test_running_games_continue_while_draining(session: Session, admin: Admin) -> None:
    made = await table(session)
    await admin(pb.DrainServerRequest(draining=True))
    assert (await made.act(1, "x FEN")).revision == 1
    await updates(made.watch(token=made.tokens[1]), 1)
    offer = await admin(pb.HandOverSeatRequest(match_id=made.match_id, seat=1))
    assert (await join(session, "", code=offer.code)).seat == 1


async def test_bots_reconnect_only_to_running_games_while_draining(
    server: Server, session: Session, admin: Admin
) -> None:
    running = await create(session, bot_seat("ada"), bot_seat("ada"), bot_seat("ada"), start_when_full=True)
    await create(session, HUMAN, bot_seat("ada"), DUMMY)
    await admin(pb.DrainServerRequest(draining=True))
    async with bot_stream(server) as bot:
        await bot.hello("ada", games=9)
        for _ in range(3):
            assert (await bot.next()).seated.match.match_id == running.match.match_id
        await bot.decision()
        await admin(pb.DrainServerRequest(draining=False))
        assert (await bot.next()).seated.seat == 2


async def test_only_the_lobby_is_not_serving_while_the_server_drains(server: Server, admin: Admin) -> None:
    serving_, not_serving = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
    for draining in (True, False):
        await admin(pb.DrainServerRequest(draining=draining))
        assert await health(server, "vinci.v1.LobbyService") == (not_serving if draining else serving_)
        for service in ("", "vinci.v1.MatchService", "vinci.v1.BotService", "vinci.v1.AdminService"):
            assert await health(server, service) == serving_


async def test_backup_is_a_database_that_can_be_played_on(session: Session, admin: Admin, tmp_path: Path) -> None:
    made = await table(session)
    await made.act(1, "x FEN")
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    assert (await admin(pb.BackupDatabaseRequest(path=str(copy)))).bytes == copy.stat().st_size
    await made.act(1, "x COL", request_id="after the backup")
    async with serving(copy) as (_, restored):
        again = Table(restored, made.match_id, made.host, made.tokens)
        assert (await again.get()).revision == 1
        assert (await again.act(1, "x BOS", request_id="elsewhere")).revision == 2
    assert (await made.get()).revision == 2


@pytest.mark.parametrize("name", ["copy.db", "{}/nowhere/copy.db", "{}/games.db", "{}", "{}/a\0b", ""])
async def test_invalid_path_is_refused(admin: Admin, tmp_path: Path, name: str) -> None:
    before = sorted(tmp_path.iterdir())
    error = await refused(admin(pb.BackupDatabaseRequest(path=name.format(tmp_path))))
    assert error.reason == "BAD_PATH"
    assert sorted(tmp_path.iterdir()) == before


async def test_unknown_match_is_refused(admin: Admin) -> None:
    assert (await refused(admin(pb.InspectMatchRequest(match_id="nosuchid")))).reason == "UNKNOWN_MATCH"
