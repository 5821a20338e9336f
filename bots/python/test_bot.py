"""Tests of the bot in positions and in a whole game, without a server. Run as `python -m unittest`."""

import unittest

from bot import MyBot

from vinci_bots.sdk import Turn
from vinci_rules import notation
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import options
from vinci_rules.engine import apply, new_game


def answer(position: str) -> str:
    """Return the action of the bot in a position."""
    turn = Turn.of(position)
    return notation.write(MyBot().choose(turn), turn.board)


class Choices(unittest.TestCase):
    """Single decisions, and all of a game."""

    def test_it_conquers_what_is_worth_most(self) -> None:
        """ARA and COL cost the same, but COL has a mine, which scores for miners."""
        others = "seat 2 | BAR+CUR ERB=4; seat 3 | AST+SLA; neutral -"
        assert answer(f"tiny; turn 1 conquer; seat 1 | MIN+MIL reserve=2 BOS; {others}") == "x COL"

    def test_it_ends_its_turn_when_no_pawns_are_left(self) -> None:
        """Then there is nothing to conquer."""
        others = "seat 2 | BAR+CUR ERB=4; seat 3 | AST+SLA"
        assert answer(f"tiny; turn 1 conquer; seat 1 | WEA+MIL ARA=9; {others}") == "hold ARA=9"

    def test_a_whole_game_of_it_is_legal(self) -> None:
        """It plays all seats; an illegal action would raise IllegalAction."""
        chance = FairChance("1")
        state = new_game(load_board("europe"), options((False,) * 4), chance)
        while state.phase != "over":
            apply(state, MyBot().choose(Turn.of(state)), chance)
        assert max(state.vp) > 50


if __name__ == "__main__":
    unittest.main()
