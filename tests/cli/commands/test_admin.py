"""`vinci admin` at a real server: output for people and programs, sources of the token, refusals."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import logging
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import structlog

from tests.support.cli_runner import CommandResult, vinci
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_bots import sdk
from vinci_bots.builtin.connected import policy_bot
from vinci_client.errors import ServerRefused
from vinci_client.session import Session, new_person_key
from vinci_server.app import Server
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.rpc.access import ServerAccess

HUMAN = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)
POSITION = "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 dummy | AST+SLA"

Command = Callable[..., Awaitable[CommandResult]]


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    """Start a server whose database is where `vinci serve` puts it; its log is kept out of the output of the command."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db")
    yield server
    await server.stop()
    structlog.configure(**before)


@pytest.fixture
async def session(server: Server) -> AsyncIterator[Session]:
    """Open a session with the server."""
    async with Session(f"127.0.0.1:{server.port}") as session:
        yield session


@pytest.fixture
def admin(server: Server, tmp_path: Path) -> Command:
    """Return a function that runs `vinci admin` at the server in a thread, while the server runs in this loop."""

    async def run(
        name: str, *arguments: str, server: str = f"localhost:{server.port}", home: Path = tmp_path
    ) -> CommandResult:
        output = await asyncio.to_thread(vinci, "admin", name, "--server", server, *arguments, home=home)
        free = ("{", "Error", str(tmp_path))
        assert all(len(line) <= 80 or any(word in line for word in free) for line in output.text.splitlines()), (
            output.text
        )
        return output

    return run


async def seated(session: Session) -> tuple[str, str]:
    """Start a match of two people and a dummy; return its id and the token of seat 1, which is to move."""
    made = await session.create(lobby_pb2.CreateMatchRequest(position=POSITION, start_when_full=True))
    tokens = [(await session.join(made.match.match_id, name)).seat_token for name in ("Ann", "Bob")]
    return made.match.match_id, tokens[0]


async def test_status_is_printed(session: Session, admin: Command, tmp_path: Path) -> None:
    assert "matches   none; 0 awake" in (await admin("status")).text
    await seated(session)
    result = await admin("status")
    assert result.status == 0
    assert "matches   1 running; 1 awake" in result.text
    assert str(tmp_path / "server.db") in result.text
    result = json.loads((await admin("status", "--json")).text)
    assert (result["matches"]["running"], result["draining"]) == (1, False)


async def test_matches_are_listed_one_per_line(session: Session, admin: Command) -> None:
    assert (await admin("list")).text == "No match is running or open.\n"
    running, token = await seated(session)
    stream = session.match.Watch(
        match_pb2.WatchRequest(match_id=running), metadata=(("authorization", f"Bearer {token}"),)
    )
    await stream.read()
    opened = (
        await session.create(
            lobby_pb2.CreateMatchRequest(seats=[lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)] * 6)
        )
    ).match
    heading, *lines = (await admin("list")).text.splitlines()
    assert heading.split() == ["match", "status", "round", "there", "watchers", "idle", "players"]
    assert [line.split()[:2] for line in lines] == [[running, "running"], [opened.match_id, "open"]]
    assert lines[0].split()[3:5] == ["1/3", "1"]
    assert lines[0].endswith("Ann, Bob, dummy")
    assert lines[1].endswith(" ...")
    result = [json.loads(line) for line in (await admin("list", "--status", "open", "--json")).text.splitlines()]
    assert [match["match_id"] for match in result] == [opened.match_id]
    stream.cancel()


async def test_list_of_several_pages_is_complete(session: Session, admin: Command) -> None:
    request = lobby_pb2.CreateMatchRequest(
        seats=[lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)] * 3, board="tiny"
    )
    for _ in range(51):
        await session.create(request)
    assert len((await admin("list")).text.splitlines()) == 52


async def test_match_is_shown_with_seats_and_log_entries(session: Session, admin: Command) -> None:
    match_id, token = await seated(session)
    await session.act(match_id, token, [game_pb2.Action(notation="x FEN")])
    text = (await admin("inspect", match_id, "--entries", "2")).text
    assert f"match     {match_id}, running, round 1, revision 1" in text
    assert "seat 1    human  away        10 VP  Ann  to act" in text
    assert "seat 3    dummy  connected   10 VP  dummy" in text
    *_, started, act = text.splitlines()
    assert started.endswith("start")
    assert act.split()[-4:] == ["1", "player", "x", "FEN"]
    result = json.loads((await admin("inspect", match_id, "--json")).text)
    assert result["entries"][-1]["notation"] == "x FEN"
    assert result["position"].startswith("tiny;")


