"""Reorganisation: free distribution, cohesion, giving up, forts (R-REORG)."""

import pytest

from tests.support.rules import active, allowed, at, cost, of_kind, pawns, play, province, provinces, refused, seat
from vinci_rules import notation
from vinci_rules.actions import Hold
from vinci_rules.engine import check, suggestion
from vinci_rules.events import Reorganised, Scored
from vinci_rules.state import State
from vinci_rules.violations import (
    NoFortHere,
    NotConnected,
    NotHeld,
    TooManyForts,
    WrongNumberOfPawns,
    WrongNumberOfProvinces,
    WrongPlacement,
)

OTHERS = "seat 2 | BAR+CUR; seat 3 | AST+SLA"


def named(state: State, *codes: str) -> int:
    """Return the set of these provinces."""
    return state.board.set_named(codes)


@pytest.mark.rule("R-REORG-1", "R-MOB-5")
def test_reorganisation_ends_the_conquests() -> None:
    """After it the seat conquers no more and the next seat has its turn."""
    state = at(f"tiny; turn 1 conquer; seat 1 | WEA+MIL reserve=3 ARA BOS; {OTHERS}")
    play(state, "hold ARA=3 BOS=2")
    assert pawns(state, "ARA", "BOS") == [3, 2]
    assert active(state, 1).reserve == 0
    assert (state.actor, state.phase) == (seat(2), "start")


@pytest.mark.rule("R-REORG-1")
@pytest.mark.parametrize("action", ["hold ARA=1 BOS=6", "hold ARA=6 BOS=1", "hold ARA=3 BOS=4"])
def test_pawns_are_distributed_freely(action: str) -> None:
    """Garrisons and reserve together go to the provinces as the seat likes."""
    state = at(f"tiny; turn 1 conquer; seat 1 | WEA+MIL reserve=2 ARA=4 BOS=1; {OTHERS}")
    assert allowed(state, action)


@pytest.mark.rule("R-REORG-1")
def test_pawns_placed_by_conquests_are_distributed_too() -> None:
    """The pawns that a conquest cost are not spent: they lie in the province and are distributed with the others."""
    state = at(f"tiny; seat 1 | BAR+MIL reserve=8 ARA; {OTHERS}; neutral BOS")
    play(state, "x BOS")
    assert pawns(state, "ARA", "BOS") == [1, 4]
    play(state, "hold ARA=8 BOS=1")
    assert pawns(state, "ARA", "BOS") == [8, 1]


@pytest.mark.rule("R-REORG-1")
@pytest.mark.parametrize(("action", "placed"), [("hold ARA=3 BOS=3", 6), ("hold ARA=4 BOS=4", 8), ("hold", 0)])
def test_no_pawn_is_held_back(action: str, placed: int) -> None:
    """Exactly the pawns that there are must be placed."""
    state = at(f"tiny; turn 1 conquer; seat 1 | WEA+MIL reserve=2 ARA=4 BOS=1; {OTHERS}")
    assert refused(state, action) == WrongNumberOfPawns("R-REORG-1", placed=placed, least=7, most=7)


@pytest.mark.rule("R-REORG-1")
def test_pawns_go_only_to_provinces_of_the_active_empire() -> None:
    """Neither a free province nor one of the seat's own declined empire takes pawns."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=4 FEN | - COL; {OTHERS}; neutral -")
    assert refused(state, "hold FEN=4 ARA=1") == NotHeld("R-REORG-1", province(state, "ARA"))
    assert refused(state, "hold FEN=4 COL=1") == NotHeld("R-REORG-1", province(state, "COL"))


@pytest.mark.rule("R-REORG-1")
@pytest.mark.parametrize(("action", "wrong"), [("hold ARA=2 BOS=2 ARA=2", "ARA"), ("hold ARA=6 BOS=0", "BOS")])
@pytest.mark.parametrize("edition", ["standard", "NL"])
def test_a_province_is_named_once_with_one_pawn_or_more(edition: str, action: str, wrong: str) -> None:
    """Naming a province twice or with no pawn is no placement."""
    state = at(f"tiny; rules {edition}; seat 1 | WEA+MIL reserve=4 ARA BOS; {OTHERS}")
    assert refused(state, action) == WrongPlacement("R-REORG-1", province(state, wrong))


@pytest.mark.rule("R-REORG-1")
def test_pawns_stay_in_reserve_when_no_province_is_held() -> None:
    """A seat that could not enter ends its conquests and keeps its pawns in reserve."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=1; {OTHERS}; neutral ARA BOS COL ERB FEN HAM")
    play(state, "hold")
    assert active(state, 1).reserve == 1
    assert state.actor == seat(2)


