"""The traits of section 6: strength, effect, and the effect of two copies."""

import pytest

from tests.support.rules import active, allowed, at, cost, legal, of_kind, pawns, play, provinces, refused, seat
from vinci_rules.events import CivilizationTaken, Declined, Evacuated, Reorganised, Scored, ScoreItem, TurnStarted
from vinci_rules.state import State
from vinci_rules.traits import KINDS, TRAIT_BY_CODE
from vinci_rules.violations import NoMorePeace, NoSpies, NotAnOpponent, NotConnected, OutOfReach, TooManyForts

OTHERS = "seat 2 | BAR+CUR; seat 3 | LIV+POR"

TABLE = [  # code, strength, source, colour
    ("AGR", 2, "house", "yellow"),
    ("AGR*", 1, "house", "yellow"),
    ("LIV", 2, "review", "yellow"),
    ("LIV*", 1, "house", "yellow"),
    ("MIN", 2, "house", "yellow"),
    ("MIN*", 1, "house", "yellow"),
    ("POR", 2, "house", "yellow"),
    ("POR*", 1, "house", "yellow"),
    ("CUR", 0, "house", "yellow"),
    ("SLA", 2, "house", "yellow"),
    ("WEA", 3, "review", "pink"),
    ("SPI", 4, "house", "pink"),
    ("FOR", 3, "house", "pink"),
    ("GAL", 4, "house", "pink"),
    ("GEN", 2, "review", "pink"),
    ("MIL", 4, "house", "pink"),
    ("MOU", 4, "rules", "pink"),
    ("AST", 5, "rules", "blue"),
    ("BAR", 6, "rules", "blue"),
    ("DIP", 4, "house", "blue"),
    ("HER", 4, "house", "blue"),
    ("MED", 3, "house", "blue"),
    ("MES", 5, "house", "blue"),
    ("REN", 3, "house", "blue"),
    ("REV", 4, "house", "blue"),
]
STRENGTHS = [row[:2] for row in TABLE]


def conquests(state: State) -> list[str]:
    """Return the codes of the provinces that can be conquered now."""
    return [action[2:] for action in legal(state) if action.startswith("x ") and "spy" not in action]


def pawns_when_taken(pair: str) -> int:
    """Return the pawns that this civilization gives at a table of three, in slot I."""
    market = f"{pair} AGR+LIV AGR*+LIV* MIN+POR MIN*+POR* SLA+MED"
    state = at(f"tiny; round 0; seat 1; seat 2; seat 3; market {market}")
    [event] = of_kind(CivilizationTaken, play(state, "take 1"))
    return event.pawns


# Strength and marks


@pytest.mark.rule("R-SETUP-3")
def test_there_are_26_kinds_of_traits() -> None:
    """The traits above and Specialization are all, and only four kinds are lasting."""
    assert [kind.code for kind in KINDS] == [row[0] for row in TABLE] + ["SPE"]
    assert [kind.code for kind in KINDS if kind.lasting] == ["AGR*", "LIV*", "MIN*", "POR*"]


@pytest.mark.parametrize(("code", "source", "colour"), [(c, s, x) for c, _, s, x in TABLE] + [("SPE", "rules", "blue")])
def test_each_trait_has_a_colour_and_a_source_of_its_strength(code: str, source: str, colour: str) -> None:
    """Yellow traits pay VP, pink ones conquer and defend, the rest is blue."""
    kind = KINDS[TRAIT_BY_CODE[code]]
    assert (kind.source, kind.colour) == (source, colour)


@pytest.mark.rule("R-DRAFT-4")
@pytest.mark.parametrize(("code", "strength"), STRENGTHS)
def test_each_trait_gives_its_strength(code: str, strength: int) -> None:
    """A civilization has the strengths of its two traits in pawns, and the extra ones of the table."""
    beside, other = ("HER", 4) if code != "HER" else ("CUR", 0)
    assert pawns_when_taken(f"{code}+{beside}") == strength + other + 8


@pytest.mark.rule("R-DRAFT-5")
@pytest.mark.parametrize(("code", "strength"), STRENGTHS)
@pytest.mark.parametrize("pair", ["{}+SPE", "SPE+{}"])
def test_specialization_gives_the_strength_of_the_other_trait_and_one(code: str, strength: int, pair: str) -> None:
    """Two copies by Specialization give twice the strength and 1 pawn more, whatever the effect."""
    assert pawns_when_taken(pair.format(code)) == strength + strength + 1 + 8


