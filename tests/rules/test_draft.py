"""Choosing a civilization (R-DRAFT)."""

import pytest

from tests.support.rules import active, at, cost, legal, of_kind, play, refused, seat
from vinci_rules.chance import RecordedChance
from vinci_rules.events import CivilizationDrawn, CivilizationTaken, TurnStarted
from vinci_rules.state import State
from vinci_rules.traits import codes_of
from vinci_rules.violations import NoSuchSlot, TooExpensive

SEATS = "round 0; seat 1; seat 2; seat 3"
MARKET = "AGR+LIV MIN+POR CUR+SLA WEA+SPI FOR+GAL GEN+MIL"
FIVE = "AGR+LIV MIN+POR AGR*+LIV* MIN*+POR* GEN+SLA"
"""Five civilizations for the slots that do not matter."""


def market(state: State) -> list[str]:
    """Return the civilizations in the market in position notation, slot I first."""
    return [
        codes_of(civilization.traits) + (f":{civilization.markers}" if civilization.markers else "")
        for civilization in state.market
    ]


def taken(state: State, *actions: str) -> CivilizationTaken:
    """Return the only civilization that these actions take."""
    (event,) = of_kind(CivilizationTaken, play(state, *actions))
    return event


@pytest.mark.rule("R-DRAFT-1")
@pytest.mark.parametrize(
    ("slot", "price", "civilization"),
    [
        (1, 0, "AGR+LIV"),
        (2, 2, "MIN+POR"),
        (3, 4, "CUR+SLA"),
        (4, 6, "WEA+SPI"),
        (5, 8, "FOR+GAL"),
        (6, 10, "GEN+MIL"),
    ],
)
def test_a_slot_costs_two_vp_for_each_civilization_passed_over(slot: int, price: int, civilization: str) -> None:
    """Slot I is free, slot II costs 2 VP, and so on to 10 VP for slot VI."""
    state = at(f"tiny; {SEATS}; market {MARKET}")
    event = taken(state, f"take {slot}")
    assert (event.seat, event.paid, event.received) == (seat(1), price, 0)
    assert codes_of(event.traits) == codes_of(active(state, 1).traits) == civilization
    assert state.vp == [10 - price, 10, 10]


@pytest.mark.rule("R-DRAFT-1", "R-DRAFT-3")
def test_a_marker_is_laid_on_each_civilization_passed_over() -> None:
    """Taking slot IV puts one marker on each of the first three civilizations and none on the later ones."""
    state = at(f"tiny; {SEATS}; market {MARKET}")
    play(state, "take 4", chance=RecordedChance(["MOU#1", "AST#1"]))
    assert market(state) == ["AGR+LIV:1", "MIN+POR:1", "CUR+SLA:1", "FOR+GAL", "GEN+MIL", "MOU+AST"]


@pytest.mark.rule("R-DRAFT-1")
def test_markers_add_up() -> None:
    """A civilization passed over by several seats has a marker from each."""
    state = at(f"tiny; {SEATS}; market {MARKET}")
    play(
        state,
        "take 3",
        "take 2",
        "take 3",
        chance=RecordedChance(["MOU#1", "AST#1", "DIP#1", "HER#1", "MED#1", "MES#1"]),
    )
    assert market(state) == ["AGR+LIV:3", "WEA+SPI:1", "GEN+MIL", "MOU+AST", "DIP+HER", "MED+MES"]
    assert state.vp == [10 - 4, 10 - 2 + 2, 10 - 4]


@pytest.mark.rule("R-DRAFT-1")
def test_there_is_no_seventh_slot() -> None:
    """Slots beyond the sixth are refused."""
    violation = refused(at(f"tiny; {SEATS}; market {MARKET}"), "take 7")
    assert isinstance(violation, NoSuchSlot)
    assert (violation.rule, violation.slots) == ("R-DRAFT-1", 6)


