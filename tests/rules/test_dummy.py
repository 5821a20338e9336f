"""Dummies: what they take, conquer, hold, build and give up (R-DUMMY)."""

from collections.abc import Sequence

import pytest

from tests.support.rules import allowed, at, cost, legal, of_kind, play, seat
from vinci_rules import dummy, notation
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import options
from vinci_rules.engine import apply, new_game
from vinci_rules.events import CivilizationTaken, Event, OrderDrawn, Reorganised, TurnStarted
from vinci_rules.state import State

SIX = ("1", "2", "3", "4", "5", "6")
OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"


class ScriptedChance:
    """A source of chance that returns given picks and records requests; draws of traits are left out."""

    def __init__(self, *picks: str) -> None:
        self.left = list(picks)
        self.asked: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = []

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        """The next pick, which must be a candidate."""
        if purpose == "market":
            return FairChance("market").pick(purpose, key, candidates)
        self.asked.append((purpose, key, tuple(candidates)))
        assert self.left, f"asked for {self.asked[-1]}, which the script does not expect"
        assert self.left[0] in candidates, f"{self.left[0]} is no candidate of {self.asked[-1]}"
        return self.left.pop(0)


def chosen(state: State, chance: ScriptedChance) -> str:
    """Return the action of the dummy as text; it must be legal and use every pick of the script."""
    text = notation.write(dummy.choose(state, chance), state.board)
    assert allowed(state, text)
    assert chance.left == []
    return text


def does(text: str, *picks: str) -> str:
    """Return the action of the dummy to act in a position with exactly these picks."""
    chance = ScriptedChance(*picks)
    return chosen(at(text), chance)


def asks(text: str, *picks: str) -> list[tuple[str, tuple[int, ...], tuple[str, ...]]]:
    """Return the draws that the dummy to act asks for in a position."""
    chance = ScriptedChance(*picks)
    chosen(at(text), chance)
    return chance.asked


# R-DUMMY-1: the table


@pytest.mark.rule("R-DUMMY-1")
@pytest.mark.parametrize("players", [1, 2])
def test_solo_and_two_players_sit_at_a_table_of_four_to_150(players: int) -> None:
    """One person with three dummies, or two with two, play to 150 VP; 6 extra pawns for them, 8 for dummies."""
    settled = options((False,) * players + (True,) * (4 - players))
    assert settled.target == 150
    assert settled.extra_pawns == (6,) * players + (8,) * (4 - players)


@pytest.mark.rule("R-DUMMY-1")
@pytest.mark.parametrize(("seats", "target", "extra"), [(3, 150, 8), (4, 120, 6), (5, 100, 4), (6, 100, 3)])
def test_dummy_at_another_table_gets_two_extra_pawns(seats: int, target: int, extra: int) -> None:
    """With one dummy among players the table keeps its target, and only the dummy gets 2 pawns more."""
    settled = options((False,) * (seats - 1) + (True,))
    assert settled.target == target
    assert settled.extra_pawns == (extra,) * (seats - 1) + (extra + 2,)


@pytest.mark.rule("R-DUMMY-1", "R-SETUP-5")
def test_the_whole_order_is_drawn_at_a_table_with_dummies() -> None:
    """Every place is drawn among the seats that have none yet; the last seat takes the last place."""
    log: list[Event] = []
    chance = ScriptedChance("3", "1", "4")
    state = new_game(load_board("tiny"), options((False, True, True, True)), chance, log)
    assert state.order == (seat(3), seat(1), seat(4), seat(2))
    assert log[0] == OrderDrawn((seat(3), seat(1), seat(4), seat(2)))
    assert chance.asked == [
        ("order", (0,), ("1", "2", "3", "4")),
        ("order", (1,), ("1", "2", "4")),
        ("order", (2,), ("2", "4")),
    ]


@pytest.mark.rule("R-DUMMY-1", "R-SETUP-5")
def test_without_dummies_only_the_first_seat_is_drawn() -> None:
    """At a table of players the others follow the first seat clockwise."""
    chance = ScriptedChance("3")
    state = new_game(load_board("tiny"), options((False,) * 4), chance)
    assert state.order == (seat(3), seat(4), seat(1), seat(2))
    assert chance.asked == [("first", (), ("1", "2", "3", "4"))]


@pytest.mark.rule("R-DUMMY-1", "R-DRAFT-4")
def test_a_dummys_civilization_gets_eight_extra_pawns_and_a_players_six() -> None:
    """The extra pawns go by who sits there, not by the table alone."""
    market = "market BAR+MOU BAR+DIP AST+WEA MED+LIV REV+GAL MIN+POR"
    state = at(f"tiny; round 0; order 2 1 3 4; turn 2; seat 1; seat 2 dummy; seat 3 dummy; seat 4 dummy; {market}")
    taken = of_kind(CivilizationTaken, play(state, "take 1", "take 1"))
    assert [(event.seat, event.pawns) for event in taken] == [(seat(2), 6 + 4 + 8), (seat(1), 6 + 4 + 6)]


# R-DUMMY-7: harder


@pytest.mark.rule("R-DUMMY-7")
def test_harder_dummies_start_with_more_vp_and_get_more_pawns() -> None:
    """The options change dummies only."""
    dummies = (False, True, True, True)
    assert new_game(load_board("tiny"), options(dummies), FairChance("1")).vp == [10, 10, 10, 10]
    harder = options(dummies, dummy_start_vp=15, dummy_extra_pawns=9)
    assert new_game(load_board("tiny"), harder, FairChance("1")).vp == [10, 15, 15, 15]
    assert harder.extra_pawns == (6, 9, 9, 9)
    taken = of_kind(
        CivilizationTaken,
        play(
            at(
                "tiny; rules standard dummy_extra_pawns=12; round 0; seat 1 dummy; seat 2; seat 3;"
                "market BAR+MOU BAR+DIP AST+WEA MED+LIV REV+GAL MIN+POR"
            ),
            "take 1",
            "take 1",
        ),
    )
    assert [event.pawns for event in taken] == [6 + 4 + 12, 6 + 4 + 8]


# R-DUMMY-2: slot I, no abandoning, no cohesion


@pytest.mark.rule("R-DUMMY-2")
def test_a_dummy_takes_slot_one_with_its_markers() -> None:
    """A dummy takes the first civilization and the VP on it."""
    market = "market CUR+SLA:3 BAR+MOU:5 AST+WEA MED+LIV REV+GAL MIN+POR"
    text = f"tiny; round 0; seat 1 dummy; seat 2; seat 3; {market}"
    assert does(text) == "take 1"
    state = at(text)
    play(state, "take 1")
    assert state.vp[0] == 10 + 6


@pytest.mark.rule("R-DUMMY-2")
def test_a_dummy_takes_slot_one_after_a_decline_too() -> None:
    """The choice after a decline is the same."""
    assert does(f"tiny; round 5; turn 1 draft; seat 1 dummy vp=50 | - | - ARA; {OTHERS}") == "take 1"


