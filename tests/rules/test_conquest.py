"""Conquests: reach, cost, consequences (R-CONQ)."""

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
from vinci_rules import conquest
from vinci_rules.events import Conquered, Reorganised, Scored
from vinci_rules.state import State
from vinci_rules.violations import AtPeace, NoSpies, NotEnoughPawns, OutOfReach, OwnProvince

OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"


def attack(empire: str, rest: str = "neutral -", rules: str = "standard") -> State:
    """Return the turn of seat 1 with this empire; seats 2 and 3 hold nothing, `rest` may add a fourth seat."""
    return at(f"tiny; rules {rules}; seat 1 | {empire}; {OTHERS}; {rest}")


def targets(state: State) -> list[str]:
    """Return the provinces that can be conquered at their normal cost."""
    return [action.removeprefix("x ") for action in legal(state) if action.startswith("x ") and "spy" not in action]


def conquered(state: State, text: str) -> Conquered:
    """Return the event of one conquest."""
    (event,) = of_kind(Conquered, play(state, text))
    return event


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


# Reach


@pytest.mark.rule("R-CONQ-1")
def test_refusal_names_the_reachable_provinces() -> None:
    """From the arable land its three neighbours are in reach, whatever they cost, and nothing else."""
    state = attack("MIL+MED reserve=0 ARA", "neutral BOS COL FEN")
    reach = state.board.set_named(["BOS", "COL", "FEN"])
    for code in ("DOL", "ERB", "GOR", "HAM"):
        assert refused(state, f"x {code}") == OutOfReach("R-CONQ-1", province(state, code), reach)


@pytest.mark.rule("R-CONQ-1")
def test_a_province_just_taken_is_a_base() -> None:
    """Conquests go on from what was just conquered, right across the board."""
    state = attack("MIL+MED reserve=11 FEN")
    for code in ("ARA", "COL", "ERB", "HAM"):
        assert allowed(state, f"x {code}")
        play(state, f"x {code}")
    assert allowed(state, "x GOR")
    assert provinces(state, active(state, 1)) == {"FEN", "ARA", "COL", "ERB", "HAM"}


@pytest.mark.rule("R-CONQ-1")
def test_pawns_on_the_board_do_not_move() -> None:
    """Every conquest takes its cost from the reserve and places it there; other garrisons stay as they are."""
    state = attack("MIL+MED reserve=9 ARA COL", "neutral BOS")
    play(state, "x BOS", "x DOL")
    assert pawns(state, "ARA", "COL", "BOS", "DOL") == [1, 1, 4, 3]
    assert active(state, 1).reserve == 9 - 4 - 3


@pytest.mark.rule("R-CONQ-1")
def test_pawns_on_the_board_cannot_pay() -> None:
    """Eight pawns in a province just taken do not help when the reserve has one."""
    state = attack("MIL+BAR reserve=9 COL", "seat 4 | WEA+MED BOS=5; neutral -")
    play(state, "x BOS")
    assert pawns(state, "BOS") == [8]
    assert refused(state, "x ARA") == NotEnoughPawns("R-CONQ-3", province(state, "ARA"), needed=2, available=1)


@pytest.mark.rule("R-CONQ-1", "R-DECL-6")
def test_a_declined_province_is_no_base() -> None:
    """Only provinces of the active empire are bases, not those of one's own decline."""
    state = attack("HER+MIL reserve=9 ARA | - HAM")
    assert targets(state) == ["BOS", "COL", "FEN"]


@pytest.mark.rule("R-CONQ-2")
def test_a_strait_is_a_border() -> None:
    """Ireland and Scotland are adjacent across a strait, in both directions and without Astronomy or Galleys."""
    others = "seat 2 | BAR+CUR; seat 3 | AST+SLA; neutral -"
    assert targets(at(f"europe; seat 1 | MIL+MED reserve=9 IRL; {others}")) == ["SCO", "MER"]
    assert targets(at(f"europe; seat 1 | MIL+MED reserve=9 SCO; {others}")) == ["IRL", "MER"]


@pytest.mark.rule("R-CONQ-2")
def test_a_shared_coast_is_no_adjacency() -> None:
    """Two provinces on one shore without a border are not adjacent, not even with Galleys."""
    state = attack("GAL+MIL reserve=9 BOS")
    assert targets(state) == ["ARA", "COL", "DOL"]
    assert isinstance(refused(state, "x FEN"), OutOfReach)


