"""Computer players beside a server: started when a seat asks for them, again after they die, and ended with the server."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from structlog.testing import capture_logs

from tests.support.cli_runner import vinci
from tests.support.server.in_process import DUMMY, bot_seat
from vinci.v1 import lobby_pb2
from vinci_cli.serve import bots
from vinci_client import processes
from vinci_server.app import Server
from vinci_server.rpc.access import ServerAccess

ACCESS = ServerAccess(code="k3f9-xa2m")
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
    async with bots.computer_players(server, ["easy", "normal"], ACCESS):
        assert server.wanted_bots() == []
        for games in (1, 2):
            match, _ = await server.lobby.create(GAME)
            await until(lambda: match.is_finished)  # noqa: B023
            assert match.status == "over"
            assert len(started) == games
            assert psutil.Process(started[-1].pid).nice() == bots.LOW
            started[-1].kill()
            await asyncio.to_thread(started[-1].wait)
        match, _ = await server.lobby.create(GAME)
        await until(lambda: len(started) == 3)
    assert started[-1].poll() is not None
    await server.stop()


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
