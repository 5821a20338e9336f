"""`vinci play` as a process: a whole game through a pipe, alone, interrupted, without processes left."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.support.processes.vinci_process import Vinci, children, fails, is_running, run, until

SOLO = ("play", "--line", "--board", "tiny", "--players", "human,dummy,dummy", "--target", "30", "--seed", "solo")
RECORD = re.compile(r"vinci replay (\S+)")
TYPED = re.compile(r"\(([a-z]+(?: [^()]*)?)\)")
"""The notation of a suggestion behind its words, which may have the number of a seat in brackets."""


def play_on(game: Vinci, *, turns: int = 1000) -> bool:
    """Answer prompts with the suggestion, typed or by `ok`; return whether the game is over."""
    for turn in range(turns):
        try:
            game.expect("seat 1> ")
        except AssertionError:
            if "The record is in" in game.out:
                return True
            raise
        game.type("suggest\n")
        game.expect("Suggestion: ")
        typed = TYPED.search(" ".join(game.expect("seat 1> ").split()))
        assert typed, game.out
        game.type("ok\n" if turn % 2 else f"{typed[1]}\n")
    return False


def replays(game: Vinci, home: Path) -> None:
    """Check that the record named by the game exists and is verified."""
    match = RECORD.search(game.out.replace("\n", " "))
    assert match, game.out
    assert "verified" in run(home, "replay", match[1], "--verify").out


def test_whole_game_through_a_pipe(tmp_path: Path) -> None:
    with Vinci(tmp_path, *SOLO, typed=True) as game:
        assert play_on(game)
        assert game.ended() == 0
    assert game.err == ""
    replays(game, tmp_path)
    assert json.loads((tmp_path / "seats.json").read_text()) == []


def test_invalid_lines_in_the_pipe_are_answered(tmp_path: Path) -> None:
    with Vinci(tmp_path, *SOLO, typed=True) as game:
        for text in (
            "fly ALP",
            "x ZZZ",
            "take 99",
            "ok",
            "why x ARA",
            "legal",
            "board",
            "rules R-CONQ-3",
            "forfeit",
            "",
        ):
            game.expect("seat 1> ")
            game.type(f"{text}\n")
        game.expect("seat 1> ")
        assert not play_on_typed(game)
        game.hang_up()
        assert game.ended() == 0
    assert "Traceback" not in game.out + game.err
    for answer in ("is not an action", "on the board tiny", "R-DRAFT-1", "Type suggest first", "forfeit yes"):
        assert answer in game.out.replace("\n", " ")


def play_on_typed(game: Vinci) -> bool:
    """Play suggestions from an open prompt; return whether the game is over."""
    game.type("suggest\n")
    game.expect("Suggestion: ")
    game.expect("seat 1> ")
    game.type("ok\n")
    game.expect("seat 1> ")
    return False


def test_game_without_terminal_plays_by_itself(tmp_path: Path) -> None:
    game = run(tmp_path, "play", "--board", "tiny", "--players", "human,random,dummy", "--target", "25", "--seed", "1")
    assert "conquers" in game.out
    assert re.search(r"\b1\.? ", game.out)
    assert "25" in game.out or "VP" in game.out
    assert game.err == ""


def test_python_file_is_a_bot_for_local_games_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.py").write_text(
        "from vinci_bots.sdk import bot, run\n@bot\ndef first(turn): return turn.advice\nrun(first)\n"
    )
    game = run(tmp_path, "play", "--board", "tiny", "--players", "human,first.py,dummy", "--target", "16")
    assert re.search(r"^  \d\. first \(2\): ", game.out, re.MULTILINE)
    assert "unknown player none.py" in fails(tmp_path, "play", "--players", "human,none.py,dummy")
    output = fails(tmp_path, "serve", "--players", "human,first.py,dummy")
    assert "a server knows bots by name; give first here, then run vinci bot run first.py" in output


def test_left_game_is_resumed(tmp_path: Path) -> None:
    with Vinci(tmp_path, *SOLO, typed=True) as game:
        assert not play_on(game, turns=6)
        game.expect("seat 1> ")
        game.type("scores\n")
        game.expect("seat 1> ")
        game.type("quit\n")
        assert game.ended() == 0
        assert "The game waits for you" in game.out
    (seat,) = json.loads((tmp_path / "seats.json").read_text())
    assert (tmp_path / "seats.json").stat().st_mode & 0o077 == 0
    with Vinci(tmp_path, "play", "--line", typed=True) as game:
        game.expect("Go on with it? Yes")
        assert f"Match {seat['match_id']}, seat 1" in game.expect("seat 1> ")
        game.type("\n")
        assert play_on(game)
        assert game.ended() == 0
    replays(game, tmp_path)


def test_end_of_the_pipe_keeps_the_game(tmp_path: Path) -> None:
    with Vinci(tmp_path, *SOLO, typed=True) as game:
        assert not play_on(game, turns=2)
        game.expect("seat 1> ")
        game.hang_up()
        assert game.ended() == 0
        assert "The game waits for you" in game.out


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_a_killed_game(tmp_path: Path, number: signal.Signals) -> None:
    players = ("--players", "human,random,greedy", "--new")
    with Vinci(tmp_path, "play", "--line", "--board", "tiny", *players, typed=True) as game:
        game.expect("seat 1> ")
        started = children(game.pid)
        assert len(started) == 3
        game.send(number)
        assert game.ended() != 0
        until(lambda: not any(map(is_running, started)), "the end of the server and the bots")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_killed_game_is_resumed(tmp_path: Path) -> None:
    with Vinci(tmp_path, *SOLO, typed=True) as game:
        assert not play_on(game, turns=4)
        game.expect("seat 1> ")
        for pid in children(game.pid):
            until(lambda pid=pid: is_running(pid), "the server")  # type: ignore[misc]
        game.kill()
    with Vinci(tmp_path, "play", "--line", typed=True) as game:
        game.expect("Go on with it? Yes")
        game.expect("seat 1> ")
        game.type("quit\n")
        assert game.ended() == 0


def test_game_in_french(tmp_path: Path) -> None:
    with Vinci(tmp_path, *SOLO, "--lang", "fr", typed=True) as game:
        game.expect("Tapez help pour voir")
        game.expect("place 1> ")
        game.type("x ZZZ\n")
        game.expect("Il n'y a pas de province 'ZZZ' sur le plateau tiny")
        game.type("take 1\n")
        game.expect("Vous prenez ")
        game.expect("vous avez ")
        game.type("quit\n")
        game.expect("La partie vous attend.")
        assert game.ended() == 0
    assert game.err == ""
