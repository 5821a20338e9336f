"""Undo of one's own actions: positions that can be restored, and the lines of a record."""

import json

import pytest

from tests.support.rules import act, at, seat
from vinci_rules import record
from vinci_rules.chance import FastChance, RecordingChance
from vinci_rules.engine import apply
from vinci_rules.record import RecordError
from vinci_rules.state import State
from vinci_rules.takeback import Takeback

START = "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"


class Played:
    """Actions of a game from START, with the possible undos after them and the lines of their record."""

    def __init__(self) -> None:
        self.state = at(START)
        self.takeback = Takeback(0, self.state.copy())
        self.number = 0
        line = record.start_line(self.state, start=START)
        self.lines = [record.dump(line)]
        self.hash = line["hash"]

    def act(self, number: int, text: str, by: str = "player") -> None:
        """Play an action of a seat, counted from 1."""
        self.number += 1
        drawn = RecordingChance(FastChance(1))
        apply(self.state, act(self.state, text), drawn)
        self.takeback.note(self.number, seat(number), by, drawn.picks, self.state.copy())
        self._write(record.action_line(self.number, seat(number), by, text, drawn.picks, ()))

    def undo(self, number: int, to: int) -> None:
        """Undo to an earlier position."""
        self.number += 1
        self.state = self.takeback.back(self.number, to).copy()
        self._write(record.undo_line(self.number, seat(number), "player", to))

    def _write(self, line: record.Line) -> None:
        chained = record.chained(line, self.hash, self.state)
        self.hash = chained["hash"]
        self.lines.append(record.dump(chained))

    @property
    def possible(self) -> list[int]:
        """Return the numbers of the positions that an undo can return to."""
        return list(self.takeback.positions())


def test_start_cannot_be_undone() -> None:
    """There is no earlier position."""
    assert Played().possible == []


def test_each_action_of_the_turn_can_be_taken_back() -> None:
    """To any position since the turn began."""
    game = Played()
    game.act(1, "x FEN")
    game.act(1, "x COL")
    assert game.possible == [0, 1]
    before = at(START)
    game.undo(1, 0)
    assert game.state == before


def test_undone_positions_cannot_be_restored() -> None:
    """Undone positions cannot be restored, and new positions get new numbers."""
    game = Played()
    game.act(1, "x FEN")
    game.act(1, "x COL")
    game.undo(1, 1)
    assert game.possible == [0]
    game.act(1, "x BOS")
    assert game.possible == [0, 3]


def test_end_of_a_turn_cannot_be_undone() -> None:
    """After it another seat is to move."""
    game = Played()
    game.act(1, "hold ARA=10")
    assert game.possible == []
    assert game.state.actor == seat(2)


@pytest.mark.parametrize("by", ["default", "clock", "substitute", "dummy"])
def test_actions_of_a_substitute_cannot_be_undone(by: str) -> None:
    """A returning player cannot undo them, nor own actions before them."""
    game = Played()
    game.act(1, "x FEN")
    game.act(1, "x COL", by)
    assert game.possible == []


def test_action_with_a_draw_cannot_be_undone() -> None:
    """A draft fills the market, which reveals new information."""
    game = Played()
    game.act(1, "decline")
    assert game.possible == [0]
    game.act(1, "take 1")
    assert game.possible == []


def replayed(lines: list[str]) -> tuple[State, list[int | None]]:
    """Return the last position of a record, and the target of the undo of each line."""
    undone = []
    state = None
    for step in record.replay(lines):
        undone.append(step.undo)
        state = step.state.copy()
    assert state is not None
    return state, undone


def test_undo_is_a_line_of_the_record() -> None:
    """No line is removed, and a replay leads to the same position."""
    game = Played()
    game.act(1, "x FEN")
    game.act(1, "x COL")
    game.undo(1, 1)
    game.act(1, "x BOS")
    state, undone = replayed(game.lines)
    assert state == game.state
    assert undone == [None, None, None, 1, None]


@pytest.mark.parametrize(("to", "number"), [(1, 1), (7, 1), (0, 2), ("0", 1), (None, 1)])
def test_a_record_with_an_undo_that_cannot_be_is_refused(to: object, number: int) -> None:
    """The line is named, and what would be possible."""
    game = Played()
    game.act(1, "x FEN")
    line = record.chained({"n": 2, "seat": number, "by": "player", "undo": to}, game.hash, game.state)
    with pytest.raises(RecordError, match=r"line 3: .*(possible here: 0|must be numbers)"):
        replayed([*game.lines, json.dumps(line)])
