"""Absence: forfeits, substitutes and default actions (R-FORFEIT)."""

import pytest

from tests.support.rules import (
    act,
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
from vinci_rules import dummy, notation, position
from vinci_rules.actions import Forfeit, Hold, Redeploy, Stay
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import check, default_action, ranks
from vinci_rules.events import (
    CivilizationTaken,
    GameOver,
    Redeployed,
    Scored,
    SeatForfeited,
    SurvivorsInReserve,
    TurnStarted,
)
from vinci_rules.state import Seat, State
from vinci_rules.violations import AtPeace, MustConquer, NoSuchSeat, NotAnOpponent

OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"
MARKET = "market MED+REV AGR+LIV GAL+POR DIP+SPI MES+HER MOU+REN"


def default(state: State) -> str:
    """Return the default action as text; fail if it is illegal."""
    action = default_action(state)
    assert check(state, action) is None
    return notation.write(action, state.board)


# What a forfeit leaves


@pytest.mark.rule("R-FORFEIT-1")
def test_a_forfeit_is_an_action_at_any_moment() -> None:
    """A seat leaves in the turn of another one, which goes on as if nothing had happened."""
    state = at(f"tiny; turn 1 conquer; seat 1 | WEA+MIL reserve=5 ARA=2; {OTHERS}")
    assert play(state, "forfeit 3") == [SeatForfeited(seat(3))]
    assert state.forfeited == (seat(3),)
    assert (state.actor, state.phase, active(state, 1).reserve) == (seat(1), "conquer", 5)
    assert all(not action.startswith("forfeit") for action in legal(state))


@pytest.mark.rule("R-FORFEIT-1")
@pytest.mark.parametrize("text", ["forfeit 3", "forfeit 4", "forfeit 7"])
def test_only_a_seat_of_the_game_forfeits_and_only_once(text: str) -> None:
    """There is no seat of this number, or it has left already."""
    state = at("tiny; seat 1 | WEA+MIL ARA; seat 2 | BAR+CUR; seat 3 forfeited=1 | AST+SLA")
    assert refused(state, text) == NoSuchSeat(Seat(int(text[-1]) - 1))


@pytest.mark.rule("R-FORFEIT-1")
def test_turns_of_a_seat_that_forfeited_are_skipped() -> None:
    """After seat 1 comes seat 3, round after round, and the seat that left scores nothing."""
    state = at("tiny; seat 1 | WEA+MIL reserve=4 ARA; seat 2 vp=33 | BAR+CUR HAM=3 | - FEN; seat 3 | AST+SLA")
    play(state, "forfeit 2", "hold ARA=5")
    assert (state.actor, state.round) == (seat(3), 1)
    play(state, "hold")
    assert (state.actor, state.round) == (seat(1), 2)
    play(state, "hold ARA=5")
    assert state.actor == seat(3)
    assert state.vp == [12, 33, 10]


@pytest.mark.rule("R-FORFEIT-1")
def test_its_pawns_and_forts_stay_and_defend() -> None:
    """Active and declined provinces of a seat that left cost as before, Militia included."""
    text = "tiny; seat 1 | BAR+GAL reserve=12 COL; seat 2 | FOR+MIL ERB=3^ | - BOS^; seat 3 | AST+SLA; neutral -"
    state = at(text)
    play(state, "forfeit 2")
    assert provinces(state, active(state, 2)) == {"ERB"}
    assert provinces(state, state.declined[1]) == {"BOS"}
    assert pawns(state, "ERB", "BOS") == [3, 1]
    assert [cost(state, "ERB"), cost(state, "BOS")] == [2 + 3 + 1 + 1, 3 + 1 + 1]
    assert [cost(at(text), "ERB"), cost(at(text), "BOS")] == [7, 5]


@pytest.mark.rule("R-FORFEIT-1")
def test_its_survivors_redeploy_automatically() -> None:
    """Survivors of a seat that forfeited are spread evenly without a decision."""
    state = at("tiny; seat 1 | BAR+GAL reserve=12 DOL; seat 2 | WEA+MIL ERB=3 GOR=1 HAM=1; seat 3 | AST+SLA; neutral -")
    events = play(state, "forfeit 2", "x ERB", "hold DOL=1 ERB=12")
    assert of_kind(Redeployed, events) == [
        Redeployed(seat(2), ((province(state, "GOR"), 1), (province(state, "HAM"), 1)), automatic=True)
    ]
    assert pawns(state, "GOR", "HAM") == [2, 2]
    assert (state.actor, state.phase) == (seat(3), "start")


@pytest.mark.rule("R-FORFEIT-1")
def test_its_survivors_of_this_turn_redeploy_automatically_too() -> None:
    """A seat that leaves after it was attacked is not asked at the end of that turn."""
    state = at("tiny; seat 1 | BAR+GAL reserve=12 DOL; seat 2 | WEA+MIL ERB=3 GOR=1 HAM=1; seat 3 | AST+SLA; neutral -")
    play(state, "x ERB", "forfeit 2", "hold DOL=1 ERB=12")
    assert pawns(state, "GOR", "HAM") == [2, 2]
    assert (state.actor, state.phase) == (seat(3), "start")


@pytest.mark.rule("R-FORFEIT-1", "R-PEACE-1")
def test_peace_with_it_ends_both_ways() -> None:
    """Neither the peace that the seat has named nor the one that named it counts any more."""
    state = at(
        """tiny; turn 2 conquer; seat 1 peace=2 | DIP+MIL ARA=2; seat 2 peace=1+3 | DIP+SPE reserve=5 COL;
        seat 3 | AST+SLA ERB=1"""
    )
    assert refused(state, "x ARA") == AtPeace(province(state, "ARA"), seat(1))
    play(state, "forfeit 1")
    assert allowed(state, "x ARA")
    assert state.named == ((), (seat(3),), ())
    assert refused(state, "x ERB") == AtPeace(province(state, "ERB"), seat(3))


@pytest.mark.rule("R-FORFEIT-1", "R-PEACE-1")
def test_peace_is_not_named_with_a_seat_that_left() -> None:
    """Diplomacy names opponents that are still in the game."""
    state = at("tiny; seat 1 | DIP+MIL reserve=5 ARA; seat 2 forfeited=1 | BAR+CUR; seat 3 | AST+SLA")
    assert refused(state, "peace 2") == NotAnOpponent(seat(2))
    assert allowed(state, "peace 3")


# A forfeit in each phase


@pytest.mark.rule("R-FORFEIT-1", "R-SETUP-6")
def test_a_forfeit_in_the_opening_draft() -> None:
    """The next seat chooses, the one that left gets no civilization and no turn."""
    state = at(f"tiny; round 0; turn 2; seat 1 | WEA+MIL reserve=15; seat 2; seat 3; {MARKET}")
    play(state, "forfeit 2")
    assert (state.actor, state.phase, state.round) == (seat(3), "draft", 0)
    play(state, "take 1")
    assert (state.actor, state.phase, state.round) == (seat(1), "start", 1)
    assert state.active[1] is None
    play(state, "decline", "take 1")
    assert state.actor == seat(3)


@pytest.mark.rule("R-FORFEIT-1", "R-SETUP-6")
def test_a_seat_that_left_before_its_choice_is_passed_over() -> None:
    """It may leave in the opening draft out of its turn, the last one included."""
    state = at(f"tiny; round 0; turn 2; seat 1 | WEA+MIL reserve=15; seat 2; seat 3; {MARKET}")
    play(state, "forfeit 3")
    assert (state.actor, state.phase) == (seat(2), "draft")
    play(state, "take 1")
    assert (state.actor, state.phase, state.round) == (seat(1), "start", 1)


@pytest.mark.rule("R-FORFEIT-1")
@pytest.mark.parametrize("phase", ["start", "abandon", "conquer"])
def test_a_forfeit_in_the_middle_of_a_turn_leaves_garrisons_as_they_lie(phase: str) -> None:
    """The next seat plays; nothing is scored, and the reserve is out of play."""
    state = at(f"tiny; turn 1 {phase}; seat 1 vp=20 | WEA+MIL reserve=5 ARA BOS; {OTHERS}")
    events = play(state, "forfeit 1")
    assert of_kind(Scored, events) == []
    assert (state.actor, state.phase, state.vp[0]) == (seat(2), "start", 20)
    assert provinces(state, active(state, 1)) == {"ARA", "BOS"}
    play(state, "hold", "hold", "hold", "hold")
    assert (state.round, state.actor, pawns(state, "ARA", "BOS")) == (3, seat(2), [1, 1])


@pytest.mark.rule("R-FORFEIT-1", "R-PEACE-1")
def test_a_forfeit_after_naming_an_opponent() -> None:
    """The peace of this turn ends with it."""
    state = at(f"tiny; seat 1 | DIP+MIL reserve=5 ARA; {OTHERS}")
    play(state, "peace 2", "forfeit 1")
    assert state.named[0] == ()
    assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.rule("R-FORFEIT-1", "R-SCORE-1")
def test_pawns_eliminated_by_a_seat_that_left_are_not_scored_by_the_next() -> None:
    """Slavery of seat 2 counts only what seat 2 eliminates."""
    state = at("tiny; seat 1 | WEA+MIL reserve=5 COL; seat 2 | SLA+CUR FEN=2; seat 3 | AST+BAR; neutral ARA ERB")
    play(state, "x ERB", "forfeit 1")
    [scored] = of_kind(Scored, play(state, "hold FEN=2"))
    assert scored.vp == 2


@pytest.mark.rule("R-FORFEIT-1")
def test_generals_pawns_stay_where_they_lie() -> None:
    """A forfeit in the middle of conquests does not remove the pawns of General."""
    state = at(f"tiny; turn 1 conquer; seat 1 | GEN+MIL reserve=2 ARA=5 COL=4; {OTHERS}")
    play(state, "forfeit 1")
    assert pawns(state, "ARA", "COL") == [5, 4]


@pytest.mark.rule("R-FORFEIT-1", "R-REORG-4")
def test_provinces_conquered_without_a_pawn_become_empty() -> None:
    """They belong to nobody, as if they had been given up."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=1 DOL; {OTHERS}; neutral -")
    play(state, "x COL", "forfeit 1")
    assert provinces(state, active(state, 1)) == {"DOL"}
    assert state.owner(state.board.index["COL"]) is None


@pytest.mark.rule("R-FORFEIT-1", "R-REDEP-1")
def test_a_forfeit_of_the_attacker_lets_the_others_redeploy() -> None:
    """Its turn is over, so survivors are placed, and then the next seat plays."""
    state = at("tiny; seat 1 | BAR+GAL reserve=12 DOL; seat 2 | WEA+MIL ERB=3 GOR=1 HAM=1; seat 3 | AST+SLA; neutral -")
    play(state, "x ERB", "forfeit 1")
    assert (state.actor, state.phase) == (seat(2), "redeploy")
    play(state, "redeploy HAM=2")
    assert (state.actor, state.phase) == (seat(2), "start")
    assert active(state, 2).reserve == 2


@pytest.mark.rule("R-FORFEIT-1", "R-DECL-1")
def test_a_forfeit_at_renaissance() -> None:
    """The turn has been scored; the empire stays as it was reorganised."""
    state = at(f"tiny; seat 1 | REN+MIL reserve=5 ARA BOS; {OTHERS}")
    play(state, "hold ARA=6 BOS=1", "forfeit 1")
    assert (state.vp[0], pawns(state, "ARA", "BOS"), state.declined[0]) == (12, [6, 1], None)
    assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.rule("R-FORFEIT-1", "R-DECL-5")
def test_a_forfeit_between_decline_and_choice() -> None:
    """The declined empire stays and defends, there is no new civilization, and the market is as it was."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=5 FEN; {OTHERS}; {MARKET}")
    market = state.market[:]
    events = play(state, "decline", "forfeit 1")
    assert of_kind(CivilizationTaken, events) == []
    assert (provinces(state, state.declined[0]), state.active[0]) == ({"FEN"}, None)
    assert state.market == market
    assert (state.actor, state.phase, state.vp[0]) == (seat(2), "start", 11)
    assert position.read(position.write(state)) == state


