"""The library: games, positions, players and records by `import vinci`."""

import doctest
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import vinci
import vinci_library
from tests.support.cli_runner import vinci as command
from tests.support.paths import PROJECT
from vinci_bots.builtin import selfplay
from vinci_rules import record
from vinci_rules.board import load_board
from vinci_rules.editions import options
from vinci_rules.state import Seat

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def test_examples_of_the_docs() -> None:
    """Every example has the output that is written below it."""
    results = doctest.testfile(str(PROJECT / "docs" / "library.md"), module_relative=False, optionflags=FLAGS)
    assert results.attempted > 20
    assert not results.failed


def test_examples_in_docstrings() -> None:
    """Every example has the output that is written below it."""
    results = doctest.testmod(vinci_library)
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("names", [["normal", "greedy", "random"], ["easy", "dummy", "dummy"]])
def test_game_is_that_of_selfplay(names: list[str]) -> None:
    """The same seed gives the same actions and draws, dummies included."""
    played = selfplay.play(names, load_board("tiny"), options(tuple(name == "dummy" for name in names)), "same")
    game = vinci.new_game(seats=3, dummies=names.count("dummy"), board="tiny", seed="same")
    while game.seat is not None:
        game.play(vinci.players[names[game.seat]](game))
    mine, theirs = ([json.loads(line) for line in lines] for lines in (game.record(), played.lines))
    assert [line.get("do") for line in mine] == [line.get("do") for line in theirs]
    assert [line.get("picks") for line in mine] == [line.get("picks") for line in theirs]
    assert mine[-1]["result"] == theirs[-1]["result"]
    assert record.verify_chance(game.record()) > 0


@pytest.mark.parametrize("edition", ["standard", "FR", "NL", "DE", "WEB"])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_random_games_of_every_edition_are_valid_records(edition: str, seats: int) -> None:
    """Whatever `legal_actions` returns can be played, and the command verifies the record."""
    chance = random.Random(seats)
    game = vinci.new_game(seats, edition=edition, seed=f"{edition}{seats}", target=40, names=["A", "B"])
    while not game.is_over:
        game.play(chance.choice(game.legal_actions()))
    loaded = vinci.load(game.record())
    assert loaded == game
    assert loaded.actions == game.actions


def test_record_is_written_loaded_and_played_on(tmp_path: Path) -> None:
    """From a file, before the end of the game; a copy goes its own way, and draws the same."""
    game = vinci.new_game(dummies=2, seed="file")
    for _ in range(20):
        game.play(vinci.players["greedy"](game))
    game.save(tmp_path / "game.jsonl")
    loaded = vinci.load(tmp_path / "game.jsonl")
    copied = loaded.copy()
    assert (loaded, loaded.record()) == (game, game.record())
    for one in (game, loaded):
        while not one.is_over:
            one.play(vinci.players["normal"](one))
    assert loaded.record() == game.record()
    assert copied.actions == game.actions[: len(copied.actions)]
    assert command("replay", "--verify", str(tmp_path / "game.jsonl")).status == 0


def test_record_of_a_server_is_loaded() -> None:
    """One with a seed that was secret, and with times; it is over, so nothing more is played."""
    lines = (PROJECT / "tests" / "data" / "record-times.jsonl").read_text(encoding="utf-8").splitlines()
    game = vinci.load(lines)
    assert game.is_over
    assert game.record() == lines
    assert game.scores == tuple(json.loads(lines[-1])["result"]["vp"])
    with pytest.raises(vinci.IllegalAction, match="nothing, the game is over"):
        game.play("take 1")


def test_actions_that_were_taken_back_are_left_out() -> None:
    """Twice in a row, so that numbers of actions and of lines differ; the game goes on from there."""
    text = "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    game = vinci.new_game(position=text, seed="u")
    states = [game.copy()]
    for _ in range(2):
        game.play(next(action for action in game.legal() if action.startswith("x ")))
        states.append(game.copy())
    start, one, two = (json.loads(line) for line in game.record())
    back = record.chained(record.undo_line(3, Seat(0), "player", 1), two["hash"], states[1].state)
    again = record.chained(record.action_line(4, Seat(0), "player", two["do"], [], []), back["hash"], states[2].state)
    first = record.chained(record.undo_line(5, Seat(0), "player", 0), again["hash"], states[0].state)
    loaded = vinci.load([*map(record.dump, (start, one, two, back, again, first))])
    assert (loaded, loaded.actions) == (states[0], [])
    loaded = vinci.load([*map(record.dump, (start, one, two, back, again))])
    assert (loaded, loaded.actions) == (states[2], [one["do"], two["do"]])
    loaded.play(loaded.legal()[0])
    assert vinci.load(loaded.record()) == loaded


