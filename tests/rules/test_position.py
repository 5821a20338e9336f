"""Positions as text: the examples and defaults of docs/position.md, round trips, and every fault by name."""

import re

import pytest

from tests.support.paths import DOCS
from tests.support.rules import active, at, pawns, play, provinces, seat
from vinci_rules import position
from vinci_rules.board import board_names, load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import new_game
from vinci_rules.market import full_bag
from vinci_rules.position import PositionError
from vinci_rules.state import Empire, State
from vinci_rules.traits import TRAIT_BY_CODE, Traits, codes_of
from vinci_rules.validity import faults

DOCUMENT = (DOCS / "position.md").read_text(encoding="utf-8")
EXAMPLES = [" ".join(block.split()) for block in re.findall(r"(?:^ {4}\S.*\n)+", DOCUMENT, re.MULTILINE)]
OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"
MARKET = "market AGR+LIV MIN+POR FOR+GAL GEN+MOU DIP+HER MED+MES"


def traits(text: str) -> Traits:
    """Return the traits with these codes."""
    return tuple(TRAIT_BY_CODE[code] for code in text.split("+"))


def refused(text: str) -> tuple[str, ...]:
    """Return all faults of a text; fail if it is a position."""
    with pytest.raises(PositionError) as error:
        at(text)
    assert str(error.value) == "; ".join(error.value.faults)
    return error.value.faults


# Examples and defaults


def test_the_document_has_its_two_examples() -> None:
    """The full one on Europe and the short one on the small board."""
    assert [example.split(";")[0] for example in EXAMPLES] == ["europe", "tiny"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_of_the_document_can_be_read(example: str) -> None:
    """The examples are valid positions, and writing them is stable."""
    state = position.read(example)
    text = position.write(state)
    assert position.read(text) == state
    assert position.write(position.read(text)) == text


def test_full_example_has_the_documented_state() -> None:
    """Every clause of the first example is found in the state."""
    state = position.read(EXAMPLES[0])
    assert (state.board.name, state.options.edition, state.options.target) == ("europe", "FR", 90)
    assert (state.round, state.target_reached) == (3, False)
    assert state.order == (seat(2), seat(3), seat(1))
    assert (state.turn, state.phase, state.actor, state.eliminated, state.spied) == (1, "conquer", seat(3), 1, 0)
    assert state.options.dummies == (False, True, False)
    assert state.vp == [24, 10, 18]
    assert state.survivors == [0, 1, 0]
    assert state.named == ((), (), (seat(1),))
    assert (codes_of(active(state, 1).traits), active(state, 3).reserve) == ("WEA+MIL", 5)
    assert pawns(state, "ALP", "PYR", "BOH", "SAX", "IRL", "SCO") == [3, 2, 1, 4, 1, 0]
    assert state.board.codes_of(state.forts) == ("ALP",)
    assert state.declined[0] == Empire.of(traits("MIN*"), state.board.set_named(["BOH"]))
    assert set(state.board.codes_of(state.neutral)) == {"IRL", "MER", "WES"}
    assert [codes_of(one.traits) for one in state.market][:2] == ["AGR+FOR", "AST+SPI"]
    assert [one.markers for one in state.market] == [1, 0, 0, 0, 0, 0]
    assert state.fills == 10


@pytest.mark.parametrize(
    ("clause", "written"),
    [
        ("rules", "rules standard"),
        ("round", "round 1"),
        ("order", "order 1 2 3"),
        ("turn", "turn 1 start"),
        ("seat 1", "seat 1 vp=10 | WEA+MIL reserve=9 ARA=1 BOS=1"),
        ("neutral", "neutral COL ERB FEN HAM"),
        ("market", "market AGR+AGR* AGR+AGR* LIV+LIV* LIV+LIV* MIN+MIN* MIN+MIN*"),
        ("fills", "fills 6"),
    ],
)
def test_missing_clauses_have_defaults(clause: str, written: str) -> None:
    """A clause that is left out means what the table in the document says."""
    text = "tiny; seat 1 | WEA+MIL reserve=9 ARA BOS; seat 2 | BAR+DIP; seat 3 | AST+REV"
    assert written in position.write(at(text)).split("; ")
    assert f"; {clause} " not in text or clause == "seat 1"


def test_the_market_left_out_holds_the_first_traits_left() -> None:
    """Traits that are out elsewhere are passed over, in the order of the trait table."""
    state = at("tiny; seat 1 | LIV+AGR; seat 2 | AGR*+LIV; seat 3 | MIN+AGR* | MIN*+POR* ARA")
    assert [codes_of(one.traits) for one in state.market] == [
        "AGR+LIV*",
        "LIV*+MIN",
        "MIN*+POR",
        "POR+POR*",
        "CUR+SLA",
        "CUR+SLA",
    ]


def test_start_vp_of_a_dummy_follow_the_option() -> None:
    """`vp=` left out means 10, and `dummy_start_vp` for a dummy."""
    assert at("tiny; rules FR dummy_start_vp=15; seat 1 | WEA+MIL; seat 2 dummy | BAR+CUR; seat 3 | AST+SLA").vp == [
        10,
        15,
        10,
    ]


def test_round_0_starts_with_the_draft() -> None:
    """The phase left out is `draft` in round 0 and `start` later."""
    assert at("tiny; round 0; seat 1; seat 2; seat 3").phase == "draft"
    assert at(f"tiny; round 2; seat 1 | WEA+MIL; {OTHERS}").phase == "start"


@pytest.mark.rule("R-END-1", "R-END-3")
def test_a_score_at_the_target_has_reached_it() -> None:
    """`reached` need not be said while a score stands there, and holds when none does any more."""
    assert at(f"tiny; seat 1 vp=150 | WEA+MIL; {OTHERS}").target_reached
    assert not at(f"tiny; seat 1 vp=149 | WEA+MIL; {OTHERS}").target_reached
    assert at(f"tiny; round 2 reached; seat 1 vp=140 | WEA+MIL; {OTHERS}").target_reached


def test_the_first_seat_of_the_order_has_the_turn() -> None:
    """`turn` left out means the first seat in the order of play."""
    state = at(f"tiny; order 3 1 2; seat 1 | WEA+MIL; {OTHERS}")
    assert (state.actor, state.turn) == (seat(3), 0)


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("neutral -", "neutral"),
        ("round 4; order 1 3 2", "order 1 3 2; round 4"),
        ("neutral FEN HAM", "neutral   HAM  FEN;"),
        ("rules FR", "rules FR target=150"),
        ("rules standard give_up=free", "rules standard give_up=free target=150"),
    ],
)
def test_texts_of_one_position(one: str, same: str) -> None:
    """Clauses come in any order, spaces and needless settings do not matter."""
    seats = f"seat 1 | WEA+MIL reserve=9 ARA BOS; {OTHERS}"
    assert at(f"tiny; {one}; {seats}") == at(f"tiny; {seats}; {same}")
    assert position.write(at(f"tiny; {one}; {seats}")) == position.write(at(f"tiny; {seats}; {same}"))


