"""Building blocks for bots: playing on to the next turn, threats, and estimates of VP."""

from random import Random

import pytest

from vinci_players import policy
from vinci_players.features import decline_vp, final_vp, rounds_left, threats, until_my_turn, vp_at_risk
from vinci_rules import position
from vinci_rules.actions import DECLINE, Conquer
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import legal_actions, new_game, play
from vinci_rules.events import Event, Scored
from vinci_rules.scoring import land_vp
from vinci_rules.state import Seat, State


def starts(edition: str, seed: int) -> list[State]:
    """Return the positions at which the turns of a game start, with a dummy among four seats."""
    chance, random = FastChance(seed), Random(seed)
    state = new_game(load_board("europe"), options((False, False, False, True), edition), chance)
    found = []
    while state.phase != "over":
        if state.phase == "start":
            found.append(state.copy())
        policy.quick_turn(state, chance, random, policy.trained())
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_playing_on_ends_at_the_next_turn_of_the_seat(edition: str) -> None:
    """From any turn and for any seat: its turn starts, in this round or the next one, or the game is over."""
    for number, state in enumerate(starts(edition, 3)[::5]):
        for seat in state.seats():
            end = state.copy()
            until_my_turn(end, seat, FastChance(number), Random(number))
            if end.phase != "over":
                assert (end.actor, end.phase) == (seat, "start")
                passed = state.order.index(seat) > state.turn
                assert end.round == state.round + (not passed)
            again = state.copy()
            until_my_turn(again, seat, FastChance(number), Random(number))
            assert end == again


def test_threats_are_the_conquests_of_others() -> None:
    """At the start of each turn, what its seat can conquer of another seat is what threatens that one, at its price."""
    seen = 0
    for state in starts("standard", 4):
        conquests = {action.province for action in legal_actions(state) if isinstance(action, Conquer)}
        places, prices = policy.targets(state)
        assert conquests <= set(places)
        for seat in state.seats():
            if seat == state.actor:
                continue
            named = threats(state, seat)
            for province, price in zip(places, prices, strict=True):
                holder = state.owner(province)
                if holder is not None and holder.seat == seat:
                    seen += 1
                    assert named[province] <= price
            assert all(owner is not None and owner.seat == seat for owner in map(state.owner, named))
    assert seen > 50


def test_vp_at_risk() -> None:
    """Provinces beside a foe with enough pawns are at risk, others are not; a foe without pawns threatens nothing."""
    text = "tiny; seat 1 | BAR+CUR reserve=3 ARA=1; seat 2 | DIP+REN BOS={}; seat 3 | WEA+MIL FEN=1"
    near, seat = position.read(text.format(6)), Seat(0)
    arable = near.board.index["ARA"]
    assert threats(near, seat) == {arable: near.board.cost[arable] + 1}
    assert vp_at_risk(near, seat) == land_vp(near.board, near.active[0]) > 0
    poor = position.read(text.format(1))
    assert threats(poor, seat) == {}
    assert vp_at_risk(poor, seat) == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_decline_vp_is_what_a_decline_scores(edition: str) -> None:
    """The rules log it; the position is not changed before."""
    seen = 0
    for state in starts(edition, 5):
        if DECLINE in legal_actions(state):
            vp = decline_vp(state)
            seat, before = state.actor, state.vp[state.actor]
            log: list[Event] = []
            play(state, DECLINE, FastChance(1), log)
            (scored,) = [event for event in log if isinstance(event, Scored)]
            seen += 1
            assert (seat, vp, before + vp) == (scored.seat, scored.vp, state.vp[seat])
    assert seen > 20
    with pytest.raises(ValueError, match="no active empire"):
        decline_vp(new_game(load_board("tiny"), options((False,) * 3), FastChance(1)))


def test_final_vp_grows_with_incomes_and_ends_at_the_score() -> None:
    """Nobody loses VP; with more income a seat gains more; when the game is over it is the score."""
    state = starts("standard", 6)[8]
    now = final_vp(state)
    assert all(end >= vp for end, vp in zip(now, state.vp, strict=True))
    assert max(now) > max(state.vp)
    assert rounds_left(state) > 0
    chance, random = FastChance(1), Random(1)
    policy.play_on(state, chance, random, policy.trained(), 1.0)
    assert final_vp(state) == state.vp
