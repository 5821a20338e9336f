"""`vinci players` at a real server: places, provisional ratings, and one player."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from tests.support.cli_runner import vinci
from tests.support.server.in_process import address, serving
from vinci_cli.connection import connect
from vinci_server.storage.results import SeatResult, add


def fill(connection: sqlite3.Connection) -> None:
    """Store twelve games of three bots, and one that another bot has won."""
    for number in range(13):
        first = "bnew" if number == 12 else "bone"
        match_id, seats = f"game{number}", [(first, 1), ("btwo", 2 + number % 2), ("bthree", 3 - number % 2)]
        connection.execute("INSERT INTO match VALUES (?, 1, 'over')", (match_id,))
        add(connection, match_id, 1, [SeatResult(player, rank, 30) for player, rank in seats])


async def test_players_with_few_games_have_a_question_mark_and_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "_interruptible", lambda work: work)
    async with serving(tmp_path / "server.db") as (server, _):
        await server.players.store.run(fill)
        table, lines, one = [
            (await asyncio.to_thread(vinci, "players", address(server), *words, home=tmp_path)).text.splitlines()
            for words in ((), ("--json",), ("new",))
        ]
    assert [line.split()[:2] for line in table[1:4]] == [["1", "one"], ["2", "two"], ["3", "three"]]
    assert table[4].split()[:3] == ["new", "(computer", "player)"]
    assert [row.split("?")[1:] != [] for row in table[1:]] == [False, False, False, True]
    ratings = [json.loads(line)["rating"] for line in lines]
    assert [rating["provisional"] for rating in ratings] == [False, False, False, True]
    assert "?" in one[1]
    assert "(too few games)" in one[1]
    assert "too few games" in table[4]
    assert "several seats" not in "\n".join(one)


async def test_seats_of_one_player_are_counted_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_interruptible", lambda work: work)

    def play(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO match VALUES ('game', 1, 'over')")
        seats = [("bone", 2), ("beasy", 1), ("beasy", 3), ("beasy", 4)]
        add(connection, "game", 1, [SeatResult(player, rank, 30) for player, rank in seats])

    async with serving(tmp_path / "server.db") as (server, _):
        await server.players.store.run(play)
        one = (await asyncio.to_thread(vinci, "players", address(server), "one", home=tmp_path)).text.splitlines()
    assert one[3].split() == ["against", "games", "ahead", "level", "behind"]
    assert one[4].split() == ["easy", "(computer", "player)", "1", "2", "0", "1"]
    assert one[5] == "Who has several seats in a game is counted with each of them."
