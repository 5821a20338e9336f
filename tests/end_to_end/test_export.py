"""`vinci export` and `vinci import` as processes, and a database in use."""

# ruff: noqa: D103  # the name of each test says what it checks

import signal
import subprocess
import sys
from pathlib import Path

from tests.support.processes.vinci_process import environment, fails, run, server

GAME = ("--players", "dummy,dummy,dummy", "--board", "tiny", "--option", "max_rounds=3", "--seed", "e2e")


def exported(home: Path, *arguments: str) -> bytes:
    """Run `vinci export` and return its standard output as bytes."""
    command = [sys.executable, "-m", "vinci_cli", "export", *arguments]
    return subprocess.run(command, env=environment(home), check=True, capture_output=True).stdout


def test_export_and_import_round_trip_is_identical(tmp_path: Path) -> None:
    with server(tmp_path, *GAME) as (process, _):
        in_use = fails(tmp_path, "export")
        process.send(signal.SIGTERM)
        assert process.ended() == 0
    assert "in use by another server" in in_use
    text = exported(tmp_path)
    file, other = tmp_path / "games.jsonl", str(tmp_path / "other.db")
    file.write_bytes(text)
    assert "1 of 1 matches taken" in run(tmp_path, "import", str(file), "--db", other).out
    assert exported(tmp_path, "--db", other) == text
    assert "no match nobody" in fails(tmp_path, "export", "nobody", "--db", other)


def test_failed_export_or_import_is_reported_in_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    assert "there is no database" in fails(tmp_path, "export", "--db", str(missing))
    assert not missing.exists()
    (tmp_path / "text").write_text("good morning\n")
    assert "line 1" in fails(tmp_path, "import", str(tmp_path / "text"), "--db", str(missing))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert "no text" in fails(tmp_path, "import", str(tmp_path / "bytes"), "--db", str(missing))
    assert "No such file" in fails(tmp_path, "import", str(tmp_path / "nothing"), "--db", str(missing))
    assert not missing.exists()
