"""Leagues from files and options: defaults, and an error for every mistake."""

import sys
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.paths import DOCS, PROJECT
from tests.support.tournament.small_leagues import bots, league
from vinci_rules.board import board_names
from vinci_tournament.definition import configuration, digests
from vinci_tournament.definition.configuration import LeagueError, read
from vinci_tournament.definition.formats import FORMATS
from vinci_tournament.definition.league import League, cpu_seconds
from vinci_tournament.definition.schedule import line_ups

THREE = bots("greedy", "random", "dummy")
PYTHON = sys.executable


def test_file_with_every_key(tmp_path: Path) -> None:
    """Every key is read, and the league survives a round trip through JSON."""
    path = tmp_path / "autumn.toml"
    path.write_text(
        f"""
        name = "autumn"
        format = "gauntlet"
        seats = 3
        board = "tiny"
        edition = "FR"
        target = 40
        games = 31
        seed = 7
        clock = 5
        tries = 1
        memory = 512
        analysis = true
        workers = 3
        [options]
        give_up = "free"
        [stop]
        width = 0.1
        alpha = 0.01
        [[bots]]
        name = "mine"
        command = "{PYTHON} -c pass"
        budget = "nodes"
        [[bots]]
        bot = "greedy"
        [[bots]]
        bot = "dummy"
        """
    )
    configured = read(path)
    assert (configured.name, configured.format, configured.seats, configured.board, configured.edition) == (
        "autumn",
        "gauntlet",
        3,
        "tiny",
        "FR",
    )
    assert (configured.target, configured.blocks, configured.seed, configured.clock, configured.tries) == (
        40,
        11,
        "7",
        5,
        1,
    )
    assert (configured.memory, configured.analysis, configured.workers, configured.options) == (
        512,
        True,
        3,
        (("give_up", "free"),),
    )
    assert (configured.stop.width, configured.stop.alpha) == (0.1, 0.01)
    mine, greedy, dummy = configured.bots
    assert (mine.command, mine.budget, mine.policy) == ((PYTHON, "-c", "pass"), "nodes", "")
    assert (greedy.policy, greedy.budget, greedy.is_dummy) == ("greedy", "nodes", False)
    assert dummy.is_dummy
    assert configured.rules(("mine", "dummy", "greedy")).dummies == (False, True, False)
    assert League.from_json(configured.to_json()) == configured


def test_documented_file_is_a_league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file in docs/league-file.md has every key and is valid beside its bot."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    page = (DOCS / "league-file.md").read_text(encoding="utf-8")
    fields = tomllib.loads(page.partition("```toml\n")[2].partition("```")[0].replace("python mine.py", "cat mine.py"))
    others = {"blocks", "line_ups", "rounds", "table_blocks", *configuration.REMOTE_KEYS}
    assert set(fields) | others == set(configuration.KEYS)
    assert {key for bot in fields["bots"] for key in bot} | {"remote", "stdio", "text", "folder"} == set(
        configuration.BOT_KEYS
    )
    assert [bot.name for bot in configuration.league(fields).bots] == ["greedy", "mine", "random", "statue"]


def test_clock_in_seconds_of_cpu() -> None:
    """It is stored as it counts, and told in reports."""
    configured = configuration.league({"clock": "2s cpu", "bots": THREE})
    assert (configured.clock, cpu_seconds(configured.clock)) == ("2 cpu", 2)
    assert [cpu_seconds(clock) for clock in (60, "600+15")] == [None, None]
    assert League.from_json(configured.to_json()) == configured


def test_bots_by_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key `stdio` has a command whose lines are JSON, or text; its own files are in the digest, no interpreter is."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.sh").touch()
    lines = [{"stdio": ["sh", "mine.sh"]}, {"stdio": "sh mine.sh", "text": True, "name": "other"}]
    configured = configuration.league({"bots": [*THREE, *lines]})
    assert [(bot.name, bot.command) for bot in configured.bots[3:]] == [
        ("mine", ("stdio:sh", "mine.sh")),
        ("other", ("stdio-text:sh", "mine.sh")),
    ]
    assert League.from_json(configured.to_json()) == configured
    before = configured.bots[3].digest
    (tmp_path / "mine.sh").write_text("exit", encoding="utf-8")
    assert configuration.league({"bots": [*THREE, *lines]}).bots[3].digest not in ("", before)


