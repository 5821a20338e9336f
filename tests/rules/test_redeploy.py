"""Redeployment: survivors after the turn of another seat (R-REDEP)."""

import pytest

from tests.support.rules import active, allowed, at, legal, of_kind, pawns, play, province, provinces, refused, seat
from vinci_rules.actions import Redeploy
from vinci_rules.engine import check, open_decision, suggestion
from vinci_rules.events import EmpireCollapsed, Redeployed, SurvivorsInReserve
from vinci_rules.violations import NotHeld, NotNow, WrongNumberOfPawns, WrongPlacement

THIRD = "seat 3 | AST+SLA"
# seat 1 can take COL from two sides; seat 2 has provinces to fall back on
ATTACK = f"tiny; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | GAL+CUR COL=3 DOL=1 ERB=2; {THIRD}; neutral -"


@pytest.mark.rule("R-REDEP-1")
def test_survivors_are_placed_when_the_attackers_turn_is_over() -> None:
    """The defender decides after the attacker has reorganised and scored, before the next turn."""
    state = at(ATTACK)
    play(state, "x COL")
    assert (state.actor, state.phase, state.survivors) == (seat(1), "conquer", [0, 2, 0])
    play(state, "hold ARA=5 COL=5")
    assert (state.actor, state.phase, state.vp[0]) == (seat(2), "redeploy", 12)
    [event] = of_kind(Redeployed, play(state, "redeploy DOL=2"))
    assert event.seat == seat(2)
    assert not event.automatic
    assert (state.actor, state.phase, state.survivors) == (seat(2), "start", [0, 0, 0])
    assert pawns(state, "DOL", "ERB") == [1, 1]
    assert active(state, 2).reserve == 3


@pytest.mark.rule("R-REDEP-1")
@pytest.mark.parametrize("action", ["redeploy DOL=2", "redeploy ERB=2", "redeploy DOL=1 ERB=1"])
def test_survivors_are_distributed_freely(action: str) -> None:
    """Any distribution over the provinces of the active empire is legal."""
    state = at(ATTACK)
    play(state, "x COL", "hold ARA=5 COL=5")
    assert allowed(state, action)


@pytest.mark.rule("R-REDEP-1")
@pytest.mark.parametrize(("action", "placed"), [("redeploy DOL=1", 1), ("redeploy DOL=2 ERB=1", 3)])
def test_exactly_the_survivors_are_placed(action: str, placed: int) -> None:
    """Exactly the survivors are placed, on top of garrisons that stay where they are."""
    state = at(ATTACK)
    play(state, "x COL", "hold ARA=5 COL=5")
    assert refused(state, action) == WrongNumberOfPawns("R-REDEP-1", placed=placed, least=2, most=2)


@pytest.mark.rule("R-REDEP-1")
def test_garrisons_do_not_move() -> None:
    """The pawns redeployed add to the garrisons; seat 3 shows it, as its turn comes later."""
    state = at("tiny; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | GAL+CUR; seat 3 | AST+SLA COL=4 DOL=2 ERB=3; neutral -")
    play(state, "x COL", "hold ARA=1 COL=9", "redeploy DOL=1 ERB=2")
    assert pawns(state, "DOL", "ERB") == [3, 5]


@pytest.mark.rule("R-REDEP-1")
@pytest.mark.parametrize("action", ["redeploy DOL=1 DOL=1", "redeploy DOL=2 ERB=0"])
def test_each_province_is_named_once_with_a_pawn(action: str) -> None:
    """Naming a province twice or with no pawn is no placement."""
    state = at(ATTACK)
    play(state, "x COL", "hold ARA=5 COL=5")
    violation = refused(state, action)
    assert isinstance(violation, WrongPlacement)
    assert violation.rule == "R-REDEP-1"


@pytest.mark.rule("R-REDEP-1")
def test_survivors_go_to_the_active_empire_only() -> None:
    """Not into the seat's declined empire, a province lost or a province of another seat."""
    state = at(
        """tiny; seat 1 | BAR+MIL reserve=9 BOS; seat 2 | GAL+CUR COL=3 ARA=1 FEN=1 | - HAM; seat 3 | AST+SLA;
        neutral -"""
    )
    play(state, "x COL", "hold BOS=5 COL=5")
    for code in ("HAM", "COL", "BOS", "DOL"):
        assert refused(state, f"redeploy ARA=1 {code}=1") == NotHeld("R-REDEP-1", province(state, code))


@pytest.mark.rule("R-REDEP-1")
def test_a_lost_province_does_not_return_when_the_attacker_gives_it_up() -> None:
    """The province belongs to nobody then, and survivors cannot go back there."""
    state = at(
        f"tiny; rules FR give_up=free; neutral -; seat 1 | BAR+MIL reserve=9 ARA;"
        f"seat 2 | GAL+CUR COL=3 DOL=1 ERB=2; {THIRD}"
    )
    play(state, "x COL", "hold ARA=10")
    assert state.owner(state.board.index["COL"]) is None
    assert refused(state, "redeploy COL=2") == NotHeld("R-REDEP-1", province(state, "COL"))
    play(state, "redeploy ERB=2")
    assert provinces(state, active(state, 2)) == {"DOL", "ERB"}