@pytest.mark.rule("R-DUMMY-2")
def test_a_dummy_ignores_cohesion() -> None:
    """It keeps provinces that are not connected, even where players would lose the pawns of the other part."""
    text = f"tiny; rules NL; turn 1 conquer; seat 1 dummy | BAR+MED FEN=3 GOR=2; {OTHERS}"
    state = at(text)
    assert does(text) == "hold FEN=3 GOR=2"
    (event,) = of_kind(Reorganised, play(state, "hold FEN=3 GOR=2"))
    assert (event.given_up, event.lost) == (0, 0)


@pytest.mark.rule("R-DUMMY-2", "R-REORG-2")
def test_cohesion_binds_a_player_in_the_same_place() -> None:
    """The exemption is the dummy's alone."""
    assert not allowed(at(f"tiny; turn 1 conquer; seat 1 | BAR+MED FEN=3 GOR=2; {OTHERS}"), "hold FEN=3 GOR=2")


@pytest.mark.rule("R-DUMMY-2", "R-DUMMY-3", "R-DUMMY-4")
@pytest.mark.parametrize("edition", ["standard", "NL", "DE"])
def test_dummies_play_whole_games_by_themselves(edition: str) -> None:
    """Four dummies reach the end; each takes slot I only, never abandons, and each action is legal."""
    chance = FairChance(f"dummies-{edition}")
    state = new_game(load_board("europe"), options((True,) * 4, edition), chance)
    while state.phase != "over":
        action = dummy.choose(state, chance)
        words = notation.write(action, state.board).split()
        assert words[0] != "abandon"
        assert words[0] != "take" or words[1] == "1"
        apply(state, action, chance)
    assert max(state.vp) >= 120


# R-DUMMY-3: conquests. In phase `conquer` no decline is considered.


def conquering(empire: str, *clauses: str, rules: str = "standard", turn: str = "") -> str:
    """Return a position in which a dummy, seat 1, is in the middle of its conquests."""
    return "; ".join(
        ["tiny", f"rules {rules}", f"round 2; turn 1 conquer {turn}", f"seat 1 dummy | {empire}", *clauses]
    )


@pytest.mark.rule("R-DUMMY-3")
def test_the_most_valuable_province_is_taken_first() -> None:
    """A mine worth 3 VP comes before cheaper provinces worth 1."""
    assert does(conquering("BAR+MIN reserve=9 ARA", OTHERS, "neutral COL")) == "x COL"


@pytest.mark.rule("R-DUMMY-3")
def test_only_affordable_provinces_count() -> None:
    """A mine behind six pawns is not taken with seven, but with eight."""
    others = ["seat 2 | BAR+CUR COL=6", "seat 3 | AST+SLA", "neutral BOS"]
    assert does(conquering("BAR+MIN reserve=7 ARA", *others)) == "x FEN"
    assert does(conquering("BAR+MIN reserve=8 ARA", *others)) == "x COL"


@pytest.mark.rule("R-DUMMY-3")
def test_among_equal_values_the_cheapest_is_taken() -> None:
    """Of three provinces worth 1, the empty fen costs least."""
    assert does(conquering("BAR+MED reserve=9 ARA", OTHERS, "neutral BOS COL")) == "x FEN"


@pytest.mark.rule("R-DUMMY-3")
@pytest.mark.parametrize("code", ["COL", "FEN"])
def test_among_equally_cheap_ones_chance_decides(code: str) -> None:
    """The draw names round, seat and provinces held, and only the provinces that tie."""
    text = conquering("BAR+MED reserve=9 ARA", OTHERS, "neutral BOS COL FEN")
    assert does(text, code) == f"x {code}"
    assert asks(text, code) == [("conquest", (2, 1, 1), ("COL", "FEN"))]


@pytest.mark.rule("R-DUMMY-3")
def test_the_first_conquest_is_chosen_in_the_same_way() -> None:
    """An empire without land enters where the value is greatest, then the cost smallest."""
    start = "tiny; round 2; turn 1 start; seat 1 dummy | {} reserve=9; " + OTHERS
    assert does(start.format("BAR+MIN")) == "x GOR"
    assert does(start.format("BAR+LIV")) == "x FEN"
    assert asks(start.format("BAR+MED"), "FEN") == [("conquest", (2, 1, 0), ("ARA", "FEN"))]


@pytest.mark.rule("R-DUMMY-3")
def test_slavery_makes_a_province_with_a_pawn_more_valuable() -> None:
    """A neutral pawn is worth 1 VP more than an empty and cheaper province."""
    assert does(conquering("BAR+SLA reserve=9 ARA", OTHERS, "neutral FEN")) == "x FEN"
    assert does(conquering("BAR+MED reserve=9 ARA", OTHERS, "neutral FEN")) == "x COL"


@pytest.mark.rule("R-DUMMY-3")
def test_slavery_counts_one_pawn_however_many_defend() -> None:
    """Only the pawn that dies is paid: three defenders do not outweigh a mine."""
    others = ["seat 2 | BAR+CUR FEN=3", "seat 3 | AST+HER", "neutral -"]
    assert does(conquering("MIN+SLA reserve=9 ARA", *others)) == "x COL"


@pytest.mark.rule("R-DUMMY-3")
@pytest.mark.parametrize(("traits", "action"), [("BAR+SLA", "x ERB"), ("SLA+SPE", "x DOL")])
def test_slavery_counts_for_each_copy(traits: str, action: str) -> None:
    """A defended mountain is worth 1 with one Slavery, like an empty pasture, and 2 with two."""
    others = ["seat 2 | BAR+CUR DOL", "seat 3 | AST+HER", "neutral -"]
    assert does(conquering(f"{traits} reserve=9 ARA BOS COL FEN", *others)) == action


@pytest.mark.rule("R-DUMMY-3", "R-CONTACT-1")
@pytest.mark.parametrize(
    ("declined", "neutral", "action"),
    [
        ("- ERB", "COL", "x COL"),
        ("LIV*+SPE ERB", "COL", "x FEN"),
        ("LIV* ERB HAM", "FEN", "x COL"),
        ("- DOL", "FEN", "x COL"),
    ],
    ids=["3 - 1 is more than 1", "3 - 3 is less than 1", "3 - 2 is 1 and cheaper", "a declined mountain is worth 0"],
)
def test_loss_of_the_own_decline_by_contact_is_subtracted(declined: str, neutral: str, action: str) -> None:
    """Collis, worth 3 with its mine, would empty the declined provinces next to it, bonuses included."""
    assert does(conquering(f"BAR+MIN reserve=9 ARA | {declined}", OTHERS, f"neutral BOS {neutral}")) == action


@pytest.mark.rule("R-DUMMY-3", "R-CONTACT-3")
def test_heritage_has_no_loss_by_contact() -> None:
    """The mine keeps its whole value next to the own decline."""
    assert does(conquering("HER+MIN reserve=9 ARA | LIV*+SPE ERB", OTHERS, "neutral BOS COL")) == "x COL"


@pytest.mark.rule("R-DUMMY-3", "R-CONTACT-2")
def test_forbidden_provinces_are_not_considered() -> None:
    """A dummy conquers elsewhere if contact is forbidden."""
    text = conquering("BAR+MIN reserve=9 ARA | - ERB", OTHERS, "neutral BOS COL FEN", rules="NL")
    assert does(text) == "x FEN"