def test_line_ups_fill_their_seats(tmp_path: Path) -> None:
    """The last bot of a line-up has all seats that are left, and the league survives a round trip through JSON."""
    configured = configuration.league({"format": "line-ups", "line_ups": [["a", "b"], ["b", "c", "a"]], "bots": THREE})
    assert configured.line_ups == (("a", "b", "b", "b"), ("b", "c", "a", "a"))
    assert League.from_json(configured.to_json()) == configured


def test_league_of_the_levels_is_the_documented_ladder() -> None:
    """Each level meets dummies, `greedy` and the level below it in 400 games of every figure."""
    configured = read(PROJECT / "benchmarks" / "levels.toml")
    ladder = ["easy", "normal", "hard", "expert"]
    expected = {(level, *[other] * 3) for level in ladder for other in ("dummy", "greedy")}
    expected |= {(level, *[below] * 3) for below, level in pairwise(ladder)}
    assert set(configured.line_ups) == expected
    played = Counter(line_ups(configured))
    assert set(played.values()) == {400 // configured.rotations}
    assert configured.seed == ""


def test_defaults() -> None:
    """Defaults are four seats, or as many as bots, on Europe; commands have a time budget; the file names the league."""
    configured = configuration.league({"bots": THREE})
    assert (configured.seats, configured.board, configured.edition, configured.format) == (
        3,
        "europe",
        "standard",
        "round-robin",
    )
    assert (configured.clock, configured.tries, configured.workers) == (60, 3, None)
    assert configured.blocks * configured.seats >= 200
    assert configuration.league({"bots": bots(*["random"] * 5)}).seats == 4
    assert configuration.league({"bots": [*THREE, {"command": f"{PYTHON} -V"}]}).bots[3].budget == "time"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [(90, 90), ("90", 90), ("90s", 90), ("1m", 60), ("10m + 15s", "600+15"), ("600+15", "600+15"), ("5m+0", "300+0")],
)
def test_a_clock_is_typed_as_elsewhere(typed: int | str, stored: int | str) -> None:
    """Seconds for each decision are stored as a number, as in earlier versions, so that digests stay; a bank as a text."""
    configured = configuration.league({"bots": THREE, "seed": 1, "clock": typed})
    assert configured.clock == stored
    assert League.from_json(configured.to_json()) == configured
    assert configured.digest == configuration.league({"bots": THREE, "seed": 1, "clock": stored}).digest


