"""`vinci tournament`: leagues and gates by options and files, their folders and exit statuses."""

import json
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest

from tests.support.bots.python_commands import python
from tests.support.cli_runner import CommandResult, vinci
from tests.support.tournament.changed_leagues import change_result
from tests.support.tournament.small_leagues import league, left, played
from vinci_cli.commands.tournament import play as leagues
from vinci_cli.commands.tournament.progress import line
from vinci_cli.installation import install_command
from vinci_tournament.definition.changes import withdrawn
from vinci_tournament.definition.events import Event
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import worker
from vinci_tournament.play.folder import Folder
from vinci_tournament.play.live_ratings import LiveRatings
from vinci_tournament.results.result import ForfeitResult

in_threads = pytest.mark.usefixtures("threads")
"""For tests of what is told about a league, not of the processes that play it."""

SHORT: Final = ("--board", "tiny", "--target", "12", "--seats", "3", "--workers", "2")


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play leagues in threads of this process, to save imports."""
    monkeypatch.setattr(leagues, "Processes", ThreadPoolExecutor)


def run(out: Path, *arguments: str) -> CommandResult:
    """Play a short league or gate."""
    return vinci("tournament", "run", *arguments, *SHORT, "--out", str(out))


def test_league_is_played_reported_and_checked(tmp_path: Path) -> None:
    """A played league ends with its report, and status, report, verify and reproduce accept its folder."""
    out = tmp_path / "league"
    status, text = run(out, "--bots", "random", "dummy", "random", "--games", "6")
    assert status == 0, text
    assert text.startswith("league\nround-robin · 6 games · 2 of 2 blocks · complete · 3 bots")
    assert text.endswith(f"Report, records and logs: {out}\n")
    assert {path.name for path in out.iterdir()} >= {"league.json", "games", "report.html", "report.json", "games.csv"}
    for form, beginning in (("", "league\n"), ("--json", "{\n"), ("--csv", "forfeits_count,"), ("--markdown", "# ")):
        shown = vinci("tournament", "report", str(out), *filter(None, [form])).text
        assert shown.startswith(beginning), form
    assert vinci("tournament", "report", str(out), "--html").text == (out / "report.html").read_text()
    output = json.loads(vinci("tournament", "status", str(out), "--json").text)
    assert (output["games"], output["planned"], output["complete"], output["forfeits"]) == (6, 6, True, 0)
    assert [bot["games"] for bot in output["provisional"]] == [6, 6, 6]
    assert output["standings"] == json.loads((out / "report.json").read_text())["figures"]["standings"]
    shown = vinci("tournament", "status", str(out)).text
    assert "provisional standings" in shown
    parts = (out / "report.txt").read_text().split("\n\n")
    rated = [parts[place + more] for place, part in enumerate(parts) if "STANDINGS:" in part for more in (0, 1)]
    paired = [parts[place + more] for place, part in enumerate(parts) if "PAIRS:" in part for more in range(4)]
    assert shown.endswith("\n\n".join(("", *rated, *paired)).rstrip() + "\n")
    assert vinci("tournament", "verify", str(out)).status == 0
    status, text = vinci("tournament", "reproduce", str(out), "1-2")
    assert (status, text.split(" all ")[0]) == (0, "game 1-2 is reproduced:")


@in_threads
def test_a_league_has_the_name_of_its_folder(tmp_path: Path) -> None:
    """Unless it has one, or the folder's is no name; a league that is there keeps its own."""
    arguments = ("--bots", "random", "dummy", "random", "--games", "3")
    assert run(tmp_path / "autumn", *arguments).text.startswith("autumn\n")
    assert run(tmp_path / "it's mine", *arguments).text.startswith("league\n")
    assert run(tmp_path / "autumn" / "1", *arguments, "--name", "cup").text.startswith("cup\n")
    assert run(tmp_path / "autumn" / "1", *arguments).text.startswith("cup\n"), "as one that an earlier version began"


@in_threads
def test_resume_plays_the_missing_games(tmp_path: Path) -> None:
    """`resume`, or `run` with the same league, plays the missing games and writes the same report."""
    out = tmp_path / "league"
    assert run(out, "--bots", "random", "dummy", "random", "--games", "6").status == 0
    whole = _files(out)
    for again in (
        ("tournament", "resume", str(out)),
        ("tournament", "run", "--bots", "random", "dummy", "random", "--games", "6", *SHORT, "--out", str(out)),
    ):
        lines = (out / "results.jsonl").read_text().splitlines(keepends=True)
        (out / "results.jsonl").write_text("".join(lines[:1] + lines[2:3] + lines[4:]) + '{"half')
        (out / "games" / "1-0.jsonl").unlink()
        assert vinci(*again).status == 0
        assert _files(out) == whole


