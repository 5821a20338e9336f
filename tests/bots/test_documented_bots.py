"""The bots in docs/bots.md play whole games as they are printed there."""

import asyncio
import json
import re
import shlex
import textwrap
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.documented_commands import saved_as
from tests.support.paths import DOCS
from tests.support.processes.vinci_process import run
from vinci_bots.environment import ADDRESS, ANALYSIS, CODE, GAMES, KEY, NAME, SEAT, SEAT_TOKEN, SEED
from vinci_bots.sdk import Bot, Turn
from vinci_codec import actions
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance, FastChance
from vinci_rules.editions import options
from vinci_rules.engine import apply, check, new_game, play, ranks
from vinci_rules.playout import random_action

PAGE = (DOCS / "bots.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def bot_in(program: str) -> type[Bot]:
    """Return the bot that a program defines, without running it."""
    made: dict[str, object] = {"__name__": "page"}
    exec(program, made)
    (kind,) = [one for one in made.values() if isinstance(one, type) and issubclass(one, Bot) and one is not Bot]
    return kind


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: bot_in(program).__name__)
def test_documented_bot_plays_a_whole_game(program: str) -> None:
    """A bot from the page plays every seat of a short game on the tiny board with legal answers only."""
    kind = bot_in(program)
    if hasattr(kind, "playouts"):
        kind.playouts = 1  # it is to play, and need not play well
    chance = FairChance("1")
    state = new_game(load_board("tiny"), options((False,) * 3, target=25), chance)
    longest = 0
    while state.phase != "over":
        turn = Turn.of(state)
        answer = kind().choose(turn)
        messages = turn.messages(asyncio.run(answer) if asyncio.iscoroutine(answer) else answer)
        for message in messages:
            action = actions.from_message(message, state.board)
            assert check(state, action) is None, f"{kind.__name__}: {action}"
            apply(state, action, chance)
        longest = max(longest, len(messages))
    assert longest > 1 if kind.__name__ == "whole" else longest == 1


def program_of(name: str) -> str:
    """Return the program of the bot with this name."""
    return next(str(program) for program in PROGRAMS if bot_in(program).__name__ == name)


def test_tree_search_is_short_and_plays_at_a_server(tmp_path: Path) -> None:
    """The class of the tree search has thirty lines at most, and as a process it plays a match to its end."""
    program = program_of("Mcts")
    bot, _, _ = program[program.index("class ") :].partition("\n\n\nif __name__")
    assert len(bot.splitlines()) <= 30
    file, out = tmp_path / "mcts.py", tmp_path / "match"
    file.write_text(program, encoding="utf-8")
    bots = (str(file), "random", "dummy")
    settings = ("--board", "tiny", "--option", "target=20", "--seed", "7", "--out", str(out))
    run(tmp_path, "match", "--bots", *bots, *settings)
    result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    assert [seat["forfeit"] for seat in result["seats"]] == [None] * 3


def test_debugger_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match and the decision of the page, pasted one after the other, give the printed lines, but for the time."""
    section = PAGE.partition("\n## Looking into a bot\n")[2].partition("\n## ")[0]
    for name in ("first.py", "second.py"):
        (tmp_path / name).write_text(saved_as(name, PAGE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for words in ("match", "bot debug .*--at"):
        (command,) = re.findall(rf"^    vinci ({words}.*)", section, re.MULTILINE)
        told = run(tmp_path, *shlex.split(command)).out
    (printed,) = re.findall(r"^    at .*\n(?:     .*\n)+", section, re.MULTILINE)
    assert re.sub(r"\d\.\d\d s", "", told) == re.sub(r"\d\.\d\d s", "", textwrap.dedent(printed))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 400, 100))
def test_tree_search_beats_random_players(first: int) -> None:
    """It wins most of a hundred games against two random players; even play would win a third."""
    kind = bot_in(program_of("Mcts"))
    won = 0
    for number in range(first, first + 100):
        random, chance = Random(number), FastChance(number)
        state = new_game(load_board("tiny"), options((False,) * 3, target=40), chance)
        while state.phase != "over":
            if state.actor == number % 3:
                answer: Any = kind().choose(Turn.of(state, f"{number}-{state.round}-{state.phase}"))
            else:
                answer = random_action(state, random)
            play(state, answer, chance)
        won += ranks(state)[number % 3] == 1
    assert won >= 80


def test_page_has_bots_and_the_first_is_short() -> None:
    """The page has bots, and the first one has at most ten lines."""
    assert len(PROGRAMS) >= 4
    assert len([line for line in PROGRAMS[0].splitlines() if line]) <= 10


def test_page_lists_all_environment_variables() -> None:
    """The page has a row for each environment variable of a bot, for a seat and for a remote bot, and no other row."""
    rows = re.findall(r"^\| `(VINCI_\w+)` \|", PAGE, re.MULTILINE)
    assert rows == [ADDRESS, SEAT_TOKEN, SEAT, SEED, CODE, KEY, ANALYSIS, ADDRESS, CODE, NAME, KEY, GAMES]


def test_page_lists_all_attributes_of_a_turn() -> None:
    """Every public attribute of `Turn` is in the table."""
    table = PAGE.partition("| of `turn` | |")[2].partition("\n\n")[0]
    names = set(re.findall(r"`(\w+)(?:\(|`)", "\n".join(row.split("|")[1] for row in table.splitlines() if row)))
    offered = {name for name in dir(Turn.of("tiny; round 0; seat 1; seat 2; seat 3")) if not name.startswith("_")}
    assert offered - {"of", "messages"} == names
