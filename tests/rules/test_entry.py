"""Entering the board (R-ENTRY)."""

import pytest

from tests.support.paths import DATA
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
from vinci_rules import conquest, notation, record
from vinci_rules.dummy import advise
from vinci_rules.editions import EDITIONS
from vinci_rules.engine import default_action
from vinci_rules.events import Conquered, Scored, TurnStarted
from vinci_rules.state import State
from vinci_rules.violations import MustConquer, NotEnoughPawns, OutOfReach

OTHERS = "seat 2 | BAR+CUR; seat 3 | HER+SLA"

ENTRY = ["IRL", "SCO", "NOR", "LAP", "LUS", "BAE", "NAP", "HEL", "BIT", "TAU", "NOV", "VOL", "URA", "CAU"]
"""Europe: what touches a sea on the edge, and Novgorod, Volga, Urals and Caucasus on the edge itself."""

GAUL = ["PYR", "AQU", "MAS", "ARM", "NEU", "PRO", "FLA"]

INLAND = ["MAS", "NEU", "ALP", "BOH", "POL", "CAR", "PAN", "BAV", "RHI", "RUT", "MUS"]


def entering(civilization: str, rest: str = "neutral -", reserve: int = 9, rules: str = "standard") -> State:
    """Return the turn of seat 1, without land, on the small board."""
    return at(f"tiny; rules {rules}; seat 1 | {civilization} reserve={reserve}; {OTHERS}; {rest}")


def targets(state: State) -> set[str]:
    """Return the provinces that can be conquered now."""
    return {action.removeprefix("x ") for action in legal(state) if action.startswith("x ") and "spy" not in action}


@pytest.mark.rule("R-ENTRY-1")
def test_the_first_province_is_on_the_edge_or_one_sea_away() -> None:
    """Two coasts of the ocean on the edge and a mountain on the edge are open, everything inland is not."""
    state = entering("WEA+MIL")
    assert targets(state) == {"ARA", "FEN", "GOR"}


@pytest.mark.rule("R-ENTRY-1")
@pytest.mark.parametrize("code", ["BOS", "COL", "DOL", "ERB", "HAM"])
def test_other_first_provinces_are_out_of_reach(code: str) -> None:
    """Neither a coast of a second sea, nor that of a lake, nor land can be entered, and the refusal says what can."""
    state = entering("WEA+MIL")
    assert refused(state, f"x {code}") == OutOfReach(
        "R-ENTRY-1", province(state, code), state.board.set_named(["ARA", "FEN", "GOR"])
    )


@pytest.mark.rule("R-ENTRY-1")
def test_where_europe_can_be_entered() -> None:
    """Scotland and Ireland are open, no French province is and northern Italy is not."""
    state = at("europe; seat 1 | MES+BAR reserve=19; seat 2 | WEA+CUR; seat 3 | HER+SLA")
    assert targets(state) == set(ENTRY)
    assert {"IRL", "SCO"} <= targets(state)
    assert not targets(state) & {*GAUL, "LOM", "ALP"}


@pytest.mark.rule("R-ENTRY-1")
def test_only_the_first_province_is_an_entry() -> None:
    """With a province on the board the edge is no way in any more."""
    state = entering("WEA+MIL")
    play(state, "x FEN")
    assert targets(state) == {"ARA"}
    assert refused(state, "x GOR") == OutOfReach("R-CONQ-1", province(state, "GOR"), state.board.set_named(["ARA"]))


@pytest.mark.rule("R-ENTRY-1", "R-MOB-3")
def test_a_declined_empire_is_no_way_in() -> None:
    """An empire with no land of its own enters over the edge although the seat has a declined empire inland."""
    state = at(f"tiny; seat 1 | HER+MIL reserve=9 | - COL; {OTHERS.replace('HER', 'REN')}; neutral -")
    assert targets(state) == {"ARA", "FEN", "GOR"}


@pytest.mark.rule("R-ENTRY-2")
@pytest.mark.parametrize(
    ("rest", "code", "needed"),
    [
        ("neutral -", "ARA", 2),
        ("neutral ARA", "ARA", 3),
        ("neutral -", "FEN", 2),
        ("neutral -", "GOR", 3),
        ("seat 4 | FOR+MED ARA=3; neutral -", "ARA", 5),
        ("seat 4 | FOR+MED ARA=3^; neutral -", "ARA", 6),
        ("seat 4 | MIL+MED GOR=2; neutral -", "GOR", 6),
        ("seat 4 | MIL+MED | - GOR^; neutral -", "GOR", 5),
    ],
)
def test_first_province_has_its_normal_cost(rest: str, code: str, needed: int) -> None:
    """Terrain, pawns, forts and Militia are paid for at entry as anywhere."""
    state = entering("DIP+AST", rest)
    assert cost(state, code) == needed
    (conquered,) = of_kind(Conquered, play(state, f"x {code}"))
    assert conquered.cost == needed
    assert active(state, 1).reserve == 9 - needed


