"""Servers and bots as processes: whole games, kills, graceful stops, and clear errors at the start."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import signal
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.processes.matches import only_match
from tests.support.processes.vinci_process import Vinci, fails, run, server
from tests.support.terminals.real_terminals import Pty
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.address import joined
from vinci_client.errors import ServerRefused
from vinci_client.session import Session

GAME = ("--players", "random,random,random,random", "--board", "tiny", "--option", "max_rounds=40", "--seed", "e2e")
SMALL = lobby_pb2.CreateMatchRequest(
    seats=[lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)] * 3,
    board="tiny",
    start_when_full=True,
    seed="not-to-be-logged",
)


async def save_record(session: Session, match_id: str, path: Path) -> None:
    """Write the record of a match to a file."""
    request = match_pb2.GetRecordRequest(match_id=match_id)
    lines = (await session.call(session.match.GetRecord, request)).lines
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


async def test_game_of_four_bots_has_a_record_that_replays(tmp_path: Path) -> None:
    with ExitStack() as stack:
        process, address = stack.enter_context(server(tmp_path, *GAME))
        bots = [stack.enter_context(Vinci(tmp_path, "bot", "random", address, "--games", "1")) for _ in range(4)]
        for bot in bots:
            assert await asyncio.to_thread(bot.ended) == 0
            assert "is over: rank" in bot.out
        async with Session(address) as session:
            await save_record(session, await only_match(session), tmp_path / "game.jsonl")
        process.send(signal.SIGTERM)
        assert process.ended() == 0
    assert "verified" in run(tmp_path, "replay", str(tmp_path / "game.jsonl"), "--verify").out


def test_host_at_a_terminal_reads_no_log_lines(tmp_path: Path) -> None:
    """A terminal shows how to join and to stop; the log is in a file for this user only.

    Until it stops, its address is found at any port by `vinci join --list` and `vinci admin`.
    """
    command = [sys.executable, "-m", "vinci_cli", "serve", "--players", "human,dummy,dummy", "--port", "0"]
    with Pty(tmp_path, command, rows=30) as window:
        shown = window.until("Ctrl-C stops it")
        log = tmp_path / "server.log"
        assert "vinci join localhost:" in shown
        assert "match created" not in shown
        assert "match created" in log.read_text(encoding="utf-8")
        assert log.stat().st_mode & 0o077 == 0
        address = (tmp_path / "server.address").read_text(encoding="utf-8").strip()
        assert f"vinci join {address}" in shown
        assert f" {address} " in run(tmp_path, "join", "--list").out
        assert "matches" in run(tmp_path, "admin", "status").out
        window.send(signal.SIGINT)
        assert window.ended() == 0
    assert not (tmp_path / "server.address").exists()
    error = fails(tmp_path, "admin", "status")
    assert "No answer from localhost:7654; is a server running there? Name the address of another server" in error


async def test_game_survives_a_kill_and_a_stop_of_its_server(tmp_path: Path) -> None:
    """The server is killed and stopped mid-game; a watcher gets every update exactly once."""
    with ExitStack() as stack:
        process, address = stack.enter_context(server(tmp_path, *GAME))
        port = int(address.rpartition(":")[2])
        deaths = {25: signal.SIGKILL, 60: signal.SIGTERM}
        revisions: list[int] = []
        lost: list[bool] = []
        async with Session(address) as session, asyncio.timeout(120):
            match_id = await only_match(session)
            bots = [stack.enter_context(Vinci(tmp_path, "bot", "random", address, "--games", "1")) for _ in range(4)]
            async for response in session.watch(match_id, from_revision=0, on_connection=lost.append):
                if not response.HasField("update"):
                    continue
                revisions.append(response.update.revision)
                if response.update.revision in deaths:
                    number = deaths[response.update.revision]
                    process.send(number)
                    assert await asyncio.to_thread(process.ended) == (0 if number is signal.SIGTERM else -number)
                    assert "Traceback" not in process.err
                    process, _ = stack.enter_context(server(tmp_path, port=port))
            assert revisions == list(range(len(revisions)))
            assert len(revisions) > max(deaths)
            assert lost == [False, True] * len(deaths)
            for bot in bots:
                assert await asyncio.to_thread(bot.ended) == 0
            await save_record(session, match_id, tmp_path / "game.jsonl")
    assert len((tmp_path / "game.jsonl").read_text().splitlines()) == len(revisions) + 1
    assert "verified" in run(tmp_path, "replay", str(tmp_path / "game.jsonl"), "--verify").out


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_signal_stops_the_server_gracefully(tmp_path: Path, number: signal.Signals) -> None:
    with server(tmp_path, *GAME) as (process, address):
        async with Session(address) as session:
            match_id = await only_match(session)
            stream = session.match.Watch(match_pb2.WatchRequest(match_id=match_id))
            await stream.read()
            process.send(number)
            assert await asyncio.to_thread(process.ended) == 0
    assert "Traceback" not in process.err
    assert json.loads(process.err.splitlines()[-1])["event"] == "server stopped"
    assert [path.name for path in tmp_path.glob("server.db*")] == ["server.db"]
    with server(tmp_path) as (_, address):
        async with Session(address) as session:
            assert await only_match(session) == match_id


async def test_log_is_json_without_secrets(tmp_path: Path) -> None:
    with server(tmp_path, "--log-level", "debug") as (process, address):
        async with Session(address) as session:
            made = await session.create(SMALL)
            tokens = [(await session.join(made.match.match_id)).seat_token for _ in range(3)]
            with pytest.raises(ServerRefused):
                await session.act(made.match.match_id, tokens[0], [game_pb2.Action(notation="stay")])
            with Vinci(tmp_path, "bot", "random", address, "--token", tokens[0]) as bot:
                await asyncio.to_thread(bot.expect, "seat 1 of match")
        process.send(signal.SIGTERM)
        assert process.ended() == 0
    entries = [json.loads(line) for line in process.err.splitlines()]
    assert {"server started", "match created", "match started", "bot connected"} <= {e["event"] for e in entries}
    for secret in (made.host_token, *tokens):
        assert secret.rpartition(".")[2] not in process.out + process.err + bot.out + bot.err
    assert "not-to-be-logged" not in process.err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs 127.0.0.2")
@pytest.mark.parametrize("host", ["127.0.0.2", "::1", "::"])
async def test_server_at_another_address_creates_its_match(tmp_path: Path, host: str) -> None:
    if ":" in host and not socket.has_dualstack_ipv6():
        pytest.skip("no IPv6")
    with server(tmp_path, *GAME, "--host", host) as (process, address):
        process.expect("waits for the bot random.")
        assert address == joined(host, int(address.rpartition(":")[2]))
        async with Session(address.replace("[::]", "[::1]")) as session:
            assert await only_match(session)
        process.expect(f"vinci join localhost:{session.address.rpartition(':')[2]}" if host == "::1" else "They type:")
        if host == "127.0.0.2":
            process.expect(f"vinci join {address}\n")


def test_serve_and_bot_report_what_they_wait_for(tmp_path: Path) -> None:
    with server(tmp_path, "--board", "tiny", "--players", "hermit,greedy,dummy", "--code") as (process, address):
        assert process.line("Match ").endswith("waits for the bots hermit, greedy.")
        where = address.replace("127.0.0.1", "localhost")
        code = (tmp_path / "server.code").read_text().strip()
        assert process.line("bot run hermit.py ").startswith(f"{where} --code ")
        assert process.line("vinci bot greedy ").startswith(f"{where} --code ")
        with Vinci(tmp_path, "bot", "random", address, "--code", code) as bot:
            bot.expect("no match asks for 'random' now; matches ask for: greedy, hermit. It waits for one.")
        with Vinci(tmp_path, "bot", "greedy", address, "--code", code) as bot:
            bot.expect("seat 2 of match")
        assert "no match asks" not in bot.out


async def test_default_name_is_the_login_name(tmp_path: Path) -> None:
    with server(tmp_path, "--board", "tiny", "--players", "human,human,dummy") as (_, address):
        with Vinci(tmp_path, "join", address, "--line", typed=True) as joining:
            await asyncio.to_thread(joining.expect, "Waiting for players at seat 2.")
        async with Session(address) as session:
            request = lobby_pb2.GetMatchRequest(match_id=await only_match(session))
            match = (await session.call(session.lobby.GetMatch, request)).match
            assert [seat.player for seat in match.seats] == ["ann", "", "dummy"]


def test_database_of_a_running_server_is_refused(tmp_path: Path) -> None:
    with server(tmp_path) as (first, _):
        error = fails(tmp_path, "serve", "--port", "0", "--db", str(tmp_path / "server.db"))
        assert "in use by another server" in error
        first.send(signal.SIGTERM)
        assert first.ended() == 0


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with server(tmp_path) as (_, address):
        port = address.rpartition(":")[2]
        error = fails(tmp_path, "serve", "--port", port, "--db", str(tmp_path / "other.db"))
        assert port in error
        assert "--listen" in error


def test_invalid_match_is_refused_at_the_start(tmp_path: Path) -> None:
    error = fails(tmp_path, "serve", "--port", "0", "--db", str(tmp_path / "x.db"), "--players", "human,human")
    assert "3 to 6" in error


def test_bot_with_a_wrong_token_reports_it(tmp_path: Path) -> None:
    with server(tmp_path, *GAME) as (_, address):
        assert "no match" in fails(tmp_path, "bot", "random", address, "--token", "nosuchid.x")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_server_raises_its_limit_of_open_files(tmp_path: Path) -> None:
    under = ("prlimit", "--nofile=256:4096")
    database = str(tmp_path / "server.db")
    with Vinci(tmp_path, "serve", "--port", "0", "--db", database, under=under) as process:
        process.line("listening on ")
        limits = Path(f"/proc/{process.pid}/limits").read_text(encoding="ascii")
    (line,) = [line for line in limits.splitlines() if line.startswith("Max open files")]
    assert line.split()[3:5] == ["4096", "4096"]