# VP of provinces

PROVINCES = {  # on the Europe map: VP of the province itself, then what one copy adds to it
    "AQU": (1, {"AGR": 1, "CUR": 1}),  # farmland
    "WES": (1, {"AGR": 1, "POR": 1, "CUR": 1}),  # farmland with a port
    "IRL": (1, {"LIV": 1, "CUR": 1}),  # pasture
    "LUS": (1, {"LIV": 1, "POR": 1, "CUR": 1}),  # pasture with a port
    "MUS": (1, {"CUR": 1}),  # hills
    "CAS": (1, {"MIN": 2, "CUR": 1}),  # hills with a mine
    "HEL": (1, {"POR": 1, "CUR": 1}),  # hills with a port
    "BAE": (1, {"CUR": 1}),  # forest
    "SVE": (1, {"MIN": 2, "CUR": 1}),  # forest with a mine
    "LIV": (1, {"POR": 1, "CUR": 1}),  # forest with a port
    "ALP": (0, {"CUR": 1, "MOU": 1}),  # mountain
    "BOH": (0, {"MIN": 2, "CUR": 1, "MOU": 1}),  # mountain with a mine
}


@pytest.mark.rule("R-SCORE-1")
@pytest.mark.parametrize("code", PROVINCES)
@pytest.mark.parametrize("trait", [code for code, _ in STRENGTHS if code != "GEN"])
def test_vp_that_a_trait_adds_to_a_province(trait: str, code: str) -> None:
    """One copy adds its VP, a second one by Specialization adds them again; most traits add none."""
    plain, bonus = PROVINCES[code]
    vp = bonus.get(trait.rstrip("*"), 0)
    for pair, expected in ((f"{trait}+SPE", plain + 2 * vp), (f"{trait}+HER", plain + vp)):
        if pair != "HER+HER":
            state = at(f"europe; turn 1 conquer; seat 1 | {pair} {code}=8; seat 2 | BAR+DIP; seat 3 | BAR+REV")
            [scored] = of_kind(Scored, play(state, f"hold {code}=8"))
            assert scored.vp == expected


@pytest.mark.rule("R-SCORE-1", "R-SCORE-2")
@pytest.mark.parametrize(
    ("pair", "as_active", "as_declined"),
    [
        ("BAR+WEA", 6, 6),
        ("GEN+WEA", 6, 6),
        ("AGR+WEA", 8, 6),
        ("AGR*+WEA", 8, 8),
        ("AGR+SPE", 10, 6),
        ("AGR*+SPE", 10, 10),
        ("AGR+AGR*", 10, 8),
        ("LIV+WEA", 8, 6),
        ("LIV*+WEA", 8, 8),
        ("LIV+SPE", 10, 6),
        ("LIV*+SPE", 10, 10),
        ("LIV+LIV*", 10, 8),
        ("MIN+WEA", 10, 6),
        ("MIN*+WEA", 10, 10),
        ("MIN+SPE", 14, 6),
        ("MIN*+SPE", 14, 14),
        ("MIN+MIN*", 14, 10),
        ("POR+WEA", 8, 6),
        ("POR*+WEA", 8, 8),
        ("POR+SPE", 10, 6),
        ("POR*+SPE", 10, 10),
        ("POR+POR*", 10, 8),
        ("CUR+WEA", 14, 6),
        ("CUR+SPE", 22, 6),
        ("MOU+WEA", 8, 6),
        ("MOU+SPE", 10, 6),
        ("AGR*+POR*", 10, 10),
        ("MIN*+LIV", 12, 10),
        ("CUR+MOU", 16, 6),
    ],
)
def test_vp_of_the_whole_small_board(pair: str, as_active: int, as_declined: int) -> None:
    """Six provinces and two mountains, with two each of farmland, pasture, mine, port: active, and in decline."""
    general = 7 if "GEN" in pair else 0
    land = f"{pair} reserve={general} ARA BOS COL DOL ERB FEN GOR HAM"
    state = at(f"tiny; seat 1 | {land}; seat 2 | BAR+DIP; seat 3 | BAR+REV")
    [scored] = of_kind(Scored, play(state, "hold ARA=1 BOS=1 COL=1 DOL=1 ERB=1 FEN=1 GOR=1 HAM=1"))
    assert scored.vp == as_active
    state = at(f"tiny; seat 1 | {land}; seat 2 | BAR+DIP; seat 3 | BAR+REV")
    [scored] = of_kind(Scored, play(state, "decline"))
    assert scored.vp == as_declined


