"""One's own decline in contact with the active empire (R-CONTACT)."""

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
from vinci_rules.events import Conquered, DeclineVanished, Evacuated, Scored
from vinci_rules.state import Holder, State
from vinci_rules.traits import TRAIT_BY_CODE, codes_of
from vinci_rules.violations import InContact, OwnHeritage

OTHERS = "seat 2 | BAR+CUR; seat 3 | DIP+REN"

EVACUATE = ["standard", "FR", "WEB", "NL own_decline_contact=evacuate", "DE own_decline_contact=evacuate"]
FORBID = ["NL", "DE", "standard own_decline_contact=forbid", "FR own_decline_contact=forbid"]


def attack(empires: str, rules: str = "standard", rest: str = "neutral -") -> State:
    """Return the turn of seat 1 with these empires; seats 2 and 3 hold nothing, `rest` may add a fourth seat."""
    return at(f"tiny; rules {rules}; seat 1 | {empires}; {OTHERS}; {rest}")


def evacuated(state: State, *actions: str) -> list[tuple[str, ...]]:
    """Return the provinces that these actions empty, in groups."""
    return [state.board.codes_of(event.provinces) for event in of_kind(Evacuated, play(state, *actions))]


def owner(state: State, code: str) -> Holder | None:
    """Return the holder of a province."""
    return state.owner(province(state, code))


# evacuate


@pytest.mark.rule("R-CONTACT-1")
@pytest.mark.parametrize("rules", EVACUATE)
def test_a_declined_province_in_contact_is_emptied(rules: str) -> None:
    """A conquest next to one's own decline empties that province, its fort included, and leaves the others."""
    state = attack("FOR+MIL reserve=9 FEN | - COL^ HAM^", rules)
    events = play(state, "x ARA")
    assert of_kind(Evacuated, events) == [Evacuated(seat(1), state.board.set_named(["COL"]))]
    assert owner(state, "COL") is None
    assert pawns(state, "COL", "HAM") == [0, 1]
    assert state.board.codes_of(state.forts) == ("HAM",)
    assert provinces(state, state.declined[0]) == {"HAM"}
    assert provinces(state, state.active[0]) == {"ARA", "FEN"}


@pytest.mark.rule("R-CONTACT-1")
def test_all_declined_provinces_in_contact_are_emptied_at_once() -> None:
    """One conquest empties both declined neighbours, and the declined pawns join no reserve."""
    state = attack("FOR+MIL reserve=9 FEN | - BOS COL GOR")
    assert evacuated(state, "x ARA") == [("BOS", "COL")]
    assert provinces(state, state.declined[0]) == {"GOR"}
    assert active(state, 1).reserve == 7


@pytest.mark.rule("R-CONTACT-1")
def test_every_conquest_empties_anew() -> None:
    """Provinces are emptied when the empire reaches them, conquest by conquest."""
    state = attack("FOR+MIL reserve=9 FEN | - COL HAM")
    assert evacuated(state, "x ARA") == [("COL",)]
    assert evacuated(state, "x COL") == []
    assert evacuated(state, "x ERB") == [("HAM",)]
    assert state.declined[0] is None


@pytest.mark.rule("R-CONTACT-1")
def test_provinces_behind_those_in_contact_stay() -> None:
    """A declined province that touches only another declined province is not emptied with it."""
    state = attack("FOR+MIL reserve=9 FEN | - COL ERB HAM")
    assert evacuated(state, "x ARA") == [("COL",)]
    assert provinces(state, state.declined[0]) == {"ERB", "HAM"}


@pytest.mark.rule("R-CONTACT-1", "R-CONQ-5")
def test_conquest_of_cost_zero_empties_too() -> None:
    """A conquest of cost 0, which places no pawn, makes contact."""
    state = attack("WEA+SPE reserve=0 FEN | - COL")
    assert evacuated(state, "x ARA") == [("COL",)]
    assert pawns(state, "ARA", "COL") == [0, 0]


