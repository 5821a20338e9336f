"""Peace by Diplomacy (R-PEACE)."""

import pytest

from tests.support.rules import allowed, at, legal, of_kind, pawns, play, province, refused, seat
from vinci_rules.events import PeaceNamed
from vinci_rules.violations import AtPeace, NoMorePeace, NotAnOpponent, NotNow

DIPLOMAT = "seat 1 | DIP+MIL reserve=9 COL"
OTHERS = "seat 2 | BAR+SPI ARA ERB; seat 3 | AST+SLA DOL"
THIRD = "seat 3 | AST+SLA DOL"
FREE = "neutral -"


@pytest.mark.rule("R-PEACE-1")
def test_diplomacy_names_an_opponent() -> None:
    """A seat with Diplomacy declares peace first and then continues its turn."""
    state = at(f"tiny; {DIPLOMAT}; {OTHERS}; {FREE}")
    assert legal(state)[:3] == ["decline", "peace 2", "peace 3"]
    assert of_kind(PeaceNamed, play(state, "peace 2")) == [PeaceNamed(seat(1), seat(2))]
    assert state.named == ((seat(2),), (), ())
    assert state.phase == "peace"
    assert allowed(state, "x BOS")
    assert allowed(state, "abandon COL")
    assert allowed(state, "hold COL=10")


@pytest.mark.rule("R-PEACE-1")
def test_peace_needs_diplomacy() -> None:
    """An empire without Diplomacy declares no peace."""
    state = at(f"tiny; seat 1 | HER+MIL reserve=9 COL; {OTHERS}; {FREE}")
    assert refused(state, "peace 2") == NoMorePeace(copies=0)
    assert NoMorePeace.rule == "R-PEACE-1"
    assert not [action for action in legal(state) if action.startswith("peace")]


@pytest.mark.rule("R-PEACE-1")
def test_one_copy_names_one_opponent() -> None:
    """With one copy of Diplomacy a second opponent is refused."""
    state = at(f"tiny; {DIPLOMAT}; {OTHERS}; {FREE}")
    play(state, "peace 2")
    assert refused(state, "peace 3") == NoMorePeace(copies=1)
    assert not [action for action in legal(state) if action.startswith("peace")]


@pytest.mark.rule("R-PEACE-1")
@pytest.mark.parametrize(("rules", "civilization"), [("standard", "DIP+SPE"), ("FR", "DIP+DIP")])
def test_two_copies_name_two_opponents(rules: str, civilization: str) -> None:
    """With two copies of Diplomacy two different opponents are named, and no third one."""
    state = at(f"tiny; rules {rules}; seat 1 | {civilization} reserve=9 COL; {OTHERS}; seat 4 | MED+MES; {FREE}")
    play(state, "peace 2")
    assert refused(state, "peace 2") == NotAnOpponent(seat(2))
    assert [action for action in legal(state) if action.startswith("peace")] == ["peace 3", "peace 4"]
    play(state, "peace 3")
    assert state.named[0] == (seat(2), seat(3))
    assert refused(state, "peace 4") == NoMorePeace(copies=2)
    assert refused(state, "x ARA") == AtPeace(province(state, "ARA"), seat(2))
    assert refused(state, "x DOL") == AtPeace(province(state, "DOL"), seat(3))


@pytest.mark.rule("R-PEACE-1")
def test_the_second_copy_can_be_left_out() -> None:
    """With two copies a seat may name only one opponent."""
    state = at(f"tiny; seat 1 | DIP+SPE reserve=9 COL; {OTHERS}; {FREE}")
    play(state, "peace 3", "x ARA")
    assert state.named[0] == (seat(3),)
    assert isinstance(refused(state, "peace 2"), NotNow)


@pytest.mark.rule("R-PEACE-1")
@pytest.mark.parametrize("number", [1, 4])
def test_only_opponents_are_named(number: int) -> None:
    """Peace is not for oneself, nor for a seat that does not exist."""
    state = at(f"tiny; {DIPLOMAT}; {OTHERS}; {FREE}")
    assert refused(state, f"peace {number}") == NotAnOpponent(seat(number))
    assert NotAnOpponent.rule == "R-PEACE-1"


