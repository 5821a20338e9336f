"""Forged leagues: each kind of forgery fails `verify` or `reproduce`, and changes the digest of the folder."""

# ruff: noqa: D103  # the names of forgeries say what they are

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.tournament.changed_leagues import change_record, change_result, first_legal
from tests.support.tournament.small_leagues import league, left, played
from vinci_players.builtin import POLICIES
from vinci_rules import position, record
from vinci_rules.state import State
from vinci_tournament import reproduce, verify
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import runner, worker
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.runner import RunnerError
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import FILES, write
from vinci_tournament.results.result import ForfeitResult

LEAGUE: Final = league("random", "dummy", "random", blocks=3)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Play a league and write its report."""
    folder = played(tmp_path_factory.mktemp("honest") / "league", LEAGUE)
    write(report_of(folder), folder.path)
    return folder


@pytest.fixture
def folder(honest: Folder, tmp_path: Path) -> Folder:
    """Return a copy of the league."""
    return Folder(Path(shutil.copytree(honest.path, tmp_path / "league")))


def change_league(folder: Folder, change: Callable[[Any], None]) -> None:
    """Forge the definition of the league."""
    path = folder.path / "league.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def change_condition(folder: Folder, name: str, value: object) -> None:
    """Forge a condition under which the bots play."""
    change_league(folder, lambda definition: definition.update({name: value}))


def drop(folder: Folder, *keys: str) -> None:
    """Remove games and their records."""
    results = [result for key, result in folder.results().items() if key not in keys]
    (folder.path / "results.jsonl").write_text("".join(f"{result.to_json()}\n" for result in results))
    for key in keys:
        (folder.games / f"{key}.jsonl").unlink()


def edited(place: int, change: Callable[[dict[str, Any]], None]) -> Callable[[list[str]], list[str]]:
    """Return a change of one line of a record."""

    def edit(lines: list[str]) -> list[str]:
        line = json.loads(lines[place])
        change(line)
        return [*lines[:place], json.dumps(line), *lines[place:][1:]]

    return edit


def drawn(lines: list[str]) -> int:
    """Return the index of the first action with a draw."""
    return next(place for place, text in enumerate(lines) if place and "picks" in json.loads(text))


def change_draw(folder: Folder) -> None:
    place = drawn(folder.lines("1-0"))
    change_record(folder, "1-0", edited(place, lambda line: line.update(picks=["GAL#1", *line["picks"][1:]])))


def change_action(folder: Folder) -> None:
    change_record(folder, "1-0", edited(5, lambda line: line.update(do="x ZZZ")))


def change_score(folder: Folder) -> None:
    change_record(folder, "1-0", edited(-1, lambda line: line["result"]["vp"].__setitem__(0, 99)))


def swap_records(folder: Folder) -> None:
    one, other = folder.lines("0-1"), folder.lines("1-1")
    change_record(folder, "0-1", lambda _lines: other)
    change_record(folder, "1-1", lambda _lines: one)


def swap_results(folder: Folder) -> None:
    one, other = folder.result("0-1"), folder.result("1-1")
    change_result(folder, "0-1", lambda _result: replace(other, block=0))
    change_result(folder, "1-1", lambda _result: replace(one, block=1))


def invent_forfeit(folder: Folder) -> None:
    change_result(folder, "0-0", lambda result: replace(result, forfeits=(ForfeitResult(0, "exit", 3, ""),)))


def play_another_seed(folder: Folder) -> None:
    game = games(folder.league())[4]
    forged = worker.play(folder.league(), game._replace(seed="mine"))
    change_result(folder, game.key, lambda _result: replace(forged.result, seed=game.seed))
    change_record(folder, game.key, lambda _lines: forged.record.splitlines())


def play_another_bot(folder: Folder) -> None:
    """Play a valid game of the right seed in which another policy plays as the random bots."""
    game = games(folder.league())[5]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(POLICIES, "random", first_legal)
        forged = worker.play(folder.league(), game)
    change_result(folder, game.key, lambda _result: forged.result)
    change_record(folder, game.key, lambda _lines: forged.record.splitlines())


def hide_another_bot(folder: Folder) -> None:
    """Play such a game, and set digests that prevent replays."""
    play_another_bot(folder)

    def switch_off(league: Any) -> None:
        for bot in league["bots"]:
            bot["digest"] = "0" * 64

    change_league(folder, switch_off)


def play_with_key(folder: Folder, key: str, value: Callable[[State], object], opening_seed: str) -> None:
    """Play a valid game of the right seed whose first line has one more key; rewrite its result."""
    game, start_line = games(folder.league())[4], record.start_line

    def forged_line(state: State, picks: Sequence[str], **about: Any) -> record.Line:
        line = start_line(state, picks, **about | {"opening_seed": game.opening_seed})
        return record.chained(line | {key: value(state)}, "", state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record, "start_line", forged_line)
        forged = worker.play(folder.league(), game._replace(opening_seed=opening_seed or game.opening_seed))
    change_result(folder, game.key, lambda _result: forged.result)
    change_record(folder, game.key, lambda _lines: forged.record.splitlines())


def choose_start(folder: Folder) -> None:
    """Play from a chosen start, which the first line states as a position."""
    play_with_key(folder, "position", position.write, "mine")


def add_key(folder: Folder) -> None:
    play_with_key(folder, "comment", lambda _state: "x", "")


FORGERIES: Final[dict[Callable[[Folder], Any], str]] = {
    change_draw: "Game 1-0: its record: line",
    change_action: "Game 1-0: its record: line 6",
    change_score: "Game 1-0: its record: line",
    swap_records: "Game 0-1: its record begins with",
    swap_results: "Game 0-1: its result has a different seed",
    invent_forfeit: "Game 0-0: the forfeits of its result differ from those of its record",
    play_another_seed: "Game 1-1: its record begins with",
    choose_start: "Game 1-1: its record begins with position 'tiny; ",
    add_key: "Game 1-1: its record begins with comment 'x' instead of None",
    play_another_bot: "plays differently from the same seed, as in game 1-2",
    hide_another_bot: "The bot a is not the one with which the league began",
    lambda folder: change_result(
        folder, "2-1", lambda one: replace(one, vp=(99, 1, 1))
    ): "Game 2-1: its result says vp",
    lambda folder: change_result(
        folder, "2-1", lambda one: replace(one, bots=one.bots[::-1])
    ): "seed or different bots",
    lambda folder: drop(folder, "1-1"): "1 of 9 games are missing: 1-1;",
    lambda folder: drop(folder, "2-0", "2-1", "2-2"): "3 of 9 games are missing: 2-0, 2-1, 2-2;",
    lambda folder: (folder.games / "2-2.jsonl").unlink(): "Game 2-2: its record:",
    lambda folder: change_league(
        folder, lambda definition: definition.update(seed="2")
    ): "its result has a different seed",
    lambda folder: change_league(
        folder, lambda definition: definition["bots"][0].update(name="z")
    ): "seed or different bots",
    lambda folder: change_league(
        folder, lambda definition: definition.update(blocks=2)
    ): "Game 2-0 does not belong to this league.",
    lambda folder: change_league(
        folder, lambda definition: definition["core"].update(digest="0")
    ): "The rules are not those",
    **{
        partial(change_condition, name=name, value=value): (
            f"9 games, such as 0-0, were played with {name} {was} instead of {is_now} as in the definition of the league."
        )
        for name, value, was, is_now in (
            ("clock", 5, "60", "5"),
            ("absence", 3600, "600", "3600"),
            ("tries", 9, "3", "9"),
            ("memory", 64, "2048", "64"),
            ("analysis", True, "false", "true"),
        )
    },
    lambda folder: change_result(
        folder, "2-1", lambda one: replace(one, conditions=LEAGUE.conditions._replace(clock=10, tries=1))
    ): "Game 2-1 was played with clock 10 instead of 60, tries 1 instead of 3 as in",
    lambda folder: shutil.copy(folder.games / "0-0.jsonl", folder.games / "9-9.jsonl"): "Records without a result: ",
}
"""Functions that forge a league, each with the fault that is found."""


@pytest.mark.parametrize("forge", FORGERIES)
def test_forgery_is_found(forge: Callable[[Folder], Any], folder: Folder, honest: Folder) -> None:
    """A rewritten report does not hide a forgery; the games to replay are drawn, so all runs together find one in a single game."""
    forge(folder)
    with suppress(FolderError, KeyError):  # some forgeries leave nothing that a report can be made of
        write(report_of(folder), folder.path)
    faults = [finding.text for finding in verify.check(folder, 9) if finding.is_fault]
    assert any(FORGERIES[forge] in fault for fault in faults), faults
    assert verify.bundle_digest(folder) != verify.bundle_digest(honest)


def test_a_league_with_other_conditions_is_not_continued(folder: Folder) -> None:
    """The games that are there and those to come have the same conditions."""
    left(folder, "0-0", "0-1")
    change_league(folder, lambda definition: definition.update(clock=5))
    with pytest.raises(RunnerError, match=r"2 games, such as 0-0, were played with clock 60 instead of 5 .* restore"):
        runner.run(folder, partial(ThreadPoolExecutor, 1), 1)


def test_a_league_of_an_earlier_version_is_continued_and_verified(folder: Folder) -> None:
    """Its results tell no conditions and keep their lines; those of its further games do."""
    left(folder, "0-0", "0-1")
    path = folder.path / "results.jsonl"
    path.write_text("".join(f"{replace(one, conditions=None).to_json()}\n" for one in folder.results().values()))
    assert "clock" not in (earlier := path.read_text())
    runner.run(folder, partial(ThreadPoolExecutor, 1), 1)
    assert path.read_text().startswith(earlier)
    assert [one.conditions for one in folder.results().values()] == [None] * 2 + [LEAGUE.conditions] * 7
    write(report_of(folder), folder.path)
    findings = list(verify.check(folder, 0))
    assert not [finding for finding in findings if finding.is_fault]
    assert [finding.text for finding in findings if "tell no clock" in finding.text] == [
        "An earlier version played these games; their results tell no clock, tries, memory, absence or analysis: "
        "0-0, 0-1."
    ]


@pytest.mark.parametrize("name", [name for name in FILES if name != "junit.xml"])
def test_forged_report_is_found(name: str, folder: Folder) -> None:
    """Every form of the report is compared."""
    path = folder.path / name
    path.write_text(path.read_text() + " ")
    assert [finding.text for finding in verify.check(folder, 0) if finding.is_fault] == [
        f"{name} differs from the report of these results."
    ]


def test_replayed_games_are_drawn_by_the_seed(folder: Folder) -> None:
    """One game of each bot is replayed, so a single forgery is found with some seeds and not with others."""
    play_another_bot(folder)
    write(report_of(folder), folder.path)

    def is_found(seed: str) -> bool:
        return any(finding.is_fault for finding in verify.check(folder, 1, seed=seed))

    outcomes = [is_found(str(seed)) for seed in range(20)]
    assert {True, False} == set(outcomes)
    assert outcomes == [is_found(str(seed)) for seed in range(20)]


@pytest.mark.parametrize("forge", [change_draw, change_action, change_score])
def test_reproduce_compares_every_line(forge: Callable[[Folder], Any], folder: Folder) -> None:
    """Lines are compared, not only hashes, which a forger leaves unchanged."""
    league, game = folder.league(), games(folder.league())[3]
    assert reproduce.difference(league, game, folder.lines(game.key)) is None
    forge(folder)
    faults = reproduce.difference(league, game, folder.lines(game.key))
    assert faults is not None
    assert faults.changed
    assert "its record has another" in reproduce.described(faults)


def test_changed_times_are_found(folder: Folder) -> None:
    """Servers write times and a hash of them; they change neither the result nor its hash."""
    game, seconds = games(folder.league())[0], [float(second) for second in range(len(folder.lines("0-0")) - 2)]

    def written(lines: list[str]) -> list[str]:
        *_, end = record.replay(lines)
        *moves, last = [json.loads(line) for line in lines[1:]]
        timed = [line | {"time": time} for line, time in zip(moves, seconds, strict=True)]
        ended = record.result_line(moves[-1]["hash"], end.state, last["reveal"], seconds)
        return [lines[0], *map(record.dump, [*timed, ended])]

    change_record(folder, game.key, written)
    assert not any(finding.is_fault for finding in verify.check(folder, 0))
    change_record(folder, game.key, edited(7, lambda line: line.update(time=6.5)))
    faults = [finding.text for finding in verify.check(folder, 0) if finding.is_fault]
    assert len(faults) == 1
    assert "a time was changed" in faults[0]
    assert faults[0].startswith("Game 0-0: ")


def test_storage_times_are_not_compared(folder: Folder) -> None:
    """A server writes times into records, which differ between two games."""
    game = games(folder.league())[0]
    lines = [json.dumps(json.loads(line) | {"time": 1.5}) for line in folder.lines(game.key)]
    assert reproduce.difference(folder.league(), game, lines) is None


def test_digest_covers_all_files_of_the_league(folder: Folder) -> None:
    """`sha256sum` gives the same digest; logs and notes are covered, the lock and stray files are not, and stray files are named."""
    result = folder.result("0-0")
    (folder.games / f"0-0.1.{result.bots[0]}.log").write_text("hello\n")
    (folder.games / "0-0.notes.json").write_text("{}\n")
    before, files = verify.bundle_digest(folder)
    listed = sorted(path.relative_to(folder.path).as_posix() for path in folder.path.rglob("*") if path.is_file())
    listing = "".join(f"{hashlib.sha256((folder.path / name).read_bytes()).hexdigest()}  {name}\n" for name in listed)
    assert (before, files) == (hashlib.sha256(listing.encode()).hexdigest(), len(listed))
    (folder.path / "lock").touch()
    (folder.path / "README").touch()
    assert verify.bundle_digest(folder) == (before, files)
    findings = list(verify.check(folder, 0))
    assert not any(finding.is_fault for finding in findings)
    assert "Stray files, which were not checked: README." in [finding.text for finding in findings]
    (folder.games / f"0-0.1.{result.bots[0]}.log").write_text("bye\n")
    assert verify.bundle_digest(folder) != (before, files)


def test_games_are_checked_in_processes(folder: Folder) -> None:
    """Several processes find the same forgeries, and report progress."""
    from vinci_tournament.play.worker_pool import Processes

    progress: list[tuple[int, int]] = []
    with Processes(2) as pool:
        spread = list(verify.check(folder, 2, seed="1", spread=pool.map, tell=lambda *far: progress.append(far)))
    assert spread == list(verify.check(folder, 2, seed="1"))
    assert progress[0] == (1, 9)
    assert (9, 9) in progress
