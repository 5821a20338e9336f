"""The server with its durable store, beside an echo of the same messages; both in processes of their own.

The load is bots and watchers in further processes. Server and echo take turns, each fresh for every load, and medians
are compared, since machines drift.
"""

import asyncio
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.errors import ServerRefused
from vinci_client.session import Session
from vinci_rules import ENGINE_VERSION, dummy
from vinci_server.errors import ServiceError
from vinci_server.lobby import Lobby
from vinci_server.match.log.entries import encode
from vinci_server.match.seats import seating, starting
from vinci_server.storage.store import Snapshot, Store

from .figures import Figure, Target
from .load import new_match
from .processes import Process, echo, load, megabytes, vinci

ROUNDS: Final = 3
LIVE: Final = 800
SPECTATORS: Final = 1000
SLEEPING: Final = 2000
READERS: Final = 40
LONG: Final = 6000
"""Revisions."""
REVISION: Final = 60
"""Progress of sleeping matches."""
UNLIMITED: Final = "cpu_milliseconds_per_second=100000"
"""For a load from one host that stands for many players."""


def figures() -> Iterator[Figure]:
    """Decisions a second, round trips, many live matches, many spectators, many sleeping matches."""
    yield from _decisions(1, Target(1 / 3, of_ratio=True))
    yield from _decisions(8, Target(1 / 2, of_ratio=True))
    yield from _decisions(64, Target(5000), Target(1 / 2, of_ratio=True))
    yield from _live()
    yield from _spectators()
    yield from _sleeping()
    yield from _histories()


def _decisions(matches: int, *targets: Target) -> Iterator[Figure]:
    """Bots that answer at once."""
    ours: list[dict[str, float]] = []
    floor: list[dict[str, float]] = []
    for number in range(ROUNDS):
        for server, found in ((echo, floor), (vinci, ours)):
            _progress(f"{matches} matches, round {number + 1} of {ROUNDS}, {server.__name__}")
            with server() as (_, address), load("decisions", address, matches=matches) as loading:
                found.append(loading.found())

    def figure(name: str, key: str, unit: str, *targets: Target) -> Figure:
        values = (median(one[key] for one in found) for found in (ours, floor))
        return Figure(name, next(values), unit, next(values), *targets)

    yield figure(f"server.decisions.{matches}", "rate", "decisions/s", *targets)
    if matches == 1:
        most = Target(3, at_most=True, of_ratio=True)
        yield figure("server.roundtrip.p50", "p50", "ms", Target(1.2, at_most=True), most)
        yield figure("server.roundtrip.p99", "p99", "ms", Target(5, at_most=True), most)


def _live() -> Iterator[Figure]:
    """Many matches at a decision a second each."""
    found: dict[Any, dict[str, float]] = {}
    for server in (echo, vinci):
        _progress(f"{LIVE} live matches, {server.__name__}")
        with (
            server() as (process, address),
            load("decisions", address, matches=LIVE, pause=1, warm=2, seconds=6, pid=process.pid) as loading,
        ):
            found[server] = loading.found()
    ours, floor = found[vinci], found[echo]
    yield Figure(f"server.live{LIVE}", ours["cpu"], "%", floor["cpu"], Target(60, at_most=True))
    yield Figure(f"server.live{LIVE}.rate", ours["rate"], "decisions/s", floor["rate"], Target(0.95 * LIVE))
    yield Figure(f"server.live{LIVE}.playing", ours["playing"], "matches", floor["playing"], Target(LIVE))


def _spectators() -> Iterator[Figure]:
    """One match: a round trip of its player every tenth of a second without and with spectators, then all it can."""
    rates: dict[Any, float] = {}
    ours: dict[str, float] = {}
    for server in (echo, vinci):
        _progress(f"{SPECTATORS} spectators, {server.__name__}")
        with server() as (_, address):
            match = asyncio.run(_match(address))
            alone = _played(address, match, pause=0.1)
            with load("spectators", address, match=match, streams=SPECTATORS, seconds=4) as watching:
                watching.line()
                watched = _played(address, match, pause=0.1)
                watching.line()
            with load("spectators", address, match=match, streams=SPECTATORS, seconds=4) as watching:
                watching.line()
                _played(address, match, seconds=4)
                rates[server] = watching.found()["rate"]
            ours = {"alone": alone["p50"], "watched": watched["p50"]}
    yield Figure("server.spectators", rates[vinci], "events/s", rates[echo], Target(10_000))
    most = Target(2, at_most=True, of_ratio=True)
    yield Figure("server.spectators.roundtrip", ours["watched"], "ms", ours["alone"], most)


async def _match(address: str) -> str:
    async with Session(address) as session:
        return (await session.create(new_match("load0"))).match.match_id


def _played(address: str, match: str, **options: float) -> dict[str, Any]:
    with load("decisions", address, match=match, **{"seconds": 3.0, **options}) as loading:
        return loading.found()


