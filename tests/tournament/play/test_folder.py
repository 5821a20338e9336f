"""The folder of a league: what is stored once and for all, and what is refused."""

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tournament.small_leagues import league, played
from vinci_tournament.definition import digests
from vinci_tournament.definition.extension import extended
from vinci_tournament.definition.league import League
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import runner, worker
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.resource_usage import Cost, Costs, by_bot, described, seats_of, spread
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import write
from vinci_tournament.results.result import ForfeitResult, Result

LEAGUE = league("random", "dummy", "random", blocks=2)


def test_games_are_stored_with_record_and_logs(tmp_path: Path) -> None:
    """A stored game is read back unchanged; only bots with output have a log, and only games with notes a file for them."""
    folder = Folder(tmp_path)
    folder.begin(LEAGUE)
    assert not folder.results()
    outcome = replace(worker.play(LEAGUE, games(LEAGUE)[1]), logs=((2, "oh no\n"),), notes="{}\n")
    folder.keep([outcome, worker.play(LEAGUE, games(LEAGUE)[2])])
    assert folder.league() == LEAGUE
    assert folder.results()["0-1"] == outcome.result
    assert folder.lines("0-1") == outcome.record.splitlines()
    assert (folder.games / f"0-1.3.{outcome.result.bots[2]}.log").read_text() == "oh no\n"
    assert (folder.games / "0-1.notes.json").read_text() == "{}\n"
    log = f"0-1.3.{outcome.result.bots[2]}.log"
    assert {path.name for path in folder.games.iterdir()} == {"0-1.jsonl", "0-1.notes.json", log, "0-2.jsonl"}


def test_resource_use_is_stored_separately(tmp_path: Path) -> None:
    """Resource use is stored by game where known; a line half written by a killed runner is removed."""
    folder = Folder(tmp_path)
    folder.begin(LEAGUE)
    used = Costs("0-0", (Cost("random", 1.5, 2**20, 9, 100, 40), Cost("random-2", 0.5, 2**21, 3, 6, 2)))
    measured = [used, None]
    folder.keep(
        [replace(worker.play(LEAGUE, game), costs=one) for game, one in zip(games(LEAGUE), measured, strict=False)]
    )
    assert folder.uses() == {"0-0": used}
    with (tmp_path / "uses.jsonl").open("a") as file:
        file.write('{"half')
    assert folder.uses() == {"0-0": used}
    with folder.locked():
        assert not (tmp_path / "uses.jsonl").read_text().partition("\n")[2]
    other = Costs("0-1", (Cost("random", 0.5, 2**22, 1, 70, 70),))
    assert by_bot([*used.seats, *other.seats])["random"] == (2, Cost("random", 2.0, 2**22, 10, 170, 70))


def test_finished_game_is_never_overwritten(tmp_path: Path) -> None:
    """A second outcome of the same game changes nothing."""
    folder = Folder(tmp_path)
    folder.begin(LEAGUE)
    first, other = (worker.play(LEAGUE, game) for game in games(LEAGUE)[:2])
    folder.keep([first])
    late = replace(other, result=replace(other.result, rotation=0, forfeits=(ForfeitResult(0, "exit", 3, "x"),)))
    folder.keep([late])
    assert folder.result("0-0") == first.result
    assert folder.lines("0-0") == first.record.splitlines()


def test_record_without_a_result_is_not_finished(tmp_path: Path) -> None:
    """A partly written record and result of a killed runner are replaced."""
    folder = Folder(tmp_path)
    folder.begin(LEAGUE)
    outcome = worker.play(LEAGUE, games(LEAGUE)[0])
    (folder.games / "0-0.jsonl").write_text('{"half')
    (tmp_path / "results.jsonl").write_text(outcome.result.to_json()[:-9])
    assert not folder.results()
    with folder.locked():
        folder.keep([outcome])
    assert folder.results() == {"0-0": outcome.result}
    assert folder.lines("0-0") == outcome.record.splitlines()


