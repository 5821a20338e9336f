"""Decline: the act, what stays, what it scores, Renaissance (R-DECL)."""

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
from vinci_rules.actions import Stay
from vinci_rules.chance import RecordedChance
from vinci_rules.engine import default_action
from vinci_rules.events import (
    CivilizationDrawn,
    CivilizationTaken,
    Conquered,
    Declined,
    DeclineVanished,
    Evacuated,
    Scored,
    Stayed,
    TurnStarted,
)
from vinci_rules.state import State
from vinci_rules.traits import TRAIT_BY_CODE, Traits, codes_of
from vinci_rules.violations import NotNow, OutOfReach, TooExpensive

THIRD = "seat 3 | AST+SLA"
OTHERS = f"seat 2 | BAR+CUR; {THIRD}"
MARKET = "market MED+REV AGR+LIV GAL+POR DIP+SPI MES+HER MOU+REN"


def bag(state: State, code: str) -> int:
    """Return the number of copies of a trait in the bag."""
    return state.bag[TRAIT_BY_CODE[code]]


def traits(text: str) -> Traits:
    """Return traits by their codes, joined by +."""
    return tuple(TRAIT_BY_CODE[code] for code in text.split("+"))


# Declaring it


@pytest.mark.rule("R-DECL-1")
def test_decline_takes_the_place_of_the_expansion() -> None:
    """A decline at the start of the turn is followed by the choice of a civilization, which ends the turn."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=5 ARA BOS; {OTHERS}; {MARKET}")
    play(state, "decline")
    assert (state.actor, state.phase) == (seat(1), "draft")
    play(state, "take 1")
    assert (state.actor, state.phase) == (seat(2), "start")
    assert active(state, 1).traits == traits("MED+REV")
    assert active(state, 1).reserve == 3 + 4 + 8
    assert provinces(state, active(state, 1)) == set()


@pytest.mark.rule("R-DECL-1", "R-MOB-4")
def test_the_new_civilization_enters_on_the_next_turn() -> None:
    """Its first mobilisation is that of the next turn: then Medicine counts and the first conquest is possible."""
    state = at(f"tiny; turn 3; seat 1 | BAR+CUR; seat 2 | AST+SLA; seat 3 | WEA+MIL reserve=5 COL; {MARKET}")
    play(state, "decline", "take 1", "hold")
    [started] = of_kind(TurnStarted, play(state, "hold"))
    assert (started.seat, started.by_medicine, started.reserve) == (seat(3), 1, 16)
    assert "x ARA" in legal(state)


@pytest.mark.rule("R-DECL-1", "R-MOB-5")
@pytest.mark.parametrize("phase", ["abandon", "conquer"])
def test_decline_comes_before_anything_else(phase: str) -> None:
    """After a province was abandoned or conquered it is too late."""
    state = at(f"tiny; turn 1 {phase}; seat 1 | WEA+MIL reserve=5 ARA BOS; {OTHERS}")
    violation = refused(state, "decline")
    assert isinstance(violation, NotNow)
    assert (violation.rule, violation.phase) == ("R-MOB-5", phase)
    assert "decline" not in violation.legal


@pytest.mark.rule("R-DECL-1", "R-MOB-5", "R-PEACE-1")
def test_peace_rules_out_a_decline() -> None:
    """After declaring peace the seat must expand in this turn."""
    state = at(f"tiny; seat 1 | DIP+MIL reserve=5 ARA BOS; {OTHERS}")
    assert allowed(state, "decline")
    play(state, "peace 2")
    assert isinstance(refused(state, "decline"), NotNow)


@pytest.mark.rule("R-DECL-1")
@pytest.mark.parametrize("reserve", [14, 1, 0])
def test_a_civilization_without_land_can_decline(reserve: int) -> None:
    """It has never entered or holds nothing any more: it leaves, and no declined empire comes of it."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve={reserve}; seat 2 | WEA+CUR; seat 3 | AST+SLA; {MARKET}")
    [declined] = of_kind(Declined, play(state, "decline"))
    assert (declined.provinces, declined.traits, declined.pawns) == (0, (), reserve)
    assert state.declined[0] is None
    play(state, "take 1")
    assert active(state, 1).reserve == 15


