"""Perft: how many sequences of actions there are from a position, to find any change in what is legal.

As in chess programs: every legal action is played and what follows it is counted. An open decision (`hold`,
`redeploy`) counts as one action, and its suggestion is played. Draws are those of FairChance("perft").
"""

import csv
from collections.abc import Sequence

import pytest

from tests.support.paths import DATA
from tests.support.rules import at, legal
from vinci_rules import position
from vinci_rules.actions import Action
from vinci_rules.chance import FairChance
from vinci_rules.engine import apply, legal_actions, open_decision, suggestion
from vinci_rules.state import State

TABLE = DATA / "perft.csv"
CHANCE = FairChance("perft")


def choices(state: State) -> Sequence[Action]:
    """Return the legal actions, with an open decision as one of them."""
    actions = legal_actions(state)
    return actions if open_decision(state) is None else [*actions, suggestion(state)]


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` actions."""
    line_ups = choices(state)
    if depth == 1:
        return len(line_ups)
    total = 0
    for action in line_ups:
        after = state.copy()
        apply(after, action, CHANCE)
        total += perft(after, depth - 1)
    return total


def rows() -> list[tuple[str, str, int, int]]:
    """Yield the rows of the table: name, position, depth, count."""
    with TABLE.open(encoding="utf-8") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return [(line["name"], line["position"], int(line["depth"]), int(line["count"])) for line in lines]


@pytest.mark.parametrize(
    ("name", "text", "depth", "count"), [pytest.param(*row, id=f"{row[0]}-{row[2]}") for row in rows()]
)
def test_perft(name: str, text: str, depth: int, count: int) -> None:
    """The number of sequences is that of the table."""
    assert perft(position.read(text), depth) == count


def test_the_table_covers_phases_boards_and_editions() -> None:
    """Every phase, both boards and all editions are counted, and positions stand in their canonical form."""
    states = [position.read(text) for _, text, _, _ in rows()]
    assert [position.write(state) for state in states] == [text for _, text, _, _ in rows()]
    assert {state.phase for state in states} == {
        "draft", "start", "peace", "abandon", "conquer", "renaissance", "redeploy", "over"
    }  # fmt: skip
    assert {state.board.name for state in states} == {"europe", "tiny"}
    assert {state.options.edition for state in states} == {"standard", "FR", "NL", "DE", "WEB"}
    assert len({name for name, _, _, _ in rows()}) >= 12


# Counted by hand

LAST_PAWNS = """
    tiny; round 2; turn 1 conquer; seat 1 | BAR+MIL reserve=2 FEN; seat 2 | AGR+CUR GOR=3; seat 3 | AST+SLA reserve=4;
    neutral -
"""


def test_last_pawns_by_hand() -> None:
    """Two pawns in Fen: 2 actions, then 1 + 5 = 6 sequences of two, as listed here."""
    # Depth 1: x ARA (strait, empty farmland: 2 pawns), hold.                                             2
    # After x ARA no pawn is left: hold.                                                                  1
    # After hold seat 2 has Gorge and 2 pawns in reserve: decline, abandon GOR, from the mountain
    # x DOL (3 - 1 = 2) and x HAM (2 - 1 = 1), hold.                                                      5
    state = at(LAST_PAWNS)
    assert [*legal(state), open_decision(state)] == ["x ARA", "hold"]
    assert perft(state, 1) == 2
    apply(after := state.copy(), suggestion(state), CHANCE)
    assert [*legal(after), open_decision(after)] == ["decline", "abandon GOR", "x DOL", "x HAM", "hold"]
    assert perft(state, 2) == 1 + 5


NO_PAWN = """
    tiny; round 2; turn 1 start; seat 1 | DIP+MIL FEN; seat 2 | BAR+CUR GOR; seat 3 | AST+SLA reserve=4; neutral -
"""


def test_diplomacy_without_a_pawn_by_hand() -> None:
    """No pawn but one in Fen, and Diplomacy: 5 actions, then 6 + 2 + 2 + 1 + 3 = 14 sequences of two."""
    # Depth 1: decline, peace 2, peace 3, abandon FEN, hold.                                              5
    # After decline the seat has 10 + 1 VP, enough for every slot: take 1 to take 6.                      6
    # After either peace, with one copy: abandon FEN, hold.                                           2 + 2
    # After abandon FEN one pawn enters nowhere (ARA 2, FEN 2, GOR 3 + 1): hold.                          1
    # After hold seat 2 has Gorge and no pawn, HAM costs 1: decline, abandon GOR, hold.                   3
    state = at(NO_PAWN)
    assert [*legal(state), open_decision(state)] == ["decline", "peace 2", "peace 3", "abandon FEN", "hold"]
    assert perft(state, 1) == 5
    assert perft(state, 2) == 6 + 2 + 2 + 1 + 3


POOR_DRAFT = (
    "tiny; round 0; seat 1 vp=3; seat 2 vp=5; seat 3 vp=9; market AGR+LIV MIN+POR CUR+SLA WEA+SPI FOR+GAL GEN+MIL"
)


def test_draft_with_few_vp_by_hand() -> None:
    """With 3, 5 and 9 VP two, three and five slots are affordable: 2, then 2 x 3, then 2 x 3 x 5 sequences."""
    # A slot costs 0, 2, 4, 6, 8 or 10 VP; markers are paid out only with a civilization, after its price.
    # Then seat 1 with AGR+LIV or MIN+POR, 12 pawns and no land: decline, x ARA, x FEN, x GOR, but no hold.
    state = at(POOR_DRAFT)
    assert legal(state) == ["take 1", "take 2"]
    assert [perft(state, depth) for depth in (1, 2, 3, 4)] == [2, 2 * 3, 2 * 3 * 5, 2 * 3 * 5 * 4]


SPLIT = """
    tiny; rules NL; round 3; turn 2 renaissance; seat 1 survivors=2 | BAR+CUR ARA=2 FEN=2; seat 2 vp=30 | REN+SPI COL=4;
    seat 3 | AST+SLA GOR=3
"""


def test_the_end_of_a_turn_by_hand() -> None:
    """Renaissance declines or stays; then six civilizations, or the survivors of seat 1: 2, then 6 + 1 sequences."""
    # Depth 1: decline, stay.                                                                             2
    # After decline 30 VP pay for every slot: take 1 to take 6.                                           6
    # After stay seat 1, with two provinces, redeploys 2 pawns: one open decision.                        1
    state = at(SPLIT)
    assert legal(state) == ["decline", "stay"]
    assert perft(state, 1) == 2
    assert perft(state, 2) == 6 + 1
