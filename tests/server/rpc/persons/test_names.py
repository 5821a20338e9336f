"""Persons: a name belongs to the key that used it first, on all devices that a link adds."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import time
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace

import grpc
import pytest
import structlog

from tests.support.server.in_process import (
    Table,
    address,
    bot_stream,
    create,
    eventually,
    join,
    refused,
    serving,
)
from tests.support.server.limited import limited
from tests.support.server.persons import ANN, BOB, PHONE, THREE, Device, admin, started
from vinci.v1 import bot_pb2, lobby_pb2, person_pb2
from vinci.v1.admin_pb2 import MakeBotKeyRequest
from vinci_client.session import Session, new_person_key
from vinci_server.app import Server
from vinci_server.match.seats import tokens
from vinci_server.rpc import persons

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


async def test_key_that_was_bound_meanwhile_does_not_sit_down_under_another_name(
    ann: Device, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two terminals of one user begin at once with the same new key."""
    await ann.update("Ann")

    async def nobody(_persons: persons.Persons, _context: object) -> None:
        pass

    monkeypatch.setattr(persons.Persons, "caller", nobody)  # as the second call saw it before the first was done
    match_id = (await create(session, *THREE)).match.match_id
    assert (await refused(ann.join(match_id, player="Ben"))).facts["which"] == "BOUND"
    assert (await join(session, match_id, player="Ben")).seat == 1


@pytest.mark.parametrize("name", ["Ann\ufe0f", "A\U000e0100nn", "Ann\u034f", "A nn", "a N n", "\u0391nn"])
async def test_name_that_differs_by_what_is_not_seen_is_bound(ann: Device, bob: Device, name: str) -> None:
    """Selectors of a form, a joiner that shows nothing, blanks, a Greek letter."""
    await ann.update("Ann")
    assert (await refused(bob.update(name))).facts["which"] == "BOUND"
    assert await bob.get() == ""


async def test_name_of_a_person_is_not_that_of_a_bot(
    ann: Device, bob: Device, server: Server, session: Session, database: Path
) -> None:
    await ann.update("Ann")
    for name in ("Ann", "\u0410nn", "A nn"):
        async with bot_stream(server) as eve:
            await eve.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name=name)))
            assert (await refused(eve.next())).facts["which"] == "BOUND"
        assert (await refused(admin(session, database, MakeBotKeyRequest(name=name)))).facts["which"] == "BOUND"
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        assert (await refused(bob.update("\u0430da"))).facts["which"] == "ALIKE"
        await ann.update("Anna")  # others are not concerned
        async with bot_stream(server) as second:
            await second.hello("Ann")
        await ada.done()
    await eventually(lambda: not server._desk.names())
    assert (await bob.update("ada")).name == "ada"


async def test_bot_with_a_key_keeps_its_name(ann: Device, server: Server, session: Session, database: Path) -> None:
    key = (await admin(session, database, MakeBotKeyRequest(name="ada"))).key
    for name in ("ada", "Ada", "\u0430da"):
        assert (await refused(ann.update(name))).facts["which"] == "ALIKE"
    async with bot_stream(server) as ada:
        await ada.hello("ada", key=key)


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


@pytest.mark.parametrize(
    "name", ["", "dummy", "seat 1", "somebody", "Somebody", "a\u200d", "Greedy", "random", "hard:raider"]
)
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


# Devices.


async def test_link_works_once(ann: Device, bob: Device, phone: Device) -> None:
    await ann.update("Ann")
    code = await ann.link()
    assert await phone.use(f" {code[:6].upper()}-{code[6:]} ") == "Ann"
    assert (await phone.update(hidden=False)).devices == 2
    error = await refused(bob.use(code))
    assert (error.reason, error.facts["which"]) == ("BAD_CODE", "DEVICE")
    assert await bob.get() == ""


async def test_new_link_ends_the_one_before(ann: Device, bob: Device, phone: Device) -> None:
    """One that went to the wrong person, or was seen, is of no use as soon as there is another."""
    await ann.update("Ann")
    stolen = await ann.link()
    code = await ann.link()
    assert (await refused(bob.use(stolen))).reason == "BAD_CODE"
    assert await phone.use(code) == "Ann"


async def test_link_used_by_two_devices_at_once_adds_one(ann: Device, bob: Device, phone: Device) -> None:
    await ann.update("Ann")
    code = await ann.link()
    results = await asyncio.gather(*(device.use(code) for device in (bob, phone)), return_exceptions=True)
    assert sorted(isinstance(result, Exception) for result in results) == [False, True]
    assert (await ann.update(hidden=False)).devices == 2


async def test_link_of_a_person_who_was_forgotten_leads_to_nobody(ann: Device, bob: Device, phone: Device) -> None:
    await ann.update("Ann")
    code = await ann.link()
    await ann.forget()
    await bob.update("Ann")
    assert (await refused(phone.use(code))).reason == "BAD_CODE"
    assert await phone.get() == ""


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