@pytest.mark.rule("R-REDEP-1")
def test_one_decision_covers_all_attacks_of_the_turn() -> None:
    """Survivors of two provinces are placed together."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=10 ARA; seat 2 | GAL+CUR COL=2 DOL=1 ERB=3 GOR=1; {THIRD}; neutral -")
    play(state, "x COL", "x ERB")
    assert state.survivors == [0, 3, 0]
    play(state, "hold ARA=9 COL=1 ERB=1", "redeploy DOL=2 GOR=1")
    assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.rule("R-REDEP-1")
def test_seats_redeploy_in_seat_order_after_the_attacker() -> None:
    """After an attack by seat 2 seat 3 redeploys before seat 1; after that the turn goes on to seat 3."""
    state = at(
        """tiny; turn 2; seat 1 | GAL+CUR FEN=1 ARA=2 BOS=1; seat 2 | BAR+MIL reserve=9 COL;
        seat 3 | AST+SLA DOL=1 ERB=2 HAM=1"""
    )
    play(state, "x ARA", "x ERB", "hold ARA=4 COL=5 ERB=1")
    assert (state.actor, state.phase) == (seat(3), "redeploy")
    play(state, "redeploy HAM=1")
    assert (state.actor, state.phase) == (seat(1), "redeploy")
    play(state, "redeploy BOS=1")
    assert (state.actor, state.phase) == (seat(3), "start")
    assert pawns(state, "FEN", "BOS") == [1, 2]


@pytest.mark.rule("R-REDEP-1")
def test_the_drawn_order_of_play_counts() -> None:
    """In the order 2 1 3 an attack by seat 2 lets seat 1 redeploy before seat 3."""
    state = at(
        """tiny; order 2 1 3; turn 2; seat 1 | GAL+CUR FEN=1 ARA=2 BOS=1; seat 2 | BAR+MIL reserve=9 COL;
        seat 3 | AST+SLA DOL=1 ERB=2 HAM=1"""
    )
    play(state, "x ARA", "x ERB", "hold ARA=4 COL=5 ERB=1")
    assert state.actor == seat(1)
    play(state, "redeploy BOS=1")
    assert (state.actor, state.phase) == (seat(3), "redeploy")


@pytest.mark.rule("R-REDEP-1")
def test_no_decision_with_one_province_left() -> None:
    """All survivors go to the only province."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | GAL+CUR COL=4 DOL=2; {THIRD}; neutral -")
    [event] = of_kind(Redeployed, play(state, "x COL", "hold ARA=1 COL=9"))
    assert event.pawns == ((province(state, "DOL"), 3),)
    assert (state.actor, state.phase) == (seat(2), "start")
    assert active(state, 2).reserve == 2 + 3 - 1


@pytest.mark.rule("R-REDEP-1")
def test_no_decision_without_survivors() -> None:
    """A province of one pawn leaves none to redeploy."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | GAL+CUR COL=1 DOL=1 ERB=2; {THIRD}; neutral -")
    events = play(state, "x COL", "hold ARA=5 COL=5")
    assert of_kind(Redeployed, events) == []
    assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.rule("R-REDEP-1")
def test_a_declined_province_leaves_no_survivors() -> None:
    """Its only pawn is lost, so its seat has nothing to place."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | HER+CUR DOL=1 ERB=1 | - BOS COL; {THIRD}")
    play(state, "x COL", "hold ARA=5 COL=5")
    assert state.survivors == [0, 0, 0]
    assert state.phase == "start"


@pytest.mark.rule("R-REDEP-1")
def test_only_a_redeployment_is_legal_then() -> None:
    """The seat that redeploys does nothing else first."""
    state = at(ATTACK)
    play(state, "x COL", "hold ARA=5 COL=5")
    assert open_decision(state) == "redeploy"
    assert legal(state) == []
    assert refused(state, "hold DOL=1 ERB=2") == NotNow("redeploy", ("redeploy",))


@pytest.mark.rule("R-REDEP-1", "R-FORFEIT-3")
def test_the_suggested_redeployment_is_legal() -> None:
    """The suggestion places all survivors for an even defence: attacks on DOL and ERB cost 4 each."""
    state = at(ATTACK)
    play(state, "x COL", "hold ARA=5 COL=5")
    suggested = suggestion(state)
    assert check(state, suggested) is None
    assert suggested == Redeploy(((province(state, "DOL"), 1), (province(state, "ERB"), 1)))


# Without a province


@pytest.mark.rule("R-REDEP-2")
def test_survivors_without_a_province_join_the_reserve() -> None:
    """A seat that lost all its provinces enters anew with what is left."""
    state = at("tiny; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | GAL+CUR COL=4; seat 3 | AST+SLA; neutral -")
    events = play(state, "x COL", "hold ARA=5 COL=5")
    assert of_kind(SurvivorsInReserve, events) == [SurvivorsInReserve(seat(2), 3)]
    assert of_kind(Redeployed, events) == []
    assert (state.actor, state.phase) == (seat(2), "start")
    assert active(state, 2).reserve == 3
    assert [action for action in legal(state) if action.startswith("x ")] == ["x FEN", "x GOR"]