@pytest.mark.rule("R-ENTRY-2")
def test_there_is_no_origin_at_entry() -> None:
    """At entry neither a mountain nor a fort makes anything cheaper, not even those of one's own decline next to it."""
    state = at(f"tiny; seat 1 | REN+MIL reserve=9 | - DOL^; {OTHERS}; neutral -")
    assert cost(state, "GOR") == 3
    assert conquest.cost_items(state, province(state, "GOR")) == (("terrain", 3),)


@pytest.mark.rule("R-ENTRY-2")
def test_a_first_province_that_is_too_expensive_is_refused() -> None:
    """With two pawns a neutral port is not affordable."""
    state = entering("REN+MIL", "neutral ARA", reserve=2)
    assert refused(state, "x ARA") == NotEnoughPawns("R-CONQ-3", province(state, "ARA"), needed=3, available=2)


@pytest.mark.rule("R-ENTRY-2")
@pytest.mark.parametrize(
    ("rules", "discount"),
    [
        ("standard", 1),
        ("FR", 1),
        ("NL", 1),
        ("DE", 0),
        ("WEB", 0),
        ("standard galleys_on_entry=no", 0),
        ("WEB galleys_on_entry=yes", 1),
        ("DE galleys_on_entry=yes", 1),
    ],
)
def test_galleys_at_entry_by_sea_depend_on_the_edition(rules: str, discount: int) -> None:
    """Entry over the ocean costs 1 less with Galleys, on the edge of the board too, but over land it does not."""
    state = entering("GAL+MIL", rules=rules)
    assert cost(state, "ARA") == 2 - discount
    assert cost(state, "FEN") == 2 - discount
    assert cost(state, "GOR") == 3


@pytest.mark.rule("R-ENTRY-2")
def test_two_galleys_count_twice_at_entry() -> None:
    """With Specialization entry by sea costs 2 less."""
    state = entering("GAL+SPE", "neutral ARA")
    assert cost(state, "ARA") == 1
    assert cost(state, "FEN") == 0
    assert cost(state, "GOR") == 3


@pytest.mark.rule("R-ENTRY-2", "R-CONQ-3")
def test_the_parts_of_an_entry_cost_add_up() -> None:
    """Terrain, a fort, four pawns and Militia are paid for, less one for Weapons and one for Galleys by sea."""
    state = entering("WEA+GAL", "seat 4 | MIL+FOR ARA=4^; neutral -")
    assert sorted(conquest.cost_items(state, province(state, "ARA"))) == [
        ("fort", 1),
        ("galleys", -1),
        ("militia", 1),
        ("pawns", 4),
        ("terrain", 2),
        ("weapons", -1),
    ]
    assert cost(state, "ARA") == 6


@pytest.mark.rule("R-ENTRY-2")
def test_entry_by_sea_needs_galleys_to_be_cheaper() -> None:
    """Without Galleys the sea saves nothing."""
    assert cost(entering("AST+MIL"), "ARA") == 2


@pytest.mark.rule("R-ENTRY-2", "R-ENTRY-3")
@pytest.mark.parametrize(("rules", "discount"), [("standard", 1), ("NL", 1), ("DE", 0), ("WEB", 0)])
def test_with_astronomy_entry_is_by_any_sea_connected_to_the_edge(rules: str, discount: int) -> None:
    """With Astronomy a province on a second sea is entered by sea, so Galleys count where the edition lets them."""
    state = entering("AST+GAL", rules=rules)
    assert cost(state, "BOS") == 3 - discount
    assert cost(state, "ARA") == 2 - discount
    assert cost(state, "GOR") == 3


@pytest.mark.rule("R-ENTRY-2", "R-ENTRY-3")
@pytest.mark.parametrize(("code", "needed"), [("BOS", 3), ("COL", 2), ("DOL", 3), ("ERB", 2), ("HAM", 2), ("GOR", 3)])
def test_galleys_do_not_count_where_only_revolution_leads(code: str, needed: int) -> None:
    """Revolution's choices that touch no sea on the edge cost the full price with Galleys."""
    assert cost(entering("REV+GAL"), code) == needed


