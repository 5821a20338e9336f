"""The table before the first turn (R-SETUP)."""

from collections.abc import Sequence

import pytest

from tests.support.rules import act, allowed, at, legal, of_kind, play, provinces, refused, seat
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance, RecordedChance
from vinci_rules.editions import OptionError, options
from vinci_rules.engine import check, new_game
from vinci_rules.events import CivilizationDrawn, CivilizationTaken, Event, OrderDrawn, TurnStarted
from vinci_rules.notation import NotationError
from vinci_rules.state import State
from vinci_rules.traits import TRAIT_BY_CODE, codes_of
from vinci_rules.violations import NotNow

PLAYER, DUMMY = False, True

MARKET = ["AGR#1", "LIV#1", "MIN#1", "POR#1", "CUR#1", "SLA#1", "WEA#1", "SPI#1", "FOR#1", "GAL#1", "GEN#1", "MIL#1"]
"""Twelve draws that fill the market without an identical pair."""

MOUNTAINS = ["SCO", "NOR", "PYR", "MAS", "ALP", "BOH", "CAR", "DAL", "MAC", "URA", "CAU", "TAU"]

KINDS = list(TRAIT_BY_CODE)
DECK = 2 * len(KINDS)

PRINTED = [
    "AGR", "AGR*", "LIV", "LIV*", "MIN", "MIN*", "POR", "POR*", "CUR", "SLA", "WEA", "SPI", "FOR",
    "GAL", "GEN", "MIL", "MOU", "AST", "BAR", "DIP", "HER", "MED", "MES", "REN", "REV", "SPE",
]  # fmt: skip
"""The kinds of the printed game; the data may have more."""

SEATS = "round 0; seat 1; seat 2; seat 3"
DRAFT = f"{SEATS}; market AGR+LIV MIN+POR CUR+SLA SPI+FOR GAL+GEN MIL+MOU"


class RecordingChance:
    """A source of chance that forwards draws to another one and records purpose, key and candidates."""

    def __init__(self) -> None:
        self.questions: list[tuple[str, tuple[int, ...], list[str]]] = []
        self._source = FastChance(0)

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """A random candidate."""
        self.questions.append((purpose, key, list(candidates)))
        return self._source.pick(purpose, key, candidates)


def new(seats: int = 3, picks: Sequence[str] = ("1", *MARKET), board: str = "tiny", **settings: str) -> State:
    """Start a game of players with these draws."""
    return new_game(load_board(board), options((PLAYER,) * seats, **settings), RecordedChance(picks))


def market(state: State) -> list[str]:
    """Return the civilizations in the market, slot I first."""
    return [codes_of(civilization.traits) for civilization in state.market]


def in_deck(state: State, code: str) -> int:
    """Return the number of copies of a trait in the bag and the market."""
    trait = TRAIT_BY_CODE[code]
    return state.bag[trait] + sum(civilization.traits.count(trait) for civilization in state.market)


@pytest.mark.rule("R-SETUP-1")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_every_seat_starts_with_ten_vp(seats: int) -> None:
    """Three to six seats play, and each starts with 10 VP."""
    assert new(seats).vp == [10] * seats


@pytest.mark.rule("R-SETUP-1")
@pytest.mark.parametrize("seats", [0, 1, 2, 7])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    """Fewer than three seats or more than six do not play."""
    with pytest.raises(OptionError):
        options((PLAYER,) * seats)


@pytest.mark.rule("R-SETUP-2")
def test_a_neutral_pawn_lies_on_every_province_but_mountains() -> None:
    """Every province but the two mountains of the small board has one neutral pawn."""
    state = new()
    assert state.board.codes_of(state.neutral) == ("ARA", "BOS", "COL", "ERB", "FEN", "HAM")
    assert state.garrison == [1, 1, 1, 0, 1, 1, 0, 1]


@pytest.mark.rule("R-SETUP-2")
def test_thirty_three_neutral_pawns_lie_on_the_map_of_europe() -> None:
    """Of the 45 provinces of Europe the twelve mountains are empty."""
    state = new(board="europe")
    neutral = state.board.codes_of(state.neutral)
    assert len(neutral) == 33
    assert not set(neutral) & set(MOUNTAINS)
    assert sum(state.garrison) == 33
    assert max(state.garrison) == 1


@pytest.mark.rule("R-SETUP-2")
@pytest.mark.parametrize("sea", ["OCE", "SOU", "LAK"])
def test_seas_are_no_provinces(sea: str) -> None:
    """A sea cannot be conquered, for it is never occupied."""
    state = at("tiny; seat 1 | AST+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | WEA+SLA")
    with pytest.raises(NotationError):
        act(state, f"x {sea}")