# Cost


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("origin", "target", "needed"),
    [("COL", "ARA", 2), ("COL", "ERB", 2), ("ARA", "COL", 2), ("ARA", "BOS", 3), ("COL", "DOL", 3)],
)
def test_terrain_sets_the_cost(origin: str, target: str, needed: int) -> None:
    """Empty farmland, pasture and hills cost 2, forest and mountain 3."""
    assert cost(attack(f"HER+MED reserve=9 {origin}"), target) == needed


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("rest", "needed"),
    [
        ("neutral -", 2),
        ("neutral ERB", 3),
        ("seat 4 | WEA+MED ERB; neutral -", 3),
        ("seat 4 | WEA+MED ERB=5; neutral -", 7),
        ("seat 4 | WEA+MED | - ERB; neutral -", 3),
    ],
)
def test_each_defending_pawn_costs_one(rest: str, needed: int) -> None:
    """Neutral pawns, those of active and those of declined empires defend alike."""
    assert cost(attack("DIP+HER reserve=9 COL", rest), "ERB") == needed


@pytest.mark.rule("R-CONQ-3", "R-CONTACT-3")
def test_the_own_declined_pawn_defends() -> None:
    """One's own declined pawn costs 1 like any other, and the fort beside it 1 more."""
    state = attack("HER+MED reserve=9 COL | - ARA ERB^")
    assert (cost(state, "ARA"), cost(state, "ERB")) == (3, 4)


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("rest", "needed"),
    [
        ("seat 4 | FOR+MED ERB=2^; neutral -", 5),
        ("seat 4 | WEA+MED | - ERB^; neutral -", 4),
        ("seat 4 | FOR+SPE ERB=2^; neutral -", 5),
        ("seat 4 | FOR+MED ERB=2 HAM^; neutral -", 4),
    ],
)
def test_a_fort_costs_one(rest: str, needed: int) -> None:
    """A fort adds 1 to its province only, in decline too, and never more."""
    assert cost(attack("DIP+HER reserve=9 COL", rest), "ERB") == needed


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("rules", "rest", "needed"),
    [
        ("standard", "seat 4 | MIL+MED ERB=2; neutral -", 5),
        ("standard", "seat 4 | MIL+SPE ERB=2; neutral -", 6),
        ("FR", "seat 4 | MIL+MIL ERB=2; neutral -", 6),
        ("standard", "seat 4 | MIL+FOR ERB=2^; neutral -", 6),
        ("standard", "seat 4 | MIL+MED FEN=2 | - ERB; neutral -", 3),
        ("standard", "seat 4 | MIL+MED HAM=2; neutral ERB", 3),
        ("standard", "seat 4 | MIL+MED HAM=2; neutral -", 2),
    ],
)
def test_militia_of_the_active_empire_costs_one_per_copy(rules: str, rest: str, needed: int) -> None:
    """Militia defends the provinces of its own active empire, not its seat's decline, neutral or empty ones."""
    assert cost(attack("DIP+HER reserve=9 COL", rest, rules), "ERB") == needed


@pytest.mark.rule("R-CONQ-3")
def test_militia_does_not_help_or_hinder_its_own_attacks() -> None:
    """An attacker with Militia pays what others pay, for its own decline too."""
    state = attack("MIL+HER reserve=9 COL | - ERB")
    assert (cost(state, "ARA"), cost(state, "ERB")) == (2, 3)


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(("origin", "needed"), [("BOS", 2), ("DOL", 1), ("BOS^", 1), ("DOL^", 0)])
def test_a_mountain_and_a_fort_help_the_attacker(origin: str, needed: int) -> None:
    """From a mountain a plain costs 1 less, from a fort 1 less, from a fort on a mountain 2 less."""
    assert cost(attack(f"DIP+HER reserve=9 {origin}"), "COL") == needed


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("rules", "civilization", "saved"),
    [
        ("standard", "WEA+MED", 1),
        ("standard", "WEA+SPE", 2),
        ("FR", "WEA+WEA", 2),
        ("standard", "HER+MED", 0),
    ],
)
def test_weapons_save_one_per_copy(rules: str, civilization: str, saved: int) -> None:
    """With Weapons every conquest costs 1 less for each copy."""
    state = attack(f"{civilization} reserve=9 COL", "neutral ARA BOS", rules)
    assert [cost(state, code) for code in ("ARA", "BOS", "DOL", "ERB")] == [
        3 - saved,
        4 - saved,
        3 - saved,
        2 - saved,
    ]


