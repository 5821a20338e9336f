"""A person who is forgotten, renamed or merged by an admin, or imported from another server."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.server.in_process import (
    SOON,
    Table,
    create,
    refused,
    serving,
)
from tests.support.server.persons import ANN, BOB, PHONE, THREE, Device, admin, finished, started
from vinci.v1 import admin_pb2 as pb
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session, new_person_key
from vinci_server.app import Server
from vinci_server.match.seats import tokens
from vinci_server.rpc.persons import HEADER, MOST_REASSIGNED, Caller, Persons
from vinci_server.rpc.services import admin_service
from vinci_server.storage.store import Store
from vinci_server.transfer import bundle

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


async def test_forgotten_name_and_chat_leave_the_files(ann: Device, server: Server, database: Path) -> None:
    """SQLite keeps deleted texts in free pages and in its log unless it is told not to."""
    await ann.update("Xanthippe")
    match = await started(ann)
    name = (await ann.resume(match.match_id))[0].match.seats[0].player.encode()
    assert name == b"Xanthippe"
    files = [database, Path(f"{database}-wal")]
    assert any(name in file.read_bytes() for file in files)
    await ann.forget()
    assert not any(name in file.read_bytes() for file in files)
    assert not any(tokens.digest(ANN).encode() in file.read_bytes() for file in files)


async def test_call_of_a_person_who_is_forgotten_meanwhile_is_refused(
    ann: Device, bob: Device, server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ann.update("Ann")
    running = (await started(bob)).match_id
    waiting = (await create(session, *THREE)).match.match_id
    caller, true = await server.players.persons.caller(_Call(ANN)), Persons.caller
    assert caller is not None
    await ann.forget()

    async def as_before(_persons: Persons, _context: object) -> Caller | None:
        monkeypatch.setattr(Persons, "caller", true)
        return caller

    request = lobby_pb2.CreateMatchRequest(board="tiny", seats=THREE)
    for call in (
        lambda: ann.update("Anna"),
        lambda: ann.join(waiting, player="Ann"),
        lambda: ann.ask(session.match.Chat, _spectating(running)),
        lambda: ann.ask(session.lobby.CreateMatch, request),
    ):
        monkeypatch.setattr(Persons, "caller", as_before)
        error = await refused(call())
        assert (error.reason, error.facts["which"]) == ("BAD_PERSON", "UNKNOWN")
    assert not (await session.get(waiting)).seats[0].taken
    assert (await bob.update("Anna")).name == "Anna"


class _Call:
    """A call with a key, as `Persons` sees it."""

    def __init__(self, key: str) -> None:
        self._key: Final = key

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ((HEADER, self._key),)


# Names that nobody uses.


async def _absent(server: Server, *names: str) -> None:
    """Let persons be as if they had not come for long."""
    query = "UPDATE person SET seen = 0 WHERE name = ?"
    await server._store.run(lambda connection: connection.executemany(query, [(name,) for name in names]))


async def test_name_is_free_if_it_was_not_used_for_long(
    ann: Device, bob: Device, phone: Device, server: Server, session: Session, database: Path
) -> None:
    await phone.update("Cid")
    await ann.update("Ann")
    await bob.update("Bob")
    left = (await create(session, *THREE)).match.match_id
    await bob.join(left)  # it has not started
    await _absent(server, "Ann", "Bob")
    assert await server.players.persons.expire(server.lobby) == 2
    assert await known(session, database) == [("Cid", 1, 0)]
    assert (await session.get(left)).seats[0].player == "somebody"
    assert await server.players.persons.expire(server.lobby) == 0
    assert (await phone.update("Ann")).name == "Ann"


async def test_names_of_persons_who_played_stay(ann: Device, bob: Device, phone: Device, server: Server) -> None:
    await started(ann)
    await finished(bob, phone)
    names = [await device.get() for device in (ann, bob, phone)]
    await _absent(server, *names)
    assert await server.players.persons.expire(server.lobby) == 0
    assert [await device.get() for device in (ann, bob, phone)] == names


async def test_unused_names_are_freed_at_the_start(database: Path) -> None:
    async with serving(database) as (server, session):
        for number in range(MOST_REASSIGNED + 1):
            await Device(session, new_person_key()).update(f"name {number}")
        await server._store.run(lambda connection: connection.execute("UPDATE person SET seen = 0"))
    async with serving(database) as (_, session):
        async with asyncio.timeout(SOON):
            while await known(session, database):
                await asyncio.sleep(0.02)


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


# Administration.


async def known(session: Session, database: Path) -> list[tuple[str, int, int]]:
    """Return name, devices and matches of each person, as the admin sees them."""
    persons = (await admin(session, database, pb.ListPersonsRequest())).persons
    return [(person.name, person.devices, person.matches) for person in persons]


async def test_admin_lists_and_renames_persons(ann: Device, bob: Device, session: Session, database: Path) -> None:
    await bob.update("Bob")
    await ann.update("Ann")
    await started(ann)
    assert await known(session, database) == [("Ann", 1, 1), ("Bob", 1, 0)]
    await admin(session, database, pb.RenamePersonRequest(name="Ann", new_name="Anna"))
    assert await ann.get() == "Anna"
    error = await refused(admin(session, database, pb.RenamePersonRequest(name="Anna", new_name="bob")))
    assert error.facts["which"] == "BOUND"
    error = await refused(admin(session, database, pb.RenamePersonRequest(name="Ann", new_name="Cid")))
    assert error.facts["which"] == "NOBODY"
    assert (await refused(session.admin.ListPersons(pb.ListPersonsRequest()))).reason == "NO_TOKEN"


async def test_persons_are_listed_in_pages(session: Session, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_service, "PERSONS", 2)
    for number in range(5):
        await Device(session, new_person_key()).update(f"name {number}")
    request, names = pb.ListPersonsRequest(), []
    for size in (2, 2, 1):
        page = await admin(session, database, request)
        assert len(page.persons) == size
        names += [person.name for person in page.persons]
        request.page_token = page.next_page_token
    assert names == [f"name {number}" for number in range(5)]
    assert request.page_token == ""


async def test_merged_person_goes_on_as_the_other(
    ann: Device, bob: Device, phone: Device, session: Session, database: Path
) -> None:
    await bob.update("Bob")
    await ann.update("Ann")
    over, running = await finished(ann, phone), await started(ann)
    await admin(session, database, pb.MergePersonsRequest(name="Ann", into="Bob"))
    assert await known(session, database) == [("Bob", 2, 2), (await phone.get(), 1, 1)]
    assert await ann.get() == "Bob"
    assert [seat.match.match_id for seat in await bob.resume()] == [running.match_id]
    assert {match.match_id for match in (await bob.matches(only_own=True)).matches} == {over.match_id, running.match_id}
    assert (await session.get(running.match_id)).seats[0].player == "Ann"


async def test_person_who_was_merged_into_another_at_the_same_table_has_both_seats(
    ann: Device, bob: Device, session: Session, database: Path
) -> None:
    match = await started(ann, bob)
    names = [await ann.get(), await bob.get()]
    await admin(session, database, pb.MergePersonsRequest(name=names[0], into=names[1]))
    for seats in (await bob.resume(), await ann.resume(match.match_id)):
        assert [(seat.seat, seat.your_turn) for seat in seats] == [(1, True), (2, False)]
    table = Table(session, match.match_id, "", tuple(seat.seat_token for seat in await ann.resume()))
    assert (await table.act(1, "x FEN")).revision == 1
    for seat in await bob.resume():  # it is the move of one of them, and both can be moved to another device
        code = (await session.offer_seat(match.match_id, seat.seat_token)).code
        assert (await ann.join("", code=code)).seat == seat.seat


async def test_admin_forgets_a_person(ann: Device, session: Session, database: Path) -> None:
    await ann.update("Ann")
    match = await started(ann)
    await admin(session, database, pb.RemovePersonRequest(name="Ann"))
    assert await known(session, database) == []
    assert (await session.get(match.match_id)).seats[0].player == "somebody"
    assert await ann.get() == ""