@pytest.mark.rule("R-DRAFT-2")
@pytest.mark.parametrize("markers", [1, 2, 3, 7])
@pytest.mark.parametrize("rules", ["standard", "FR", "NL", "DE", "WEB"])
def test_each_marker_brings_two_vp(rules: str, markers: int) -> None:
    """A civilization with k markers gives 2k VP, in every edition."""
    state = at(f"tiny; rules {rules}; {SEATS}; market AGR+LIV:{markers} MIN+POR CUR+SLA WEA+SPI FOR+GAL GEN+MIL")
    event = taken(state, "take 1")
    assert (event.paid, event.received) == (0, 2 * markers)
    assert state.vp == [10 + 2 * markers, 10, 10]


@pytest.mark.rule("R-DRAFT-2")
def test_the_price_is_paid_and_the_markers_received() -> None:
    """Slot III with two markers costs 4 VP and brings 4 VP; the market keeps only the new markers."""
    state = at(f"tiny; {SEATS}; market AGR+LIV:1 MIN+POR CUR+SLA:2 WEA+SPI:1 FOR+GAL GEN+MIL")
    event = taken(state, "take 3")
    assert (event.paid, event.received) == (4, 4)
    assert state.vp == [10, 10, 10]
    assert market(state)[:5] == ["AGR+LIV:2", "MIN+POR:1", "WEA+SPI:1", "FOR+GAL", "GEN+MIL"]
    assert state.market[5].markers == 0


@pytest.mark.rule("R-DRAFT-2")
def test_the_payment_comes_before_the_markers() -> None:
    """With 5 VP slot IV is too expensive at 6 VP, even if its markers would bring 10."""
    state = at("tiny; round 0; seat 1 vp=5; seat 2; seat 3; market AGR+LIV MIN+POR CUR+SLA WEA+SPI:5 FOR+GAL GEN+MIL")
    assert refused(state, "take 4") == TooExpensive(needed=6, available=5)
    assert TooExpensive.rule == "R-DRAFT-2"
    assert legal(state) == ["take 1", "take 2", "take 3"]


@pytest.mark.rule("R-DRAFT-2")
def test_the_whole_score_can_be_paid() -> None:
    """With 6 VP slot IV can be paid for, and the score falls to 0 but not below."""
    state = at(f"tiny; round 0; seat 1 vp=6; seat 2; seat 3; market {MARKET}")
    assert isinstance(refused(state, "take 5"), TooExpensive)
    assert taken(state, "take 4").paid == 6
    assert state.vp[0] == 0


@pytest.mark.rule("R-DRAFT-2")
def test_without_vp_only_the_first_slot_can_be_taken() -> None:
    """A seat without VP takes slot I."""
    state = at(f"tiny; round 0; seat 1 vp=0; seat 2; seat 3; market {MARKET}")
    assert legal(state) == ["take 1"]
    assert refused(state, "take 2") == TooExpensive(needed=2, available=0)


@pytest.mark.rule("R-DRAFT-3")
def test_later_slots_move_up_with_their_markers() -> None:
    """Behind the slot taken everything moves up with its markers, and two traits are drawn for slot VI."""
    state = at(f"tiny; {SEATS}; market AGR+LIV:2 MIN+POR CUR+SLA:4 WEA+SPI:1 FOR+GAL GEN+MIL:3")
    events = play(state, "take 2", chance=RecordedChance(["MOU#2", "AST#1"]))
    assert market(state) == ["AGR+LIV:3", "CUR+SLA:4", "WEA+SPI:1", "FOR+GAL", "GEN+MIL:3", "MOU+AST"]
    assert [codes_of(event.traits) for event in of_kind(CivilizationDrawn, events)] == ["MOU+AST"]


@pytest.mark.rule("R-DRAFT-3")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5, 6])
def test_six_civilizations_always_lie_there(slot: int) -> None:
    """The market has six civilizations after each choice."""
    state = at(f"tiny; {SEATS}; market {MARKET}")
    bag = sum(state.bag)
    play(state, f"take {slot}")
    assert len(state.market) == 6
    assert sum(state.bag) == bag - 2