@pytest.mark.rule("R-ENTRY-2", "R-ENTRY-3")
@pytest.mark.parametrize("code", ["ARA", "FEN"])
def test_with_revolution_galleys_count_by_sea_as_ever(code: str) -> None:
    """With Revolution a province at a sea on the edge is still entered by sea."""
    assert cost(entering("REV+GAL"), code) == 1


@pytest.mark.rule("R-ENTRY-2")
@pytest.mark.parametrize(
    ("civilization", "ara", "gor"),
    [
        ("WEA+MIL", 2, 2),
        ("WEA+SPE", 1, 1),
        ("MOU+MIL", 3, 2),
        ("MOU+SPE", 3, 1),
        ("WEA+MOU", 2, 1),
        ("WEA+GAL", 1, 2),
        ("FOR+MIL", 3, 3),
    ],
)
def test_weapons_and_mountaineers_count_at_entry(civilization: str, ara: int, gor: int) -> None:
    """Weapons save pawns on every first province, Mountaineers on a first mountain."""
    state = entering(civilization, "neutral ARA")
    assert (cost(state, "ARA"), cost(state, "GOR")) == (ara, gor)


@pytest.mark.rule("R-ENTRY-2", "R-CONQ-7")
def test_spies_count_at_entry() -> None:
    """The first province can be taken by Spies for exactly 2."""
    state = entering("SPI+MIL", "seat 4 | BAR+MED ARA=7; neutral -")
    assert cost(state, "ARA") == 9
    (conquered,) = of_kind(Conquered, play(state, "x ARA spy"))
    assert (conquered.cost, conquered.spies, conquered.survivors) == (2, True, 6)
    assert pawns(state, "ARA") == [2]


@pytest.mark.rule("R-ENTRY-3")
def test_astronomy_crosses_any_number_of_seas() -> None:
    """With Astronomy the coast of a second sea is open, that of a lake without a link is not."""
    assert targets(entering("AST+MIL")) == {"ARA", "BOS", "FEN", "GOR"}


@pytest.mark.rule("R-ENTRY-3")
def test_astronomy_opens_every_coast_of_europe() -> None:
    """All seas of Europe are connected, so Astronomy enters everywhere but inland."""
    state = at("europe; seat 1 | AST+BAR reserve=19; seat 2 | WEA+CUR; seat 3 | HER+SLA")
    clickable = targets(state)
    assert clickable == set(state.board.codes) - set(INLAND)
    assert {"LOM", "ARM", "PYR", "DEN", "POM", "PON", "VOL", "URA"} <= clickable


@pytest.mark.rule("R-ENTRY-3")
def test_revolution_enters_anywhere() -> None:
    """With Revolution any province may be the first."""
    assert targets(entering("REV+MIL")) == {"ARA", "BOS", "COL", "DOL", "ERB", "FEN", "GOR", "HAM"}
    state = at("europe; seat 1 | REV+BAR reserve=18; seat 2 | WEA+CUR; seat 3 | HER+SLA")
    assert targets(state) == set(state.board.codes)


@pytest.mark.rule("R-ENTRY-3")
def test_revolution_is_for_the_first_province_only() -> None:
    """After its entry an empire with Revolution conquers neighbours like any other."""
    state = entering("REV+MIL")
    play(state, "x COL")
    assert targets(state) == {"ARA", "BOS", "DOL", "ERB"}


@pytest.mark.rule("R-ENTRY-3")
def test_revolution_enters_anywhere_after_everything_was_abandoned() -> None:
    """After giving up all its provinces, a seat with Revolution may enter anywhere."""
    state = at(f"tiny; seat 1 | REV+MIL reserve=9 ARA; {OTHERS}; neutral -")
    play(state, "abandon ARA")
    assert allowed(state, "x HAM")


@pytest.mark.rule("R-ENTRY-4")
def test_a_seat_without_land_cannot_hold_while_it_can_conquer() -> None:
    """With two pawns the empty fen is affordable, so the seat has to take a first province."""
    state = entering("FOR+MIL", "neutral ARA", reserve=2)
    assert refused(state, "hold") == MustConquer(state.board.set_named(["FEN"]))
    assert MustConquer.rule == "R-ENTRY-4"
    play(state, "x FEN")
    assert allowed(state, "hold FEN=2")


@pytest.mark.rule("R-ENTRY-4")
def test_the_refusal_names_all_that_is_affordable() -> None:
    """With three pawns the empty fen, the neutral port and the empty mountain can all be paid for."""
    state = entering("FOR+MIL", "neutral ARA", reserve=3)
    assert refused(state, "hold") == MustConquer(state.board.set_named(["ARA", "FEN", "GOR"]))