@pytest.mark.rule("R-DECL-1")
def test_without_renaissance_a_turn_ends_with_the_expansion() -> None:
    """After the reorganisation there is no decline any more."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=5 ARA BOS; {OTHERS}")
    play(state, "hold ARA=6 BOS=1")
    assert (state.actor, state.phase) == (seat(2), "start")


# Renaissance


RENAISSANCE = f"tiny; seat 1 | REN+MIL reserve=5 ARA BOS; {OTHERS}; {MARKET}"


@pytest.mark.rule("R-DECL-1")
def test_renaissance_may_decline_at_the_end_of_a_turn() -> None:
    """After forts and score the seat declines, scores nothing more, and its new civilization enters next turn."""
    state = at(f"tiny; seat 1 | REN+FOR reserve=5 ARA BOS; {OTHERS}; {MARKET}")
    events = play(state, "hold ARA=6 BOS=1 fort BOS")
    assert [scored.vp for scored in of_kind(Scored, events)] == [2]
    assert (state.actor, state.phase) == (seat(1), "renaissance")
    assert legal(state) == ["decline", "stay"]
    events = play(state, "decline")
    assert of_kind(Scored, events) == []
    assert of_kind(Declined, events) == [Declined(seat(1), state.board.set_named(["ARA", "BOS"]), (), 5)]
    assert state.vp[0] == 12
    assert pawns(state, "ARA", "BOS") == [1, 1]
    assert state.forts == state.board.set_named(["BOS"])
    assert state.phase == "draft"
    assert of_kind(Scored, play(state, "take 1")) == []
    assert (state.actor, state.phase, state.vp[0]) == (seat(2), "start", 12)


@pytest.mark.rule("R-DECL-1")
def test_renaissance_may_stay() -> None:
    """Staying keeps the reorganised empire, is told and ends the turn."""
    state = at(RENAISSANCE)
    play(state, "hold ARA=6 BOS=1")
    assert play(state, "stay")[0] == Stayed(seat(1))
    assert (state.actor, state.phase) == (seat(2), "start")
    assert pawns(state, "ARA", "BOS") == [6, 1]
    assert state.declined[0] is None


@pytest.mark.rule("R-DECL-1")
def test_renaissance_may_also_decline_at_the_start() -> None:
    """Then the turn is a decline like any other, scored once, without a second decline."""
    state = at(RENAISSANCE)
    events = play(state, "decline", "take 1")
    assert [scored.vp for scored in of_kind(Scored, events)] == [2]
    assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.rule("R-DECL-1", "R-REORG-1")
def test_renaissance_declines_after_general_has_left() -> None:
    """Only provinces that keep a pawn without General decline."""
    state = at(f"tiny; turn 1 conquer; seat 1 | GEN+REN reserve=5 ARA=2 BOS=1 COL=1; {OTHERS}")
    play(state, "hold ARA=1 BOS=1")
    [declined] = of_kind(Declined, play(state, "decline"))
    assert declined.provinces == state.board.set_named(["ARA", "BOS"])
    assert declined.pawns == 0


@pytest.mark.rule("R-DECL-1", "R-DECL-2")
def test_renaissance_removes_the_old_decline_after_it_has_scored() -> None:
    """The old declined empire scores once more this turn, then leaves the board."""
    state = at(f"tiny; seat 1 | REN+MIL reserve=5 FEN | - COL HAM; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold FEN=6"))
    assert scored.vp == 1 + 2
    play(state, "decline")
    assert provinces(state, state.declined[0]) == {"FEN"}
    assert pawns(state, "COL", "HAM") == [0, 0]


@pytest.mark.rule("R-DECL-1")
def test_renaissance_works_without_land() -> None:
    """An empire that holds nothing at the end of its turn can decline then; its older decline leaves."""
    state = at(f"tiny; seat 1 | REN+MIL | - COL; {OTHERS}")
    play(state, "hold", "decline")
    assert state.vp[0] == 11
    assert state.declined[0] is None
    assert state.phase == "draft"


@pytest.mark.rule("R-DECL-1", "R-REDEP-1")
@pytest.mark.parametrize("end", [("stay",), ("decline", "take 1")])
def test_survivors_redeploy_after_the_choice_at_renaissance(end: tuple[str, ...]) -> None:
    """The other seats redeploy last, when the attacker has stayed or chosen a civilization."""
    state = at("tiny; seat 1 | REN+MIL reserve=9 ARA; seat 2 | BAR+CUR COL=3 DOL=1 ERB=1; seat 3 | AST+SLA; neutral -")
    play(state, "x COL", "hold ARA=5 COL=5")
    assert (state.phase, state.survivors) == ("renaissance", [0, 2, 0])
    play(state, *end)
    assert (state.actor, state.phase) == (seat(2), "redeploy")
    play(state, "redeploy DOL=1 ERB=1")
    assert (state.actor, state.phase) == (seat(2), "start")


# What leaves and what stays


@pytest.mark.rule("R-DECL-2")
def test_the_old_declined_empire_leaves_the_board_first() -> None:
    """Its pawns, forts and traits are gone before the score: the provinces are empty, its traits are in the bag."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=5 FEN | MIN* COL^ GOR; {OTHERS}; {MARKET}")
    events = play(state, "decline")
    [vanished] = of_kind(DeclineVanished, events)
    assert vanished == DeclineVanished(seat(1), state.board.set_named(["COL", "GOR"]), traits("MIN*"))
    assert events.index(vanished) < events.index(of_kind(Declined, events)[0])
    assert pawns(state, "COL", "GOR") == [0, 0]
    assert (state.forts, state.neutral & vanished.provinces) == (0, 0)
    assert bag(state, "MIN*") == 2
    assert provinces(state, state.declined[0]) == {"FEN"}
    assert [scored.vp for scored in of_kind(Scored, events)] == [1]