@pytest.mark.rule("R-DRAFT-3")
def test_a_slot_is_filled_before_the_next_seat_chooses() -> None:
    """The next seat chooses among six, the last of them just drawn."""
    state = at(f"tiny; {SEATS}; market {MARKET}")
    play(state, "take 1", chance=RecordedChance(["MOU#1", "AST#1"]))
    event = taken(state, "take 6")
    assert (event.seat, codes_of(event.traits), event.paid) == (seat(2), "MOU+AST", 10)


@pytest.mark.rule("R-DRAFT-4")
@pytest.mark.parametrize(
    ("trait", "strength"),
    [
        ("AGR", 2),
        ("AGR*", 1),
        ("LIV", 2),
        ("LIV*", 1),
        ("MIN", 2),
        ("MIN*", 1),
        ("POR", 2),
        ("POR*", 1),
        ("SLA", 2),
        ("WEA", 3),
        ("SPI", 4),
        ("FOR", 3),
        ("GAL", 4),
        ("GEN", 2),
        ("MIL", 4),
        ("MOU", 4),
        ("AST", 5),
        ("BAR", 6),
        ("DIP", 4),
        ("HER", 4),
        ("MED", 3),
        ("MES", 5),
        ("REN", 3),
        ("REV", 4),
    ],
)
def test_pawns_are_the_strengths_and_the_extra_pawns(trait: str, strength: int) -> None:
    """Beside Currency, of strength 0, a trait gives its own strength and the 8 extra pawns of three seats."""
    state = at(f"tiny; {SEATS}; market {trait}+CUR {FIVE}")
    assert taken(state, "take 1").pawns == strength + 8
    assert active(state, 1).reserve == strength + 8


@pytest.mark.rule("R-DRAFT-4")
@pytest.mark.parametrize(("seats", "pawns"), [(3, 17), (4, 15), (5, 13), (6, 12)])
def test_extra_pawns_depend_on_the_table_size(seats: int, pawns: int) -> None:
    """Astronomy 5 and Mountaineers 4 give 17 pawns to three seats, 15 to four, 13 to five and 12 to six."""
    seated = "; ".join(f"seat {number}" for number in range(1, seats + 1))
    state = at(f"tiny; round 0; {seated}; market AST+MOU {FIVE}")
    assert taken(state, "take 1").pawns == pawns


@pytest.mark.rule("R-DRAFT-4")
def test_pawns_are_all_that_a_civilization_will_ever_have() -> None:
    """A turn that begins with 12 pawns on the board and in reserve begins with 12 pawns again a round later."""
    state = at(
        "tiny; turn 1 start; seat 1 | FOR+MIL reserve=11 COL; seat 2 | BAR+CUR HAM=3; seat 3 | AST+SLA FEN=3; neutral -"
    )
    play(state, "hold COL=12", "hold HAM=3")
    (started,) = of_kind(TurnStarted, play(state, "hold FEN=3"))
    assert (started.seat, started.round, started.reserve) == (seat(1), 2, 11)
    assert (started.by_medicine, started.by_general) == (0, 0)


@pytest.mark.rule("R-DRAFT-4")
def test_medicine_brings_pawns_beyond_the_first_ones() -> None:
    """With Medicine the empire has a pawn more in its next turn."""
    state = at(
        "tiny; turn 1 start; seat 1 | MED+MIL reserve=11 COL; seat 2 | BAR+CUR HAM=3; seat 3 | AST+SLA FEN=3; neutral -"
    )
    (started,) = of_kind(TurnStarted, play(state, "hold COL=12", "hold HAM=3", "hold FEN=3"))[2:]
    assert (started.seat, started.reserve, started.by_medicine) == (seat(1), 12, 1)


