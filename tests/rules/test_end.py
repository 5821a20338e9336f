"""The end of the game: target, last round, ranks (R-END)."""

import pytest

from tests.support.rules import act, at, legal, of_kind, pawns, play, refused, seat
from vinci_rules.editions import OptionError, options
from vinci_rules.engine import check, ranks
from vinci_rules.events import GameOver, Redeployed, SurvivorsInReserve, TargetReached
from vinci_rules.position import PositionError
from vinci_rules.violations import GameIsOver, TooExpensive

OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"
MARKET = "market MED+REV AGR+LIV GAL+POR DIP+SPI MES+HER MOU+REN"


@pytest.mark.rule("R-END-1")
@pytest.mark.parametrize(("vp", "reached"), [(12, False), (13, True), (14, True)])
def test_the_target_is_reached_at_or_above_it(vp: int, reached: bool) -> None:
    """A score of exactly the target reaches it, one below does not."""
    state = at(f"tiny; rules standard target=15; seat 1 vp={vp} | WEA+MIL reserve=4 ARA COL; {OTHERS}")
    events = play(state, "hold ARA=5 COL=1")
    assert of_kind(TargetReached, events) == ([TargetReached(seat(1), vp + 2)] if reached else [])
    assert state.target_reached is reached


@pytest.mark.rule("R-END-1")
@pytest.mark.parametrize(("seats", "target"), [(3, 150), (4, 120), (5, 100), (6, 100)])
def test_the_target_depends_on_the_table(seats: int, target: int) -> None:
    """It is 150, 120, 100 and 100 VP for 3, 4, 5 and 6 seats."""
    assert options((False,) * seats).target == target


@pytest.mark.rule("R-END-1")
def test_the_round_is_played_to_its_end() -> None:
    """Check that seats 2 and 3 still have their turns after seat 1 reaches the target, and then the game ends."""
    state = at(f"tiny; rules standard target=15; round 4; seat 1 vp=14 | WEA+MIL reserve=4 ARA; {OTHERS}")
    play(state, "hold ARA=5")
    assert (state.actor, state.phase) == (seat(2), "start")
    play(state, "hold")
    assert (state.actor, state.phase) == (seat(3), "start")
    [over] = of_kind(GameOver, play(state, "hold"))
    assert over == GameOver((1, 2, 2), (15, 10, 10))
    assert (state.phase, state.round) == ("over", 4)


@pytest.mark.rule("R-END-1")
def test_the_seat_before_the_first_one_plays_last() -> None:
    """In the order 2 3 1 seat 1 ends the round: the game is over at once when it reaches the target."""
    state = at(f"tiny; rules standard target=15; order 2 3 1; turn 1; seat 1 vp=14 | WEA+MIL reserve=4 ARA; {OTHERS}")
    assert len(of_kind(GameOver, play(state, "hold ARA=5"))) == 1
    assert state.phase == "over"


@pytest.mark.rule("R-END-1")
def test_a_seat_in_the_middle_of_the_drawn_order_does_not_end_the_round() -> None:
    """In the order 2 3 1 seat 3 is followed by seat 1, though it has the highest number."""
    state = at(
        """tiny; rules standard target=15; order 2 3 1; turn 3; seat 1 | BAR+CUR; seat 2 | AST+SLA;
        seat 3 vp=14 | WEA+MIL reserve=4 ARA"""
    )
    play(state, "hold ARA=5")
    assert (state.actor, state.phase) == (seat(1), "start")
    play(state, "hold")
    assert state.phase == "over"


@pytest.mark.rule("R-END-1")
def test_without_the_target_a_new_round_starts() -> None:
    """After the last seat the first one plays again."""
    state = at(f"tiny; round 4; turn 3; seat 1 | WEA+MIL ARA=5; {OTHERS}")
    play(state, "hold")
    assert (state.actor, state.phase, state.round) == (seat(1), "start", 5)


@pytest.mark.rule("R-END-1")
def test_no_action_is_legal_after_the_end() -> None:
    """Every action, a forfeit included, is refused because the game is over."""
    state = at(f"tiny; rules standard target=11; turn 3 over; round 4 reached; seat 1 | WEA+MIL ARA=5; {OTHERS}")
    assert legal(state) == []
    for text in ("hold", "x BOS", "take 1", "decline", "forfeit 1"):
        assert check(state, act(state, text)) == GameIsOver()
    assert refused(state, "hold").rule == "R-END-1"


