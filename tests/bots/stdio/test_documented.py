"""The bots of docs/bots.md that play by lines are short and pass the doctor as they are printed there."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import DOCS
from tests.support.processes.vinci_process import run

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