@pytest.mark.parametrize(
    "text",
    [
        "tiny; round 0; seat 1 | WEA+MIL reserve=15; seat 2; seat 3; turn 2 draft",
        f"tiny; turn 1 start; seat 1 | WEA+MIL reserve=4 ARA BOS; {OTHERS}",
        f"tiny; turn 1 peace; seat 1 peace=2 | DIP+MIL; {OTHERS}",
        f"tiny; turn 1 peace; seat 1 peace=2+3 | DIP+SPE; {OTHERS}",
        f"tiny; turn 1 abandon; seat 1 | WEA+MIL reserve=4 ARA; {OTHERS}",
        f"tiny; turn 1 conquer spied=1 eliminated=4; seat 1 | WEA+SPI ARA=0 BOS=9^; {OTHERS}",
        f"tiny; turn 1 renaissance; seat 1 vp=22 | REN+SPE ARA=4 BOS=9^; {OTHERS}",
        "tiny; turn 1 redeploy=3; seat 1 | WEA+MIL GOR; seat 2 | BAR+CUR; seat 3 survivors=2 | AST+SLA ARA BOS",
        "tiny; rules NL; turn 1 conquer; seat 1 | WEA+MIL GOR; seat 2 must_decline | BAR+CUR; seat 3 | AST+SLA",
        "tiny; turn 3 draft; seat 1 forfeited=2 | WEA+MIL GOR; seat 2 forfeited=1 | -; seat 3 | -; seat 4 | MED+HER",
        f"tiny; turn 1 draft; seat 1 | - | MIN*+SPE COL^ GOR ERB; {OTHERS}",
        f"tiny; turn 1 draft; seat 1 | - | - COL GOR; {OTHERS}",
        f"tiny; turn 1 draft; seat 1 | -; {OTHERS}",
        f"tiny; round 7 reached; turn 3 over; seat 1 vp=151 dummy | WEA+MIL GOR=4; {OTHERS}",
        f"tiny; seat 1 | LIV+LIV* FEN | MIN*+AGR* COL GOR; {OTHERS}; fills 44",
        f"tiny; seat 1 | WEA+MIL; {OTHERS}; market AGR+LIV:2 MIN+POR:1 FOR+GAL GEN+MOU DIP+HER MED+MES:9; neutral -",
        f"tiny; round 3 reached; turn 2; seat 1 vp=149 | WEA+MIL FEN=3; {OTHERS}",
        f"tiny; rules FR target=30 max_rounds=7; round 7; seat 1 | WEA+WEA; {OTHERS}",
        f"europe; seat 1 | WEA+MIL ALP | - MER; {OTHERS}; seat 4 | HER+POR; seat 5 | MED+DIP; seat 6 dummy | GEN+REN",
    ],
)
def test_write_and_read_round_trip(text: str) -> None:
    """Every phase and every fact survives writing and reading."""
    state = at(text)
    written = position.write(state)
    assert position.read(written) == state
    assert position.write(position.read(written)) == written
    stripped = written.replace(" vp=10", "")
    assert position.read(stripped) == state