@pytest.mark.rule("R-REORG-1")
def test_general_leaves_a_seat_that_could_not_enter_as_well() -> None:
    """General's pawns leave the reserve, and what is left stays there."""
    state = at("tiny; seat 1 | GEN+MIL reserve=9; seat 2 | BAR+SPE ARA=8 GOR=7; seat 3 | AST+WEA FEN=8")
    play(state, "hold")
    assert active(state, 1).reserve == 2


@pytest.mark.rule("R-REORG-1")
def test_generals_pawns_leave_before_the_distribution() -> None:
    """Seven pawns of each General are gone when the others are placed."""
    state = at(f"tiny; turn 1 conquer; seat 1 | GEN+WEA reserve=6 ARA=3 BOS=1; {OTHERS}")
    assert refused(state, "hold ARA=5 BOS=5") == WrongNumberOfPawns("R-REORG-1", placed=10, least=3, most=3)
    [event] = of_kind(Reorganised, play(state, "hold ARA=1 BOS=2"))
    assert event.by_general == 7
    assert pawns(state, "ARA", "BOS") == [1, 2]


@pytest.mark.rule("R-REORG-1")
def test_two_generals_take_fourteen_pawns_back() -> None:
    """General beside Specialization takes back 14."""
    state = at(f"tiny; turn 1 conquer; seat 1 | GEN+SPE reserve=9 ARA=8; {OTHERS}")
    [event] = of_kind(Reorganised, play(state, "hold ARA=3"))
    assert event.by_general == 14
    assert pawns(state, "ARA") == [3]


@pytest.mark.rule("R-REORG-1", "R-MOB-4")
def test_general_lends_and_takes_back_each_turn() -> None:
    """From one turn to the next an empire with General keeps its own number of pawns."""
    state = at(f"tiny; turn 3; seat 1 | GEN+WEA ARA=4; {OTHERS}")
    play(state, "hold")
    assert active(state, 1).reserve == 3 + 7
    play(state, "hold ARA=4")
    assert pawns(state, "ARA") == [4]


@pytest.mark.rule("R-REORG-1", "R-REORG-3")
def test_seat_without_own_pawns_keeps_no_province() -> None:
    """Every conquered province is given up without a decision if all pawns came from General."""
    state = at(f"tiny; seat 1 | GEN+WEA reserve=7; {OTHERS}; neutral -")
    play(state, "x ARA", "x COL")
    assert refused(state, "hold ARA=1") == WrongNumberOfPawns("R-REORG-1", placed=1, least=0, most=0)
    [event] = of_kind(Reorganised, play(state, "hold"))
    assert event.given_up == named(state, "ARA", "COL")
    assert provinces(state, active(state, 1)) == set()
    assert (pawns(state, "ARA", "COL"), active(state, 1).reserve) == ([0, 0], 0)


# Cohesion


@pytest.mark.rule("R-REORG-2")
def test_the_provinces_kept_must_be_connected() -> None:
    """Of an empire in two parts only one part can be kept; a shared coast does not connect."""
    state = at(f"tiny; rules standard; turn 1 conquer; seat 1 | WEA+MIL FEN=3 BOS=2 DOL=2; {OTHERS}")
    assert refused(state, "hold BOS=3 DOL=2 FEN=2") == NotConnected(named(state, "BOS", "DOL"))
    assert allowed(state, "hold FEN=7")
    assert allowed(state, "hold BOS=4 DOL=3")


@pytest.mark.rule("R-REORG-2", "R-CONQ-2")
def test_a_strait_connects() -> None:
    """Adjacency by strait holds an empire together like a land border."""
    assert allowed(at(f"tiny; seat 1 | WEA+MIL reserve=2 ARA FEN; {OTHERS}"), "hold ARA=2 FEN=2")


@pytest.mark.rule("R-REORG-2")
def test_own_decline_does_not_connect() -> None:
    """A declined province between two parts of the active empire does not link them."""
    state = at(f"tiny; turn 1 conquer; seat 1 | HER+MIL FEN=3 COL=2 | - ARA; {OTHERS}")
    assert refused(state, "hold FEN=2 COL=3") == NotConnected(named(state, "COL"))