# Slavery


@pytest.mark.rule("R-SCORE-1", "R-CONQ-6")
@pytest.mark.parametrize(
    ("defender", "neutral", "removed"),
    [
        ("BAR+CUR", "COL", 1),  # a neutral pawn
        ("BAR+CUR COL=4", "-", 1),  # one of four; the others survive
        ("FOR+CUR COL=1^", "-", 1),  # a fort is no pawn
        ("BAR+CUR | - COL", "-", 1),  # a declined one
        ("BAR+CUR", "-", 0),  # an empty province
    ],
)
@pytest.mark.parametrize(("pair", "each"), [("SLA+MIL", 1), ("SLA+SPE", 2), ("HER+MIL", 0)])
def test_slavery_pays_for_each_pawn_eliminated(defender: str, neutral: str, removed: int, pair: str, each: int) -> None:
    """Pawns of others and neutral ones removed this turn are worth 1 VP for each copy."""
    state = at(f"tiny; seat 1 | {pair} reserve=12 BOS; seat 2 | {defender}; seat 3 | LIV+POR; neutral {neutral}")
    [scored] = of_kind(Scored, play(state, "x COL", "hold BOS=1 COL=12"))
    assert scored.vp == 2 + each * removed
    paid = [item for item in scored.items if item.source == "slavery"]
    assert paid == ([ScoreItem("active", "slavery", None, each * removed)] if each * removed else [])


@pytest.mark.rule("R-SCORE-1", "R-CONTACT-1", "R-CONTACT-3")
@pytest.mark.parametrize(
    ("text", "actions", "vp"),
    [
        ("SLA+MIL reserve=9 FEN | - BOS COL", ("x ARA", "hold ARA=9 FEN=1"), 2),
        ("SLA+MIL reserve=9 | - ARA HAM", ("x ARA", "hold ARA=9"), 2),
        ("SLA+HER reserve=9 FEN | - ARA COL", ("x ARA", "hold ARA=9 FEN=1"), 3),
    ],
    ids=["evacuated", "conquered at entry", "conquered with Heritage"],
)
def test_slavery_does_not_pay_for_own_pawns(text: str, actions: tuple[str, ...], vp: int) -> None:
    """Pawns of the seat's own decline are worth nothing to Slavery, however they go."""
    state = at(f"tiny; seat 1 | {text}; {OTHERS}; neutral -")
    [scored] = of_kind(Scored, play(state, *actions))
    assert scored.vp == vp


@pytest.mark.rule("R-SCORE-1")
def test_slavery_counts_this_turn_only() -> None:
    """Check that pawns eliminated in an earlier turn do not score again."""
    state = at(f"tiny; seat 1 | SLA+MIL reserve=9 BOS; {OTHERS}; neutral COL")
    events = play(state, "x COL", "hold BOS=5 COL=5", "hold", "hold", "hold BOS=5 COL=5")
    assert [scored.vp for scored in of_kind(Scored, events) if scored.seat == seat(1)] == [3, 2]


# Conquest and defence


