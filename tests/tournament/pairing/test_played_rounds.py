"""Swiss and knock-out leagues that are really played: their folders, their reports, a kill in the middle, extension."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from math import inf
from pathlib import Path

import pytest

from tests.support.tournament.small_leagues import league
from vinci_tournament.definition.extension import extended
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import ScheduledGame
from vinci_tournament.play import runner, worker
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.merge import merge
from vinci_tournament.play.runner import RunnerError
from vinci_tournament.play.worker import GameOutcome
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import write
from vinci_tournament.verify import check

SWISS = league(*["random"] * 7, format="swiss", seats=3, rounds=3)
KNOCK_OUT = league(*["random"] * 7, format="knock-out", seats=3, table_blocks=2)


def run(folder: Folder, workers: int = 1, games: float = inf) -> None:
    """Play the missing games of a league in threads, and write its report; the runner fails after so many games."""
    begun = count()

    def play(configured: League, game: ScheduledGame) -> GameOutcome:
        if next(begun) >= games:
            raise ValueError("killed")
        return worker.play(configured, game)

    with folder.locked():
        runner.run(folder, lambda: ThreadPoolExecutor(workers), workers, play=play)
    write(report_of(folder), folder.path)


def contents(folder: Folder) -> dict[str, bytes]:
    """Return all files of a league but those that depend on the machine."""
    files = (path for path in folder.path.rglob("*") if path.is_file())
    return {path.name: path.read_bytes() for path in files if path.name not in ("uses.jsonl", "lock", "notes.json")}


def faults(folder: Folder) -> list[str]:
    """Return the faults that `verify` finds."""
    return [finding.text for finding in check(folder, 1) if finding.is_fault]


@pytest.mark.parametrize("configured", [SWISS, KNOCK_OUT], ids=["swiss", "knock-out"])
def test_interrupted_league_ends_with_the_same_bytes(configured: League, tmp_path: Path) -> None:
    """Neither kills, nor a half written line, nor the number of workers change schedule, games or report."""
    alone, killed = Folder(tmp_path / "alone"), Folder(tmp_path / "killed")
    alone.begin(configured)
    run(alone)
    killed.begin(configured)
    for games in (5, 7):
        with pytest.raises(RunnerError, match="killed"):
            run(killed, 3, games)
        with (killed.path / "schedule.jsonl").open("a") as file:
            file.write('{"block":')
    run(killed, 3)
    assert contents(killed) == contents(alone)
    assert not faults(killed)
    league_again = alone.begin(configured)
    assert (league_again.digest, alone.league().digest) == (configured.digest, configured.digest)
    assert len(alone.choices()) == configured.blocks == len(alone.league().planned)


def test_round_lost_in_the_middle_is_chosen_again(tmp_path: Path) -> None:
    """A crash that leaves one of two tables of a round in schedule.jsonl adds the other one."""
    folder = Folder(tmp_path)
    folder.begin(SWISS)
    run(folder)
    before = contents(folder)
    schedule = tmp_path / "schedule.jsonl"
    lines = schedule.read_text().splitlines(keepends=True)
    schedule.write_text("".join(lines[:3]))
    results = tmp_path / "results.jsonl"
    results.write_text("".join(results.read_text().splitlines(keepends=True)[:9]))
    for path in folder.games.iterdir():
        if int(path.name.partition("-")[0]) > 2:
            path.unlink()
    run(Folder(tmp_path))
    assert contents(folder) == before


@pytest.mark.parametrize("configured", [SWISS, KNOCK_OUT], ids=["swiss", "knock-out"])
def test_report_tells_tables_and_winner(configured: League, tmp_path: Path) -> None:
    """All forms have the tables of all rounds; the winner is the one whose score in them is best."""
    folder = Folder(tmp_path)
    folder.begin(configured)
    run(folder)
    section = json.loads((tmp_path / "report.json").read_text())["league"]
    assert len(section["tables"]) == configured.blocks / configured.table_blocks
    won = "By Swiss score" if configured is SWISS else f"{section['tables'][-1]['bots'][0][0]} won the knock-out"
    for name in ("report.txt", "report.md", "report.html"):
        text = (tmp_path / name).read_text()
        assert won in text.replace("\n", " ")
        assert f"{section['tables'][0]['bots'][0][0]} {section['tables'][0]['bots'][0][1]:.3f}" in text


def test_forged_schedule_is_found(tmp_path: Path) -> None:
    """A table that does not follow from the results is a fault; other bots, or other numbers, are errors."""
    folder = Folder(tmp_path)
    folder.begin(SWISS)
    run(folder)
    schedule = tmp_path / "schedule.jsonl"
    lines = schedule.read_text().splitlines()
    chosen = json.loads(lines[2])
    schedule.write_text("\n".join([*lines[:2], json.dumps(chosen | {"scores": {}}), *lines[3:], ""]))
    assert any("Block 2 does not follow from the results before it" in fault for fault in faults(folder))
    for change, why in (({"bots": ["a", "b", "z"]}, "not 3 bots of this league"), ({"block": 5}, "expected block 2")):
        schedule.write_text("\n".join([*lines[:2], json.dumps(chosen | change), *lines[3:], ""]))
        with pytest.raises(FolderError, match=f"schedule.jsonl line 3: {why}"):
            folder.league()


def test_swiss_league_gets_more_rounds(tmp_path: Path) -> None:
    """Games are rounded up to whole rounds; the blocks so far stay as they are, and parts cannot be merged."""
    folder = Folder(tmp_path / "league")
    folder.begin(SWISS)
    run(folder)
    before = (folder.path / "results.jsonl").read_text()
    longer = extended(folder.league(), (), 1, played=6, is_stopped=False)
    folder.extend(longer)
    assert folder.league() == replace(longer, planned=folder.league().planned)
    run(folder)
    assert len(folder.choices()) == longer.blocks == 8
    assert (folder.path / "results.jsonl").read_text().startswith(before)
    assert not faults(folder)
    with pytest.raises(FolderError, match="has no parts: its blocks depend on its results"):
        merge([folder], tmp_path / "merged")