@pytest.mark.rule("R-DECL-2")
def test_it_leaves_even_if_no_new_one_follows() -> None:
    """A civilization without land that declines takes the older declined empire off the board all the same."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=5 | - COL GOR; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "decline"))
    assert scored.vp == 0
    assert state.declined[0] is None
    assert pawns(state, "COL", "GOR") == [0, 0]


@pytest.mark.rule("R-DECL-3")
def test_one_pawn_stays_in_each_province() -> None:
    """Surplus pawns are gone, forts stay."""
    state = at(f"tiny; seat 1 | FOR+MIL reserve=5 ARA^ BOS; {OTHERS}; {MARKET}")
    [declined] = of_kind(Declined, play(state, "decline"))
    assert declined.pawns == 5
    assert pawns(state, "ARA", "BOS") == [1, 1]
    assert state.forts == state.board.set_named(["ARA"])
    assert provinces(state, state.declined[0]) == {"ARA", "BOS"}
    assert state.active[0] is None


@pytest.mark.rule("R-DECL-3", "R-DECL-4", "R-CONQ-3")
def test_a_fort_defends_in_decline_and_militia_does_not() -> None:
    """A declined farmland with a fort costs 2 + 1 + 1, though it was of Militia and Forts."""
    state = at(f"tiny; seat 1 | FOR+MIL reserve=5 ARA^; seat 2 | BAR+CUR COL=5; seat 3 | AST+SLA; {MARKET}")
    play(state, "decline", "take 1")
    assert state.actor == seat(2)
    assert cost(state, "ARA") == 4


@pytest.mark.rule("R-DECL-4")
@pytest.mark.parametrize(
    ("pair", "staying"),
    [
        ("WEA+MIL", ""),
        ("AGR+WEA", ""),
        ("AGR*+WEA", "AGR*"),
        ("LIV*+WEA", "LIV*"),
        ("MIN*+WEA", "MIN*"),
        ("POR*+WEA", "POR*"),
        ("AGR*+MIN*", "AGR*+MIN*"),
        ("AGR+AGR*", "AGR*"),
        ("LIV+POR*", "POR*"),
        ("AGR*+SPE", "AGR*+SPE"),
        ("SPE+POR*", "SPE+POR*"),
        ("AGR+SPE", ""),
        ("WEA+SPE", ""),
        ("HER+SPE", ""),
        ("HER+REN", ""),
        ("FOR+LIV*", "LIV*"),
        ("FOR+SPE", ""),
        ("CUR+MOU", ""),
    ],
)
def test_only_lasting_traits_stay(pair: str, staying: str) -> None:
    """Lasting kinds stay, and Specialization beside one of them; all others go to the bag."""
    market = "market MED+REV GAL+DIP SPI+MES GAL+MES MED+REV DIP+SPI"
    state = at(f"tiny; seat 1 | {pair} ARA; seat 2 | BAR+GEN; seat 3 | AST+SLA; {market}")
    before = {code: bag(state, code) for code in pair.split("+")}
    play(state, "decline")
    declined = state.declined[0]
    assert declined is not None
    assert codes_of(declined.traits) == (staying or "-")
    for code in pair.split("+"):
        assert bag(state, code) == before[code] + (code not in staying.split("+"))


@pytest.mark.rule("R-DECL-4", "R-SCORE-2")
@pytest.mark.parametrize(
    ("pair", "as_active", "as_declined"),
    [("AGR+AGR*", 3, 2), ("LIV+LIV*", 3, 2), ("MIN+MIN*", 5, 3), ("AGR*+SPE", 3, 3), ("AGR+SPE", 3, 1)],
)
def test_copies_in_decline(pair: str, as_active: int, as_declined: int) -> None:
    """Lasting beside plain is two copies while active and one in decline; beside Specialization it stays two."""
    code = {"A": "ARA", "L": "FEN", "M": "COL"}[pair[0]]
    text = f"tiny; seat 1 | {pair} {code}; seat 2 | BAR+GEN; seat 3 | AST+SLA"
    assert [scored.vp for scored in of_kind(Scored, play(at(text), f"hold {code}=1"))] == [as_active]
    assert [scored.vp for scored in of_kind(Scored, play(at(text), "decline"))] == [as_declined]


@pytest.mark.rule("R-DECL-4", "R-DECL-7")
def test_lasting_traits_do_not_stay_without_a_province() -> None:
    """A civilization that declines without land leaves no declined empire, so its lasting traits go to the bag."""
    state = at(f"tiny; seat 1 | POR*+SPE reserve=9; {OTHERS}; {MARKET}")
    assert (bag(state, "POR*"), bag(state, "SPE")) == (1, 0)
    play(state, "decline")
    assert (bag(state, "POR*"), bag(state, "SPE")) == (2, 1)


# Score and choice


@pytest.mark.rule("R-DECL-5")
def test_the_seat_scores_the_new_declined_empire() -> None:
    """In the turn of the decline it is the declined empire that scores, without the traits that are gone."""
    state = at(f"tiny; seat 1 | CUR+POR reserve=5 ARA BOS DOL; seat 2 | BAR+GEN; {THIRD}")
    [scored] = of_kind(Scored, play(state, "decline"))
    assert {item.empire for item in scored.items} == {"declined"}
    assert (scored.vp, state.vp[0]) == (2, 12)


@pytest.mark.rule("R-DECL-5", "R-DRAFT-2")
def test_the_score_of_the_decline_can_pay_for_the_choice() -> None:
    """A seat with 1 VP that scores 3 can pay 4 for slot III, not 6 for slot IV."""
    state = at(f"tiny; seat 1 vp=1 | WEA+MIL reserve=5 ARA BOS COL; {OTHERS}; {MARKET}")
    play(state, "decline")
    assert refused(state, "take 4") == TooExpensive(needed=6, available=4)
    [taken] = of_kind(CivilizationTaken, play(state, "take 3"))
    assert (taken.traits, taken.pawns, taken.paid) == (traits("GAL+POR"), 4 + 2 + 8, 4)
    assert state.vp[0] == 0


@pytest.mark.rule("R-DECL-5", "R-DRAFT-3")
@pytest.mark.parametrize("returned", ["WEA+MIL", "MIN*+REV"])
def test_traits_just_returned_can_be_drawn(returned: str) -> None:
    """Traits of the empire that declines, or of the older one that leaves, can come out for slot VI at once."""
    state = at(
        f"""tiny; seat 1 | WEA+MIL reserve=5 FEN | MIN* COL; {OTHERS};
        market WEA+MIL MIN*+AGR GAL+POR DIP+SPI MES+HER MOU+REN"""
    )
    assert 0 in [bag(state, code) for code in returned.split("+")]
    play(state, "decline")
    events = play(state, "take 3", chance=RecordedChance([f"{code}#1" for code in returned.split("+")]))
    assert of_kind(CivilizationDrawn, events) == [CivilizationDrawn(traits(returned), ())]
    assert state.market[5].traits == traits(returned)


# Life of a declined empire


@pytest.mark.rule("R-DECL-6", "R-CONQ-1")
def test_declined_provinces_are_no_origin() -> None:
    """A seat with a declined empire only enters anew; it does not expand from there."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=14 | - ARA BOS COL; seat 2 | WEA+CUR; {THIRD}; neutral -")
    violation = refused(state, "x DOL")
    assert isinstance(violation, OutOfReach)
    assert violation.rule == "R-ENTRY-1"


