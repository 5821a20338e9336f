"""`vinci person` at a real server, and `vinci join` with its key: a name on two machines, and its seats."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.cli.commands.test_join import joins
from tests.support.cli_runner import CommandResult, vinci
from tests.support.server.in_process import DUMMY, HUMAN, address, create, played, refused, serving
from tests.support.server.over_http import web_server
from vinci_cli import home
from vinci_cli.connection import connect, person_keys, saved_seats, seating
from vinci_cli.connection.seating import resumed, seat_people
from vinci_client.session import Session, new_person_key
from vinci_server.app import Server

THREE = (HUMAN, HUMAN, DUMMY)


@pytest.fixture(autouse=True)
def beside_a_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let commands run in threads, which cannot handle signals, without the log of the server in their output."""
    monkeypatch.setattr(connect, "_interruptible", lambda work: work)
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.configure(**before)


async def person(where: Path, *arguments: str) -> CommandResult:
    """Run `vinci person` in a thread, with the folder of a machine."""
    where.mkdir(exist_ok=True)
    return await asyncio.to_thread(vinci, "person", *arguments, home=where)


async def opened(server: Server, where: Path, *names: str, match_id: str) -> tuple[int, str]:
    """Take seats in a match from a machine; return seat and token of the first."""
    with home.kept_in(where):
        async with Session(address(server), person_key=person_keys.at(address(server))) as session:
            seat = await seat_people(session, match_id, names)
            saved_seats.save(seat)
            return seat.seat, seat.token


async def test_name_is_used_on_two_machines_and_their_seats_too(tmp_path: Path) -> None:
    laptop, phone = tmp_path / "laptop", tmp_path / "phone"
    async with serving(tmp_path / "server.db") as (server, session):
        at = address(server)
        match_id = (await create(session, *THREE)).match.match_id
        assert "You have no name" in (await person(laptop, "show", at)).text
        first = await opened(server, laptop, "Ann", match_id=match_id)
        assert (await person(laptop, "show", at)).text == "Ann, on 1 device\n"
        code = (await person(laptop, "link", at)).text.splitlines()[0].split()[-1]
        assert (await person(phone, "use", at, code)).text == f"You are Ann at {at} on this device, too.\n"
        assert json.loads((await person(phone, "show", at, "--json")).text)["devices"] == 2
        second = await opened(server, phone, "Ann", match_id=match_id)
        assert (first[0], second[0], first[1] == second[1]) == (1, 1, False)
        assert "this link is not valid" in (await person(tmp_path / "third", "use", at, code)).text


async def test_key_is_kept_for_its_user_only_and_in_no_output(tmp_path: Path) -> None:
    async with serving(tmp_path / "server.db") as (server, session):
        at = address(server)
        await opened(server, tmp_path, "Ann", match_id=(await create(session, *THREE)).match.match_id)
        texts = [
            (await person(tmp_path, *words)).text for words in (("show", at), ("link", at), ("show", at, "--json"))
        ]
        keys = json.loads((tmp_path / "keys.json").read_text())
        assert list(keys) == [at]
        assert not [text for text in texts if keys[at] in text]
        assert keys[at] not in (tmp_path / "seats.json").read_text()
        if os.name == "posix":
            assert stat.S_IMODE((tmp_path / "keys.json").stat().st_mode) == 0o600


async def test_person_is_renamed_and_forgotten(tmp_path: Path) -> None:
    async with serving(tmp_path / "server.db") as (server, session):
        at = address(server)
        match_id = (await create(session, *THREE)).match.match_id
        await opened(server, tmp_path, "Ann", match_id=match_id)
        assert (await person(tmp_path, "rename", at, "Anna")).text == f"You are Anna at {at}.\n"
        result = await person(tmp_path, "forget", at)
        assert (result.status, "nothing was done" in result.text) == (1, True)
        assert (await person(tmp_path, "forget", at, "--yes")).text == f"{at} has forgotten you.\n"
        assert (await session.get(match_id)).seats[0].player == "somebody"
        assert "You have no name" in (await person(tmp_path, "show", at)).text