@pytest.mark.rule("R-DUMMY-3")
def test_province_worth_zero_is_conquered_last() -> None:
    """An empty mountain waits for a dearer province worth 1, and is taken when nothing else is affordable."""
    held = "BAR+MED reserve={} ARA BOS FEN"
    assert does(conquering(held.format(5), "seat 2 | BAR+CUR COL=3", "seat 3 | AST+SLA")) == "x COL"
    assert does(conquering(held.format(4), "seat 2 | BAR+CUR COL=3", "seat 3 | AST+SLA")) == "x DOL"


@pytest.mark.rule("R-DUMMY-3")
def test_province_of_negative_value_is_conquered_too() -> None:
    """A province that empties a declined one worth 2 waits for a dearer mountain, and is taken after it."""
    held = "BAR+MED reserve={} ERB HAM | AGR* ARA"
    others = ["seat 2 | BAR+CUR GOR=9", "seat 3 | AST+SLA", "neutral -"]
    assert does(conquering(held.format(3), *others)) == "x DOL"
    assert does(conquering(held.format(2), *others)) == "x COL"


@pytest.mark.rule("R-DUMMY-3")
def test_conquests_end_when_no_province_is_affordable() -> None:
    """Two pawns do not take a defended pasture."""
    assert does(conquering("BAR+MED reserve=2 FEN", OTHERS)) == "hold FEN=3"
    assert does(conquering("BAR+MED reserve=3 FEN", OTHERS)) == "x ARA"


@pytest.mark.rule("R-DUMMY-3", "R-ENTRY-4")
def test_dummy_without_affordable_entry_waits() -> None:
    """Without land and without an affordable entry the pawns stay in reserve."""
    others = ["seat 2 | BAR+CUR ARA=7 GOR=7", "seat 3 | AST+SLA FEN=8"]
    assert does("; ".join(["tiny", "turn 1 start", "seat 1 dummy | BAR+MED reserve=7", *others])) == "hold"


@pytest.mark.rule("R-DUMMY-3")
def test_conquests_end_when_the_reserve_is_empty() -> None:
    """A conquest of cost 0 is made with a pawn in reserve and not without one."""
    others = ["seat 2 | BAR+CUR ARA BOS", "seat 3 | AST+SLA ERB=2 GOR", "neutral -"]
    assert does(conquering("WEA+SPE reserve=1 DOL", *others)) == "x COL"
    state = at(conquering("WEA+SPE DOL=2", *others))
    assert "x COL" in legal(state)
    assert does(conquering("WEA+SPE DOL=2", *others)) == "hold DOL=2"


@pytest.mark.rule("R-DUMMY-3")
def test_random_tie_does_not_look_at_the_owner() -> None:
    """By default a player's and a dummy's province tie."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 dummy | AST+SLA COL", "neutral BOS"]
    assert asks(conquering("BAR+MED reserve=9 ARA", *others), "COL")[0][2] == ("COL", "FEN")


@pytest.mark.rule("R-DUMMY-3")
@pytest.mark.parametrize(
    "others",
    [
        ["seat 2 | BAR+CUR FEN", "seat 3 dummy | AST+SLA COL", "neutral BOS"],
        ["seat 2 | BAR+CUR FEN", "seat 3 dummy | AST+SLA", "neutral BOS COL"],
        ["seat 2 | BAR+CUR GOR | - FEN", "seat 3 dummy | AST+SLA COL", "neutral BOS"],
    ],
    ids=["before a dummy's", "before a neutral one", "in decline too"],
)
def test_tie_option_prefers_a_real_players_province(others: list[str]) -> None:
    """With `dummy_tie = real_player` a tie after cost goes to the real player's province."""
    assert does(conquering("BAR+MED reserve=9 ARA", *others, rules="standard dummy_tie=real_player")) == "x FEN"


@pytest.mark.rule("R-DUMMY-3")
def test_tie_option_settles_ties_only() -> None:
    """A dearer province of a real player is not preferred; two of them are left to chance."""
    rules = "standard dummy_tie=real_player"
    others = ["seat 2 | BAR+CUR FEN=2", "seat 3 dummy | AST+SLA COL", "neutral BOS"]
    assert does(conquering("BAR+MED reserve=9 ARA", *others, rules=rules)) == "x COL"
    others = ["seat 2 | BAR+CUR FEN", "seat 3 | AST+SLA COL", "neutral BOS"]
    assert does(conquering("BAR+MED reserve=9 ARA", *others, rules=rules), "COL") == "x COL"


@pytest.mark.rule("R-DUMMY-3")
@pytest.mark.parametrize(("preference", "action"), [("value", "x ARA"), ("formula", "x DOL")])
def test_formula_weighs_cost_against_value(preference: str, action: str) -> None:
    """An empty mountain, 3 - 2x0, comes before a farmland worth 2 behind six pawns, 8 - 2x2."""
    others = ["seat 2 | BAR+CUR ARA=6", "seat 3 | AST+SLA ERB=5", "neutral -"]
    text = conquering("AGR+BAR reserve=9 BOS COL", *others, rules=f"standard dummy_preference={preference}")
    assert does(text) == action


@pytest.mark.rule("R-DUMMY-3")
def test_formula_then_takes_the_cheapest_then_a_random_one() -> None:
    """6 - 2x2 equals 4 - 2x1: the one that costs 4 is taken, of two such ones a random one."""
    rules = "standard dummy_preference=formula"
    others = ["seat 2 | BAR+CUR ARA=4", "seat 3 | AST+SLA ERB=9", "neutral BOS"]
    assert does(conquering("AGR+BAR reserve=9 COL", *others, rules=rules)) == "x BOS"
    others = ["seat 2 | BAR+CUR ARA=4 ERB=2", "seat 3 | AST+SLA", "neutral BOS"]
    text = conquering("AGR+BAR reserve=9 COL", *others, rules=rules)
    assert asks(text, "ERB") == [("conquest", (2, 1, 1), ("BOS", "ERB"))]


# R-DUMMY-4: reorganisation and redeployment. With an empty reserve a dummy ends its conquests.


@pytest.mark.rule("R-DUMMY-4")
def test_pawns_are_spread_for_an_even_defence() -> None:
    """Two plains and a forest: three pawns on each plain and two in the forest cost an attacker 5 everywhere."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MED ARA=6 BOS COL", *others)) == "hold ARA=3 BOS=2 COL=3"


@pytest.mark.rule("R-DUMMY-4")
def test_the_reserve_is_spread_too() -> None:
    """Pawns left without an affordable conquest defend the empire."""
    others = ["seat 2 | BAR+CUR DOL=4 ERB=5 FEN=5", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MED reserve=5 ARA BOS COL", *others)) == "hold ARA=3 BOS=2 COL=3"


@pytest.mark.rule("R-DUMMY-4")
def test_an_old_fort_counts_as_a_pawn() -> None:
    """A plain with a fort gets as many pawns as a forest without one."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MED ARA=5^ BOS COL", *others)) == "hold ARA=2 BOS=2 COL=3"