@pytest.mark.parametrize("board", board_names())
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_new_game_can_be_written_and_read(board: str, edition: str) -> None:
    """The draws of the market and of the order are part of the text."""
    dummies = (False, True, False, True)
    state = new_game(load_board(board), options(dummies, edition, target=77, dummy_start_vp=12), FairChance("5"))
    assert position.read(position.write(state)) == state


def test_bag_has_the_remaining_traits() -> None:
    """Traits of empires, declined empires and the market are not in the bag."""
    state = at(f"tiny; seat 1 | WEA+SPE FEN | MIN* COL; {OTHERS}; {MARKET}")
    left = {"WEA": 1, "SPE": 0, "MIN*": 1, "MIN": 1, "BAR": 2, "AGR*": 2, "REN": 2, "CUR": 1}
    assert {code: state.bag[TRAIT_BY_CODE[code]] for code in left} == left
    assert sum(state.bag) == sum(full_bag("author")) - 12 - 7


def test_a_read_position_can_be_played() -> None:
    """The short example of the document is played on with a conquest from Arable."""
    state = position.read(EXAMPLES[1])
    play(state, "x FEN")
    assert provinces(state, state.active[0]) == {"ARA", "BOS", "FEN"}


def test_words_are_not_read_from_other_places() -> None:
    """`dummy` counts before the first bar only, and codes of provinces are written in capitals."""
    assert refused("tiny; seat 1 | WEA+MIL dummy; seat 2 | BAR+CUR; seat 3 | AST+SLA")
    assert refused(f"tiny; seat 1 | WEA+MIL ara; {OTHERS}")


# Games that forfeits end


@pytest.mark.rule("R-FORFEIT-1")
@pytest.mark.parametrize(
    "clauses",
    [
        "turn 1 conquer; seat 1 | WEA+MIL reserve=3 ARA; seat 2 | BAR+CUR GOR; seat 3 | AST+SLA",
        "turn 1 conquer; seat 1 | WEA+SPE ARA COL=0; seat 2 | BAR+CUR GOR; seat 3 | AST+SLA",
        "turn 1 conquer; seat 1 | GEN+MIL ARA=20; seat 2 | BAR+CUR GOR; seat 3 | AST+SLA",
        "turn 1 conquer; seat 1 | WEA+MIL ARA; seat 2 survivors=2 | BAR+CUR GOR; seat 3 | AST+SLA",
        "turn 1 conquer spied=1 eliminated=2; seat 1 | WEA+SPI ARA; seat 2 | BAR+CUR GOR; seat 3 | AST+SLA",
        "turn 1 renaissance; seat 1 | WEA+REN ARA; seat 2 | BAR+CUR GOR; seat 3 | AST+SLA",
        "turn 1 draft; seat 1 | - | - ARA; seat 2 | BAR+CUR GOR; seat 3 | AST+SLA",
        "turn 1 redeploy=2; seat 1 | WEA+REN ARA; seat 2 survivors=2 | BAR+CUR GOR HAM; seat 3 survivors=1 | AST+SLA",
        "round 0; seat 1; seat 2; seat 3",
    ],
    ids=["reserve", "no pawn", "general", "survivors", "spied", "renaissance", "draft", "redeploy", "opening"],
)
def test_a_game_that_ends_in_the_middle_of_a_turn_can_be_written(clauses: str) -> None:
    """Check that the position after all opponents forfeited within a turn survives a write and a read."""
    state = at(f"tiny; {clauses}")
    play(state, "forfeit 3", "forfeit 2")
    assert state.phase == "over"
    assert position.read(position.write(state)) == state


@pytest.mark.rule("R-FORFEIT-1", "R-END-5")
def test_a_game_that_ends_with_a_redeployment_can_be_written() -> None:
    """In the last round the last seat forfeits while another one redeploys; after that the game is over."""
    state = at("""
        tiny; rules FR max_rounds=4; round 4; turn 3 redeploy=1;
        seat 1 survivors=1 | BAR+CUR ARA FEN; seat 2 | MIN+SPE; seat 3 | AST+GAL GOR; seat 4 | MED+HER
    """)
    play(state, "forfeit 4", "redeploy ARA=1")
    assert state.phase == "over"
    assert position.read(position.write(state)) == state


# Faults in the text