@pytest.mark.rule("R-REORG-2")
@pytest.mark.parametrize("edition", ["standard", "FR", "WEB", "NL split_empire=regroup"])
@pytest.mark.parametrize("action", ["hold FEN=9", "hold COL=9"])
def test_regroup_brings_all_pawns_into_the_part_kept(edition: str, action: str) -> None:
    """With `regroup` the pawns of the other part join the part kept, whichever it is."""
    state = at(f"tiny; rules {edition}; turn 1 conquer; seat 1 | WEA+MIL reserve=2 FEN=4 COL=3; {OTHERS}")
    [event] = of_kind(Reorganised, play(state, action))
    assert event.lost == 0
    assert sum(pawns(state, "FEN", "COL")) == 9


@pytest.mark.rule("R-REORG-2")
@pytest.mark.parametrize("edition", ["NL", "DE", "standard split_empire=lose"])
@pytest.mark.parametrize(("code", "kept", "lost"), [("FEN", 6, 3), ("COL", 5, 4)])
def test_lose_takes_the_garrisons_of_the_other_parts(edition: str, code: str, kept: int, lost: int) -> None:
    """With `lose` only the reserve joins the garrisons of the part kept."""
    state = at(f"tiny; rules {edition}; turn 1 conquer; seat 1 | WEA+MIL reserve=2 FEN=4 COL=3; {OTHERS}")
    assert refused(state, f"hold {code}=9") == WrongNumberOfPawns("R-REORG-1", placed=9, least=kept, most=kept)
    [event] = of_kind(Reorganised, play(state, f"hold {code}={kept}"))
    assert event.lost == lost
    assert sum(pawns(state, "FEN", "COL")) == kept


@pytest.mark.rule("R-REORG-2")
def test_lose_takes_no_pawn_from_a_connected_empire() -> None:
    """With `lose` a connected empire places all its pawns."""
    state = at(f"tiny; rules NL; turn 1 conquer; seat 1 | WEA+MIL reserve=2 FEN=4 ARA=1 COL=3; {OTHERS}")
    [event] = of_kind(Reorganised, play(state, "hold FEN=2 ARA=6 COL=2"))
    assert event.lost == 0


@pytest.mark.rule("R-REORG-2", "R-REORG-3")
def test_lose_with_free_spares_pawns_of_given_up_provinces_in_the_part_kept() -> None:
    """Keeping one province of a part keeps the pawns of the whole part and loses those of the others."""
    state = at(f"tiny; rules NL; turn 1 conquer; seat 1 | WEA+MIL FEN=2 ARA=2 COL=3 HAM=4; {OTHERS}")
    [event] = of_kind(Reorganised, play(state, "hold ARA=7"))
    assert event.lost == 4
    assert event.given_up == named(state, "FEN", "COL", "HAM")


@pytest.mark.rule("R-REORG-2")
def test_lose_takes_general_from_the_reserve_first() -> None:
    """With seven pawns or more in reserve General takes none from garrisons, so the number to place is fixed."""
    state = at(f"tiny; rules NL; turn 1 conquer; seat 1 | GEN+WEA reserve=9 FEN=1 COL=2; {OTHERS}")
    assert refused(state, "hold FEN=2") == WrongNumberOfPawns("R-REORG-1", placed=2, least=3, most=3)
    [event] = of_kind(Reorganised, play(state, "hold FEN=3"))
    assert (event.by_general, event.lost) == (7, 2)


@pytest.mark.rule("R-REORG-2")
@pytest.mark.parametrize(
    ("code", "least", "most"),
    [("FEN", 5, 7), ("COL", 3, 5)],
    ids=["4 leave from FEN, or 2 and 2 from COL", "4 leave from COL, or 2 and 2 from FEN"],
)
def test_lose_lets_the_seat_choose_where_general_leaves(code: str, least: int, most: int) -> None:
    """General's last four pawns leave from this part or the other one, and the number placed tells."""
    other = {"FEN": "COL", "COL": "FEN"}[code]
    text = f"tiny; rules NL; turn 1 conquer; seat 1 | GEN+WEA reserve=3 {code}={least + 4} {other}=2; {OTHERS}"
    for number in (least - 1, most + 1):
        assert refused(at(text), f"hold {code}={number}") == WrongNumberOfPawns("R-REORG-1", number, least, most)
    for number in range(least, most + 1):
        state = at(text)
        [event] = of_kind(Reorganised, play(state, f"hold {code}={number}"))
        assert (event.by_general, event.lost) == (7, most - number)
        assert pawns(state, code, other) == [number, 0]