def test_digest_covers_the_games_only() -> None:
    """The number of workers does not change the digest; everything else does."""
    plain = league("random", "dummy", "dummy")
    assert league("random", "dummy", "dummy", workers=7).digest == plain.digest
    assert league("random", "dummy", "dummy", seed="2").digest != plain.digest
    assert league("random", "dummy", "random").digest != plain.digest


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"sets": 3}, "sets: unknown; known: name, format, bots"),
        ({"format": "knockout"}, "format: 'knockout' is unknown; known: round-robin, gauntlet, gate, line-ups"),
        ({"seats": 7}, "seats: 7: expected a whole number from 3 to 6"),
        ({"seats": 4}, "bots: 3 given, but a game has 4 seats"),
        ({"format": "gate"}, "bots: a gate has two, the new bot and the base; 3 given"),
        ({"line_ups": [["a", "b"]]}, "line_ups: they belong to format = \"line-ups\", and this one is 'round-robin'"),
        ({"format": "line-ups"}, "line_ups: expected lists of names of bots such as"),
        ({"format": "line-ups", "line_ups": []}, "line_ups: expected lists of names of bots such as"),
        ({"format": "line-ups", "line_ups": ["a"]}, "line_ups: expected lists of names of bots such as"),
        ({"format": "line-ups", "line_ups": [["a", "x"]]}, "line_ups[1]: there is no bot 'x'; known: a, b, c"),
        ({"format": "line-ups", "line_ups": [["a"], ["b"] * 5]}, "line_ups[2]: 5 bots, but a game has 4 seats"),
        ({"format": "line-ups", "line_ups": [["a", "b"]]}, "line_ups: no line-up has the bot 'c'; leave it out"),
        ({"board": "asia"}, f"board: 'asia' is unknown; known: {', '.join(board_names())}"),
        ({"edition": "XX"}, "edition: 'XX' is unknown"),
        ({"target": 5}, "target: target 5: it must be above"),
        ({"target": "many"}, "target: 'many': expected a whole number"),
        ({"options": {"give_up": "never"}}, "options: give_up=never: possible values are"),
        ({"options": {"gift": "free"}}, "options: unknown option gift"),
        ({"options": {"target": "30"}}, "options.target: give it as target, outside of options"),
        ({"options": {"edition": "FR"}}, "options.edition: give it as edition, outside of options"),
        ({"options": "free"}, "options: expected a table"),
        ({"games": 0}, "games: 0: expected a whole number from 1"),
        ({"games": 10, "blocks": 2}, "games, blocks: give only one of them"),
        ({"blocks": True}, "blocks: True: expected a whole number"),
        ({"seed": "a b"}, "seed: seed 'a b': use 1 to 128 letters"),
        ({"clock": 0.5}, "clock: 0.5: expected a whole number of seconds from 1 to 86400, or a text such as"),
        ({"clock": True}, "clock: True: expected a whole number"),
        ({"clock": 0}, "clock: 0: a league needs a clock, of a day at most: expected a whole number"),
        ({"clock": -5}, "clock: '-5' is no clock: 30 is 30 seconds a decision, 10m+15s"),
        ({"clock": ""}, "clock: '': a league needs a clock, of a day at most: expected a whole number"),
        ({"clock": "soon"}, "clock: 'soon' is no clock: 30 is 30 seconds a decision, 10m+15s"),
        ({"clock": "0+15"}, "clock: an increment needs a bank"),
        ({"clock": "25h"}, "clock: '25h': a league needs a clock, of a day at most"),
        ({"clock": "10m+25h"}, "clock: '10m+25h': a league needs a clock, of a day at most"),
        ({"clock": 86_401}, "clock: 86401: a league needs a clock, of a day at most"),
        ({"tries": 0}, "tries: 0: expected a whole number from 1 to 100"),
        ({"memory": 1}, "memory: 1: expected a whole number from 16"),
        ({"analysis": "no"}, "analysis: 'no': expected true or false"),
        ({"workers": 0}, "workers: 0: expected a whole number from 1"),
        ({"name": "../x"}, "name: '../x': expected up to 24 letters"),
        ({"stop": {"margin": 0.1}}, "stop.margin: unknown; known: width, alpha"),
        ({"format": "gate", "bots": THREE[:2], "stop": {"margin": 0.9}}, "stop.margin: 0.9: with an even share of 1/"),
        ({"stop": {"width": 2}}, "stop.width: 2: expected a number between 0 and 1"),
        ({"stop": {"alpha": "low"}}, "stop.alpha: 'low': expected a number between 0 and 1"),
        ({"stop": 1}, "stop: expected a table"),
        ({"bots": "greedy"}, "bots: expected a list of tables"),
        (
            {"bots": [*THREE, {"name": "x"}]},
            "bots[4]: expected either bot (one of dummy, greedy, random, easy, normal, hard, expert), command, stdio, folder, or remote = true",
        ),
        ({"bots": [*THREE, {"bot": "easy:3"}]}, "bots[4].bot: 'easy:3': easy does not look ahead, so it has no budget"),
        (
            {"bots": [*THREE, {"bot": "hard:thief"}]},
            "bots[4].bot: 'hard:thief': there is no character thief; there are raider",
        ),
        ({"bots": [*THREE, {"bot": "gready"}]}, "bots[4].bot: 'gready' is unknown; known: dummy, greedy, random"),
        (
            {"bots": [*THREE, {"command": "no-such-program x"}]},
            "bots[4].command: 'no-such-program x': there is no such",
        ),
        ({"bots": [*THREE, {"command": "cat none.py"}]}, "bots[4].command: 'cat none.py': there is no file 'none.py'"),
        ({"bots": [*THREE, {"command": "'"}]}, 'bots[4].command: "\'" is no command line'),
        (
            {"bots": [*THREE, {"bot": "greedy", "budget": "cpu"}]},
            "bots[4].budget: 'cpu' is unknown; known: nodes, time",
        ),
        ({"bots": [*THREE, {"bot": "greedy", "name": "a"}]}, "bots[4].name: there is a bot 'a' already"),
        ({"bots": [*THREE, {"bot": "greedy", "name": "a/b"}]}, "bots[4].name: 'a/b': expected up to 24 letters"),
        ({"bots": [*THREE, {"command": "cat", "text": True}]}, "bots[4].text: only with stdio, whose lines are text"),
        ({"clock": "10m+15s cpu"}, "clock: '10m+15s cpu': CPU time is counted for each decision, as in \"2s cpu\""),
        ({"clock": "0s cpu"}, "clock: "),
        (
            {"clock": "2s cpu", "bots": [*THREE, {"name": "ann", "remote": True}]},
            "clock: the CPU time of remote bots is unknown here",
        ),
        ({"bots": [*THREE, {"stdio": "nowhere"}]}, "bots[4].stdio: 'stdio:nowhere': there is no such command"),
        (
            {"bots": [*THREE, {"bot": "greedy", "node": 1}]},
            "bots[4].node: unknown; known: name, bot, command, stdio, text, folder, budget",
        ),
    ],
)
def test_mistakes(keys: dict[str, Any], expected: str) -> None:
    """Each mistake is reported with its key and the valid values."""
    with pytest.raises(LeagueError) as error:
        configuration.league({"bots": THREE} | keys)
    assert str(error.value).startswith(expected)


