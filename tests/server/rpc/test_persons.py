"""Persons: a name belongs to the key that used it first, and the seats of a person to all its devices."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import grpc
import pytest
import structlog

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    Table,
    address,
    create,
    join,
    refused,
    serving,
)
from tests.support.server.limited import limited
from vinci.v1 import lobby_pb2, match_pb2, person_pb2
from vinci_client.session import Session, new_person_key
from vinci_rules.state import Seat
from vinci_server.app import Server
from vinci_server.match.seats import seating, tokens
from vinci_server.rpc import persons
from vinci_server.storage.store import Store
from vinci_server.transfer import bundle

ANN, BOB, PHONE = (tokens.digest(name)[:32] for name in ("ann", "bob", "phone"))
THREE: Final = (HUMAN, HUMAN, HUMAN)


class Device:
    """A session with a key."""

    def __init__(self, session: Session, key: str) -> None:
        self.session: Final = session
        self.key: Final = key

    async def ask(self, method: Any, request: Any) -> Any:
        """Return the answer to a call with the key."""
        return await method(request, metadata=(("vinci-person", self.key),))

    async def update(self, name: str = "", hidden: bool | None = None) -> person_pb2.Person:
        """Bind, rename or hide."""
        request = person_pb2.UpdatePersonRequest(name=name, hidden=hidden)
        person: person_pb2.Person = (await self.ask(self.session.person.UpdatePerson, request)).person
        return person

    async def get(self) -> str:
        """Return the name of the person; empty for none."""
        name: str = (await self.ask(self.session.person.GetPerson, person_pb2.GetPersonRequest())).person.name
        return name

    async def resume(self, match_id: str = "") -> Sequence[person_pb2.ResumedSeat]:
        """Return the seats."""
        request = person_pb2.ResumeSeatsRequest(match_id=match_id)
        seats: Sequence[person_pb2.ResumedSeat] = (await self.ask(self.session.person.ResumeSeats, request)).seats
        return seats

    async def join(self, match_id: str, **fields: Any) -> lobby_pb2.JoinMatchResponse:
        """Join a match."""
        request = lobby_pb2.JoinMatchRequest(match_id=match_id, **fields)
        answer: lobby_pb2.JoinMatchResponse = await self.ask(self.session.lobby.JoinMatch, request)
        return answer

    async def matches(self, **fields: Any) -> lobby_pb2.ListMatchesResponse:
        """List matches."""
        request = lobby_pb2.ListMatchesRequest(**fields)
        answer: lobby_pb2.ListMatchesResponse = await self.ask(self.session.lobby.ListMatches, request)
        return answer

    async def link(self) -> str:
        """Return the code of a link."""
        request = person_pb2.OfferDeviceLinkRequest()
        code: str = (await self.ask(self.session.person.OfferDeviceLink, request)).code
        return code

    async def use(self, code: str) -> str:
        """Use a link; return the name of the person."""
        request = person_pb2.UseDeviceLinkRequest(code=code)
        name: str = (await self.ask(self.session.person.UseDeviceLink, request)).person.name
        return name

    async def forget(self) -> None:
        """Forget the person."""
        await self.ask(self.session.person.ForgetPerson, person_pb2.ForgetPersonRequest())


@pytest.fixture
def ann(session: Session) -> Device:
    return Device(session, ANN)


@pytest.fixture
def bob(session: Session) -> Device:
    return Device(session, BOB)


@pytest.fixture
def phone(session: Session) -> Device:
    return Device(session, PHONE)


async def started(*devices: Device, position: str = EASY) -> lobby_pb2.Match:
    """Start a match in which these devices have the first seats, and a guest the others."""
    session = devices[0].session
    match = (await create(session, *THREE, position=position, start_when_full=True)).match
    for device in devices:
        await device.join(match.match_id, player=f"name {device.key[:4]}")
    for _ in range(3 - len(devices)):
        await join(session, match.match_id)
    return match


async def finished(*devices: Device) -> lobby_pb2.Match:
    """Play a match in which these devices have the first seats to its end."""
    match = await started(*devices, position=LAST_TURN)
    for seat, device in enumerate(devices, start=1):
        token = (await device.resume(match.match_id))[0].seat_token
        await Table(device.session, match.match_id, "", (token,)).act(1, f"forfeit {seat}", request_id=token)
    now = await devices[0].session.get(match.match_id)
    assert now.status == lobby_pb2.MATCH_STATUS_OVER
    return now


# Names.


async def test_first_use_binds_a_name_and_others_cannot_use_it(ann: Device, bob: Device, session: Session) -> None:
    assert await ann.get() == ""
    assert (await ann.update("Ann")).devices == 1
    assert await ann.get() == "Ann"
    for name in ("Ann", "ANN", "\u0410nn", "\uff21\uff4e\uff4e"):  # Cyrillic, and as wide as Chinese
        error = await refused(bob.update(name))
        assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_NAME")
        assert error.facts["which"] == "BOUND"
        match_id = (await create(session, *THREE)).match.match_id
        for joining in (join(session, match_id, player=name), bob.join(match_id, player=name)):
            assert (await refused(joining)).facts["which"] == "BOUND"
    assert await bob.get() == ""


async def test_suggested_names_are_free(ann: Device, bob: Device, phone: Device) -> None:
    await ann.update("Ann")
    await phone.update("Ann 2")
    facts = (await refused(bob.update("Ann"))).facts
    suggested = [facts[place] for place in ("first", "second", "third")]
    assert suggested == ["Ann 3", "Ann 4", "Ann 5"]
    assert (await bob.update(suggested[0])).name == "Ann 3"


async def test_suggestions_for_the_longest_name_are_names(ann: Device, bob: Device) -> None:
    name = "A" * 32
    await ann.update(name)
    facts = (await refused(bob.update(name))).facts
    assert (await bob.update(facts["third"])).name == f"{'A' * 30} 4"


async def test_person_is_renamed_and_the_old_name_is_free(ann: Device, bob: Device) -> None:
    await ann.update("Ann")
    assert (await ann.update("Anna", hidden=True)).hidden
    assert (await bob.update("Ann")).name == "Ann"
    assert (await refused(ann.update("ann"))).facts["which"] == "BOUND"
    assert await ann.get() == "Anna"
    assert (await ann.update("ANNA")).name == "ANNA"  # it looks like its own


@pytest.mark.parametrize("name", ["", "dummy", "seat 1", "somebody", "Somebody", "a\u200d"])
async def test_names_that_nobody_can_have(ann: Device, name: str) -> None:
    assert (await refused(ann.update(name))).reason == "BAD_NAME"


async def test_guests_and_old_clients_play_as_before(session: Session) -> None:
    match_id = (await create(session, *THREE)).match.match_id
    first = await join(session, match_id, player="Ann")
    second = await join(session, match_id, player="Ann")
    assert (first.seat, second.seat, first.resumed, second.resumed) == (1, 2, False, False)
    assert not first.match.seats[0].person
    assert not (await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).own


@pytest.mark.parametrize("key", ["", "x", ANN[:-1], ANN.upper(), f"{ANN}0", "0" * 32, "01" * 16])
async def test_malformed_and_weak_keys_are_refused(session: Session, key: str) -> None:
    device = Device(session, key)
    for call in (device.get(), device.update("Ann"), device.matches(), device.join("abc", player="Ann")):
        error = await refused(call)
        assert error.reason in ("BAD_PERSON", "UNKNOWN_MATCH")
    assert ANN not in error.message


async def test_calls_of_persons_need_a_known_key(session: Session, ann: Device) -> None:
    assert (await refused(session.person.GetPerson(person_pb2.GetPersonRequest()))).facts["which"] == "NONE"
    for call in (ann.resume(), ann.link(), ann.forget(), ann.matches(only_own=True)):
        assert (await refused(call)).facts["which"] == "UNKNOWN"


async def test_new_persons_of_a_host_are_limited(database: Path) -> None:
    async with limited(database, new_persons_per_day=2) as (_, session):
        for name in ("Ann", "Bob"):
            await Device(session, new_person_key()).update(name)
        third = Device(session, new_person_key())
        error = await refused(third.update("Cid"))
        assert (error.reason, error.facts["limit"]) == ("RATE_LIMITED", "new_persons_per_day")
        assert (await refused(third.update("Ann"))).facts["which"] == "BOUND"
        await third.session.join((await create(session, *THREE)).match.match_id, "Cid")  # as a guest


async def test_persons_of_a_server_are_limited(database: Path) -> None:
    async with limited(database, persons=1) as (_, session):
        await Device(session, ANN).update("Ann")
        assert (await refused(Device(session, BOB).update("Bob"))).reason == "TOO_MANY_PERSONS"


async def test_server_without_persons_has_guests_only(database: Path) -> None:
    server = await Server.start("127.0.0.1", 0, database, with_persons=False)
    try:
        async with Session(address(server)) as session:
            ann, bob = Device(session, ANN), Device(session, BOB)
            assert not (await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())).persons
            assert (await refused(ann.update("Ann"))).reason == "NO_PERSONS"
            match_id = (await create(session, *THREE)).match.match_id
            seats = [(await device.join(match_id, player="Ann")).seat for device in (ann, bob)]
            assert seats == [1, 2]
            assert not (await ann.matches()).own
    finally:
        await server.stop()


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


# Devices.


async def test_link_works_once(ann: Device, bob: Device, phone: Device) -> None:
    await ann.update("Ann")
    code = await ann.link()
    assert await phone.use(f" {code[:6].upper()}-{code[6:]} ") == "Ann"
    assert (await phone.update(hidden=False)).devices == 2
    error = await refused(bob.use(code))
    assert (error.reason, error.facts["which"]) == ("BAD_CODE", "DEVICE")
    assert await bob.get() == ""


async def test_link_expires(ann: Device, phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    await ann.update("Ann")
    code = await ann.link()
    later = time.monotonic() + persons.LINK_SECONDS + 1
    monkeypatch.setattr(persons, "time", SimpleNamespace(monotonic=lambda: later))
    assert (await refused(phone.use(code))).reason == "BAD_CODE"
    assert await phone.get() == ""


async def test_link_does_not_take_the_seats_of_another_person(ann: Device, bob: Device) -> None:
    """Else whoever opens a link of somebody else would lose all to them."""
    await started(bob)
    await ann.update("Ann")
    error = await refused(bob.use(await ann.link()))
    assert error.reason == "PERSON_KNOWN"
    assert len(await bob.resume()) == 1


async def test_wrong_links_are_limited(ann: Device, phone: Device) -> None:
    await ann.update("Ann")
    code = await ann.link()
    for _ in range(10):
        assert (await refused(phone.use("wrong"))).reason == "BAD_CODE"
    assert (await refused(phone.use(code))).reason == "RATE_LIMITED"


async def test_devices_of_a_person_are_limited(database: Path) -> None:
    async with limited(database, keys_per_person=1) as (_, session):
        ann = Device(session, ANN)
        await ann.update("Ann")
        assert (await refused(Device(session, PHONE).use(await ann.link()))).reason == "TOO_MANY_KEYS"


# Another person's key, and what becomes of keys.


async def test_key_of_another_person_opens_nothing(ann: Device, bob: Device) -> None:
    match = await started(ann)
    await bob.update("Bob")
    assert not await bob.resume()
    assert not await bob.resume(match.match_id)
    assert (await refused(bob.join(match.match_id))).reason == "NO_OPEN_SEAT"


async def test_keys_are_in_no_log_database_record_or_answer(database: Path, tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as logged:
        async with AsyncExitStack() as stack:
            _, session = await stack.enter_async_context(serving(database))
            ann, phone = Device(session, ANN), Device(session, PHONE)
            match = await started(ann)
            await phone.use(code := await ann.link())
            answers = [await ann.resume(), await phone.resume(), await ann.matches(), await session.get(match.match_id)]
            await refused(phone.update("dummy"))
            record = await Table(session, match.match_id, "", ()).record()
    told = json.dumps([logged, *map(str, answers), record], default=str)
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert tokens.digest(ANN).encode() in files
    for secret in (ANN, PHONE, code):
        assert secret not in told
        assert secret.encode() not in files
    assert tokens.digest(ANN) not in told


# Forgetting.


async def test_forgotten_person_is_somebody_everywhere(
    ann: Device, bob: Device, database: Path, server: Server
) -> None:
    match = await started(ann, bob)
    name = await ann.get()
    token = (await ann.resume())[0].seat_token
    await ann.session.say(match.match_id, "hello", token)
    await ann.ask(ann.session.match.Chat, _spectating(match.match_id))
    left = (await create(ann.session, *THREE)).match.match_id
    left_token = (await ann.join(left)).seat_token
    await ann.session.call(ann.session.lobby.LeaveMatch, lobby_pb2.LeaveMatchRequest(match_id=left), left_token)
    await ann.forget()
    now = await ann.session.get(match.match_id)
    assert [seat.player for seat in now.seats] == ["somebody", await bob.get(), "human 3"]
    assert [seat.person for seat in now.seats] == [False, True, False]
    assert await ann.get() == ""
    assert (await refused(ann.resume())).facts["which"] == "UNKNOWN"
    table = Table(ann.session, match.match_id, "", (token,))
    assert (await table.act(1, "x FEN")).revision == 1  # who bears the token plays on
    assert name not in "".join(await table.record())
    await server.stop()
    with closing(sqlite3.connect(database)) as connection:
        dump = "\n".join(connection.iterdump())
    assert name not in dump
    assert tokens.digest(ANN) not in dump
    assert '"somebody"' in dump
    assert '"hello"' in dump
    async with serving(database) as (_, session):
        assert (await session.get(match.match_id)).seats[0].player == "somebody"
        assert (await Device(session, PHONE).update(name)).name == name


def _spectating(match_id: str) -> Any:
    return match_pb2.ChatRequest(match_id=match_id, text="nice")


async def test_archived_games_of_a_forgotten_person_have_no_name(database: Path) -> None:
    async with serving(database) as (server, session):
        ann, bob = Device(session, ANN), Device(session, BOB)
        match = await finished(bob, ann)
        assert await server._store.archive(1e12) == 1
        name, other = await ann.get(), await bob.get()
        await ann.forget()
    async with serving(database) as (_, session):
        record = "".join(await Table(session, match.match_id, "", ()).record())
        assert (name in record, other in record, "somebody" in record) == (False, True, True)


# Upgrades.


async def test_person_of_another_server_is_a_guest_after_an_import(database: Path, tmp_path: Path) -> None:
    async with serving(database) as (server, session):
        ann = Device(session, ANN)
        match = await started(ann)
        stored = await server._store.load(match.match_id)
        (entry,) = await server._store.entries()
        text = [bundle.first_line(1), *bundle.lines(entry, stored)]
        assert '\\"person\\": 1' in "".join(text)
    other = Store(tmp_path / "other.db")
    await other.put(bundle.matches(text))
    other.close()
    async with serving(tmp_path / "other.db") as (_, session):
        bob = Device(session, BOB)
        assert (await bob.update("Bob")).devices == 1
        assert not await bob.resume(match.match_id)
        assert not (await session.get(match.match_id)).seats[0].person