@pytest.mark.rule("R-REORG-2")
def test_lose_lets_all_of_general_leave_from_the_part_lost() -> None:
    """Check that the part kept need not return any pawn of General if the part lost is large enough."""
    text = f"tiny; rules DE; turn 1 conquer; seat 1 | GEN+WEA reserve=3 FEN=6 COL=6; {OTHERS}"
    assert refused(at(text), "hold FEN=1") == WrongNumberOfPawns("R-REORG-1", placed=1, least=2, most=6)
    state = at(text)
    [event] = of_kind(Reorganised, play(state, "hold FEN=6"))
    assert (event.by_general, event.lost) == (7, 2)


@pytest.mark.rule("R-REORG-2")
@pytest.mark.parametrize("rules", ["NL split_empire=lose_at_end", "DE split_empire=lose_at_end"])
def test_lose_at_end_lets_pawns_be_moved_out_of_parts_that_are_lost(rules: str) -> None:
    """All pawns may join the part kept, or any number but all of them be left in the others and lost."""
    text = f"europe; rules {rules}; turn 1 conquer; seat 1 | BAR+WEA NEU=3 AQU=2 POL=4; {OTHERS}"
    state = at(text)
    [event] = of_kind(Reorganised, play(state, "hold NEU=7 AQU=2"))
    assert (event.lost, event.given_up) == (0, named(state, "POL"))
    assert refused(at(text), "hold NEU=8 AQU=2") == WrongNumberOfPawns("R-REORG-1", placed=10, least=1, most=9)
    assert refused(at(text), "hold") == WrongNumberOfPawns("R-REORG-1", placed=0, least=1, most=9)
    assert refused(at(text), "hold NEU=7 POL=2") == NotConnected(named(state, "NEU"))
    [event] = of_kind(Reorganised, play(at(text), "hold POL=1"))
    assert event.lost == 8


@pytest.mark.rule("R-REORG-2", "R-REORG-3")
def test_lose_at_end_keeps_the_provinces_that_the_pawns_placed_suffice_for() -> None:
    """With `only_if_forced` two pawns keep two provinces of three; a connected empire places all pawns."""
    rules = "rules standard split_empire=lose_at_end; turn 1 conquer"
    text = f"tiny; {rules}; seat 1 | WEA+MIL FEN=2 ARA=2 BOS=2 HAM=4; {OTHERS}"
    assert refused(at(text), "hold ARA=2") == WrongNumberOfProvinces(1, 2, named(at(text), "FEN", "ARA", "BOS"))
    assert allowed(at(text), "hold ARA=1 BOS=1")
    assert allowed(at(text), "hold FEN=2 ARA=4 BOS=4")
    whole = at(f"tiny; {rules}; seat 1 | WEA+MIL FEN=2 ARA=2 BOS=2; {OTHERS}")
    assert refused(whole, "hold FEN=2 ARA=2 BOS=1") == WrongNumberOfPawns("R-REORG-1", placed=5, least=6, most=6)


@pytest.mark.rule("R-REORG-2")
def test_lose_at_end_takes_general_from_any_garrison() -> None:
    """General's pawns leave before the others are moved; where from does not matter."""
    state = at(
        f"tiny; rules NL split_empire=lose_at_end; turn 1 conquer; seat 1 | GEN+WEA reserve=3 FEN=6 COL=6; {OTHERS}"
    )
    assert refused(state, "hold FEN=9") == WrongNumberOfPawns("R-REORG-1", placed=9, least=1, most=8)
    [event] = of_kind(Reorganised, play(state, "hold FEN=8"))
    assert (event.by_general, event.lost) == (7, 0)
    nothing = f"tiny; rules NL split_empire=lose_at_end; turn 1 conquer; seat 1 | GEN+WEA FEN=3 COL=4; {OTHERS}"
    assert allowed(at(nothing), "hold")
    assert refused(at(nothing), "hold FEN=1") == WrongNumberOfPawns("R-REORG-1", placed=1, least=0, most=0)


@pytest.mark.rule("R-REORG-2")
def test_regroup_leaves_no_choice_to_general() -> None:
    """With `regroup` it does not matter where General's pawns leave: all others are placed."""
    state = at(f"tiny; turn 1 conquer; seat 1 | GEN+WEA reserve=3 FEN=6 COL=6; {OTHERS}")
    assert refused(state, "hold FEN=6") == WrongNumberOfPawns("R-REORG-1", placed=6, least=8, most=8)
    assert allowed(state, "hold FEN=8")