@pytest.mark.rule("R-SETUP-2")
@pytest.mark.parametrize("board", ["tiny", "europe"])
def test_there_are_five_terrains(board: str) -> None:
    """Every province is farmland, pasture, hills, forest or mountain, and all of these occur."""
    assert set(load_board(board).terrain) == {"farmland", "pasture", "hills", "forest", "mountain"}


@pytest.mark.rule("R-SETUP-2")
def test_provinces_may_have_a_mine_or_a_port() -> None:
    """Mines and ports come on top of a terrain: hills and a mountain with a mine, two farmlands with a port."""
    board = load_board("tiny")
    assert board.codes_of(board.having["mine"]) == ("COL", "GOR")
    assert board.codes_of(board.having["port"]) == ("ARA", "HAM")


@pytest.mark.rule("R-SETUP-3")
@pytest.mark.parametrize("deck", ["author", "printed"])
def test_the_deck_has_two_traits_for_each_kind(deck: str) -> None:
    """Twelve of 52 traits of 26 kinds lie in the market, the other 40 are in the bag."""
    state = new(deck=deck)
    assert sum(state.bag) == DECK - 12
    assert sum(in_deck(state, code) for code in KINDS) == DECK
    assert set(PRINTED) <= set(KINDS)
    assert sum(in_deck(state, code) for code in PRINTED) == 52


@pytest.mark.rule("R-SETUP-3")
@pytest.mark.parametrize("code", [code for code in KINDS if code not in ("BAR", "SPE")])
@pytest.mark.parametrize("deck", ["author", "printed"])
def test_the_deck_has_two_traits_of_a_kind(deck: str, code: str) -> None:
    """Every kind is there twice, plain and lasting ones each; for Barbarians and Specialization the option decides."""
    assert in_deck(new(deck=deck), code) == 2


@pytest.mark.rule("R-SETUP-3")
@pytest.mark.parametrize(
    ("settings", "barbarians", "specialization"),
    [
        ({}, 3, 1),
        ({"edition": "FR"}, 2, 2),
        ({"edition": "NL"}, 2, 2),
        ({"edition": "DE"}, 2, 2),
        ({"edition": "WEB"}, 3, 1),
        ({"deck": "printed"}, 2, 2),
        ({"edition": "FR", "deck": "author"}, 3, 1),
    ],
)
def test_the_author_replaced_a_specialization(settings: dict[str, str], barbarians: int, specialization: int) -> None:
    """With the author's fix there are three Barbarians and one Specialization, as printed two of each."""
    state = new_game(load_board("tiny"), options((PLAYER,) * 3, **settings), RecordedChance(["1", *MARKET]))
    assert (in_deck(state, "BAR"), in_deck(state, "SPE")) == (barbarians, specialization)


@pytest.mark.rule("R-SETUP-4")
def test_six_civilizations_lie_in_the_market() -> None:
    """Six pairs of traits are drawn for slots I to VI, without markers."""
    state = new()
    assert market(state) == ["AGR+LIV", "MIN+POR", "CUR+SLA", "WEA+SPI", "FOR+GAL", "GEN+MIL"]
    assert [civilization.markers for civilization in state.market] == [0] * 6


@pytest.mark.rule("R-SETUP-4")
def test_traits_are_drawn_from_all_that_the_bag_holds() -> None:
    """The first trait is drawn among all, the second among those that are left."""
    chance = RecordingChance()
    new_game(load_board("tiny"), options((PLAYER,) * 3), chance)
    draws = [(key, candidates) for purpose, key, candidates in chance.questions if purpose == "market"]
    assert draws[0][0] == (0, 0, 0)
    assert len(set(draws[0][1])) == DECK
    assert {"BAR#1", "BAR#2", "BAR#3", "SPE#1", "WEA#1", "WEA#2"} <= set(draws[0][1])
    assert draws[1][0] == (0, 0, 1)
    assert len(set(draws[1][1])) == DECK - 1


@pytest.mark.rule("R-SETUP-4")
@pytest.mark.parametrize("rules", ["standard", "NL", "DE", "FR identical_pair=redraw"])
def test_identical_traits_are_drawn_again_until_they_differ(rules: str) -> None:
    """With `redraw` two Weapons go back, two Diplomacy go back, and Weapons with Astronomy stay."""
    state = at(f"tiny; rules {rules}; {DRAFT}")
    events = play(state, "take 1", chance=RecordedChance(["WEA#1", "WEA#1", "DIP#2", "DIP#1", "WEA#2", "AST#1"]))
    (drawn,) = of_kind(CivilizationDrawn, events)
    assert codes_of(drawn.traits) == "WEA+AST"
    assert [codes_of(pair) for pair in drawn.rejected] == ["WEA+WEA", "DIP+DIP"]
    assert [in_deck(state, code) for code in ("WEA", "DIP", "AST")] == [2, 2, 2]
    assert [state.bag[TRAIT_BY_CODE[code]] for code in ("WEA", "DIP", "AST")] == [1, 2, 1]


