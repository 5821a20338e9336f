"""`vinci review`: figures, their reproduction, pages and errors."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.support.cli_runner import vinci
from vinci_cli.records import loader
from vinci_cli.review.model import parse, path_of
from vinci_rules import record as records

PLAYERS = ("--players", "normal,random,dummy", "--board", "tiny", "--target", "25", "--seed", "review")
FEW = ("--simulations", "20")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a short game."""
    folder = tmp_path_factory.mktemp("records")
    assert vinci("selfplay", *PLAYERS, "--records", str(folder)).status == 0
    return folder / "review-1.jsonl"


@pytest.fixture(scope="module")
def lines(game: Path) -> list[str]:
    """Return the lines of its review."""
    status, text = vinci("review", str(game), *FEW, "--json", "--workers", "1")
    assert status == 0
    return text.splitlines()


def part(game: Path, folder: Path, count: int) -> str:
    """Write the first lines of the record to a file; return its path."""
    path = folder / "part.jsonl"
    path.write_text("".join(game.read_text(encoding="utf-8").splitlines(keepends=True)[:count]), encoding="utf-8")
    return str(path)


def test_each_turn_is_compared(game: Path, lines: list[str]) -> None:
    """Turns follow each other; those of players have a turn preferred and a loss, those of the dummy luck."""
    found = parse(lines)
    played = [step for step in records.replay(game.read_text(encoding="utf-8").splitlines()) if step.action]
    assert found.record == records.last_hash(game.read_text(encoding="utf-8").splitlines())
    assert [turn.last for turn in found.turns] == sorted({turn.last for turn in found.turns})
    assert found.turns[-1].last <= len(played)
    assert {turn.by for turn in found.turns if turn.seat == 3} == {"dummy"}
    judged = [turn for turn in found.turns if turn.by == "player" and turn.preferred and turn.choices > 1]
    assert all(turn.preferred and turn.preferred.actions for turn in judged)
    assert any(turn.loss.mean > turn.loss.half for turn in judged if turn.seat == 2)
    assert any(turn.luck[0].mean for turn in found.turns if turn.by == "dummy")
    normal, random, dummy = found.players
    assert normal.accuracy is not None
    assert random.accuracy is not None
    assert normal.accuracy > random.accuracy
    assert dummy.turns == 0
    assert json.loads(lines[-1])["players"][2]["accuracy"] is None


def test_the_same_seed_gives_the_same_review_with_any_number_of_workers(game: Path, lines: list[str]) -> None:
    """Each turn has random numbers of its own, so it does not matter where it is reviewed."""
    again = vinci("review", str(game), *FEW, "--json", "--workers", "2")
    assert again.text.splitlines() == lines
    other = vinci("review", str(game), *FEW, "--json", "--workers", "1", "--seed", "other")
    assert other.text.splitlines()[1:] != lines[1:]


def test_a_review_is_told_in_words(game: Path, lines: list[str]) -> None:
    """The table of players, the chances, and each turn with what was better."""
    status, text = vinci("review", str(game), *FEW, "--workers", "1")
    assert status == 0
    found = parse(lines)
    head = text.splitlines()[0]
    assert re.fullmatch(r"Seat +Accuracy +Mistakes +VP lost +Luck of draws +Luck with dummies", head)
    accuracy = found.players[1].accuracy
    assert accuracy is not None
    assert f"random (2)  {accuracy.value:.0f}" in text
    assert text.count("\nRound ") == max(turn.round for turn in found.turns)
    assert len(re.findall("^    loses ", text, re.MULTILINE)) == sum(
        turn.loss.is_clear and turn.loss.mean > 0 for turn in found.turns
    )
    assert "    preferred: conquer " in text
    assert max(map(len, text.splitlines())) <= 80


def test_one_seat_can_be_judged_alone(game: Path) -> None:
    """Turns of others are not compared, but their draws count for all."""
    status, text = vinci("review", str(game), *FEW, "--json", "--workers", "1", "--seat", "1")
    assert status == 0
    found = parse(text.splitlines())
    assert {turn.seat for turn in found.turns if turn.preferred is not None} == {1}
    assert found.players[1].turns == 0
    assert found.players[0].turns > 0


def test_a_review_is_kept_beside_its_record(game: Path, lines: list[str], tmp_path: Path) -> None:
    """--save writes the lines; a record with another end does not have this review."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(game.read_bytes())
    page = tmp_path / "page.html"
    status, _ = vinci("review", str(path), *FEW, "--save", "--html", str(page), "--workers", "1")
    assert status == 0
    assert path_of(path).read_text(encoding="utf-8").splitlines() == lines
    assert loader.load(path).review == parse(lines)
    html = page.read_text(encoding="utf-8")
    assert "<h2>Review</h2>" in html
    assert html.count("<figure") == 3
    assert '"Review of Normal (1): ' in html, "said at its turn"
    assert "<b>loses " in html
    assert "<tr><td>draft</td>" in html
    shorter = Path(part(game, tmp_path, 9))
    path_of(shorter).write_bytes(path_of(path).read_bytes())
    assert loader.load(shorter).review is None
    path_of(path).write_text("{}", encoding="utf-8")
    assert loader.load(path).review is None


def test_a_game_that_goes_on_is_reviewed_so_far(game: Path, tmp_path: Path) -> None:
    """The last turn may be unfinished."""
    status, text = vinci("review", part(game, tmp_path, 8), *FEW, "--json", "--workers", "1")
    assert status == 0
    assert parse(text.splitlines()).turns[-1].last == 7


def test_wrong_records_and_seats_are_refused(game: Path, tmp_path: Path) -> None:
    """The error names the file and what is wrong."""
    path = tmp_path / "game.jsonl"
    path.write_text(game.read_text(encoding="utf-8").replace('"seat":2', '"seat":3', 1), encoding="utf-8")
    for arguments, wrong in (
        ([str(tmp_path / "none.jsonl")], "none.jsonl cannot be read"),
        ([str(path)], "game.jsonl: line "),
        ([part(game, tmp_path, 1)], "no turn was played"),
        ([str(game), "--seat", "4"], "review-1.jsonl: there is no seat 4; this game has 3 seats"),
        ([str(game), "--simulations", "3"], "not in the range"),
    ):
        status, text = vinci("review", *arguments)
        assert status != 0
        assert wrong in text
        assert "Traceback" not in text


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_the_command(game: Path, end: signal.Signals) -> None:
    """Neither after Ctrl-C nor when the command is killed."""
    arguments = ["review", str(game), "--simulations", "100000", "--workers", "2"]
    started = subprocess.Popen([sys.executable, "-m", "vinci_cli", *arguments], stderr=subprocess.DEVNULL)
    process = psutil.Process(started.pid)
    workers: list[psutil.Process] = []
    deadline = time.monotonic() + 60
    while sum(worker.cpu_times().user > 1 for worker in workers) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.1)
        workers = process.children(recursive=True)
    started.send_signal(end)
    started.wait(30)
    _gone, alive = psutil.wait_procs(workers, 30)
    assert not alive