@pytest.mark.rule("R-DECL-6", "R-REORG-2")
def test_a_declined_empire_needs_no_cohesion() -> None:
    """A scattered decline stays as it is through the turns of its seat."""
    state = at(f"tiny; rules NL; seat 1 | WEA+MIL reserve=5 FEN | - BOS HAM; {OTHERS}; neutral -")
    play(state, "hold FEN=6", "hold", "hold", "hold FEN=6")
    assert provinces(state, state.declined[0]) == {"BOS", "HAM"}


@pytest.mark.rule("R-DECL-6", "R-DECL-3")
def test_a_split_empire_declines_as_a_whole() -> None:
    """Cohesion is not asked for at a decline: both parts of a split empire stay."""
    state = at(f"tiny; rules NL; seat 1 | WEA+MIL reserve=5 FEN COL HAM; {OTHERS}")
    play(state, "decline")
    assert provinces(state, state.declined[0]) == {"FEN", "COL", "HAM"}


@pytest.mark.rule("R-DECL-6", "R-CONQ-3", "R-CONQ-6")
def test_a_declined_province_falls_like_any_other() -> None:
    """It costs its terrain and one pawn, the pawn is lost, and there are no survivors."""
    state = at("tiny; seat 1 | BAR+MIL reserve=5 COL; seat 2 | WEA+CUR | - BOS HAM; seat 3 | AST+SLA; neutral -")
    assert cost(state, "BOS") == 4
    assert of_kind(Conquered, play(state, "x BOS")) == [
        Conquered(seat(1), province(state, "BOS"), 4, False, "declined", seat(2), 1, 0, False)
    ]
    assert provinces(state, state.declined[1]) == {"HAM"}