@pytest.mark.rule("R-SETUP-4")
def test_two_specialization_go_back_with_redraw() -> None:
    """With `redraw` two Specialization both return to the bag, like any identical pair."""
    state = at(f"tiny; rules standard deck=printed; {DRAFT}")
    play(state, "take 1", chance=RecordedChance(["SPE#1", "SPE#1", "WEA#1", "AST#1"]))
    assert market(state)[5] == "WEA+AST"
    assert state.bag[TRAIT_BY_CODE["SPE"]] == 2


@pytest.mark.rule("R-SETUP-4")
@pytest.mark.parametrize("rules", ["FR", "WEB", "standard identical_pair=keep", "DE identical_pair=keep"])
def test_identical_traits_stay_with_keep(rules: str) -> None:
    """With `keep` two Weapons stay together."""
    state = at(f"tiny; rules {rules}; {DRAFT}")
    (drawn,) = of_kind(CivilizationDrawn, play(state, "take 1", chance=RecordedChance(["WEA#1", "WEA#1"])))
    assert codes_of(drawn.traits) == "WEA+WEA"
    assert drawn.rejected == ()
    assert market(state)[5] == "WEA+WEA"
    assert state.bag[TRAIT_BY_CODE["WEA"]] == 0


@pytest.mark.rule("R-SETUP-4")
@pytest.mark.parametrize("rules", ["FR", "standard identical_pair=keep deck=printed"])
def test_one_of_two_specialization_is_replaced_with_keep(rules: str) -> None:
    """With `keep` one of two Specialization is set aside, another trait takes its place, and it returns to the bag."""
    state = at(f"tiny; rules {rules}; {DRAFT}")
    play(state, "take 1", chance=RecordedChance(["SPE#2", "SPE#1", "WEA#1"]))
    assert sorted(market(state)[5].split("+")) == ["SPE", "WEA"]
    assert state.bag[TRAIT_BY_CODE["SPE"]] == 1
    assert state.bag[TRAIT_BY_CODE["WEA"]] == 1


@pytest.mark.rule("R-SETUP-4")
def test_the_specialization_set_aside_cannot_be_drawn_for_its_own_place() -> None:
    """While one of two Specialization is set aside, it is not among the traits that can replace it."""
    state = at(f"tiny; rules FR; {DRAFT}")
    with pytest.raises(ValueError, match="SPE"):
        play(state, "take 1", chance=RecordedChance(["SPE#1", "SPE#1", "SPE#1"]))


@pytest.mark.rule("R-SETUP-4")
@pytest.mark.parametrize("rules", ["standard", "FR", "NL", "DE", "WEB"])
@pytest.mark.parametrize("name", ["AGR", "LIV", "MIN", "POR"])
def test_lasting_and_plain_traits_of_one_name_are_not_identical(rules: str, name: str) -> None:
    """A plain trait and a lasting one of its name stay together in every edition."""
    state = at(f"tiny; rules {rules}; {SEATS}; market WEA+SPI FOR+GAL GEN+MIL MOU+AST DIP+HER MED+MES")
    play(state, "take 1", chance=RecordedChance([f"{name}#1", f"{name}*#1"]))
    assert market(state)[5] == f"{name}+{name}*"


@pytest.mark.rule("R-SETUP-4")
def test_an_identical_pair_is_drawn_again_in_the_opening_too() -> None:
    """At the setup, too, two identical traits go back and two are drawn again."""
    assert market(new(picks=["1", "AST#1", "AST#1", *MARKET]))[0] == "AGR+LIV"
    assert market(new(picks=["1", "AST#1", "AST#1", *MARKET[:10]], identical_pair="keep"))[0] == "AST+AST"


@pytest.mark.rule("R-SETUP-5")
@pytest.mark.parametrize(
    ("first", "order"),
    [("1", (1, 2, 3, 4)), ("2", (2, 3, 4, 1)), ("3", (3, 4, 1, 2)), ("4", (4, 1, 2, 3))],
)
def test_the_others_follow_the_first_seat_clockwise(first: str, order: tuple[int, ...]) -> None:
    """The first seat is drawn, the others follow in seat order."""
    events: list[Event] = []
    state = new_game(load_board("tiny"), options((PLAYER,) * 4), RecordedChance([first, *MARKET]), events)
    assert state.order == tuple(seat(number) for number in order)
    assert of_kind(OrderDrawn, events) == [OrderDrawn(tuple(seat(number) for number in order))]
    assert state.actor == seat(order[0])


@pytest.mark.rule("R-SETUP-5")
def test_the_first_seat_is_drawn_among_all() -> None:
    """Each seat can be the first."""
    chance = RecordingChance()
    new_game(load_board("tiny"), options((PLAYER,) * 5), chance)
    assert [question for question in chance.questions if question[0] in ("first", "order")] == [
        ("first", (), ["1", "2", "3", "4", "5"])
    ]


