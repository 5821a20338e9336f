"""`vinci dataset`: a table of decisions that can be played again."""

import json
import os
import signal
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import psutil
import pytest
from pyarrow import parquet

import vinci
from tests.support.cli_runner import vinci as command
from tests.support.processes.vinci_process import until
from vinci_bots.builtin import dataset

WORDS = (
    "--players",
    "greedy,random",
    "--seats",
    "3",
    "--board",
    "tiny",
    "--target",
    "30",
    "--games",
    "4",
    "--workers",
    "1",
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a table of four short games in pieces of a few rows."""
    path = tmp_path_factory.mktemp("table") / "games.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "PIECE", 10)
        result = command("dataset", *WORDS, "--out", str(path))
    assert result.status == 0, result.text
    assert result.text == f"{path}: {parquet.read_metadata(path).num_rows} decisions, 4 games\n"
    return path


def test_rows_are_the_decisions_of_games(table: Path) -> None:
    """Each row is a position with what was legal and played, and how the game ended; played again, all is the same."""
    assert parquet.read_metadata(table).num_row_groups > 1
    rows: list[dict[str, Any]] = parquet.read_table(table).to_pylist()
    for number, decisions in groupby(rows, key=lambda row: row["game"]):
        of_game = list(decisions)
        assert [row["number"] for row in of_game] == list(range(1, len(of_game) + 1))
        game = vinci.new_game(3, board="tiny", target=30, seed=f"1-{number}")
        for row in of_game:
            assert (row["seed"], row["position"], row["phase"]) == (f"1-{number}", str(game), game.phase)
            assert (row["seat"], row["legal"]) == (game.seat, game.legal())
            assert row["player"] == ("greedy", "random")[(row["seat"] + number - 1) % 2]
            assert row["action"] in row["legal"] or row["action"].startswith(("hold", "redeploy"))
            game.play(row["action"])
        assert game.is_over
        for row in of_game:
            assert (tuple(row["scores"]), tuple(row["ranks"])) == (game.scores, game.ranks)
            assert (row["vp"], row["rank"]) == (game.scores[row["seat"]], game.ranks[row["seat"]])


def test_same_seed_gives_the_same_table(table: Path, tmp_path: Path) -> None:
    """Whatever the size of the pieces; another seed gives another one."""
    again, other = tmp_path / "again.parquet", tmp_path / "other.parquet"
    assert command("dataset", *WORDS, "--out", str(again)).status == 0
    assert command("dataset", *WORDS, "--seed", "2", "--out", str(other)).status == 0
    assert parquet.read_table(again).equals(parquet.read_table(table))
    assert not parquet.read_table(other).equals(parquet.read_table(table))


def test_workers_write_the_same_file(tmp_path: Path) -> None:
    """Byte for byte, in the order of the games."""
    files = [tmp_path / f"{workers}.parquet" for workers in (1, 2)]
    for workers, path in enumerate(files, 1):
        result = command("dataset", *WORDS, "--games", "40", "--workers", str(workers), "--out", str(path))
        assert result.status == 0, result.text
    assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == files


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_table_is_not_written(tmp_path: Path, workers: int) -> None:
    """An older file stays, and no process goes on."""
    path = tmp_path / "games.parquet"
    path.write_text("before", encoding="utf-8")
    words = ["--players", "hard", "--games", "1000", "--workers", str(workers), "--out", str(path)]
    started = subprocess.Popen(
        [sys.executable, "-m", "vinci_cli", "dataset", *words], stderr=subprocess.PIPE, text=True
    )
    playing = psutil.Process(started.pid)
    begun = path.with_name("games.parquet.part")
    until(lambda: begun.exists() and (workers == 1 or len(playing.children()) > workers), "games are played")
    children = playing.children(recursive=True)
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate(timeout=60)
    assert (started.returncode, errors) == (130, f"Interrupted; {path} was not written.\n")
    assert psutil.wait_procs(children, 30)[1] == []
    assert [*tmp_path.iterdir()] == [path]
    assert path.read_text(encoding="utf-8") == "before"


def test_games_are_those_of_selfplay(table: Path) -> None:
    """The first line-up with the same seed ends with the same scores."""
    words = ("--players", "greedy,random,greedy", "--board", "tiny", "--target", "30")
    (game,) = map(json.loads, command("selfplay", *words, "--json").text.splitlines())
    assert parquet.read_table(table).to_pylist()[0]["scores"] == game["vp"]


def test_schema_is_as_documented() -> None:
    """Published tables only grow: columns stay as they are."""
    assert [f"{field.name} {field.type}" for field in dataset.SCHEMA] == [
        "game int32", "seed string", "number int32", "seat int8", "player string", "phase string", "position string",
        "legal list<item: string>", "action string", "rank int8", "vp int16", "ranks list<item: int8>",
        "scores list<item: int16>",
    ]  # fmt: skip
    assert dataset.SCHEMA.metadata == {b"vinci": b"1"}


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["--players", "esay"], 2, "unknown player esay; known: dummy, greedy"),
        (["--players", ","], 2, "unknown player ''"),
        (["--edition", "XX"], 2, "XX"),
        (["--board", "mars"], 2, "mars"),
        (["--out", "/nowhere/games.parquet"], 1, "/nowhere/games.parquet"),
        (["--out", "."], 1, "Error: .: Is a directory"),
        (["--workers", "0"], 2, "0 is not in the range x>=1"),
        (["--workers", "two"], 2, "two"),
    ],
)
def test_mistakes_are_refused(tmp_path: Path, words: list[str], status: int, error: str) -> None:
    """The error names what is wrong."""
    result = command("dataset", "--games", "1", "--out", str(tmp_path / "x.parquet"), *words)
    assert (result.status, error in result.text) == (status, True), result.text