@pytest.mark.rule("R-FORFEIT-1", "R-REDEP-1")
@pytest.mark.parametrize(
    ("leaving", "actor", "phase"),
    [("forfeit 2", 3, "redeploy"), ("forfeit 3", 2, "redeploy"), ("forfeit 1", 2, "redeploy")],
    ids=["who redeploys", "who redeploys later", "the attacker"],
)
def test_a_forfeit_while_survivors_are_placed(leaving: str, actor: int, phase: str) -> None:
    """Survivors of the seat that left are placed by the rules, those of others by their seats."""
    state = at(
        """tiny; turn 1 redeploy=2; seat 1 | BAR+GAL COL=9 ARA=1; seat 2 survivors=1 | WEA+MIL BOS=1 FEN=1;
        seat 3 survivors=1 | AST+SLA DOL=1 HAM=1"""
    )
    play(state, leaving)
    assert (state.actor, state.phase) == (seat(actor), phase)
    if leaving == "forfeit 2":
        assert (pawns(state, "BOS", "FEN"), state.survivors) == ([1, 2], [0, 0, 1])
        play(state, "redeploy DOL=1")
        assert (state.actor, state.phase) == (seat(3), "start")
    elif leaving == "forfeit 3":
        play(state, "redeploy BOS=1")
        assert pawns(state, "DOL", "HAM") == [1, 2]
        assert (state.actor, state.phase) == (seat(2), "start")
    else:
        play(state, "redeploy BOS=1", "redeploy DOL=1")
        assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.rule("R-FORFEIT-1", "R-END-1")
