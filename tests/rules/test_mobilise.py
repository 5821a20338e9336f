"""Mobilisation, abandoning, and what a turn allows when (R-MOB)."""

import pytest

from tests.support.rules import (
    active,
    allowed,
    at,
    cost,
    legal,
    of_kind,
    pawns,
    play,
    province,
    provinces,
    refused,
    seat,
)
from vinci_rules.events import Abandoned, TurnStarted
from vinci_rules.state import State
from vinci_rules.violations import NotHeld, NotNow, OutOfReach

OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"


def turn_of_1(empire: str, rules: str = "standard") -> tuple[State, TurnStarted]:
    """Return the start of the turn of seat 1 with this empire, after seat 3 has ended its own."""
    others = "seat 2 | BAR+CUR HAM=3; seat 3 | AST+SLA GOR=2"
    state = at(f"tiny; rules {rules}; turn 3 conquer; seat 1 | {empire}; {others}; neutral -")
    (started,) = of_kind(TurnStarted, play(state, "hold GOR=2"))
    return state, started


@pytest.mark.rule("R-MOB-1")
def test_one_pawn_stays_in_each_province() -> None:
    """Of garrisons of 4, 3 and 1 one pawn each stays and five return to the reserve."""
    state, started = turn_of_1("WEA+MIL ARA=4 BOS=3 FEN")
    assert started == TurnStarted(seat(1), 2, reserve=5, by_medicine=0, by_general=0)
    assert pawns(state, "ARA", "BOS", "FEN") == [1, 1, 1]
    assert active(state, 1).reserve == 5


@pytest.mark.rule("R-MOB-1")
def test_single_pawns_stay() -> None:
    """With one pawn in each province nothing returns."""
    state, started = turn_of_1("WEA+MIL ARA BOS FEN")
    assert started.reserve == 0
    assert pawns(state, "ARA", "BOS", "FEN") == [1, 1, 1]


@pytest.mark.rule("R-MOB-1")
def test_only_the_seat_to_move_mobilises() -> None:
    """The garrisons of the other seats and one's own declined province stay as they are."""
    state, _ = turn_of_1("WEA+MIL ARA=4 | - ERB")
    assert pawns(state, "ERB", "HAM", "GOR") == [1, 3, 2]
    assert (active(state, 2).reserve, active(state, 3).reserve) == (0, 0)


@pytest.mark.rule("R-MOB-2")
def test_pawns_of_an_abandoned_province_return() -> None:
    """An abandoned province is empty, and its last pawn joins those that mobilisation gave back."""
    state, _ = turn_of_1("WEA+MIL ARA=4 BOS=3")
    assert of_kind(Abandoned, play(state, "abandon BOS")) == [Abandoned(seat(1), province(state, "BOS"))]
    assert active(state, 1).reserve == 6
    assert provinces(state, active(state, 1)) == {"ARA"}
    assert pawns(state, "ARA", "BOS") == [1, 0]
    assert state.owner(province(state, "BOS")) is None
    assert state.board.codes_of(state.neutral) == ()


@pytest.mark.rule("R-MOB-2")
def test_a_fort_in_an_abandoned_province_is_removed() -> None:
    """Only the fort of the province that is left is gone, and retaking that province costs no fort."""
    state = at(f"tiny; seat 1 | FOR+MIL reserve=5 ARA^ COL^; {OTHERS}; neutral -")
    play(state, "abandon ARA")
    assert state.board.codes_of(state.forts) == ("COL",)
    assert cost(state, "ARA") == 2 - 1


@pytest.mark.rule("R-MOB-2")
def test_an_abandoned_province_can_be_taken_again() -> None:
    """A forest that was abandoned costs 3 like any other empty forest."""
    state = at(f"tiny; seat 1 | HER+MIL reserve=5 ARA BOS; {OTHERS}; neutral -")
    play(state, "abandon BOS")
    assert cost(state, "BOS") == 3
    play(state, "x BOS")
    assert pawns(state, "BOS") == [3]
    assert active(state, 1).reserve == 5 + 1 - 3


@pytest.mark.rule("R-MOB-2")
def test_any_provinces_can_be_abandoned() -> None:
    """One province after the other is abandoned, even in the middle of the empire and down to the last."""
    state = at(f"tiny; seat 1 | HER+MIL reserve=5 ARA BOS DOL; {OTHERS}; neutral -")
    assert [action for action in legal(state) if action.startswith("abandon")] == [
        "abandon ARA",
        "abandon BOS",
        "abandon DOL",
    ]
    play(state, "abandon BOS")
    assert provinces(state, active(state, 1)) == {"ARA", "DOL"}
    play(state, "abandon ARA", "abandon DOL")
    assert provinces(state, active(state, 1)) == set()
    assert active(state, 1).reserve == 8