@pytest.mark.rule("R-REORG-2")
@pytest.mark.parametrize("traits", ["AST+WEA", "AST+SPE"])
def test_astronomy_connects_by_seas(traits: str) -> None:
    """With Astronomy provinces on the same or connected seas hold together, on other seas they do not."""
    state = at(f"tiny; rules standard; seat 1 | {traits} reserve=3 FEN BOS DOL; seat 2 | BAR+CUR; seat 3 | LIV+SLA")
    assert allowed(state, "hold BOS=2 DOL=2 FEN=2")
    lake = at(f"tiny; rules standard; seat 1 | {traits} reserve=3 FEN ERB; seat 2 | BAR+CUR; seat 3 | LIV+SLA")
    assert refused(lake, "hold ERB=2 FEN=3") == NotConnected(named(lake, "ERB"))


@pytest.mark.rule("R-REORG-2")
def test_astronomy_loses_no_pawn_over_a_sea() -> None:
    """With `lose` an empire that Astronomy holds together places all its pawns."""
    state = at("tiny; rules NL; seat 1 | AST+WEA reserve=3 FEN BOS; seat 2 | BAR+CUR; seat 3 | LIV+SLA")
    [event] = of_kind(Reorganised, play(state, "hold BOS=3 FEN=2"))
    assert event.lost == 0


@pytest.mark.rule("R-REORG-2")
@pytest.mark.parametrize("edition", ["standard", "NL"])
@pytest.mark.parametrize("who", ["| MES+WEA", "| MES+SPE", "dummy | MIL+WEA"])
def test_messages_and_dummies_ignore_cohesion(edition: str, who: str) -> None:
    """An empire with Messages, or of a dummy, keeps scattered provinces and loses no pawn."""
    state = at(f"tiny; rules {edition}; seat 1 {who} reserve=3 FEN COL HAM; {OTHERS}")
    [event] = of_kind(Reorganised, play(state, "hold FEN=3 COL=2 HAM=1"))
    assert (event.lost, event.given_up) == (0, 0)


@pytest.mark.rule("R-REORG-2")
def test_between_turns_an_empire_may_be_split() -> None:
    """An empire cut in two by an attack keeps both parts, pawns included, until it reorganises itself."""
    state = at("tiny; rules NL; seat 1 | WEA+MIL reserve=9 BOS; seat 2 | BAR+CUR COL=3 ARA=1 FEN=3; seat 3 | AST+SLA")
    play(state, "x ARA", "hold BOS=5 ARA=5")
    assert (state.actor, state.phase) == (seat(2), "start")
    assert provinces(state, active(state, 2)) == {"COL", "FEN"}
    assert active(state, 2).reserve == 4
    assert refused(state, "hold COL=3 FEN=3") == NotConnected(named(state, "COL"))


@pytest.mark.rule("R-REORG-2")
def test_a_split_empire_can_join_again_before_it_reorganises() -> None:
    """The link counts when it is there at reorganisation, conquered this very turn."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=5 COL FEN; {OTHERS}; neutral -")
    assert isinstance(refused(state, "hold COL=4 FEN=3"), NotConnected)
    play(state, "x ARA")
    assert allowed(state, "hold ARA=1 COL=3 FEN=3")


# Giving up


@pytest.mark.rule("R-REORG-3")
@pytest.mark.parametrize("edition", ["standard", "FR", "WEB", "NL give_up=only_if_forced"])
def test_only_if_forced_keeps_every_province_of_the_part(edition: str) -> None:
    """With `only_if_forced` and pawns enough no province of the part may be given up."""
    state = at(f"tiny; rules {edition}; seat 1 | WEA+MIL reserve=2 ARA BOS COL; {OTHERS}")
    assert refused(state, "hold ARA=2 BOS=3") == WrongNumberOfProvinces(
        kept=2, needed=3, part=named(state, "ARA", "BOS", "COL")
    )
    assert allowed(state, "hold ARA=2 BOS=2 COL=1")


@pytest.mark.rule("R-REORG-3")
def test_only_if_forced_binds_within_the_part_that_is_kept() -> None:
    """Of a split empire the seat chooses the part, and then keeps all of it."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=2 FEN ARA HAM; {OTHERS}")
    assert allowed(state, "hold HAM=5")
    assert allowed(state, "hold ARA=4 FEN=1")
    assert refused(state, "hold ARA=5") == WrongNumberOfProvinces(kept=1, needed=2, part=named(state, "ARA", "FEN"))