@pytest.mark.rule("R-CONQ-3", "R-CONQ-2")
@pytest.mark.parametrize(
    ("rules", "civilization", "saved"),
    [
        ("standard", "GAL+MED", 1),
        ("standard", "GAL+SPE", 2),
        ("FR", "GAL+GAL", 2),
        ("standard", "HER+MED", 0),
    ],
)
def test_galleys_save_one_per_copy_along_a_coast(rules: str, civilization: str, saved: int) -> None:
    """With Galleys neighbours on one shore, across a strait too, cost 1 less for each copy, other neighbours do not."""
    state = attack(f"{civilization} reserve=9 ARA", "neutral COL", rules)
    assert [cost(state, code) for code in ("BOS", "FEN", "COL")] == [3 - saved, 2 - saved, 3]
    state = attack(f"{civilization} reserve=9 HAM", "neutral ERB", rules)
    assert [cost(state, code) for code in ("ERB", "GOR")] == [3 - saved, 3]


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("rules", "civilization", "saved"),
    [
        ("standard", "MOU+MED", 1),
        ("standard", "MOU+SPE", 2),
        ("FR", "MOU+MOU", 2),
        ("standard", "HER+MED", 0),
    ],
)
def test_mountaineers_save_one_per_copy_on_mountains(rules: str, civilization: str, saved: int) -> None:
    """With Mountaineers a mountain costs 1 less for each copy, and from a mountain nothing more is saved."""
    state = attack(f"{civilization} reserve=9 COL", rules=rules)
    assert [cost(state, code) for code in ("DOL", "BOS", "ERB")] == [3 - saved, 3, 2]
    state = attack(f"{civilization} reserve=9 DOL", rules=rules)
    assert [cost(state, code) for code in ("GOR", "BOS", "ERB")] == [2 - saved, 2, 1]


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("empire", "target"),
    [("WEA+SPE reserve=9 DOL", "COL"), ("WEA+SPE reserve=9 DOL^", "COL"), ("WEA+GAL reserve=9 ARA^", "FEN")],
)
def test_a_cost_is_never_below_zero(empire: str, target: str) -> None:
    """However much is saved on 2 pawns, the conquest costs 0."""
    state = attack(empire)
    assert cost(state, target) == 0
    assert conquered(state, f"x {target}").cost == 0
    assert active(state, 1).reserve == 9


@pytest.mark.rule("R-CONQ-3")
def test_all_parts_of_a_cost_add_up() -> None:
    """A fortified mountain of double Militia costs 6 along a coast, from a fortified mountain, with Weapons."""
    state = at("europe; seat 1 | WEA+GAL reserve=9 CAU^; seat 2 | MIL+SPE TAU=4^; seat 3 | AST+SLA; neutral -")
    assert sorted(conquest.cost_items(state, province(state, "TAU"))) == [
        ("fort", 1),
        ("from_fort", -1),
        ("from_mountain", -1),
        ("galleys", -1),
        ("militia", 2),
        ("pawns", 4),
        ("terrain", 3),
        ("weapons", -1),
    ]
    assert cost(state, "TAU") == 6
    play(state, "x TAU")
    assert active(state, 1).reserve == 3


@pytest.mark.rule("R-CONQ-3")
def test_weapons_and_mountaineers_add_up() -> None:
    """From a mountain a mountain with two pawns costs 3 + 2 - 1, less 2 for Weapons and Mountaineers."""
    state = attack("WEA+MOU reserve=9 DOL", "seat 4 | HER+MED GOR=2; neutral -")
    assert sorted(conquest.cost_items(state, province(state, "GOR"))) == [
        ("from_mountain", -1),
        ("mountaineers", -1),
        ("pawns", 2),
        ("terrain", 3),
        ("weapons", -1),
    ]
    assert cost(state, "GOR") == 2


@pytest.mark.rule("R-CONQ-3")
def test_the_parts_of_a_cost_can_add_up_to_less_than_zero() -> None:
    """The parts are named in full even where the cost stops at 0."""
    state = attack("WEA+SPE reserve=9 DOL^")
    assert sorted(conquest.cost_items(state, province(state, "COL"))) == [
        ("from_fort", -1),
        ("from_mountain", -1),
        ("terrain", 2),
        ("weapons", -2),
    ]
    assert cost(state, "COL") == 0