@pytest.mark.rule("R-END-1", "R-DRAFT-2")
def test_markers_can_reach_the_target() -> None:
    """The VP on a civilization that is taken count at once, in a decline of seat 2 for instance."""
    state = at(
        f"""tiny; rules standard target=15; turn 2; seat 1 | WEA+MIL; seat 2 vp=13 | BAR+CUR; seat 3 | AST+SLA;
        {MARKET.replace("MED+REV", "MED+REV:1")}"""
    )
    events = play(state, "decline", "take 1")
    assert of_kind(TargetReached, events) == [TargetReached(seat(2), 15)]
    assert (state.actor, state.phase) == (seat(3), "start")
    play(state, "hold")
    assert state.phase == "over"


@pytest.mark.rule("R-END-1")
def test_the_last_seat_of_the_round_can_end_the_game_with_markers() -> None:
    """Its choice is the last action of the game."""
    state = at(
        f"""tiny; rules standard target=15; turn 3; seat 1 | WEA+MIL; seat 2 | BAR+CUR; seat 3 vp=13 | AST+SLA;
        {MARKET.replace("MED+REV", "MED+REV:1")}"""
    )
    play(state, "decline", "take 1")
    assert (state.phase, state.vp[2]) == ("over", 15)


@pytest.mark.rule("R-END-1", "R-END-3", "R-SETUP-6")
def test_the_target_can_be_reached_in_the_opening_draft() -> None:
    """Then the first round of turns is played to its end."""
    state = at(f"tiny; rules standard target=12; round 0; seat 1; seat 2; seat 3; {MARKET}")
    play(state, "take 2")
    assert (state.vp, state.target_reached) == ([8, 10, 10], False)
    assert of_kind(TargetReached, play(state, "take 1")) == [TargetReached(seat(2), 12)]
    play(state, "take 1")
    assert (state.round, state.actor, state.phase) == (1, seat(1), "start")
    for last in ("start", "start", "over"):
        play(state, "decline", "take 1")
        assert state.phase == last
    assert state.round == 1


@pytest.mark.rule("R-END-1", "R-REDEP-1")
@pytest.mark.parametrize("rules", ["standard target=15", "standard target=15 redeployment=automatic"])
@pytest.mark.parametrize("defender", ["COL=4 DOL=1 ERB=1", "COL=4 DOL=1", "COL=4"])
def test_no_redeployment_after_the_end(rules: str, defender: str) -> None:
    """Survivors of the last turn are not placed, neither by their seat nor by the rules."""
    state = at(
        f"""tiny; rules {rules}; turn 3; neutral -; seat 1 | WEA+GAL {defender}; seat 2 | AST+SLA;
        seat 3 vp=14 | BAR+MIL reserve=9 ARA"""
    )
    events = play(state, "x COL", "hold ARA=5 COL=5")
    assert state.phase == "over"
    assert (of_kind(Redeployed, events), of_kind(SurvivorsInReserve, events)) == ([], [])
    if "DOL" in defender:
        assert pawns(state, "DOL") == [1]


# Ranks


