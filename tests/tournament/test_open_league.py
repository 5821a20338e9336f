"""Leagues with remote bots: kills of the organiser and of entrants, mixed leagues, absence, and wrong use."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import PROJECT
from tests.support.tournament.open_leagues import VINCI, OpenLeague, free_port

BOT: Final = [sys.executable, str(PROJECT / "tests" / "support" / "bots" / "strongest.py")]
NAMES: Final = ("ann", "ben", "cat")


def definition(games: int, local: Sequence[str] = (), remote: Sequence[str] = NAMES, **keys: object) -> str:
    """Return a league of remote bots and built-in ones, on the small board."""
    usual = {"board": "tiny", "target": 60, "seats": 3, "games": games, "seed": "0123456789abcdef0123456789abcdef"}
    lines = [f"{key} = {json.dumps(value)}" for key, value in (usual | keys).items()]
    lines += [f'[[bots]]\nname = "{name}"\nremote = true' for name in remote]
    lines += [f'[[bots]]\nbot = "{name}"' for name in local]
    return "\n".join(lines)


def vinci(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*VINCI, *arguments], capture_output=True, text=True, check=False)


def test_league_goes_on_after_kills_of_organiser_and_entrant(tmp_path: Path) -> None:
    port = free_port()
    listen = ("--listen", f"0.0.0.0:{port}", "--tls")
    with OpenLeague(tmp_path, "league", definition(12, ["random"]), *listen) as league:
        for number, name in enumerate(NAMES, start=2):
            host = f"127.0.0.{number}" if sys.platform == "linux" else "127.0.0.1"
            league.enter(name, BOT, VINCI_ADDRESS=f"{host}:{port}")
        league.play(2)
        league.restart("ann")
        league.play(4)
        league.restart("organiser")
        assert "12 games" in league.end()
        assert league.forfeits() == []
        assert league.output("organiser").count("ann is connected, for 4 games at once.") >= 2
    verified = vinci("tournament", "verify", str(league.folder))
    assert verified.returncode == 0, verified.stdout
    assert "Remote: ann, ben, cat." in (league.folder / "report.txt").read_text(encoding="utf-8")
    status = vinci("tournament", "status", str(league.folder)).stdout
    assert re.search(r"ann +the league is not open; 0 missed", status)
    for command in ("run", "resume"):
        target = tmp_path / "league.toml" if command == "run" else league.folder
        wrong = vinci("tournament", command, str(target))
        assert (wrong.returncode, "vinci tournament open" in wrong.stderr) == (2, True)


def test_absent_entrant_forfeits_games_and_not_the_league(tmp_path: Path) -> None:
    text = definition(3, ["random", "dummy"], ["cat"], absence=2)
    with OpenLeague(tmp_path, "league", text, "--listen", "127.0.0.1:0") as league:
        league.invite("cat")
        unknown = vinci("tournament", "invite", str(league.folder), "dan")
        assert (unknown.returncode, "it has: cat" in unknown.stderr) == (2, True)
        league.end()
        assert league.forfeits() == ["absent"] * 3
        assert "3 of 3 games had a forfeit" in (league.folder / "report.txt").read_text(encoding="utf-8")
    status = json.loads(vinci("tournament", "status", str(league.folder), "--json").stdout)
    assert status["missed"] == {"cat": 3}
    closed = vinci("tournament", "invite", str(league.folder), "cat")
    assert (closed.returncode, "is not open" in closed.stderr) == (1, True)


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"analysis": True}, "analysis: remote bots have no analysis service"),
        ({"absence": -1}, "absence: -1: expected a whole number"),
        ({"anonymous": "yes"}, "anonymous: 'yes': expected true or false"),
    ],
)
def test_wrong_keys_are_refused(tmp_path: Path, keys: dict[str, object], why: str) -> None:
    file = tmp_path / "league.toml"
    file.write_text(definition(3, **keys), encoding="utf-8")  # type: ignore[arg-type]
    wrong = vinci("tournament", "open", str(file))
    assert (wrong.returncode, why in wrong.stderr) == (2, True), wrong.stderr


def test_league_without_remote_bots_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    file.write_text('bots = [{ bot = "random" }, { bot = "dummy" }, { bot = "greedy" }]', encoding="utf-8")
    wrong = vinci("tournament", "open", str(file))
    assert (wrong.returncode, "vinci tournament run" in wrong.stderr) == (2, True)
