"""`vinci export` and `vinci import` as processes, and a database in use."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
import signal
import subprocess
import sys
from pathlib import Path

from tests.support.processes.vinci_process import environment, fails, run, server
from tests.support.server.damaged import damage, filled, leaf_of

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


async def test_salvage_writes_what_is_left_and_names_what_is_lost(tmp_path: Path) -> None:
    database = tmp_path / "server.db"
    tables = await filled(database)
    damage(database, [leaf_of(database, tables[0].match_id)])
    refusal = fails(tmp_path, "export", "--db", str(database))
    assert "vinci export --salvage" in refusal
    assert refusal == fails(tmp_path, "serve", "--port", "0", "--db", str(database))
    command = [sys.executable, "-m", "vinci_cli", "export", "--salvage", "--db", str(database)]
    salvaged = subprocess.run(command, env=environment(tmp_path), check=False, capture_output=True)
    assert salvaged.returncode == 3
    told = salvaged.stderr.decode()
    assert f"match {tables[0].match_id} is " in told
    assert "Matches saved as a whole: " in told
    (tmp_path / "saved.jsonl").write_bytes(salvaged.stdout)
    number = json.loads(salvaged.stdout.splitlines()[0])["matches"]
    arguments = ("import", str(tmp_path / "saved.jsonl"), "--db", str(tmp_path / "new.db"))
    assert f"{number} of {number} matches taken" in run(tmp_path, *arguments).out
    again = subprocess.run(
        [*command[:-1], str(tmp_path / "new.db")], env=environment(tmp_path), check=False, capture_output=True
    )
    assert (again.returncode, again.stdout) == (0, salvaged.stdout)


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
