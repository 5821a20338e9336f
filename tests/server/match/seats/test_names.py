"""Names of people and bots: visible and distinct; names accepted by older servers are still read."""

# ruff: noqa: D103  # the name of each test says what it checks

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.server.in_process import (
    DUMMY,
    HUMAN,
    Table,
    bearer,
    bot_seat,
    bot_stream,
    create,
    join,
    refused,
    serving,
)
from tests.support.server.transfer import export
from vinci.v1 import admin_pb2, bot_pb2
from vinci_client.session import Session
from vinci_players.builtin import POLICIES
from vinci_players.levels import LEVELS
from vinci_server.errors import ServiceError
from vinci_server.match.seats.names import KEPT, LONGEST_NAME, SOMEBODY, check_name, check_person, different
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.transfer import bundle

FILLER = "\u3164"
WIDE_ANN = "\uff21\uff4e\uff4e"


@pytest.mark.parametrize(
    "name", ["Ann", "Zoë", "Bởi", "Łukasz 2", "7", "Анна", "王芳", "अनिता", "Ann \N{FOX FACE}", "o\u0323\u0302"]
)
def test_names_of_all_scripts_are_accepted(name: str) -> None:
    assert check_name(name)


@pytest.mark.parametrize(
    ("name", "shown"), [("  Ann   Lee ", "Ann Lee"), (WIDE_ANN, "Ann"), ("Zoe\u0308", "Zo\xeb"), ("", "")]
)
def test_name_is_normalised(name: str, shown: str) -> None:
    assert check_name(name) == shown


@pytest.mark.parametrize(
    "name",
    [
        FILLER,
        f"a{FILLER}",
        "\u2800",
        "\u115f\u1160",
        "\ufe0f" * 32,
        "q" + "\u0301" * 31,
        "q\u0301\u0302\u0303",
        "!?",
        "\N{FOX FACE}",
    ],
)
def test_invisible_or_too_high_name_is_refused(name: str) -> None:
    with pytest.raises(ServiceError) as caught:
        check_name(name)
    assert (caught.value.reason, caught.value.facts["which"]) == ("BAD_NAME", "INVISIBLE")


@pytest.mark.parametrize("name", ["a" * 33, "\ufdfa" * 3, "a\x1b[2J", "a\u202eb"])
def test_too_long_or_control_name_is_refused(name: str) -> None:
    with pytest.raises(ServiceError, match="at most 32 characters, all printable"):
        check_name(name)


def test_equal_name_gets_the_first_free_number() -> None:
    assert different("Ann", ["Ben"]) == "Ann"
    assert different("Ann", ["ANN", "Ann (2)", "Ben"]) == "Ann (3)"
    assert different("a" * LONGEST_NAME, ["a" * LONGEST_NAME]) == "a" * (LONGEST_NAME - 4) + " (2)"
    assert different("Ann", [WIDE_ANN]) == "Ann (2)"
    assert different("a" * 27 + " bbbb", ["a" * 27 + " bbbb"]) == "a" * 27 + " (2)"


async def test_names_in_a_match_are_distinct(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN, HUMAN, DUMMY)
    for name in ("Ann", "ann", "Ben", ""):
        await join(session, made.match.match_id, player=name)
    match = await Table(session, made.match.match_id, "", ()).get()
    assert [seat.player for seat in match.seats] == ["Ann", "ann (2)", "Ben", "human 4", "dummy"]


CYRILLIC_ANN = "\u0410nn"
GREEK_ANN = "\u0391nn"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", CYRILLIC_ANN),
        ("ANN", CYRILLIC_ANN.lower()),
        (GREEK_ANN, CYRILLIC_ANN),
        ("Bob", "B0b"),
        ("Iris", "lris"),
        ("modern", "rnodern"),
    ],
)
def test_name_that_looks_like_another_is_refused(name: str, other: str) -> None:
    with pytest.raises(ServiceError) as caught:
        check_person(name, ["Eve", other])
    assert (caught.value.facts["which"], caught.value.facts["other"]) == ("ALIKE", other)