@pytest.mark.rule("R-REORG-3")
def test_only_if_forced_binds_messages_to_all_provinces() -> None:
    """An empire that ignores cohesion is one part: with pawns enough all of it is kept."""
    state = at(f"tiny; seat 1 | MES+MIL reserve=2 FEN ARA HAM; {OTHERS}")
    assert refused(state, "hold HAM=5") == WrongNumberOfProvinces(
        kept=1, needed=3, part=named(state, "ARA", "FEN", "HAM")
    )


@pytest.mark.rule("R-REORG-3")
def test_with_fewer_pawns_than_provinces_the_seat_chooses_which() -> None:
    """With n pawns for more provinces exactly n connected ones are kept, of the seat's choice."""
    text = f"tiny; turn 1 conquer; seat 1 | GEN+WEA reserve=5 ARA=1 FEN=1 COL=1 BOS=1; {OTHERS}"
    for kept in ("ARA=1 FEN=1", "ARA=1 COL=1", "BOS=1 COL=1", "ARA=1 BOS=1"):
        state = at(text)
        play(state, f"hold {kept}")
        assert provinces(state, active(state, 1)) == {kept[:3], kept[6:9]}
    state = at(text)
    assert refused(state, "hold COL=1 FEN=1") == NotConnected(named(state, "COL"))
    assert refused(state, "hold ARA=2") == WrongNumberOfProvinces(
        kept=1, needed=2, part=named(state, "ARA", "BOS", "COL", "FEN")
    )


@pytest.mark.rule("R-REORG-3")
@pytest.mark.parametrize("who", ["| GEN+MES", "dummy | GEN+WEA"])
def test_exempt_empire_gives_up_any_provinces(who: str) -> None:
    """With fewer pawns than provinces an exempt empire keeps any of them, connected or not."""
    state = at(f"tiny; turn 1 conquer; seat 1 {who} reserve=5 ARA=1 FEN=1 COL=1 HAM=1; {OTHERS}")
    assert allowed(state, "hold FEN=1 HAM=1")
    assert isinstance(refused(state, "hold FEN=2"), WrongNumberOfProvinces)


@pytest.mark.rule("R-REORG-3", "R-CONQ-5")
def test_provinces_conquered_for_zero_need_a_pawn_to_be_kept() -> None:
    """Conquests without a pawn can leave more provinces than pawns, and then some are given up."""
    state = at(f"tiny; seat 1 | WEA+MIL reserve=1 DOL; {OTHERS}; neutral -")
    play(state, "x COL", "x ERB")
    assert pawns(state, "DOL", "COL", "ERB") == [1, 0, 0]
    assert active(state, 1).reserve == 1
    assert refused(state, "hold COL=2") == WrongNumberOfProvinces(
        kept=1, needed=2, part=named(state, "DOL", "COL", "ERB")
    )
    play(state, "hold COL=1 ERB=1")
    assert provinces(state, active(state, 1)) == {"COL", "ERB"}
    assert pawns(state, "DOL") == [0]


@pytest.mark.rule("R-REORG-3")
@pytest.mark.parametrize("edition", ["NL", "DE", "standard give_up=free"])
@pytest.mark.parametrize("action", ["hold ARA=5", "hold COL=5", "hold BOS=2 COL=3", "hold ARA=2 BOS=2 COL=1"])
def test_free_keeps_any_connected_provinces(edition: str, action: str) -> None:
    """With `free` provinces may be given up although pawns would suffice."""
    state = at(f"tiny; rules {edition}; seat 1 | WEA+MIL reserve=2 ARA BOS COL; {OTHERS}")
    assert allowed(state, action)


@pytest.mark.rule("R-REORG-3", "R-REORG-4")
def test_free_still_wants_a_connected_empire_and_every_pawn_placed() -> None:
    """With `free` a province that is given up does not link, and no pawn stays behind."""
    state = at(f"tiny; rules NL; seat 1 | WEA+MIL reserve=2 ARA FEN COL; {OTHERS}")
    assert refused(state, "hold FEN=2 COL=3") == NotConnected(named(state, "COL"))
    assert refused(state, "hold ARA=4") == WrongNumberOfPawns("R-REORG-1", placed=4, least=5, most=5)
    assert refused(state, "hold") == WrongNumberOfPawns("R-REORG-1", placed=0, least=5, most=5)


