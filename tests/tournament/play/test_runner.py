"""The runner: plays missing games despite failing players, and leaves no process behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.tournament import failing_players
from tests.support.tournament.small_leagues import bots, league, left, played
from vinci_tournament.definition import configuration
from vinci_tournament.definition.league import League, LeagueBot
from vinci_tournament.definition.schedule import ScheduledGame, games
from vinci_tournament.play import runner, worker
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.runner import RunnerError
from vinci_tournament.play.worker import GameOutcome
from vinci_tournament.play.worker_pool import AHEAD, Processes
from vinci_tournament.results.result import Result

LEAGUE = league("random", "dummy", "random", "random", blocks=4, seats=3)
LIMIT = 60.0
"""Seconds after which what should have happened has failed the test."""

PROGRAM = """
import signal
import sys
from pathlib import Path
from tests.support.tournament import failing_players
from vinci_tournament.play import runner
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.worker_pool import Processes

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored where a shell runs tests with &
    try:
        runner.run(Folder(Path(sys.argv[1])), lambda: Processes(2), 2, play=failing_players.endless)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Create the folder of a league without games; failing players put files beside it."""
    monkeypatch.setenv(failing_players.PLACE, str(tmp_path))
    league_folder = Folder(tmp_path / "league")
    league_folder.begin(LEAGUE)
    return league_folder


def same(one: Folder, other: Folder) -> bool:
    """Whether two folders have the same games, byte for byte."""

    def stored_files(folder: Folder) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in [folder.path / "results.jsonl", *folder.games.iterdir()]}

    return stored_files(one) == stored_files(other)


def eventually(happens: Callable[[], bool]) -> None:
    """Wait until a condition holds; fail after a minute."""
    end = time.monotonic() + LIMIT
    while not happens():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)


def test_executors_play_equal_games(folder: Folder, tmp_path: Path) -> None:
    """Threads play the same games as a loop; the callback gets each game once and the number left."""
    events: list[str] = []
    lefts: list[int] = []

    def hear(new: Sequence[Result], left: int) -> None:
        events.extend(result.key for result in new)
        lefts.append(left)

    runner.run(folder, lambda: ThreadPoolExecutor(3), 3, hear)
    assert same(folder, played(tmp_path / "other", LEAGUE))
    assert sorted(events) == sorted(folder.results())
    assert (lefts[0], lefts[-1]) == (12, 0)


def test_only_missing_games_are_played(tmp_path: Path) -> None:
    """Finished games are not played again; without missing games no player is called."""
    whole = played(tmp_path / "whole", LEAGUE)
    folder = left(played(tmp_path / "part", LEAGUE), "0-0", "0-1", "0-2", "2-1")
    asked: list[str] = []

    def play(actual: League, game: ScheduledGame) -> GameOutcome:
        asked.append(game.key)
        return worker.play(actual, game)

    runner.run(folder, lambda: ThreadPoolExecutor(1), 1, play=play)
    assert asked == ["1-0", "1-1", "1-2", "2-0", "2-2", "3-0", "3-1", "3-2"]
    assert same(folder, whole)

    def nobody() -> Executor:
        raise AssertionError

    runner.run(folder, nobody, 1)


def test_killed_workers_lose_no_game(folder: Folder, tmp_path: Path) -> None:
    """Two games kill two processes each; the result is that of an undisturbed run."""
    runner.run(folder, lambda: Processes(2), 2, play=failing_players.twice)
    assert same(folder, played(tmp_path / "other", LEAGUE))
    assert len(list(tmp_path.glob("?-?-?"))) == 4


def test_game_that_kills_every_worker_ends_the_league(folder: Folder) -> None:
    """The error names this game and not one played beside it; finished games stay."""
    with pytest.raises(RunnerError, match="the worker of game 1-1 was lost 3 times"):
        runner.run(folder, lambda: Processes(2), 2, play=failing_players.always)
    assert {"0-0", "0-1", "0-2", "1-0"} <= set(folder.results())
    assert "1-1" not in folder.results()


class Remote(ThreadPoolExecutor):
    """An executor as other libraries provide it: no `cancel_futures`, and its own errors when a machine is lost."""

    losses = 0

    def shutdown(self, wait: bool = True) -> None:  # type: ignore[override]
        """Shut down, with the one argument that every executor has."""
        super().shutdown(wait)

    def submit(self, *call: Any, **how: Any) -> Future[Any]:
        """Lose the machine before a game is sent, and twice afterwards."""
        Remote.losses += 1
        if Remote.losses == 2:
            raise ConnectionError("no route to the scheduler")
        if Remote.losses in (4, 5):
            lost: Future[Any] = Future()
            lost.set_exception(ConnectionResetError("the worker is gone"))
            return lost
        return super().submit(*call, **how)


def test_lost_machines_lose_no_game(folder: Folder, tmp_path: Path) -> None:
    """Games in progress are played again after any exception of the executor other than errors of games."""
    Remote.losses = 0
    runner.run(folder, lambda: Remote(2), 2)
    assert Remote.losses > 5
    assert same(folder, played(tmp_path / "other", LEAGUE))


def test_executor_that_plays_nothing_ends_the_league(folder: Folder) -> None:
    """After three in a row that accept no game the last error is raised."""

    class Gone(ThreadPoolExecutor):
        def submit(self, *_call: Any, **_how: Any) -> Future[Any]:
            raise ConnectionError("no route to the scheduler")

    with pytest.raises(RunnerError, match=r"was lost 3 times \(ConnectionError: no route to the scheduler\)"):
        runner.run(folder, lambda: Gone(1), 1)


def test_failed_game_ends_the_league(folder: Folder) -> None:
    """An error that is not a bot's fault is raised with its game; finished games stay."""
    with pytest.raises(RunnerError, match="game 1-1 could not be played: no server"):
        runner.run(folder, lambda: ThreadPoolExecutor(1), 1, play=failing_players.wrong)
    assert {"0-0", "0-1", "0-2"} <= set(folder.results())


