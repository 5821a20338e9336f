"""`verify`: an unchanged league passes, and every change is found and named."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tournament.changed_leagues import change_record, change_result, first_legal
from tests.support.tournament.small_leagues import league, left, played
from vinci_players.builtin import POLICIES
from vinci_tournament import reproduce, verify
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import worker
from vinci_tournament.play.folder import Folder
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import write
from vinci_tournament.results.result import Result

LEAGUE = league("random", "dummy", "random", blocks=2)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Play a league and write its report."""
    league_folder = played(tmp_path / "league", LEAGUE)
    write(report_of(league_folder), league_folder.path)
    return league_folder


def faults(folder: Folder, replays: int = 0) -> list[str]:
    """Return the faults found."""
    return [finding.text for finding in verify.check(folder, replays) if finding.is_fault]


def test_unchanged_league_has_no_faults(folder: Folder) -> None:
    """All games of this small league are reproduced."""
    findings = list(verify.check(folder, 6, seed="7"))
    assert not any(finding.is_fault for finding in findings)
    assert [finding.text for finding in findings] == [
        "6 of 6 games agree with their records and seeds.",
        "The report agrees with the results.",
        "6 of 6 games were reproduced when they were played again; --seed 7 draws these games.",
    ]
    assert folder.notes() == {}


def test_missing_games_are_named_in_a_finished_league(folder: Folder) -> None:
    """Games may be missing in a running league; elsewhere somebody may have removed them."""
    left(folder, "0-0", "0-1", "0-2")
    write(report_of(folder), folder.path)
    assert faults(folder) == ["3 of 6 games are missing: 1-0, 1-1, 1-2; `resume` plays them, --partial accepts that."]
    findings = list(verify.check(folder, 1, partial_league=True))
    assert not any(finding.is_fault for finding in findings)
    assert any(finding.text.startswith("3 of 6 games are missing") for finding in findings)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda result: replace(result, vp=(99, *result.vp[1:])), "Game 0-1: its result says vp"),
        (lambda result: replace(result, ranks=result.ranks[::-1]), "Game 0-1: its result says ranks"),
        (lambda result: replace(result, rounds=1), "Game 0-1: its result says rounds 1"),
        (lambda result: replace(result, hash="0"), "Game 0-1: its result says hash 0"),
        (lambda result: replace(result, attacks=((0, 9, 0), *result.attacks[1:])), "Game 0-1: its result says attacks"),
        (
            lambda result: replace(result, civilizations=result.civilizations[1:]),
            "Game 0-1: its result says civilizations",
        ),
        (lambda result: replace(result, seed="1"), "Game 0-1: its result has a different seed"),
        (
            lambda result: replace(result, bots=result.bots[::-1]),
            "Game 0-1: its result has a different seed or different bots",
        ),
    ],
)
def test_changed_result_is_found(folder: Folder, change: Callable[[Result], Result], expected: str) -> None:
    """Any change of a result contradicts the record, and the report if it counts."""
    if (vp := folder.result("0-1").ranks) == vp[::-1] and "ranks" in expected:
        pytest.skip("these ranks are the same backwards")
    change_result(folder, "0-1", change)
    texts = faults(folder)
    assert any(fault.startswith(expected) for fault in texts), texts


def test_changed_record_is_found(folder: Folder) -> None:
    """The first changed line is named."""
    change_record(folder, "1-0", lambda lines: [*lines[:4], lines[4].replace('"picks":["', '"picks":["X'), *lines[5:]])
    change_record(folder, "0-2", lambda lines: lines[:-1])
    change_record(folder, "0-1", lambda _lines: [])
    texts = faults(folder)
    assert any(fault.startswith("Game 0-2: its record: line") for fault in texts)
    assert "Game 0-1: its record: line 1: the record is empty." in texts
    (folder.games / "0-0.jsonl").unlink()
    assert any(fault.startswith("Game 0-0: its record:") for fault in faults(folder))


