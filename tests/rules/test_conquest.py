"""Conquests: reach, cost, consequences (R-CONQ)."""

import pytest
from rules.table import allowed, at, cost, legal, pawns, play, refused
from vinci_rules.violations import NotEnoughPawns, OutOfReach

OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"


@pytest.mark.rule("R-CONQ-3")
def test_forest_costs_three_and_each_defender_one() -> None:
    """An empty plain costs 2, a forest 3, and every pawn in it 1 more."""
    state = at(f"tiny; turn 1 start; seat 1 | MIL+GAL reserve=9 COL; {OTHERS}; neutral BOS ERB")
    assert cost(state, "ARA") == 2
    assert cost(state, "BOS") == 4
    assert refused(at(f"tiny; seat 1 | MIL+GAL reserve=3 COL; {OTHERS}; neutral BOS"), "x BOS") == NotEnoughPawns(
        "R-CONQ-3", state.board.index["BOS"], needed=4, available=3
    )


@pytest.mark.rule("R-CONQ-1", "R-CONQ-2")
def test_only_adjacent_provinces_can_be_conquered() -> None:
    """Conquests go to neighbours by land or strait, not to a province that only shares the coast."""
    state = at(f"tiny; seat 1 | MIL+MED reserve=9 FEN; {OTHERS}")
    assert [action for action in legal(state) if action.startswith("x ")] == ["x ARA"]
    assert isinstance(refused(state, "x BOS"), OutOfReach)
    play(state, "x ARA")
    assert pawns(state, "ARA") == [3]
    assert allowed(state, "x BOS")