@pytest.mark.rule("R-DRAFT-4")
def test_there_is_no_limit_of_25_pawns() -> None:
    """A dummy with 20 extra pawns takes 33 with Barbarians 6 and Specialization 7."""
    state = at(
        f"tiny; rules standard dummy_extra_pawns=20; round 0; seat 1 dummy; seat 2; seat 3; market BAR+SPE {FIVE}"
    )
    assert taken(state, "take 1").pawns == 33
    assert active(state, 1).reserve == 33


@pytest.mark.rule("R-DRAFT-4")
def test_general_is_not_cut_off_at_25_pawns() -> None:
    """General 2 and Specialization 3 with 8 extra pawns and two times 7 start the first turn with 27."""
    state = at(f"tiny; {SEATS}; market GEN+SPE {FIVE}")
    (started,) = of_kind(TurnStarted, play(state, "take 1", "take 1", "take 1"))
    assert (started.reserve, started.by_general) == (27, 14)


@pytest.mark.rule("R-DRAFT-5")
@pytest.mark.parametrize(
    ("seats", "civilization", "pawns"),
    [
        (5, "BAR+SPE", 17),
        (5, "SPE+BAR", 17),
        (5, "AST+MOU", 13),
        (4, "AST+MOU", 15),
        (3, "CUR+SPE", 0 + 1 + 8),
        (3, "AGR*+SPE", 1 + 2 + 8),
        (3, "SPE+MED", 3 + 4 + 8),
        (6, "AST+SPE", 5 + 6 + 3),
    ],
)
def test_specialization_has_the_strength_of_the_other_trait_plus_one(seats: int, civilization: str, pawns: int) -> None:
    """With five seats Barbarians 6 and Specialization 7 give 17 pawns, and the other examples theirs."""
    seated = "; ".join(f"seat {number}" for number in range(1, seats + 1))
    state = at(f"tiny; round 0; {seated}; market {civilization} {FIVE}")
    assert taken(state, "take 1").pawns == pawns


@pytest.mark.rule("R-DRAFT-4", "R-SETUP-4")
@pytest.mark.parametrize(("civilization", "pawns"), [("WEA+WEA", 14), ("AST+AST", 18), ("CUR+CUR", 8)])
def test_an_identical_pair_has_its_strength_twice(civilization: str, pawns: int) -> None:
    """Kept together, two Weapons of 3 give 6 pawns, and no Specialization adds one."""
    state = at(f"tiny; rules FR; {SEATS}; market {civilization} {FIVE}")
    assert taken(state, "take 1").pawns == pawns


@pytest.mark.rule("R-DRAFT-4", "R-SETUP-4")
def test_an_identical_pair_has_two_copies_of_the_effect() -> None:
    """Two Weapons kept together make a conquest 2 cheaper."""
    state = at("tiny; rules FR; seat 1 | WEA+WEA reserve=2 COL; seat 2 | BAR+CUR; seat 3 | AST+SLA; neutral BOS")
    assert (cost(state, "BOS"), cost(state, "ERB")) == (2, 0)


@pytest.mark.rule("R-DRAFT-1", "R-DRAFT-2", "R-DRAFT-3")
def test_a_civilization_is_chosen_in_the_same_way_after_a_decline() -> None:
    """After a decline a seat pays for a slot, receives its markers and its pawns, as in the opening."""
    state = at(
        "tiny; round 4; turn 1 start; seat 1 vp=20 | WEA+MIL reserve=2 DOL; seat 2 | BAR+MOU; seat 3 | AST+DIP;"
        "market AGR+LIV MIN+POR:1 CUR+SLA:2 FOR+SPI GAL+GEN HER+REN"
    )
    event = taken(state, "decline", "take 3")
    assert (event.seat, event.paid, event.received, event.pawns) == (seat(1), 4, 4, 10)
    assert state.vp[0] == 20
    assert market(state)[:5] == ["AGR+LIV:1", "MIN+POR:2", "FOR+SPI", "GAL+GEN", "HER+REN"]
