"""Computer players beside a server: started when a seat asks for them, again after they die, and ended with the server."""

import asyncio
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from structlog.testing import capture_logs

from tests.support.bots.attacks import needs_sandbox
from tests.support.cli_runner import vinci
from tests.support.server.in_process import DUMMY, bot_seat
from vinci.v1 import lobby_pb2
from vinci_bots.local import sandbox
from vinci_bots.local.local_match import BotLimits
from vinci_bots.local.participants import Player
from vinci_bots.local.process import MEGABYTE
from vinci_cli.serve import bots
from vinci_client import processes
from vinci_server.app import Server
from vinci_server.rpc.access import ServerAccess

ACCESS = ServerAccess(code="k3f9-xa2m")
MINE = """
from vinci_bots.sdk import bot, run

@bot
def mine(turn):
    return max(turn.conquests, key=turn.worth, default=turn.advice)

run(mine)
"""
GAME = lobby_pb2.CreateMatchRequest(seats=[bot_seat("easy"), DUMMY, DUMMY], board="tiny", start_when_full=True)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.05)


async def test_player_is_started_for_a_match_and_again_after_its_death(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing runs before a seat asks; two games are played, the second by another process; then none runs."""
    started = []

    def start(*arguments: object) -> object:
        started.append(begin(*arguments))  # type: ignore[arg-type]
        return started[-1]

    begin = processes.start
    monkeypatch.setattr(processes, "start", start)
    monkeypatch.setattr(bots, "AGAIN_SECONDS", 0.1)
    server = await Server.start(
        "127.0.0.1", 0, tmp_path / "games.db", access=ACCESS, with_loopback=True, bots=["easy", "normal"]
    )
    players = [bots.built_in("easy"), bots.built_in("normal")]
    async with bots.computer_players(server, players, ACCESS, tmp_path / "games.db"):
        assert server.wanted_bots() == []
        for games in (1, 2):
            match, _ = await server.lobby.create(GAME)
            await until(lambda: match.is_finished)  # noqa: B023
            assert match.status == "over"
            assert len(started) == games
            assert psutil.Process(started[-1].pid).nice() == bots.LOW
            started[-1].kill()
            await until(lambda: started[-1].returncode is not None)
        match, _ = await server.lobby.create(GAME)
        await until(lambda: len(started) == 3)
    assert started[-1].returncode is not None
    await server.stop()


def of_others(folder: Path, **programs: str) -> list[Player]:
    """Write bots in Python; return them as players."""
    for name, code in programs.items():
        (folder / f"{name}.py").write_text(code)
    return [Player(name, (sys.executable, str(folder / f"{name}.py"))) for name in programs]


@pytest.mark.parametrize("is_confined", [False, True], ids=["plain", "sandbox"])
async def test_bots_of_others_play_beside_ours(tmp_path_factory: pytest.TempPathFactory, is_confined: bool) -> None:
    """They play several games under their names; only those in the sandbox cannot read the server's database."""
    if is_confined:
        needs_sandbox()
    place = tmp_path_factory.mktemp("s")  # a short path, as sockets need
    database, socket = place / "games.db", place / "door" / sandbox.SOCKET if is_confined else None
    if socket is not None:
        socket.parent.mkdir()
    reads = f"import os\nprint('reads', os.path.exists({str(database)!r}), flush=True)\n"
    mine = of_others(place, mine=reads + MINE)
    players = [bots.built_in("easy"), *mine]
    names = [player.name for player in players]
    server = await Server.start(
        "127.0.0.1", 0, database, access=ACCESS, with_loopback=True, bots=names, bot_socket=socket
    )
    game = lobby_pb2.CreateMatchRequest(board="tiny", start_when_full=True)
    game.seats.extend([bot_seat("easy"), bot_seat("mine"), DUMMY])
    async with bots.computer_players(server, players, ACCESS, database, socket):
        matches = [(await server.lobby.create(game))[0] for _ in range(3)]
        await until(lambda: all(match.is_finished for match in matches))
    assert [match.status for match in matches] == ["over"] * 3
    assert (place / "games-mine.log").read_text().splitlines().count(f"reads {not is_confined}") == 1
    assert not (place / "games-easy.log").exists()
    await server.stop()


async def test_bot_that_ends_or_takes_too_much_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of the server has the reason and its last words; it is started again later."""
    monkeypatch.setattr(bots, "AGAIN_SECONDS", 0.1)
    monkeypatch.setattr(bots, "USUAL", BotLimits(memory=100 * MEGABYTE))
    hoards = "import time\nprint('I take it', flush=True)\nhoard = b'1' * (300 << 20)\ntime.sleep(600)"
    players = of_others(tmp_path, broken="raise SystemExit('I am broken')", hoarder=hoards)
    players.append(Player("missing", ("/nowhere/bot",)))
    names = [player.name for player in players]
    server = await Server.start("127.0.0.1", 0, tmp_path / "games.db", access=ACCESS, with_loopback=True, bots=names)
    game = lobby_pb2.CreateMatchRequest(board="tiny", start_when_full=True, seats=list(map(bot_seat, names)))
    with capture_logs() as lines:
        await server.lobby.create(game)
        async with bots.computer_players(server, players, ACCESS, tmp_path / "games.db"):
            told = {}

            def all_told() -> bool:
                ends = [line for line in lines if line["event"] in ("player ended", "player not started")]
                told.update({line["player"]: line for line in ends})
                return told.keys() == set(names)

            await until(all_told)
            await until(lambda: [line.get("player") for line in lines].count("broken") > 3)
    assert (told["broken"]["why"], told["broken"]["last_words"]) == ("status 1", "I am broken")
    assert re.fullmatch(r"it had \d+ MB of memory, and may have 100", told["hoarder"]["why"])
    assert told["hoarder"]["last_words"] == "I take it"
    assert "nowhere" in told["missing"]["why"]
    await server.stop()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--bot", "nowhere"], "--bot: 'nowhere': there is no such command"),
        (["--bot", "stdio:python missing.py"], "there is no file 'missing.py'"),
    ],
)
def test_bot_that_cannot_be_started_is_refused(words: list[str], error: str) -> None:
    """Before the server starts."""
    status, text = vinci("serve", *words)
    assert status == 2
    assert error in text


def test_unknown_player_is_refused() -> None:
    """The names of players are in the error."""
    status, text = vinci("serve", "--bots", "easy,esay")
    assert status == 2
    assert "--bots: there is no player 'esay'; there are easy, normal, hard, expert" in text


def test_wrong_budget_is_refused() -> None:
    """The error says what is wrong with a level."""
    status, text = vinci("serve", "--bots", "easy:3")
    assert status == 2
    assert "easy does not look ahead" in text


def test_priority_that_cannot_be_lowered_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under a filter of system calls that refuses setpriority."""

    def refuse(process: psutil.Process, value: int) -> None:
        raise psutil.AccessDenied(process.pid)

    monkeypatch.setattr(psutil.Process, "nice", refuse)
    with capture_logs() as lines:
        bots.lower_priority("easy", os.getpid())
    assert [(line["event"], line["player"]) for line in lines] == [("player keeps the priority of the server", "easy")]