def test_a_round_ends_without_its_last_seat() -> None:
    """Check that seat 2 plays last in a round after seat 3 forfeited: a target reached ends the game after it."""
    state = at(f"tiny; rules standard target=11; seat 1 | WEA+MIL reserve=5 ARA; {OTHERS}")
    play(state, "hold ARA=6", "forfeit 3")
    assert (state.actor, state.phase) == (seat(2), "start")
    play(state, "hold")
    assert state.phase == "over"


@pytest.mark.rule("R-FORFEIT-1", "R-END-1")
def test_a_forfeit_of_the_last_seat_ends_the_round() -> None:
    """Leaving in its own turn it ends the round, and with a target reached the game."""
    state = at(f"tiny; rules standard target=11; round 3 reached; turn 3; seat 1 vp=11 | WEA+MIL ARA=6; {OTHERS}")
    [over] = of_kind(GameOver, play(state, "forfeit 3"))
    assert over.ranks == (1, 2, 3)


@pytest.mark.rule("R-FORFEIT-1", "R-END-1", "R-REDEP-1")
def test_no_redeployment_after_the_last_turn_of_the_remaining_seats() -> None:
    """The game ends with the turn of seat 2 after seat 3 forfeited, with or without survivors."""
    state = at(
        """tiny; rules standard target=11; round 3 reached; turn 2; seat 1 vp=11 | WEA+MIL ERB=3 GOR=1 HAM=1;
        seat 2 | BAR+GAL reserve=12 DOL; seat 3 forfeited=1 | AST+SLA"""
    )
    play(state, "x ERB", "hold DOL=1 ERB=12")
    assert (state.phase, pawns(state, "GOR", "HAM")) == ("over", [1, 1])