@pytest.mark.rule("R-PEACE-1", "R-FORFEIT-1")
def test_a_seat_that_left_the_game_is_not_named() -> None:
    """There is no peace with a seat that has forfeited."""
    state = at(f"tiny; {DIPLOMAT}; {OTHERS}; seat 4 forfeited=1 | MED+MES; {FREE}")
    assert refused(state, "peace 4") == NotAnOpponent(seat(4))
    assert "peace 4" not in legal(state)


@pytest.mark.rule("R-PEACE-1", "R-MOB-5")
def test_no_peace_after_a_conquest() -> None:
    """After a conquest no peace can be declared."""
    state = at(f"tiny; {DIPLOMAT}; {OTHERS}; {FREE}")
    play(state, "x ARA")
    assert state.named[0] == ()
    assert refused(state, "peace 2") == NotNow("conquer", ("x", "hold"))


@pytest.mark.rule("R-PEACE-1")
def test_peace_comes_before_abandoning() -> None:
    """After a province is abandoned nobody is named any more."""
    state = at(f"tiny; {DIPLOMAT} BOS; {OTHERS}; {FREE}")
    play(state, "abandon BOS")
    assert isinstance(refused(state, "peace 2"), NotNow)


@pytest.mark.rule("R-PEACE-1")
def test_peace_is_named_on_the_entry_turn_too() -> None:
    """An empire that has not entered the board yet names an opponent, and enters elsewhere."""
    state = at(f"tiny; seat 1 | DIP+MIL reserve=15; {OTHERS}; {FREE}")
    play(state, "peace 2")
    assert refused(state, "x ARA") == AtPeace(province(state, "ARA"), seat(2))
    assert allowed(state, "x FEN")


@pytest.mark.rule("R-PEACE-1")
def test_peace_is_named_after_the_opening_draft() -> None:
    """The turn right after the choice of a civilization begins with a peace, too."""
    state = at("tiny; round 0; seat 1; seat 2; seat 3; market DIP+MIL AGR+LIV MIN+POR CUR+SLA WEA+SPI FOR+GAL")
    play(state, "take 1", "take 1", "take 1", "peace 3")
    assert state.named == ((seat(3),), (), ())


@pytest.mark.rule("R-PEACE-1")
def test_the_opponent_need_not_be_on_the_board() -> None:
    """Peace can be declared with a seat that holds no province, and then binds what it conquers."""
    state = at("tiny; seat 1 | DIP+MIL reserve=9 COL; seat 2 | BAR+SPI reserve=9; seat 3 | AST+SLA DOL; neutral -")
    play(state, "peace 2", "hold COL=10")
    play(state, "x ARA")
    assert refused(state, "x COL") == AtPeace(province(state, "COL"), seat(1))


@pytest.mark.rule("R-PEACE-1", "R-CONQ-8")
def test_naming_seat_cannot_attack_the_named_one() -> None:
    """The empire that named an opponent conquers no province of it, while others stay open."""
    state = at(f"tiny; turn 1 conquer; seat 1 peace=2 | DIP+MIL reserve=9 COL; {OTHERS}; {FREE}")
    assert refused(state, "x ARA") == AtPeace(province(state, "ARA"), seat(2))
    assert refused(state, "x ERB") == AtPeace(province(state, "ERB"), seat(2))
    assert AtPeace.rule == "R-PEACE-1"
    assert [action for action in legal(state) if action.startswith("x")] == ["x BOS", "x DOL"]


@pytest.mark.rule("R-PEACE-1")
def test_named_seat_cannot_attack_the_naming_one() -> None:
    """The opponent named conquers no province of the active empire that named it, not even by Spies."""
    state = at(f"tiny; turn 2 start; seat 1 peace=2 | DIP+MIL COL; seat 2 | BAR+SPI reserve=9 ARA; {THIRD}; {FREE}")
    assert refused(state, "x COL") == AtPeace(province(state, "COL"), seat(1))
    assert refused(state, "x COL spy") == AtPeace(province(state, "COL"), seat(1))
    assert allowed(state, "x BOS")


@pytest.mark.rule("R-PEACE-1")
def test_peace_does_not_bind_third_seats() -> None:
    """A seat that is not named attacks both, and both attack it."""
    parties = "seat 1 peace=2 | DIP+MIL {} COL; seat 2 | BAR+SPI {} ERB; seat 3 | AST+SLA {} DOL; neutral -"
    state = at(f"tiny; turn 3 start; {parties.format('', '', 'reserve=9')}")
    assert allowed(state, "x COL")
    assert allowed(state, "x ERB")
    assert allowed(at(f"tiny; turn 1 conquer; {parties.format('reserve=9', '', '')}"), "x DOL")
    assert allowed(at(f"tiny; turn 2 start; {parties.format('', 'reserve=9', '')}"), "x DOL")