@pytest.mark.rule("R-DUMMY-4", "R-DUMMY-6")
def test_a_fort_of_this_turn_does_not_count() -> None:
    """Pawns are spread as if no fort was built."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 | AST+SLA GOR", "neutral -"]
    assert does(conquering("BAR+FOR ARA=6 BOS COL", *others)) == "hold ARA=3 BOS=2 COL=3 fort ARA"


@pytest.mark.rule("R-DUMMY-4")
def test_militia_is_the_same_everywhere() -> None:
    """Militia makes all provinces of the empire dearer, so nothing changes."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MIL ARA=6 BOS COL", *others)) == "hold ARA=3 BOS=2 COL=3"


@pytest.mark.rule("R-DUMMY-4")
def test_among_equals_a_front_province_comes_first() -> None:
    """The last pawn goes next to an enemy active empire."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MED ARA=4 BOS COL", *others)) == "hold ARA=3 BOS=1 COL=2"
    others = ["seat 2 | BAR+CUR ERB", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MED ARA=4 BOS COL", *others)) == "hold ARA=2 BOS=1 COL=3"


@pytest.mark.rule("R-DUMMY-4")
def test_a_declined_or_neutral_neighbour_is_no_front() -> None:
    """Only active empires make a front; without one chance decides among equals."""
    others = ["seat 2 | BAR+CUR HAM | - FEN", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MED ARA=4 BOS COL", *others), "BOS") == "hold ARA=2 BOS=2 COL=2"


@pytest.mark.rule("R-DUMMY-4")
def test_an_announced_civilization_makes_entries_come_first() -> None:
    """While a seat holds a civilization without land the last pawn goes to an entry, not to the front."""
    others = ["seat 2 | BAR+CUR ERB", "seat 3 | AST+SLA reserve=15"]
    assert does(conquering("BAR+MED ARA=4 BOS COL", *others)) == "hold ARA=3 BOS=1 COL=2"


@pytest.mark.rule("R-DUMMY-4", "R-ENTRY-1")
def test_a_province_on_the_edge_is_an_entry_too() -> None:
    """R-ENTRY-1 opens the edge of the board as well as the sea."""
    others = ["seat 2 | BAR+CUR ERB", "seat 3 | AST+SLA reserve=15"]
    assert does(conquering("BAR+MED DOL=2 GOR=1", *others)) == "hold DOL=1 GOR=2"


@pytest.mark.rule("R-DUMMY-4")
def test_then_the_most_valuable_comes_first() -> None:
    """Among equals without a front the mine gets the last pawn; a front comes before value."""
    others = ["seat 2 | BAR+CUR HAM", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MIN ARA=4 BOS COL", *others)) == "hold ARA=2 BOS=1 COL=3"
    others = ["seat 2 | BAR+CUR FEN", "seat 3 | AST+SLA GOR"]
    assert does(conquering("BAR+MIN ARA=4 BOS COL", *others)) == "hold ARA=3 BOS=1 COL=2"


@pytest.mark.rule("R-DUMMY-4")
def test_then_chance_decides() -> None:
    """Two last pawns for three equal provinces are drawn one after the other."""
    others = ["seat 2 | BAR+CUR HAM", "seat 3 | AST+SLA GOR"]
    text = conquering("BAR+MED ARA=5 BOS COL", *others)
    assert does(text, "COL", "ARA") == "hold ARA=3 BOS=1 COL=3"
    assert asks(text, "COL", "ARA") == [
        ("defence", (2, 1, 0), ("ARA", "BOS", "COL")),
        ("defence", (2, 1, 1), ("ARA", "BOS")),
    ]


@pytest.mark.rule("R-DUMMY-4")
def test_the_order_of_equals_matters_only_for_the_last_pawns() -> None:
    """After the preferred provinces, the remaining pawns are drawn; the key counts on from there."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 | AST+SLA GOR"]
    text = conquering("BAR+MED ARA=5 BOS COL", *others)
    assert does(text, "BOS") == "hold ARA=3 BOS=2 COL=2"
    assert asks(text, "BOS") == [("defence", (2, 1, 1), ("BOS", "COL"))]


@pytest.mark.rule("R-DUMMY-4")
def test_with_fewer_pawns_than_provinces_the_most_valuable_are_kept() -> None:
    """Two pawns are left by General: one for the mine, one for the forest, which costs an attacker most."""
    assert does(conquering("GEN+MIN ARA=4 BOS=3 COL=2", OTHERS)) == "hold BOS=1 COL=1"


@pytest.mark.rule("R-DUMMY-4")
def test_a_fort_makes_a_province_cheaper_to_hold() -> None:
    """Among equally valuable ones, the one where an attack costs most is kept: here the fortified one."""
    assert does(conquering("GEN+MIN ARA=4 COL=3 FEN=2^", OTHERS)) == "hold COL=1 FEN=1"


@pytest.mark.rule("R-DUMMY-4")
def test_equal_provinces_to_keep_are_drawn() -> None:
    """The draw names round, seat and the provinces kept before."""
    text = conquering("GEN+MIN ARA=4 COL=3 FEN=2", OTHERS)
    assert does(text, "ARA") == "hold ARA=1 COL=1"
    assert asks(text, "ARA") == [("keep", (2, 1, 1), ("ARA", "FEN"))]


@pytest.mark.rule("R-DUMMY-4", "R-REORG-3")
def test_all_provinces_are_kept_where_giving_up_is_free() -> None:
    """One pawn each comes first, even where fewer provinces might be kept."""
    text = conquering("BAR+MED ARA=1 BOS=1 COL=1", OTHERS, rules="NL")
    assert does(text) == "hold ARA=1 BOS=1 COL=1"


@pytest.mark.rule("R-DUMMY-4")
def test_no_province_is_kept_without_a_pawn() -> None:
    """The dummy holds nothing if all of its pawns came from General."""
    assert does(conquering("GEN+MED ARA=4 BOS=3", OTHERS)) == "hold"


@pytest.mark.rule("R-DUMMY-4", "R-REDEP-1")
def test_survivors_are_redeployed_by_the_same_rule() -> None:
    """Garrisons stay, and survivors go where an attack is cheapest."""
    seats = "seat 1 | BAR+CUR HAM; seat 2 dummy survivors={} | BAR+MED ARA=3 BOS=1 COL=1; seat 3 | AST+SLA GOR"
    text = "tiny; round 3; turn 1 redeploy=2; " + seats
    assert does(text.format(1)) == "redeploy COL=1"
    assert does(text.format(3)) == "redeploy BOS=1 COL=2"
    assert does(text.format(2), "BOS") == "redeploy BOS=1 COL=1"
    assert asks(text.format(2), "BOS") == [("redeploy", (3, 1, 2, 0), ("BOS", "COL"))]


@pytest.mark.rule("R-DUMMY-4", "R-REDEP-1")
def test_survivors_prefer_entries_and_the_front_too() -> None:
    """Among equals the announced civilization, or the front, decides in a redeployment as well."""
    text = "tiny; turn 1 redeploy=2; seat 1 | BAR+CUR {}; seat 2 dummy survivors=1 | BAR+MED ARA=1 COL=1; seat 3 | {}"
    assert does(text.format("FEN", "AST+SLA GOR")) == "redeploy ARA=1"
    assert does(text.format("ERB", "AST+SLA GOR")) == "redeploy COL=1"
    assert does(text.format("ERB", "AST+SLA reserve=4")) == "redeploy ARA=1"


# R-DUMMY-5: decline