@pytest.mark.rule("R-MOB-2")
def test_no_abandoning_after_the_first_conquest() -> None:
    """Provinces are abandoned before the first conquest."""
    state = at(f"tiny; seat 1 | HER+MIL reserve=5 ARA BOS; {OTHERS}; neutral -")
    play(state, "x COL")
    assert refused(state, "abandon BOS") == NotNow("conquer", ("x", "hold"))


@pytest.mark.rule("R-MOB-2")
@pytest.mark.parametrize("code", ["COL", "DOL", "ERB", "FEN"])
def test_only_provinces_of_the_active_empire_are_abandoned(code: str) -> None:
    """Empty and neutral provinces, those of others and of one's own decline cannot be abandoned."""
    state = at("tiny; seat 1 | HER+MIL reserve=5 ARA | - ERB; seat 2 | BAR+CUR COL; seat 3 | AST+SLA; neutral FEN")
    assert refused(state, f"abandon {code}") == NotHeld("R-MOB-2", province(state, code))


@pytest.mark.rule("R-MOB-2")
def test_a_province_is_abandoned_once() -> None:
    """A province abandoned already is not held any more."""
    state = at(f"tiny; seat 1 | HER+MIL reserve=5 ARA BOS; {OTHERS}; neutral -")
    play(state, "abandon BOS")
    assert refused(state, "abandon BOS") == NotHeld("R-MOB-2", province(state, "BOS"))


@pytest.mark.rule("R-MOB-3", "R-ENTRY-1")
def test_seat_that_abandoned_everything_enters_anew() -> None:
    """After its only province, inland, is abandoned an empire can enter but not expand from there."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=9 COL; {OTHERS}; neutral -")
    play(state, "abandon COL")
    assert [action for action in legal(state) if action.startswith("x")] == ["x ARA", "x FEN", "x GOR"]
    assert refused(state, "x COL") == OutOfReach(
        "R-ENTRY-1", province(state, "COL"), state.board.set_named(["ARA", "FEN", "GOR"])
    )
    play(state, "x GOR")
    assert allowed(state, "x DOL")


@pytest.mark.rule("R-MOB-3", "R-ENTRY-2")
def test_abandoned_mountain_gives_no_bonus() -> None:
    """The province abandoned is no origin: farmland next to it costs what it costs at entry."""
    state = at(f"tiny; seat 1 | FOR+MIL reserve=9 GOR^; {OTHERS}; neutral -")
    assert cost(state, "HAM") == 2 - 1 - 1
    play(state, "abandon GOR")
    assert cost(state, "GOR") == 3
    assert not allowed(state, "x HAM")


@pytest.mark.rule("R-MOB-3", "R-ENTRY-1")
def test_empire_without_land_enters_anew() -> None:
    """An empire that lost all its land enters over the edge like a new one."""
    state = at("tiny; round 5; seat 1 | WEA+MIL reserve=6; seat 2 | BAR+CUR COL; seat 3 | AST+SLA; neutral -")
    assert [action for action in legal(state) if action.startswith("x")] == ["x ARA", "x FEN", "x GOR"]


@pytest.mark.rule("R-MOB-4")
@pytest.mark.parametrize(
    ("rules", "civilization", "by_medicine", "by_general"),
    [
        ("standard", "MED+MIL", 1, 0),
        ("standard", "MED+SPE", 2, 0),
        ("FR", "MED+MED", 2, 0),
        ("standard", "GEN+MIL", 0, 7),
        ("standard", "SPE+GEN", 0, 14),
        ("FR", "GEN+GEN", 0, 14),
        ("standard", "GEN+MED", 1, 7),
        ("standard", "WEA+MIL", 0, 0),
    ],
)
def test_medicine_and_general_bring_pawns(rules: str, civilization: str, by_medicine: int, by_general: int) -> None:
    """At mobilisation Medicine adds 1 pawn per copy to the reserve and General 7 per copy."""
    state, started = turn_of_1(f"{civilization} ARA=4 BOS=2", rules)
    assert started == TurnStarted(seat(1), 2, 4 + by_medicine + by_general, by_medicine, by_general)
    assert active(state, 1).reserve == 4 + by_medicine + by_general
    assert pawns(state, "ARA", "BOS") == [1, 1]


@pytest.mark.rule("R-MOB-4")
@pytest.mark.parametrize(
    ("civilization", "reserve"), [("MED+MIL", 3 + 4 + 8 + 1), ("GEN+MIL", 2 + 4 + 8 + 7), ("GEN+MED", 2 + 3 + 8 + 8)]
)
def test_medicine_and_general_count_in_the_first_turn(civilization: str, reserve: int) -> None:
    """They bring their pawns in the turn in which the civilization enters, too."""
    state = at(f"tiny; round 0; seat 1; seat 2; seat 3; market {civilization} AGR+LIV MIN+POR CUR+SLA WEA+SPI FOR+GAL")
    (started,) = of_kind(TurnStarted, play(state, "take 1", "take 1", "take 1"))
    assert (started.seat, started.reserve) == (seat(1), reserve)


@pytest.mark.rule("R-MOB-4")
def test_medicine_counts_for_an_empire_without_land() -> None:
    """An empire without land or pawns has one pawn again at mobilisation with Medicine."""
    _, started = turn_of_1("MED+MIL")
    assert (started.reserve, started.by_medicine) == (1, 1)


PHASES = {
    "start": "turn 1 start; seat 1 | DIP+SPE reserve=9 ARA BOS",
    "peace": "turn 1 peace; seat 1 peace=2 | DIP+SPE reserve=9 ARA BOS",
    "abandon": "turn 1 abandon; seat 1 | DIP+SPE reserve=9 ARA BOS",
    "conquer": "turn 1 conquer; seat 1 | DIP+SPE reserve=9 ARA BOS",
}
NEVER = ("take 1", "stay", "redeploy ARA=1")


@pytest.mark.rule("R-MOB-5")
@pytest.mark.parametrize(
    ("phase", "fits"),
    [
        ("start", ("decline", "peace", "abandon", "x", "hold")),
        ("peace", ("peace", "abandon", "x", "hold")),
        ("abandon", ("abandon", "x", "hold")),
        ("conquer", ("x", "hold")),
    ],
)
@pytest.mark.parametrize("action", ["decline", "peace 3", "abandon BOS", "x COL", "hold ARA=6 BOS=5", *NEVER])
def test_a_turn_goes_through_its_phases(phase: str, fits: tuple[str, ...], action: str) -> None:
    """Decline and peace come before anything else, abandoning before conquests, and `hold` fits always."""
    state = at(f"tiny; {PHASES[phase]}; {OTHERS}; neutral -")
    if action.split()[0] in fits:
        assert allowed(state, action)
    else:
        assert refused(state, action) == NotNow(state.phase, fits)
        assert NotNow.rule == "R-MOB-5"


@pytest.mark.rule("R-MOB-5")
def test_mobilisation_happens_by_itself() -> None:
    """Pawns are mobilised at the start of each seat's turn without an action."""
    state, started = turn_of_1("WEA+MIL ARA=4 BOS=3")
    assert (state.phase, started.seat, started.reserve) == ("start", seat(1), 5)
    (started,) = of_kind(TurnStarted, play(state, "hold ARA=4 BOS=3"))
    assert (started.seat, started.reserve) == (seat(2), 2)