@pytest.mark.rule("R-REORG-3")
def test_free_with_messages_keeps_any_provinces() -> None:
    """With `free` an empire that ignores cohesion keeps any provinces at all."""
    assert allowed(at(f"tiny; rules NL; seat 1 | MES+MIL reserve=2 ARA FEN COL; {OTHERS}"), "hold FEN=2 COL=3")


@pytest.mark.rule("R-REORG-3")
def test_reorganisation_without_land_is_empty() -> None:
    """Without a province the only reorganisation is an empty one."""
    state = at(f"tiny; seat 1 | WEA+MIL; {OTHERS}")
    assert refused(state, "hold ARA=1") == NotHeld("R-REORG-1", province(state, "ARA"))
    assert allowed(state, "hold")


# Provinces without a pawn


@pytest.mark.rule("R-REORG-4")
def test_province_given_up_is_empty() -> None:
    """It holds no pawn, not even a neutral one, scores nothing, and its fort is removed."""
    state = at(f"tiny; rules NL; seat 1 | FOR+WEA reserve=2 ARA^ BOS^ COL; {OTHERS}")
    [scored] = of_kind(Scored, play(state, "hold BOS=4 COL=1"))
    assert scored.vp == 2
    assert state.owner(state.board.index["ARA"]) is None
    assert (pawns(state, "ARA"), state.neutral & named(state, "ARA")) == ([0], 0)
    assert state.forts == named(state, "BOS")


@pytest.mark.rule("R-REORG-4")
def test_forts_of_parts_that_are_lost_are_removed() -> None:
    """The fort of a province in a part that is not kept goes with the province."""
    state = at(f"tiny; seat 1 | FOR+WEA reserve=2 FEN^ COL^; {OTHERS}")
    play(state, "hold COL=4")
    assert state.forts == named(state, "COL")


@pytest.mark.rule("R-REORG-4")
def test_an_empty_province_does_not_link_parts() -> None:
    """A linking province conquered for 0 pawns connects only if it gets a pawn."""
    state = at(f"tiny; turn 1 conquer; seat 1 | WEA+MIL COL=1 ARA=0 FEN=1; {OTHERS}")
    assert refused(state, "hold COL=1 FEN=1") == NotConnected(named(state, "COL"))
    assert allowed(state, "hold COL=1 ARA=1")
    assert allowed(state, "hold FEN=1 ARA=1")


# Forts


@pytest.mark.rule("R-REORG-5")
def test_a_fort_may_be_placed_in_a_province_kept() -> None:
    """With Forts one province gets a fort, or none does."""
    text = f"tiny; seat 1 | FOR+WEA reserve=2 ARA BOS; {OTHERS}"
    state = at(text)
    [event] = of_kind(Reorganised, play(state, "hold ARA=2 BOS=2 fort BOS"))
    assert event.forts == (province(state, "BOS"),)
    assert state.forts == named(state, "BOS")
    state = at(text)
    play(state, "hold ARA=2 BOS=2")
    assert state.forts == 0


@pytest.mark.rule("R-REORG-5")
@pytest.mark.parametrize(
    ("traits", "forts", "copies"),
    [("MIL+WEA", "ARA", 0), ("FOR+WEA", "ARA BOS", 1), ("FOR+SPE", "ARA BOS COL", 2)],
)
def test_at_most_one_fort_for_each_copy(traits: str, forts: str, copies: int) -> None:
    """Each copy of Forts places one fort a turn, and an empire without it none."""
    state = at(f"tiny; seat 1 | {traits} reserve=2 ARA BOS COL; {OTHERS}")
    assert refused(state, f"hold ARA=2 BOS=2 COL=1 fort {forts}") == TooManyForts(len(forts.split()), copies)


@pytest.mark.rule("R-REORG-5")
@pytest.mark.parametrize("forts", ["ARA BOS", "ARA COL", "COL"])
def test_two_copies_place_two_forts_or_fewer(forts: str) -> None:
    """Forts beside Specialization build in two different provinces, or in one."""
    state = at(f"tiny; seat 1 | FOR+SPE reserve=2 ARA BOS COL; {OTHERS}")
    play(state, f"hold ARA=2 BOS=2 COL=1 fort {forts}")
    assert state.forts == named(state, *forts.split())