def _files(out: Path) -> dict[str, bytes]:
    """Return the files of a league but resource use, which differs from run to run."""
    files = [path for path in (*out.iterdir(), *(out / "games").iterdir()) if path.is_file()]
    return {path.name: path.read_bytes() for path in files if path.name != "uses.jsonl"}


@in_threads
def test_blocks_of_two_machines_merge(tmp_path: Path) -> None:
    """Two folders that share only the file merge into the files of one run; `resume` plays the blocks of its folder."""
    file = tmp_path / "small.toml"
    text = """
        board = "tiny"
        target = 20
        seats = 3
        blocks = 4
        workers = 2
        bots = [{ bot = "random" }, { bot = "random", name = "other" }, { bot = "dummy" }]
    """
    file.write_text(text)
    status, output = vinci("tournament", "run", str(file), "--blocks", "0:1", "--out", str(tmp_path / "a"))
    assert status == 2
    assert "--blocks needs a seed that all machines share" in output
    file.write_text(f'seed = "{"5" * 32}"{text}')
    for path, blocks in ((tmp_path / "a", "0:1"), (tmp_path / "b", "2:3")):
        (path / "of").mkdir(parents=True)
        status, output = vinci("tournament", "run", str(file), "--blocks", blocks, "--out", str(path / "of" / "it"))
        assert (status, f"Blocks {blocks} are played" in output) == (0, True), output
    parts = [str(tmp_path / name / "of" / "it") for name in "ab"]
    left(Folder(Path(parts[1])), "2-0")
    assert "blocks 2:3, 1 of at most 6 games; continue with" in vinci("tournament", "status", parts[1]).text
    status, output = vinci("tournament", "merge", *parts, "--out", str(tmp_path / "merged"))
    assert (status, "games are missing in blocks 2:3 of 0:3" in output) == (1, True), output
    assert vinci("tournament", "resume", parts[1]).status == 0
    assert "blocks 2:3, 6 of at most 6 games; complete" in vinci("tournament", "status", parts[1]).text
    assert "this folder is for blocks 2:3" in vinci("tournament", "report", parts[1]).text
    status, output = vinci("tournament", "merge", *parts, "--out", str(tmp_path / "merged"))
    assert (status, "round-robin · 12 games · 4 of 4 blocks · complete" in output) == (0, True), output
    assert vinci("tournament", "run", str(file), "--out", str(tmp_path / "whole")).status == 0
    (tmp_path / "whole" / "lock").unlink()
    assert _files(tmp_path / "merged") == _files(tmp_path / "whole")
    assert vinci("tournament", "verify", str(tmp_path / "merged")).status == 0


def test_cluster_needs_a_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address without a port is refused before anything waits for it."""
    monkeypatch.setattr(leagues, "find_spec", lambda _name: object())
    league = ("tournament", "run", "--bots", "dummy", "dummy", "random", "--out", str(tmp_path / "a"))
    status, text = vinci(*league, "--cluster", "tcp://127.0.0.1")
    assert (status, text.splitlines()[-1]) == (
        2,
        "Error: --cluster: tcp://127.0.0.1 names no port, as tcp://HOST:8786 does",
    )


def test_cluster_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the error says how to install it."""
    monkeypatch.setattr(leagues, "find_spec", lambda _name: None)
    cluster = ("--cluster", "tcp://127.0.0.1:1")
    status, text = vinci(
        "tournament", "run", "--bots", "dummy", "dummy", "random", "--out", str(tmp_path / "a"), *cluster
    )
    assert (status, install_command("dask") in text) == (1, True), text


@in_threads
def test_verify_finds_a_forged_result(tmp_path: Path) -> None:
    """For a forged result `verify` names it and exits with status 1."""
    out = tmp_path / "league"
    assert run(out, "--bots", "random", "dummy", "random", "--games", "3").status == 0
    path = out / "results.jsonl"
    path.write_text(path.read_text().replace('"rounds":', '"rounds":1', 1))
    status, text = vinci("tournament", "verify", str(out))
    assert status == 1
    assert "✗ Game 0-0: its result says rounds" in text