@pytest.mark.rule("R-SETUP-5")
@pytest.mark.parametrize(
    "dummies",
    [(PLAYER, DUMMY, DUMMY, DUMMY), (PLAYER, PLAYER, DUMMY, DUMMY), (PLAYER, PLAYER, PLAYER, DUMMY)],
)
def test_with_dummies_the_whole_order_is_drawn(dummies: tuple[bool, ...]) -> None:
    """At a table with dummies the whole order of play is drawn, and the last place needs no draw."""
    state = new_game(load_board("tiny"), options(dummies), RecordedChance(["3", "1", "4", *MARKET]))
    assert state.order == (seat(3), seat(1), seat(4), seat(2))
    assert state.actor == seat(3)
    assert state.options.dummies == dummies


@pytest.mark.rule("R-SETUP-5")
def test_each_place_in_the_order_is_drawn_among_the_seats_left() -> None:
    """With dummies every place is drawn among the seats that have none yet."""
    chance = RecordingChance()
    new_game(load_board("tiny"), options((PLAYER, DUMMY, DUMMY, DUMMY)), chance)
    places = [(key, len(candidates)) for purpose, key, candidates in chance.questions if purpose == "order"]
    assert places == [((0,), 4), ((1,), 3), ((2,), 2)]
    assert all(purpose != "first" for purpose, _, _ in chance.questions)


@pytest.mark.rule("R-SETUP-5")
def test_turns_follow_the_order_of_play() -> None:
    """With the order 3 1 2, seat 1 plays after seat 3 and seat 2 after seat 1."""
    state = at(
        "tiny; order 3 1 2; turn 3 start;"
        "seat 1 | MIL+GAL ARA=3; seat 2 | BAR+CUR HAM=3; seat 3 | AST+SLA reserve=3 COL; neutral -"
    )
    events = play(state, "hold COL=4", "hold ARA=3", "hold HAM=3")
    assert [(event.seat, event.round) for event in of_kind(TurnStarted, events)] == [
        (seat(1), 1),
        (seat(2), 1),
        (seat(3), 2),
    ]


@pytest.mark.rule("R-SETUP-5", "R-SETUP-6")
def test_every_seat_chooses_before_the_first_turn() -> None:
    """All seats choose a civilization in the order of play, then the first one starts round 1."""
    state = new(picks=["2", *MARKET])
    assert (state.round, state.phase) == (0, "draft")
    events = play(state, "take 1", "take 1")
    assert [event.seat for event in of_kind(CivilizationTaken, events)] == [seat(2), seat(3)]
    assert of_kind(TurnStarted, events) == []
    assert (state.actor, state.round, state.phase) == (seat(1), 0, "draft")
    events = play(state, "take 1")
    assert [event.seat for event in of_kind(CivilizationTaken, events)] == [seat(1)]
    assert [(event.seat, event.round) for event in of_kind(TurnStarted, events)] == [(seat(2), 1)]
    assert (state.actor, state.round, state.phase) == (seat(2), 1, "start")


@pytest.mark.rule("R-SETUP-6")
@pytest.mark.parametrize("action", ["decline", "peace 2", "abandon ARA", "x ARA", "hold", "stay", "redeploy ARA=1"])
def test_only_a_choice_is_legal_before_the_first_turn(action: str) -> None:
    """In the opening draft a seat takes a civilization and does nothing else."""
    state = new()
    assert refused(state, action) == NotNow("draft", ("take",))
    assert legal(state) == ["take 1", "take 2", "take 3", "take 4", "take 5", "take 6"]


@pytest.mark.rule("R-SETUP-6")
def test_a_turn_does_not_begin_with_another_choice() -> None:
    """Once every seat has chosen, no civilization is taken without a decline."""
    state = new()
    play(state, "take 1", "take 1", "take 1")
    assert isinstance(check(state, act(state, "take 1")), NotNow)
    assert allowed(state, "x ARA")
    assert provinces(state, state.active[0]) == set()


@pytest.mark.rule("R-SETUP-6", "R-DRAFT-4")
@pytest.mark.parametrize(("seats", "target", "extra"), [(3, 150, 8), (4, 120, 6), (5, 100, 4), (6, 100, 3)])
def test_the_number_of_seats_sets_the_target_and_the_extra_pawns(seats: int, target: int, extra: int) -> None:
    """The target is 150, 120, 100, 100 VP for 3 to 6 seats, and a civilization gets 8, 6, 4, 3 extra pawns."""
    state = new(seats)
    assert state.options.target == target
    (taken,) = of_kind(CivilizationTaken, play(state, "take 1"))
    assert taken.pawns == 2 + 2 + extra