@pytest.mark.rule("R-DECL-7")
def test_lasting_traits_stay_while_a_province_is_left() -> None:
    """Losing one of two declined provinces returns nothing to the bag."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=9 COL; seat 2 | WEA+CUR | MIN*+SPE BOS HAM; {THIRD}; {MARKET}")
    events = play(state, "x BOS")
    assert of_kind(DeclineVanished, events) == []
    assert (bag(state, "MIN*"), bag(state, "SPE")) == (1, 0)


@pytest.mark.rule("R-DECL-7")
def test_lasting_traits_return_to_the_bag_at_once() -> None:
    """Check that traits return to the bag as soon as the last declined province falls, within the attacker's turn."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=9 COL; seat 2 | WEA+CUR | MIN*+SPE BOS; {THIRD}; {MARKET}")
    [vanished] = of_kind(DeclineVanished, play(state, "x BOS"))
    assert (vanished.seat, vanished.traits) == (seat(2), traits("MIN*+SPE"))
    assert (state.actor, state.phase) == (seat(1), "conquer")
    assert state.declined[1] is None
    assert (bag(state, "MIN*"), bag(state, "SPE")) == (2, 1)


@pytest.mark.rule("R-DECL-7", "R-CONTACT-1")
def test_evacuating_the_last_declined_province_returns_them_too() -> None:
    """Own contact ends a declined empire like an enemy does."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=9 FEN | AGR* BOS COL; seat 2 | WEA+CUR; {THIRD}; {MARKET}")
    events = play(state, "x ARA")
    assert of_kind(Evacuated, events) == [Evacuated(seat(1), state.board.set_named(["BOS", "COL"]))]
    assert state.declined[0] is None
    assert bag(state, "AGR*") == 2
    [scored] = of_kind(Scored, play(state, "hold ARA=9 FEN=1"))
    assert scored.vp == 2


@pytest.mark.rule("R-DECL-1", "R-FORFEIT-3")
def test_default_action_at_renaissance_is_to_stay() -> None:
    """The default action at Renaissance is to stay."""
    state = at(RENAISSANCE)
    play(state, "hold ARA=6 BOS=1")
    assert default_action(state) == Stay()


@pytest.mark.rule("R-DECL-2", "R-DECL-7")
def test_empire_without_land_leaves_no_declined_empire() -> None:
    """The older decline is gone, told once; nothing takes its place, and all traits go to the bag."""
    state = at(f"tiny; seat 1 | BAR+MIN* reserve=9 | AGR* HAM; {THIRD.replace('3', '2')}; seat 3 | WEA+CUR; {MARKET}")
    before = bag(state, "MIN*")
    events = play(state, "decline")
    assert [event.provinces for event in of_kind(DeclineVanished, events)] == [state.board.set_named(["HAM"])]
    assert state.declined[0] is None
    assert bag(state, "MIN*") == before + 1