WELL = f"seat 1 | WEA+MIL; {OTHERS}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the text starts with the name of the board: unknown board ''"),
        (f"asia; {WELL}", f"unknown board 'asia'; known: {', '.join(board_names())}"),
        (f"tiny; weather fine; {WELL}", "unknown clause 'weather'; known: rules, round, order"),
        (f"tiny; round 2; round 3; {WELL}", "clause round is given twice"),
        (f"tiny; rules FR target; {WELL}", "rules: 'target' is not of the form OPTION=VALUE"),
        (f"tiny; rules FR colour=red; {WELL}", "rules: unknown option colour; known:"),
        (f"tiny; rules XX; {WELL}", "rules: unknown edition 'XX'; known: standard, FR, NL, DE, WEB"),
        (f"tiny; rules; {WELL}", "rules: unknown edition ''"),
        (f"tiny; rules FR give_up=never; {WELL}", "rules: give_up=never: possible values are only_if_forced, free"),
        (f"tiny; rules FR target=many; {WELL}", "rules: target=many: give a whole number from 1"),
        (f"tiny; rules FR target=10; {WELL}", "rules: target 10: it must be above the 10 VP"),
        (f"tiny; rules FR max_rounds=0; {WELL}", "rules: max_rounds=0: give a whole number from 1"),
        ("tiny; seat 1 | WEA+MIL; seat 2 | BAR+CUR", "a game has 3 to 6 seats, not 2"),
        ("tiny", "a game has 3 to 6 seats, not 0: the clause 'seat 1 ...' is missing; is the text cut off?"),
        (f"tiny; {WELL}; seat 4 | -; seat 5 | -; seat 6 | -; seat 7 | -", "a game has 3 to 6 seats, not 7"),
        (f"tiny; round 2 over; {WELL}", "round: 'over' after the number; only 'reached' may follow"),
        (f"tiny; round 2 reached now; {WELL}", "round: 'reached now' after the number"),
        (f"tiny; round two; {WELL}", "round: 'two' is not a whole number from 0 to 99999"),
        (f"tiny; round -1; {WELL}", "round: '-1' is not a whole number"),
        (f"tiny; order 1 2; {WELL}", "order: '1 2' does not name every seat from 1 to 3 once"),
        (f"tiny; order 1 2 2; {WELL}", "order: '1 2 2' does not name every seat"),
        (f"tiny; order 1 2 4; {WELL}", "order: '1 2 4' does not name every seat"),
        (f"tiny; turn 4 start; {WELL}", "turn: seat 4; seats are 1 to 3"),
        (f"tiny; turn 0 start; {WELL}", "turn: seat 0; seats are 1 to 3"),
        (f"tiny; turn 1 sleep; {WELL}", "turn: phase 'sleep'; known: draft, start, peace"),
        (f"tiny; turn 1 redeploy; {WELL}", "turn: phase 'redeploy'; known:"),
        (f"tiny; turn 1 start=2; {WELL}", "turn: phase 'start=2'; known:"),
        (f"tiny; turn 1 redeploy=9; {WELL}", "turn: seat 9; seats are 1 to 3"),
        (f"tiny; turn 1 conquer tired=1; {WELL}", "turn: 'tired=1'; known: spied=..., eliminated=..."),
        (f"tiny; turn 1 conquer spied=x; {WELL}", "turn: spied: 'x' is not a whole number"),
        (f"tiny; seat 2 | WEA+MIL; {OTHERS}", "seat 1: seats are listed in order from 1, '2' is given here"),
        (f"tiny; seat | WEA+MIL; {OTHERS}", "seat 1: seats are listed in order from 1, 'no number' is given here"),
        (f"tiny; seat 1 rich=1 | WEA+MIL; {OTHERS}", "seat 1: 'rich=1'; known: vp=..., survivors=..."),
        (f"tiny; seat 1 lazy | WEA+MIL; {OTHERS}", "seat 1: 'lazy'; known:"),
        (f"tiny; seat 1 vp=much | WEA+MIL; {OTHERS}", "seat 1: vp: 'much' is not a whole number"),
        (f"tiny; seat 1 vp=123456 | WEA+MIL; {OTHERS}", "seat 1: vp: '123456' is not a whole number from 0 to 99999"),
        (f"tiny; seat 1 vp=٣ | WEA+MIL; {OTHERS}", "seat 1: vp: '٣' is not a whole number"),
        (f"tiny; seat 1 survivors=x | WEA+MIL; {OTHERS}", "seat 1: survivors: 'x' is not a whole number"),
        (f"tiny; seat 1 peace=7 | DIP+MIL; {OTHERS}", "seat 1: peace: seat 7; seats are 1 to 3"),
        (f"tiny; seat 1 peace=2+ | DIP+MIL; {OTHERS}", "seat 1: peace: '' is not a whole number"),
        (f"tiny; seat 1 forfeited=x | WEA+MIL; {OTHERS}", "seat 1: forfeited: 'x' is not a whole number"),
        (f"tiny; seat 1 | WEA+MIL | - COL | - GOR; {OTHERS}", "seat 1: at most two empires, active | declined, follow"),
        (f"tiny; seat 1 | WEA+MIL | - reserve=2 COL; {OTHERS}", "seat 1: a declined empire has no reserve"),
        (f"tiny; seat 1 | WEA+MIL ATLANTIS; {OTHERS}", "seat 1: 'ATLANTIS' is not CODE=PAWNS, CODE=PAWNS^ (a fort)"),
        (f"tiny; seat 1 | WEA+MIL ARA=; {OTHERS}", "seat 1: 'ARA=' is not CODE=PAWNS"),
        (f"tiny; seat 1 | WEA+MIL ARA^=2; {OTHERS}", "seat 1: 'ARA^=2' is not CODE=PAWNS"),
        (f"tiny; seat 1 | WEA+MIL reserve; {OTHERS}", "seat 1: 'reserve' is not CODE=PAWNS"),
        (f"tiny; seat 1 | WEA+XXX; {OTHERS}", "seat 1: unknown trait XXX; known: AGR AGR*"),
        (f"tiny; seat 1 | WEA+MIL ARA ARA; {OTHERS}", "seat 1: ARA is held already (seat 1)"),
        ("tiny; seat 1 | WEA+MIL ARA; seat 2 | BAR+CUR ARA; seat 3 | AST+SLA", "seat 2: ARA is held already (seat 1)"),
        (f"tiny; seat 1 | WEA+MIL ARA | - ARA; {OTHERS}", "seat 1: ARA is held already (seat 1)"),
        (f"tiny; seat 1 | WEA+MIL ARA; {OTHERS}; neutral ARA", "neutral: ARA is held already (seat 1)"),
        (f"tiny; {WELL}; neutral ALP", "neutral: 'ALP' is not a province of tiny"),
        (f"tiny; {WELL}; market AGR+YYY", "market: unknown trait YYY; known:"),
        (f"tiny; {WELL}; market AGR+LIV:x MIN+POR", "market: 'x' is not a whole number"),
        (f"tiny; {WELL}; fills x", "fills: 'x' is not a whole number"),
    ],
)  # fmt: skip
def test_a_fault_in_the_text_is_named(text: str, fault: str) -> None:
    """Each error names the place of the fault and the correct form."""
    assert any(fault in named for named in refused(text)), refused(text)


