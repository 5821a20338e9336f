"""A database as a club has after months: persons, and many finished games, copies of a few that were played."""

import asyncio
import json
import random
import sqlite3
import time
import zlib
from contextlib import closing
from math import exp
from pathlib import Path
from typing import Final

from vinci.v1 import lobby_pb2
from vinci_rules import ENGINE_VERSION, dummy
from vinci_server.lobby import VERSION, Lobby
from vinci_server.match.log.entries import encode
from vinci_server.match.seats import seating, starting, tokens
from vinci_server.storage.store import Snapshot, Store

SIZES: Final = (3, 4, 4, 4, 5, 6)
"""Seats of the games."""
DAYS: Final = 300
"""For which the club has played; games of the last 30 are not in the archive yet."""
UNARCHIVED_DAYS: Final = 30
DAY_SECONDS: Final = 86_400
_COPIED: Final = {
    "log": "sequence, kind, seat, actor, request, text, chance, time, hash, times",
    "snapshot": "sequence, engine, position",
}
_ROWS: Final = f"SELECT {_COPIED['log']} FROM log WHERE match = ?"


def key(person: int) -> str:
    """Return the key of a person, by its number."""
    return tokens.digest(f"person {person}")[:32]


def write(database: Path, persons: int, games: int) -> None:
    """Write a new database with persons, numbered from 1, and games of theirs that count for ratings."""
    summaries = asyncio.run(_play(database))
    played = [summary.match_id for summary in summaries]
    source = random.Random(games)
    strengths = {person: source.gauss(0, 0.6) for person in range(1, persons + 1)}
    # A few play most of the games.
    eagerness = [1 / (person + 3) for person in strengths]
    begin = time.time() - DAYS * DAY_SECONDS
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executemany(
            "INSERT INTO person (id, name, hidden, created, seen) VALUES (?, ?, 0, ?, ?)",
            [(person, f"Player {person}", begin, time.time()) for person in strengths],
        )
        connection.executemany(
            "INSERT INTO person_look VALUES (?, ?)", [(f"player {person}", person) for person in strengths]
        )
        connection.executemany(
            "INSERT INTO person_key VALUES (?, ?, ?)",
            [(tokens.digest(key(person)), person, begin) for person in strengths],
        )
        # As the server archives.
        packed = [zlib.compress(json.dumps(connection.execute(_ROWS, (one,)).fetchall()).encode()) for one in played]
        for number in range(games):
            days = DAYS * (1 - number / games)
            ended = begin + (DAYS - days) * DAY_SECONDS
            match_id, seats = f"game{number:06}", number % len(SIZES)
            connection.execute("INSERT INTO match VALUES (?, ?, 'over')", (match_id, ended))
            if days >= UNARCHIVED_DAYS:
                connection.execute("INSERT INTO archive VALUES (?, ?)", (match_id, packed[seats]))
            for table in ("snapshot", "log") if days < UNARCHIVED_DAYS else ("snapshot",):
                connection.execute(
                    f"INSERT INTO {table} (match, {_COPIED[table]}) SELECT ?, {_COPIED[table]} FROM {table}"
                    " WHERE match = ?",
                    (match_id, played[seats]),
                )
            players: list[int] = []
            while len(players) < SIZES[seats]:
                (player,) = source.choices(list(strengths), eagerness)
                if player not in players:
                    players.append(player)
            ranked = sorted(players, key=lambda one: strengths[one] - source.gauss(0, exp(0)), reverse=True)
            connection.executemany(
                "INSERT INTO result (match, time, player, rank, vp) VALUES (?, ?, ?, ?, ?)",
                [(match_id, ended, f"p{one}", ranked.index(one) + 1, 100 - 10 * ranked.index(one)) for one in players],
            )
            # As a server has done that has listed them.
            summary = summaries[seats]
            summary.match_id, summary.create_time = match_id, int(ended)
            for seat, player in zip(summary.seats, players, strict=True):
                seat.player, seat.person = f"Player {player}", True
            row = (VERSION, summary.SerializeToString(), match_id)
            connection.execute("UPDATE snapshot SET server = ?, summary = ? WHERE match = ?", row)
            connection.executemany(
                "INSERT INTO person_row VALUES (?, ?, ?, ?, 1)",
                [(one, match_id, 2 + seat, seat) for seat, one in enumerate(players, 1)],
            )
        for match_id in played:
            for table in (*_COPIED, "match"):
                connection.execute(
                    f"DELETE FROM {table} WHERE {'id' if table == 'match' else 'match'} = ?", (match_id,)
                )


async def _play(database: Path) -> list[lobby_pb2.Match]:
    """Play a game of each size between people who act as dummies do; return what lists tell of them."""
    store = Store(database)
    lobby = Lobby(store)
    found = []
    for size in SIZES:
        human = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)
        match, _ = await lobby.create(lobby_pb2.CreateMatchRequest(seats=[human] * size))
        for seat in range(size):
            await seating.join(match, None, f"Player {seat + 1}", seating.NO_NONCE)
        await starting.start(match)
        ledger, rows = match.ledger, []
        while ledger.status == "running":
            batch = ledger.batch()
            batch.play(batch.state.actor, "player", dummy.advise(batch.state))
            rows.append(encode(batch.acts[0], ledger.length + 1, time.time()))
            ledger.fold(rows[-1], batch.acts[0], batch.played[0])
        position = Snapshot(ledger.length, ENGINE_VERSION, ledger.game.position)
        await store.append(match.match_id, rows, "over", position)
        found.append(match.message())
    await lobby.close()

    store.close()
    return found
