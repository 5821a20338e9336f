"""Folders with blocks of one league merge into the same bytes as one run."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tournament.small_leagues import league, played
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import BlockRange, games, named_ranges, parse_range
from vinci_tournament.play import runner, worker
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.merge import merge
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import write
from vinci_tournament.results.result import ForfeitResult
from vinci_tournament.verify import check

LEAGUE = league("random", "dummy", "random", blocks=4, seats=3)


def part(path: Path, blocks: BlockRange, configured: League = LEAGUE) -> Folder:
    """Return a folder in which these blocks of a league were played."""
    folder = Folder(path)
    folder.begin(configured, blocks)
    planned = games(configured)
    folder.keep([worker.play(configured, game) for game in planned if game.block in blocks])
    return folder


def all_files(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder but the resources used, which differ from run to run."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "uses.jsonl")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_merged_league_is_the_same_as_one_run(tmp_path: Path) -> None:
    """All files, logs and notes included, have the same bytes, whatever the order of the parts; `uses.jsonl` has all games."""
    planned = games(LEAGUE)
    outcomes = [
        replace(worker.play(LEAGUE, game), logs=((1, f"{game.key}\n"),), notes="{}\n" * (game.rotation == 1))
        for game in planned
    ]
    whole = Folder(tmp_path / "whole")
    whole.begin(LEAGUE)
    whole.keep(outcomes)
    write(report_of(whole), whole.path)
    parts = []
    for name, blocks in (("late", BlockRange(1, 3)), ("early", BlockRange(0, 0))):
        parts.append(Folder(tmp_path / name))
        parts[-1].begin(LEAGUE, blocks)
        parts[-1].keep([outcome for outcome in outcomes if outcome.result.block in blocks])
    out = tmp_path / "merged"
    assert merge(parts, out) == len(planned)
    write(report_of(Folder(out)), out)
    assert all_files(out) == all_files(whole.path)
    assert list(Folder(out).uses()) == [game.key for game in planned]
    assert not [finding for finding in check(Folder(out), 1) if finding.is_fault]


def test_runner_plays_the_blocks_of_the_folder_only(tmp_path: Path) -> None:
    """The blocks are stored in the folder, which refuses others, and `verify` misses none of the other blocks."""
    folder = part(tmp_path, BlockRange(2, 2), LEAGUE)
    (tmp_path / "results.jsonl").unlink()
    folder = Folder(tmp_path)
    with folder.locked():
        runner.run(folder, lambda: ThreadPoolExecutor(1), 1)
    assert {result.block for result in folder.results().values()} == {2}
    folder.begin(LEAGUE, BlockRange(2, 2))
    for other, held in ((BlockRange(0, 1), "blocks 2:2"), (None, "blocks 2:2")):
        with pytest.raises(FolderError, match=f"is for {held} of this league"):
            folder.begin(LEAGUE, other)
    assert not [finding for finding in check(folder, 1) if finding.is_fault]


def _another_seed(path: Path) -> None:
    text = json.loads(path.read_text())
    path.write_text(json.dumps(text | {"seed": "2"}))


def _another_core(key: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        text = json.loads(path.read_text())
        path.write_text(json.dumps(text | {"core": text["core"] | {key: "0.0.1"}}))

    return change


def _another_bot(path: Path) -> None:
    text = json.loads(path.read_text())
    text["bots"][1]["digest"] = "00"
    path.write_text(json.dumps(text))


def _another_clock(path: Path) -> None:
    text = json.loads(path.read_text())
    path.write_text(json.dumps(text | {"clock": 7}))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_another_seed, "it has another seed"),
        (_another_core("engine"), "its engine is 0.0.1 and not "),
        (_another_core("digest"), "its rules have another digest"),
        (_another_core("board"), "its board tiny has another digest"),
        (_another_bot, "its bot b has another digest"),
        (_another_clock, "its clock is 7 and not 60"),
    ],
)
def test_other_league_is_refused(tmp_path: Path, change: Callable[[Path], None], why: str) -> None:
    """The error names the folder and the difference, and nothing is written."""
    first, other = part(tmp_path / "a", BlockRange(0, 1)), part(tmp_path / "b", BlockRange(2, 3))
    change(other.path / "league.json")
    with pytest.raises(FolderError, match=f"/b is not a part of the league in .*/a: {why}"):
        merge([first, other], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_missing_and_different_games_are_refused(tmp_path: Path) -> None:
    """Missing blocks are named; a game in two folders must have the same result; a result needs its record."""
    first, other = part(tmp_path / "a", BlockRange(0, 1)), part(tmp_path / "b", BlockRange(1, 2))
    out = tmp_path / "out"
    with pytest.raises(FolderError, match="games are missing in blocks 3 of 0:3"):
        merge([first, other], out)
    assert merge([first, other], out, partial_league=True) == 9
    assert Folder(out).blocks() is None
    with pytest.raises(FolderError, match="out is not empty"):
        merge([first, other], out, partial_league=True)
    lines = [result.to_json() for result in other.results().values()]
    changed = replace(other.result("1-0"), forfeits=(ForfeitResult(0, "clock", 3, "x"),)).to_json()
    (other.path / "results.jsonl").write_text("".join(f"{line}\n" for line in [changed, *lines[1:]]))
    with pytest.raises(FolderError, match=r"game 1-0 has different results in .*/a and .*/b"):
        merge([first, other], tmp_path / "other", partial_league=True)
    (first.games / "0-2.jsonl").unlink()
    with pytest.raises(FolderError, match=r"0-2.jsonl is missing, though the game has a result"):
        merge([first], tmp_path / "other", partial_league=True)
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b", "out"}


def test_decided_gate_needs_no_further_blocks(tmp_path: Path) -> None:
    """Blocks after the one that decides a gate may be missing."""
    gate = replace(league("greedy", "dummy", format="gate", blocks=30, seats=3), seed="1")
    whole = played(tmp_path / "whole", gate)
    decided = report_of(whole).figures.standings.blocks
    assert decided < 30
    parts = []
    for name, blocks in (("a", BlockRange(0, 1)), ("b", BlockRange(2, decided - 1))):
        parts.append(Folder(tmp_path / name))
        parts[-1].begin(gate, blocks)
        outcomes = [
            worker.GameOutcome(one, whole.games.joinpath(f"{one.key}.jsonl").read_text())
            for one in whole.results().values()
        ]
        parts[-1].keep([outcome for outcome in outcomes if outcome.result.block in blocks])
    merge(parts, tmp_path / "out")
    assert report_of(Folder(tmp_path / "out")) == report_of(whole)


def test_ranges() -> None:
    """A range has its first and its last block; errors tell the blocks of the league."""
    assert parse_range("0:9", 10) == BlockRange(0, 9)
    for text, why in (
        ("5", "write the first and the last one, such as 0:9"),
        ("3:10", "whose blocks are 0:9"),
        ("4:3", "is not within"),
        ("-1:3", "is not a range"),
    ):
        with pytest.raises(ValueError, match=why):
            parse_range(text, 10)
    assert named_ranges([0, 1, 2, 5, 7, 8]) == "0:2, 5, 7:8"