@pytest.mark.rule("R-PEACE-1")
def test_declined_empires_are_not_covered() -> None:
    """In peace each active empire still conquers provinces of the other's declined empire."""
    state = at(
        "tiny; turn 1 conquer; seat 1 peace=2 | DIP+MIL reserve=9 COL | - FEN;"
        "seat 2 | BAR+SPI HAM | - BOS; seat 3 | AST+SLA; neutral -"
    )
    play(state, "x BOS")
    assert pawns(state, "BOS") == [4]
    state = at(
        "tiny; turn 2 start; seat 1 peace=2 | DIP+MIL COL | - FEN;"
        "seat 2 | BAR+SPI reserve=9 ARA | - HAM; seat 3 | AST+SLA; neutral -"
    )
    play(state, "x FEN")
    assert pawns(state, "FEN") == [3]


@pytest.mark.rule("R-PEACE-1")
def test_peace_lasts_until_the_next_turn_starts() -> None:
    """Peace holds through the turns of the others and is over when the turn of the seat that named starts again."""
    state = at(
        "tiny; turn 2 conquer; seat 1 peace=2 | DIP+MIL COL=9; seat 2 | BAR+SPI reserve=3 ARA; seat 3 | AST+SLA DOL=5;"
        "neutral -"
    )
    play(state, "hold ARA=4")
    assert state.at_peace(seat(1), seat(2))
    play(state, "hold DOL=5")
    assert not state.at_peace(seat(1), seat(2))
    assert allowed(state, "x ARA")


@pytest.mark.rule("R-PEACE-1")
def test_the_other_attacks_again_unless_it_is_named_again() -> None:
    """A seat that was named in one round and not in the next is free to attack."""
    state = at(
        "tiny; turn 3 conquer; seat 1 peace=2 | DIP+MIL COL=9; seat 2 | BAR+SPI ARA=13; seat 3 | AST+SLA DOL=5;"
        "neutral -"
    )
    again = state.copy()
    play(state, "hold DOL=5", "hold COL=9")
    assert allowed(state, "x COL")
    play(again, "hold DOL=5", "peace 2", "hold COL=9")
    assert refused(again, "x COL") == AtPeace(province(again, "COL"), seat(1))


@pytest.mark.rule("R-PEACE-1")
def test_no_peace_in_a_turn_of_decline() -> None:
    """A decline ends the old peace, allows no new one, and leaves the provinces open to conquest."""
    state = at(
        "tiny; turn 3 conquer; seat 1 peace=2 | DIP+MIL COL=9; seat 2 | BAR+SPI ARA=13; seat 3 | AST+SLA DOL=5;"
        "neutral -; market DIP+HER AGR+LIV MIN+POR CUR+WEA FOR+GAL MED+MES"
    )
    play(state, "hold DOL=5", "decline")
    assert isinstance(refused(state, "peace 2"), NotNow)
    play(state, "take 1")
    assert state.named == ((), (), ())
    assert allowed(state, "x COL")


@pytest.mark.rule("R-PEACE-1")
def test_a_decline_by_renaissance_does_not_end_the_peace() -> None:
    """After a decline at the end of the turn the peace goes on until the next turn, but the declined land is open."""
    state = at(
        "tiny; turn 1 peace; seat 1 peace=2 | DIP+REN reserve=9 COL; seat 2 | BAR+SPI ARA=13; seat 3 | AST+SLA DOL=5;"
        "neutral -"
    )
    play(state, "hold COL=10", "decline", "take 1")
    assert state.named[0] == (seat(2),)
    assert allowed(state, "x COL")


@pytest.mark.rule("R-PEACE-1", "R-CONQ-7")
def test_spies_respect_peace() -> None:
    """Spies do not conquer what peace protects."""
    state = at(f"tiny; turn 1 peace; seat 1 peace=3 | DIP+SPI reserve=9 COL; seat 2 | BAR+MIL ARA; {THIRD}; {FREE}")
    assert refused(state, "x DOL spy") == AtPeace(province(state, "DOL"), seat(3))
    assert allowed(state, "x ARA spy")