@pytest.mark.rule("R-REDEP-2", "R-SCORE-2")
def test_a_declined_empire_gives_survivors_no_home() -> None:
    """With only a declined province left survivors join the reserve."""
    state = at("tiny; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | GAL+CUR COL=4 | - HAM; seat 3 | AST+SLA; neutral -")
    play(state, "x COL", "hold ARA=5 COL=5")
    assert active(state, 2).reserve == 3
    assert pawns(state, "HAM") == [1]


@pytest.mark.rule("R-REDEP-2", "R-LAND-2")
def test_automatic_decline_removes_survivors() -> None:
    """With `auto_decline` the survivors of an empire that lost its last province leave the game."""
    state = at("tiny; rules NL; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | GAL+CUR COL=4; seat 3 | AST+SLA; neutral -")
    events = play(state, "x COL", "hold ARA=5 COL=5")
    assert of_kind(EmpireCollapsed, events) == [EmpireCollapsed(seat(2), 3)]
    assert of_kind(SurvivorsInReserve, events) == []
    assert active(state, 2).reserve == 0


# Automatic


AUTOMATIC = "tiny; rules standard redeployment=automatic; neutral -; seat 1 | BAR+GAL reserve=12 DOL"


@pytest.mark.rule("R-REDEP-3")
def test_automatic_redeployment_needs_no_decision() -> None:
    """With `redeployment = automatic` survivors are placed at once and the next turn starts."""
    state = at(f"{AUTOMATIC}; seat 2 | MED+CUR; seat 3 | LIV+SLA ERB=3 HAM=1 GOR=1")
    [event] = of_kind(Redeployed, play(state, "x ERB", "hold DOL=12 ERB=1"))
    assert event == Redeployed(seat(3), ((province(state, "GOR"), 1), (province(state, "HAM"), 1)), automatic=True)
    assert pawns(state, "GOR", "HAM") == [2, 2]
    assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.rule("R-REDEP-3")
@pytest.mark.parametrize(
    ("defender", "survivors", "after"),
    [
        ("GOR=1 HAM=1", 1, [1, 2]),  # attacks cost 4 in GOR, 3 in HAM
        ("GOR=1 HAM=3", 1, [2, 3]),  # 4 and 5
        ("GOR=2^ HAM=2", 2, [2, 4]),  # 6 and 4, then 5
        ("GOR=4 HAM=1", 3, [4, 4]),  # 7 and 3, 4, 5
    ],
)
def test_automatic_redeployment_evens_the_defence(defender: str, survivors: int, after: list[int]) -> None:
    """Pawn by pawn the province that is cheapest to attack gets one; terrain and forts count."""
    state = at(f"{AUTOMATIC}; seat 2 | MED+CUR; seat 3 | FOR+SLA ERB={survivors + 1} {defender}")
    play(state, "x ERB", "hold DOL=12 ERB=1")
    assert pawns(state, "GOR", "HAM") == after


@pytest.mark.rule("R-REDEP-3", "R-DUMMY-4")
def test_automatic_ties_go_to_entry_provinces_when_a_civilization_is_announced() -> None:
    """While another seat has a civilization without land FEN, open to entry, comes before ERB at the front."""
    state = at(f"{AUTOMATIC}; seat 2 | MED+CUR reserve=2; seat 3 | MIL+SLA COL=2 ERB=1 FEN=1")
    play(state, "x COL", "hold DOL=1 COL=12")
    assert pawns(state, "ERB", "FEN") == [1, 2]


@pytest.mark.rule("R-REDEP-3", "R-DUMMY-4")
def test_automatic_ties_go_to_the_front_without_an_announced_civilization() -> None:
    """Of equal defences HAM, next to an enemy, comes before ARA, which touches none."""
    state = at(f"{AUTOMATIC}; seat 2 | MED+CUR GOR; seat 3 | MIL+SLA ARA=1 ERB=2 HAM=1")
    play(state, "x ERB", "hold DOL=1 ERB=12")
    assert pawns(state, "ARA", "HAM") == [1, 2]


@pytest.mark.rule("R-REDEP-3", "R-DUMMY-4")
@pytest.mark.parametrize(
    ("traits", "after"), [("MIL+LIV", [1, 2]), ("MIL+SLA", [2, 1])], ids=["more valuable", "board order"]
)
def test_automatic_ties_go_to_value_and_then_to_board_order(traits: str, after: list[int]) -> None:
    """Away from the front the more valuable province comes first, then the lowest in board order."""
    state = at(f"{AUTOMATIC}; seat 2 | MED+CUR GOR; seat 3 | {traits} ARA=1 ERB=2 FEN=1")
    play(state, "x ERB", "hold DOL=1 ERB=12")
    assert pawns(state, "ARA", "FEN") == after