@pytest.mark.rule("R-CONQ-3")
def test_a_conquest_without_the_pawns_is_refused() -> None:
    """The refusal tells what is needed and what is there, and the cost itself is enough."""
    state = attack("DIP+HER reserve=4 COL", "seat 4 | MIL+MED ERB=2; neutral -")
    assert refused(state, "x ERB") == NotEnoughPawns("R-CONQ-3", province(state, "ERB"), needed=5, available=4)
    assert targets(state) == ["ARA", "BOS", "DOL"]
    assert allowed(attack("DIP+HER reserve=5 COL", "seat 4 | MIL+MED ERB=2; neutral -"), "x ERB")


# Routes


@pytest.mark.rule("R-CONQ-4")
@pytest.mark.parametrize(
    ("held", "needed"),
    [
        ("ARA BOS", 3),
        ("ARA DOL", 2),
        ("ARA^ BOS", 2),
        ("ARA^ DOL", 2),
        ("ARA BOS^ DOL ERB", 2),
        ("ARA^ DOL^", 1),
    ],
)
def test_the_cheapest_origin_counts(held: str, needed: int) -> None:
    """Of several origins the one that saves most counts, and savings of different origins do not add up."""
    assert cost(attack(f"DIP+HER reserve=9 {held}", "neutral COL"), "COL") == needed


@pytest.mark.rule("R-CONQ-4")
@pytest.mark.parametrize(
    ("civilization", "held", "needed"),
    [
        ("GAL+MED", "COL", 3),
        ("GAL+MED", "COL^", 2),
        ("GAL+MED", "BOS", 2),
        ("GAL+MED", "BOS COL^", 2),
        ("GAL+MED", "BOS^ COL", 1),
        ("GAL+SPE", "BOS COL^", 1),
        ("GAL+SPE", "BOS^ COL^", 0),
        ("HER+MED", "BOS COL^", 2),
    ],
)
def test_a_coast_counts_for_its_own_origin(civilization: str, held: str, needed: int) -> None:
    """Galleys save along the coast of one origin, a fort on another is another route."""
    assert cost(attack(f"{civilization} reserve=9 {held}", "neutral ARA"), "ARA") == needed


@pytest.mark.rule("R-CONQ-4")
def test_an_origin_that_is_not_adjacent_does_not_count() -> None:
    """A fortified mountain two provinces away saves nothing."""
    assert cost(attack("DIP+HER reserve=9 COL GOR^"), "ARA") == 2


@pytest.mark.rule("R-CONQ-4")
def test_a_new_base_makes_the_next_conquest_cheaper() -> None:
    """Once the mountain is taken the pasture behind it costs 1 less."""
    state = attack("DIP+HER reserve=9 COL")
    assert cost(state, "ERB") == 2
    play(state, "x DOL")
    assert cost(state, "ERB") == 1
    assert conquered(state, "x ERB").cost == 1


@pytest.mark.rule("R-CONQ-4", "R-CONQ-8")
def test_astronomy_conquers_over_connected_seas() -> None:
    """With Astronomy provinces on linked seas are in reach at their normal cost, those on a lake apart are not."""
    state = attack("AST+MED reserve=9 FEN", "neutral BOS")
    assert targets(state) == ["ARA", "BOS"]
    assert cost(state, "BOS") == 4
    assert conquest.cost_items(state, province(state, "BOS")) == (("terrain", 3), ("pawns", 1))


@pytest.mark.rule("R-CONQ-4", "R-CONQ-8")
def test_astronomy_goes_around_europe() -> None:
    """With Astronomy Ireland, then Norway, then Naples can be conquered."""
    state = at("europe; seat 1 | AST+MED reserve=9; seat 2 | BAR+CUR; seat 3 | HER+SLA; neutral -")
    events = play(state, "x IRL", "x NOR", "x NAP")
    assert [event.cost for event in of_kind(Conquered, events)] == [2, 3, 2]
    state = at("europe; seat 1 | HER+MED reserve=9 IRL; seat 2 | BAR+CUR; seat 3 | AST+SLA; neutral -")
    assert isinstance(refused(state, "x NOR"), OutOfReach)