@pytest.mark.rule("R-END-2")
@pytest.mark.parametrize(
    ("vp", "expected"),
    [
        ((40, 30, 20, 10), (1, 2, 3, 4)),
        ((10, 40, 30, 20), (4, 1, 2, 3)),
        ((30, 30, 20, 10), (1, 1, 3, 4)),
        ((40, 30, 30, 30), (1, 2, 2, 2)),
        ((20, 20, 20, 20), (1, 1, 1, 1)),
        ((10, 40, 10, 40), (3, 1, 3, 1)),
    ],
)
def test_most_vp_wins_and_equal_scores_share_the_rank(vp: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Ranks follow the scores; the rank after a tie counts all who stand above."""
    pairs = ("WEA+MIL", "BAR+CUR", "AST+SLA", "GAL+REV")
    seats = "; ".join(f"seat {n} vp={v} | {pair}" for n, (v, pair) in enumerate(zip(vp, pairs, strict=True), 1))
    state = at(f"tiny; turn 4; {seats}")
    assert ranks(state) == expected


@pytest.mark.rule("R-END-2")
def test_winner_need_not_be_the_first_at_the_target() -> None:
    """A seat that overtakes in the last round wins."""
    state = at(
        """tiny; rules standard target=15; turn 2; seat 1 | WEA+MIL; seat 2 vp=14 | BAR+CUR reserve=4 DOL;
        seat 3 vp=14 | AST+SLA ARA=6 BOS=1 COL=1"""
    )
    events = play(state, "hold DOL=5", "hold ARA=6 BOS=1 COL=1")
    assert of_kind(TargetReached, events) == [TargetReached(seat(2), 15)]
    assert of_kind(GameOver, events) == [GameOver((3, 2, 1), (10, 15, 17))]


# Reached stays reached


@pytest.mark.rule("R-END-3")
def test_target_stays_reached_after_a_payment() -> None:
    """Seat 1 scores to the target and pays for slot III in the same turn: the game still ends with this round."""
    state = at(f"tiny; rules standard target=15; seat 1 vp=13 | WEA+MIL reserve=4 ARA COL; {OTHERS}; {MARKET}")
    events = play(state, "decline", "take 3")
    assert of_kind(TargetReached, events) == [TargetReached(seat(1), 15)]
    assert state.vp[0] == 11
    play(state, "hold", "hold")
    assert state.phase == "over"


@pytest.mark.rule("R-END-3", "R-DRAFT-2")
def test_markers_do_not_help_to_pay_for_their_own_civilization() -> None:
    """Payment comes first, so the score between paying and receiving does not stand at the target."""
    state = at(
        f"""tiny; rules standard target=15; turn 1 draft; seat 1 vp=13 | - | - ARA; {OTHERS};
        {MARKET.replace("AGR+LIV", "AGR+LIV:1")}"""
    )
    events = play(state, "take 2")
    assert (of_kind(TargetReached, events), state.vp[0]) == ([], 13)
    poor = at(f"tiny; turn 1 draft; seat 1 vp=1 | - | - ARA; {OTHERS}; {MARKET.replace('AGR+LIV', 'AGR+LIV:1')}")
    assert refused(poor, "take 2") == TooExpensive(needed=2, available=1)


@pytest.mark.rule("R-END-3")
def test_the_target_is_reached_only_once() -> None:
    """A second seat that stands there changes nothing, and the position remembers it."""
    state = at(
        """tiny; rules standard target=15; round 4 reached; turn 2; seat 1 vp=12 | WEA+MIL;
        seat 2 vp=14 | BAR+CUR reserve=4 ARA; seat 3 | AST+SLA"""
    )
    events = play(state, "hold ARA=5", "hold")
    assert of_kind(TargetReached, events) == []
    assert state.phase == "over"


# Settings


@pytest.mark.rule("R-END-4")
def test_the_target_can_be_set_above_the_starting_vp() -> None:
    """A target of 11 is the lowest; one of 10 would be reached before the start."""
    assert options((False,) * 3, target=11).target == 11
    assert options((False,) * 3, "NL", target=300).target == 300
    with pytest.raises(OptionError, match="R-END-4"):
        options((False,) * 3, target=10)
    with pytest.raises(PositionError, match="R-END-4"):
        at(f"tiny; rules standard target=10; seat 1 | WEA+MIL; {OTHERS}")


@pytest.mark.rule("R-END-4", "R-DUMMY-7")
def test_the_target_is_above_the_starting_vp_of_dummies_too() -> None:
    """With dummies that start with 15 the target is 16 or more."""
    assert options((False, True, True, True), target=16, dummy_start_vp=15).target == 16
    with pytest.raises(OptionError, match="R-END-4"):
        options((False, True, True, True), target=15, dummy_start_vp=15)
    assert options((False,) * 4, target=15, dummy_start_vp=15).target == 15


@pytest.mark.rule("R-END-5")
def test_a_game_ends_after_the_last_round() -> None:
    """With `max_rounds = 4` round 3 is followed by round 4, and round 4 by the end."""
    text = "tiny; rules standard max_rounds=4; round {}; turn 3; seat 1 | WEA+MIL; " + OTHERS
    state = at(text.format(3))
    play(state, "hold")
    assert (state.phase, state.round) == ("start", 4)
    state = at(text.format(4))
    assert of_kind(GameOver, play(state, "hold")) == [GameOver((1, 1, 1), (10, 10, 10))]
    assert not state.target_reached


@pytest.mark.rule("R-END-5")
@pytest.mark.parametrize(("number", "phase"), [(99, "start"), (100, "over")])
def test_there_are_100_rounds_unless_set_otherwise(number: int, phase: str) -> None:
    """Round 100 is the last."""
    state = at(f"tiny; round {number}; turn 3; seat 1 | WEA+MIL; {OTHERS}")
    play(state, "hold")
    assert state.phase == phase


@pytest.mark.rule("R-END-5", "R-END-1")
def test_in_the_last_round_too_the_seat_before_the_first_plays_last() -> None:
    """In the order 3 1 2 the last round ends with seat 2."""
    state = at(f"tiny; rules standard max_rounds=2; round 2; order 3 1 2; turn 3; seat 1 | WEA+MIL; {OTHERS}")
    play(state, "hold", "hold")
    assert (state.actor, state.phase) == (seat(2), "start")
    play(state, "hold")
    assert state.phase == "over"