def starting(empire: str, *clauses: str, rules: str = "standard") -> str:
    """Return a position with a dummy, seat 1, at the start of its turn in round 4, without an affordable neighbour of Fen."""
    others = clauses or ("seat 2 | BAR+CUR ARA=7", "seat 3 | AST+SLA")
    return "; ".join(["tiny", f"rules {rules}", "round 4; turn 1 start", f"seat 1 dummy | {empire}", *others])


@pytest.mark.rule("R-DUMMY-5")
@pytest.mark.parametrize("free", range(6))
@pytest.mark.parametrize("roll", range(1, 7))
def test_a_poor_empire_declines_if_the_roll_exceeds_its_free_pawns(free: int, roll: int) -> None:
    """With 0 to 5 pawns in reserve and less than 10 VP it rolls a die."""
    text = starting(f"BAR+MED reserve={free} FEN")
    assert does(text, str(roll)) == ("decline" if roll > free else f"hold FEN={1 + free}")
    assert asks(text, str(roll)) == [("die", (4, 1), SIX)]


@pytest.mark.rule("R-DUMMY-5")
def test_with_six_free_pawns_no_die_is_rolled() -> None:
    """More than 5 free pawns rule a decline out."""
    assert does(starting("BAR+MED reserve=6 FEN")) == "hold FEN=7"


@pytest.mark.rule("R-DUMMY-5")
def test_an_empire_worth_ten_does_not_decline() -> None:
    """With 9 VP a die is rolled, with 10 not."""
    assert does(starting("MIN+MIN* COL GOR", OTHERS), "1") == "decline"
    assert does(starting("MIN+MIN* BOS COL GOR", OTHERS)) == "hold BOS=1 COL=1 GOR=1"


@pytest.mark.rule("R-DUMMY-5")
def test_the_declined_empire_does_not_count() -> None:
    """Only what the active empire would score is weighed, however good the decline is."""
    text = starting("BAR+MED FEN | MIN*+SPE COL GOR ERB", "seat 2 | BAR+CUR ARA=7", "seat 3 | AST+SLA")
    assert does(text, "1") == "decline"


@pytest.mark.rule("R-DUMMY-5", "R-MOB-1", "R-MOB-4")
@pytest.mark.parametrize(("roll", "words"), [("3", "hold"), ("4", "decline")])
def test_free_pawns_are_counted_after_mobilisation_with_medicine(roll: str, words: str) -> None:
    """Three pawns in a province mean two free ones, and Medicine makes it three."""
    seats = "seat 1 dummy | BAR+MED FEN=3; seat 2 | BAR+CUR ARA=7; seat 3 | AST+SLA HAM"
    state = at(f"tiny; round 4; turn 3 conquer; {seats}")
    (event,) = of_kind(TurnStarted, play(state, "hold HAM=1"))
    assert (event.seat, event.reserve) == (seat(1), 3)
    assert chosen(state, ScriptedChance(roll)).split()[0] == words


@pytest.mark.rule("R-DUMMY-5")
@pytest.mark.parametrize(
    ("free", "roll", "declines"),
    [(0, 2, False), (0, 3, True), (1, 3, False), (1, 4, True), (2, 4, False), (2, 5, True)],
)
def test_general_takes_two_off_the_roll(free: int, roll: int, declines: bool) -> None:
    """General's seven pawns are not free, and 2 is taken off the roll."""
    text = starting(f"GEN+BAR reserve={7 + free} FEN", "seat 2 | BAR+CUR ARA=9", "seat 3 | AST+SLA")
    assert does(text, str(roll)) == ("decline" if declines else f"hold FEN={1 + free}")


@pytest.mark.rule("R-DUMMY-5")
def test_general_considers_a_decline_only_with_fewer_than_three_free() -> None:
    """With three free pawns no die is rolled."""
    text = starting("GEN+BAR reserve=10 FEN", "seat 2 | BAR+CUR ARA=9", "seat 3 | AST+SLA")
    assert does(text) == "hold FEN=4"


@pytest.mark.rule("R-DUMMY-5")
def test_two_generals_take_two_off_once() -> None:
    """With two copies fourteen pawns are not free, but only 2 is taken off the roll."""
    text = starting("GEN+SPE reserve=16 FEN", "seat 2 | BAR+MED ARA=17", "seat 3 | AST+SLA")
    assert does(text, "5") == "decline"
    assert does(text, "4") == "hold FEN=3"


@pytest.mark.rule("R-DUMMY-5")
def test_renaissance_rolls_no_die_at_the_start() -> None:
    """Its decline is considered at the end of the turn instead."""
    assert does(starting("BAR+REN FEN")) == "hold FEN=1"


def reborn(empire: str, *clauses: str) -> str:
    """Return a position with a dummy with Renaissance, seat 1, at the end of its turn in round 4."""
    others = clauses or (OTHERS,)
    return "; ".join(["tiny; round 4; turn 1 renaissance", f"seat 1 dummy | {empire}", *others])


@pytest.mark.rule("R-DUMMY-5", "R-DECL-1")
@pytest.mark.parametrize(("free", "roll", "action"), [(0, 1, "decline"), (3, 4, "decline"), (3, 3, "stay")])
def test_renaissance_rolls_the_die_at_the_end(free: int, roll: int, action: str) -> None:
    """Free pawns are then the pawns less the provinces."""
    text = reborn(f"BAR+REN ARA={1 + free} BOS=1")
    assert does(text, str(roll)) == action
    assert asks(text, str(roll)) == [("die", (4, 1), SIX)]


@pytest.mark.rule("R-DUMMY-5", "R-DECL-1")
def test_renaissance_stays_with_six_free_pawns_or_ten_vp() -> None:
    """The same limits hold at the end of a turn."""
    assert does(reborn("BAR+REN ARA=7 BOS=1")) == "stay"
    assert does(reborn("CUR+REN ARA BOS COL ERB FEN")) == "stay"
    assert does(reborn("CUR+REN ARA BOS COL ERB DOL"), "6") == "decline"


@pytest.mark.rule("R-DUMMY-5", "R-DECL-1")
def test_renaissance_weighs_the_empire_without_slavery() -> None:
    """Nine pawns removed this turn do not save an empire with one province."""
    state = at(conquering("REN+SLA ARA=1", OTHERS, turn="eliminated=9"))
    play(state, "hold ARA=1")
    assert state.phase == "renaissance"
    assert chosen(state, ScriptedChance("1")) == "decline"


@pytest.mark.rule("R-DUMMY-5", "R-DECL-1")
def test_renaissance_with_general() -> None:
    """General's limit and its 2 hold at the end of a turn, when its pawns have left."""
    assert does(reborn("GEN+REN ARA=4")) == "stay"
    assert does(reborn("GEN+REN ARA=3"), "4") == "stay"
    assert does(reborn("GEN+REN ARA=3"), "5") == "decline"


@pytest.mark.rule("R-DUMMY-5", "R-LAND-1")
def test_without_land_all_pawns_are_free() -> None:
    """An empire without land is worth 0 and rolls if it has five pawns or fewer."""
    assert does(starting("BAR+CUR reserve=3", OTHERS), "4") == "decline"
    assert does(starting("BAR+LIV reserve=3", OTHERS), "3") == "x FEN"
    assert does(starting("BAR+LIV reserve=6", OTHERS)) == "x FEN"
    assert does(starting("BAR+CUR", OTHERS), "1") == "decline"


