"""Commands in a folder with files named like imported modules: none of these files is run."""

# ruff: noqa: D103  # the name of each test says what it checks

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes.vinci_process import environment

VINCI: Final = str(Path(sys.executable).with_name("vinci"))
"""The script that people run; `python -m vinci_cli` would look into the working directory by itself."""

PLANTED: Final = "import pathlib, sys; pathlib.Path(__file__).with_suffix('.ran').touch(); sys.exit('planted')\n"
NAMES: Final = (
    "random",
    "copy",
    "pickle",
    "socket",
    "grpc",
    "numpy",
    "vinci/__init__",
    "vinci_cli/__init__",
    "google/__init__",
)

BOT: Final = """
import os
import sys
import helper  # from the folder of the bot, as the author left it
assert not sys.flags.safe_path and "PYTHONSAFEPATH" not in os.environ
from vinci_bots.sdk import Bot, run


class Own(Bot):
    name = "own"

    def choose(self, turn):
        return helper.advised(turn)


run(Own)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a working directory with planted modules, and a bot in a folder of its own."""
    for name in NAMES:
        path = tmp_path / "here" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PLANTED)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "own.py").write_text(BOT)
    (tmp_path / "bots" / "helper.py").write_text("def advised(turn):\n    return turn.advice\n")
    return tmp_path / "here"


def runs(folder: Path, *arguments: str, typed: str = "") -> str:
    """Run a command in the folder, which must succeed without importing a planted module; return its output."""
    done = subprocess.run(
        [VINCI, *arguments],
        cwd=folder,
        env=environment(folder.parent / "home"),
        input=typed,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert list(folder.rglob("*.ran")) == [], output
    return output


def own(folder: Path) -> str:
    return shlex.join([sys.executable, str(folder.parent / "bots" / "own.py")])


def test_match_among_commands(folder: Path) -> None:
    output = runs(folder, "match", "--bots", own(folder), "greedy", "dummy", "--board", "tiny", "--target", "20")
    assert "forfeited" not in output


def test_the_doctor(folder: Path) -> None:
    assert "handshake" in runs(folder, "bot", "check", "--only", "handshake", "--", *shlex.split(own(folder)))


def test_league_with_workers(folder: Path) -> None:
    """A league among commands and built-in bots, with worker processes."""
    bots = ("--bots", own(folder), "greedy", "random", "--board", "tiny", "--target", "20")
    runs(folder, "tournament", "run", *bots, "--games", "3", "--workers", "2", "--out", "league")
    assert "forfeit" not in (folder / "league" / "results.jsonl").read_text().replace('"forfeits":[]', "")


def test_game_with_a_built_in_bot(folder: Path) -> None:
    output = runs(
        folder, "play", "--line", "--players", "human,greedy,dummy", "--board", "tiny", typed="suggest\nquit\n"
    )
    assert "The game waits for you." in output


def test_server_with_ssh_and_analysis(folder: Path) -> None:
    beside = ("--ssh", "0", "--analysis", "0")
    output = runs(folder, "serve", "--port", "0", "--db", "server.db", *beside, "--with-stdin")
    assert "listening on " in output
    assert "analysis on " in output
    assert "SHA256:" in output
