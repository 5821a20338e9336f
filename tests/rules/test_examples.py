"""The worked examples of section 9, step by step on the Europe board."""

import pytest

from tests.support.rules import active, allowed, at, cost, legal, of_kind, pawns, play, provinces, refused, seat
from vinci_rules.events import Conquered, Redeployed, Reorganised, Scored, ScoreItem, TurnStarted
from vinci_rules.state import State
from vinci_rules.violations import NotEnoughPawns, OutOfReach

OTHERS = "seat 2 | BAR+CUR; seat 3 | WEA+SLA"


def example() -> State:
    """Four seats: thirteen pawns about to enter, against an active empire in Baetica, Castile, Aquitaine, Lusitania."""
    return at("""
        europe; round 2; order 1 3 4 2; turn 1 start;
        seat 1 | HER+REN reserve=13;
        seat 2 | BAR+CUR BAE=2 CAS=1 AQU=1 LUS=1;
        seat 3 | AGR+POR;
        seat 4 | MIN+LIV
    """)


@pytest.mark.rule("R-DRAFT-4")
def test_heritage_and_renaissance_give_thirteen_pawns_to_each_of_four_seats() -> None:
    """4 + 3 + 6 = 13."""
    market = "market HER+REN BAR+DIP AST+WEA MED+LIV REV+GAL MIN+POR"
    state = at(f"europe; round 0; seat 1; seat 2; seat 3; seat 4; {market}")
    play(state, "take 1")
    assert active(state, 1).reserve == 13


@pytest.mark.rule("R-ENTRY-2", "R-CONQ-1", "R-CONQ-3", "R-CONQ-4")
def test_four_conquests_cost_five_three_two_and_two() -> None:
    """Baetica from the sea, up to the Pyrenees, down from the mountain into Castile and Aquitaine."""
    state = example()
    paid = []
    for code, price, left in [("BAE", 5, 8), ("PYR", 3, 5), ("CAS", 2, 3), ("AQU", 2, 1)]:
        assert cost(state, code) == price
        (event,) = of_kind(Conquered, play(state, f"x {code}"))
        assert pawns(state, code) == [price]
        assert active(state, 1).reserve == left
        paid.append(event.cost)
    assert paid == [5, 3, 2, 2]
    assert provinces(state, state.active[0]) == {"BAE", "PYR", "CAS", "AQU"}


@pytest.mark.rule("R-CONQ-3")
def test_the_pawn_left_is_too_few_for_more() -> None:
    """With one pawn no further conquest is affordable."""
    state = example()
    play(state, "x BAE", "x PYR", "x CAS", "x AQU")
    assert legal(state) == []
    assert refused(state, "x PRO") == NotEnoughPawns("R-CONQ-3", state.board.index["PRO"], needed=2, available=1)


@pytest.mark.rule("R-CONQ-6", "R-REDEP-1")
def test_the_defender_loses_three_pawns_and_places_one_survivor() -> None:
    """One pawn dies in each of three provinces; the second one of Baetica is placed in Lusitania, the only one left."""
    state = example()
    events = of_kind(Conquered, play(state, "x BAE", "x PYR", "x CAS", "x AQU"))
    assert [(event.held, event.defender, event.lost, event.survivors) for event in events] == [
        ("active", seat(2), 1, 1),
        ("nobody", None, 0, 0),
        ("active", seat(2), 1, 0),
        ("active", seat(2), 1, 0),
    ]
    assert state.survivors == [0, 1, 0, 0]
    (event,) = of_kind(Redeployed, play(state, "hold BAE=4 PYR=2 CAS=4 AQU=3", "stay"))
    assert (event.seat, event.pawns) == (seat(2), ((state.board.index["LUS"], 1),))
    assert provinces(state, state.active[1]) == {"LUS"}
    assert pawns(state, "LUS") == [5 - 3]
    assert state.survivors == [0, 0, 0, 0]