@pytest.mark.rule("R-FORFEIT-1")
def test_a_round_starts_without_its_first_seat() -> None:
    """Check that a new round starts with seat 2 after seat 1 forfeited."""
    state = at("tiny; round 3; turn 3; seat 1 forfeited=1 | WEA+MIL ARA=3; seat 2 | BAR+CUR; seat 3 | AST+SLA")
    [started] = of_kind(TurnStarted, play(state, "hold"))
    assert (started.seat, started.round) == (seat(2), 4)


# Ranks and the end


@pytest.mark.rule("R-FORFEIT-1", "R-END-2")
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (("vp=90 forfeited=1", "vp=10", "vp=30", "vp=20"), (4, 3, 1, 2)),
        (("vp=90 forfeited=1", "vp=10", "vp=80 forfeited=2", "vp=20"), (4, 2, 3, 1)),
        (("vp=10 forfeited=2", "vp=20", "vp=80 forfeited=1", "vp=20"), (3, 1, 4, 1)),
        (("vp=50 forfeited=1", "vp=50 forfeited=2", "vp=5", "vp=5"), (4, 3, 1, 1)),
    ],
)
def test_forfeited_seats_rank_last_in_reverse_order_of_leaving(
    facts: tuple[str, ...], expected: tuple[int, ...]
) -> None:
    """Scores do not matter to who has left, only the order of leaving."""
    pairs = ("WEA+MIL", "BAR+CUR", "AST+SLA", "GAL+REV")
    seats = "; ".join(f"seat {n} {fact} | {pair}" for n, (fact, pair) in enumerate(zip(facts, pairs, strict=True), 1))
    assert ranks(at(f"tiny; turn 4; {seats}")) == expected


@pytest.mark.rule("R-FORFEIT-1")
@pytest.mark.parametrize("turn", ["1 start", "2 start", "1 conquer", "3 start"])
def test_the_game_ends_when_one_seat_is_left(turn: str) -> None:
    """It is over at once, whoever's turn it is, and the seat that is left wins whatever its score."""
    state = at(
        f"tiny; turn {turn}; seat 1 vp=50 | WEA+MIL ARA; seat 2 vp=90 | BAR+CUR; seat 3 vp=10 | AST+SLA; neutral -"
    )
    play(state, "forfeit 2")
    events = play(state, "forfeit 1")
    assert of_kind(GameOver, events) == [GameOver((2, 3, 1), (50, 90, 10))]
    assert state.phase == "over"