@in_threads
def test_verify_as_json(tmp_path: Path) -> None:
    """A program learns what agrees, each fault with its games and files, and the digest, with the same exit statuses."""
    out = tmp_path / "league"
    assert run(out, "--bots", "random", "dummy", "random", "--games", "3", "--clock", "10m+15s").status == 0
    status, clean = _verified(out, 0)
    assert (clean["name"], clean["verified"], clean["faults"], status) == ("league", True, [], 0)
    assert clean["checked"] == {"records": {"agree": 3, "of": 3}, "replays": {"agree": 2, "of": 2}}
    assert clean["conditions"] == {"clock": "600+15", "tries": 3, "memory": 2048, "absence": 600, "analysis": False}
    text = vinci("tournament", "verify", str(out), "--seed", clean["seed"]).text
    assert [f"· {remark['text']}" for remark in clean["remarks"]] == text.splitlines()[:-2]
    assert f"· SHA-256 of all {clean['files']} files: {clean['sha256']}" in text

    record, definition = out / "games" / "0-1.jsonl", out / "league.json"
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join([*lines[:5], *lines[6:]]))
    _status, forged = _verified(out, 1)
    assert forged["sha256"] != clean["sha256"]
    assert forged["checked"]["records"] == {"agree": 2, "of": 3}
    (fault,) = forged["faults"]
    assert fault["text"].startswith("Game 0-1: its record: line ")
    assert (fault["check"], fault["games"], fault["files"]) == (
        "records",
        ["0-1"],
        ["games/0-1.jsonl", "results.jsonl"],
    )

    record.write_text("".join(lines))
    definition.write_text(definition.read_text().replace('"tries": 3', '"tries": 9'))
    _status, changed = _verified(out, 1)
    fault = changed["faults"][0]
    assert (fault["check"], fault["games"]) == ("conditions", ["0-0", "0-1", "0-2"])
    assert "were played with tries 3 instead of 9" in fault["text"]
    assert changed["conditions"]["tries"] == 9


def _verified(out: Path, status: int) -> tuple[int, dict[str, Any]]:
    """Return the status and the object that `verify --json` prints, and nothing else, on standard output."""
    ended = subprocess.run(
        [sys.executable, "-m", "vinci_cli", "tournament", "verify", str(out), "--json"],
        capture_output=True,
        check=False,
    )
    assert ended.returncode == status, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return ended.returncode, found


@in_threads
def test_reproduce_names_the_first_different_action(tmp_path: Path) -> None:
    """`reproduce` names the first action that differs and the bot that played it."""
    out = tmp_path / "league"
    assert run(out, "--bots", "random", "dummy", "random", "--games", "3").status == 0
    folder = Folder(out)
    other = worker.play(folder.league(), games(folder.league())[1])
    path = out / "games" / "0-0.jsonl"
    path.write_text(other.record)
    status, text = vinci("tournament", "reproduce", str(out), "0-0")
    assert status == 1
    assert "game 0-0 differs at action 0" in text


@in_threads
@pytest.mark.parametrize(
    ("new", "base", "outcome", "status"),
    [("greedy", "random", "pass", 0), ("random", "dummy", "fail", 1), ("greedy", "greedy", "inconclusive", 3)],
)
def test_gate_outcomes(new: str, base: str, outcome: str, status: int, tmp_path: Path) -> None:
    """Exit status, JUnit and Markdown of a gate state pass, fail or inconclusive."""
    files = ("--junit", str(tmp_path / "gate.xml"), "--markdown", str(tmp_path / "gate.md"))
    exit_status, text = run(tmp_path / "gate", "--gate", new, "--against", base, *files)
    assert exit_status == status, text
    assert outcome in text
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()
    element = {"pass": "system-out", "fail": "failure", "inconclusive": "skipped"}[outcome]
    assert suite.find(f"testcase/{element}") is not None
    assert outcome in (tmp_path / "gate.md").read_text()
    assert vinci("tournament", "resume", str(tmp_path / "gate"), "--workers", "1").status == status