@pytest.mark.rule("R-CONQ-4")
@pytest.mark.parametrize(("civilization", "needed"), [("AST+GAL", 3), ("AST+MED", 4)])
def test_galleys_count_by_sea(civilization: str, needed: int) -> None:
    """By sea Galleys save 1 although the provinces are not adjacent."""
    assert cost(attack(f"{civilization} reserve=9 FEN", "neutral BOS"), "BOS") == needed


@pytest.mark.rule("R-CONQ-4")
@pytest.mark.parametrize("origin", ["SCO", "SCO^"])
def test_a_mountain_and_a_fort_do_not_count_by_sea(origin: str) -> None:
    """From Scotland to Norway by sea neither the mountain nor the fort of the origin saves a pawn."""
    state = at(f"europe; seat 1 | AST+MED reserve=9 {origin}; seat 2 | BAR+CUR; seat 3 | HER+SLA; neutral -")
    assert cost(state, "NOR") == 3


@pytest.mark.rule("R-CONQ-4")
@pytest.mark.parametrize(
    ("civilization", "origin", "needed"),
    [
        ("AST+GAL", "MAC", 4),
        ("AST+GAL", "MAC^", 3),
        ("AST+GAL", "THR", 4),
        ("HER+GAL", "MAC", 4),
        ("HER+MED", "MAC", 4),
        ("AST+MED", "MAC", 4),
        ("AST+GAL", "LUS", 4),
    ],
)
def test_land_and_sea_routes_are_not_mixed(civilization: str, origin: str, needed: int) -> None:
    """Into Dacia a pawn is saved from a mountain by land or with Galleys by sea, but not both at once."""
    state = at(
        f"europe; seat 1 | {civilization} reserve=9 {origin}; seat 2 | BAR+CUR DAC=3; seat 3 | REN+SLA; neutral -"
    )
    assert cost(state, "DAC") == needed


@pytest.mark.rule("R-CONQ-4")
def test_on_one_coast_mountain_fort_and_galleys_add_up() -> None:
    """From Scotland to Mercia by land mountain, fort and shared coast are one route."""
    state = at("europe; seat 1 | GAL+MED reserve=9 SCO^; seat 2 | BAR+CUR MER=3; seat 3 | AST+SLA; neutral -")
    assert cost(state, "MER") == 2 + 3 - 3


@pytest.mark.rule("R-CONQ-4")
def test_by_sea_only_from_a_sea_that_is_touched() -> None:
    """With Astronomy an empire inland conquers its neighbours only."""
    assert targets(attack("AST+GAL reserve=9 COL")) == ["ARA", "BOS", "DOL", "ERB"]
    assert targets(attack("AST+GAL reserve=9 ERB")) == ["COL", "DOL", "HAM"]


# Cost 0


@pytest.mark.rule("R-CONQ-5")
def test_a_free_conquest_places_no_pawn_and_needs_no_reserve() -> None:
    """With an empty reserve what costs 0 can be conquered, and no pawn lies there then."""
    state = attack("WEA+MIL reserve=0 DOL")
    assert targets(state) == ["COL", "ERB"]
    assert conquered(state, "x COL").cost == 0
    assert pawns(state, "COL", "DOL") == [0, 1]
    assert active(state, 1).reserve == 0
    assert provinces(state, active(state, 1)) == {"COL", "DOL"}


@pytest.mark.rule("R-CONQ-5")
def test_a_free_conquest_removes_the_defender() -> None:
    """A neutral pawn falls to a fortified mountain with Weapons for nothing."""
    state = attack("WEA+MIL reserve=0 DOL^", "neutral COL")
    event = conquered(state, "x COL")
    assert (event.cost, event.held, event.lost) == (0, "neutral", 1)
    assert pawns(state, "COL") == [0]
    assert state.board.codes_of(state.neutral) == ()
    assert state.eliminated == 1


@pytest.mark.rule("R-CONQ-5")
def test_province_conquered_for_zero_is_a_base() -> None:
    """From hills without a pawn the next conquest is made, again for nothing."""
    state = attack("WEA+SPE reserve=0 DOL")
    assert not allowed(state, "x ARA")
    play(state, "x COL")
    assert cost(state, "ARA") == 0
    play(state, "x ARA")
    assert provinces(state, active(state, 1)) == {"ARA", "COL", "DOL"}