@pytest.mark.rule("R-FORFEIT-1", "R-SETUP-6")
def test_the_game_can_end_in_the_opening_draft() -> None:
    """Two of three seats that leave before they chose leave a winner."""
    state = at(f"tiny; round 0; seat 1; seat 2; seat 3; {MARKET}")
    play(state, "forfeit 1")
    assert (state.actor, state.phase) == (seat(2), "draft")
    assert of_kind(GameOver, play(state, "forfeit 3")) == [GameOver((3, 1, 2), (10, 10, 10))]


@pytest.mark.rule("R-FORFEIT-1", "R-REDEP-1")
def test_no_redeployment_when_a_forfeit_ends_the_game() -> None:
    """Survivors stay set aside when the attacker's forfeit leaves one seat."""
    state = at(
        """tiny; turn 1 conquer; seat 1 | BAR+GAL reserve=3 COL=6; seat 2 survivors=2 | WEA+MIL DOL=1 HAM=1;
        seat 3 forfeited=1 | AST+SLA"""
    )
    events = play(state, "forfeit 1")
    assert (of_kind(Redeployed, events), of_kind(SurvivorsInReserve, events)) == ([], [])
    assert (state.phase, pawns(state, "DOL", "HAM")) == ("over", [1, 1])


# Substitutes


@pytest.mark.rule("R-FORFEIT-2")
def test_a_substitute_gets_no_extra_pawns() -> None:
    """A dummy that chooses in the place of a player gets the pawns of a player."""
    state = at(f"tiny; round 0; seat 1; seat 2 dummy; seat 3; {MARKET}")
    play(state, notation.write(dummy.advise(state), state.board))
    assert active(state, 1).reserve == 3 + 4 + 8
    play(state, notation.write(dummy.choose(state, FastChance(0)), state.board))
    assert active(state, 2).reserve == 2 + 2 + 10


@pytest.mark.rule("R-FORFEIT-2", "R-REORG-2")
def test_cohesion_binds_a_substitute() -> None:
    """For a player's split empire it keeps one part, while a dummy of the table keeps all."""
    split = "| WEA+MIL FEN=3 COL=2 HAM=4; seat 2 dummy | BAR+CUR; seat 3 | AST+SLA; neutral ARA BOS ERB"
    state = at(f"tiny; turn 1 conquer; seat 1 {split}")
    held = dummy.advise(state)
    assert isinstance(held, Hold)
    assert check(state, held) is None
    assert len(held.pawns) == 1
    own = at(f"tiny; turn 1 conquer; seat 1 dummy {split}")
    held = dummy.choose(own, FastChance(0))
    assert isinstance(held, Hold)
    assert len(held.pawns) == 3


@pytest.mark.rule("R-FORFEIT-2", "R-DUMMY-1")
def test_dummies_sit_only_where_the_table_was_set_up_with_them() -> None:
    """The options of a game say from the start which seats are dummies, and only these have more pawns."""
    assert options((False, False, False)).extra_pawns == (8, 8, 8)
    assert options((False, True, False)).extra_pawns == (8, 10, 8)


# Default actions


@pytest.mark.rule("R-FORFEIT-3")
def test_the_default_choice_is_slot_one() -> None:
    """Markers on other slots do not matter."""
    state = at(f"tiny; round 0; seat 1; seat 2; seat 3; {MARKET.replace('LIV', 'LIV:4')}")
    assert default(state) == "take 1"
    assert default(at(f"tiny; turn 1 draft; seat 1 | - | - FEN; {OTHERS}; {MARKET}")) == "take 1"


@pytest.mark.rule("R-FORFEIT-3")
@pytest.mark.parametrize("phase", ["start", "abandon", "conquer"])
@pytest.mark.parametrize("traits", ["BAR+MIL", "FOR+DIP", "REN+SPI"])
def test_the_default_turn_only_reorganises(phase: str, traits: str) -> None:
    """No decline, no peace, nothing abandoned, no conquest, no fort: the suggested reorganisation."""
    state = at(f"tiny; turn 1 {phase}; seat 1 | {traits} reserve=5 ARA BOS; seat 2 | WEA+CUR; seat 3 | AST+SLA")
    assert default(state).startswith("hold ")
    hold = default_action(state)
    assert isinstance(hold, Hold)
    assert sum(number for _, number in hold.pawns) == 7
    assert {state.board.codes[p] for p, _ in hold.pawns} == {"ARA", "BOS"}
    assert hold.forts == ()