@pytest.mark.rule("R-DUMMY-5", "R-LAND-1")
def test_without_land_generals_pawns_are_not_free() -> None:
    """Of nine pawns seven are General's: two are free."""
    assert does(starting("GEN+LIV reserve=9", OTHERS), "5") == "decline"
    assert does(starting("GEN+LIV reserve=9", OTHERS), "4") == "x FEN"


@pytest.mark.rule("R-DUMMY-5", "R-LAND-1", "R-DECL-1")
def test_without_land_renaissance_declines_at_the_end() -> None:
    """A dummy with Renaissance that could not enter rolls when its turn ends."""
    assert does(reborn("BAR+REN reserve=3"), "4") == "decline"
    assert does(reborn("BAR+REN reserve=3"), "3") == "stay"


@pytest.mark.rule("R-DUMMY-5", "R-LAND-2", "R-LAND-3")
@pytest.mark.parametrize("edition", ["NL", "DE"])
@pytest.mark.parametrize("traits", ["BAR+MED", "BAR+REN", "GEN+MED"])
def test_automatic_decline_overrides(edition: str, traits: str) -> None:
    """A seat that must decline does so without a die."""
    text = f"tiny; rules {edition}; round 4; turn 1 start; seat 1 dummy must_decline | {traits}"
    reserve = " reserve=7" if "GEN" in traits else ""
    assert does(f"{text}{reserve}; {OTHERS}") == "decline"


@pytest.mark.rule("R-DUMMY-5")
@pytest.mark.parametrize("phase", ["peace", "conquer"])
def test_decline_is_considered_only_at_the_start(phase: str) -> None:
    """Once the turn has gone on, a poor empire rolls no die."""
    named = " peace=2" if phase == "peace" else ""
    text = (
        f"tiny; turn 1 {phase}; seat 1 dummy{named} | BAR+DIP reserve=1 FEN; seat 2 | BAR+CUR ARA=7; seat 3 | AST+SLA"
    )
    assert does(text) == "hold FEN=2"


# R-DUMMY-6: traits


def entering(traits: str, *clauses: str) -> str:
    """Return a position in which a dummy, seat 1, is about to enter with nine pawns."""
    return "; ".join([f"tiny; turn 1 start; seat 1 dummy | {traits} reserve=9", *(clauses or (OTHERS,))])


@pytest.mark.rule("R-DUMMY-6")
def test_galleys_enter_by_the_open_sea() -> None:
    """A mine on the edge is worth more, but an empire with Galleys enters at the ocean."""
    assert does(entering("BAR+MIN")) == "x GOR"
    assert asks(entering("GAL+MIN"), "ARA") == [("conquest", (1, 1, 0), ("ARA", "FEN"))]


@pytest.mark.rule("R-DUMMY-6")
def test_galleys_enter_elsewhere_if_no_sea_province_is_affordable() -> None:
    """Behind nine pawns at both provinces of the ocean, the edge remains."""
    others = ["seat 2 | BAR+CUR ARA=9", "seat 3 | AST+MED FEN=9"]
    assert does(entering("GAL+MIN", *others)) == "x GOR"


@pytest.mark.rule("R-DUMMY-6")
def test_galleys_do_not_bind_an_empire_with_land() -> None:
    """Once it has entered the value decides again."""
    assert does(conquering("GAL+MIN reserve=9 DOL", OTHERS, "neutral -")) == "x COL"


@pytest.mark.rule("R-DUMMY-6")
def test_an_inland_sea_does_not_count_for_galleys() -> None:
    """With Revolution every province is open; those of the lake are left out, the one at the sound is not."""
    assert asks(entering("GAL+REV", OTHERS, "neutral ARA FEN"), "FEN")[0][2] == ("ARA", "FEN")
    others = ["seat 2 | BAR+CUR ARA=9", "seat 3 | AST+MED FEN=9", "neutral BOS"]
    assert does(entering("GAL+REV", *others)) == "x BOS"


@pytest.mark.rule("R-DUMMY-6")
def test_an_inland_sea_linked_to_the_ocean_does_not_count_either() -> None:
    """Thrace at the Black Sea costs no more than Ireland, but only the Atlantic is open."""
    neutral = "neutral IRL LUS LAP NOV BAE NAP HEL BIT"
    text = f"europe; turn 1 start; seat 1 dummy | GAL+REV reserve=9; {OTHERS}; {neutral}"
    state = at(text)
    assert cost(state, "THR") == 2 == cost(state, "IRL")
    assert "THR" not in asks(text, "IRL")[0][2]


@pytest.mark.rule("R-DUMMY-6")
def test_spies_take_a_valuable_province_for_two() -> None:
    """The mine behind five pawns costs 2 while the Spies are unused."""
    others = ["seat 2 | BAR+CUR COL=5", "seat 3 | AST+SLA"]
    assert does(conquering("MIN+SPI reserve=2 ARA", *others)) == "x COL spy"


@pytest.mark.rule("R-DUMMY-6")
def test_spies_are_not_used_without_a_saving() -> None:
    """A province of cost 2 or less is conquered without them."""
    assert does(conquering("MIN+SPI reserve=9 ARA", OTHERS, "neutral BOS FEN")) == "x COL"
    assert does(conquering("SPI+WEA reserve=9 ARA", OTHERS, "neutral BOS FEN")) == "x COL"


@pytest.mark.rule("R-DUMMY-6")
def test_cost_means_two_while_spies_are_unused() -> None:
    """A defended forest ties with an empty pasture; whichever is drawn, Spies are used if they lower its cost."""
    text = conquering("MED+SPI reserve=9 ARA", "seat 2 | BAR+CUR COL", "seat 3 | AST+SLA", "neutral BOS")
    assert asks(text, "BOS")[0][2] == ("BOS", "COL", "FEN")
    assert does(text, "BOS") == "x BOS spy"
    assert does(text, "FEN") == "x FEN"


@pytest.mark.rule("R-DUMMY-3", "R-DUMMY-6")
def test_the_formula_uses_the_cost_by_spies() -> None:
    """A farmland worth 2 behind six pawns weighs 2 - 2x2 and comes before a mountain at 2 - 2x0."""
    others = ["seat 2 | BAR+CUR ARA=6", "seat 3 | AST+SLA ERB=5", "neutral -"]
    text = conquering("AGR+SPI reserve=9 BOS COL", *others, rules="standard dummy_preference=formula")
    assert does(text) == "x ARA spy"


@pytest.mark.rule("R-DUMMY-6")
def test_used_spies_lower_no_cost() -> None:
    """After one conquest by Spies the normal cost counts, unless there is a second copy."""
    others = ["seat 2 | BAR+CUR COL=5", "seat 3 | AST+SLA", "neutral BOS"]
    assert does(conquering("MIN+SPI reserve=6 ARA", *others, turn="spied=1")) == "x FEN"
    others = ["seat 2 | BAR+CUR COL=5 BOS=9", "seat 3 | AST+MED FEN=9"]
    assert asks(conquering("SPI+SPE reserve=6 ARA", *others, turn="spied=1"), "COL")[0][2] == ("BOS", "COL", "FEN")
    assert does(conquering("SPI+SPE reserve=6 ARA", *others, turn="spied=1"), "COL") == "x COL spy"
    assert does(conquering("SPI+SPE reserve=6 ARA", *others, turn="spied=2")) == "hold ARA=7"


