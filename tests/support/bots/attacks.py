"""Attacks of a hostile bot: each is Python that ends without an error if it succeeds.

The names in capitals are replaced by paths and numbers of the test; see `attacker`.
"""

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from vinci_bots.local import sandbox
from vinci_bots.local.participants import Player

from .python_commands import python

ATTACKS: Final = {
    "reads another bot": "open(OTHER).read()",
    "reads the league": "open(LEAGUE).read()",
    "reads files of the user": "open(SECRET).read()",
    "lists the database": "os.listdir(DATABASE)",
    "changes itself": 'open(OWN, "a")',
    "leaves a file for others": 'open(SHARED, "w").write("hello")',
    "finds a file that others left": "open(LEFT).read()",
    "finds shared memory": 'open("/dev/shm/" + MEMORY).read()',
    "reads environments of others": 'open(f"/proc/{PID}/environ").read()',
    "has the environment of the user": 'os.listdir(os.environ["PYTHONPATH"])',
    "signals others": "os.kill(PID, 0)",
    "connects to this machine": 'socket.create_connection(("127.0.0.1", PORT), 2)',
    "connects to an abstract socket": "socket.socket(socket.AF_UNIX).connect(chr(0) + MEMORY)",
    "asks the lobby": 'LobbyServiceStub(grpc.insecure_channel(os.environ["VINCI_ADDRESS"])).ListMatches(ListMatchesRequest())',
    "makes a match": 'LobbyServiceStub(grpc.insecure_channel(os.environ["VINCI_ADDRESS"])).CreateMatch(CreateMatchRequest(seats=[SeatSetup(kind=3)] * 3))',
}

CODE: Final = """
import grpc, socket
from vinci.v1.lobby_pb2 import CreateMatchRequest, ListMatchesRequest, SeatSetup
from vinci.v1.lobby_pb2_grpc import LobbyServiceStub
for name, attack in {attacks!r}.items():
    try:
        exec(attack)
        print("succeeded:", name, flush=True)
    except Exception as error:
        print("refused:", name, "#", type(error).__name__, str(error)[:80].replace(chr(10), " "), flush=True)
run()
"""


def attacker(names: Mapping[str, object]) -> Player:
    """Return a bot that tries all attacks, says which succeed, and plays; `names` are what stands in them."""
    given = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    return python("attacker", given + CODE.format(attacks=ATTACKS))


def needs_sandbox() -> None:
    """Skip a test where there is no sandbox."""
    try:
        sandbox.check()
    except sandbox.SandboxMissing as error:
        pytest.skip(f"no sandbox here: {error}")


@contextmanager
def targets(mark: str) -> Iterator[dict[str, object]]:
    """Listen on a port and at an abstract socket; yield the names of these and of this process for `attacker`."""
    with socket.socket() as listening, socket.socket(socket.AF_UNIX) as abstract:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        abstract.bind(f"\0{mark}")
        abstract.listen()
        yield {"MEMORY": mark, "PID": os.getpid(), "PORT": listening.getsockname()[1]}


def told(log: str) -> list[str]:
    """Return what an attacker said of its attacks, without the errors."""
    return [line.partition(" #")[0] for line in log.splitlines() if line.startswith(("refused:", "succeeded:"))]


def running(mark: str) -> list[Path]:
    """Return the processes that have a mark in their command line."""
    return [file for file in Path("/proc").glob("[0-9]*/cmdline") if mark.encode() in _read(file)]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""