# Impossible positions


IMPOSSIBLE = [
    (f"tiny; {WELL}; neutral DOL ARA", "neutral: DOL is a mountain, which never has a neutral pawn (R-SETUP-2)"),
    (f"tiny; {WELL}; market AGR+LIV MIN+POR", "market: 2 civilizations; it always has 6 (R-DRAFT-3)"),
    (f"tiny; {WELL}; {MARKET} REN+REV", "market: 7 civilizations; it always has 6 (R-DRAFT-3)"),
    (f"tiny; {WELL}; fills 5", "fills: 5; at least 6 civilizations have been drawn (R-SETUP-4)"),
    (f"tiny; rules FR max_rounds=3; round 4; {WELL}", "round: 4 is after max_rounds=3 (R-END-5)"),
    ("tiny; seat 1 | WEA+MIL; seat 2 | WEA+CUR; seat 3 | WEA+SLA", "WEA is used 3 times; the deck author has 2"),
    (f"tiny; seat 1 | SPE+MIL; {OTHERS}; market SPE+LIV", "SPE is used 2 times; the deck author has 1 (R-SETUP-3)"),
    (f"tiny; {WELL}; market AGR MIN+POR FOR+GAL GEN+MOU DIP+HER MED+MES", "market slot 1: AGR: a civilization has"),
    (f"tiny; {WELL}; market LIV+LIV MIN+POR FOR+GAL GEN+MOU DIP+HER MED+MES", "market slot 1: LIV+LIV: identical"),
    (f"tiny; seat 1 | WEA+WEA; {OTHERS}", "seat 1: WEA+WEA: identical traits are not kept together (R-SETUP-4)"),
    (f"tiny; rules FR; seat 1 | SPE+SPE; {OTHERS}", "seat 1: SPE+SPE: identical traits are not kept together"),
    (f"tiny; seat 1 | WEA; {OTHERS}", "seat 1: WEA: a civilization has two traits (R-SETUP-4)"),
    (f"tiny; seat 1 | WEA+MIL+GAL; {OTHERS}", "seat 1: WEA+MIL+GAL: a civilization has two traits (R-SETUP-4)"),
    ("tiny; turn 2; seat 1 | -; seat 2 | BAR+CUR; seat 3 | AST+SLA", "seat 1: no active empire; only a seat that is"),
    ("tiny; round 0; seat 1 | - | - ARA; seat 2; seat 3", "seat 1: a declined empire in the opening draft (R-SETUP-6)"),
    (f"tiny; seat 1 | WEA+MIL ARA | - COL; {OTHERS}", "active and declined empire touch in COL; without Heritage"),
    (f"tiny; seat 1 | WEA+MIL ARA | - FEN; {OTHERS}", "active and declined empire touch in FEN; without Heritage"),
    (f"tiny; seat 1 peace=1 | DIP+MIL; {OTHERS}", "seat 1: peace names one or two different opponents"),
    (f"tiny; turn 2; seat 1 peace=2+2 | DIP+MIL; {OTHERS}", "seat 1: peace names one or two different opponents"),
    (
        f"tiny; turn 2; seat 1 peace=2+3+4 | DIP+MIL; {OTHERS}; seat 4 | MED+HER",
        "seat 1: peace names one or two different opponents",
    ),
    (
        "tiny; turn 3; seat 1 peace=2 | DIP+MIL; seat 2 forfeited=1 | BAR+CUR; seat 3 | AST+SLA",
        "opponents that have not forfeited (R-PEACE-1)",
    ),
    (f"tiny; turn 2; seat 1 forfeited=1 peace=2 | DIP+MIL; {OTHERS}", "seat 1: a seat that forfeited has no peace"),
    (f"tiny; seat 1 must_decline | WEA+MIL; {OTHERS}", "must_decline needs landless_empire=auto_decline"),
    (f"tiny; rules NL; seat 1 must_decline | WEA+MIL ARA; {OTHERS}", "must_decline is for an active empire without"),
    (f"tiny; rules NL; seat 1 must_decline | WEA+MIL | - ARA; {OTHERS}", "must_decline is for an active empire"),
    (f"tiny; seat 1 | WEA+MIL ARA=0; {OTHERS}", "seat 1: ARA: no pawn; only in the middle of conquests"),
    (f"tiny; turn 2 conquer; seat 1 | WEA+MIL ARA=0; {OTHERS}", "seat 1: ARA: no pawn; only in the middle of conq"),
    (f"tiny; seat 1 | WEA+MIL ARA=2; {OTHERS}", "seat 1: ARA: 2 pawns; after mobilisation it is 1"),
    (f"tiny; turn 2; seat 1 | WEA+MIL reserve=2 ARA; {OTHERS}", "seat 1: reserve=2: nothing is held back by an empire"),
    (f"tiny; turn 1 renaissance; seat 1 | WEA+REN reserve=2 ARA; {OTHERS}", "reserve=2: nothing is held back"),
    ("tiny; round 0; turn 2; seat 1 | WEA+MIL ARA; seat 2; seat 3", "seat 1: land in the opening draft (R-SETUP-6)"),
    (f"tiny; seat 1 | GEN+MIL reserve=6; {OTHERS}", "seat 1: 6 pawns; General alone gives 7 until reorganisation"),
    (f"tiny; seat 1 | WEA+MIL reserve=16; {OTHERS}", "seat 1: 16 pawns; WEA+MIL gives 15 (R-DRAFT-4)"),
    (f"tiny; turn 2; seat 1 | WEA+MIL ARA=16; {OTHERS}", "seat 1: 16 pawns; WEA+MIL gives 15 (R-DRAFT-4)"),
    (f"tiny; turn 2; seat 1 | GEN+MIL ARA=15; {OTHERS}", "seat 1: 15 pawns; GEN+MIL gives 14 (R-DRAFT-4)"),
    (f"tiny; seat 1 | GEN+MIL reserve=22; {OTHERS}", "seat 1: 22 pawns; GEN+MIL gives 21 (R-DRAFT-4)"),
    (f"tiny; round 2; seat 1 | MED+MIL reserve=18; {OTHERS}", "18 pawns; MED+MIL gives 15 and 2 by Medicine"),
    (f"tiny; seat 1 dummy | WEA+MIL reserve=18; {OTHERS}", "seat 1: 18 pawns; WEA+MIL gives 17 (R-DRAFT-4)"),
    (f"tiny; seat 1 | WEA+MIL | MIN*; {OTHERS}", "seat 1: a declined empire without provinces is gone (R-DECL-7)"),
    (f"tiny; seat 1 | WEA+MIL | - ARA=2; {OTHERS}", "seat 1: ARA: 2 pawns; a declined province has one (R-DECL-3)"),
    (f"tiny; seat 1 | WEA+MIL | MIN ARA; {OTHERS}", "seat 1: MIN: only lasting traits stay"),
    (f"tiny; seat 1 | WEA+MIL | SPE ARA; {OTHERS}", "seat 1: SPE: only lasting traits stay"),
    (f"tiny; seat 1 | WEA+MIL | MIN*+REN ARA; {OTHERS}", "seat 1: MIN*+REN: only lasting traits stay"),
    (f"tiny; seat 1 | WEA+MIL | MIN*+LIV*+POR* ARA; {OTHERS}", "seat 1: MIN*+LIV*+POR*: only lasting traits stay"),
    (
        "tiny; seat 1 | WEA+MIL; seat 2 forfeited=1 | BAR+CUR; seat 3 forfeited=2 | AST+SLA",
        "one seat is left, so the game is over: turn N over (R-FORFEIT-1)",
    ),
    (f"tiny; seat 1 forfeited=1 | WEA+MIL; {OTHERS}", "turn: seat 1 has forfeited; its turns are skipped"),
    (f"tiny; turn 1 draft; seat 1 | WEA+MIL; {OTHERS}", "turn: seat 1 has active empire in phase draft"),
    (f"tiny; turn 1 start; seat 1 | -; {OTHERS}", "seat 1: no active empire; only a seat that is choosing one"),
    (f"tiny; round 0; turn 1 start; {WELL}", "round 0 is the opening draft; its phase is draft, not start"),
    ("tiny; round 0; seat 1; seat 2 | BAR+CUR; seat 3", "seat 2: in the opening draft those before seat 1 have"),
    ("tiny; round 0; turn 2; seat 1; seat 2; seat 3", "seat 1: in the opening draft those before seat 2 have chosen"),
    (f"tiny; turn 1 conquer spied=1; {WELL}", "turn: spied=1, more than copies of Spies, or before"),
    (f"tiny; turn 1 conquer spied=2; seat 1 | SPI+MIL ARA; {OTHERS}", "turn: spied=2, more than copies of Spies"),
    (f"tiny; turn 1 start spied=1; seat 1 | SPI+MIL; {OTHERS}", "turn: spied=1, more than copies of Spies, or before"),
    (f"tiny; turn 1 start eliminated=2; {WELL}", "turn: eliminated=2 in phase start; pawns are removed by conquests"),
    (f"tiny; seat 1 peace=2 | DIP+MIL; {OTHERS}", "seat 1: peace ends when its turn starts (R-PEACE-1)"),
    (f"tiny; turn 1 peace; seat 1 peace=2 | WEA+MIL; {OTHERS}", "phase peace follows a peace that Diplomacy allows"),
    (f"tiny; turn 1 peace; seat 1 peace=2+3 | DIP+MIL; {OTHERS}", "phase peace follows a peace that Diplomacy allows"),
    (f"tiny; turn 1 renaissance; {WELL}", "turn: phase renaissance needs Renaissance on the active empire"),
    (f"tiny; rules NL; turn 1 conquer; seat 1 must_decline | WEA+MIL; {OTHERS}", "it must decline before anything"),
    ("tiny; seat 1 | WEA+MIL; seat 2 survivors=1 | BAR+CUR; seat 3 | AST+SLA", "seat 2: survivors are set aside only"),
    (f"tiny; turn 1 conquer; seat 1 survivors=1 | WEA+MIL ARA; {OTHERS}", "seat 1: survivors are set aside only while"),
    (f"tiny; turn 1 redeploy=2; seat 1 | WEA+MIL ARA; {OTHERS}", "turn: seat 2 has no survivors to redeploy"),
    (f"tiny; turn 1 redeploy=1; seat 1 | WEA+MIL ARA BOS; {OTHERS}", "turn: seat 1 has no survivors to redeploy"),
    (
        "tiny; turn 1 redeploy=2; seat 1 | WEA+MIL ARA; seat 2 survivors=1 | BAR+CUR FEN; seat 3 | AST+SLA",
        "turn: seat 2 is not asked where to redeploy (R-REDEP-1, R-REDEP-3)",
    ),
    (
        "tiny; rules FR redeployment=automatic; turn 1 redeploy=2; "
        "seat 1 | WEA+MIL ARA; seat 2 survivors=1 | BAR+CUR FEN GOR; seat 3 | AST+SLA",
        "turn: seat 2 is not asked where to redeploy (R-REDEP-1, R-REDEP-3)",
    ),
    (
        "tiny; turn 1 redeploy=3; seat 1 | WEA+MIL ARA; "
        "seat 2 survivors=1 | BAR+CUR FEN GOR; seat 3 survivors=1 | AST+SLA COL ERB",
        "seat 2: it redeploys before seat 3 (R-REDEP-1)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fault"), IMPOSSIBLE)
