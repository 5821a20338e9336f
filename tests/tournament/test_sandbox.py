"""Leagues of bots in the sandbox: none of them gets out, the league is played to its end, and the report says so."""

import json
import re
import secrets
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.bots.attacks import ATTACKS, attacker, needs_sandbox, running, targets, told
from tests.support.bots.python_commands import python
from tests.support.processes.vinci_process import fails, run
from tests.support.tournament.open_leagues import OpenLeague
from vinci_client.processes import COMMAND
from vinci_tournament.definition.league import League
from vinci_tournament.results.result import Result

LEAGUE: Final = """
seats = 3
games = 12
board = "tiny"
target = 25
clock = 10
memory = 256
workers = 2
sandbox = true
bots = [
    {{ bot = "random" }},
    {{ command = "{python} {place}/attacker.py" }},
    {{ command = "{python} {place}/hog.py" }},
    {{ stdio = "{python} {place}/lines.py" }},
]
"""
LINES: Final = """
import json, os, sys
print("sees", sorted(os.listdir(os.path.dirname(__file__))), file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "decision" in message:
        print(json.dumps({"play": message["advice"]}), flush=True)
"""


@pytest.fixture(autouse=True)
def _has_sandbox() -> None:
    """Skip where there is no sandbox."""
    needs_sandbox()


def test_no_bot_gets_out_of_a_league(tmp_path: Path) -> None:
    """A bot that attacks whatever a league has is refused in each game, one without measure forfeits, and the others play."""
    mark = secrets.token_hex(8)
    files = {name: tmp_path / name.lower() for name in ("SECRET", "LEFT")}
    for file in files.values():
        file.write_text("secret", encoding="utf-8")
    with targets(mark) as others:
        names = {name: str(file) for name, file in files.items()} | {
            "OTHER": str(tmp_path / "lines.py"),
            "LEAGUE": str(tmp_path / "cup" / "league.json"),
            "DATABASE": str(tmp_path / "cup" / "games"),
            "OWN": str(tmp_path / "attacker.py"),
            "SHARED": str(tmp_path / "shared"),
            **others,
        }
        stays = f"import time; time.sleep(600) # {mark}"
        forks = f"if not os.fork(): os.setsid(); os.execve(sys.executable, [sys.executable, '-c', {stays!r}], {{}})\n"
        (tmp_path / "attacker.py").write_text(attacker(names).command[2].replace("\nrun()", f"\n{forks}run()"))
        (tmp_path / "hog.py").write_text(python("hog", "hoard = b'1' * (400 << 20); time.sleep(600)").command[2])
        (tmp_path / "lines.py").write_text(LINES)
        (tmp_path / "cup.toml").write_text(LEAGUE.format(python=sys.executable, place=tmp_path), encoding="utf-8")
        run(tmp_path, "tournament", "run", str(tmp_path / "cup.toml"), "--out", str(tmp_path / "cup"))
    results = [Result.from_json(line) for line in (tmp_path / "cup" / "results.jsonl").read_text().splitlines()]
    assert len(results) == 12
    forfeits = {(result.bots[forfeit.seat], forfeit.reason) for result in results for forfeit in result.forfeits}
    assert forfeits == {("hog", "memory")}
    assert all(result.conditions is not None and result.conditions.sandbox for result in results)
    logs = {
        name: [file.read_text(encoding="utf-8") for file in (tmp_path / "cup" / "games").glob(f"*.{name}.log")]
        for name in ("attacker", "lines")
    }
    assert len(logs["attacker"]) == len(logs["lines"]) == 9
    for log in logs["attacker"]:
        own = "leaves a file for others"  # beside its own file, in a folder that only it sees
        assert told(log) == [f"{'succeeded' if name == own else 'refused'}: {name}" for name in ATTACKS], log
    assert not (tmp_path / "shared").exists()
    assert all("sees ['lines.py']" in log for log in logs["lines"])
    assert not running(mark)
    status = json.loads(run(tmp_path, "tournament", "status", str(tmp_path / "cup"), "--json").out)
    assert status["forfeits_by_bot"]["hog"]["reasons"] == {"memory": 9}
    assert status["forfeits_by_bot"]["hog"]["last"]["game"] == "3-2"
    assert re.search(r"^ +hog +9 memory; 3-2: ", run(tmp_path, "tournament", "status", str(tmp_path / "cup")).out, re.M)
    assert "bots in a sandbox" in (tmp_path / "cup" / "report.txt").read_text(encoding="utf-8")
    assert "is verified" in run(tmp_path, "tournament", "verify", str(tmp_path / "cup")).out


OPEN: Final = """
seats = 3
games = 3
board = "tiny"
target = 25
sandbox = true
bots = [
    {{ bot = "random" }},
    {{ stdio = "{python} {place}/lines.py" }},
    {{ name = "ann", remote = true }},
]
"""


def test_command_in_an_open_league_is_confined(tmp_path: Path) -> None:
    """A bot of this machine plays in the sandbox beside a remote one."""
    (tmp_path / "lines.py").write_text(LINES, encoding="utf-8")
    text = OPEN.format(python=sys.executable, place=tmp_path)
    with OpenLeague(tmp_path, "cup", text, "--listen", "127.0.0.1:0") as league:
        league.enter("ann", [*COMMAND, "bot", "random"])
        league.end()
        assert league.forfeits() == []
    logs = [file.read_text(encoding="utf-8") for file in (tmp_path / "cup" / "games").glob("*.lines.log")]
    assert len(logs) == 3
    assert all("sees ['lines.py']" in log for log in logs)


def test_sandbox_and_analysis_exclude_each_other(tmp_path: Path) -> None:
    """Bots in the sandbox reach no analysis service, so that a league cannot have both."""
    told = fails(tmp_path, "tournament", "run", "--bots", "random", "random", "random", "--sandbox", "--analysis")
    assert "analysis: bots in the sandbox reach no analysis service; leave one of them out" in told


def test_earlier_leagues_keep_their_text(tmp_path: Path) -> None:
    """A league without the sandbox, and its results, have no word of it, so that digests and lines stay."""
    run(
        tmp_path,
        "tournament",
        "run",
        "--bots",
        *["random"] * 3,
        "--games",
        "3",
        "--board",
        "tiny",
        "--out",
        str(tmp_path / "cup"),
    )
    assert "sandbox" not in (tmp_path / "cup" / "league.json").read_text(encoding="utf-8")
    assert "sandbox" not in (tmp_path / "cup" / "results.jsonl").read_text(encoding="utf-8")
    assert not League.from_json((tmp_path / "cup" / "league.json").read_text(encoding="utf-8")).sandbox
    assert json.loads((tmp_path / "cup" / "results.jsonl").read_text().splitlines()[0])["conditions"]["tries"] == 3
