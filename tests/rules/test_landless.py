"""An active empire without land: choice and automatic decline (R-LAND)."""

import pytest

from tests.support.rules import active, allowed, at, legal, of_kind, pawns, play, provinces, refused, seat
from vinci_rules.actions import Decline
from vinci_rules.engine import default_action
from vinci_rules.events import DeclineVanished, EmpireCollapsed, Scored, SurvivorsInReserve, TurnStarted
from vinci_rules.traits import TRAIT_BY_CODE
from vinci_rules.violations import MustDecline

THIRD = "seat 3 | AST+SLA"
# seat 1 is about to take COL, the last province of seat 2
ATTACKER = "neutral -; seat 1 | BAR+MIL reserve=9 ARA"


def conquests(actions: list[str]) -> list[str]:
    """Return the conquests among legal actions."""
    return [action for action in actions if action.startswith("x ")]


# Choice


@pytest.mark.rule("R-LAND-1", "R-MOB-3")
@pytest.mark.parametrize("edition", ["standard", "FR", "WEB", "NL landless_empire=choice"])
def test_with_choice_the_seat_enters_anew_or_declines(edition: str) -> None:
    """An empire that lost its last province comes back over the edge with its survivors, or declines."""
    state = at(f"tiny; rules {edition}; {ATTACKER}; seat 2 | GAL+CUR COL=4; {THIRD}")
    play(state, "x COL", "hold ARA=5 COL=5")
    assert (state.must_decline, active(state, 2).reserve) == ((), 3)
    assert legal(state) == ["decline", "x FEN", "x GOR"]
    play(state, "x FEN", "hold FEN=3")
    assert provinces(state, active(state, 2)) == {"FEN"}


@pytest.mark.rule("R-LAND-1")
def test_choice_allows_to_continue_without_a_pawn() -> None:
    """With no pawn left it holds nothing, scores its declined empire, and stays in the game like that."""
    state = at(f"tiny; {ATTACKER}; seat 2 | HER+CUR COL=1 | - ERB HAM; {THIRD}")
    play(state, "x COL", "hold ARA=5 COL=5")
    assert active(state, 2).reserve == 0
    [scored] = of_kind(Scored, play(state, "hold"))
    assert (scored.seat, scored.vp) == (seat(2), 2)
    assert provinces(state, state.declined[1]) == {"ERB", "HAM"}
    play(state, "hold", "hold ARA=5 COL=5")
    assert conquests(legal(state)) == []
    assert allowed(state, "hold")
    assert allowed(state, "decline")


@pytest.mark.rule("R-LAND-1", "R-MOB-4", "R-REORG-1")
def test_general_without_own_pawns_keeps_no_province() -> None:
    """General's pawns are mobilised, conquer, eliminate, and leave: only the decline and Slavery score."""
    state = at("tiny; seat 1 | BAR+MIL; seat 2 | GEN+SLA | - HAM; seat 3 | AST+LIV; neutral ARA BOS COL FEN")
    [started] = of_kind(TurnStarted, play(state, "hold"))
    assert (started.by_general, started.reserve) == (7, 7)
    events = play(state, "x ARA", "x FEN", "hold")
    assert active(state, 2).provinces == 0
    assert active(state, 2).reserve == 0
    assert pawns(state, "ARA", "FEN") == [0, 0]
    assert [scored.vp for scored in of_kind(Scored, events)] == [1 + 2]


@pytest.mark.rule("R-LAND-1", "R-MOB-4")
@pytest.mark.parametrize(("traits", "by_medicine"), [("MED+MIL", 1), ("MED+SPE", 2)])
def test_without_pawns_medicine_counts(traits: str, by_medicine: int) -> None:
    """Medicine adds its pawns to an empty reserve, and with two an empty plain can be taken."""
    state = at(f"tiny; round 3; seat 1 | BAR+WEA; seat 2 | {traits}; {THIRD}; neutral -")
    [started] = of_kind(TurnStarted, play(state, "hold"))
    assert (started.by_medicine, started.reserve) == (by_medicine, by_medicine)
    assert conquests(legal(state)) == (["x ARA", "x FEN"] if by_medicine == 2 else [])


@pytest.mark.rule("R-LAND-1", "R-CONQ-5")
def test_conquest_of_cost_zero_without_pawns_is_given_up() -> None:
    """With cost 0 even an empty reserve conquers, and gives the province up again."""
    state = at(f"tiny; seat 1 | WEA+SPE; seat 2 | BAR+MIL; {THIRD}; neutral -")
    assert conquests(legal(state)) == ["x ARA", "x FEN"]
    [scored] = of_kind(Scored, play(state, "x ARA", "hold"))
    assert scored.vp == 0
    assert state.owner(state.board.index["ARA"]) is None


# Automatic decline


