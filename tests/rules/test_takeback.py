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
    """Actions of a game from START: what can be taken back after them, and the lines of their record."""

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
        """Go back."""
        self.number += 1
        self.state = self.takeback.back(self.number, to).copy()
        self._write(record.undo_line(self.number, seat(number), "player", to))

    def _write(self, line: record.Line) -> None:
        chained = record.chained(line, self.hash, self.state)
        self.hash = chained["hash"]
        self.lines.append(record.dump(chained))

    @property
    def possible(self) -> list[int]:
        """Numbers of the positions that an undo can return to."""
        return list(self.takeback.positions())


def test_the_first_position_cannot_go_back() -> None:
    """There is nothing before it."""
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


def test_after_going_back_one_can_go_back_further_but_not_forward() -> None:
    """Check that undone positions cannot be restored and new positions get new numbers."""
    game = Played()
    game.act(1, "x FEN")
    game.act(1, "x COL")
    game.undo(1, 1)
    assert game.possible == [0]
    game.act(1, "x BOS")
    assert game.possible == [0, 3]


def test_the_end_of_a_turn_cannot_be_taken_back() -> None:
    """Then it is somebody else's move."""
    game = Played()
    game.act(1, "hold ARA=10")
    assert game.possible == []
    assert game.state.actor == seat(2)


@pytest.mark.parametrize("by", ["default", "clock", "substitute", "dummy"])
def test_what_somebody_else_did_for_a_seat_stays(by: str) -> None:
    """A player who returns takes back nothing of it, nor what was before."""
    game = Played()
    game.act(1, "x FEN")
    game.act(1, "x COL", by)
    assert game.possible == []


def test_what_was_drawn_stays() -> None:
    """A draft fills the market anew: now something is known that was not."""
    game = Played()
    game.act(1, "decline")
    assert game.possible == [0]
    game.act(1, "take 1")
    assert game.possible == []


def replayed(lines: list[str]) -> tuple[State, list[int | None]]:
    """The last position of a record, and where each line went back to."""
    undone = []
    state = None
    for step in record.replay(lines):
        undone.append(step.undo)
        state = step.state.copy()
    assert state is not None
    return state, undone


def test_a_record_tells_an_undo_as_a_line_of_its_own() -> None:
    """Nothing is removed from it, and it leads to the same position."""
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