@pytest.mark.rule("R-CONTACT-1")
def test_a_conquest_by_spies_empties_too() -> None:
    """A conquest by Spies makes contact."""
    assert evacuated(attack("SPI+MIL reserve=2 FEN | - COL"), "x ARA spy") == [("COL",)]


@pytest.mark.rule("R-CONTACT-1", "R-CONQ-2")
def test_a_strait_is_contact() -> None:
    """A declined province across a strait is adjacent and so emptied."""
    assert evacuated(attack("FOR+MIL reserve=9 COL | - FEN"), "x ARA") == [("FEN",)]


@pytest.mark.rule("R-CONTACT-1", "R-CONQ-2")
def test_a_link_by_sea_is_no_contact() -> None:
    """A shared coast or linked seas, even with Astronomy, empty nothing."""
    state = attack("AST+GAL reserve=9 | - BOS")
    assert evacuated(state, "x FEN") == []
    assert provinces(state, state.declined[0]) == {"BOS"}
    assert pawns(state, "BOS") == [1]


@pytest.mark.rule("R-CONTACT-1", "R-ENTRY-1")
def test_an_entry_next_to_the_own_decline_empties_it() -> None:
    """The first province makes contact like any other."""
    state = attack("FOR+MIL reserve=9 | - COL FEN")
    assert evacuated(state, "x ARA") == [("COL", "FEN")]
    assert state.declined[0] is None


@pytest.mark.rule("R-CONTACT-1")
def test_emptied_province_can_be_conquered() -> None:
    """After it is emptied the province costs what its terrain costs, and is a target like any other."""
    state = attack("FOR+MIL reserve=9 FEN | - COL^ HAM")
    play(state, "x ARA")
    assert cost(state, "COL") == 2
    (event,) = of_kind(Conquered, play(state, "x COL"))
    assert (event.held, event.defender, event.lost, event.fort) == ("nobody", None, 0, False)
    assert provinces(state, active(state, 1)) == {"ARA", "COL", "FEN"}


@pytest.mark.rule("R-CONTACT-1")
def test_giving_up_the_province_does_not_undo_it() -> None:
    """The declined province stays empty although the conquest that touched it is not kept, and scores nothing."""
    state = attack("WEA+SPE reserve=0 FEN | - COL HAM")
    play(state, "x ARA")
    (scored,) = of_kind(Scored, play(state, "hold FEN=1"))
    assert owner(state, "ARA") is None
    assert owner(state, "COL") is None
    assert pawns(state, "COL") == [0]
    assert provinces(state, state.declined[0]) == {"HAM"}
    assert [item.vp for item in scored.items if item.empire == "declined"] == [1]
    assert scored.vp == 2


@pytest.mark.rule("R-CONTACT-1")
def test_emptying_earns_no_slavery() -> None:
    """With Slavery only the neutral pawn that fell counts, not the two own declined pawns that left."""
    state = attack("SLA+MIL reserve=9 FEN | - BOS COL", rest="neutral ARA")
    play(state, "x ARA")
    assert state.eliminated == 1
    (scored,) = of_kind(Scored, play(state, "hold ARA=5 FEN=5"))
    assert [item.vp for item in scored.items if item.source == "slavery"] == [1]
    assert scored.vp == 3


@pytest.mark.rule("R-CONTACT-1")
def test_declines_of_others_are_not_emptied() -> None:
    """A declined province of another seat next to a conquest stays."""
    state = attack("FOR+MIL reserve=9 FEN", rest="seat 4 | HER+MED | - COL; neutral -")
    assert evacuated(state, "x ARA") == []
    assert provinces(state, state.declined[3]) == {"COL"}
    assert pawns(state, "COL") == [1]