@pytest.mark.rule("R-CONQ-3", "R-CONQ-4")
@pytest.mark.parametrize(
    ("pair", "origin", "target", "expected"),
    [
        ("HER+LIV", "COL", "ARA", 2),
        ("WEA+LIV", "COL", "ARA", 1),
        ("WEA+SPE", "COL", "ARA", 0),
        ("WEA+LIV", "BOS", "DOL", 2),
        ("WEA+SPE", "BOS", "DOL", 1),
        ("WEA+SPE", "DOL", "COL", 0),  # 2 - 1 - 2, never below 0
        ("HER+LIV", "BOS", "ARA", 2),
        ("GAL+LIV", "BOS", "ARA", 1),  # along the coast
        ("GAL+SPE", "BOS", "ARA", 0),
        ("GAL+LIV", "FEN", "ARA", 1),  # over a strait with a common coast
        ("GAL+LIV", "COL", "ARA", 2),  # no common coast
        ("GAL+SPE", "COL", "ARA", 2),
        ("GAL+AST", "FEN", "BOS", 2),  # by sea
        ("AST+LIV", "FEN", "BOS", 3),
        ("HER+LIV", "BOS", "DOL", 3),
        ("MOU+LIV", "BOS", "DOL", 2),
        ("MOU+SPE", "BOS", "DOL", 1),
        ("MOU+LIV", "BOS", "COL", 2),  # not a mountain
        ("MOU+SPE", "GOR", "HAM", 1),  # from a mountain, as for everyone
        ("BAR+LIV", "COL", "ARA", 2),
        ("BAR+SPE", "COL", "ARA", 2),
        ("MIL+SPE", "COL", "ARA", 2),  # Militia defends only
        ("FOR+SPE", "COL", "ARA", 2),  # the trait without a fort
    ],
)
def test_reduction_of_cost_by_traits(pair: str, origin: str, target: str, expected: int) -> None:
    """The cost of an empty province from this origin, with one copy or two."""
    state = at(f"tiny; seat 1 | {pair} reserve=3 {origin}; seat 2 | BAR+CUR; seat 3 | DIP+POR; neutral -")
    assert cost(state, target) == expected


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("pair", "garrison", "expected"),
    [
        ("HER+CUR", "COL=1", 3),
        ("MIL+CUR", "COL=1", 4),
        ("MIL+SPE", "COL=1", 5),
        ("MIL+SPE", "COL=3", 7),
        ("FOR+CUR", "COL=1^", 4),
        ("FOR+SPE", "COL=1^", 4),
        ("FOR+MIL", "COL=1^", 5),
        ("BAR+SPE", "COL=1", 3),
    ],
)
def test_cost_added_by_defence_traits(pair: str, garrison: str, expected: int) -> None:
    """Militia adds 1 for each copy in every province, a fort adds 1 whatever the copies."""
    state = at(f"tiny; seat 1 | BAR+DIP reserve=9 ARA; seat 2 | {pair} {garrison}; seat 3 | LIV+POR")
    assert cost(state, "COL") == expected


@pytest.mark.rule("R-CONQ-3", "R-REORG-5")
@pytest.mark.parametrize(("origin", "expected"), [("COL", 2), ("COL^", 1), ("DOL", 1), ("DOL^", 0)])
def test_a_fort_takes_one_off_attacks_from_it(origin: str, expected: int) -> None:
    """On a mountain both count."""
    state = at(f"tiny; seat 1 | FOR+SPE reserve=3 {origin}; {OTHERS}; neutral -")
    assert cost(state, "ERB") == expected


@pytest.mark.rule("R-REORG-5")
@pytest.mark.parametrize(
    ("pair", "fine", "too_many", "copies"),
    [("FOR+MIL", "ARA", "ARA BOS", 1), ("FOR+SPE", "ARA BOS", "ARA BOS COL", 2), ("BAR+SPE", "", "ARA", 0)],
)
def test_forts_builds_one_a_turn_for_each_copy(pair: str, fine: str, too_many: str, copies: int) -> None:
    """Two copies build two forts a turn."""
    state = at(f"tiny; seat 1 | {pair} reserve=2 ARA BOS COL; seat 2 | WEA+CUR; seat 3 | LIV+POR")
    assert refused(state, f"hold ARA=1 BOS=1 COL=3 fort {too_many}") == TooManyForts(copies + 1, copies)
    play(state, "hold ARA=1 BOS=1 COL=3" + (f" fort {fine}" if fine else ""))
    assert state.forts == state.board.set_named(fine.split())


@pytest.mark.rule("R-CONQ-7")
@pytest.mark.parametrize(
    ("pair", "times"), [("SPI+MIL", 1), ("SPI+SPE", 2), ("BAR+SPE", 0)], ids=["one copy", "two copies", "none"]
)
def test_spies_conquer_for_two_once_a_turn_for_each_copy(pair: str, times: int) -> None:
    """Each copy buys one province a turn for exactly 2, whatever defends it."""
    state = at(f"tiny; seat 1 | {pair} reserve=9 BOS; seat 2 | WEA+CUR ARA=4 COL=3 DOL=4; seat 3 | LIV+POR")
    for code in ("ARA", "COL")[:times]:
        play(state, f"x {code} spy")
        assert pawns(state, code) == [2]
    assert refused(state, "x DOL spy") == NoSpies(times)


