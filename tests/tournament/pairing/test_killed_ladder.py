"""A ladder as a user plays it: stopped in order, killed, with bots that enter, it plays on as if nothing had happened."""

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import vinci
from vinci_cli.commands.tournament import play as leagues
from vinci_tournament.play.folder import Folder

LIMIT: Final = 120.0
"""Seconds within which a ladder that was started has played another game."""

LADDER: Final = """
format = "ladder"
seed = "killed"
board = "tiny"
target = 18
seats = 3
bots = [
    { bot = "greedy" },
    { bot = "greedy", name = "greedier" },
    { bot = "random" },
    { bot = "random", name = "other" },
    { bot = "dummy" },
]
"""


def started(*arguments: str) -> "subprocess.Popen[str]":
    """Return a `vinci tournament` command that runs, with two workers."""
    command = [sys.executable, "-m", "vinci_cli", "tournament", *arguments, "--workers", "2"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def stop(process: "subprocess.Popen[str]", folder: Path, games: int, number: signal.Signals) -> tuple[int, str]:
    """Stop a ladder with a signal after further games."""
    try:
        wanted = len(Folder(folder).results()) + games
        until = time.monotonic() + LIMIT
        while len(Folder(folder).results()) < wanted:
            assert process.poll() is None, "it ended before it could be stopped"
            assert time.monotonic() < until, "it plays no more games"
            time.sleep(0.01)
        process.send_signal(number)
        output, _ = process.communicate(timeout=LIMIT)
        return process.returncode, output
    finally:
        process.kill()


def test_ladder_survives_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on until it is stopped; then it has a report. Blocks and games are those of an undisturbed ladder."""
    file = tmp_path / "ladder.toml"
    file.write_text(LADDER)
    alone, stopped = str(tmp_path / "alone"), str(tmp_path / "stopped")
    status, text = stop(started("run", str(file), "--out", stopped), Path(stopped), 31, signal.SIGTERM)
    assert (status, "Interrupted; finished games are kept" in text) == (130, True), text
    assert "open-ended" in Path(stopped, "report.txt").read_text()
    stop(started("resume", stopped), Path(stopped), 31, signal.SIGKILL)
    monkeypatch.setattr(leagues, "Processes", ThreadPoolExecutor)  # to save imports
    assert vinci("tournament", "resume", stopped, "--games", "40").status == 0
    folder = Folder(Path(stopped))
    games = len(folder.results())
    assert games == 3 * len(folder.choices())
    status, text = vinci("tournament", "run", str(file), "--out", alone, "--games", str(games), "--workers", "1")
    assert (status, f"{games} games" in text) == (0, True), text
    for name in ("schedule.jsonl", "results.jsonl", "report.json", *(f"games/{key}.jsonl" for key in folder.results())):
        assert Path(stopped, name).read_bytes() == Path(alone, name).read_bytes(), name
    kept, blocks = Path(stopped, "results.jsonl").read_text(), len(folder.choices())
    assert "ladder has 5 bots" in vinci("tournament", "extend", stopped, "--bots", "random", "--retire", "dummy").text
    assert vinci("tournament", "resume", stopped, "--games", "30").status == 0
    assert Path(stopped, "results.jsonl").read_text().startswith(kept)
    bots = {name for choice in folder.choices()[blocks:] for name in choice.bots}
    assert bots == {"greedy", "greedier", "random", "other", "random-2"}
    status, text = vinci("tournament", "verify", stopped, "--workers", "1")
    assert (status, f"After {blocks} blocks random-2 entered and dummy left" in text) == (0, True), text
    assert "History" in Path(stopped, "report.html").read_text()
    assert vinci("tournament", "run", str(file), "--blocks", "0:3").status == 2
    file.write_text(LADDER.replace("ladder", "swiss"))
    status, text = vinci("tournament", "run", str(file), "--games", "3")
    assert (status, "--games: this belongs in the file" in text) == (2, True)