@pytest.mark.rule("R-CONQ-5")
def test_province_conquered_for_zero_needs_a_pawn_to_be_kept() -> None:
    """At reorganisation it is kept if a pawn is placed there, and belongs to nobody if not."""
    state = attack("WEA+MIL reserve=1 DOL")
    play(state, "x COL", "x ERB")
    (reorganised,) = of_kind(Reorganised, play(state, "hold COL=1 DOL=1"))
    assert state.board.codes_of(reorganised.given_up) == ("ERB",)
    assert provinces(state, state.active[0]) == {"COL", "DOL"}
    assert pawns(state, "COL", "DOL", "ERB") == [1, 1, 0]
    assert state.owner(province(state, "ERB")) is None


@pytest.mark.rule("R-CONQ-5")
def test_a_free_conquest_is_legal_without_land_too() -> None:
    """An empire with no province and no pawn takes an empty fen for nothing, but keeps nothing."""
    state = attack("WEA+SPE reserve=0")
    play(state, "x FEN")
    assert provinces(state, active(state, 1)) == {"FEN"}
    (scored,) = of_kind(Scored, play(state, "hold"))
    assert scored.vp == 0
    assert provinces(state, state.active[0]) == set()


@pytest.mark.rule("R-CONQ-5")
@pytest.mark.parametrize("code", ["BOS", "GOR"])
def test_conquest_of_cost_one_needs_a_pawn(code: str) -> None:
    """With an empty reserve a cost of 1 is too much."""
    state = attack("WEA+MIL reserve=0 DOL")
    assert refused(state, f"x {code}") == NotEnoughPawns("R-CONQ-3", province(state, code), needed=1, available=0)


# Consequences


@pytest.mark.rule("R-CONQ-6")
@pytest.mark.parametrize(
    ("rest", "held", "defender", "lost", "survivors"),
    [
        ("neutral -", "nobody", None, 0, 0),
        ("neutral ERB", "neutral", None, 1, 0),
        ("seat 4 | HER+MED ERB; neutral -", "active", 4, 1, 0),
        ("seat 4 | HER+MED ERB=5; neutral -", "active", 4, 1, 4),
        ("seat 4 | HER+MED | - ERB; neutral -", "declined", 4, 1, 0),
    ],
)
def test_the_defender_loses_one_pawn(rest: str, held: str, defender: int | None, lost: int, survivors: int) -> None:
    """One pawn is removed if one was there; others of an active empire are survivors."""
    state = attack("DIP+BAR reserve=9 COL", rest)
    event = conquered(state, "x ERB")
    assert (event.held, event.lost, event.survivors) == (held, lost, survivors)
    assert event.defender == (None if defender is None else seat(defender))
    assert state.eliminated == lost
    assert sum(state.survivors) == survivors
    assert not event.fort
    assert not event.spies


@pytest.mark.rule("R-CONQ-6")
def test_survivors_are_set_aside() -> None:
    """Survivors of two provinces add up, and neither the board nor the reserve of the defender has them."""
    state = attack("DIP+BAR reserve=15 COL", "seat 4 | HER+MED ARA=3 ERB=4 HAM=2; neutral -")
    play(state, "x ARA", "x ERB")
    assert state.survivors == [0, 0, 0, 2 + 3]
    assert active(state, 4).reserve == 0
    assert provinces(state, active(state, 4)) == {"HAM"}
    assert pawns(state, "HAM") == [2]
    assert state.eliminated == 2


@pytest.mark.rule("R-CONQ-6")
def test_survivors_of_several_defenders_are_kept_apart() -> None:
    """Each defender has its own survivors."""
    state = at("tiny; seat 1 | DIP+HER reserve=15 COL; seat 2 | BAR+CUR ARA=3; seat 3 | AST+SLA ERB=2; neutral -")
    play(state, "x ARA", "x ERB")
    assert state.survivors == [0, 2, 1]


@pytest.mark.rule("R-CONQ-6")
def test_attacker_loses_no_pawn() -> None:
    """Ten pawns before three conquests are ten pawns afterwards."""
    state = attack("DIP+HER reserve=12 COL", "seat 4 | WEA+MED ERB=3; neutral ARA")
    play(state, "x ERB", "x ARA", "x BOS")
    assert sum(pawns(state, "COL", "ERB", "ARA", "BOS")) + active(state, 1).reserve == 13
    assert pawns(state, "COL", "ERB", "ARA", "BOS") == [1, 5, 3, 3]


