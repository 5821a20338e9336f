"""`vinci match --bots`: one game between commands, its report as table or JSON, and the files in its folder."""

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.bots.python_commands import python
from tests.support.cli_runner import vinci
from vinci_rules import record

GOOD: Final = shlex.join(python("good").command)
QUITS: Final = """
async def quits(decision, seen=[]):
    if seen:
        print("no", flush=True)
        os._exit(5)
    seen.append(decision)
    return await choose(decision)

run(quits)
"""
QUITTER: Final = shlex.join(python("quitter", QUITS).command)
"""A bot that ends at its second decision."""
NAME: Final = Path(sys.executable).stem
"""Name of a bot that is run by this Python and has no file."""
SPY: Final = """
import os
from vinci_bots.sdk import Bot, run

class Spy(Bot):
    def on_start(self, game):
        print(game.match, dict(os.environ))

    def choose(self, turn):
        return turn.advice

run(Spy)
"""
NOTING: Final = """
from vinci_bots.sdk import bot, run

@bot
def noting(turn):
    turn.note("as advised", value=1.5, lines=["other"])
    return turn.advice

run(noting)
"""
SHORT: Final = ("--board", "tiny", "--target", "20", "--seed", "1")


def test_match_is_stored_with_record_times_and_logs(tmp_path: Path) -> None:
    """The folder has a record that replays, a result with every seat, and the output of each bot that wrote some."""
    out = tmp_path / "game"
    status, text = vinci("match", "--bots", GOOD, "dummy", "dummy", *SHORT, "--out", str(out))
    assert status == 0, text
    assert text.splitlines()[0].split() == ["rank", "VP", "seat", "CPU", "memory", "longest"]
    assert text.splitlines()[-1] == f"Record, times and what the bots wrote: {out}"
    lines = (out / "record.jsonl").read_text().splitlines()
    assert list(record.replay(lines))[-1].state.phase == "over"
    stored_result = json.loads((out / "result.json").read_text())
    assert [seat["vp"] for seat in stored_result["seats"]] == json.loads(lines[-1])["result"]["vp"]
    first = stored_result["seats"][0]
    assert first["decisions"] == len(first["think_ms"]) > 0
    assert first["think_ms_sum"] == sum(first["think_ms"])
    assert sorted(path.name for path in out.glob("*.log")) == [f"1-{NAME}.log"]


def test_notes_of_bots_are_kept_beside_the_record_and_shown(tmp_path: Path) -> None:
    """Each noted answer is a line with its first action; the game is the same without notes."""
    (tmp_path / "noting.py").write_text(NOTING)
    noting, out = shlex.join([sys.executable, str(tmp_path / "noting.py")]), tmp_path / "game"
    status, text = vinci("match", "--bots", noting, "dummy", "dummy", *SHORT, "--out", str(out))
    assert status == 0, text
    found = [json.loads(line) for line in (out / "record.notes.json").read_text().splitlines()]
    lines = [json.loads(line) for line in (out / "record.jsonl").read_text().splitlines()]
    assert [one["n"] for one in found] == [line["n"] for line in lines if line.get("by") == "bot"]
    assert {one["seat"] for one in found} == {1}
    assert found[0]["note"] == {"text": "as advised", "value": 1.5, "lines": ["other"]}
    assert "as advised" not in (out / "record.jsonl").read_text()
    told = vinci("replay", str(out / "record.jsonl"), "--verify").text
    assert "\nnoting (1) notes: 1.5  as advised\n  other\nnoting (1) takes " in told
    assert told.splitlines()[-1].startswith("verified: ")
    silent = tmp_path / "silent"
    (tmp_path / "noting.py").write_text(NOTING.replace("turn.note", "dict").replace('"as advised", ', ""))
    status, text = vinci("match", "--bots", noting, "dummy", "dummy", *SHORT, "--out", str(silent))
    assert (status, [path.name for path in silent.glob("*.notes.json")]) == (0, [])
    played = [json.loads(line) for line in (silent / "record.jsonl").read_text().splitlines()]
    assert [{**line, "hash": "", "time": 0} for line in lines[1:-1]] == [
        {**line, "hash": "", "time": 0} for line in played[1:-1]
    ]