SPIES_ON_TIES = "standard dummy_spies=tie"


@pytest.mark.rule("R-DUMMY-6")
def test_spies_of_ties_do_not_lower_the_costs_compared() -> None:
    """The mine behind five pawns is too dear, and the cheaper of two pastures is taken without Spies."""
    others = ["seat 2 | BAR+CUR COL=5", "seat 3 | AST+SLA", "neutral BOS"]
    assert does(conquering("MIN+SPI reserve=2 ARA", *others, rules=SPIES_ON_TIES)) == "x FEN"
    assert does(conquering("MIN+SPI reserve=9 ARA", *others, rules=SPIES_ON_TIES)) == "x COL"
    assert does(conquering("MIN+SPI reserve=9 ARA", *others)) == "x COL spy"


@pytest.mark.rule("R-DUMMY-6")
def test_spies_of_ties_take_one_of_the_provinces_that_cost_the_same() -> None:
    """Value and cost are equal, so it costs 2, whatever chance or an option chooses among them."""
    others = ["seat 2 | BAR+CUR COL=5 BOS=4", "seat 3 | AST+MED FEN=9", "neutral -"]
    text = conquering("MED+SPI reserve=9 ARA", *others, rules=SPIES_ON_TIES)
    tied = asks(text, "COL")[0][2]
    assert tied == ("BOS", "COL")
    assert [cost(at(text), code) for code in tied] == [7, 7]
    assert [does(text, code) for code in tied] == ["x BOS spy", "x COL spy"]


@pytest.mark.rule("R-DUMMY-6")
def test_spies_of_ties_are_kept_where_they_save_nothing_or_are_used() -> None:
    """Two empty pastures cost 2 anyway; after one conquest by Spies there are none left."""
    others = ["seat 2 | BAR+CUR BOS=9", "seat 3 | AST+SLA", "neutral -"]
    assert does(conquering("MED+SPI reserve=9 ARA", *others, rules=SPIES_ON_TIES), "FEN") == "x FEN"
    others = ["seat 2 | BAR+CUR COL=5 BOS=4", "seat 3 | AST+MED FEN=9", "neutral -"]
    used = conquering("MED+SPI reserve=9 ARA", *others, rules=SPIES_ON_TIES, turn="spied=1")
    assert does(used, "COL") == "x COL"


@pytest.mark.rule("R-DUMMY-6", "R-ENTRY-4")
@pytest.mark.parametrize(("entry", "action"), [("forced", "x FEN spy"), ("free", "hold")])
def test_spies_of_ties_open_an_entry_that_is_forced(entry: str, action: str) -> None:
    """Two pawns pay for no entry but by Spies, and then the most valuable province counts at 2."""
    others = ["seat 2 | BAR+CUR ARA BOS COL DOL ERB FEN GOR HAM", "seat 3 | AST+MED", "neutral -"]
    rules = f"standard dummy_spies=tie landless_entry={entry}"
    assert does(conquering("LIV+SPI reserve=2", *others, rules=rules)) == action


@pytest.mark.rule("R-DUMMY-6", "R-REORG-5")
def test_a_fort_goes_where_most_neighbours_are_held_by_others() -> None:
    """Enemy and neutral pawns count, empty provinces and the own decline do not."""
    others = ["seat 2 | BAR+CUR ERB", "seat 3 | AST+SLA DOL", "neutral FEN"]
    assert does(conquering("FOR+MED ARA=2 BOS=1 COL=2", *others)) == "hold ARA=2 BOS=1 COL=2 fort COL"
    others = ["seat 2 | BAR+CUR HAM", "seat 3 | AST+SLA", "neutral FEN"]
    assert does(conquering("FOR+MED ARA=2 BOS=1 COL=2", *others)) == "hold ARA=2 BOS=1 COL=2 fort ARA"
    others = ["seat 2 | BAR+CUR HAM", "seat 3 | AST+SLA", "neutral FEN"]
    assert does(conquering("FOR+HER ARA=2 BOS=1 COL=2 | - DOL ERB", *others)) == "hold ARA=2 BOS=1 COL=2 fort ARA"


@pytest.mark.rule("R-DUMMY-6", "R-REORG-5")
def test_enemy_declined_neighbours_count_for_a_fort() -> None:
    """A declined empire of another seat has pawns as well."""
    others = ["seat 2 | BAR+CUR HAM | - DOL", "seat 3 | AST+SLA", "neutral -"]
    assert does(conquering("FOR+MED ARA=1 COL=1 FEN=1", *others)) == "hold ARA=1 COL=1 FEN=1 fort COL"


@pytest.mark.rule("R-DUMMY-6", "R-REORG-5")
def test_then_the_value_of_these_neighbours_decides() -> None:
    """Arable and Collis have one such neighbour each: a pasture weighs more than a mountain."""
    others = ["seat 2 | BAR+CUR GOR", "seat 3 | AST+SLA DOL", "neutral FEN"]
    assert does(conquering("FOR+LIV ARA=1 COL=1", *others)) == "hold ARA=1 COL=1 fort ARA"


@pytest.mark.rule("R-DUMMY-6", "R-REORG-5")
def test_the_number_of_neighbours_comes_first_and_then_the_sum_of_their_values() -> None:
    """Two neighbours worth 1 + 0 beat one worth 2; two worth 1 + 1 beat two worth 1 + 0."""
    others = ["seat 2 | BAR+CUR GOR", "seat 3 | AST+SLA DOL", "neutral BOS"]
    assert does(conquering("FOR+MIN COL=1 HAM=1", *others)) == "hold COL=1 HAM=1 fort COL"
    others = ["seat 2 | BAR+CUR GOR", "seat 3 | AST+SLA DOL", "neutral BOS FEN HAM"]
    assert does(conquering("FOR+MED ARA=1 ERB=1", *others)) == "hold ARA=1 ERB=1 fort ARA"


@pytest.mark.rule("R-DUMMY-6", "R-REORG-5")
def test_then_chance_decides_about_the_fort() -> None:
    """The draw names round, seat and the forts built before."""
    others = ["seat 2 | BAR+CUR ERB", "seat 3 | AST+SLA", "neutral FEN"]
    text = conquering("FOR+MED ARA=1 COL=1", *others)
    assert asks(text, "COL") == [("fort", (2, 1, 0), ("ARA", "COL"))]
    assert does(text, "COL") == "hold ARA=1 COL=1 fort COL"


@pytest.mark.rule("R-DUMMY-6", "R-REORG-5")
def test_a_fort_needs_a_province_without_one() -> None:
    """A fortified province is left out, and where all are fortified nothing is built."""
    others = ["seat 2 | BAR+CUR ERB", "seat 3 | AST+SLA DOL", "neutral FEN"]
    assert does(conquering("FOR+MED ARA=1 COL=1^", *others)) == "hold ARA=1 COL=1 fort ARA"
    assert does(conquering("FOR+MED ARA=1^ COL=1^", *others)) == "hold ARA=1 COL=1"