def test_game_from_another_seed_is_found(folder: Folder) -> None:
    """A valid record with its result is found if its seed is not that of the schedule."""
    game = games(LEAGUE)[0]
    forged = worker.play(LEAGUE, game._replace(seed="mine"))
    change_result(folder, "0-0", lambda _result: replace(forged.result, seed=game.seed))
    change_record(folder, "0-0", lambda _lines: forged.record.splitlines())
    assert any(fault.startswith("Game 0-0: its record begins with commitment ") for fault in faults(folder))


def test_games_of_another_league_are_found(folder: Folder) -> None:
    """A game that is not in the schedule is found."""
    extra = worker.play(LEAGUE, games(replace(LEAGUE, blocks=3))[6])
    folder.keep([extra])
    assert faults(folder) == ["Game 2-0 does not belong to this league."]


def test_changed_report_is_found(folder: Folder) -> None:
    """Every form of the report is compared."""
    for name in ("report.json", "report.txt", "standings.csv"):
        path = folder.path / name
        path.write_text(path.read_text().replace("0", "1"))
    assert faults(folder) == [
        f"{name} differs from the report of these results." for name in ("report.txt", "report.json", "standings.csv")
    ]


def test_changed_rules_and_bots_are_faults(folder: Folder) -> None:
    """Otherwise a forger could forge the digest of a bot, whose games could then not be replayed."""
    league_file = folder.path / "league.json"
    data = json.loads(league_file.read_text())
    data["core"]["digest"] = data["bots"][0]["digest"] = "0"
    league_file.write_text(json.dumps(data))
    texts = faults(folder)
    assert texts[0].startswith("The rules are not those with which the league began")
    assert texts[1].startswith("The bot a is not the one with which the league began")


def test_commands_of_a_folder_run_only_with_replay(folder: Folder) -> None:
    """Commands of a folder run only with --replay and only if their files are those of the league."""
    league_file = folder.path / "league.json"
    data = json.loads(league_file.read_text())
    mark = folder.path / "mark"
    data["bots"][0] |= {"policy": "", "command": ["sh", "-c", f"touch {mark}"], "digest": ""}
    league_file.write_text(json.dumps(data))
    for commands, why in (
        (False, "say how many games with --replay"),
        (True, "its files differ from those of the league"),
    ):
        texts = [finding.text for finding in verify.check(folder, 2, commands=commands)]
        assert any(one.startswith(f"a was not run again: {why}") for one in texts)
        assert not mark.exists()


def test_bot_that_plays_differently_is_marked(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first action that differs is named with its bot, and later reports mention it."""
    monkeypatch.setitem(POLICIES, "random", first_legal)
    texts = faults(folder, 1)
    assert texts
    notes = folder.notes()
    assert set(notes) <= {"a", "c"}
    assert all(fault.split(" plays differently from the same seed, as in game ")[0] in notes for fault in texts)
    (entrant,) = [one for one in report_of(folder).league.bots if one.name == next(iter(notes))]
    assert entrant.note.startswith("plays differently from the same seed, as in game ")
    for game in games(LEAGUE)[:3]:
        difference = reproduce.difference(LEAGUE, game, folder.lines(game.key))
        assert difference is not None
        lines = [json.loads(line) for line in folder.lines(game.key)]
        assert difference.bot == game.bots[lines[difference.action]["seat"] - 1]
        assert difference.was == lines[difference.action]["do"] != difference.now


def test_bot_with_a_time_budget_may_play_differently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games need not be reproducible, so a difference is no fault."""
    timed = replace(LEAGUE, bots=tuple(replace(bot, budget="time") for bot in LEAGUE.bots))
    timed = replace(timed, bots=(*timed.bots[:1], replace(timed.bots[1], budget="nodes"), *timed.bots[2:]))
    folder = played(tmp_path, timed)
    monkeypatch.setitem(POLICIES, "random", first_legal)
    findings = list(verify.check(folder, 2))
    assert not any(finding.is_fault for finding in findings)
    assert findings[-1].text.startswith("0 of 2 games were reproduced when they were played again;")
