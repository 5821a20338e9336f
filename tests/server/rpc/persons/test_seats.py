"""The seats of a person belong to all its devices, and lists of matches know them."""

# ruff: noqa: D103  # the name of each test says what it checks

from pathlib import Path

import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    Table,
    create,
    join,
    refused,
    serving,
)
from tests.support.server.persons import ANN, PHONE, THREE, Device, finished, started
from vinci.v1 import lobby_pb2
from vinci_client.session import Session
from vinci_rules.chance import nonce_hash
from vinci_rules.state import Seat
from vinci_server.app import Server
from vinci_server.match.seats import seating

# Seats.


async def test_joining_again_gives_the_seat_back(ann: Device, bob: Device) -> None:
    match = (await create(ann.session, *THREE, position=EASY, start_when_full=True)).match
    first = await ann.join(match.match_id, player="Ann")
    assert (first.seat, first.match.seats[0].player, first.match.seats[0].person) == (1, "Ann", True)
    again = await ann.join(match.match_id, player="other", seat=3)
    assert (again.seat, again.seat_token, again.resumed) == (1, first.seat_token, True)
    await bob.join(match.match_id, player="Bob")
    await join(ann.session, match.match_id)
    running = await ann.join(match.match_id)
    assert running.match.status == lobby_pb2.MATCH_STATUS_RUNNING
    assert (running.seat, running.resumed) == (1, True)
    table = Table(ann.session, match.match_id, "", (running.seat_token,))
    assert (await table.act(1, "x FEN")).revision == 1


async def test_nonce_that_was_lost_with_the_token_is_replaced(ann: Device, session: Session) -> None:
    """Else the seat would be emptied at the start, when the nonce is due."""
    made = await create(session, HUMAN, DUMMY, DUMMY)
    match_id = made.match.match_id
    await ann.join(match_id, player="Ann", nonce_hash=nonce_hash("lost"))
    again = await ann.join(match_id, nonce_hash=nonce_hash("kept"))
    assert again.match.seats[0].nonce_hash == nonce_hash("kept")
    assert (await ann.join(match_id)).match.seats[0].nonce_hash == nonce_hash("kept")
    await session.call(session.lobby.StartMatch, lobby_pb2.StartMatchRequest(match_id=match_id), made.host_token)
    match = await session.reveal_nonce(match_id, again.seat_token, "kept")
    assert match.status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_key_without_a_name_is_a_guest(ann: Device, session: Session) -> None:
    match_id = (await create(session, HUMAN, DUMMY, DUMMY)).match.match_id
    joined = await ann.join(match_id)
    assert (joined.match.seats[0].player, joined.match.seats[0].person) == ("human 1", False)
    assert await ann.get() == ""


async def test_another_device_gets_a_token_and_both_play(ann: Device, phone: Device) -> None:
    match = await started(ann)
    first = (await ann.resume())[0]
    assert (first.match.match_id, first.seat, first.your_turn) == (match.match_id, 1, True)
    await phone.use(await ann.link())
    (second,) = await phone.resume()
    assert second.seat_token != first.seat_token
    table = Table(ann.session, match.match_id, "", (first.seat_token, second.seat_token))
    await table.act(1, "x FEN", request_id="1")
    await table.act(2, "x BOS", request_id="2")  # of the second token
    assert [seat.seat_token for seat in await ann.resume()] == [first.seat_token]
    assert [seat.seat_token for seat in await phone.resume(match.match_id)] == [second.seat_token]


async def test_rematch_is_joined_by_any_device(ann: Device, phone: Device) -> None:
    session = ann.session
    match_id = (await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True)).match.match_id
    first = (await ann.join(match_id, player="Ann")).seat_token
    others = [(await join(session, match_id)).seat_token for _ in range(2)]
    await phone.use(await ann.link())
    (on_phone,) = await phone.resume()
    for seat, token in enumerate(others, 2):
        await Table(session, match_id, "", (token,)).act(1, f"forfeit {seat}", request_id=token)
    await session.join_rematch(match_id, others[0])  # which keeps the seat for the first device
    assert on_phone.seat_token != first
    joined = await session.join_rematch(match_id, on_phone.seat_token)
    assert (joined.seat, joined.match.seats[1].player) == (2, "Ann")


async def test_seats_outlive_a_restart(database: Path) -> None:
    async with serving(database) as (_, session):
        ann = Device(session, ANN)
        match = await started(ann)
        (before,) = await ann.resume()
        phone = Device(session, PHONE)
        await phone.use(await ann.link())
        (on_phone,) = await phone.resume()
    async with serving(database) as (_, session):
        (after,) = await Device(session, ANN).resume()
        assert after.seat_token == before.seat_token
        table = Table(session, match.match_id, "", (on_phone.seat_token,))
        assert (await table.act(1, "x FEN")).revision == 1


async def test_person_has_no_second_seat_by_a_code(ann: Device, bob: Device) -> None:
    match = await started(ann, bob)
    token = (await bob.resume())[0].seat_token
    code = (await ann.session.offer_seat(match.match_id, token)).code
    error = await refused(ann.join("", code=code))
    assert (error.reason, error.facts["which"]) == ("SEAT_TAKEN", "PERSON")
    assert (await bob.resume())[0].seat_token == token