def test_bots_do_not_get_the_seed_before_the_end(tmp_path: Path) -> None:
    """Neither messages of the match nor the environment contain the seed; the record reveals it and is verified."""
    (tmp_path / "spy.py").write_text(SPY)
    spy = shlex.join([sys.executable, str(tmp_path / "spy.py")])
    seed = "5aecc9112da69100beb260b81b860a2d"
    out = tmp_path / "game"
    rules = ("--board", "tiny", "--target", "20", "--seed", seed)
    status, text = vinci("match", "--bots", spy, "dummy", "dummy", *rules, "--out", str(out))
    assert status == 0, text
    output = (out / "1-spy.log").read_text()
    assert "VINCI_SEED" in output
    assert "commitment: " in output
    assert seed not in output
    lines = (out / "record.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["reveal"]["seed"] == json.loads((out / "result.json").read_text())["seed"] == seed
    output = vinci("replay", str(out / "record.jsonl"), "--verify").text
    assert output.splitlines()[-1].startswith(f"verified: {len(lines)} unchanged lines")


def test_equal_seeds_give_equal_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deterministic bots play the same game again, kept beside the first; each bot has its own table for words."""
    monkeypatch.chdir(tmp_path)
    outputs = [vinci("match", "--bots", GOOD, GOOD, "dummy", *SHORT, "--json").text for _ in range(3)]
    assert {path.parent.name for path in tmp_path.glob("*/record.jsonl")} == {"match-1", "match-1-2", "match-1-3"}
    first, second, third = ([(seat["player"], seat["vp"]) for seat in json.loads(text)["seats"]] for text in outputs)
    assert first == second == third
    assert [name for name, _ in first] == [NAME, f"{NAME}-2", "dummy"]


def test_bots_get_the_analysis_service_only_with_the_option(tmp_path: Path) -> None:
    """Bots get the address of the analysis service only with --analysis."""
    asks = shlex.join(python("asks", "print('analysis:', os.environ['VINCI_ANALYSIS']); run()").command)
    for more, expected in (((), "analysis: \n"), (("--analysis",), "analysis: 127.0.0.1:")):
        out = tmp_path / str(len(more))
        status, _ = vinci("match", "--bots", asks, "dummy", "dummy", *SHORT, *more, "--out", str(out))
        assert status == 0
        assert expected in (out / f"1-{NAME}.log").read_text()


def test_forfeit_is_reported_and_the_match_succeeds(tmp_path: Path) -> None:
    """The table shows the seat that forfeited, with time and reason; the exit status is still 0."""
    status, text = vinci("match", "--bots", QUITTER, GOOD, "dummy", *SHORT, "--out", str(tmp_path / "game"))
    assert status == 0
    assert f"{NAME} (seat 1) forfeited at action " in text
    assert "it ended with status 5 before the game was over" in text
    assert "\n  | no\n" in text
    assert (tmp_path / "game" / f"1-{NAME}.log").read_text().endswith("\nno\n")


def test_output_of_a_bot_that_does_not_start_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First and last lines of its output are shown, and the status is 1; .py files run with this Python."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text("for n in range(9): print('line', n)\nimport nothing_here\n")
    (tmp_path / "first.py").write_text(
        "from vinci_bots.sdk import bot, run\n@bot\ndef first(turn): return turn.advice\nrun(first)\n"
    )
    status, text = vinci("match", "--bots", "broken.py", "first.py", "dummy", *SHORT, "--out", "game")
    assert status == 1
    assert re.search(r"^broken \(seat 1\) forfeited at action [12]: it ended with status 1 before", text, re.MULTILINE)
    for line in ("  | line 0", "  | ...", "  | ModuleNotFoundError: No module named 'nothing_here'"):
        assert line in text
    assert "line 5" not in text
    assert "Error: a bot ended before its first answer: broken" in text
    assert "first (seat 2)" not in text


def test_bot_that_never_connects_did_not_start(tmp_path: Path) -> None:
    """A bot that waits for lines, which none gets, and one that ends at its first decision are told apart."""
    waits = shlex.join([sys.executable, "-c", "import sys; sys.stdin.read()"])
    crashes = shlex.join(python("crashes", "async def ends(_decision): os._exit(5)\n\nrun(ends)").command)
    status, text = vinci("match", "--bots", waits, crashes, "dummy", *SHORT, "--out", str(tmp_path / "game"))
    assert status == 1
    last = f"Error: a bot did not start: {NAME}; a bot ended before its first answer: {NAME}-2"
    assert text.splitlines()[-1] == last


def test_missing_bot_kit_is_reported_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose Python lacks the kit is reported with a command that works in every installation."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.py").write_text("raise ModuleNotFoundError(\"No module named 'vinci_bots'\")\n")
    status, text = vinci("match", "--bots", "first.py", "dummy", "dummy", *SHORT, "--out", "game")
    assert status == 1
    assert "The Python of this command has no vinci_bots. Name the file alone: --bots FILE.py" in text


def test_invalid_arguments_exit_with_2(tmp_path: Path) -> None:
    """No bots, too few, missing commands, a folder in use: status 2 and a message that says what is valid."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").touch()
    wrong = {
        (): "who plays?",
        ("--bots", "greedy"): "a match has 3 to 6",
        (
            "--bots",
            "nowhere --fast",
            "dummy",
            "dummy",
        ): "'nowhere --fast': there is no such command; a bot is a Python file, a command line or one of",
        ("--bots", "python 'x", "dummy", "dummy"): "No closing quotation",
        ("--bots", "greedy", "dummy", "dummy", "--seed", "../x"): "seed '../x': use 1 to 128 letters",
        ("--bots", "greedy", "dummy", "dummy", "--out", str(tmp_path / "full")): "is not empty: choose another --out",
    }
    for arguments, why in wrong.items():
        status, text = vinci("match", *arguments)
        assert status == 2, text
        assert why in text