def test_an_impossible_position_is_refused(text: str, fault: str) -> None:
    """Contradictions are named with the rule that they break."""
    faults = refused(text)
    assert any(fault in one for one in faults), faults


@pytest.mark.parametrize(
    "text",
    [text for text, _ in IMPOSSIBLE]
    + [
        "tiny; seat 1 | WEA+MIL ARA; seat 2 | BAR+CUR ARA; seat 3 | AST+SLA",
    ],
)
def test_the_fault_of_an_impossible_position_names_its_rule(text: str) -> None:
    """Every fault ends with the rule that it breaks, so that it can be looked up."""
    assert all(re.search(r"\(R-[A-Z]+-\d+(, R-[A-Z]+-\d+)*\)$", one) for one in refused(text)), refused(text)


@pytest.mark.parametrize("board", board_names())
def test_a_fort_without_an_empire_is_a_fault(board: str) -> None:
    """No text can say so, but a state could (R-REORG-4)."""
    state = new_game(load_board(board), options((False,) * 3), FairChance("1"))
    assert faults(state) == []
    state.forts = 1
    assert faults(state) == [f"{state.board.codes[0]}: a fort in a province without an empire (R-REORG-4)"]


def test_what_is_missing_of_a_text_is_told_once() -> None:
    """Of one that is cut off the next seat, of one that is no position only that it begins with no board."""
    missing = "a game has 3 to 6 seats, not {}: the clause 'seat {} ...' is missing; is the text cut off?"
    assert refused("tiny; rules standard; round 1") == (missing.format(0, 1),)
    assert refused("tiny; seat 1 | -; seat 2 | -") == (missing.format(2, 3),)
    (fault,) = refused("hello")
    assert fault.startswith("the text starts with the name of the board: unknown board 'hello'")