async def test_seat_handed_over_belongs_to_the_other_person(ann: Device, bob: Device) -> None:
    match = await started(ann)
    await bob.update("Bob")
    token = (await ann.resume())[0].seat_token
    code = (await ann.session.offer_seat(match.match_id, token)).code
    assert (await bob.join("", code=code)).match.seats[0].player == "Bob"
    assert not await ann.resume()
    assert [seat.seat for seat in await bob.resume()] == [1]
    error = await refused(Table(ann.session, match.match_id, "", (token,)).act(1, "x FEN"))
    assert error.reason == "BAD_TOKEN"


@pytest.mark.parametrize(("name", "stays"), [("", True), ("Cid", False)])
async def test_seat_handed_to_a_guest_stays_with_the_person_unless_renamed(ann: Device, name: str, stays: bool) -> None:
    match = await started(ann)
    token = (await ann.resume())[0].seat_token
    code = (await ann.session.offer_seat(match.match_id, token)).code
    await join(ann.session, "", code=code, player=name)
    assert len(await ann.resume()) == stays


async def test_rotated_token_ends_those_of_all_devices(server: Server, ann: Device, phone: Device) -> None:
    match = await started(ann)
    await phone.use(await ann.link())
    held = [(await device.resume())[0].seat_token for device in (ann, phone)]
    await seating.new_token(await server.lobby.get(match.match_id), Seat(0))
    for token in held:
        assert (await refused(ann.session.offer_seat(match.match_id, token))).reason == "BAD_TOKEN"
    assert (await ann.resume())[0].seat_token not in held


async def test_seat_that_was_left_is_not_resumed(ann: Device, session: Session) -> None:
    match_id = (await create(session, *THREE)).match.match_id
    token = (await ann.join(match_id, player="Ann")).seat_token
    request = lobby_pb2.LeaveMatchRequest(match_id=match_id)
    await session.call(session.lobby.LeaveMatch, request, token)
    assert not await ann.resume()
    assert not (await ann.matches()).own


async def test_rematch_seats_the_persons_of_the_game(ann: Device, bob: Device, session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, DUMMY, start_when_full=True, seed="7")
    joined = [await device.join(made.match.match_id, player=name) for device, name in ((ann, "Ann"), (bob, "Bob"))]
    for place, answer in enumerate(joined, start=1):
        at = Table(session, made.match.match_id, "", (answer.seat_token,))
        await at.act(1, f"forfeit {place}", request_id=answer.seat_token)
    await ann.update("Anna")
    request = lobby_pb2.JoinRematchRequest(match_id=made.match.match_id)
    by_token = await session.call(session.lobby.JoinRematch, request, joined[0].seat_token)
    assert by_token.match.seats[by_token.seat - 1].player == "Anna"
    assert by_token.match.seats[by_token.seat - 1].person
    assert {seat.match.match_id for seat in await ann.resume()} == {by_token.match.match_id}


# Lists.


async def test_own_matches_come_with_the_first_page(ann: Device, bob: Device) -> None:
    theirs = await started(bob)
    waiting = await started(bob, ann)
    turn = await started(ann)
    later = (await create(ann.session, *THREE)).match
    await ann.join(later.match_id)
    listed = await ann.matches()
    assert [entry.match.match_id for entry in listed.own] == [turn.match_id, later.match_id, waiting.match_id]
    assert [(entry.seat, entry.your_turn) for entry in listed.own] == [(1, True), (1, False), (2, False)]
    assert len(listed.matches) == 4
    assert theirs.match_id in {match.match_id for match in listed.matches}
    assert not (await ann.matches(page_size=2, page_token=(await ann.matches(page_size=2)).next_page_token)).own


async def test_finished_matches_are_listed_as_own_in_pages(ann: Device, bob: Device) -> None:
    await started(bob)
    over = [await finished(bob, ann) for _ in range(3)]
    request = {"only_own": True, "page_size": 2}
    first = await ann.matches(**request)
    second = await ann.matches(page_token=first.next_page_token, **request)
    assert [match.match_id for match in (*first.matches, *second.matches)] == [match.match_id for match in over[::-1]]
    assert [entry.seat for entry in first.own] == [2, 2]
    assert second.next_page_token == ""
    assert not (await ann.matches(status=lobby_pb2.MATCH_STATUS_OPEN, **request)).matches


async def test_maker_is_known_by_the_key(ann: Device, bob: Device, session: Session) -> None:
    await ann.update("Ann")
    await bob.update("Bob")
    request = lobby_pb2.CreateMatchRequest(seats=THREE, board="tiny")
    match = (await ann.ask(session.lobby.CreateMatch, request)).match
    assert [(entry.host, entry.seat) for entry in (await ann.matches()).own] == [(True, 0)]
    setting = lobby_pb2.SetSeatRequest(match_id=match.match_id, seat=3, setup=DUMMY)
    assert (await refused(bob.ask(session.lobby.SetSeat, setting))).reason == "NOT_THE_HOST"
    assert (await refused(session.lobby.SetSeat(setting))).reason == "NO_TOKEN"
    assert (await ann.ask(session.lobby.SetSeat, setting)).match.seats[2].kind == lobby_pb2.SEAT_KIND_DUMMY
    starting = lobby_pb2.StartMatchRequest(match_id=match.match_id)
    assert (await refused(ann.ask(session.lobby.StartMatch, starting))).reason == "SEATS_OPEN"