@pytest.mark.rule("R-ENTRY-4")
def test_seat_without_affordable_entry_may_hold() -> None:
    """With one pawn nothing is affordable: the pawn stays in reserve and the seat tries again next turn."""
    state = at("tiny; seat 1 | FOR+MIL reserve=1; seat 2 | BAR+CUR HAM=3; seat 3 | HER+SLA COL=2; neutral -")
    assert targets(state) == set()
    play(state, "hold")
    assert active(state, 1).reserve == 1
    events = play(state, "hold HAM=3", "hold COL=2")
    assert of_kind(TurnStarted, events)[-1] == TurnStarted(seat(1), 2, reserve=1, by_medicine=0, by_general=0)
    assert refused(state, "x FEN") == NotEnoughPawns("R-CONQ-3", province(state, "FEN"), needed=2, available=1)


@pytest.mark.rule("R-ENTRY-4", "R-MOB-4")
def test_medicine_helps_to_enter_later() -> None:
    """A landless empire with one pawn that holds has two with Medicine in its next turn, enough for the fen."""
    state = at("tiny; seat 1 | MED+MIL reserve=1; seat 2 | BAR+CUR HAM=3; seat 3 | HER+SLA COL=2; neutral -")
    play(state, "hold", "hold HAM=3", "hold COL=2")
    assert active(state, 1).reserve == 2
    assert isinstance(refused(state, "hold"), MustConquer)


@pytest.mark.rule("R-ENTRY-4")
def test_the_declined_empire_of_a_seat_without_land_scores() -> None:
    """A hold without provinces scores 1 VP for each declined province and nothing for the reserve."""
    state = at(f"tiny; seat 1 vp=10 | FOR+MIL reserve=1 | - ERB HAM; {OTHERS}; neutral -")
    (scored,) = of_kind(Scored, play(state, "hold"))
    assert (scored.seat, scored.vp, scored.total) == (seat(1), 2, 12)
    assert {item.empire for item in scored.items} == {"declined"}


@pytest.mark.rule("R-ENTRY-4")
def test_an_empty_reserve_may_hold_even_if_a_conquest_is_free() -> None:
    """Two Weapons take an empty fen for nothing, but with an empty reserve the seat may hold as well."""
    state = entering("WEA+SPE", reserve=0)
    assert cost(state, "FEN") == 0
    assert allowed(state, "x FEN")
    assert allowed(state, "hold")


@pytest.mark.rule("R-ENTRY-4")
def test_a_free_first_province_must_be_taken_with_pawns_in_hand() -> None:
    """With one pawn in hand and an empty fen for nothing, the seat has to enter."""
    state = entering("WEA+SPE", "neutral ARA", reserve=1)
    assert refused(state, "hold") == MustConquer(state.board.set_named(["ARA", "FEN", "GOR"]))


@pytest.mark.rule("R-ENTRY-4", "R-CONQ-7")
def test_spies_make_a_first_province_affordable() -> None:
    """With two pawns Spies can take what costs 3, so the seat may not hold."""
    state = entering("SPI+MIL", "neutral ARA FEN", reserve=2)
    assert targets(state) == set()
    assert refused(state, "hold") == MustConquer(state.board.set_named(["ARA", "FEN", "GOR"]))
    assert allowed(entering("SPI+MIL", "neutral ARA FEN", reserve=1), "hold")


@pytest.mark.rule("R-ENTRY-4", "R-PEACE-1")
def test_a_seat_may_hold_if_peace_closes_every_entry() -> None:
    """No first conquest is legal if all entries belong to an opponent at peace."""
    state = at("tiny; seat 1 | DIP+MIL reserve=9; seat 2 | BAR+CUR ARA FEN GOR; seat 3 | HER+SLA; neutral -")
    assert refused(state, "hold") == MustConquer(state.board.set_named(["ARA", "FEN", "GOR"]))
    play(state, "peace 2")
    assert targets(state) == set()
    play(state, "hold")
    assert active(state, 1).reserve == 9
    assert provinces(state, active(state, 1)) == set()


@pytest.mark.rule("R-ENTRY-4", "R-CONTACT-2")
def test_a_seat_may_hold_if_its_own_decline_closes_every_entry() -> None:
    """`forbid` leaves no legal first conquest if every entry is or touches an own declined province."""
    state = at(f"tiny; rules NL; seat 1 | FOR+MIL reserve=9 | - ARA GOR; {OTHERS}; neutral -")
    assert targets(state) == set()
    play(state, "hold")
    assert active(state, 1).reserve == 9