def test_another_league_is_refused(tmp_path: Path) -> None:
    """The same league is accepted, with any number of workers."""
    folder = Folder(tmp_path)
    folder.begin(LEAGUE)
    folder.begin(replace(LEAGUE, workers=9))
    with pytest.raises(FolderError, match="holds another league"):
        folder.begin(replace(LEAGUE, seed="2"))


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("0.1.0", f"began with version 0.1.0 of Vinci, and version {digests.installed()} is installed now"),
        (digests.installed(), f"began with other files of Vinci, and version {digests.installed()} is installed now"),
        ("", "began with other files of Vinci"),
    ],
)
def test_league_that_another_version_began_is_not_another_one(tmp_path: Path, version: str, told: str) -> None:
    """The file of the league, and its folder, say what to install, also after an extension; a changed bot does not."""
    old = [replace(bot, digest="5e" * 32) for bot in LEAGUE.bots]
    began = replace(LEAGUE, version=version, bots=tuple(old), core=replace(LEAGUE.core, digest="5e" * 32))
    assert began.digest == replace(began, version="9").digest
    folder = Folder(tmp_path)
    folder.begin(began)
    for again in (lambda: folder.begin(LEAGUE), lambda: runner.run(folder, lambda: pytest.fail("changed"), 1)):
        with pytest.raises((FolderError, runner.RunnerError), match=told) as refused:
            again()
        assert "another league" not in str(refused.value)
    folder.extend(extended(began, [], 6, played=0, is_stopped=False))
    with pytest.raises(FolderError, match=f"holds this league, but it {told}"):
        folder.begin(LEAGUE)
    with pytest.raises(FolderError, match="holds another league"):
        folder.begin(replace(LEAGUE, bots=(replace(LEAGUE.bots[0], policy="greedy"), *LEAGUE.bots[1:])))


def test_other_folder_is_left_alone(tmp_path: Path) -> None:
    """A league begins in an empty folder, or where it was killed at its beginning."""
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(FolderError, match="is not empty, and holds no league"):
        Folder(tmp_path).begin(LEAGUE)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    begun = tmp_path / "begun"
    (begun / "games").mkdir(parents=True)
    (begun / "league.json.part").write_text("{")
    Folder(begun).begin(LEAGUE)
    assert Folder(begun).league() == LEAGUE


def test_damaged_league_folder_is_refused(tmp_path: Path) -> None:
    """A missing or changed league.json and a cut or doubled result are errors that name the line."""
    folder = Folder(tmp_path)
    with pytest.raises(FolderError, match="holds no league"):
        folder.league()
    folder.begin(LEAGUE)
    (tmp_path / "league.json").write_text('{"name": 1}')
    with pytest.raises(FolderError, match=r"league\.json is not as it was written"):
        folder.league()
    outcome = worker.play(LEAGUE, games(LEAGUE)[0])
    line = f"{outcome.result.to_json()}\n"
    (tmp_path / "results.jsonl").write_text(f"{line}{line[:-9]}\n")
    with pytest.raises(FolderError, match=r"results\.jsonl line 2 is not as it was written"):
        folder.results()
    (tmp_path / "results.jsonl").write_text(line + line)
    with pytest.raises(FolderError, match=r"results\.jsonl line 2: game 0-0 is there already"):
        folder.results()
    (tmp_path / "results.jsonl").write_text(line)
    with pytest.raises(FolderError, match="has no game 3-3"):
        folder.result("3-3")


def test_lock_admits_one_runner(tmp_path: Path) -> None:
    """The lock excludes other processes and ends with its owner, even when that is killed."""
    folder = Folder(tmp_path)
    folder.begin(LEAGUE)
    program = (
        "import sys, time; from pathlib import Path; from vinci_tournament.play.folder import Folder\n"
        "with Folder(Path(sys.argv[1])).locked(): print('locked', flush=True); time.sleep(100)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(FolderError, match="in use"), folder.locked():
            pass
        other.kill()
        other.wait()
        with folder.locked():
            pass


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("[]", "it is not a JSON object"),
        ({"ranks": [1]}, "ranks, VP and attacks need one value for each of 3 seats"),
        ({"ranks": [1, 2, 9]}, "ranks are from 1 to 3"),
        ({"vp": None}, "NoneType"),
        ({"vp": ["1", "2", "3"]}, "a number is not a whole number"),
        ({"attacks": [[1]]}, "ranks, VP and attacks need one value for each of 3 seats"),
        ({"forfeits": [[99, "exit", 1, ""]]}, "seats from 0 to 2"),
        ({"seed": 7}, "seed, hash and names of bots are not all text"),
    ],
)
def test_damaged_result_is_an_error_with_its_line(tmp_path: Path, change: str | dict[str, object], why: str) -> None:
    """Any other content of a line is an error that names it, without a traceback."""
    folder = Folder(tmp_path)
    folder.begin(LEAGUE)
    whole = json.loads(worker.play(LEAGUE, games(LEAGUE)[0]).result.to_json())
    (tmp_path / "results.jsonl").write_text((change if isinstance(change, str) else json.dumps(whole | change)) + "\n")
    with pytest.raises(FolderError, match=r"results\.jsonl line 1 is not as it was written: .*" + why):
        folder.results()