@pytest.mark.rule("R-LAND-2")
@pytest.mark.parametrize("edition", ["NL", "standard landless_empire=auto_decline"])
@pytest.mark.parametrize(("garrison", "gone"), [(1, 0), (4, 3)])
def test_empire_without_its_last_province_must_decline(edition: str, garrison: int, gone: int) -> None:
    """With `auto_decline` survivors are gone, and on its turn the seat can only decline, for 0 VP."""
    state = at(f"tiny; rules {edition}; {ATTACKER}; seat 2 | GAL+CUR COL={garrison}; {THIRD}")
    events = play(state, "x COL")
    assert of_kind(EmpireCollapsed, events) == [EmpireCollapsed(seat(2), gone)]
    assert (state.must_decline, state.survivors) == ((seat(2),), [0, 0, 0])
    play(state, "hold ARA=5 COL=5")
    assert (state.actor, state.phase) == (seat(2), "start")
    assert legal(state) == ["decline"]
    assert refused(state, "x FEN") == MustDecline("R-LAND-2")
    assert refused(state, "hold") == MustDecline("R-LAND-2")
    [scored] = of_kind(Scored, play(state, "decline"))
    assert scored.vp == 0
    assert state.must_decline == ()
    play(state, "take 1")
    assert active(state, 2).reserve > 0
    assert (state.actor, state.phase) == (seat(3), "start")


@pytest.mark.rule("R-LAND-2")
def test_default_under_automatic_decline_is_to_decline() -> None:
    """The decline is an action like any other, and the only one that is legal."""
    state = at(f"tiny; rules NL; turn 2; seat 1 | BAR+WEA; seat 2 must_decline | GAL+CUR; {THIRD}")
    assert default_action(state) == Decline()
    assert refused(state, "x FEN") == MustDecline("R-LAND-2")


@pytest.mark.rule("R-LAND-2", "R-DECL-7")
def test_the_older_declined_empire_leaves_when_the_last_province_falls() -> None:
    """Its pawns, forts and lasting traits are gone at that moment, not at the decline."""
    state = at(f"tiny; rules NL; {ATTACKER}; seat 2 | GAL+CUR COL=2 | MIN* GOR^ HAM; {THIRD}")
    before = state.bag[TRAIT_BY_CODE["MIN*"]]
    [vanished] = of_kind(DeclineVanished, play(state, "x COL"))
    assert vanished.provinces == state.board.set_named(["GOR", "HAM"])
    assert state.declined[1] is None
    assert (pawns(state, "GOR", "HAM"), state.forts) == ([0, 0], 0)
    assert state.bag[TRAIT_BY_CODE["MIN*"]] == before + 1
    assert state.phase == "conquer"


@pytest.mark.rule("R-LAND-2")
def test_automatic_decline_even_if_the_attacker_keeps_no_province() -> None:
    """The last province is lost also to a conquest that is given up at reorganisation."""
    state = at(f"tiny; rules NL; {ATTACKER}; seat 2 | GAL+CUR COL=2; {THIRD}")
    play(state, "x COL", "hold ARA=10")
    assert legal(state) == ["decline"]


@pytest.mark.rule("R-LAND-2")
def test_earlier_survivors_of_the_turn_leave_too() -> None:
    """Pawns set aside from another province leave with those of the last one."""
    state = at(f"tiny; rules NL; {ATTACKER}; seat 2 | GAL+CUR COL=2 ERB=2; {THIRD}")
    assert of_kind(EmpireCollapsed, play(state, "x COL")) == []
    assert of_kind(EmpireCollapsed, play(state, "x ERB")) == [EmpireCollapsed(seat(2), 2)]
    assert state.survivors == [0, 0, 0]


@pytest.mark.rule("R-LAND-2")
def test_empire_with_a_province_left_continues() -> None:
    """Losing one of two provinces binds nobody."""
    state = at(f"tiny; rules NL; {ATTACKER}; seat 2 | GAL+CUR COL=2 ERB=2; {THIRD}")
    play(state, "x COL", "hold ARA=5 COL=5")
    assert state.must_decline == ()
    assert allowed(state, "hold ERB=3")


@pytest.mark.rule("R-LAND-2")
def test_a_declined_province_is_no_last_province() -> None:
    """An empire that loses its last declined province, or never had land, is not bound."""
    state = at(f"tiny; rules NL; {ATTACKER}; seat 2 | GAL+CUR reserve=3 | - COL; {THIRD}")
    events = play(state, "x COL", "hold ARA=5 COL=5")
    assert of_kind(EmpireCollapsed, events) == []
    assert state.must_decline == ()
    assert active(state, 2).reserve == 3


