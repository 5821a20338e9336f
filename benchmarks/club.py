"""The server with the database of a club, beside the same server with that of its first games."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from vinci.v1 import lobby_pb2 as pb
from vinci_client.session import Session

from .club_database import key, write
from .figures import Figure, Target, medians
from .processes import vinci

PERSONS: Final = 200
GAMES: Final = 20_000
FIRST_GAMES: Final = 100
STARTS: Final = 5
CALLS: Final = 20
PAGE: Final = 30
"""Matches that the lobby of the page asks for."""
DEPTH: Final = 10
"""Pages that somebody looks through."""
_ANSWER: Final = Target(50, at_most=True)
UNLIMITED: Final = ("cpu_milliseconds_per_second=100000", "calls_per_second=100000")


def figures() -> Iterator[Figure]:
    """Seconds until the server answers, milliseconds of lobby and list, time and memory of the ratings."""
    with TemporaryDirectory(dir=".", prefix=".bench-") as folder:
        club, young = Path(folder, "club.db"), Path(folder, "young.db")
        _progress(f"{PERSONS} persons, {GAMES} games")
        write(club, PERSONS, GAMES)
        write(young, PERSONS, FIRST_GAMES)
        own, other = medians(lambda: _start(club), lambda: _start(young), rounds=STARTS)
        yield Figure("club.start", own, "s", other, Target(1, at_most=True))
        _progress("calls")
        found = [_calls(database) for database in (club, young)]
        for name in found[0]:
            yield Figure(f"club.{name}", found[0][name], "ms", found[1][name], _ANSWER)
        _progress("ratings")
        (seconds, memory), (fewer, less) = (_rated(database) for database in (club, young))
        yield Figure("club.ratings", seconds, "s", fewer, Target(5, at_most=True))
        yield Figure("club.ratings.memory", memory, "MB", less, Target(200, at_most=True))


def _start(database: Path) -> float:
    """Return the seconds from the command until the server listens."""
    begin = time.perf_counter()
    with vinci(database):
        return time.perf_counter() - begin


def _calls(database: Path) -> dict[str, float]:
    """Return the milliseconds of calls of a person who plays much, on a server of its own."""
    with vinci(database, *UNLIMITED) as (_, address):
        return asyncio.run(_called(address))


async def _called(address: str) -> dict[str, float]:
    metadata = (("vinci-person", key(1)),)
    async with Session(address) as session:
        await session.lobby.GetServerInfo(pb.GetServerInfoRequest())

        async def took(method: Any, request: Any) -> tuple[float, Any]:
            begin = time.perf_counter()
            answer = await method(request, metadata=metadata)
            return 1000 * (time.perf_counter() - begin), answer

        lobby, first = session.lobby, pb.ListMatchesRequest(page_size=PAGE)
        found, token, older = {"lobby.first": (await took(lobby.ListMatches, first))[0]}, "", []
        for _ in range(DEPTH):
            request = pb.ListMatchesRequest(page_size=PAGE, page_token=token)
            milliseconds, answer = await took(lobby.ListMatches, request)
            older.append(milliseconds)
            token = answer.next_page_token
            if not token:
                break
        found["lobby.older"] = median(older[1:])
        requests = {
            "lobby": (lobby.ListMatches, first),
            "lobby.open": (lobby.ListMatches, pb.ListMatchesRequest(page_size=PAGE, status=pb.MATCH_STATUS_OPEN)),
            "players": (lobby.ListPlayers, pb.ListPlayersRequest()),
            "player": (lobby.GetPlayer, pb.GetPlayerRequest(name="Player 1")),
        }
        while (await took(*requests["players"]))[1].updating:
            await asyncio.sleep(0.1)
        for name, call in requests.items():
            found[name] = median([(await took(*call))[0] for _ in range(CALLS)])
        return found


def _rated(database: Path) -> tuple[float, float]:
    """Return the CPU seconds and MB of the process that rates all players."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT match, player, rank FROM result ORDER BY id").fetchall()
    process = subprocess.Popen(
        [sys.executable, "-m", "vinci_ratings"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    assert process.stdin is not None
    with process.stdin as lines:
        for start in range(0, len(rows), 1000):
            lines.write(f"{json.dumps(rows[start : start + 1000])}\n")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise RuntimeError(f"the process of the ratings ended with {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3


def _progress(text: str) -> None:
    print(f"# {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
