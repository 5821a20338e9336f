"""`vinci selfplay`: equal seeds give equal games on every machine."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.cli_runner import is_kept, vinci
from vinci_rules.editions import EDITIONS

DUMMIES: Final = "dummy,dummy,dummy,dummy"


def games(*arguments: str) -> list[dict[str, Any]]:
    """Return the games that `selfplay --json` prints, without CPU times, which differ from run to run."""
    status, text = vinci("selfplay", "--json", *arguments)
    assert status == 0, text
    return [json.loads(line) for line in untimed(text).splitlines()]


def untimed(text: str) -> str:
    """Return lines of JSON without the CPU times at their ends."""
    return re.sub(r', "cpu_ms_per_decision": \[[^]]*\]', "", text)


def test_games_match_the_golden_files() -> None:
    """Four dummies on Europe with seed 1 play the games of the golden files, records included."""
    is_kept(
        "selfplay-europe.jsonl",
        untimed(vinci("selfplay", "--players", DUMMIES, "--games", "8", "--seed", "1", "--json").text),
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_of_every_edition_match_the_golden_files(edition: str) -> None:
    """Random players and dummies at three to six seats play the golden games of every edition."""
    tables = ["dummy,random,dummy", "random,random,dummy,dummy", ",".join(["random"] * 5), ",".join(["dummy"] * 6)]
    boards = ["tiny", "europe", "tiny", "europe"]
    text = "".join(
        vinci(
            "selfplay", "--players", players, "--board", board, "--edition", edition, "--seed", "golden", "--json"
        ).text
        for players, board in zip(tables, boards, strict=True)
    )
    assert len(text.splitlines()) == len(tables)
    is_kept(f"selfplay-{edition}.jsonl", untimed(text))


def test_json_fields_of_a_game() -> None:
    """A line has the seed, the players, the winner's seat, ranks, scores, length and the hash of the record."""
    (game,) = games("--players", DUMMIES, "--seed", "1")
    assert list(game) == ["seed", "players", "winner", "ranks", "vp", "rounds", "actions", "hash"]
    assert game["seed"] == "1-1"
    assert game["players"] == ["dummy"] * 4
    assert game["ranks"][game["winner"] - 1] == 1
    assert max(game["vp"]) == game["vp"][game["winner"] - 1] >= 120
    assert len(game["hash"]) == 64


def test_equal_seeds_give_equal_games() -> None:
    """Games depend on nothing but the seed, also those of bots with their own chance."""
    table = ["--players", "random,greedy,dummy", "--board", "tiny", "--target", "25", "--games", "2"]
    assert games(*table, "--seed", "x") == games(*table, "--seed", "x")


def test_games_do_not_depend_on_the_length_of_the_series() -> None:
    """The second game of a series is the same whatever the number of games."""
    assert games("--games", "3", "--seed", "s")[:2] == games("--games", "2", "--seed", "s")


def test_different_seeds_give_different_games() -> None:
    """Two series of ten games have no equal games."""
    played = games("--games", "10", "--seed", "a") + games("--games", "10", "--seed", "b")
    assert len({game["hash"] for game in played}) == 20
    assert len({tuple(game["vp"]) for game in played}) > 15


def test_games_do_not_depend_on_the_hash_seed() -> None:
    """Python's hash seed, which orders sets, has no effect on a game."""
    arguments = ["selfplay", "--players", "random,dummy,greedy", "--board", "tiny", "--target", "20", "--json"]
    outputs = {
        untimed(
            subprocess.run(
                [sys.executable, "-m", "vinci_cli", *arguments],
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for hash_seed in ("1", "2")
    }
    assert outputs == {untimed(vinci(*arguments).text)}


def test_text_output_has_scores_and_wins() -> None:
    """Without --json each game is a line of scores, and the wins of each seat follow."""
    status, text = vinci(
        "selfplay", "--players", "dummy,dummy,dummy", "--board", "tiny", "--target", "20", "--games", "2"
    )
    assert status == 0
    first, second, wins, times = text.splitlines()
    assert first.startswith("1-1: dummy (1) ")
    assert second.startswith("1-2: dummy (1) ")
    assert re.fullmatch(r"wins: dummy \(1\) \S+%  dummy \(2\) \S+%  dummy \(3\) \S+%", wins)
    shares = [float(word.rstrip("%")) for word in wins.split() if word.endswith("%")]
    assert sum(shares) == pytest.approx(100)
    assert re.fullmatch(r"CPU time per decision: dummy \(1\) \S+ ms  dummy \(2\) \S+ ms  dummy \(3\) \S+ ms", times)


def test_json_has_the_cpu_time_of_each_seat() -> None:
    """A player that searches takes more CPU time for a decision than dummies do, and all take some."""
    text = vinci("selfplay", "--players", "dummy,hard,dummy", "--board", "tiny", "--target", "20", "--json").text
    times = json.loads(text)["cpu_ms_per_decision"]
    assert 0 < max(times[0], times[2]) < times[1]
    assert min(times) > 0


def test_editions_options_and_targets_change_the_game() -> None:
    """Edition, options and target given on the command line are used."""
    plain = games("--seed", "1")[0]
    assert games("--seed", "1", "--edition", "standard", "--board", "europe")[0] == plain
    for change in (
        ["--edition", "NL"],
        ["--option", "dummy_preference=formula"],
        ["--target", "90"],
        ["--board", "tiny"],
    ):
        assert games("--seed", "1", *change)[0]["hash"] != plain["hash"]
    assert max(games("--seed", "1", "--target", "60")[0]["vp"]) < max(plain["vp"])


def test_records_are_written(tmp_path: Path) -> None:
    """--records writes a record of each game that is verified and has the printed hash."""
    table = ["--players", "dummy,random,dummy", "--board", "tiny", "--target", "25", "--games", "2", "--seed", "r"]
    played = games(*table, "--records", str(tmp_path / "new" / "folder"))
    for game in played:
        path = tmp_path / "new" / "folder" / f"{game['seed']}.jsonl"
        last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
        assert last["hash"] == game["hash"]
        assert last["result"]["vp"] == game["vp"]
        assert vinci("replay", str(path), "--verify").status == 0