@pytest.mark.rule("R-FORFEIT-3", "R-PEACE-1")
def test_default_after_a_peace_names_no_second_opponent() -> None:
    """With two copies of Diplomacy and one opponent named nobody else is."""
    state = at(f"tiny; seat 1 | DIP+SPE reserve=5 ARA; {OTHERS}")
    play(state, "peace 2")
    assert default(state) == "hold ARA=6"


@pytest.mark.rule("R-FORFEIT-3", "R-ENTRY-4")
@pytest.mark.parametrize(
    ("reserve", "neutral", "traits", "expected"),
    [
        (9, "ARA FEN", "BAR+MIL", "x ARA"),  # ARA, FEN, GOR cost 3, 3, 3: the lowest
        (9, "ARA FEN", "BAR+MOU", "x GOR"),  # 3, 3, 2
        (9, "ARA", "BAR+MIL", "x FEN"),  # 3, 2, 3
        (3, "ARA FEN", "BAR+MIL", "x ARA"),
        (2, "ARA FEN", "BAR+MIL", "hold"),
        (0, "-", "BAR+MIL", "hold"),
    ],
)
def test_the_default_without_land_is_the_cheapest_entry(reserve: int, neutral: str, traits: str, expected: str) -> None:
    """If a first conquest is required, it is the cheapest one, the first in board order among equals."""
    state = at(f"tiny; seat 1 | {traits} reserve={reserve}; seat 2 | WEA+CUR; seat 3 | AST+SLA; neutral {neutral}")
    assert default(state) == expected


@pytest.mark.rule("R-FORFEIT-3", "R-ENTRY-4", "R-CONQ-7")
def test_default_enters_by_spies_if_no_normal_entry_is_affordable() -> None:
    """A first conquest that only Spies can pay is demanded too."""
    state = at("tiny; seat 1 | SPI+MIL reserve=2; seat 2 | WEA+CUR; seat 3 | AST+SLA; neutral ARA FEN")
    assert refused(state, "hold") == MustConquer(state.board.set_named(["ARA", "FEN", "GOR"]))
    assert default(state) == "x ARA spy"


@pytest.mark.rule("R-FORFEIT-3")
def test_after_the_first_conquest_the_default_ends_the_turn() -> None:
    """Only the conquest that R-ENTRY-4 demands is made."""
    state = at("tiny; seat 1 | BAR+MIL reserve=9; seat 2 | WEA+CUR; seat 3 | AST+SLA; neutral ARA FEN")
    play(state, default(state))
    assert default(state) == "hold ARA=9"


@pytest.mark.rule("R-FORFEIT-3", "R-DECL-1")
def test_the_default_at_renaissance_is_to_stay() -> None:
    """No decline happens by default."""
    state = at(f"tiny; seat 1 | REN+MIL reserve=5 ARA BOS; {OTHERS}")
    play(state, "hold ARA=6 BOS=1")
    assert default_action(state) == Stay()


@pytest.mark.rule("R-FORFEIT-3", "R-REDEP-1")
def test_the_default_redeployment_is_the_suggested_one() -> None:
    """It places all survivors, by defence: GOR costs an attacker 4, HAM 3 and then 4."""
    state = at(
        """tiny; turn 1 redeploy=2; seat 1 | BAR+GAL DOL=1 ERB=9; seat 2 survivors=1 | WEA+MIL GOR=1 HAM=1;
        seat 3 | AST+SLA"""
    )
    assert isinstance(default_action(state), Redeploy)
    assert default(state) == "redeploy HAM=1"


@pytest.mark.rule("R-FORFEIT-3", "R-LAND-2")
def test_default_of_a_seat_that_must_decline_is_to_decline() -> None:
    """It is the only legal action."""
    state = at("tiny; rules NL; turn 2; seat 1 | BAR+WEA; seat 2 must_decline | GAL+CUR; seat 3 | AST+SLA")
    assert default(state) == "decline"


@pytest.mark.rule("R-FORFEIT-3")
def test_a_forfeit_is_never_a_default() -> None:
    """A seat whose time runs out stays in the game, move after move, for whole rounds."""
    state = at("tiny; rules standard max_rounds=6; round 0; seat 1; seat 2; seat 3")
    for _ in range(3 + 3 * 6 * 3):
        if state.phase == "over":
            break
        assert not isinstance(act(state, default(state)), Forfeit)
        play(state, default(state))
    assert (state.phase, state.round, state.forfeited) == ("over", 6, ())
