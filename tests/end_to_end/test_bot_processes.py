"""Bots as processes for one seat: settings from the environment, and their end."""

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
class Place:
    """A seat to act, and the settings of a command that plays it."""

    at: Table
    told: dict[str, str]


@asynccontextmanager
async def seat(home: Path) -> AsyncIterator[tuple[Place, Callable[[], None]]]:
    """A seat at a server of its own, and what kills that server."""
    with server(home) as (process, address):
        async with Session(address) as session:
            at = await table(session, LAST_TURN)
            told = {"VINCI_ADDRESS": address, "VINCI_SEAT_TOKEN": at.tokens[2], "VINCI_SEAT": "3", "VINCI_SEED": "7"}
            yield Place(at, told), process.kill


@contextmanager
def started(
    home: Path, command: list[str], told: dict[str, str], stdin: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """A command as a contract has it: environment and a pipe as standard input. It is killed in the end."""
    with subprocess.Popen(
        [sys.executable, *command],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment(home), **told},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def program(home: Path, body: str) -> list[str]:
    """A bot whose `choose` is this."""
    (home / "first.py").write_text(FIRST.format(body=body))
    return [str(home / "first.py")]


async def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Status, output and errors of a command that ends by itself, while its standard input stays open."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = await asyncio.gather(asyncio.to_thread(process.stdout.read), asyncio.to_thread(process.stderr.read))
    return await asyncio.to_thread(process.wait, LIMIT), out, err


async def test_a_bot_of_the_kit_plays_its_seat_and_ends(tmp_path: Path) -> None:
    """Without a word on the command line; the new bot of `vinci bot new` is one."""
    run(tmp_path, "bot", "new", str(tmp_path / "hermit"))
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, [str(tmp_path / "hermit" / "bot.py")], place.told) as process:
            status, out, err = await ended(process)
        assert (status, err) == (0, "")
        assert f"hermit: match {place.at.match_id} is over: rank 1 of 3" in out
        assert (await place.at.get()).status == lobby_pb2.MATCH_STATUS_OVER


@pytest.mark.parametrize("policy", ["greedy", "random"])
async def test_a_policy_is_such_a_command(tmp_path: Path, policy: str) -> None:
    """`vinci bot greedy` alone knows address and seat, and ends with its game."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, ["-m", "vinci_cli", "bot", policy], place.told) as process:
            status, out, err = await ended(process)
        assert (status, err) == (0, "")
        assert f"{policy}: match {place.at.match_id} is over: rank" in out


async def test_no_standard_input_is_no_end(tmp_path: Path) -> None:
    """Check that a bot plays its game with /dev/null as standard input, as under systemd."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, ADVICE), place.told, subprocess.DEVNULL) as process:
            status, out, _err = await ended(process)
        assert status == 0
        assert "is over: rank" in out


@pytest.mark.parametrize("how", ["stdin", "SIGTERM", "SIGINT"])
async def test_a_bot_that_thinks_ends_when_nobody_needs_it(tmp_path: Path, how: str) -> None:
    """Its standard input closes, or it is told to; it need not come to an end with what it thinks about."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, SLEEPS), place.told) as process:
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


async def test_no_action_is_an_error_with_a_traceback(tmp_path: Path) -> None:
    """Check that an invalid answer ends the bot with a traceback, a message with the valid type, and status 1."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, "pass"), place.told) as process:
            status, _, err = await ended(process)
        assert status == 1
        assert "Traceback" in err
        assert "the bot answered None; right is an action of vinci_rules" in err


async def test_an_error_names_the_line_of_the_bot(tmp_path: Path) -> None:
    """The traceback leads to where it was raised."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, "return turn.advise"), place.told) as process:
            status, _, err = await ended(process)
        assert status == 1
        assert 'first.py", line 6, in choose' in err
        assert "'Turn' object has no attribute 'advise'" in err


@pytest.mark.parametrize("told", [{"VINCI_SEAT_TOKEN": "nosuchid.x"}, {"VINCI_CODE": "not ascii: ö"}])
async def test_a_bot_that_cannot_play_says_why_in_short(tmp_path: Path, told: dict[str, str]) -> None:
    """One line after the usage, no traceback, a status that is not 0."""
    async with seat(tmp_path) as (place, _):
        with started(tmp_path, program(tmp_path, ADVICE), place.told | told) as process:
            status, _, err = await ended(process)
        assert status != 0
        assert "Traceback" not in err
        assert err.splitlines()[-1].startswith("first")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["first", "greedy"])
async def test_a_bot_whose_server_is_killed_ends(tmp_path: Path, command: str) -> None:
    """It tries for half a minute; then the stream is closed for good, which is a clean end."""
    async with seat(tmp_path) as (place, kill):
        started_by = program(tmp_path, SLEEPS) if command == "first" else ["-m", "vinci_cli", "bot", "greedy"]
        told = place.told
        if command == "greedy":  # it would be done too soon: seat 1 has nothing to do yet
            told = told | {"VINCI_SEAT_TOKEN": place.at.tokens[0]}
        with started(tmp_path, started_by, told) as process:
            assert process.stdout is not None
            while "seat " not in await asyncio.to_thread(process.stdout.readline):
                pass
            kill()
            status, out, err = await ended(process)
        assert (status, err) == (0, "")
        assert "The stream is closed for good." in out


async def test_a_bot_by_hand_waits_for_games_and_stops_after_as_many_as_wanted(tmp_path: Path) -> None:
    """Address, name and number of games are typed; that its standard input is at its end means nothing."""
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