@pytest.mark.rule("R-CONQ-7")
def test_spies_cost_two_also_where_less_would_do() -> None:
    """The declared cost is exactly 2, although Weapons would pay 1."""
    state = at(f"tiny; seat 1 | SPI+WEA reserve=9 BOS; {OTHERS}; neutral -")
    assert cost(state, "COL") == 1
    play(state, "x COL spy")
    assert (pawns(state, "COL"), active(state, 1).reserve) == ([2], 7)


@pytest.mark.rule("R-MOB-4")
@pytest.mark.parametrize(
    ("pair", "by_medicine", "by_general"),
    [
        ("HER+MIL", 0, 0),
        ("MED+MIL", 1, 0),
        ("MED+SPE", 2, 0),
        ("GEN+MIL", 0, 7),
        ("GEN+SPE", 0, 14),
        ("MED+GEN", 1, 7),
        ("BAR+SPE", 0, 0),
    ],
)
def test_medicine_and_general_add_at_each_mobilisation(pair: str, by_medicine: int, by_general: int) -> None:
    """Medicine adds 1 pawn for each copy and for good, General 7 for each copy and for the turn."""
    state = at(f"tiny; turn 3; seat 1 | {pair} ARA=4; seat 2 | WEA+CUR; seat 3 | LIV+POR")
    [started] = of_kind(TurnStarted, play(state, "hold"))
    assert (started.by_medicine, started.by_general) == (by_medicine, by_general)
    assert started.reserve == 3 + by_medicine + by_general
    [event] = of_kind(Reorganised, play(state, f"hold ARA={4 + by_medicine}"))
    assert event.by_general == by_general
    assert pawns(state, "ARA") == [4 + by_medicine]


# Reach


@pytest.mark.rule("R-ENTRY-1", "R-ENTRY-3")
@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("MIL+HER", "ARA FEN GOR"),
        ("BAR+SPE", "ARA FEN GOR"),
        ("AST+MIL", "ARA BOS FEN GOR"),
        ("AST+SPE", "ARA BOS FEN GOR"),
        ("REV+MIL", "ARA BOS COL DOL ERB FEN GOR HAM"),
        ("REV+SPE", "ARA BOS COL DOL ERB FEN GOR HAM"),
    ],
)
def test_astronomy_and_revolution_open_the_board(pair: str, expected: str) -> None:
    """Astronomy enters over connected seas, Revolution anywhere; a second copy changes nothing."""
    state = at(f"tiny; seat 1 | {pair} reserve=9; seat 2 | WEA+CUR; seat 3 | LIV+POR; neutral -")
    assert conquests(state) == expected.split()


@pytest.mark.rule("R-CONQ-4", "R-CONQ-8")
@pytest.mark.parametrize(("pair", "reaches"), [("AST+MIL", True), ("AST+SPE", True), ("REV+SPE", False)])
def test_astronomy_conquers_by_sea(pair: str, reaches: bool) -> None:
    """From FEN over Ocean and Sound to BOS, at the normal cost; the lake is not connected."""
    state = at(f"tiny; seat 1 | {pair} reserve=9 FEN; seat 2 | WEA+CUR; seat 3 | LIV+POR; neutral -")
    assert conquests(state) == (["ARA", "BOS"] if reaches else ["ARA"])
    assert isinstance(refused(state, "x HAM"), OutOfReach)
    if reaches:
        assert cost(state, "BOS") == 3


@pytest.mark.rule("R-REORG-2")
@pytest.mark.parametrize(
    ("pair", "over_sea", "over_land"),
    [
        ("HER+MIL", False, False),
        ("AST+MIL", True, False),
        ("AST+SPE", True, False),
        ("MES+MIL", True, True),
        ("MES+SPE", True, True),
        ("BAR+SPE", False, False),
    ],
)
def test_astronomy_and_messages_hold_an_empire_together(pair: str, over_sea: bool, over_land: bool) -> None:
    """Astronomy connects provinces by sea, Messages needs no connection; a second copy changes nothing."""
    sea = at(f"tiny; seat 1 | {pair} reserve=2 BOS FEN; seat 2 | WEA+CUR; seat 3 | LIV+POR")
    land = at(f"tiny; seat 1 | {pair} reserve=2 BOS HAM; seat 2 | WEA+CUR; seat 3 | LIV+POR")
    assert allowed(sea, "hold BOS=2 FEN=2") is over_sea
    assert allowed(land, "hold BOS=2 HAM=2") is over_land
    if not over_land:
        assert refused(land, "hold BOS=2 HAM=2") == NotConnected(land.board.set_named(["BOS"]))