def test_invalid_toml_file_is_named(tmp_path: Path) -> None:
    """The error names the file, as every mistake in it does."""
    path = tmp_path / "league.toml"
    for text, expected in (("seats = [", str(path)), ("seats = 9", f"{path}: seats: 9")):
        path.write_text(text)
        with pytest.raises(LeagueError, match=r"league\.toml") as error:
            read(path)
        assert str(error.value).startswith(expected)


def test_names_of_bots_are_distinct(tmp_path: Path) -> None:
    """Bots are named after their files, with a number if several share a name."""
    file = tmp_path / "my bot!.py"
    file.write_text("")
    words = ["greedy", f"{PYTHON} '{file}'", f"{PYTHON} '{file}' --fast", "greedy", "cat"]
    assert [bot["name"] for bot in configuration.bots(words)] == ["greedy", "my-bot", "my-bot-2", "greedy-2", "cat"]
    assert [bot.get("budget") for bot in configuration.bots(words, "nodes")] == [None, "nodes", "nodes", None, "nodes"]


def test_digest_of_a_bot(tmp_path: Path) -> None:
    """The digest covers the files that a command names, and is empty if it names none."""
    file = tmp_path / "bot.py"
    file.write_text("one")
    fields = {"bots": [*bots("dummy", "greedy"), {"command": f"cat {file}"}, {"command": "cat"}]}
    configured = configuration.league(fields)
    assert not digests.changed(configured)
    assert [bool(bot.digest) for bot in configured.bots] == [True, True, True, False]
    file.write_text("two")
    (change,) = digests.changed(configured)
    assert change.startswith(f"the bot {configured.bots[2].name} is not the one with which the league began")
    assert digests.advice(configured) == "start a new league"


@pytest.mark.parametrize(
    ("origin", "version"),
    [(None, "9.1"), ('{"dir_info": {"editable": true}}', "9.1"), ('{"vcs_info": {"commit_id": "1ce1"}}', "9.1+1ce1")],
)
def test_league_names_the_version_that_began_it(
    origin: str | None, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the commit if Vinci was installed from one, and is read back."""
    files = SimpleNamespace(version="9.1", read_text=lambda _name: origin)
    monkeypatch.setattr(digests, "distribution", lambda _name: files)
    assert League.from_json(league("greedy", "random", "dummy").to_json()).version == version


def test_every_format_is_documented_and_no_other_is_read_back() -> None:
    """docs/league-file.md names every format; a stored league with another one is refused."""
    text = (PROJECT / "docs" / "league-file.md").read_text(encoding="utf-8")
    assert not [name for name in FORMATS if name not in text]
    stored = league("greedy", "random", "dummy").to_json()
    assert League.from_json(stored).kind is FORMATS["round-robin"]
    with pytest.raises(ValueError, match="the format 'king' is unknown"):
        League.from_json(stored.replace("round-robin", "king"))