def test_league_is_not_resumed_with_changed_bots(tmp_path: Path) -> None:
    """A bot with changed files would be another bot under the same name."""
    file = tmp_path / "bot.py"
    file.write_text("one")
    folder = Folder(tmp_path / "league")
    folder.begin(configuration.league({"bots": [*bots("random", "dummy"), {"name": "c", "command": f"cat {file}"}]}))
    file.write_text("two")
    with pytest.raises(RunnerError, match="the bot c is not the one with which the league began"):
        runner.run(folder, lambda: ThreadPoolExecutor(1), 1)


@pytest.mark.parametrize("killed", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_the_runner(folder: Folder, tmp_path: Path, killed: signal.Signals) -> None:
    """Workers and their children end with the runner, however it ends; after Ctrl-C before the message."""
    runs = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder.path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        eventually(lambda: len(list(tmp_path.glob("*.pids"))) == 2)
        pids = [int(pid) for path in tmp_path.glob("*.pids") for pid in path.read_text().split()]
        assert all(map(psutil.pid_exists, pids))
        runs.send_signal(killed)
        output, _ = runs.communicate(timeout=LIMIT)
        assert output == (b"interrupted\n" if killed == signal.SIGINT else b"")
        eventually(lambda: not any(map(is_running, pids)))
    finally:
        runs.kill()
        runs.wait()
    assert not folder.results()


def is_running(pid: int) -> bool:
    """Whether a process runs; a zombie does not count."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


NOTING = """
from vinci_bots.sdk import bot, run

@bot
def noting(turn):
    turn.note("as advised")
    return turn.advice

run(noting)
"""


def test_notes_come_with_the_outcome_and_leave_the_server(tmp_path: Path) -> None:
    """They come with the record of the game; the server of the process keeps no file of them."""
    (tmp_path / "noting.py").write_text(NOTING)
    plain = league("random", "dummy", "random", blocks=1)
    noting = LeagueBot("noting", command=(sys.executable, str(tmp_path / "noting.py")))
    configured = replace(plain, bots=(noting, *plain.bots[1:]))
    outcome = worker.play(configured, games(configured)[0])
    seat = outcome.result.bots.index("noting") + 1
    acted = [json.loads(line) for line in outcome.record.splitlines()[1:-1]]
    assert [json.loads(line) for line in outcome.notes.splitlines()] == [
        {"n": line["n"], "seat": seat, "note": {"text": "as advised"}} for line in acted if line["seat"] == seat
    ]
    noted = worker._server(False, False).noted
    assert noted is not None
    assert not list(noted.iterdir())
    assert worker.play(plain, games(plain)[0]).notes == ""


def test_results_in_order_are_computed_a_few_ahead() -> None:
    """However many there are: a table of 10,000 games is not kept in memory."""
    items = iter(range(1000))
    pool = Processes(2)
    try:
        found = pool.in_order(abs, items)
        assert [next(found) for _ in range(100)] == list(range(100))
        assert next(items) == 100 + 2 * AHEAD
    finally:
        pool.shutdown(cancel_futures=True)