def test_a_missing_trait_is_not_a_fault() -> None:
    """Traits that are not in play are in the bag."""
    state: State = at(f"tiny; {WELL}")
    assert faults(state) == []
    state.active[0] = Empire.of(traits("WEA+MIL"), 0, 15)
    assert faults(state) == []


@pytest.mark.rule("R-SETUP-3")
def test_an_empire_with_the_whole_deck_is_refused() -> None:
    """With no trait left for the market the text is still only a wrong position."""
    faults = refused(f"tiny; seat 1 | {'+'.join([*TRAIT_BY_CODE, *TRAIT_BY_CODE])}; {OTHERS}")
    assert any("a civilization has two traits (R-SETUP-4)" in one for one in faults)


# Several at once


def test_all_faults_of_a_text_are_named_at_once() -> None:
    """Check that every invalid word is reported, not only the first."""
    faults = refused("""
        tiny; weather fine; round two; order 3 2 1; turn 1 sleep;
        seat 1 vp=much | WEA+XXX ALP; seat 2 | BAR+CUR COL; seat 3 | AST+SLA COL; neutral QQQ
    """)
    for fault in (
        "unknown clause 'weather'",
        "round: 'two'",
        "turn: phase 'sleep'",
        "seat 1: vp: 'much'",
        "seat 1: unknown trait XXX",
        "seat 1: 'ALP'",
        "seat 3: COL is held already (seat 2)",
        "neutral: 'QQQ'",
    ):
        assert sum(fault in one for one in faults) == 1
    assert len(faults) == 8


