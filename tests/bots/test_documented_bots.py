"""The bots in docs/bots.md play whole games as they are printed there."""

import asyncio
import re

import pytest

from tests.support.paths import DOCS
from vinci_bots.environment import ADDRESS, ANALYSIS, CODE, KEY, SEAT, SEAT_TOKEN, SEED
from vinci_bots.sdk import Bot, Turn
from vinci_codec import actions
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import options
from vinci_rules.engine import apply, check, new_game

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


def test_page_has_bots_and_the_first_is_short() -> None:
    """The page has bots, and the first one has at most ten lines."""
    assert len(PROGRAMS) >= 4
    assert len([line for line in PROGRAMS[0].splitlines() if line]) <= 10


def test_page_lists_all_environment_variables() -> None:
    """The page has a row for each environment variable of a bot, and no other row."""
    rows = re.findall(r"^\| `(VINCI_\w+)` \|", PAGE, re.MULTILINE)
    assert rows == [ADDRESS, SEAT_TOKEN, SEAT, SEED, CODE, KEY, ANALYSIS]


def test_page_lists_all_attributes_of_a_turn() -> None:
    """Every public attribute of `Turn` is in the table."""
    table = PAGE.partition("| of `turn` | |")[2].partition("\n\n")[0]
    names = set(re.findall(r"`(\w+)(?:\(|`)", "\n".join(row.split("|")[1] for row in table.splitlines() if row)))
    offered = {name for name in dir(Turn.of("tiny; round 0; seat 1; seat 2; seat 3")) if not name.startswith("_")}
    assert offered - {"of", "messages"} == names
