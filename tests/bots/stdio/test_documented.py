"""The bots of docs/bots.md that play by lines are short and pass the doctor as printed; the decision there is a real one."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import DOCS
from tests.support.processes.vinci_process import run
from vinci.v1 import bot_pb2 as pb
from vinci.v1.game_pb2 import Legal, Redeployment, Reorganisation
from vinci_bots.stdio.lines import JSON
from vinci_bots.turn import Turn
from vinci_codec import states
from vinci_rules import notation, position

PAGE: Final = (DOCS / "bots.md").read_text(encoding="utf-8")
COMMANDS: Final = {
    "sh": "stdio:sh bot.sh",
    "py": "stdio:python3 bot.py",
    "awk": "stdio-text:awk -f bot.awk",
    "c": "stdio-text:./bot",
}
"""Commands of the bots by language."""
NEEDED: Final = {"sh": "jq", "py": "python3", "awk": "awk", "c": "cc"}


@pytest.mark.parametrize("language", COMMANDS)
def test_documented_bot_passes_the_doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """A bot of at most ten lines passes every check that is not slow."""
    if shutil.which(NEEDED[language]) is None:
        pytest.skip(f"{NEEDED[language]} is not installed")
    (program,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len([line for line in program.splitlines() if line]) <= 10
    (tmp_path / f"bot.{language}").write_text(program, encoding="utf-8")
    if language == "c":
        subprocess.run(["cc", "-Wall", "-Werror", "-o", "bot", "bot.c"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    assert " 0 FAIL, 0 skip " in run(tmp_path, "bot", "check", COMMANDS[language]).out


def test_documented_decision_is_what_a_program_gets() -> None:
    """The decision of the page is that of its position, as the adapter writes it."""
    (shown,) = re.findall(r"^```json\n(\{\"decision.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    sample = json.loads(shown)
    state = position.read(sample["decision"]["position"])
    message = pb.Decision(match_id="k3f9xa2m", seat=1, revision=4, left=60000, legal=states.legal(state))
    message.position = position.write(state)
    turn = Turn.of(state)
    assert turn.suggestion is not None
    actions = [notation.write(action, turn.board) for action in (*turn.legal, turn.suggestion)]
    assert json.loads(JSON.decision(message, actions, notation.write(turn.advice, turn.board), "")) == sample


def test_page_names_all_fields_of_legal() -> None:
    """The table has each field of `Legal` and of the ways to place pawns, in camel case."""
    table = PAGE.partition("| of `legal` |")[2].partition("\n\n")[0]
    fields = {field for message in (Legal, Reorganisation, Redeployment) for field in message.DESCRIPTOR.fields}
    assert {field.json_name for field in fields} <= set(re.findall(r"`(\w+)`", table))
