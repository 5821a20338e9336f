"""Scoring: the active and the declined empire (R-SCORE)."""

import pytest

from tests.support.rules import at, cost, of_kind, play, province, seat
from vinci_rules.events import Scored, ScoreItem

OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"


@pytest.mark.rule("R-SCORE-1")
def test_one_vp_for_each_province_and_none_for_mountains() -> None:
    """Three provinces and a mountain score 3."""
    state = at(f"tiny; seat 1 vp=21 | WEA+MIL reserve=2 ARA BOS COL DOL; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold ARA=3 BOS=1 COL=1 DOL=1"))
    assert (scored.seat, scored.vp, scored.total) == (seat(1), 3, 24)
    assert state.vp == [24, 10, 10]


@pytest.mark.rule("R-SCORE-1")
def test_the_number_of_pawns_does_not_matter() -> None:
    """A province scores the same with one pawn or with seven."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=6 ARA; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold ARA=7"))
    assert scored.vp == 1


@pytest.mark.rule("R-SCORE-1")
def test_mountain_scores_by_traits_only() -> None:
    """A mountain itself is worth 0, its mine 2 with Mines."""
    state = at(f"tiny; seat 1 | MIN+MIL reserve=2 GOR DOL; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold DOL=2 GOR=2"))
    assert scored.items == (ScoreItem("active", "mines", province(state, "GOR"), 2),)
    assert scored.vp == 2


@pytest.mark.rule("R-SCORE-1")
def test_bonuses_come_on_top_of_the_provinces() -> None:
    """With Agriculture and Ports a farmland with a port scores 1 + 1 + 1, a forest 1."""
    state = at(f"tiny; seat 1 | AGR+POR reserve=2 ARA BOS; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold ARA=3 BOS=1"))
    assert sorted((item.source, item.vp) for item in scored.items) == [
        ("agriculture", 1), ("ports", 1), ("province", 1), ("province", 1),
    ]  # fmt: skip
    assert scored.vp == 4


@pytest.mark.rule("R-SCORE-1")
def test_only_provinces_kept_score() -> None:
    """Provinces given up at reorganisation are not scored any more."""
    state = at(f"tiny; rules NL; seat 1 | WEA+MIL reserve=3 ARA BOS COL; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold ARA=6"))
    assert scored.vp == 1


@pytest.mark.rule("R-SCORE-1")
def test_slavery_is_scored_with_the_provinces() -> None:
    """Each pawn removed this turn is worth 1 VP, also where the province is not kept."""
    state = at("tiny; rules NL; seat 1 | SLA+MIL reserve=7 COL; seat 2 | BAR+CUR; seat 3 | AST+LIV; neutral ARA ERB")
    [scored] = of_kind(Scored, play(state, "x ARA", "x ERB", "hold ARA=4 COL=4"))
    assert ScoreItem("active", "slavery", None, 2) in scored.items
    assert scored.vp == 2 + 2


@pytest.mark.rule("R-SCORE-1")
def test_empire_without_land_scores_zero() -> None:
    """A seat without provinces scores 0."""
    state = at("tiny; seat 1 vp=17 | CUR+MIL; seat 2 | BAR+LIV; seat 3 | AST+SLA")
    [scored] = of_kind(Scored, play(state, "hold"))
    assert (scored.vp, scored.total) == (0, 17)


@pytest.mark.rule("R-SCORE-2")
def test_the_declined_empire_scores_its_provinces() -> None:
    """Declined provinces are worth 1 each and mountains 0, in every turn of the seat."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=3 FEN | - COL DOL ERB; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold FEN=4"))
    assert [(item.empire, item.vp) for item in scored.items] == [("active", 1), ("declined", 1), ("declined", 1)]
    assert scored.vp == 3


@pytest.mark.rule("R-SCORE-2")
@pytest.mark.parametrize(
    ("traits", "vp"),
    [("-", 4), ("AGR*", 5), ("LIV*", 5), ("MIN*", 8), ("POR*", 5), ("AGR*+POR*", 6), ("MIN*+SPE", 12)],
)
def test_lasting_traits_pay_in_decline(traits: str, vp: int) -> None:
    """The declined empire of four provinces and two mountains adds its lasting traits, twice with Specialization."""
    state = at(f"tiny; seat 1 | WEA+MIL | {traits} BOS COL DOL ERB GOR HAM; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold"))
    assert scored.vp == vp
    assert {item.empire for item in scored.items} == {"declined"}


@pytest.mark.rule("R-SCORE-2", "R-ENTRY-4")
def test_the_declined_empire_scores_for_a_seat_that_could_not_enter() -> None:
    """A seat whose new civilization is kept out still scores its decline."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=1 | - COL HAM; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold"))
    assert scored.vp == 2


@pytest.mark.rule("R-SCORE-2")
def test_a_declined_empire_scores_only_on_turns_of_its_own_seat() -> None:
    """While other seats play, a seat scores nothing."""
    state = at("tiny; seat 1 | WEA+MIL | - COL; seat 2 | BAR+CUR | - HAM; seat 3 | AST+SLA | - FEN")
    play(state, "hold")
    assert state.vp == [11, 10, 10]
    play(state, "hold")
    assert state.vp == [11, 11, 10]


@pytest.mark.rule("R-SCORE-3")
@pytest.mark.parametrize(
    ("active", "declined", "vp"),
    [
        ("MIN+MIL", "-", 2),
        ("CUR+MIL", "-", 3),
        ("LIV+MIL", "-", 3),
        ("WEA+MIL", "LIV*", 2),
        ("LIV+MIL", "MIN*", 5),
        ("LIV+SPE", "-", 4),
    ],
)
def test_neither_empire_scores_by_the_traits_of_the_other(active: str, declined: str, vp: int) -> None:
    """With a pasture active and hills with a mine declined each empire counts its own traits only."""
    state = at(f"tiny; seat 1 | {active} reserve=3 FEN | {declined} COL; seat 2 | BAR+AGR; seat 3 | AST+SLA")
    [scored] = of_kind(Scored, play(state, "hold FEN=4"))
    assert scored.vp == vp


@pytest.mark.rule("R-SCORE-3", "R-CONQ-3")
def test_militia_of_the_active_empire_does_not_defend_the_declined_one() -> None:
    """A declined province costs its terrain and its pawn, whatever the active empire of its seat has."""
    state = at("tiny; seat 1 | BAR+WEA reserve=9 ARA; seat 2 | MIL+SPE FEN=3 | - COL; seat 3 | AST+SLA")
    assert cost(state, "COL") == 2 + 1 - 1
    assert cost(state, "FEN") == 2 + 3 + 2 - 1


@pytest.mark.rule("R-SCORE-3")
def test_a_lasting_trait_of_the_decline_adds_no_copy_to_the_active_empire() -> None:
    """Livestock declined and Livestock active stay one copy each."""
    state = at(f"tiny; seat 1 | LIV+MIL reserve=3 FEN | LIV* ERB; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold FEN=4"))
    assert scored.vp == 2 + 2