async def test_match_is_paused_resumed_and_ended(session: Session, admin: Command) -> None:
    match_id, _ = await seated(session)
    assert (await admin("pause", match_id)).text == f"Match {match_id} is paused.\n"
    assert "revision 0, paused" in (await admin("inspect", match_id)).text
    assert (await admin("resume", match_id)).text == f"Match {match_id} goes on.\n"
    assert (await admin("end", match_id)).status == 2
    assert (await admin("end", match_id, "--reason", "the hall closes")).status == 0
    assert "ended, round 1, revision 0: the hall closes" in (await admin("inspect", match_id)).text
    assert match_id in (await admin("list", "--status", "ended")).text
    assert "has already ended" in (await admin("end", match_id, "--reason", "again")).text


async def test_idle_matches_are_listed_and_ended(server: Server, session: Session, admin: Command) -> None:
    made = [(await session.create(lobby_pb2.CreateMatchRequest(seats=[HUMAN] * 3))).match.match_id for _ in range(60)]
    watched, young, running = made[0], made[1], (await seated(session))[0]
    stream = session.match.Watch(match_pb2.WatchRequest(match_id=watched))
    await stream.read()

    def age(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE log SET time = time - 7200 WHERE match <> ?", (young,))

    await server._store.run(age)
    why = ("--reason", "nobody came")
    assert "0 matches would be ended." in (await admin("end", "--older", "3h", *why)).text
    result = (await admin("end", "--older", "90m", *why)).text
    assert sorted(result.splitlines()[:-2]) == sorted([*made[2:], running])
    assert result.endswith("59 matches would be ended.\nAdd --yes to end them.\n")
    assert server.lobby.live == 61
    only_open = await admin("end", "--older", "1h", "--status", "open", *why, "--yes")
    assert (only_open.status, only_open.text) == (0, "58 matches are ended.\n")
    assert server.lobby.live == 3
    assert "nobody came" in (await admin("inspect", made[2])).text
    assert (await admin("end", "--older", "1h", *why, "--yes")).text == "1 match is ended.\n"
    assert {match.match_id for match in server.lobby.known() if not match.is_finished} == {watched, young}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "give either a match"),
        (("k3f9xa2m", "--older", "1d"), "either a match or --older"),
        (("k3f9xa2m", "--yes"), "are for --older"),
        (("--older", "soon"), "whole number"),
        (("--older", "-1d"), "whole number"),
        (("--older", "1"), "whole number"),
        (("--older", "9999999d"), "whole number"),
    ],
)
async def test_invalid_selection_of_matches_to_end_is_refused(
    admin: Command, arguments: tuple[str, ...], reason: str
) -> None:
    result = await admin("end", *arguments, "--reason", "x")
    assert result.status == 2
    assert re.search(reason, result.text)


async def test_handover_token_and_kick_change_seats(session: Session, admin: Command) -> None:
    match_id, _ = await seated(session)
    code = (await admin("hand-over", match_id, "1")).text.splitlines()[-1]
    request = lobby_pb2.JoinMatchRequest(code=code, player="Eve")
    assert (await session.call(session.lobby.JoinMatch, request)).seat == 1
    token = (await admin("rotate", match_id, "1", "--name", "Ada")).text.splitlines()[-1]
    await session.act(match_id, token, [game_pb2.Action(notation="x FEN")])
    assert "Ada  to act" in (await admin("inspect", match_id)).text
    assert (await admin("kick", match_id, "2")).text == f"Seat 2 of match {match_id} is free.\n"
    assert "substituted" in (await admin("inspect", match_id)).text
    assert "nobody has joined seat 3" in (await admin("kick", match_id, "3")).text


async def test_keys_protect_names_of_bots(session: Session, admin: Command) -> None:
    assert (await admin("bot-key")).text == "No name of a bot has a key.\n"
    key = (await admin("bot-key", "hermit")).text.splitlines()[-1]
    assert key.startswith("key.")
    listed = (await admin("bot-key")).text
    assert listed.startswith("hermit    key of 20")
    assert key not in listed
    assert json.loads((await admin("bot-key", "--json")).text)["name"] == "hermit"
    events: list[str] = []
    with pytest.raises(ServerRefused, match="protected by a key"):
        await sdk.play(policy_bot("random"), session.address, name="hermit", key="key.guess")
    playing = sdk.play(policy_bot("random"), session.address, name="hermit", key=key, on_event=events.append)
    task = asyncio.create_task(playing)
    async with asyncio.timeout(20):
        while not events:
            await asyncio.sleep(0.01)
    task.cancel()
    assert (await admin("bot-key", "hermit", "--remove")).text == "Anybody may use the name hermit again.\n"
    assert "has no key" in (await admin("bot-key", "hermit", "--remove")).text
    assert "needs the name" in (await admin("bot-key", "--remove")).text
    assert (await admin("bot-key", "x" * 33)).status != 0


