"""`vinci bot debug` at a record of two bots: the same answers, other ones with notes, and bots that fail."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import CommandResult, vinci
from tests.support.paths import PROJECT
from vinci_bots.doctor.recorded_decisions import decisions
from vinci_bots.local.sandbox import SandboxMissing, check

RECORD: Final = str(PROJECT / "tests" / "data" / "record-WEB.jsonl")
LINES: Final = Path(RECORD).read_text(encoding="utf-8").splitlines()
BOT: Final = """
from vinci_bots.sdk import Bot, run


class First(Bot):
    def choose(self, turn):
        turn.note("as a dummy", value=len(turn.legal), lines=["first", "second"])
        return {answer}


run(First)
"""


def bot(folder: Path, answer: str) -> str:
    """Write a bot with a note; return its file."""
    file = folder / "first.py"
    file.write_text(BOT.format(answer=answer))
    return str(file)


def debug(*words: str) -> CommandResult:
    """Run the command."""
    return vinci("bot", "debug", RECORD, *words)


def test_decisions_of_players_have_what_they_played_in_their_turn() -> None:
    actions = [json.loads(line) for line in LINES[1:-1]]
    known = decisions(LINES)
    assert [decision.number for decision in known] == [line["n"] for line in actions if line["by"] == "bot"]
    for decision in known:
        own = [line["do"] for line in actions[decision.number - 1 :]]
        assert list(decision.played) == own[: len(decision.played)]
        assert {line["seat"] for line in actions[decision.number - 1 :][: len(decision.played)]} == {decision.seat}


def test_answers_and_notes_stand_beside_what_was_played(tmp_path: Path) -> None:
    number = next(decision.number for decision in decisions(LINES) if decision.state.phase == "conquer")
    played = json.loads(LINES[number])["do"]
    same = debug("--at", str(number), "--", bot(tmp_path, repr(played)))
    assert same.status == 0
    assert f"  played  {played}\n  now     {played}  (" in same.text
    assert ", the same)\n  note    " in same.text
    assert same.text.endswith("  as a dummy\n          first\n          second\n")
    (found,) = [json.loads(debug("--at", str(number), "--json", "--", bot(tmp_path, "'take 1'")).text)]
    assert (found["at"], found["played"][0], found["answer"], found["same"]) == (number, played, ["take 1"], False)
    assert (found["note"]["text"], found["note"]["lines"], found["fault"]) == ("as a dummy", ["first", "second"], "")


def test_all_decisions_of_a_seat_are_asked_and_those_that_differ_are_shown(tmp_path: Path) -> None:
    known = [decision for decision in decisions(LINES) if decision.seat == 1]
    result = debug("--seat", "1", "--all", "--", bot(tmp_path, "turn.advice"))
    assert result.status == 0
    told = result.text.splitlines()
    assert (
        told[-1] == f"{sum(line.startswith('at ') for line in told)} of {len(known)} decisions differ from the record"
    )


def test_lines_of_a_program_have_notes_too(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if 'decision' in message:\n"
        "        print(json.dumps({'play': message['advice'], 'note': 'n' * 600}), flush=True)\n"
    )
    number = decisions(LINES)[0].number
    found = json.loads(debug("--at", str(number), "--json", "--", f"stdio:python3 {program}").text)
    assert found["note"] == {"text": "n" * 500}


def test_bot_in_the_sandbox_answers(tmp_path: Path) -> None:
    try:
        check()
    except SandboxMissing as error:
        pytest.skip(str(error))
    number = str(decisions(LINES)[0].number)
    assert "now     take" in debug("--sandbox", "--at", number, "--", bot(tmp_path, "turn.advice")).text


def test_bot_without_an_answer_fails(tmp_path: Path) -> None:
    number = str(decisions(LINES)[0].number)
    result = debug("--at", number, "--", "python3", "-c", "raise SystemExit('broken')")
    assert (result.status, "  fault   it ended with status 1: broken\n" in result.text) == (1, True)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--at", "2"), "which bot?"),
        (("--", "greedy"), "Give --at NUMBER, or --all"),
        (("--at", "2", "--all", "--", "greedy"), "Give --at NUMBER, or --all"),
        (("--at", "1", "--", "greedy"), "there is no decision of a player at 1; the nearest are 2, 3, "),
        (("--all", "--", "greedy"), "which seat? Players have 1, 2: give --seat"),
        (("--all", "--seat", "3", "--", "greedy"), "seat 3 has no decision of a player in this record; seats are 1, 2"),
        (("--at", "2", "--", "dummy"), "the server plays a dummy"),
    ],
)
def test_wrong_words_are_refused_with_what_would_be_right(words: tuple[str, ...], error: str) -> None:
    result = debug(*words)
    assert result.status != 0
    assert error in " ".join(result.text.split())