@pytest.mark.rule("R-MOB-5")
def test_provinces_are_abandoned_one_action_each() -> None:
    """Several provinces are abandoned one after the other; then conquests follow until `hold`."""
    state = at(f"tiny; seat 1 | HER+MIL reserve=5 ARA BOS COL; {OTHERS}; neutral -")
    events = play(state, "abandon ARA", "abandon BOS")
    assert [event.province for event in of_kind(Abandoned, events)] == [province(state, "ARA"), province(state, "BOS")]
    play(state, "x DOL", "x ERB")
    assert isinstance(refused(state, "abandon COL"), NotNow)
    play(state, "hold COL=2 DOL=3 ERB=3")
    assert state.actor == seat(2)


@pytest.mark.rule("R-MOB-5")
def test_a_turn_can_pass_without_a_conquest() -> None:
    """A seat with land may hold at once."""
    state = at(f"tiny; seat 1 | HER+MIL reserve=5 ARA BOS; {OTHERS}; neutral -")
    play(state, "hold ARA=3 BOS=4")
    assert pawns(state, "ARA", "BOS") == [3, 4]
    assert state.actor == seat(2)


@pytest.mark.rule("R-MOB-5")
def test_a_peace_rules_out_a_decline_in_that_turn() -> None:
    """A seat cannot decline after declaring peace, and can before."""
    state = at(f"tiny; {PHASES['start']}; {OTHERS}; neutral -")
    assert "decline" in legal(state)
    play(state, "peace 2")
    assert refused(state, "decline") == NotNow("peace", ("peace", "abandon", "x", "hold"))
    assert "decline" not in legal(state)