@in_threads
@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("report_of", ZeroDivisionError()),
        ("Folder.begin", OSError(28, "No space left on device")),
        ("described", BrokenPipeError(32, "Broken pipe")),
    ],
)
def test_a_gate_that_ends_by_an_error_has_its_own_status(
    place: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error before, during or after the games does not look like a verdict: status 1 means that the bot is worse."""

    def broken(*_: object) -> None:
        raise error

    monkeypatch.setattr(f"vinci_cli.commands.tournament.league_run.{place}", broken)
    status, text = run(tmp_path / "gate", "--gate", "random", "--against", "dummy", "--games", "8")
    assert status == 4
    assert (getattr(error, "strerror", None) or "ZeroDivisionError") in text


@in_threads
@pytest.mark.parametrize("charset", ["cp1252", "cp437"])
def test_a_console_that_lacks_characters_does_not_change_the_verdict(charset: str, tmp_path: Path) -> None:
    """A gate passes also where the console has no check mark, bars or dots; they are question marks there."""
    arguments = ("--gate", "greedy", "--against", "random", "--games", "60", *SHORT, "--out", str(tmp_path / "gate"))
    status, text = vinci("tournament", "run", *arguments, charset=charset)
    assert (status, "\n? pass: greedy against random" in text) == (0, True), text
    assert "\N{CHECK MARK} pass" in (tmp_path / "gate" / "report.txt").read_text(encoding="utf-8")


@in_threads
def test_gauntlet(tmp_path: Path) -> None:
    """The challenger plays in every game; the other bots do not meet each other alone."""
    status, text = run(
        tmp_path / "gauntlet", "--gauntlet", "random", "--against", "dummy", "dummy", "random", "--games", "9"
    )
    assert status == 0, text
    results = Folder(tmp_path / "gauntlet").results().values()
    assert len(results) == 9
    assert all("random" in result.bots for result in results)
    assert {bot for result in results for bot in result.bots} == {"random", "dummy", "dummy-2", "random-2"}


@pytest.mark.slow
def test_greedy_passes_a_gate_against_dummy(tmp_path: Path) -> None:
    """A gate of greedy against dummy passes."""
    arguments = ("--gate", "greedy", "--against", "dummy", "--board", "tiny", "--target", "40")
    status, text = vinci("tournament", "run", *arguments, "--out", str(tmp_path / "gate"))
    assert status == 0, text
    assert "✓ pass: greedy against dummy" in text


def test_failing_bot_forfeits_and_the_league_goes_on(tmp_path: Path) -> None:
    """In a league of commands a bot that exits forfeits; position and log of the forfeit are stored."""
    good = shlex.join(python("good").command)
    quitter = shlex.join(python("quitter", "print('no more', file=sys.stderr); sys.exit(5)").command)
    out = tmp_path / "league"
    status, text = run(out, "--bots", good, quitter, "dummy", "--games", "3", "--nodes")
    assert status == 0, text
    folder = Folder(out)
    quitter_name = folder.league().bots[1].name
    for key, result in folder.results().items():
        (forfeit,) = result.forfeits
        assert result.bots[forfeit.seat] == quitter_name
        assert result.ranks[forfeit.seat] == 3
        assert forfeit.reason in ("exit", "start")
        assert forfeit.position
        log = (out / "games" / f"{key}.{forfeit.seat + 1}.{quitter_name}.log").read_text()
        assert log.splitlines() == ["no more", "(it ended with status 5 before the game was over)"]
    assert "no more (it ended with status 5" in vinci("tournament", "status", str(out)).text
    assert vinci("tournament", "verify", str(out), "--replay", "0").status == 0
    assert vinci("tournament", "report", str(out)).text.count("games/0-0.jsonl") == 1


THINKER: Final = """
async def think(decision, seen=[]):
    if not seen:
        await asyncio.sleep(0.6)
    seen.append(decision)
    return await choose(decision)

run(think)
"""
"""A bot that thinks once for longer than the way to it can be credited, which is half a second."""


def test_line_ups_from_a_file_with_their_cpu_times(tmp_path: Path) -> None:
    """A league of line-ups reports each of them in every form; `run` and `status` end with CPU times of built-in bots."""
    file = tmp_path / "small.toml"
    file.write_text(
        """
        format = "line-ups"
        line_ups = [["random", "greedy"], ["greedy", "dummy"]]
        board = "tiny"
        target = 20
        seats = 3
        games = 12
        bots = [{ bot = "random" }, { bot = "greedy" }, { bot = "dummy" }]
        """
    )
    out = tmp_path / "league"
    status, text = vinci("tournament", "run", str(file), "--out", str(out))
    assert status == 0, text
    rows = [line.split() for line in text.splitlines()]
    assert [row[:3] for row in rows if row[1:3] in (["2", "greedy"], ["2", "dummy"])] == [
        ["random", "2", "greedy"],
        ["greedy", "2", "dummy"],
    ]
    (used, *more) = json.loads(vinci("tournament", "status", str(out), "--json").text)["used"]
    assert [used["bot"], *(each["bot"] for each in more)] == ["greedy", "random"]
    assert used["cpu"] > 0
    assert used["decisions"] > 0
    timed = [row for row in rows if row[:1] == ["greedy"]][-1]
    assert timed[3:6:2] == [f"{1000 * used['cpu'] / used['decisions']:.2f}", "-"]
    measured = json.loads(vinci("tournament", "report", str(out), "--json").text)["figures"]["line_ups"]
    assert [(line_up["bots"], line_up["games"]) for line_up in measured] == [
        (["random", "greedy", "greedy"], 6),
        (["greedy", "dummy", "dummy"], 6),
    ]
    for form in ("--html", "--markdown"):
        assert "2 greedy" in vinci("tournament", "report", str(out), form).text
    assert vinci("tournament", "verify", str(out), "--workers", "1").status == 0


@in_threads
def test_status_of_a_large_league_has_ratings_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit `status` names the command that has ratings and pairs, which then shows and lists them."""
    out = str(tmp_path / "league")
    assert run(tmp_path / "league", "--bots", "random", "dummy", "dummy", "--games", "6").status == 0
    monkeypatch.setattr("vinci_cli.commands.tournament.results.MOST_IN_STATUS", 5)
    shown = vinci("tournament", "status", out).text
    assert "Elo" in shown.splitlines()[-1]
    command = shown.splitlines()[-1].partition(": vinci ")[2].split()
    assert len(vinci(*command).text) > len(shown)
    assert "standings" not in json.loads(vinci(*command[:-1], "--json").text)
    assert "standings" in json.loads(vinci(*command, "--json").text)


def with_remote_bots(path: Path, *events: Event) -> Folder:
    """Return a folder as after six games of a, b and d; b, c and d are remote, and b forfeited a game."""
    now = league("random", "random", "random", "random", seats=3, blocks=2)
    bots = tuple(replace(bot, policy="", digest="", remote=True) for bot in now.bots[1:])
    folder = played(path, now.after(withdrawn(now, "c", ())))
    (path / "league.json").write_text(replace(now, bots=(now.bots[0], *bots)).to_json())
    folder.note_events([Event("started"), withdrawn(now, "c", ()), *events])
    forfeit = ForfeitResult(folder.result("1-1").bots.index("b"), "absent", 3, "")
    change_result(folder, "1-1", lambda result: replace(result, forfeits=(forfeit,)))
    return folder


def test_status_of_remote_bots_that_forfeited(tmp_path: Path) -> None:
    """Nothing is said of what they wrote, which is not known here."""
    text = vinci("tournament", "status", str(with_remote_bots(tmp_path).path)).text
    assert re.search(r"forfeits by reason.*:\n +b +1 absent; 1-1\n", text), text


def test_status_of_bots_that_withdrew(tmp_path: Path) -> None:
    """One without a game is not in the standings, another is marked there, and JSON lists both."""
    folder = with_remote_bots(tmp_path, Event("withdrew", bot="b"))
    text = vinci("tournament", "status", str(folder.path)).text
    provisional = text.partition("provisional")[2].partition("forfeits")[0]
    assert sorted(re.findall(r"\d  (\w.*?)  +-?\d", provisional)) == ["a", "b (left)", "d"]
    assert re.search(r"\n +b +withdrew at [^ ]+, never connected; 1 missed\n +c +withdrew at", text), text
    output = json.loads(vinci("tournament", "status", str(folder.path), "--json").text)
    assert (output["left"], len(output["provisional"])) == (["b", "c"], 4)


@pytest.mark.parametrize(("came", "told"), [(False, True), (True, False)])
def test_report_tells_of_bots_that_never_connected(came: bool, told: bool, tmp_path: Path) -> None:
    """Those without a game are neither counted nor listed with the programs that played."""
    folder = with_remote_bots(tmp_path, *[Event("connected", bot="c")] * came)
    text = " ".join(vinci("tournament", "report", str(folder.path)).text.split())
    assert "· complete · 3 bots · 3 seats" in text
    assert "Remote: b, d." in text
    assert re.search(r"c withdrew at \S+; ", text), text
    assert ("c has never connected." in text) == told
    [_started, withdrew, *_] = (tmp_path / "events.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "events.jsonl").write_text(withdrew)
    assert "never connected" not in vinci("tournament", "report", str(folder.path)).text, "of an earlier version"


def test_status_shows_resource_use_of_commands(tmp_path: Path) -> None:
    """`status` shows CPU, memory and decision times of commands; reports leave them out."""
    thinker = shlex.join(python("thinker", THINKER).command)
    out = tmp_path / "league"
    assert run(out, "--bots", thinker, "dummy", "dummy", "--games", "3").status == 0
    folder = Folder(out)
    name = folder.league().bots[0].name
    assert set(folder.uses()) == set(folder.results())
    (used,) = json.loads(vinci("tournament", "status", str(out), "--json").text)["used"]
    assert (used["bot"], used["seats"]) == (name, 3)
    assert used["cpu"] > 0
    assert used["memory"] > 10**6
    assert used["think_ms_sum"] >= used["think_ms_longest"] > 50
    assert f"\n     {name} " in vinci("tournament", "status", str(out)).text.partition("resources used")[2]
    (out / "uses.jsonl").write_text('{"game": 7}\n')
    assert "uses.jsonl line 1 is not as it was written" in vinci("tournament", "status", str(out)).text
    (out / "uses.jsonl").unlink()
    assert vinci("tournament", "verify", str(out), "--replay", "0").status == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "choose what to play: a file, --bots, --gauntlet or --gate"),
        (("--bots", "random", "--gate", "greedy"), "choose what to play"),
        (("--gate", "greedy"), "--against belongs to --gauntlet or --gate: give both, or neither"),
        (("--bots", "a", "--against", "b"), "--against belongs to"),
        (("--gate", "greedy", "--against", "random", "dummy"), "bots: a gate has two"),
        (("--gate", "greedy", "--against", "dummy", "--width", "0.1"), "--width is not for --gate"),
        (("--bots", "random", "random", "random", "--margin", "0.1"), "--margin is for --gate"),
        (("--bots", "random", "random", "random", "--elo1", "30"), "--elo1 is for --gate"),
        (("--gate", "greedy", "--against", "dummy", "--margin", "0", "--elo1", "30"), "stop.elo1: not with margin"),
        (("--bots", "random", "random"), "bots: 2 given, but a game has 3 seats"),
        (("--bots", "random", "random", "no-such-command"), "there is no such command"),
        (("--bots", "random", "random", "random", "--seats", "9"), "seats: 9"),
        (("--bots", "random", "random", "random", "--option", "x"), "'x' is not NAME=VALUE"),
        (("league.toml", "--games", "9", "--seed", "1"), "--games, --seed: this belongs in the file"),
    ],
)
def test_invalid_options_exit_with_2(arguments: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    """Invalid options exit with status 2, which no gate uses, and create nothing."""
    out = tmp_path / "league"
    status, text = vinci("tournament", "run", *arguments, "--out", str(out))
    assert status == 2
    assert expected in " ".join(text.split())
    assert not out.exists()


@in_threads
def test_dummies_only_league_plays_one_game_a_block(tmp_path: Path) -> None:
    """In a league of dummies no two games are equal; terminal, status, report and checks count them so."""
    out = tmp_path / "dummies"
    status, text = run(out, "--bots", "dummy", "dummy", "dummy", "--games", "6")
    notice = "Only dummies play. They are identical, so each block is one game instead of one per seat."
    assert (status, notice in text) == (0, True), text
    for name in ("report.txt", "report.html", "report.md"):
        assert notice in " ".join((out / name).read_text(encoding="utf-8").split()), name
    assert len({result.hash for result in Folder(out).results().values()}) == 6
    assert "6 of at most 6 games; complete" in vinci("tournament", "status", str(out)).text
    assert vinci("tournament", "verify", str(out)).status == 0


@in_threads
def test_guessable_seed_is_reported(tmp_path: Path) -> None:
    """A guessable seed is reported and the league still played; a secret seed is not mentioned."""
    warning = (
        "The seed 7 can be guessed, and with it all draws can be predicted. Leave it out to draw a secret random seed."
    )
    for more, expected in (("--seed", "7"), True), ((), False):
        status, text = run(tmp_path / str(expected), "--bots", "random", "dummy", "random", "--games", "3", *more)
        assert (status, warning in text, "can be guessed" in text) == (0, expected, expected), text


def test_invalid_folders_are_refused(tmp_path: Path) -> None:
    """A folder without league, another league, an unknown game, or a report before the first game is refused."""
    assert vinci("tournament", "resume", str(tmp_path)).status == 2
    for command in ("status", "report", "verify"):
        status, text = vinci("tournament", command, str(tmp_path))
        assert (status, "holds no league" in text) == (1, True)
    out = tmp_path / "league"
    assert run(out, "--bots", "random", "dummy", "random", "--games", "3").status == 0
    status, text = run(out, "--bots", "random", "dummy", "dummy", "--games", "3")
    assert (status, "holds another league" in text) == (2, True)
    assert vinci("tournament", "reproduce", str(out), "7-7").status == 2
    assert vinci("tournament", "report", str(out), "--junit").status == 1
    left(Folder(out), "0-1", "0-2")
    status, text = vinci("tournament", "report", str(out))
    assert (status, "no block is complete yet" in text) == (1, True)


def test_second_runner_is_refused(tmp_path: Path) -> None:
    """A second runner of a league is refused; the status of a gate says that it was not played."""
    for arguments, status in (
        (("--bots", "random", "dummy", "random"), 1),
        (("--gate", "random", "--against", "dummy"), 4),
    ):
        out = tmp_path / str(status)
        configured = leagues.parse_league(None, _given(arguments))
        folder = Folder(out)
        folder.begin(configured)
        with folder.locked():
            output = vinci("tournament", "resume", str(out))
        assert (output.status, "in use" in output.text) == (status, True)


def _given(arguments: tuple[str, ...]) -> dict[str, object]:
    if arguments[0] == "--bots":
        return {"bots": arguments[1:], "board": "tiny"}
    return {"gate": arguments[1], "against": arguments[3:], "board": "tiny"}


def test_progress_is_one_line() -> None:
    """Progress shows games, speed and remaining time, and in a terminal the provisional standings."""
    assert line(30, 90, 0.5, None) == "30 of 120 games, 0.5 a second, 3 min left"
    assert line(30, None, 0.5, None) == "30 games, 0.5 a second"
    assert line(0, 90, 0, LiveRatings(["b", "a"])) == "0 of 90 games"
    assert line(0, 90, 0, LiveRatings(["b", "a"]), 60, ["a", "b"]) == "0 of 90 games; away: a, b"
    assert line(1, 89, 0, LiveRatings(["b", "a"]), 36) == "1 of 90 games; provisional: a 0 b 0"
    assert line(1, 89, 0, LiveRatings(["b", "a"]), 34) == "1 of 90 games; provisional: a 0"


@in_threads
def test_finished_league_is_extended(tmp_path: Path) -> None:
    """Games and bots are added to a folder, whose report stays that of its results; `resume` plays them."""
    out = tmp_path / "league"
    run(out, "--bots", "random", "dummy", "random", "--games", "6", "--seed", "7")
    before = (out / "results.jsonl").read_text()
    new = tmp_path / "new.toml"
    new.write_text('[[bots]]\nbot = "random"\n')
    status, text = vinci("tournament", "extend", str(out), str(new), "--games", "3")
    assert (status, "there is a bot 'random' already" in text) == (2, True)
    assert vinci("tournament", "extend", str(out)).status == 2
    new.write_text('[[bots]]\nname = "third"\nbot = "random"\n')
    text = vinci("tournament", "extend", str(out), str(new), "--bots", "random", "--games", "6").text
    assert "league has 5 bots and 6 games left" in text
    assert vinci("tournament", "verify", str(out), "--partial", "--workers", "1").status == 0
    assert vinci("tournament", "verify", str(out), "--workers", "1").status == 1
    text = vinci("tournament", "resume", str(out)).text
    assert "12 games · 4 of 4 blocks · complete · 5 bots" in text
    assert "by third, random-3; before, the digest" in text.replace("\n", " ")
    assert (out / "results.jsonl").read_text().startswith(before)
    assert vinci("tournament", "verify", str(out), "--workers", "1").status == 0
    assert json.loads((out / "league.json").read_text())["seed"] != "7"
    assert vinci("tournament", "extend", str(tmp_path), "--games", "3").status == 1