async def test_link_can_be_opened_on_the_page(tmp_path: Path) -> None:
    async with serving(tmp_path / "server.db") as (server, session):
        at = address(server)
        await opened(server, tmp_path, "Ann", match_id=(await create(session, *THREE)).match.match_id)
        assert "Or open" not in (await person(tmp_path, "link", at)).text
    async with web_server(tmp_path / "server.db") as (server, web):
        with home.kept_in(tmp_path):
            person_keys.save(address(server), person_keys.at(at))
        first, _page, opens = (await person(tmp_path, "link", address(server))).text.splitlines()
        code = first.split()[-1].replace("-", "")
        assert opens == f"Or open this there: http://192.168.1.5:{web.port}/#device={code}"


async def test_machine_with_a_name_needs_a_new_key_for_another(tmp_path: Path) -> None:
    ann, bob = tmp_path / "ann", tmp_path / "bob"
    async with serving(tmp_path / "server.db") as (server, session):
        at = address(server)
        match_id = (await create(session, *THREE)).match.match_id
        await opened(server, ann, "Ann", match_id=match_id)
        await opened(server, bob, "Bob", match_id=match_id)
        code = (await person(ann, "link", at)).text.splitlines()[0].split()[-1]
        assert "already plays as Bob" in (await person(bob, "use", at, code)).text
        assert (await person(bob, "show", at)).text == "Bob, on 1 device\n"
        assert "is not valid" in (await person(bob, "use", at, "wrong", "--new-key")).text
        assert (await person(bob, "show", at)).text == "Bob, on 1 device\n"
        assert "You are Ann" in (await person(bob, "use", at, code, "--new-key")).text


async def test_others_at_this_machine_are_guests(tmp_path: Path) -> None:
    async with serving(tmp_path / "server.db") as (server, session):
        first, second = [(await create(session, *THREE)).match.match_id for _ in range(2)]
        await opened(server, tmp_path, "Ann", "Ben", match_id=first)
        assert [seat.person for seat in (await session.get(first)).seats] == [True, False, False]
        await opened(server, tmp_path, "Zoe", match_id=second)
        await opened(server, tmp_path, "Ann", match_id=second)
        seats = (await session.get(second)).seats
        assert [(seat.player, seat.person) for seat in seats[:2]] == [("Zoe", False), ("Ann", True)]


async def test_login_name_of_somebody_else_is_replaced_and_a_chosen_one_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "login_name", lambda: "pi")
    one, other = tmp_path / "one", tmp_path / "other"
    async with serving(tmp_path / "server.db") as (server, session):
        match_id = (await create(session, HUMAN, HUMAN, HUMAN)).match.match_id
        await opened(server, one, "pi", match_id=match_id)
        await opened(server, other, "pi", match_id=match_id)
        assert [seat.player for seat in (await session.get(match_id)).seats[:2]] == ["pi", "pi 2"]
        monkeypatch.setattr(seating, "login_name", lambda: "root")
        error = await refused(opened(server, tmp_path / "third", "pi", match_id=match_id))
        assert (error.reason, error.facts["first"]) == ("BAD_NAME", "pi 3")


async def test_join_offers_a_seat_taken_on_another_device(tmp_path: Path) -> None:
    async with serving(tmp_path / "server.db") as (server, session):
        match_id = (await create(session, *THREE)).match.match_id
        key = new_person_key()
        async with Session(address(server), person_key=key) as browser:
            taken = await browser.join(match_id, "Ann")
        with home.kept_in(tmp_path):
            person_keys.save(address(server), key)
            async with Session(address(server)) as browser_too, Session(address(server), person_key=key) as terminal:
                ((seat, _match),) = await resumed(terminal, [])
                assert (seat.seat, seat.token) == (taken.seat, taken.seat_token)
                assert (
                    not (await session.get(match_id)).seats[0].nonce_hash
                )  # nothing was changed before somebody agrees
                async with played(browser_too, match_id, taken.seat, taken.seat_token):  # its tab is still open
                    again, shown = await joins(terminal, "")
        assert dict(again.nonces)
        assert (again.seat, "A game is waiting for Ann" in shown) == (1, True)
        assert await resumed(session, []) == []