@pytest.mark.rule("R-CONTACT-1", "R-DECL-7")
def test_decline_vanishes_with_its_last_province() -> None:
    """With its last province the declined empire vanishes, and its lasting traits return to the bag."""
    state = attack("FOR+MIL reserve=9 FEN | MIN* COL")
    bag = state.bag[TRAIT_BY_CODE["MIN*"]]
    (vanished,) = of_kind(DeclineVanished, play(state, "x ARA"))
    assert (vanished.seat, codes_of(vanished.traits)) == (seat(1), "MIN*")
    assert state.declined[0] is None
    assert state.bag[TRAIT_BY_CODE["MIN*"]] == bag + 1


@pytest.mark.rule("R-CONTACT-1", "R-ENTRY-2")
@pytest.mark.parametrize("rules", EVACUATE)
def test_the_own_decline_can_be_conquered_at_entry(rules: str) -> None:
    """A declined province not in contact yet is conquered at entry; its pawn and fort defend."""
    state = attack("SLA+MIL reserve=9 | - ARA^ HAM", rules)
    assert cost(state, "ARA") == 2 + 1 + 1
    (event,) = of_kind(Conquered, play(state, "x ARA"))
    assert (event.cost, event.held, event.defender, event.lost, event.survivors, event.fort) == (
        4,
        "declined",
        seat(1),
        1,
        0,
        True,
    )
    assert provinces(state, active(state, 1)) == {"ARA"}
    assert provinces(state, state.declined[0]) == {"HAM"}
    assert pawns(state, "ARA") == [4]
    assert state.board.codes_of(state.forts) == ()


@pytest.mark.rule("R-CONTACT-1", "R-CONQ-4")
def test_the_own_decline_can_be_conquered_by_sea() -> None:
    """With Astronomy a declined province that is not in contact is conquered across the sea."""
    state = attack("AST+MIL reserve=9 FEN | - BOS")
    assert cost(state, "BOS") == 4
    (vanished,) = of_kind(DeclineVanished, play(state, "x BOS"))
    assert vanished.seat == seat(1)
    assert provinces(state, active(state, 1)) == {"BOS", "FEN"}
    assert pawns(state, "BOS") == [4]


@pytest.mark.rule("R-CONTACT-1")
def test_conquering_the_own_decline_empties_its_neighbours() -> None:
    """The declined province that was conquered touches others, which are emptied."""
    state = attack("FOR+MIL reserve=9 | - ARA BOS COL HAM")
    assert evacuated(state, "x ARA") == [("BOS", "COL")]
    assert provinces(state, state.declined[0]) == {"HAM"}


@pytest.mark.rule("R-CONTACT-1", "R-SCORE-1")
def test_conquering_the_own_decline_earns_no_slavery() -> None:
    """One's own declined pawn that falls is not counted by Slavery."""
    state = attack("SLA+MIL reserve=9 | - ARA")
    play(state, "x ARA")
    assert state.eliminated == 0
    (scored,) = of_kind(Scored, play(state, "hold ARA=9"))
    assert scored.vp == 1


# forbid


@pytest.mark.rule("R-CONTACT-2")
@pytest.mark.parametrize("rules", FORBID)
def test_conquests_next_to_the_own_decline_are_forbidden(rules: str) -> None:
    """A province that touches one's own decline is refused, and the refusal names what it touches."""
    state = attack("FOR+MIL reserve=9 FEN | - BOS COL HAM", rules)
    assert refused(state, "x ARA") == InContact(province(state, "ARA"), state.board.set_named(["BOS", "COL"]))
    assert InContact.rule == "R-CONTACT-2"
    assert not [action for action in legal(state) if action.startswith("x")]
    assert provinces(state, state.declined[0]) == {"BOS", "COL", "HAM"}


