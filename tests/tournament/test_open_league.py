"""Leagues with remote bots: kills of the organiser and of entrants, mixed leagues, absence, and wrong use."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import PROJECT
from tests.support.processes.vinci_process import until
from tests.support.tournament.open_leagues import VINCI, OpenLeague, free_port
from vinci_tournament.play.folder import Folder

BOT: Final = [sys.executable, str(PROJECT / "tests" / "support" / "bots" / "strongest.py")]
NAMES: Final = ("ann", "ben", "cat")
FOREIGN: Final = "203.0.113.1:7654"


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
    assert "Stray" not in verified.stdout, "neither the server nor the lock"
    assert "ann, ben, cat were not run again: remote bots" in verified.stdout
    assert "Remote: ann, ben, cat." in (league.folder / "report.txt").read_text(encoding="utf-8")
    status = vinci("tournament", "status", str(league.folder)).stdout
    assert re.search(r"the league is not open; games missed:\n +ann +0 missed\n", status)
    again = vinci("tournament", "reproduce", str(league.folder), "0-0")
    assert (again.returncode, "played on other machines" in again.stderr) == (1, True)
    over = vinci("tournament", "open", str(league.folder))
    assert (over.returncode, "is open at" in over.stderr) == (0, False), "it is complete"
    longer = vinci("tournament", "extend", str(league.folder), "--games", "12")
    assert f"vinci tournament open {league.folder}" in longer.stdout
    stopped = vinci("tournament", "status", str(league.folder)).stdout
    assert "; open it again as before" in stopped, "at the address that the entrants know"
    for command in ("run", "resume"):
        target = tmp_path / "league.toml" if command == "run" else league.folder
        wrong = vinci("tournament", command, str(target))
        assert (wrong.returncode, "vinci tournament open" in wrong.stderr) == (2, True)


def test_absent_entrant_forfeits_games_and_not_the_league(tmp_path: Path) -> None:
    text = definition(3, ["random", "dummy"], ["cat"], absence=1, start="command")
    with OpenLeague(tmp_path, "league", text, "--listen", "127.0.0.1:0") as league:
        files = ("--out", str(tmp_path / "all"))
        assert league.invite(*files) == {}
        unknown = vinci("tournament", "invite", str(league.folder), "dan")
        assert (unknown.returncode, "it has: cat" in unknown.stderr) == (2, True)
        league.connect(BOT, "cat")
        league.kill("cat")
        assert vinci("tournament", "start", str(league.folder)).stdout == "league has started.\n"
        league.end()
        assert league.forfeits() == ["absent"] * 3
        assert "3 of 3 games had a forfeit" in (league.folder / "report.txt").read_text(encoding="utf-8")
    status = json.loads(vinci("tournament", "status", str(league.folder), "--json").stdout)
    assert (status["missed"], status["state"]) == ({"cat": 3}, "finished")
    [file] = (tmp_path / "all").iterdir()
    assert (file.name, file.stat().st_mode & 0o777) == ("cat.txt", 0o600)
    assert "VINCI_BOT_KEY=" in (before := file.read_text(encoding="utf-8"))
    again = vinci("tournament", "invite", str(league.folder), *files)
    assert "has the invitations of all entrants already" in again.stdout
    assert file.read_text(encoding="utf-8") == before, "an invitation that was sent keeps its key"
    closed = vinci("tournament", "invite", str(league.folder), "cat")
    assert (closed.returncode, "is not open" in closed.stderr) == (1, True)
    started = vinci("tournament", "start", str(league.folder))
    assert (started.returncode, "has started already" in started.stderr) == (2, True)


def test_league_begins_when_all_have_connected_and_nobody_forfeits_before(tmp_path: Path) -> None:
    """An organiser that is killed before the start, and an entrant that comes long after its absence would be over."""
    text = definition(6, remote=("ann", "ben", "cat"), absence=1)
    with OpenLeague(tmp_path, "league", text, "--listen", f"127.0.0.1:{free_port()}") as league:
        league.connect(BOT, "ann")
        how = "league has not started; it starts when all entrants have connected; missing: ben, cat. ann waits"
        until(lambda: how in league.output("ann"), "the author is told for whom the league waits")
        league.connect(BOT, "ben")
        league.restart("organiser")
        invitation = league.invite("cat")
        status = json.loads(vinci("tournament", "status", str(league.folder), "--json").stdout)
        assert (status["state"], status["start"], status["missing"], status["games"]) == (
            "open",
            "connected",
            ["cat"],
            0,
        )
        shown = vinci("tournament", "status", str(league.folder)).stdout
        assert "; open, starts when all entrants have connected; missing: cat\n" in shown
        assert re.search(r"cat +not yet connected; 0 missed", shown)
        league.enter_as("cat", BOT, invitation)
        told = league.end()
        over = "league is over; ann plays again only if the organiser extends it."
        until(lambda: over in league.output("ann"), "the author is told of the end")
        assert "starts when all entrants have connected; missing: " in told
        assert "league has started." in told
        assert league.forfeits() == []
        assert [event.event for event in league.events()] == ["connected"] * 3 + ["started"]
    verified = vinci("tournament", "verify", str(league.folder))
    assert verified.returncode == 0, verified.stdout
    assert "Stray" not in verified.stdout
    (league.folder / "events.jsonl").write_text('{"event":"started"}\n{"event":"vanished"}\n', encoding="utf-8")
    wrong = vinci("tournament", "verify", str(league.folder))
    assert (wrong.returncode, "events.jsonl line 2 is not as it was written" in wrong.stderr) == (1, True)


def test_league_with_a_late_and_a_missing_entrant_is_that_of_an_undisturbed_one(tmp_path: Path) -> None:
    """Cat comes late, dan never, and withdraws while games run; the organiser is killed three times, an entrant once."""
    names = ("ann", "ben", "cat", "dan")
    folders = []
    for kind in ("calm", "disturbed"):
        text = definition(12, remote=names, absence=60, start="command")
        with OpenLeague(tmp_path / kind, "league", text, "--listen", f"127.0.0.1:{free_port()}") as league:
            folders.append(league.folder)
            for name in ("ann", "ben"):
                league.enter(name, BOT, VINCI_SEED=name)
                league.wait_for("connected", name)
            invitation = league.invite("cat") | {"VINCI_SEED": "cat"}
            if kind == "calm":
                league.enter_as("cat", BOT, invitation)
                league.wait_for("connected", "cat")
                started = vinci("tournament", "start", str(league.folder), "--drop")
                assert "league has started.\ndan withdrew; 3 blocks that had not begun" in started.stdout
            else:
                started = vinci("tournament", "start", str(league.folder))
                assert started.stdout == "league has started. It waits for the games of cat, dan.\n"
                league.restart("organiser")
                league.enter_as("cat", BOT, invitation)
                league.play(2)
                league.restart("organiser")
                left = vinci("tournament", "withdraw", str(league.folder), "dan")
                assert "dan withdrew; 3 blocks that had not begun have other line-ups." in left.stdout, left
                league.play(5)
                league.restart("ann")
                league.restart("organiser")
            league.end()
            assert league.forfeits() == []
        verified = vinci("tournament", "verify", str(league.folder))
        assert verified.returncode == 0, verified.stdout
    for name in ("results.jsonl", "report.txt", "report.json", "report.html", "standings.csv"):
        calm, disturbed = (_without_times((folder / name).read_text(encoding="utf-8")) for folder in folders)
        assert calm == disturbed, name
    told = " ".join((folders[1] / "report.txt").read_text(encoding="utf-8").split())
    [time_of] = [event.time for event in Folder(folders[1]).league().events if event.event == "withdrew"]
    assert f"dan withdrew at {time_of}; 3 blocks" in told
    assert "dan withdrew; 3 blocks" in _without_times(told)
    assert "dan has never connected." in told
    assert "Remote: ann, ben, cat." in told


def test_bot_that_comes_after_it_was_dropped_is_told_of(tmp_path: Path) -> None:
    """The league waits for cat, which left, while dan comes; a pause repeats nothing about the others."""
    text = definition(3, ["random"], ["ann", "cat", "dan"], absence=0, start="command")
    with OpenLeague(tmp_path, "league", text, "--listen", "127.0.0.1:0") as league:
        league.connect(BOT, "cat", "ann")
        league.kill("cat")
        assert vinci("tournament", "start", str(league.folder), "--drop").returncode == 0
        assert re.search(r"dan +withdrew at \S+, never connected; 0 missed\n", _status(league))
        league.connect(BOT, "dan")
        told = f"dan has withdrawn, and plays again after: vinci tournament readmit {league.folder} dan\n"
        until(lambda: told in league.output("organiser"), "the organiser is told that dan came")
        author = r"dan was withdrawn from league at \S+; it plays again when the organiser readmits it\.\n"
        until(lambda: re.search(author, league.output("dan")) is not None, "the author is told why dan plays nothing")
        assert "no match asks for" not in league.output("dan")
        assert not league.games
        output = league.output("organiser")
        assert output.count("ann is connected") == 1
        assert re.search(r"dan +withdrew at \S+; 0 missed\n", _status(league))
        assert "; running\n" in _status(league)
        league.kill("organiser")
        assert "; open it again as before\n" in _status(league), "at once"


def test_connected_bot_is_told_that_it_was_withdrawn(tmp_path: Path) -> None:
    text = definition(24, ["random"], ["ann", "cat", "dan"], absence=0, start="command")
    with OpenLeague(tmp_path, "league", text, "--listen", "127.0.0.1:0") as league:
        league.connect(BOT, "ann", "dan")
        assert vinci("tournament", "start", str(league.folder)).returncode == 0
        left = vinci("tournament", "withdraw", str(league.folder), "dan")
        assert left.returncode == 0, left
        told = "dan was withdrawn from league at "
        until(lambda: told in league.output("dan"), "the author is told why dan plays nothing")
        assert league.output("dan").count("connected to a server") == 1
        assert "withdrawn" not in league.output("ann")


def _without_times(text: str) -> str:
    """Return a text without the times of events, which alone differ between leagues with the same games."""
    return re.sub(r"\s+at\s+[-0-9]+T[:0-9]+\+00:00", "", text)


def _status(league: OpenLeague) -> str:
    """Return what `status` tells."""
    return vinci("tournament", "status", str(league.folder)).stdout


def test_conditions_and_bots_change_while_a_league_is_played(tmp_path: Path) -> None:
    """An entrant that left costs no more time than its new absence, withdraws, comes back, and the end is moved."""
    text = definition(24, remote=("ann", "ben", "cat", "dan"), absence=0)
    with OpenLeague(tmp_path, "league", text, "--listen", "127.0.0.1:0") as league:
        for name in ("ann", "ben", "cat", "dan"):
            league.enter(name, BOT)
        league.play(1)
        league.kill("dan")
        changed = vinci("tournament", "change", str(league.folder), "--absence", "1", "--clock", "30")
        assert "absence is 1 instead of 0" in changed.stdout, changed
        while "absent" not in league.forfeits():
            assert league.games < 24
            time.sleep(0.02)
        left = vinci("tournament", "withdraw", str(league.folder), "dan")
        assert left.stdout.startswith("dan withdrew"), left
        wrong = vinci("tournament", "withdraw", str(league.folder), "ann")
        assert (wrong.returncode, "fewer bots would be left" in wrong.stderr) == (2, True)
        league.restart("dan")
        back = vinci("tournament", "readmit", str(league.folder), "dan")
        if back.returncode:  # the others were faster, and all blocks have begun
            assert "all blocks have begun" in back.stderr
        end = vinci("tournament", "change", str(league.folder), "--games", "30")
        assert end.returncode == 0, end
        league.end()
        assert league.games == 30
        told = league.output("organiser")
        assert "dan withdrew" in told
        assert "The league has 10 blocks instead of 8." in told
    clocks = {(result.block, result.conditions.clock) for result in league.results() if result.conditions}
    [change] = [event for event in league.events() if event.key == "clock"]
    assert clocks == {(block, 60 if block < change.block else 30) for block in range(10)}
    verified = vinci("tournament", "verify", str(league.folder))
    assert verified.returncode == 0, verified.stdout


def test_gate_says_who_offers_too_few_games_and_what_is_in_use(tmp_path: Path) -> None:
    text = definition(60, remote=("mine", "old"), format="gate", absence=1)
    with OpenLeague(tmp_path, "gate", text, "--listen", "127.0.0.1:0") as league:
        # Before its bots come: a league that has ended leaves its folder and its port to the next one
        address = league.invite("old")["VINCI_ADDRESS"]
        second = vinci("tournament", "open", str(league.folder))
        assert (second.returncode, second.stderr.splitlines()[-1]) == (
            4,
            f"Error: {league.folder} is in use: another process runs this league",
        )
        other = vinci("tournament", "open", str(tmp_path / "gate.toml"), "--out", f"{tmp_path}/b", "--listen", address)
        assert (other.returncode, other.stderr[:6]) == (4, "Error:")
        assert other.stderr.endswith("; choose another port: --listen 127.0.0.1:0 for any that is free\n")
        other = vinci("tournament", "open", str(tmp_path / "gate.toml"), "--out", f"{tmp_path}/b", "--listen", FOREIGN)
        assert other.stderr.endswith("; name one of this machine with --listen\n")
        league.enter("mine", BOT, VINCI_BOT_GAMES="1")
        league.enter("old", BOT, VINCI_BOT_GAMES="2")
        league.wait_for("started")
        league.kill("old")
        league.enter("old", BOT, VINCI_BOT_GAMES="1")
        told = "old has 2 seats in a game, and plays none without --at-once 2"
        until(lambda: told in league.output("organiser"), "the organiser is told that old offers too few games")
        until(lambda: "absent" in league.forfeits(), "a game without old")
        forfeited = len(
            {result.key for result in league.results() if "absent" in {each.reason for each in result.forfeits}}
        )
        status = json.loads(vinci("tournament", "status", str(league.folder), "--json").stdout)
        assert status["missed"]["old"] >= forfeited > 0, "games, not seats"
        assert status["missed"]["old"] <= status["games"]


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"analysis": True}, "analysis: remote bots have no analysis service"),
        ({"absence": -1}, "absence: -1: expected a whole number"),
        ({"anonymous": "yes"}, "anonymous: 'yes': expected true or false"),
        (
            {"start": "2026-12-05T20:00"},
            'start: \'2026-12-05T20:00\': expected "connected", "command", or a time with its',
        ),
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