def _sleeping() -> Iterator[Figure]:
    """Matches in which nothing happens, each with a watcher; then a player acts in some."""
    _progress(f"{SLEEPING} sleeping matches, echo")
    with echo() as (process, address):
        floor = _slept(process, address, megabytes(process.pid))["more"]
    with TemporaryDirectory(dir=".", prefix=".bench-") as folder:
        database = Path(folder, "bench.db")
        _progress(f"{SLEEPING} sleeping matches, vinci")
        with vinci(database) as (process, address):
            empty = megabytes(process.pid)
            token = asyncio.run(_half_a_match(address))
        _multiply(database)
        with vinci(database, UNLIMITED) as (process, address):
            ours = _slept(process, address, empty, token=token)
    yield Figure("server.sleeping", ours["more"], "MB", floor, Target(100, at_most=True))
    yield Figure("server.sleeping.wake", ours["asleep"], "ms", ours["awake"], Target(20, at_most=True))


def _slept(process: Process, address: str, empty: float, **options: str) -> dict[str, Any]:
    with load("sleepers", address, match="sleeping", streams=SLEEPING, pid=process.pid, **options) as loading:
        found = loading.found()
    return found | {"more": found["mb"] - empty}


def _histories() -> Iterator[Figure]:
    """Measure the longest wait of another host while one reads a long match from its start in many streams at once."""
    _progress(f"{READERS} readers of {LONG} revisions")
    with TemporaryDirectory(dir=".", prefix=".bench-") as folder:
        database = Path(folder, "bench.db")
        match_id = asyncio.run(_long_match(database))
        with vinci(database) as (_, address):
            other = asyncio.run(_match(address))
            options: dict[str, float | str] = {"match": other, "seconds": 5.0}
            with load("probe", address, **options) as probing:
                probing.line()
                alone = probing.found()
            with load("probe", address, **options) as probing:
                probing.line()
                with load("histories", address, match=match_id, streams=READERS, seconds=4) as reading:
                    beside = probing.found()
                    rate = reading.found()["rate"]
            _progress(f"{rate:.0f} revisions/s were read; the probe itself was up to {beside['own']:.0f} ms late")
    yield Figure("server.history.delay", beside["worst"], "ms", alone["worst"], Target(50, at_most=True))


async def _long_match(database: Path) -> str:
    """Store a match with many conquests that were undone; returns its id."""
    store = Store(database)
    lobby = Lobby(store)
    match, _ = await lobby.create(
        lobby_pb2.CreateMatchRequest(seats=[lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)] * 3)
    )
    for _ in range(3):
        await seating.join(match, None, "", seating.NO_NONCE)
    await starting.start(match)
    ledger, rows = match.ledger, []
    while ledger.revision < LONG:
        batch = ledger.batch()
        seat = batch.state.actor
        batch.play(seat, "player", dummy.advise(batch.state))
        rows.append(encode(batch.acts[0], ledger.length + 1, time.time()))
        ledger.fold(rows[-1], batch.acts[0], batch.played[0])
        with suppress(ServiceError):  # something was drawn
            played, undo = ledger.game.undo(seat, "player", None, f"{ledger.revision}")
            rows.append(encode(undo, ledger.length + 1, time.time()))
            ledger.fold(rows[-1], undo, played)
    await store.append(match.match_id, rows, snapshot=Snapshot(ledger.length, ENGINE_VERSION, ledger.game.position))
    await lobby.close()
    store.close()
    return match.match_id


async def _half_a_match(address: str) -> str:
    """A match of one player and dummies, up to a move of the player; returns the player's token."""
    human, dummy = (lobby_pb2.SeatSetup(kind=kind) for kind in (lobby_pb2.SEAT_KIND_HUMAN, lobby_pb2.SEAT_KIND_DUMMY))
    request = lobby_pb2.CreateMatchRequest(seats=[human, dummy, dummy, dummy], start_when_full=True)
    async with Session(address) as session:
        match_id = (await session.create(request)).match.match_id
        token = (await session.join(match_id)).seat_token
        revision = 0
        while revision < REVISION:
            answer = await session.call(session.match.Suggest, match_pb2.SuggestRequest(match_id=match_id))
            with suppress(ServerRefused):  # a dummy is to act
                await session.act(match_id, token, [answer.action], answer.revision)
                revision = answer.revision
        await asyncio.sleep(1)  # for dummies
    return token


def _multiply(database: Path) -> None:
    """Copy the only match of a database, so that there are enough; the token of its player fits them all."""
    connection = sqlite3.connect(database)
    for table, key in (("match", "id"), ("log", "match"), ("snapshot", "match")):
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != key]
        for number in range(SLEEPING):
            connection.execute(
                f"INSERT INTO {table} ({key}, {', '.join(columns)}) SELECT ?, {', '.join(columns)} FROM {table}"
                f" WHERE {key} NOT LIKE 'sleeping%'",
                (f"sleeping{number}",),
            )
        connection.execute(f"DELETE FROM {table} WHERE {key} NOT LIKE 'sleeping%'")
    connection.commit()
    connection.close()


def _progress(text: str) -> None:
    print(f"# {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
