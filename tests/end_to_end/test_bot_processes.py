"""Bots as processes for one seat: settings from the environment, and exit."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.processes.vinci_process import LIMIT, environment, run, server
from tests.support.server.in_process import LAST_TURN, Table, table
from vinci.v1 import lobby_pb2
from vinci_client.session import Session

FIRST = """
from vinci_bots.sdk import Bot, run

class First(Bot):
    def choose(self, turn):
        {body}

if __name__ == "__main__":
    run(First)
"""

ADVICE = "return turn.advice"
SLEEPS = "import time; print('thinks', flush=True); time.sleep(1000)"


@dataclass(frozen=True)
class BotSeat:
    """A seat to act, and the settings of a command that plays it."""

    at: Table
    settings: dict[str, str]


@asynccontextmanager
async def seat(home: Path) -> AsyncIterator[tuple[BotSeat, Callable[[], None]]]:
    """Start a server with a match; return a seat and a function that kills the server."""
    with server(home) as (process, address):
        async with Session(address) as session:
            at = await table(session, LAST_TURN)
            settings = {
                "VINCI_ADDRESS": address,
                "VINCI_SEAT_TOKEN": at.tokens[2],
                "VINCI_SEAT": "3",
                "VINCI_SEED": "7",
            }
            yield BotSeat(at, settings), process.kill


@contextmanager
def started(
    home: Path, command: list[str], settings: dict[str, str], stdin: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """Start a command as a league does, with environment and a pipe as standard input. It is killed in the end."""
    with subprocess.Popen(
        [sys.executable, *command],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment(home), **settings},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def program(home: Path, body: str) -> list[str]:
    """Return the program of a bot with this `choose`."""
    (home / "first.py").write_text(FIRST.format(body=body))
    return [str(home / "first.py")]


async def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Return status, output and errors of a command that exits by itself while its standard input stays open."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = await asyncio.gather(asyncio.to_thread(process.stdout.read), asyncio.to_thread(process.stderr.read))
    return await asyncio.to_thread(process.wait, LIMIT), out, err


async def test_kit_bot_plays_its_seat_and_exits(tmp_path: Path) -> None:
    """A kit bot needs no arguments; the new bot of `vinci bot new` is one."""
    run(tmp_path, "bot", "new", str(tmp_path / "hermit"))
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, [str(tmp_path / "hermit" / "bot.py")], place.settings) as process:
            status, out, err = await ended(process)
        assert (status, err) == (0, "")
        assert f"hermit: match {place.at.match_id} is over: rank 1 of 3" in out
        assert (await place.at.get()).status == lobby_pb2.MATCH_STATUS_OVER


@pytest.mark.parametrize("policy", ["greedy", "random"])
async def test_policy_command_plays_its_seat_and_exits(tmp_path: Path, policy: str) -> None:
    """`vinci bot greedy` without arguments gets address and seat from the environment, and exits with its game."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, ["-m", "vinci_cli", "bot", policy], place.settings) as process:
            status, out, err = await ended(process)
        assert (status, err) == (0, "")
        assert f"{policy}: match {place.at.match_id} is over: rank" in out


async def test_bot_plays_with_dev_null_as_standard_input(tmp_path: Path) -> None:
    """A bot plays its game with /dev/null as standard input, as under systemd."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, ADVICE), place.settings, subprocess.DEVNULL) as process:
            status, out, _err = await ended(process)
        assert status == 0
        assert "is over: rank" in out


@pytest.mark.parametrize("how", ["stdin", "SIGTERM", "SIGINT"])
async def test_thinking_bot_exits_at_closed_input_or_sigterm(tmp_path: Path, how: str) -> None:
    """The bot exits at once, without finishing its decision."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, SLEEPS), place.settings) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            while await asyncio.to_thread(process.stdout.readline) != "thinks\n":
                pass
            if how == "stdin":
                process.stdin.close()
            else:
                process.send_signal(signal.Signals[how])
            status, _, err = await ended(process)
        assert (status, err) == (0, "")
        assert (await place.at.get()).status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_invalid_answer_exits_with_a_traceback(tmp_path: Path) -> None:
    """An invalid answer ends the bot with a traceback, a message with the valid type, and status 1."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, "pass"), place.settings) as process:
            status, _, err = await ended(process)
        assert status == 1
        assert "Traceback" in err
        assert "the bot answered None; right is an action of vinci_rules" in err


async def test_traceback_leads_to_the_line_of_the_bot(tmp_path: Path) -> None:
    """The traceback ends at the line that raised the error."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, "return turn.advise"), place.settings) as process:
            status, _, err = await ended(process)
        assert status == 1
        assert 'first.py", line 6, in choose' in err
        assert "'Turn' object has no attribute 'advise'" in err


@pytest.mark.parametrize("expected", [{"VINCI_SEAT_TOKEN": "nosuchid.x"}, {"VINCI_CODE": "not ascii: ö"}])
async def test_startup_errors_are_one_line(tmp_path: Path, expected: dict[str, str]) -> None:
    """An error at the start is one line after the usage, without traceback, and the status is not 0."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, ADVICE), place.settings | expected) as process:
            status, _, err = await ended(process)
        assert status != 0
        assert "Traceback" not in err
        assert err.splitlines()[-1].startswith("first")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["first", "greedy"])
async def test_bot_exits_half_a_minute_after_its_server_was_killed(tmp_path: Path, command: str) -> None:
    """The bot retries for half a minute; then it exits normally."""
    async with seat(tmp_path) as (place, kill):
        started_by = program(tmp_path, SLEEPS) if command == "first" else ["-m", "vinci_cli", "bot", "greedy"]
        settings = place.settings
        if command == "greedy":  # it would be done too soon: seat 1 has nothing to do yet
            settings = settings | {"VINCI_SEAT_TOKEN": place.at.tokens[0]}
        with started(tmp_path, started_by, settings) as process:
            assert process.stdout is not None
            while "seat " not in await asyncio.to_thread(process.stdout.readline):
                pass
            kill()
            status, out, err = await ended(process)
        assert (status, err) == (0, "")
        assert "The stream is closed for good." in out


async def test_bot_by_name_stops_after_the_requested_games(tmp_path: Path) -> None:
    """With address, name and number of games as arguments the end of standard input is ignored."""
    with server(tmp_path, "--players", "ada,dummy,dummy", "--board", "tiny", "--option", "max_rounds=2") as (
        _,
        address,
    ):
        command = [sys.executable, *program(tmp_path, ADVICE), address, "--name", "ada", "--games", "1"]
        done = await asyncio.to_thread(
            subprocess.run,
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=environment(tmp_path),
            timeout=LIMIT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert "is over: rank" in done.stdout