@pytest.mark.rule("R-LAND-2")
@pytest.mark.parametrize("edition", ["NL", "DE"])
def test_a_civilization_that_could_not_enter_is_free(edition: str) -> None:
    """Automatic decline is not for a civilization still outside the board: it waits as long as it likes."""
    state = at(f"tiny; rules {edition}; seat 1 | BAR+MIL reserve=1 | - HAM; seat 2 | WEA+CUR; {THIRD}")
    play(state, "hold", "hold", "hold")
    assert (state.actor, state.phase, state.must_decline) == (seat(1), "start", ())
    assert provinces(state, state.declined[0]) == {"HAM"}
    assert allowed(state, "hold")
    assert allowed(state, "decline")


@pytest.mark.rule("R-LAND-2")
@pytest.mark.parametrize("edition", ["NL", "DE"])
def test_no_automatic_decline_after_abandoning(edition: str) -> None:
    """A seat that abandons everything and cannot enter still chooses on its next turn, and keeps its declined empire."""
    state = at(f"tiny; rules {edition}; seat 1 | BAR+MIL ARA | - HAM; seat 2 | WEA+CUR; {THIRD}; neutral COL FEN")
    play(state, "abandon ARA", "hold", "hold", "hold")
    assert (state.actor, state.phase) == (seat(1), "start")
    assert provinces(state, state.declined[0]) == {"HAM"}
    assert allowed(state, "hold")
    assert allowed(state, "decline")


@pytest.mark.rule("R-LAND-2", "R-REORG-1")
@pytest.mark.parametrize("edition", ["NL", "DE"])
def test_no_automatic_decline_after_general_left(edition: str) -> None:
    """An empire whose General left it without a pawn may come back, and its decline stays."""
    state = at(f"tiny; rules {edition}; seat 1 | GEN+MIL reserve=7 | - HAM; seat 2 | BAR+CUR; {THIRD}; neutral -")
    play(state, "x ARA", "hold")
    assert (state.must_decline, provinces(state, state.declined[0])) == ((), {"HAM"})
    play(state, "hold", "hold")
    assert active(state, 1).reserve == 7
    assert allowed(state, "x ARA")


@pytest.mark.rule("R-LAND-2", "R-DECL-1")
def test_renaissance_does_not_help() -> None:
    """An empire with Renaissance that lost its last province declines at the start of its turn as well."""
    state = at(f"tiny; rules NL; {ATTACKER}; seat 2 | REN+CUR COL=4; {THIRD}")
    play(state, "x COL", "hold ARA=5 COL=5")
    assert legal(state) == ["decline"]
    assert refused(state, "hold") == MustDecline("R-LAND-2")


@pytest.mark.rule("R-LAND-3")
@pytest.mark.parametrize("edition", ["DE", "standard landless_empire=auto_decline_no_pawn"])
def test_without_a_pawn_the_german_rule_declines_too(edition: str) -> None:
    """With `auto_decline_no_pawn` an empire whose last pawn fell must decline, and its older decline leaves."""
    state = at(f"tiny; rules {edition}; {ATTACKER}; seat 2 | GAL+CUR COL=1 | - HAM; {THIRD}")
    events = play(state, "x COL")
    assert of_kind(EmpireCollapsed, events) == [EmpireCollapsed(seat(2), 0)]
    assert state.declined[1] is None
    play(state, "hold ARA=5 COL=5")
    assert legal(state) == ["decline"]
    assert refused(state, "hold") == MustDecline("R-LAND-3")


@pytest.mark.rule("R-LAND-3", "R-LAND-1")
@pytest.mark.parametrize("edition", ["DE", "standard landless_empire=auto_decline_no_pawn"])
def test_with_a_pawn_left_the_german_rule_leaves_the_choice(edition: str) -> None:
    """With survivors the seat may enter anew, and its older decline stays."""
    state = at(f"tiny; rules {edition}; {ATTACKER}; seat 2 | GAL+CUR COL=3 | - HAM; {THIRD}")
    events = play(state, "x COL", "hold ARA=5 COL=5")
    assert of_kind(EmpireCollapsed, events) == []
    assert of_kind(SurvivorsInReserve, events) == [SurvivorsInReserve(seat(2), 2)]
    assert provinces(state, state.declined[1]) == {"HAM"}
    assert "x FEN" in legal(state)
    assert allowed(state, "decline")


@pytest.mark.rule("R-LAND-3")
def test_survivors_of_another_province_count_as_pawns_left() -> None:
    """The last province falls with its only pawn, but pawns set aside this turn are left: the choice stays."""
    state = at(f"tiny; rules DE; {ATTACKER}; seat 2 | GAL+CUR COL=2 ERB=1; {THIRD}")
    events = play(state, "x COL", "x ERB", "hold ARA=5 COL=4 ERB=1")
    assert of_kind(EmpireCollapsed, events) == []
    assert (state.must_decline, active(state, 2).reserve) == ((), 1)
