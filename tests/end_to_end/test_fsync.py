"""System calls of the server: the log is synced between a request and its answer."""

# ruff: noqa: D103  # the name of each test says what it checks

import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes.vinci_process import Vinci
from vinci.v1 import game_pb2, lobby_pb2
from vinci_client.session import Session

CALL: Final = re.compile(r"^(?P<pid>\d+) +(?P<time>[\d.]+) (?P<rest>.*)$")
DONE: Final = re.compile(r"= 0 <(?P<took>[\d.]+)>$")
HUMAN: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)


def strace(log: Path) -> list[str]:
    """Return the command prefix for strace; skip the test if strace is missing or may not trace."""
    program = shutil.which("strace")
    if program is None:
        pytest.skip(
            "there is no strace; tests/server/storage/test_durability.py proves the same without the system's word"
        )
    command = [program, "-f", "-y", "-T", "-ttt", "-e", "trace=fsync,fdatasync", "-o", str(log)]
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("strace may not trace here; tests/server/storage/test_durability.py proves the same")
    return command


def synced(log: Path) -> list[tuple[float, float]]:
    """Return the start and end of each sync of the log, in seconds since 1970."""
    collected = []
    begun: dict[str, float] = {}
    for line in log.read_text().splitlines():
        match = CALL.match(line)
        if match is None:
            continue
        at, rest = float(match["time"]), match["rest"]
        done = DONE.search(rest)
        if "sync(" in rest and "-wal>" in rest:
            begun[match["pid"]] = at
        if done and match["pid"] in begun:
            start = begun.pop(match["pid"])
            collected.append((start, start + float(done["took"])))
    return collected


@pytest.mark.slow
async def test_log_is_synced_between_request_and_answer(tmp_path: Path) -> None:
    log = tmp_path / "strace.txt"
    arguments = ("serve", "--port", "0", "--db", str(tmp_path / "server.db"), "--with-stdin")
    answered: list[tuple[float, float]] = []
    with Vinci(tmp_path, *arguments, typed=True, under=strace(log)) as process:
        try:
            async with Session(process.line("listening on ")) as session:
                setup = lobby_pb2.CreateMatchRequest(seats=[HUMAN] * 3, board="tiny", seed="7", start_when_full=True)
                begun = time.time()
                match_id = (await session.create(setup)).match.match_id
                answered.append((begun, time.time()))
                joins = []
                for _ in range(3):
                    begun = time.time()
                    joins.append(await session.join(match_id))
                    answered.append((begun, time.time()))
                for number, joined in enumerate(joins):
                    begun = time.time()
                    await session.act(match_id, joined.seat_token, [game_pb2.Action(notation=f"forfeit {number + 1}")])
                    answered.append((begun, time.time()))
                    if number == 1:  # the last of three has won
                        break
        finally:
            process.hang_up()
        assert process.ended() == 0
    syncs = synced(log)
    for begun, ended in answered:
        assert any(begun <= start and end <= ended for start, end in syncs), (begun, ended, syncs)