def test_game_without_a_seed_cannot_be_played_on() -> None:
    """The error says why; the record is that which was given."""
    lines = vinci.new_game(seats=3, board="tiny", seed="s").record()
    first = json.loads(lines[0])
    del first["seed"]
    first["commitment"] = "0" * 64
    start = vinci.new_game(seats=3, board="tiny", seed="s").state
    secret = [record.dump(record.chained({key: first[key] for key in first if key != "hash"}, "", start))]
    game = vinci.load(secret)
    assert game.record() == secret
    with pytest.raises(ValueError, match="does not tell the seed"):
        game.play("take 1")


def test_changed_record_is_refused() -> None:
    """Loading verifies draws, not only hashes."""
    lines = vinci.new_game(seats=3, board="tiny", seed="s").record()
    first = json.loads(lines[0]) | {"seed": "other"}
    del first["hash"]
    start = vinci.new_game(seats=3, board="tiny", seed="s").state
    with pytest.raises(record.RecordError, match="the seed gives"):
        vinci.load([record.dump(record.chained(first, "", start))])


def test_seed_can_be_a_number() -> None:
    """It is the same as its digits, 0 too."""
    assert [vinci.new_game(seed=seed).seed for seed in (7, "7", 0)] == ["7", "7", "0"]


def test_game_of_dummies_only_is_over_at_once() -> None:
    """They play it to its end, and it has a whole record."""
    game = vinci.new_game(seats=3, dummies=3, board="tiny", seed="d")
    assert game.is_over
    assert vinci.load(game.record()) == game


def test_game_from_a_position() -> None:
    """It starts there, and its record can be loaded."""
    text = "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    game = vinci.new_game(position=text, seed="p")
    assert (game.seat, game.phase) == (0, "start")
    game.play(game.legal()[-1])
    assert vinci.load(game.record()) == game


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda game: game.play("x QQQ"), "there is no province 'QQQ' on the board tiny"),
        (lambda game: game.play("take 9"), "take 9: .* Legal: take 1, take 2, "),
        (lambda game: game.cost("x ARA"), "x ARA: Not now"),
        (lambda game: vinci.new_game(seats=7), "7"),
        (lambda game: vinci.new_game(seats=3, names="ABCD"), "names: there are 4 for 3 seats"),
        (lambda game: game.play(3), "3 is no action on the board tiny"),
        (lambda game: game.check(vinci.actions.Conquer(province=99)), r"Conquer\(province=99, .* is no action"),  # type: ignore[arg-type]
        (lambda game: vinci.load(sys.executable), "is no record: it is not text in UTF-8"),
        (lambda game: vinci.new_game(seats=3, dummies=4), "dummies: 4 of 3 seats is not possible; 0 to 3 are"),
        (lambda game: vinci.new_game(edition="XX"), "standard, FR, NL, DE, WEB"),
        (lambda game: vinci.Position("tiny; seat 9"), "seat"),
        (lambda game: vinci.players["esay"], "there are dummy, greedy, random, easy"),
        (lambda game: vinci.players["easy:3"], "easy does not look ahead"),
        (
            lambda game: getattr(vinci, "nothing"),  # noqa: B009
            "vinci has no nothing; it has Game",
        ),
    ],
)
def test_mistakes_are_refused(call: Any, error: str) -> None:
    """The error says what would be right, and nothing has changed."""
    game = vinci.new_game(seats=3, board="tiny", seed="s")
    before = str(game)
    with pytest.raises((ValueError, KeyError, AttributeError), match=error):
        call(game)
    assert str(game) == before


def test_messages_load_no_rules() -> None:
    """A program that imports messages of the protocol pays for nothing else; their package has the library, too."""
    code = "import sys, vinci.v1.game_pb2, vinci; print([m for m in sys.modules if m.startswith('vinci_')], dir(vinci))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith("[] ")
    assert "new_game" in said


def test_stub_has_all_names() -> None:
    """Type checkers know the names that are looked up late."""
    stub = (PROJECT / "proto" / "vinci" / "__init__.pyi").read_text()
    assert all(f"import {name} as {name}" in stub for name in vinci_library.__all__)
    assert all(getattr(vinci, name) is getattr(vinci_library, name) for name in vinci_library.__all__)
    assert dir(vinci) == [*vinci_library.__all__, "v1"]