def test_many_games_need_few_open_files(tmp_path: Path) -> None:
    """Games are written a few at a time."""
    folder = Folder(tmp_path)
    configured = league("random", "dummy", "random", blocks=1)
    folder.begin(configured)
    one = worker.play(configured, games(configured)[0])
    many = [replace(one, result=replace(one.result, block=block)) for block in range(200)]
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (150, limits[1]))
    try:
        folder.keep(many)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert len(folder.results()) == 200
    assert len(folder.planned(configured)) == 1


@pytest.mark.parametrize("read", [League.from_json, Result.from_json, Costs.from_json])
def test_deeply_nested_json_is_refused(read: Callable[[str], object]) -> None:
    """Deeply nested JSON is refused like any other invalid text."""
    with pytest.raises(ValueError, match="nested too deeply"):
        read("[" * 100_000)


def test_results_are_read_and_checked_alike_with_and_without_blanks() -> None:
    """Civilizations of lines as they are written are looked up by their text, those of other JSON are parsed."""
    text = worker.play(LEAGUE, games(LEAGUE)[0]).result.to_json()
    result = Result.from_json(text)
    assert result == Result.from_json(json.dumps(json.loads(text)))
    assert (result.to_json(), len(result.civilizations) > 3) == (text, True)
    for line in (text, json.dumps(json.loads(text))):
        forged, changes = re.subn(r'("civilizations": ?\[\[)\d', r"\g<1>9", line)
        assert changes == 1
        with pytest.raises(ValueError, match="seats from 0 to"):
            Result.from_json(forged)


def test_outlines_and_totals_are_those_of_whole_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short forms that `status` reads agree with the whole files; damage is an error that names the line."""
    folder = Folder(tmp_path)
    folder.begin(LEAGUE)
    folder.keep([worker.play(LEAGUE, game) for game in reversed(games(LEAGUE))])
    whole = [
        replace(folder.result(game.key), civilizations=(), attacks=(), hash="", conditions=None)
        for game in reversed(games(LEAGUE))
    ]
    assert folder.outlines(LEAGUE) == whole, "in the order in which they ended"
    every = [*folder.uses().values()]
    assert folder.used() == by_bot(seat for costs in every for seat in costs.seats)
    monkeypatch.setattr("vinci_tournament.play.folder.MOST_MEASURED", 2)
    assert folder.used() == by_bot(seat for costs in every[-2:] for seat in costs.seats)
    for name, read in (("results.jsonl", lambda: folder.outlines(LEAGUE)), ("uses.jsonl", folder.used)):
        with (tmp_path / name).open("a") as file:
            file.write("{}\n")
        with pytest.raises(FolderError, match=rf"{name} line 7 is not as it was written"):
            read()


def test_resume_of_a_finished_league_rewrites_nothing(tmp_path: Path) -> None:
    """Without a game to play, no file is written; results out of order are sorted."""
    folder = played(tmp_path / "league", LEAGUE)
    write(report_of(folder), folder.path)

    def resumed() -> dict[str, int]:
        with folder.locked():
            runner.run(folder, lambda: pytest.fail("there is nothing to play"), 1)
        write(report_of(folder), folder.path)
        return {path.name: path.stat().st_mtime_ns for path in folder.path.rglob("*") if path.name != "lock"}

    for path in folder.path.rglob("*"):
        os.utime(path, ns=(10**9, 10**9))
    assert set(resumed().values()) == {10**9}
    results = folder.path / "results.jsonl"
    ordered = results.read_text()
    results.write_text("".join(sorted(ordered.splitlines(keepends=True), reverse=True)))
    resumed()
    assert results.read_text() == ordered


def test_quantiles_of_decision_times_are_known_within_a_tenth() -> None:
    """Times of several games are merged; those of earlier versions have none, and say so."""
    times = [0.0, 0.2, *(float(number) for number in range(1, 999))]
    halves = [Cost("a", 1.0, 0, 500, 0, 0, spread(times[half::2])) for half in (0, 1)]
    _seats, whole = by_bot(halves)["a"]
    for share in (0.1, 0.5, 0.99, 1.0):
        exact = sorted(times)[int(share * len(times)) - 1]
        assert exact / 1.1 <= (whole.quantile(share) or 0) <= exact * 1.11
    assert Cost("a", 1.0, 0, 2, 30, 22, spread([8.0, 22.0])).quantile(0.99) == 22  # never above the longest
    older = (
        '{"game":"0-0","seats":[{"bot":"a","cpu":1.0,"memory":0,"decisions":2,"think_ms_sum":5,"think_ms_longest":4}]}'
    )
    assert Costs.from_json(older).seats[0].quantile(0.5) is None
    assert [*described(by_bot(seats_of([older])), 1)][1].split()[-5:] == ["-", "-", "-", "4", "ms"]