@pytest.mark.rule("R-REORG-1")
def test_the_attacker_spreads_thirteen_pawns_over_four_provinces() -> None:
    """All thirteen are placed, no fewer and no more, and three provinces score: the Pyrenees do not."""
    state = example()
    play(state, "x BAE", "x PYR", "x CAS", "x AQU")
    for other in ("hold BAE=4 PYR=2 CAS=4 AQU=2", "hold BAE=4 PYR=2 CAS=4 AQU=4", "hold BAE=5 PYR=4 CAS=4"):
        assert not allowed(state, other)
    events = play(state, "hold BAE=4 PYR=2 CAS=4 AQU=3")
    (reorganised,) = of_kind(Reorganised, events)
    assert sum(number for _, number in reorganised.pawns) == 13
    assert pawns(state, "BAE", "PYR", "CAS", "AQU") == [4, 2, 4, 3]
    assert active(state, 1).reserve == 0
    (scored,) = of_kind(Scored, events)
    index = state.board.index
    assert scored.items == tuple(ScoreItem("active", "province", index[code], 1) for code in ("CAS", "BAE", "AQU"))
    assert state.vp[0] == 13


@pytest.mark.rule("R-DECL-1")
def test_the_next_seat_plays_after_the_attacker_stays() -> None:
    """Renaissance asks for a decline at the end of the turn; then the next turn starts."""
    state = example()
    play(state, "x BAE", "x PYR", "x CAS", "x AQU", "hold BAE=4 PYR=2 CAS=4 AQU=3")
    assert (state.phase, legal(state)) == ("renaissance", ["decline", "stay"])
    (event,) = of_kind(TurnStarted, play(state, "stay"))
    assert (event.seat, event.round) == (seat(3), 2)


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(("traits", "price"), [("HER+REN", 1), ("WEA+REN", 0)])
def test_an_empty_plain_from_a_mountain(traits: str, price: int) -> None:
    """An empty plain costs 2, from a mountain 1, with one Weapons 0."""
    state = at(
        f"europe; turn 1 conquer; seat 1 | {traits} reserve=5 PYR; seat 2 | BAR+CUR; seat 3 | AST+SLA; neutral -"
    )
    assert cost(state, "AQU") == price
    (event,) = of_kind(Conquered, play(state, "x AQU"))
    assert event.cost == price


@pytest.mark.rule("R-CONQ-3")
def test_a_fort_on_a_mountain_makes_an_attack_from_it_two_cheaper() -> None:
    """A plain with two pawns costs 4 from a plain, 3 from a mountain and 2 from a fortified one."""
    rest = "seat 2 | BAR+CUR AQU=2; seat 3 | AST+SLA; neutral -"
    assert cost(at(f"europe; turn 1 conquer; seat 1 | HER+REN reserve=5 NEU; {rest}"), "AQU") == 4
    assert cost(at(f"europe; turn 1 conquer; seat 1 | HER+REN reserve=5 PYR; {rest}"), "AQU") == 3
    assert cost(at(f"europe; turn 1 conquer; seat 1 | HER+REN reserve=5 PYR^; {rest}"), "AQU") == 2


@pytest.mark.rule("R-ENTRY-1", "R-ENTRY-3", "R-CONQ-4", "R-REORG-2")
def test_astronomy_goes_from_ireland_to_norway_and_naples() -> None:
    """Three provinces that touch linked seas are conquered, and kept as one connected empire."""
    state = at(f"europe; turn 1 start; seat 1 | AST+REN reserve=16; {OTHERS}")
    for code, price in [("IRL", 2 + 1), ("NOR", 3), ("NAP", 2 + 1)]:
        assert cost(state, code) == price
        play(state, f"x {code}")
    play(state, "hold IRL=6 NOR=5 NAP=5")
    assert provinces(state, state.active[0]) == {"IRL", "NOR", "NAP"}


@pytest.mark.rule("R-CONQ-8")
def test_without_astronomy_norway_is_out_of_reach_of_ireland() -> None:
    """From Ireland others go to Scotland and Mercia only."""
    state = at(f"europe; turn 1 start; seat 1 | HER+REN reserve=15; {OTHERS}")
    play(state, "x IRL")
    violation = refused(state, "x NOR")
    assert isinstance(violation, OutOfReach)
    assert state.board.codes_of(violation.reachable) == ("SCO", "MER")