@pytest.mark.rule("R-DUMMY-6", "R-REORG-5")
def test_two_copies_build_two_forts() -> None:
    """The second fort goes to another province, and its draw counts the first."""
    others = ["seat 2 | BAR+CUR ERB", "seat 3 | AST+SLA DOL", "neutral FEN HAM"]
    assert does(conquering("FOR+SPE ARA=1 COL=1", *others)) == "hold ARA=1 COL=1 fort ARA COL"
    others = ["seat 2 | BAR+CUR ERB", "seat 3 | AST+SLA DOL", "neutral FEN"]
    text = conquering("FOR+SPE ARA=1 COL=1 HAM=1", *others)
    assert asks(text, "HAM") == [("fort", (2, 1, 1), ("ARA", "HAM"))]
    assert does(text, "HAM") == "hold ARA=1 COL=1 HAM=1 fort COL HAM"


@pytest.mark.rule("R-DUMMY-6", "R-ENTRY-3")
def test_revolution_opens_every_province_to_the_first_conquest() -> None:
    """The mine inland is worth most."""
    assert does(entering("MIN+REV", OTHERS, "neutral -")) == "x COL"
    assert does(entering("BAR+MIN", OTHERS, "neutral -")) == "x GOR"


@pytest.mark.rule("R-DUMMY-6", "R-ENTRY-3", "R-CONQ-4")
def test_astronomy_opens_provinces_by_sea() -> None:
    """Entry and conquests by linked seas are considered: the forest at the sound is the only province left open."""
    others = ["seat 2 | BAR+CUR ARA=5 GOR=5", "seat 3 | BAR+MED FEN=9"]
    assert does(f"tiny; turn 1 start; seat 1 dummy | AST+LIV reserve=6; {'; '.join(others)}") == "x BOS"
    others = ["seat 2 | BAR+CUR ARA=9", "seat 3 | BAR+MED COL=9"]
    assert does(conquering("AST+MIL reserve=4 FEN", *others)) == "x BOS"
    assert does(conquering("BAR+MIL reserve=4 FEN", *others)) == "hold FEN=5"


@pytest.mark.rule("R-DUMMY-6", "R-PEACE-1")
def test_diplomacy_makes_peace_with_a_real_player() -> None:
    """At random between two, without a draw with the only one, with nobody if all others are dummies."""
    text = "tiny; turn 1 start; seat 1 dummy | BAR+DIP reserve=9; seat 2 {} | BAR+CUR; seat 3 {} | AST+SLA"
    assert asks(text.format("", ""), "3") == [("peace", (1, 1, 0), ("2", "3"))]
    assert does(text.format("", ""), "3") == "peace 3"
    assert does(text.format("dummy", "")) == "peace 3"
    assert does(text.format("dummy", "dummy"), "ARA") == "x ARA"


@pytest.mark.rule("R-DUMMY-6", "R-PEACE-1")
def test_diplomacy_names_one_for_each_copy() -> None:
    """With one copy it goes on after one peace, with two it names the other player, and no dummy."""
    text = "tiny; turn 1 peace; seat 1 dummy peace=2 | {} reserve=9; seat 2 | BAR+CUR; seat 3 {} | AST+SLA"
    assert does(text.format("DIP+LIV", "")) == "x FEN"
    assert does(text.format("DIP+SPE", "")) == "peace 3"
    assert does(text.format("DIP+SPE", "dummy"), "ARA") == "x ARA"
    named = "tiny; turn 1 peace; seat 1 dummy peace=2+3 | DIP+SPE reserve=9; seat 2 | BAR+CUR; seat 3 | AST+SLA"
    assert does(named, "ARA") == "x ARA"


@pytest.mark.rule("R-DUMMY-6", "R-PEACE-1")
def test_second_peace_is_drawn_among_the_players_left() -> None:
    """At a larger table the draw for the second copy counts the seat named before."""
    seats = "seat 1 dummy peace=3 | DIP+SPE reserve=9; seat 2 | BAR+CUR; seat 3 | AST+SLA; seat 4 | MED+HER"
    assert asks(f"tiny; round 2; turn 1 peace; {seats}", "4") == [("peace", (2, 1, 1), ("2", "4"))]


@pytest.mark.rule("R-DUMMY-6", "R-PEACE-1", "R-FORFEIT-1")
def test_diplomacy_skips_forfeited_seats() -> None:
    """A player who left the game cannot be named."""
    seats = "seat 1 dummy | BAR+DIP reserve=9; seat 2 forfeited=1 | AST+CUR; seat 3 | AST+SLA"
    assert does(f"tiny; turn 1 start; {seats}") == "peace 3"


@pytest.mark.rule("R-DUMMY-5", "R-DUMMY-6", "R-PEACE-1")
def test_decline_is_considered_before_peace() -> None:
    """A peace rules out a decline, so the die is rolled first."""
    text = "tiny; turn 1 start; seat 1 dummy | BAR+DIP FEN; seat 2 dummy | BAR+CUR; seat 3 | AST+SLA"
    assert does(text, "1") == "decline"
    text = "tiny; turn 1 start; seat 1 dummy | BAR+DIP reserve=1 FEN; seat 2 dummy | BAR+CUR; seat 3 | AST+SLA"
    assert does(text, "1") == "peace 3"


@pytest.mark.rule("R-DUMMY-6")
@pytest.mark.parametrize("tie", ["random", "real_player"])
def test_heritage_prefers_an_enemy_next_to_its_own_decline(tie: str) -> None:
    """On a tie it takes the province of an active empire beside its decline, even before a real player's."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 dummy | AST+SLA COL", "neutral BOS"]
    text = conquering("BAR+HER reserve=9 ARA | - ERB", *others, rules=f"standard dummy_tie={tie}")
    assert does(text) == "x COL"


@pytest.mark.rule("R-DUMMY-6")
def test_heritage_prefers_only_enemy_active_empires() -> None:
    """A neutral or declined province beside the decline is no better than another; nor does it beat a cheaper one."""
    others = ["seat 2 | BAR+CUR FEN", "seat 3 dummy | AST+SLA", "neutral BOS COL"]
    assert does(conquering("BAR+HER reserve=9 ARA | - ERB", *others), "FEN") == "x FEN"
    others = ["seat 2 | BAR+CUR FEN", "seat 3 dummy | AST+SLA GOR | - COL", "neutral BOS"]
    assert does(conquering("BAR+HER reserve=9 ARA | - ERB", *others), "FEN") == "x FEN"
    others = ["seat 2 | BAR+CUR FEN", "seat 3 dummy | AST+SLA COL=2", "neutral BOS"]
    assert does(conquering("BAR+HER reserve=9 ARA | - ERB", *others)) == "x FEN"


@pytest.mark.rule("R-DUMMY-6")
def test_without_heritage_there_is_no_such_preference() -> None:
    """An enemy's province beside a decline worth nothing ties with a neutral one."""
    others = ["seat 2 | BAR+CUR COL", "seat 3 | AST+SLA", "neutral BOS FEN"]
    assert asks(conquering("BAR+MED reserve=9 ARA | - DOL", *others), "FEN")[0][2] == ("COL", "FEN")
