"""Names of people and bots: visible and distinct; names accepted by older servers are still read."""

# ruff: noqa: D103  # the name of each test says what it checks

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.server.in_process import DUMMY, HUMAN, Table, create, join, refused, serving
from tests.support.server.transfer import export
from vinci_client.session import Session
from vinci_server.errors import ServiceError
from vinci_server.match.seats.names import LONGEST_NAME, check_name, different
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
    for name in ("Ann", "ann", "dummy", ""):
        await join(session, made.match.match_id, player=name)
    match = await Table(session, made.match.match_id, "", ()).get()
    assert [seat.player for seat in match.seats] == ["Ann", "ann (2)", "dummy (2)", "human 4", "dummy"]


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