@pytest.mark.rule("R-CONQ-6")
def test_the_pawn_is_lost_even_if_the_attacker_does_not_keep_the_province() -> None:
    """A defender of four pawns has three on the board after a province was taken and given up again."""
    state = at(
        "tiny; rules NL; seat 1 | DIP+HER reserve=9 COL; seat 2 | BAR+CUR ARA=3 HAM; seat 3 | AST+SLA; neutral -"
    )
    play(state, "x ARA", "hold COL=10")
    assert state.owner(province(state, "ARA")) is None
    assert pawns(state, "ARA") == [0]
    assert pawns(state, "HAM") == [1]
    assert active(state, 2).reserve == 2


@pytest.mark.rule("R-CONQ-6")
def test_a_neutral_pawn_is_removed() -> None:
    """No neutral pawn is left in the province, and it does not come back when the province is given up."""
    state = attack("DIP+HER reserve=9 COL", "neutral ARA ERB", "NL")
    play(state, "x ARA")
    assert pawns(state, "ARA") == [3]
    assert state.board.codes_of(state.neutral) == ("ERB",)
    play(state, "hold COL=10")
    assert pawns(state, "ARA") == [0]
    assert state.board.codes_of(state.neutral) == ("ERB",)


@pytest.mark.rule("R-CONQ-6")
@pytest.mark.parametrize(
    "rest", ["seat 4 | FOR+MED ERB=2^ HAM^; neutral -", "seat 4 | HER+MED | - ERB^ HAM^; neutral -"]
)
def test_a_fort_falls_with_its_province(rest: str) -> None:
    """The fort of a conquered province is removed, forts elsewhere and that of the origin stay."""
    state = attack("DIP+BAR reserve=9 COL^", rest)
    assert conquered(state, "x ERB").fort
    assert state.board.codes_of(state.forts) == ("COL", "HAM")
    assert cost(state, "DOL") == 2


# Spies


@pytest.mark.rule("R-CONQ-7")
@pytest.mark.parametrize(
    ("empire", "rest", "normal"),
    [
        ("SPI+MED reserve=9 COL", "seat 4 | MIL+FOR ERB=5^; neutral -", 9),
        ("SPI+MED reserve=9 COL", "neutral ERB", 3),
        ("SPI+MED reserve=9 COL", "neutral -", 2),
        ("SPI+MED reserve=9 DOL", "neutral -", 1),
        ("SPI+WEA reserve=9 DOL", "neutral -", 0),
    ],
)
def test_spies_conquer_for_exactly_two(empire: str, rest: str, normal: int) -> None:
    """By Spies a conquest costs 2, be the normal cost higher or lower."""
    state = attack(empire, rest)
    assert cost(state, "ERB") == normal
    event = conquered(state, "x ERB spy")
    assert (event.cost, event.spies) == (2, True)
    assert pawns(state, "ERB") == [2]
    assert active(state, 1).reserve == 7


@pytest.mark.rule("R-CONQ-7")
def test_spies_are_a_choice() -> None:
    """With Spies a conquest can still be made at its normal cost, and the Spies are left for another."""
    state = attack("SPI+MED reserve=9 COL", "neutral ARA ERB")
    assert {"x ARA", "x ARA spy", "x ERB", "x ERB spy"} <= set(legal(state))
    event = conquered(state, "x ARA")
    assert (event.cost, event.spies) == (3, False)
    assert conquered(state, "x ERB spy").cost == 2


@pytest.mark.rule("R-CONQ-7")
def test_spies_are_used_once_a_turn() -> None:
    """With one copy a second conquest by Spies is refused, and normal ones go on."""
    state = attack("SPI+MED reserve=9 COL", "neutral ARA ERB")
    play(state, "x ARA spy")
    assert refused(state, "x ERB spy") == NoSpies(copies=1)
    assert NoSpies.rule == "R-CONQ-7"
    assert not [action for action in legal(state) if action.endswith("spy")]
    assert conquered(state, "x ERB").cost == 3