def test_all_contradictions_of_a_position_are_named_at_once() -> None:
    """Check that every contradiction is reported with its seat."""
    faults = refused("""
        tiny; seat 1 | WEA+MIL reserve=20 ARA=3 | MIN GOR; seat 2 | WEA+WEA reserve=2 BOS; seat 3 | AST+SLA;
        neutral DOL; fills 1
    """)
    for fault in (
        "neutral: DOL is a mountain",
        "fills: 1",
        "WEA is used 3 times",
        "seat 1: ARA: 3 pawns",
        "seat 1: 23 pawns",
        "seat 1: MIN: only lasting",
        "seat 2: WEA+WEA: identical",
        "seat 2: reserve=2: nothing is held back",
    ):
        assert sum(fault in one for one in faults) == 1, (fault, faults)
    assert len(faults) == 8


def test_a_bar_needs_no_blanks_around_it() -> None:
    """`dummy|` is a dummy."""
    state = position.read("tiny; seat 1 dummy|WEA+MIL reserve=9 ARA|AGR* HAM; seat 2 | BAR+CUR; seat 3|AST+SLA")
    assert state.options.dummies == (True, False, False)
    declined = state.declined[0]
    assert declined is not None
    assert state.board.codes_of(declined.provinces) == ("HAM",)


def test_every_option_that_is_wrong_is_named() -> None:
    """Not only the first; and the edition can be left out."""
    with pytest.raises(PositionError) as caught:
        position.read("tiny; rules target=abc foo=1 give_up=free deck; seat 1; seat 2; seat 3")
    assert [fault.split(":")[1].split()[0] for fault in caught.value.faults] == ["target=abc", "unknown", "'deck'"]
    assert position.read("tiny; rules target=20; round 0; seat 1; seat 2; seat 3").options.target == 20


def test_a_game_is_over_only_with_its_last_round() -> None:
    """R-END-1, R-END-5, R-FORFEIT-1: the target is reached, no round is left, or one seat is."""
    seats = "seat 1 | WEA+MIL ARA=5; seat 2 | BAR+CUR reserve=5; seat 3 | AST+SLA reserve=4"
    with pytest.raises(PositionError, match="R-END-1"):
        position.read(f"tiny; turn 1 over; {seats}")
    position.read(f"tiny; round 3 reached; turn 1 over; {seats}")
    position.read(f"tiny; rules max_rounds=1; turn 1 over; {seats}")