# Peace, contact, decline


@pytest.mark.rule("R-PEACE-1")
@pytest.mark.parametrize(
    ("pair", "copies"), [("BAR+SPE", 0), ("DIP+MIL", 1), ("DIP+SPE", 2)], ids=["none", "one copy", "two copies"]
)
def test_diplomacy_names_one_opponent_for_each_copy(pair: str, copies: int) -> None:
    """Two copies name two different opponents."""
    state = at(f"tiny; seat 1 | {pair} reserve=2 ARA; seat 2 | WEA+CUR; seat 3 | LIV+POR; seat 4 | HER+MOU")
    for other in range(2, 2 + copies):
        assert refused(state, "peace 1") == NotAnOpponent(seat(1))
        play(state, f"peace {other}")
    assert state.named[0] == (seat(2), seat(3))[:copies]
    assert refused(state, "peace 4") == NoMorePeace(copies)


@pytest.mark.rule("R-PEACE-1")
def test_the_second_copy_of_diplomacy_does_not_name_the_same_opponent() -> None:
    """Check that an opponent named once cannot be named again."""
    state = at(f"tiny; seat 1 | DIP+SPE reserve=2 ARA; {OTHERS}")
    play(state, "peace 2")
    assert refused(state, "peace 2") == NotAnOpponent(seat(2))


@pytest.mark.rule("R-CONTACT-3")
@pytest.mark.parametrize(("pair", "left"), [("HER+MIL", "COL HAM"), ("HER+SPE", "COL HAM"), ("BAR+SPE", "HAM")])
def test_heritage_prevents_evacuation(pair: str, left: str) -> None:
    """With Heritage, once or twice, the own decline stays in contact; without it what is touched is emptied."""
    state = at(f"tiny; seat 1 | {pair} reserve=9 FEN | - COL HAM; seat 2 | WEA+CUR; seat 3 | LIV+POR; neutral -")
    assert len(of_kind(Evacuated, play(state, "x ARA"))) == (0 if "HER" in pair else 1)
    assert provinces(state, state.declined[0]) == set(left.split())


@pytest.mark.rule("R-CONTACT-3")
@pytest.mark.parametrize("pair", ["HER+MIL", "HER+SPE"])
def test_heritage_conquers_its_own_decline_at_normal_cost(pair: str) -> None:
    """Its pawn and its fort defend."""
    state = at(f"tiny; seat 1 | {pair} reserve=9 FEN | - ARA^; seat 2 | WEA+CUR; seat 3 | LIV+POR; neutral -")
    assert cost(state, "ARA") == 2 + 1 + 1
    play(state, "x ARA")
    assert state.declined[0] is None
    assert (provinces(state, active(state, 1)), pawns(state, "ARA")) == ({"ARA", "FEN"}, [4])


@pytest.mark.rule("R-DECL-1")
@pytest.mark.parametrize("pair", ["REN+MIL", "REN+SPE"])
def test_renaissance_declines_at_the_end_of_a_turn(pair: str) -> None:
    """Once or twice, there is one decline and one choice."""
    state = at(f"tiny; seat 1 | {pair} reserve=2 ARA; seat 2 | WEA+CUR; seat 3 | LIV+POR")
    play(state, "hold ARA=3")
    assert legal(state) == ["decline", "stay"]
    assert len(of_kind(Declined, play(state, "decline", "take 1"))) == 1
    assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.parametrize("pair", ["BAR+CUR", "BAR+SPE"])
def test_barbarians_have_no_effect(pair: str) -> None:
    """They are many, and that is all: costs, reach and the end of the turn are those of everyone."""
    state = at(f"tiny; seat 1 | {pair} reserve=9 BOS; seat 2 | WEA+MIL; seat 3 | LIV+POR; neutral COL")
    assert [cost(state, code) for code in ("ARA", "COL", "DOL")] == [2, 3, 3]
    assert conquests(state) == ["ARA", "COL", "DOL"]
    play(state, "hold BOS=10")
    assert (state.actor, state.phase) == (seat(2), "start")