async def test_persons_are_listed_renamed_merged_and_forgotten(server: Server, admin: Command) -> None:
    assert (await admin("persons")).text == "There is no such person.\n"
    for name in ("Ann", "Bob"):
        async with Session(f"127.0.0.1:{server.port}", person_key=new_person_key()) as session:
            made = await session.create(lobby_pb2.CreateMatchRequest(position=POSITION, start_when_full=True))
            await session.join(made.match.match_id, name)
    assert (await admin("persons")).text.startswith("Ann  1 match, 1 device, seen ")
    assert (await admin("persons", "Ann", "--rename", "Anna")).text == "Ann is now Anna.\n"
    assert "belongs to somebody else" in (await admin("persons", "Anna", "--rename", "bob")).text
    await admin("persons", "Bob", "--merge-into", "Anna")
    listed = json.loads((await admin("persons", "--json")).text)
    assert (listed["name"], listed["matches"], listed["devices"]) == ("Anna", 2, 2)
    assert (await admin("persons", "Anna", "--forget")).text == "Anna is forgotten.\n"
    assert "no person" in (await admin("persons", "Anna", "--forget")).text
    assert "needs the name" in (await admin("persons", "--forget")).text
    assert "one change at a time" in (await admin("persons", "Ann", "--forget", "--rename", "Bob")).text


async def test_drain_waits_for_active_matches_and_can_be_cancelled(session: Session, admin: Command) -> None:
    await seated(session)
    result = await admin("drain", "--wait", "--quiet", "1")
    assert result.status == 0
    assert result.text.splitlines()[0] == "The server takes nobody new."
    assert result.text.splitlines()[-1] == "Active matches: 0."
    assert "It drains" in (await admin("status")).text
    await admin("drain", "--off")
    assert "It drains" not in (await admin("status")).text


async def test_backup_does_not_overwrite_a_file(admin: Command, tmp_path: Path) -> None:
    result = await admin("backup", str(tmp_path / "copy.db"))
    assert result.text.startswith(str(tmp_path / "copy.db"))
    again = await admin("backup", str(tmp_path / "copy.db"))
    assert again.status == 2
    assert "the full path of a new file" in again.text


async def test_token_is_read_beside_the_database_or_given(
    admin: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    result = await admin("status", home=elsewhere)
    assert result.status == 1
    assert str(elsewhere / ADMIN_FILE) in result.text
    assert "--db" in result.text
    assert (await admin("status", "--db", str(tmp_path / "server.db"), home=elsewhere)).status == 0
    token = (tmp_path / ADMIN_FILE).read_text().strip()
    assert (await admin("status", "--token", token, home=elsewhere)).status == 0
    monkeypatch.setenv("VINCI_ADMIN_TOKEN", token)
    assert (await admin("status", home=elsewhere)).status == 0


async def test_wrong_token_is_refused(admin: Command) -> None:
    result = await admin("status", "--token", "admin.wrong")
    assert result.status == 1
    assert "not the admin token" in result.text


async def test_local_token_is_not_sent_to_another_machine(admin: Command, tmp_path: Path) -> None:
    result = await admin("status", server="192.0.2.1")
    assert result.status == 2
    assert "another machine" in result.text


async def test_unknown_match_is_named(admin: Command) -> None:
    result = await admin("inspect", "nosuchid")
    assert result.status == 1
    assert "'nosuchid'" in result.text


async def test_admin_needs_the_join_code_of_the_server_too(tmp_path: Path) -> None:
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db", access=ServerAccess(code="k3f9-xa2m"))
    at = ("admin", "status", "--server", f"localhost:{server.port}")
    refused = await asyncio.to_thread(vinci, *at, home=tmp_path)
    let_in = await asyncio.to_thread(vinci, *at, "--code", "k3f9-xa2m", home=tmp_path)
    await server.stop()
    assert "requires its join code" in refused.text
    assert refused.status == 1
    assert let_in.status == 0