@pytest.mark.parametrize("name", ["dummy", "Dummy", "Seat 1", "s\u0435at 12", "EASY", "normal", "h\u0430rd", "expert"])
def test_name_of_a_seat_or_computer_player_is_refused(name: str) -> None:
    with pytest.raises(ServiceError) as caught:
        check_person(name, [])
    assert caught.value.facts["which"] == "KEPT"


@pytest.mark.parametrize(
    "name", ["Ann", "ann", "Anna", "\u0410\u043d\u043d\u0430", "Zo\xeb", "dummy 2", "Seattle", "hardy"]
)
def test_other_names_are_taken_by_people(name: str) -> None:
    check_person(name, ["Ann", "Zoe", "dummy", "human"])


def test_names_of_computer_players_are_kept() -> None:
    assert {*LEVELS, *POLICIES, SOMEBODY} == set(KEPT)


async def test_look_alike_of_a_player_or_protected_bot_is_refused(database: Path) -> None:
    """Bots take their seats by name, and who has a seat keeps the name."""
    async with serving(database) as (server, session):
        token = (database.parent / ADMIN_FILE).read_text(encoding="ascii").strip()
        await session.admin.MakeBotKey(admin_pb2.MakeBotKeyRequest(name="greedy"), metadata=bearer(token))
        made = await create(session, HUMAN, HUMAN, bot_seat("easy"), bot_seat("gr\u0435ta"), bot_seat("greta"))
        match_id = made.match.match_id
        await join(session, match_id, player="Ann")
        for name, other in ((CYRILLIC_ANN, "Ann"), ("gr\u0435edy", "greedy"), ("greedy", "greedy"), ("easy", "")):
            error = await refused(join(session, match_id, player=name))
            assert (error.reason, error.facts.get("other", "")) == ("BAD_NAME", other)
        for seat, name in ((3, "easy"), (4, "gr\u0435ta"), (5, "greta")):
            assert (await join(session, match_id, seat, player=name)).seat == seat
        assert "looks like 'Ann'" in (await refused(join(session, match_id, 2, player=CYRILLIC_ANN))).message
        async with bot_stream(server) as eve:
            await eve.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="gr\u0435edy")))
            assert (await refused(eve.next())).facts["other"] == "greedy"


async def test_default_names_are_distinct(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN)
    await join(session, made.match.match_id, player="human 2")
    await join(session, made.match.match_id)
    match = await Table(session, made.match.match_id, "", ()).get()
    assert [seat.player for seat in match.seats][:2] == ["human 2", "human 2 (2)"]


async def test_log_with_invalid_names_is_read_and_imported(database: Path) -> None:
    old = FILLER + "\u0301" * 5
    async with serving(database) as (_, session):
        made = await create(session, HUMAN, HUMAN, HUMAN)
        for name in ("first", "second"):
            await join(session, made.match.match_id, player=name)
    connection = sqlite3.connect(database)
    for name in ("first", "second"):
        connection.execute("UPDATE log SET text = replace(text, ?, ?) WHERE kind = 'join'", (name, old))
    connection.commit()
    connection.close()
    async with serving(database) as (_, session):
        match = await Table(session, made.match.match_id, "", ()).get()
        assert [seat.player for seat in match.seats][:2] == [old] * 2
        await join(session, made.match.match_id, player="third")
    assert [entry.match_id for entry, _ in bundle.matches(await export(database))] == [made.match.match_id]


async def test_name_cut_at_a_space_is_imported(database: Path) -> None:
    """Older servers wrote two spaces before the number in such names, this one writes one."""
    name = "a" * 27 + " bbbb"
    async with serving(database) as (_, session):
        made = await create(session, HUMAN, HUMAN, HUMAN)
        for _ in range(2):
            await join(session, made.match.match_id, player=name)
    assert [entry.match_id for entry, _ in bundle.matches(await export(database))] == [made.match.match_id]
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE log SET text = replace(text, ' (2)', '  (2)') WHERE kind = 'join'")
    assert [entry.match_id for entry, _ in bundle.matches(await export(database))] == [made.match.match_id]


async def test_invalid_name_is_refused_with_the_valid_form(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN)
    error = await refused(join(session, made.match.match_id, player=FILLER))
    assert (error.reason, error.facts) == ("BAD_NAME", {"which": "INVISIBLE", "most": "2"})
    assert "visible letter" in error.message
