"""Leagues on a cluster of Dask: the same bytes as here, refused workers, lost workers, and nothing that outlives its runner."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Final

import psutil
import pytest

import vinci_rules
from tests.support.cli_runner import vinci
from tests.support.tournament import failing_players
from tests.support.tournament.small_leagues import league, played
from tests.tournament.play.test_runner import eventually, is_running, same
from vinci_tournament.play import runner, worker
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.runner import RunnerError
from vinci_tournament.play.worker import Play

pytest.importorskip("distributed", reason="the package distributed is missing: pip install 'vinci-server[dask]'")

from distributed import Client

from vinci_tournament.play.cluster import Cluster

LEAGUE: Final = league("random", "dummy", "random", "random", blocks=4, seats=3)
DASK: Final = (sys.executable, "-m", "dask")

PROGRAM: Final = """
import sys
from pathlib import Path
from tests.support.tournament import failing_players
from vinci_tournament.play import runner
from vinci_tournament.play.cluster import Cluster
from vinci_tournament.play.folder import Folder

folder = Folder(Path(sys.argv[1]))
runner.run(folder, lambda: Cluster(sys.argv[2], folder.league()), 1, play=failing_players.endless)
"""


@contextmanager
def running(*arguments: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command of Dask, which finds the modules of this process."""
    path = os.pathsep.join(filter(None, [more.pop("PYTHONPATH", ""), *sys.path]))
    process = subprocess.Popen(
        [*DASK, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, **more, "PYTHONPATH": path},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a scheduler; return its address."""
    file = tmp_path_factory.mktemp("scheduler") / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with running("scheduler", *options):
        eventually(lambda: bool(_address(file)))
        yield _address(file)


def _address(file: Path) -> str:
    try:
        return str(json.loads(file.read_text())["address"])
    except (FileNotFoundError, ValueError):
        return ""


Workers = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start_worker(scheduler: str, tmp_path: Path) -> Iterator[Workers]:
    """Return a function that starts a worker with one thread; they are killed at the end, with all that they started."""
    started = []

    def start(threads: int = 1, **more: str) -> subprocess.Popen[bytes]:
        options = (
            "--nthreads",
            str(threads),
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            str(tmp_path / "dask"),
        )
        place = {failing_players.PLACE: str(tmp_path)}
        context = running("worker", scheduler, *options, **place, **more)
        started.append(context)
        return context.__enter__()

    yield start
    for context in reversed(started):
        context.__exit__(None, None, None)


def play(scheduler: str, path: Path, told: list[str], play_game: Play = worker.play) -> Folder:
    """Play the league on the cluster, and return its folder."""
    folder = Folder(path)
    folder.begin(LEAGUE)
    runner.run(folder, lambda: Cluster(scheduler, LEAGUE, told.append), 2, play=play_game)
    return folder


def other_version(tmp_path: Path) -> Mapping[str, str]:
    """Return the environment of a worker whose rules have another digest."""
    copy = tmp_path / "other" / "vinci_rules"
    shutil.copytree(
        Path(vinci_rules.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    )
    with (copy / "dummy.py").open("a") as file:
        file.write("\n# another version\n")
    return {"PYTHONPATH": str(copy.parent), "VINCI_RULES": "interpreted"}


def test_worker_with_another_version_plays_nothing(scheduler: str, tmp_path: Path, start_worker: Workers) -> None:
    """Alone it leaves the league unplayed, with its reason; beside a fitting worker the league is that of a local run."""
    start_worker(**other_version(tmp_path))
    refused = r"no worker at .* can play this league: tcp://.* is refused: the rules are not those with which"
    with pytest.raises(RunnerError, match=refused):
        Cluster(scheduler, LEAGUE)
    start_worker(threads=2)
    told: list[str] = []
    wait_for(scheduler, 2)
    folder = play(scheduler, tmp_path / "cluster", told)
    assert same(folder, played(tmp_path / "here", LEAGUE))
    (text,) = told
    assert "is refused: the rules are not those with which the league began" in text


def wait_for(scheduler: str, workers: int) -> None:
    """Wait until so many workers have connected."""
    with Client(scheduler, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=60)


def test_games_that_kill_their_process(scheduler: str, tmp_path: Path, start_worker: Workers) -> None:
    """A game that kills its process twice is played a third time; one that always does so ends the league by name."""
    start_worker()
    start_worker()
    folder = play(scheduler, tmp_path / "twice", [], failing_players.twice)
    assert same(folder, played(tmp_path / "here", LEAGUE))
    assert len(list(tmp_path.glob("?-?-?"))) == 4
    with pytest.raises(RunnerError, match=r"the worker of game 1-1 was lost 3 times \(the process of the game ended"):
        play(scheduler, tmp_path / "always", [], failing_players.always)
    assert "1-1" not in Folder(tmp_path / "always").results()
    with pytest.raises(RunnerError, match="game 1-1 could not be played: no server"):
        play(scheduler, tmp_path / "wrong", [], failing_players.wrong)


def test_killed_worker_loses_no_game(scheduler: str, tmp_path: Path, start_worker: Workers) -> None:
    """A worker is killed in the middle of a game; a worker that comes later plays it, and the bytes are the same."""
    first = start_worker()
    wait_for(scheduler, 1)
    late: list[subprocess.Popen[bytes]] = []

    def kill_it() -> None:
        mark = tmp_path / "held.pid"
        eventually(mark.exists)
        assert int(mark.read_text()) == first.pid
        first.kill()
        late.append(start_worker())

    killer = Thread(target=kill_it)
    killer.start()
    folder = play(scheduler, tmp_path / "cluster", [], failing_players.held)
    killer.join()
    assert late
    assert same(folder, played(tmp_path / "here", LEAGUE))


@pytest.mark.parametrize("victim", ["runner", "worker"])
def test_bots_do_not_outlive_runner_or_worker(
    victim: str, scheduler: str, tmp_path: Path, start_worker: Workers
) -> None:
    """If the runner or the worker is killed, the game in progress ends with all its processes; a worker stays usable."""
    at_work = start_worker()
    folder = Folder(tmp_path / "league")
    folder.begin(LEAGUE)
    runs = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder.path), scheduler],
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        eventually(lambda: len(list(tmp_path.glob("*.pids"))) == 1)
        pids = [int(pid) for path in tmp_path.glob("*.pids") for pid in path.read_text().split()]
        assert all(map(psutil.pid_exists, pids))
        (runs if victim == "runner" else at_work).kill()
        eventually(lambda: not any(map(is_running, pids)))
    finally:
        runs.kill()
        runs.wait()
    if victim == "runner":
        assert same(play(scheduler, tmp_path / "next", []), played(tmp_path / "here", LEAGUE))


def test_command_plays_on_a_cluster(scheduler: str, tmp_path: Path, start_worker: Workers) -> None:
    """`run --cluster` and `resume --cluster` write what `run` writes; a wrong address is an error."""
    start_worker()
    wait_for(scheduler, 1)
    arguments = (
        "--bots",
        "random",
        "dummy",
        "random",
        "--games",
        "6",
        "--seed",
        "5" * 32,
        "--board",
        "tiny",
        "--target",
        "12",
    )
    run = ("tournament", "run", *arguments, "--seats", "3", "--out")
    status, text = vinci(*run, str(tmp_path / "a"), "--cluster", scheduler)
    assert status == 0, text
    assert vinci(*run, str(tmp_path / "b"), "--workers", "1").status == 0
    assert same(Folder(tmp_path / "a"), Folder(tmp_path / "b"))
    assert (tmp_path / "a" / "report.html").read_bytes() == (tmp_path / "b" / "report.html").read_bytes()
    (tmp_path / "a" / "results.jsonl").write_text("")
    assert vinci("tournament", "resume", str(tmp_path / "a"), "--cluster", scheduler).status == 0
    assert same(Folder(tmp_path / "a"), Folder(tmp_path / "b"))
    status, text = vinci("tournament", "resume", str(tmp_path / "a"), "--cluster", scheduler, "--workers", "2")
    assert (status, "a cluster has its own workers" in text) == (2, True)


def test_scheduler_that_does_not_answer(unanswered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says how to start one."""
    monkeypatch.setattr("vinci_tournament.play.cluster.CONNECT_SECONDS", 0.5)
    for address in (f"tcp://{unanswered}", "nonsense://x"):
        with pytest.raises(RunnerError, match=f"no scheduler answers at {address} .*start one with: dask scheduler"):
            Cluster(address, LEAGUE)
