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


def wait_for(process: "subprocess.Popen[str]", folder: Path, games: int) -> None:
    """Wait until a ladder has played further games."""
    wanted = len(Folder(folder).results()) + games
    until = time.monotonic() + LIMIT
    while len(Folder(folder).results()) < wanted:
        assert process.poll() is None, "it ended before it could be stopped"
        assert time.monotonic() < until, "it plays no more games"
        time.sleep(0.01)


def stop(process: "subprocess.Popen[str]", folder: Path, games: int, number: signal.Signals) -> tuple[int, str]:
    """Stop a ladder with a signal after further games."""
    try:
        wait_for(process, folder, games)
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
    Path(stopped, "results.jsonl").write_text("{}\n")
    status, text = vinci("tournament", "resume", stopped, "--games", "3")
    assert (status, "results.jsonl line 1 is not as it was written" in text) == (1, True), text
    assert vinci("tournament", "run", str(file), "--blocks", "0:3").status == 2
    file.write_text(LADDER.replace("ladder", "swiss"))
    status, text = vinci("tournament", "run", str(file), "--games", "3")
    assert (status, "--games: this belongs in the file" in text) == (2, True)


def test_bots_enter_and_leave_a_ladder_while_it_is_played(tmp_path: Path) -> None:
    """The ladder pauses, goes on with the new bots by itself, and is verified; wrong options cause no pause."""
    file, path = tmp_path / "ladder.toml", tmp_path / "ladder"
    file.write_text(LADDER)
    remote = tmp_path / "remote.toml"
    remote.write_text('bots = [{ name = "ann", remote = true }]')
    process = started("run", str(file), "--out", str(path))
    try:
        wait_for(process, path, 10)
        status, text = vinci("tournament", "extend", str(path), "--retire", "nobody")
        assert (status, "there is no bot 'nobody' to leave" in text) == (2, True), text
        status, text = vinci("tournament", "extend", str(path), str(remote))
        assert (status, "this ladder is played without remote bots" in text) == (2, True), text
        status, text = vinci("tournament", "extend", str(path), "--bots", "random", "--retire", "dummy")
        assert (status, text) == (0, "ladder has 5 bots, and goes on.\n")
        settled = Folder(path).league().extensions[-1].settled
        wait_for(process, path, 30)
        assert "ladder has 6 bots, and goes on" in vinci("tournament", "extend", str(path), "--bots", "greedy").text
    finally:
        status, text = stop(process, path, 30, signal.SIGTERM)
    assert (status, "random-2 entered and dummy left." in text, "greedy-2 entered." in text) == (130, True, True), text
    bots = {name for choice in Folder(path).choices()[settled:] for name in choice.bots}
    assert {"random-2", "greedy-2"} < bots
    assert "dummy" not in bots
    assert not (path / "pause").exists()
    status, text = vinci("tournament", "verify", str(path), "--workers", "1")
    assert (status, "random-2 entered and dummy left" in text) == (0, True), text


def test_ladder_goes_on_if_who_wanted_a_pause_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request whose process was killed is dropped after a while."""
    monkeypatch.setattr("vinci_tournament.play.folder.PAUSE_SECONDS", 0.2)
    folder = Folder(tmp_path)
    (tmp_path / "pause").touch()
    assert folder.is_pause_wanted()
    folder.pause()
    assert not folder.is_pause_wanted()