@pytest.mark.rule("R-CONTACT-2")
@pytest.mark.parametrize("holds", ["WEA+MED ARA=2", "WEA+MED | - ARA"])
def test_provinces_of_others_next_to_the_own_decline_are_forbidden(holds: str) -> None:
    """A province of another seat that touches one's own decline is refused for that reason, without any peace."""
    state = attack("FOR+MIL reserve=9 FEN | - COL", "NL", f"seat 4 | {holds}; neutral -")
    assert refused(state, "x ARA") == InContact(province(state, "ARA"), state.board.set_named(["COL"]))


@pytest.mark.rule("R-CONTACT-2")
@pytest.mark.parametrize("rules", FORBID)
def test_conquests_of_the_own_decline_are_forbidden(rules: str) -> None:
    """One's own declined province is refused at entry and across the sea."""
    state = attack("FOR+MIL reserve=9 | - ARA", rules)
    assert refused(state, "x ARA") == InContact(province(state, "ARA"), state.board.set_named(["ARA"]))
    assert isinstance(refused(state, "x FEN"), InContact)
    state = attack("AST+MIL reserve=9 FEN | - BOS", rules)
    assert refused(state, "x BOS") == InContact(province(state, "BOS"), state.board.set_named(["BOS"]))


@pytest.mark.rule("R-CONTACT-2", "R-CONQ-7")
def test_spies_are_bound_by_it() -> None:
    """Conquests by Spies next to one's own decline are forbidden as well."""
    state = attack("SPI+MIL reserve=9 FEN | - COL", "NL")
    assert refused(state, "x ARA spy") == InContact(province(state, "ARA"), state.board.set_named(["COL"]))


@pytest.mark.rule("R-CONTACT-2")
def test_an_entry_next_to_the_own_decline_is_forbidden() -> None:
    """Of the three entries only the one that does not touch the declined hills is legal."""
    state = attack("FOR+MIL reserve=9 | - COL", "NL")
    assert [action for action in legal(state) if action.startswith("x")] == ["x FEN", "x GOR"]


@pytest.mark.rule("R-CONTACT-2", "R-CONQ-2")
def test_a_strait_is_contact_where_contact_is_forbidden() -> None:
    """The arable land touches a declined fen across the strait."""
    state = attack("FOR+MIL reserve=9 COL | - FEN", "NL")
    assert refused(state, "x ARA") == InContact(province(state, "ARA"), state.board.set_named(["FEN"]))


@pytest.mark.rule("R-CONTACT-2", "R-CONQ-2")
def test_a_shared_coast_is_no_contact_where_contact_is_forbidden() -> None:
    """The forest shares shore and sea with a declined fen without touching it, so it can be conquered."""
    state = attack("AST+GAL reserve=9 COL | - FEN", "NL")
    assert allowed(state, "x BOS")
    play(state, "x BOS")
    assert provinces(state, state.declined[0]) == {"FEN"}


@pytest.mark.rule("R-CONTACT-2")
def test_conquests_elsewhere_are_legal() -> None:
    """Provinces away from the own declined empire are conquered as usual, declined ones of other seats included."""
    state = attack("FOR+MIL reserve=9 BOS | - HAM", "NL", "seat 4 | HER+MED | - COL; neutral -")
    assert [action for action in legal(state) if action.startswith("x")] == ["x ARA", "x COL", "x DOL"]
    play(state, "x COL")
    assert isinstance(refused(state, "x ERB"), InContact)


# Heritage


@pytest.mark.rule("R-CONTACT-3")
@pytest.mark.parametrize("rules", ["standard", "FR", "NL", "DE", "WEB"])
def test_heritage_allows_contact_without_evacuation(rules: str) -> None:
    """In every edition an empire with Heritage may touch its own decline, which stays with its fort and scores."""
    state = attack("HER+MIL reserve=9 FEN | - COL^", rules)
    assert evacuated(state, "x ARA") == []
    assert pawns(state, "COL") == [1]
    assert state.board.codes_of(state.forts) == ("COL",)
    (scored,) = of_kind(Scored, play(state, "hold ARA=5 FEN=5"))
    assert scored.vp == 3
    assert provinces(state, state.declined[0]) == {"COL"}


