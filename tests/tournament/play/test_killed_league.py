"""A league whose runner and workers are killed repeatedly ends with the same report as an undisturbed one, byte for byte."""

import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
import pytest

from vinci_tournament.play.folder import Folder
from vinci_tournament.report.writing import FILES

LIMIT: Final = 120.0
"""Seconds within which a league that was started has played another game."""

LEAGUE: Final = """
name = "killed"
seed = "killed"
board = "tiny"
target = {target}
seats = 4
games = {games}
bots = [
    {{ bot = "greedy" }},
    {{ bot = "greedy", name = "greedier" }},
    {{ bot = "random" }},
    {{ bot = "random", name = "other" }},
    {{ bot = "dummy" }},
    {{ bot = "dummy", name = "statue" }},
]
"""


def vinci(*arguments: str) -> subprocess.Popen[bytes]:
    """Return a `vinci tournament` command with two workers."""
    command = [sys.executable, "-m", "vinci_cli", "tournament", *arguments, "--workers", "2"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def done(folder: Path) -> int:
    """Return the number of finished games."""
    return len(Folder(folder).results())


def stored_files(folder: Path) -> dict[str, bytes]:
    """Return all games and the report by file name."""
    files = [*(folder / name for name in (*FILES, "results.jsonl") if name != "junit.xml"), *folder.glob("games/*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def killed_again_and_again(file: Path, folder: Path, kills: int, games: int) -> None:
    """Play a league; kill its runner or a worker `kills` times, after random numbers of games."""
    moments = random.Random(kills)
    runs = vinci("run", str(file), "--out", str(folder))
    try:
        for kill in range(kills):
            wanted = done(folder) + moments.randint(1, max(games // kills - 2, 1))
            until = time.monotonic() + LIMIT
            while done(folder) < wanted:
                assert runs.poll() is None, "it ended before it could be killed"
                assert time.monotonic() < until, "it plays no more games"
                time.sleep(moments.random() * 0.01)
            if kill % 2:
                workers = psutil.Process(runs.pid).children()
                with suppress(psutil.NoSuchProcess):
                    moments.choice([one for one in workers if "spawn_main" in " ".join(one.cmdline())]).kill()
            else:
                runs.kill()
                runs.wait()
                runs = vinci("resume", str(folder))
        assert runs.wait(LIMIT) == 0
    finally:
        runs.kill()
        runs.wait()


def check(tmp_path: Path, games: int, kills: int, target: int) -> None:
    """Play a league with kills and once without; compare the folders."""
    file = tmp_path / "league.toml"
    file.write_text(LEAGUE.format(games=games, target=target))
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    assert vinci("run", str(file), "--out", str(alone)).wait() == 0
    killed_again_and_again(file, killed, kills, games)
    assert done(killed) == games
    assert stored_files(killed) == stored_files(alone)


def test_league_killed_three_times(tmp_path: Path) -> None:
    """The league has 24 games of six deterministic bots."""
    check(tmp_path, games=24, kills=3, target=18)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_league_killed_ten_times(tmp_path: Path) -> None:
    """The league has 300 games of six deterministic bots."""
    check(tmp_path, games=300, kills=10, target=20)