@pytest.mark.rule("R-CONQ-7")
@pytest.mark.parametrize(("rules", "civilization"), [("standard", "SPI+SPE"), ("FR", "SPI+SPI")])
def test_two_copies_of_spies_are_used_twice_a_turn(rules: str, civilization: str) -> None:
    """With two copies two conquests cost 2, a third one by Spies is refused."""
    state = attack(f"{civilization} reserve=9 COL", "neutral ARA BOS ERB", rules)
    assert [conquered(state, "x ARA spy").cost, conquered(state, "x BOS spy").cost] == [2, 2]
    assert refused(state, "x ERB spy") == NoSpies(copies=2)


@pytest.mark.rule("R-CONQ-7")
def test_spies_are_back_in_the_next_turn() -> None:
    """Spies used in one turn can be used in the next one again."""
    state = at("tiny; seat 1 | SPI+MED reserve=9 COL; seat 2 | BAR+CUR HAM=3; seat 3 | AST+SLA FEN=3; neutral ARA ERB")
    play(state, "x ARA spy", "hold ARA=5 COL=5", "hold HAM=3", "hold FEN=3")
    assert conquered(state, "x ERB spy").cost == 2


@pytest.mark.rule("R-CONQ-7")
def test_spies_need_the_trait() -> None:
    """An empire without Spies cannot use them."""
    state = attack("HER+MED reserve=9 COL")
    assert refused(state, "x ERB spy") == NoSpies(copies=0)


@pytest.mark.rule("R-CONQ-7")
def test_spies_need_two_pawns() -> None:
    """With one pawn in reserve Spies are not affordable, although the normal cost of 1 is."""
    state = attack("SPI+MED reserve=1 DOL")
    assert refused(state, "x ERB spy") == NotEnoughPawns("R-CONQ-7", province(state, "ERB"), needed=2, available=1)
    assert allowed(state, "x ERB")


@pytest.mark.rule("R-CONQ-7", "R-CONQ-1")
def test_spies_do_not_reach_farther() -> None:
    """A province that is not adjacent stays out of reach, and one's own is not conquered."""
    state = attack("SPI+MED reserve=9 COL")
    assert isinstance(refused(state, "x HAM spy"), OutOfReach)
    assert refused(state, "x COL spy") == OwnProvince(province(state, "COL"))


@pytest.mark.rule("R-CONQ-7", "R-PEACE-1")
def test_spies_do_not_break_a_peace() -> None:
    """A province of an active empire at peace is not conquered by Spies."""
    state = at("tiny; turn 2 start; seat 1 peace=2 | DIP+MED COL=3; seat 2 | SPI+CUR reserve=9 ARA; seat 3 | AST+SLA")
    assert refused(state, "x COL spy") == AtPeace(province(state, "COL"), seat(1))


# Provinces that cannot be conquered


@pytest.mark.rule("R-CONQ-8")
def test_seas_are_not_crossed_without_astronomy() -> None:
    """Provinces on one sea or on linked seas are out of reach without Astronomy, Galleys or not."""
    for civilization in ("GAL+MED", "REV+MED"):
        state = attack(f"{civilization} reserve=9 FEN")
        assert targets(state) == ["ARA"]
        assert refused(state, "x BOS") == OutOfReach("R-CONQ-1", province(state, "BOS"), state.board.set_named(["ARA"]))


@pytest.mark.rule("R-CONQ-8")
def test_own_provinces_are_not_conquered() -> None:
    """A province that the active empire holds, or has just conquered, is not a target."""
    state = attack("HER+MED reserve=9 COL ARA")
    assert refused(state, "x ARA") == OwnProvince(province(state, "ARA"))
    assert OwnProvince.rule == "R-CONQ-8"
    play(state, "x BOS")
    assert refused(state, "x BOS") == OwnProvince(province(state, "BOS"))
    assert targets(state) == ["DOL", "ERB", "FEN"]


@pytest.mark.rule("R-CONQ-8", "R-PEACE-1")
def test_provinces_at_peace_are_not_conquered() -> None:
    """Neighbours of an active empire at peace are refused, its declined ones are not."""
    state = at(
        "tiny; turn 1 peace; seat 1 peace=2 | DIP+MED reserve=9 COL; seat 2 | BAR+CUR ERB | - ARA; seat 3 | AST+SLA"
    )
    assert refused(state, "x ERB") == AtPeace(province(state, "ERB"), seat(2))
    assert allowed(state, "x ARA")
