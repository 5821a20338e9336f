"""The lobby over gRPC: creating, listing, joining, leaving and starting matches, and their refusals."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import hashlib
import json
import time
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    bearer,
    bot_seat,
    bot_stream,
    create,
    join,
    refused,
    table,
)
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules.board import DEFAULT_BOARD, board_names, load_board
from vinci_rules.data import LANGUAGES
from vinci_rules.editions import EDITIONS, NUMBERS, option_kinds
from vinci_rules.state import Seat
from vinci_server.app import Server
from vinci_server.errors import ServiceError
from vinci_server.lobby import Lobby
from vinci_server.match.seats import seating
from vinci_server.match.seats.setup import SeatSetup
from vinci_server.storage.store import Store

THREE = (HUMAN, HUMAN, HUMAN)
OPEN = lobby_pb2.MATCH_STATUS_OPEN
RUNNING = lobby_pb2.MATCH_STATUS_RUNNING


async def test_server_info(session: Session) -> None:
    info = await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())
    assert info.version
    assert tuple(info.editions) == EDITIONS
    assert set(info.boards) == set(board_names())
    assert {option.name for option in info.options} == {kind.name for kind in option_kinds()} | set(NUMBERS)
    assert info.max_message_bytes == 1 << 20
    assert info.max_page_size == 50
    assert info.default_board == DEFAULT_BOARD


async def test_server_info_has_the_port_of_grpc(server: Server, session: Session) -> None:
    info = await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())
    assert info.port == server.port > 0


async def test_boards_and_editions_have_texts_in_four_languages(session: Session) -> None:
    info = await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())
    assert [text.code for text in info.board_texts] == list(info.boards)
    assert [text.code for text in info.edition_texts] == list(info.editions)
    for text in (*info.board_texts, *info.edition_texts):
        assert set(text.names) == set(text.descriptions) == set(LANGUAGES)
    assert info.board_texts[0].names["de"] == "Europa"
    assert info.edition_texts[0].descriptions["en"] == "The French booklet with the author's errata."


async def test_traits_and_sources_have_texts_in_four_languages(session: Session) -> None:
    traits = await session.lobby.ListTraits(lobby_pb2.ListTraitsRequest())
    assert all(set(trait.names) == set(trait.descriptions) == set(LANGUAGES) for trait in traits.traits)
    weapons = next(trait for trait in traits.traits if trait.code == "WEA")
    assert weapons.descriptions["nl"] == "Veroveringen kosten 1 pion minder."
    scores = {text.code: dict(text.names) for text in traits.score_sources}
    assert set(scores) == {"province"} | {trait.effect for trait in traits.traits if trait.vp}
    assert scores["mines"] == {"en": "Mines", "fr": "Mines", "nl": "Mijnen", "de": "Bergbau"}
    costs = {text.code: dict(text.names) for text in traits.cost_sources}
    assert costs["from_fort"]["fr"] == "depuis un fort"
    assert all(set(names) == set(LANGUAGES) for names in (*scores.values(), *costs.values()))


async def test_board_is_described_and_europe_is_the_default(session: Session) -> None:
    tiny = (await session.lobby.GetBoard(lobby_pb2.GetBoardRequest(name="tiny"))).board
    assert [province.code for province in tiny.provinces] == list(load_board("tiny").codes)
    assert tiny.provinces[0].straits == ["FEN"]
    assert dict(tiny.provinces[0].object_names) == {
        "en": "Arable",
        "fr": "le Labour",
        "nl": "de Akker",
        "de": "den Acker",
    }
    assert tiny.text.names["fr"] == "Petit"
    assert {region.code for region in tiny.regions} == {province.region for province in tiny.provinces}
    assert tiny.regions[1].names["de"] == "Mitte"
    assert (await session.lobby.GetBoard(lobby_pb2.GetBoardRequest())).board.name == "europe"


async def test_board_map_is_returned(session: Session) -> None:
    tiny = (await session.lobby.GetBoardMap(lobby_pb2.GetBoardMapRequest(name="tiny"))).map
    assert [shape.code for shape in tiny.provinces] == list(load_board("tiny").codes)
    assert (await session.lobby.GetBoardMap(lobby_pb2.GetBoardMapRequest())).map.board == "europe"


async def test_unknown_board_is_refused_with_the_known_ones(session: Session) -> None:
    for call in (
        session.lobby.GetBoard(lobby_pb2.GetBoardRequest(name="asia")),
        session.lobby.GetBoardMap(lobby_pb2.GetBoardMapRequest(name="asia")),
        create(session, *THREE, board="asia"),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_BOARD")
        assert "europe" in error.message
        assert "tiny" in error.message


async def test_new_match_is_open_with_the_requested_seats(session: Session) -> None:
    match = (await create(session, HUMAN, DUMMY, bot_seat("ada"), options=game_pb2.Options(edition="FR"))).match
    assert match.status == OPEN
    assert (match.board, match.options.edition) == ("tiny", "FR")
    assert [seat.kind for seat in match.seats] == [
        lobby_pb2.SEAT_KIND_HUMAN,
        lobby_pb2.SEAT_KIND_DUMMY,
        lobby_pb2.SEAT_KIND_BOT,
    ]
    assert [seat.taken for seat in match.seats] == [False, True, False]
    assert match.seats[2].bot == "ada"


async def test_secret_seed_is_committed_to_and_chosen_seed_is_shown(session: Session) -> None:
    secret = (await create(session, *THREE)).match
    assert (secret.seed, len(secret.commitment)) == ("", 64)
    chosen = (await create(session, *THREE, seed="7")).match
    assert (chosen.seed, chosen.commitment) == ("7", "")


@pytest.mark.parametrize(
    ("fields", "reason", "named"),
    [
        ({"seats": [HUMAN] * 2}, "BAD_SEAT", "3 to 6"),
        ({"seats": [HUMAN] * 7}, "BAD_SEAT", "3 to 6"),
        ({"seats": [HUMAN, HUMAN, lobby_pb2.SeatSetup()]}, "BAD_SEAT", "kind"),
        ({"seats": [HUMAN, HUMAN, bot_seat("x" * 33)]}, "BAD_NAME", "32"),
        ({"options": game_pb2.Options(edition="ES")}, "BAD_OPTION", "ES"),
        ({"options": game_pb2.Options(settings={"speed": "9"})}, "BAD_OPTION", "speed"),
        ({"options": game_pb2.Options(settings={"give_up": "perhaps"})}, "BAD_OPTION", "give_up=perhaps"),
        ({"options": game_pb2.Options(settings={"target": "ten"})}, "BAD_OPTION", "target=ten"),
        ({"options": game_pb2.Options(settings={"target": "10"})}, "BAD_OPTION", "R-END-4"),
        ({"seed": "a b"}, "BAD_SEED", "letters"),
        ({"seed": "x" * 129}, "BAD_SEED", "128"),
        ({"seats": [], "position": "tiny; seat 1 | WEA+MIL ALP"}, "BAD_POSITION", "ALP"),
        ({"seats": [DUMMY, HUMAN, HUMAN], "position": EASY}, "BAD_SEAT", "dummies"),
    ],
)
async def test_invalid_match_is_refused_with_a_reason(
    session: Session, fields: dict[str, Any], reason: str, named: str
) -> None:
    fields = {"seats": THREE} | fields
    error = await refused(create(session, *fields.pop("seats"), **fields))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
    assert named in error.message
    listed = await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())
    assert not listed.matches


async def test_newest_match_is_listed_first_after_a_clock_change(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    clock = time.time
    for years in (0, -40, 10, -1):
        monkeypatch.setattr(time, "time", lambda years=years: clock() + 31_557_600 * years)
        made.append((await create(session, HUMAN, HUMAN, HUMAN)).match.match_id)
    listed: list[str] = []
    token = ""
    while len(listed) < 4:
        request = lobby_pb2.ListMatchesRequest(page_size=1, page_token=token)
        page = await session.lobby.ListMatches(request)
        listed += [match.match_id for match in page.matches]
        token = page.next_page_token
    assert listed == made[::-1]


async def test_pages_of_matches_have_no_gap_or_repeat(session: Session) -> None:
    made = [(await create(session, *THREE)).match.match_id for _ in range(5)]
    listed, token = [], ""
    for size in (2, 2, 2):
        page = await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest(page_size=size, page_token=token))
        listed += [match.match_id for match in page.matches]
        token = page.next_page_token
    assert listed == made[::-1]
    assert token == ""


async def test_matches_are_filtered_by_status(session: Session) -> None:
    waiting = (await create(session, *THREE)).match.match_id
    running = (await table(session)).match_id
    for status, expected in ((OPEN, [waiting]), (RUNNING, [running]), (lobby_pb2.MATCH_STATUS_OVER, [])):
        page = await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest(status=status))
        assert [match.match_id for match in page.matches] == expected


@pytest.mark.parametrize("token", ["x", "~", "1e~a"])
async def test_unknown_page_token_is_refused(session: Session, token: str) -> None:
    error = await refused(session.lobby.ListMatches(lobby_pb2.ListMatchesRequest(page_token=token)))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN")


async def test_unknown_match_is_not_found_by_any_call(session: Session) -> None:
    for call in (
        session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id="nosuchid")),
        join(session, "nosuchid"),
        session.lobby.LeaveMatch(lobby_pb2.LeaveMatchRequest(match_id="nosuchid"), metadata=bearer("t")),
        session.lobby.StartMatch(lobby_pb2.StartMatchRequest(match_id="nosuchid"), metadata=bearer("t")),
        session.lobby.SetSeat(lobby_pb2.SetSeatRequest(match_id="nosuchid"), metadata=bearer("t")),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH")
        assert "nosuchid" in error.message


async def test_join_takes_the_first_open_or_the_named_seat(session: Session) -> None:
    match_id = (await create(session, DUMMY, HUMAN, bot_seat(), HUMAN, HUMAN)).match.match_id
    assert (await join(session, match_id, player="Ann")).seat == 2
    assert (await join(session, match_id, seat=5)).seat == 5
    last = await join(session, match_id)
    assert last.seat == 4
    assert [seat.taken for seat in last.match.seats] == [True, True, False, True, True]
    assert last.match.seats[1].player == "Ann"
    error = await refused(join(session, match_id))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_OPEN_SEAT")


async def test_taken_unknown_and_dummy_seats_cannot_be_joined(session: Session) -> None:
    match_id = (await create(session, HUMAN, DUMMY, HUMAN)).match.match_id
    await join(session, match_id, seat=1)
    for seat, reason in ((1, "SEAT_TAKEN"), (2, "SEAT_TAKEN"), (4, "BAD_SEAT"), (2**32 - 1, "BAD_SEAT")):
        assert (await refused(join(session, match_id, seat=seat))).reason == reason


async def test_seat_of_a_connected_bot_cannot_be_joined(server: Server, session: Session) -> None:
    match_id = (await create(session, HUMAN, HUMAN, bot_seat("ada"))).match.match_id
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        assert (await ada.next()).seated.seat == 3
        assert (await refused(join(session, match_id, seat=3))).reason == "SEAT_TAKEN"


async def test_concurrent_joins_of_the_last_seat_admit_one(session: Session) -> None:
    match_id = (await create(session, HUMAN, DUMMY, DUMMY)).match.match_id
    answers = await asyncio.gather(*(join(session, match_id, seat=1) for _ in range(8)), return_exceptions=True)
    assert sum(isinstance(answer, lobby_pb2.JoinMatchResponse) for answer in answers) == 1


@pytest.mark.parametrize("name", ["x" * 33, "a\x00b", "a\u202eb"])
async def test_unprintable_name_is_refused(session: Session, name: str) -> None:
    match_id = (await create(session, *THREE)).match.match_id
    error = await refused(join(session, match_id, player=name))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_NAME")


@pytest.mark.parametrize("nonce", ["x" * 65, "a|b", "é", "a\n"])
async def test_invalid_nonce_is_refused(session: Session, nonce: str) -> None:
    match_id = (await create(session, *THREE)).match.match_id
    error = await refused(join(session, match_id, nonce=nonce))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_SEED")


async def test_leave_opens_the_seat_and_revokes_its_token(session: Session) -> None:
    match_id = (await create(session, *THREE)).match.match_id
    token = (await join(session, match_id)).seat_token
    leave = lobby_pb2.LeaveMatchRequest(match_id=match_id)
    left = await session.lobby.LeaveMatch(leave, metadata=bearer(token))
    assert not left.match.seats[0].taken
    assert (await refused(session.lobby.LeaveMatch(leave, metadata=bearer(token)))).reason == "BAD_TOKEN"
    assert (await join(session, match_id)).seat == 1


async def test_started_match_cannot_be_left(session: Session) -> None:
    at = await table(session)
    leave = lobby_pb2.LeaveMatchRequest(match_id=at.match_id)
    error = await refused(session.lobby.LeaveMatch(leave, metadata=bearer(at.tokens[0])))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ALREADY_STARTED")


async def test_host_sets_seats_and_starts(session: Session) -> None:
    made = await create(session, *THREE)
    match_id, host = made.match.match_id, bearer(made.host_token)
    for seat in (2, 3):
        request = lobby_pb2.SetSeatRequest(match_id=match_id, seat=seat, setup=DUMMY)
        await session.lobby.SetSeat(request, metadata=host)
    start = lobby_pb2.StartMatchRequest(match_id=match_id)
    error = await refused(session.lobby.StartMatch(start, metadata=host))
    assert (error.code, error.reason, error.facts["seats"]) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "SEATS_OPEN",
        "1",
    )
    await join(session, match_id)
    assert (await session.lobby.StartMatch(start, metadata=host)).match.status == RUNNING
    assert (await refused(session.lobby.StartMatch(start, metadata=host))).reason == "ALREADY_STARTED"


async def test_only_the_host_can_set_seats_and_start(session: Session) -> None:
    match_id = (await create(session, *THREE)).match.match_id
    player = (await join(session, match_id)).seat_token
    calls = (
        lambda token: session.lobby.StartMatch(lobby_pb2.StartMatchRequest(match_id=match_id), metadata=token),
        lambda token: session.lobby.SetSeat(
            lobby_pb2.SetSeatRequest(match_id=match_id, seat=2, setup=DUMMY), metadata=token
        ),
    )
    for call in calls:
        error = await refused(call(bearer(player)))
        assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_THE_HOST")
        error = await refused(call(()))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "NO_TOKEN")


async def test_taken_or_unknown_seat_cannot_be_set(session: Session) -> None:
    made = await create(session, *THREE)
    await join(session, made.match.match_id, seat=1)
    for seat, reason in ((0, "BAD_SEAT"), (1, "SEAT_TAKEN"), (4, "BAD_SEAT")):
        request = lobby_pb2.SetSeatRequest(match_id=made.match.match_id, seat=seat, setup=DUMMY)
        assert (await refused(session.lobby.SetSeat(request, metadata=bearer(made.host_token)))).reason == reason


async def test_concurrent_set_and_join_of_a_seat_do_not_both_succeed(database: Path) -> None:
    store = Store(database)
    match, _ = await Lobby(store).create(lobby_pb2.CreateMatchRequest(seats=THREE, board="tiny"))
    answers = await asyncio.gather(
        seating.join(match, Seat(0), "Ann", seating.NO_NONCE),
        seating.set_seat(match, Seat(0), SeatSetup("dummy")),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [tuple, ServiceError]
    assert not match.ledger.is_open(Seat(0))
    assert match.ledger.kind(Seat(0)) == "human"
    store.close()


async def test_concurrent_leaves_do_not_remove_the_next_player(database: Path) -> None:
    store = Store(database)
    match, _ = await Lobby(store).create(lobby_pb2.CreateMatchRequest(seats=THREE, board="tiny"))
    _, token = await seating.join(match, Seat(0), "Ann", seating.NO_NONCE)
    answers = await asyncio.gather(
        seating.leave(match, token),
        seating.join(match, Seat(0), "Bob", seating.NO_NONCE),
        seating.leave(match, token),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [type(None), tuple, ServiceError], answers
    assert match.ledger.sitters[0].player == "Bob"
    store.close()


async def test_bot_loses_a_seat_given_to_a_person(server: Server, session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, bot_seat("ada"), position=LAST_TURN)
    match_id = made.match.match_id
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        assert (await ada.next()).seated.seat == 3
        request = lobby_pb2.SetSeatRequest(match_id=match_id, seat=3, setup=HUMAN)
        answer = await session.lobby.SetSeat(request, metadata=bearer(made.host_token))
        assert not answer.match.seats[2].taken
        for seat in (1, 2, 3):
            await join(session, match_id, seat=seat)
        await session.lobby.StartMatch(lobby_pb2.StartMatchRequest(match_id=match_id), metadata=bearer(made.host_token))
        await ada.done()
        assert await ada.next() is grpc.aio.EOF, "the bot was asked for a decision"


async def test_match_starts_automatically_when_the_last_player_joins(session: Session) -> None:
    made = (await create(session, HUMAN, DUMMY, HUMAN, start_when_full=True)).match
    match_id = made.match_id
    assert made.start_when_full
    assert not (await create(session, HUMAN, DUMMY, HUMAN)).match.start_when_full
    assert (await join(session, match_id)).match.status == OPEN
    assert (await join(session, match_id)).match.status == RUNNING


async def test_match_of_dummies_only_plays_to_its_end(session: Session) -> None:
    match_id = (await create(session, DUMMY, DUMMY, DUMMY, start_when_full=True, seed="3")).match.match_id
    async for _ in session.watch(match_id):
        pass
    match = (await session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id=match_id))).match
    assert match.status == lobby_pb2.MATCH_STATUS_OVER
    assert sorted(match.ranks)[0] == 1
    assert max(match.vp) >= 40


async def test_secret_seed_is_revealed_at_the_end(session: Session) -> None:
    made = (await create(session, DUMMY, DUMMY, HUMAN, start_when_full=True)).match
    seated = await join(session, made.match_id, nonce="n-3")
    forfeit = game_pb2.Action(forfeit=game_pb2.Forfeit(seat=3))
    await session.act(made.match_id, seated.seat_token, [forfeit])
    async for _ in session.watch(made.match_id):
        pass
    record = await session.match.GetRecord(match_pb2.GetRecordRequest(match_id=made.match_id))
    lines = [json.loads(line) for line in record.lines]
    reveal = lines[-1]["reveal"]
    assert reveal["nonces"] == ["", "", "n-3"]
    text = f"{reveal['seed']}|{reveal['salt']}"
    assert made.commitment == lines[0]["commitment"] == hashlib.sha256(text.encode()).hexdigest()