@pytest.mark.rule("R-CONTACT-3")
def test_heritage_with_specialization_is_heritage() -> None:
    """Two copies of Heritage do what one does."""
    state = attack("HER+SPE reserve=9 FEN | - COL")
    assert evacuated(state, "x ARA") == []
    assert cost(state, "COL") == 3


@pytest.mark.rule("R-CONTACT-3")
@pytest.mark.parametrize(
    "rules",
    [
        "standard",
        "FR",
        "WEB",
        "NL heritage_conquest=allowed",
        "DE heritage_conquest=allowed",
        "standard own_decline_contact=forbid",
    ],
)
def test_with_heritage_the_own_decline_can_be_conquered(rules: str) -> None:
    """If allowed, an own declined province costs the same as for others, and its pawn earns no Slavery."""
    state = attack("HER+SLA reserve=9 COL | - ARA^ ERB", rules)
    assert (cost(state, "ARA"), cost(state, "ERB")) == (2 + 1 + 1, 2 + 1)
    (event,) = of_kind(Conquered, play(state, "x ARA"))
    assert (event.cost, event.held, event.defender, event.lost, event.fort) == (4, "declined", seat(1), 1, True)
    assert state.eliminated == 0
    assert provinces(state, active(state, 1)) == {"ARA", "COL"}
    assert provinces(state, state.declined[0]) == {"ERB"}
    assert pawns(state, "ARA", "ERB") == [4, 1]
    assert state.board.codes_of(state.forts) == ()
    (scored,) = of_kind(Scored, play(state, "hold ARA=4 COL=6"))
    assert scored.vp == 3
    assert not [item for item in scored.items if item.source == "slavery"]


@pytest.mark.rule("R-CONTACT-3", "R-CONQ-7")
def test_spies_conquer_the_own_decline_with_heritage() -> None:
    """Spies take a declined province of one's own for 2, as any other."""
    state = attack("HER+SPI reserve=9 COL | - ARA^")
    (event,) = of_kind(Conquered, play(state, "x ARA spy"))
    assert (event.cost, event.held) == (2, "declined")


@pytest.mark.rule("R-CONTACT-3")
@pytest.mark.parametrize(
    "rules", ["NL", "DE", "standard heritage_conquest=forbidden", "NL own_decline_contact=evacuate"]
)
def test_where_it_is_forbidden_heritage_does_not_conquer_the_own_decline(rules: str) -> None:
    """With Heritage the own declined provinces are refused, by Spies and at any price, their neighbours are not."""
    state = attack("HER+SPI reserve=9 COL | - ARA ERB", rules)
    assert refused(state, "x ARA") == OwnHeritage(province(state, "ARA"))
    assert refused(state, "x ARA spy") == OwnHeritage(province(state, "ARA"))
    assert OwnHeritage.rule == "R-CONTACT-3"
    assert allowed(state, "x BOS")
    assert not [action for action in legal(state) if action.startswith(("x ARA", "x ERB"))]


@pytest.mark.rule("R-CONTACT-3", "R-ENTRY-1")
def test_where_it_is_forbidden_heritage_does_not_enter_over_the_own_decline() -> None:
    """At entry the own declined province is refused, and the one next to it can be taken."""
    state = attack("HER+MIL reserve=9 | - ARA", "NL")
    assert refused(state, "x ARA") == OwnHeritage(province(state, "ARA"))
    assert evacuated(state, "x FEN") == []
    assert provinces(state, state.declined[0]) == {"ARA"}


@pytest.mark.rule("R-CONTACT-3")
def test_only_heritage_of_the_own_active_empire_counts() -> None:
    """Heritage of another seat protects no decline from being emptied."""
    state = attack("FOR+MIL reserve=9 FEN | - COL", rest="seat 4 | HER+MED; neutral -")
    assert evacuated(state, "x ARA") == [("COL",)]