@pytest.mark.rule("R-REORG-5")
@pytest.mark.parametrize(
    ("forts", "wrong"), [("ARA", "ARA"), ("BOS BOS", "BOS"), ("ERB", "ERB"), ("FEN", "FEN"), ("BOS FEN", "FEN")]
)
def test_a_fort_needs_a_province_kept_that_has_none(forts: str, wrong: str) -> None:
    """Not where a fort stands, not twice in one province, not in a province given up or never held."""
    state = at(f"tiny; rules NL; seat 1 | FOR+SPE reserve=2 ARA^ BOS FEN; {OTHERS}")
    assert refused(state, f"hold ARA=2 BOS=3 fort {forts}") == NoFortHere(province(state, wrong))


@pytest.mark.rule("R-REORG-5")
def test_forts_come_last() -> None:
    """A fort is placed with the reorganisation, so conquests start from it on the next turn at the earliest."""
    state = at(f"tiny; seat 1 | FOR+MIL reserve=4 ARA; {OTHERS}; neutral -")
    assert cost(state, "BOS") == 3
    play(state, "hold ARA=5 fort ARA")
    play(state, "hold", "hold", "x BOS")
    assert pawns(state, "BOS") == [2]


@pytest.mark.rule("R-REORG-5", "R-CONQ-3")
def test_a_fort_always_counts_one() -> None:
    """Two copies of Forts do not make a fort stronger, neither in defence nor as an origin."""
    state = at("tiny; seat 1 | BAR+MIL reserve=9 COL; seat 2 | FOR+SPE ARA=1^; seat 3 | AST+SLA; neutral -")
    play(state, "x ARA")
    assert pawns(state, "ARA") == [2 + 1 + 1]
    state = at("tiny; seat 1 | FOR+SPE reserve=9 ARA^; seat 2 | BAR+MIL; seat 3 | AST+SLA; neutral -")
    play(state, "x BOS")
    assert pawns(state, "BOS") == [3 - 1]


@pytest.mark.rule("R-REORG-5")
def test_the_supply_of_forts_is_unlimited() -> None:
    """An empire with a fort in every province but one may place one there too."""
    state = at(f"tiny; seat 1 | FOR+BAR reserve=3 ARA^ BOS^ COL^ DOL^ ERB^ FEN^ GOR^ HAM; {OTHERS}")
    play(state, "hold ARA=4 BOS=1 COL=1 DOL=1 ERB=1 FEN=1 GOR=1 HAM=1 fort HAM")
    assert state.forts.bit_count() == 8


# Suggestions


@pytest.mark.rule("R-REORG-1", "R-REORG-2", "R-REORG-3", "R-FORFEIT-3")
@pytest.mark.parametrize("edition", ["standard", "NL", "standard give_up=free", "standard split_empire=lose"])
@pytest.mark.parametrize(
    "empire",
    [
        "WEA+MIL reserve=4 ARA=1 BOS=2",
        "WEA+MIL FEN=3 COL=2 HAM=4",
        "WEA+MIL ARA=0 FEN=1 COL=1",
        "WEA+MIL DOL=1 COL=0 ERB=0 BOS=0",
        "GEN+WEA reserve=3 FEN=9 COL=2",
        "GEN+WEA reserve=3 FEN=2 COL=9",
        "GEN+WEA reserve=1 FEN=3 COL=3 HAM=3",
        "GEN+WEA FEN=4 COL=3",
        "GEN+WEA FEN=4 ARA=2 COL=1 BOS=1",
        "GEN+SPE reserve=4 FEN=6 COL=7",
        "GEN+MES reserve=5 FEN=1 COL=1 HAM=1",
        "AST+WEA reserve=2 FEN=1 BOS=1 HAM=1",
        "MES+WEA reserve=2 FEN=1 BOS=1 HAM=1",
        "FOR+SPE reserve=2 FEN=1^ ARA=1",
        "WEA+MIL",
    ],
)
def test_the_suggested_reorganisation_is_legal(edition: str, empire: str) -> None:
    """The suggestion is a legal reorganisation of any empire."""
    state = at(f"tiny; rules {edition}; turn 1 conquer; seat 1 | {empire}; seat 2 | BAR+CUR; seat 3 | LIV+SLA")
    hold = suggestion(state)
    assert isinstance(hold, Hold)
    assert check(state, hold) is None
    assert hold.forts == ()
    play(state, notation.write(hold, state.board))
    assert state.actor == seat(2)