@pytest.mark.rule("R-ENTRY-4")
def test_seat_that_abandoned_everything_must_enter_if_it_can() -> None:
    """Abandoning everything is no way to keep the pawns in hand."""
    state = at(f"tiny; seat 1 | FOR+MIL reserve=9 COL; {OTHERS}; neutral -")
    play(state, "abandon COL")
    assert refused(state, "hold") == MustConquer(state.board.set_named(["ARA", "FEN", "GOR"]))


@pytest.mark.rule("R-ENTRY-4")
def test_seat_that_abandoned_everything_may_hold_if_it_cannot_enter() -> None:
    """After the last pawn came back from the only province it affords no entry, and it stays in reserve."""
    state = at(f"tiny; seat 1 | FOR+MIL reserve=0 COL; {OTHERS}; neutral -")
    play(state, "abandon COL", "hold")
    assert active(state, 1).reserve == 1
    assert provinces(state, active(state, 1)) == set()


OWN_DECLINE = """europe; rules {}; seat 1 | BAR+CUR reserve=2 | AGR* CAS BAE AQU; seat 2 | SPI+SLA NAP=3; seat 3 | HER+REV reserve=16;
    neutral IRL MER WES LAP SVE DEN FIN NEU ARM PRO FLA LOM SAX RHI BAV POM POL PAN HEL THR DAC LIV NOV RUT PON MUS VOL BIT"""


@pytest.mark.rule("R-ENTRY-4")
def test_with_free_entry_a_seat_stays_off_the_board() -> None:
    """WEB ("il peut"): the only entry would empty two declined provinces; out of it all three and Agriculture score."""
    state = at(OWN_DECLINE.format("WEB"))
    assert targets(state) == {"LUS"}
    (scored,) = of_kind(Scored, play(state, "hold"))
    assert scored.vp == 4
    assert active(state, 1).reserve == 2
    assert refused(at(OWN_DECLINE.format("FR")), "hold") == MustConquer(state.board.set_named(["LUS"]))


@pytest.mark.rule("R-ENTRY-4", "R-FORFEIT-3")
@pytest.mark.parametrize(("rules", "expected"), [("WEB", "hold"), ("WEB landless_entry=forced", "x LUS")])
def test_the_default_action_enters_only_if_it_must(rules: str, expected: str) -> None:
    """A seat whose time runs out makes no conquest unless one is required. A dummy enters in any case (R-DUMMY-3)."""
    state = at(OWN_DECLINE.format(rules) + "; turn 1 abandon")
    assert notation.write(default_action(state), state.board) == expected
    assert notation.write(advise(state), state.board) == "x LUS"


@pytest.mark.rule("R-ENTRY-4", "R-MOB-4")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("empire", "may"),
    [
        ("GEN+CUR reserve=7", True),
        ("GEN+CUR reserve=8", False),
        ("GEN+SPE reserve=14", True),
        ("MED+SPE reserve=2", True),
        ("MED+SPE reserve=3", False),
        ("GEN+MED reserve=8", True),
        ("BAR+CUR reserve=0", True),
    ],
)
def test_a_seat_without_a_pawn_of_its_own_need_not_enter(edition: str, empire: str, may: bool) -> None:
    """Pawns lent by General or new by Medicine force nobody to enter, in no edition; one other pawn does."""
    rules = f"{edition} landless_entry=forced" if edition == "WEB" else edition
    state = at(f"europe; rules {rules}; seat 1 | {empire} | POR* LOM NAP PRO; {OTHERS}; neutral -")
    assert allowed(state, "hold") is may


@pytest.mark.rule("R-ENTRY-4")
def test_civilization_without_pawns_gains_one_by_medicine() -> None:
    """The pawn of this turn is the seat's own in the next one."""
    state = at("tiny; seat 1 | MED+MIL reserve=2; seat 2 | BAR+CUR HAM=3; seat 3 | HER+SLA COL=2; neutral -")
    assert isinstance(refused(state, "hold"), MustConquer)
    state = at("tiny; seat 1 | MED+MIL reserve=1; seat 2 | BAR+CUR HAM=3; seat 3 | HER+SLA COL=2; neutral ARA FEN")
    play(state, "hold", "hold HAM=3", "hold COL=2", "hold", "hold HAM=3", "hold COL=2")
    assert active(state, 1).reserve == 3
    assert isinstance(refused(state, "hold"), MustConquer)


def test_a_record_written_before_the_option_verifies() -> None:
    """A game of WEB whose record names no `landless_entry`: the option only allows more."""
    lines = (DATA / "record-WEB.jsonl").read_text(encoding="utf-8").splitlines()
    assert record.verify_chance(lines) > 0
    assert list(record.replay(lines))[-1].state.options.landless_entry == "free"
