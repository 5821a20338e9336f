"""The editions of section 12: the value of each option, each option by itself, and what the values change."""

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
)
from vinci_rules import position
from vinci_rules.data import LANGUAGES
from vinci_rules.editions import EDITIONS, NUMBERS, OptionError, option_kinds, options, texts
from vinci_rules.engine import explain
from vinci_rules.events import CivilizationTaken, Reorganised, Scored, TurnStarted
from vinci_rules.market import full_bag
from vinci_rules.position import PositionError
from vinci_rules.scoring import land_vp
from vinci_rules.traits import KINDS, TRAIT_BY_CODE, codes_of
from vinci_rules.violations import InContact, OwnHeritage

PLAYERS = (False, False, False)
OTHERS = "seat 2 | LIV+CUR; seat 3 | POR+SLA"

TABLE = {  # option: its values in standard, FR, NL, DE, WEB
    "own_decline_contact": ("evacuate", "evacuate", "forbid", "forbid", "evacuate"),
    "heritage_conquest": ("allowed", "allowed", "forbidden", "forbidden", "allowed"),
    "landless_empire": ("choice", "choice", "auto_decline", "auto_decline_no_pawn", "choice"),
    "landless_entry": ("forced", "forced", "forced", "forced", "free"),
    "split_empire": ("regroup", "regroup", "lose", "lose", "regroup"),
    "give_up": ("only_if_forced", "only_if_forced", "free", "free", "only_if_forced"),
    "galleys_on_entry": ("yes", "yes", "yes", "no", "no"),
    "forts_by_sea": ("no", "no", "no", "no", "no"),
    "identical_pair": ("redraw", "keep", "redraw", "redraw", "keep"),
    "deck": ("author", "printed", "printed", "printed", "author"),
    "redeployment": ("manual", "manual", "manual", "manual", "manual"),
    "decline_score": ("lasting", "lasting", "lasting", "lasting", "lasting"),
    "dummy_tie": ("random", "random", "random", "random", "random"),
    "dummy_preference": ("value", "value", "value", "value", "value"),
    "dummy_spies": ("always", "always", "always", "always", "always"),
}
VALUES = {
    "own_decline_contact": ("evacuate", "forbid"),
    "heritage_conquest": ("allowed", "forbidden"),
    "landless_empire": ("choice", "auto_decline", "auto_decline_no_pawn"),
    "split_empire": ("regroup", "lose", "lose_at_end"),
    "give_up": ("only_if_forced", "free"),
    "landless_entry": ("forced", "free"),
    "galleys_on_entry": ("yes", "no", "astronomy"),
    "forts_by_sea": ("no", "yes"),
    "identical_pair": ("redraw", "keep"),
    "deck": ("author", "printed"),
    "redeployment": ("manual", "automatic"),
    "decline_score": ("lasting", "all"),
    "dummy_tie": ("random", "real_player"),
    "dummy_preference": ("value", "formula"),
    "dummy_spies": ("always", "tie"),
}
EVERY_VALUE = [(name, value) for name, values in VALUES.items() for value in values]


def rules_with(name: str, value: str) -> list[str]:
    """Every way to come to this value: the editions that have it, and each of the others with the option set."""
    own = dict(zip(EDITIONS, TABLE[name], strict=True))
    return [edition if own[edition] == value else f"{edition} {name}={value}" for edition in EDITIONS]


# The table


def test_there_are_five_editions_and_fifteen_options() -> None:
    """The table of section 12 is complete, and no option is outside it."""
    assert EDITIONS == ("standard", "FR", "NL", "DE", "WEB")
    assert [kind.name for kind in option_kinds()] == list(TABLE)
    assert {kind.name: kind.values for kind in option_kinds()} == VALUES


def test_each_option_and_value_has_a_name_in_each_language() -> None:
    """Clients show what the table of texts says; a text that no option or value uses is a mistake."""
    assert set(texts("option")) == {*TABLE, *NUMBERS}
    assert set(texts("value")) == {value for _name, value in EVERY_VALUE}
    for text in (*texts("edition").values(), *texts("option").values(), *texts("value").values()):
        assert all(text.names[language] for language in LANGUAGES), text.code


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("edition", EDITIONS)
def test_each_edition_has_its_values(edition: str, name: str) -> None:
    """Cell by cell."""
    assert getattr(options(PLAYERS, edition), name) == TABLE[name][EDITIONS.index(edition)]


def test_standard_is_the_default() -> None:
    """Neither a new game nor a position must name an edition."""
    assert options(PLAYERS) == options(PLAYERS, "standard")
    assert at(f"tiny; seat 1 | BAR+MIL; {OTHERS}").options.edition == "standard"


@pytest.mark.parametrize(("name", "value"), EVERY_VALUE)
@pytest.mark.parametrize("edition", EDITIONS)
def test_each_option_can_be_set_by_itself(edition: str, name: str, value: str) -> None:
    """The option takes the value, all others keep those of the edition, in Python and in a position alike."""
    state = at(f"tiny; rules {edition} {name}={value}; seat 1 | BAR+MIL; {OTHERS}")
    for chosen in (options(PLAYERS, edition, **{name: value}), state.options):
        assert getattr(chosen, name) == value
        for other in TABLE:
            if other != name:
                assert getattr(chosen, other) == TABLE[other][EDITIONS.index(edition)]
    assert position.read(position.write(state)) == state


def test_unknown_editions_options_and_values_are_refused() -> None:
    """The refusal names what is known."""
    with pytest.raises(OptionError, match="standard, FR, NL, DE, WEB"):
        options(PLAYERS, "UK")
    with pytest.raises(OptionError, match="give_up"):
        options(PLAYERS, give_upp="free")
    with pytest.raises(OptionError, match="only_if_forced, free"):
        options(PLAYERS, give_up="never")
    with pytest.raises(PositionError, match="only_if_forced, free"):
        at(f"tiny; rules NL give_up=never; seat 1 | BAR+MIL; {OTHERS}")


# What each value changes


@pytest.mark.rule("R-CONTACT-1")
@pytest.mark.parametrize("rules", rules_with("own_decline_contact", "evacuate"))
def test_own_decline_contact_evacuate(rules: str) -> None:
    """A conquest beside the own decline empties it there."""
    state = at(f"tiny; rules {rules}; seat 1 | BAR+MIL reserve=9 FEN | - COL HAM; {OTHERS}; neutral -")
    play(state, "x ARA")
    assert provinces(state, state.declined[0]) == {"HAM"}


@pytest.mark.rule("R-CONTACT-2")
@pytest.mark.parametrize("rules", rules_with("own_decline_contact", "forbid"))
def test_own_decline_contact_forbid(rules: str) -> None:
    """A conquest beside the own decline is illegal."""
    state = at(f"tiny; rules {rules}; seat 1 | BAR+MIL reserve=9 FEN | - COL HAM; {OTHERS}; neutral -")
    assert refused(state, "x ARA") == InContact(province(state, "ARA"), state.board.set_named(["COL"]))


@pytest.mark.rule("R-CONTACT-3")
@pytest.mark.parametrize("rules", rules_with("heritage_conquest", "allowed"))
def test_heritage_conquest_allowed(rules: str) -> None:
    """With Heritage the own decline can be conquered."""
    state = at(f"tiny; rules {rules}; seat 1 | HER+MIL reserve=9 FEN | - ARA; {OTHERS}; neutral -")
    assert cost(state, "ARA") == 3
    assert allowed(state, "x ARA")


@pytest.mark.rule("R-CONTACT-3")
@pytest.mark.parametrize("rules", rules_with("heritage_conquest", "forbidden"))
def test_heritage_conquest_forbidden(rules: str) -> None:
    """With Heritage contact is allowed, but not the conquest of the own decline."""
    state = at(f"tiny; rules {rules}; seat 1 | HER+MIL reserve=9 FEN | - ARA HAM; {OTHERS}; neutral -")
    assert refused(state, "x ARA") == OwnHeritage(province(state, "ARA"))
    near = at(f"tiny; rules {rules}; seat 1 | HER+MIL reserve=9 FEN | - COL HAM; {OTHERS}; neutral -")
    play(near, "x ARA")
    assert provinces(near, near.declined[0]) == {"COL", "HAM"}


@pytest.mark.rule("R-LAND-1", "R-LAND-2", "R-LAND-3")
@pytest.mark.parametrize(
    ("value", "garrison", "bound"),
    [
        ("choice", 1, False),
        ("choice", 3, False),
        ("auto_decline", 1, True),
        ("auto_decline", 3, True),
        ("auto_decline_no_pawn", 1, True),
        ("auto_decline_no_pawn", 3, False),
    ],
)
def test_landless_empire(value: str, garrison: int, bound: bool) -> None:
    """A seat that lost its last province continues, must decline, or must decline if no pawn is left."""
    for rules in rules_with("landless_empire", value):
        state = at(
            f"""tiny; rules {rules}; neutral -; seat 1 | BAR+MIL reserve=9 ARA; seat 2 | LIV+CUR COL={garrison};
            seat 3 | POR+SLA"""
        )
        play(state, "x COL", "hold ARA=5 COL=5")
        assert bool(state.must_decline) is bound
        free = state.options.landless_entry == "free"
        assert allowed(state, "hold") is (not bound and (garrison == 1 or free))
        assert allowed(state, "x FEN") is (not bound and garrison == 3)


@pytest.mark.rule("R-REORG-2")
@pytest.mark.parametrize(("value", "kept"), [("regroup", 9), ("lose", 6), ("lose_at_end", 9), ("lose_at_end", 1)])
def test_split_empire(value: str, kept: int) -> None:
    """The garrisons of the part that is not kept join the other one, or are lost."""
    for rules in rules_with("split_empire", value):
        state = at(f"tiny; rules {rules}; turn 1 conquer; seat 1 | BAR+MIL reserve=2 FEN=4 COL=3; {OTHERS}")
        [event] = of_kind(Reorganised, play(state, f"hold FEN={kept}"))
        assert event.lost == 9 - kept


@pytest.mark.rule("R-REORG-3")
@pytest.mark.parametrize(("value", "free"), [("only_if_forced", False), ("free", True)])
def test_give_up(value: str, free: bool) -> None:
    """A province may be given up although there are pawns enough, or not."""
    for rules in rules_with("give_up", value):
        state = at(f"tiny; rules {rules}; seat 1 | BAR+MIL reserve=2 ARA BOS; {OTHERS}")
        assert allowed(state, "hold ARA=4") is free
        assert allowed(state, "hold ARA=2 BOS=2")


@pytest.mark.rule("R-ENTRY-4")
@pytest.mark.parametrize(("value", "may"), [("forced", False), ("free", True)])
def test_landless_entry(value: str, may: bool) -> None:
    """With nine pawns and an empty fen to enter, a seat without land may stay off the board, or may not."""
    for rules in rules_with("landless_entry", value):
        state = at(f"tiny; rules {rules}; seat 1 | FOR+MIL reserve=9; {OTHERS}; neutral -")
        assert allowed(state, "hold") is may
        assert allowed(state, "x FEN")


@pytest.mark.rule("R-ENTRY-2")
@pytest.mark.parametrize(("value", "expected", "by_astronomy"), [("yes", 1, 1), ("no", 2, 2), ("astronomy", 2, 1)])
def test_galleys_on_entry(value: str, expected: int, by_astronomy: int) -> None:
    """An empty plain entered by sea costs 1 less with Galleys, or does not; later conquests always do."""
    for rules in rules_with("galleys_on_entry", value):
        astronomy = at(f"tiny; rules {rules}; seat 1 | GAL+AST reserve=9; {OTHERS}; neutral -")
        assert cost(astronomy, "ARA") == by_astronomy
        assert cost(astronomy, "GOR") == 3  # over the edge
        state = at(f"tiny; rules {rules}; seat 1 | GAL+MIL reserve=9; {OTHERS}; neutral -")
        assert cost(state, "ARA") == expected
        play(state, "x ARA")
        assert cost(state, "FEN") == 1


@pytest.mark.rule("R-CONQ-4")
@pytest.mark.parametrize(("value", "expected"), [("no", 3), ("yes", 2)])
def test_forts_by_sea(value: str, expected: int) -> None:
    """From a fort on the Ocean to the forest on the Sound: the fort takes 1 off, or does not; Galleys count besides."""
    for rules in rules_with("forts_by_sea", value):
        state = at(f"tiny; rules {rules}; seat 1 | AST+MIL reserve=9 FEN^; {OTHERS}; neutral -")
        assert cost(state, "BOS") == expected
        assert dict(explain(state, act(state, "x BOS"))) == {"terrain": 3} | (
            {"from_fort": -1} if expected == 2 else {}
        )
        galleys = at(f"tiny; rules {rules}; seat 1 | AST+GAL reserve=9 FEN^; {OTHERS}; neutral -")
        assert cost(galleys, "BOS") == expected - 1


@pytest.mark.rule("R-DECL-5")
@pytest.mark.parametrize(("value", "expected"), [("lasting", 2), ("all", 4)])
def test_decline_score(value: str, expected: int) -> None:
    """A farmland and a mountain: lasting Agriculture alone pays in the turn of decline, or Currency too; never later."""
    for rules in rules_with("decline_score", value):
        state = at(f"tiny; rules {rules}; seat 1 | AGR*+CUR ARA GOR; {OTHERS}; neutral -")
        [scored] = of_kind(Scored, play(state, "decline"))
        assert scored.vp == sum(item.vp for item in scored.items) == expected
        assert {item.empire for item in scored.items} == {"declined"}
        assert land_vp(state.board, state.declined[0]) == 2


@pytest.mark.rule("R-SETUP-3")
@pytest.mark.parametrize(("value", "barbarians", "specialization"), [("author", 3, 1), ("printed", 2, 2)])
def test_deck(value: str, barbarians: int, specialization: int) -> None:
    """There are 3 Barbarians and 1 Specialization, or 2 of each; of all other traits there are two."""
    copies = {kind.code: number for kind, number in zip(KINDS, full_bag(value), strict=True)}
    assert copies == {kind.code: 2 for kind in KINDS} | {"BAR": barbarians, "SPE": specialization}
    for rules in rules_with("deck", value):
        state = at(f"tiny; rules {rules}; seat 1 | BAR+MIL; {OTHERS}")
        assert (state.bag[TRAIT_BY_CODE["BAR"]], state.bag[TRAIT_BY_CODE["SPE"]]) == (barbarians - 1, specialization)


@pytest.mark.rule("R-REDEP-3")
@pytest.mark.parametrize(("value", "phase"), [("manual", "redeploy"), ("automatic", "start")])
def test_redeployment(value: str, phase: str) -> None:
    """Survivors are placed by their seat or by the rules."""
    for rules in rules_with("redeployment", value):
        state = at(
            f"""tiny; rules {rules}; neutral -; seat 1 | BAR+MIL reserve=9 ARA;
            seat 2 | LIV+CUR COL=3 DOL=1 ERB=1; seat 3 | POR+SLA"""
        )
        play(state, "x COL", "hold ARA=5 COL=5")
        assert state.phase == phase


# Identical pairs


@pytest.mark.rule("R-SETUP-4")
@pytest.mark.parametrize("value", ["redraw", "keep"])
def test_identical_pair(value: str) -> None:
    """Two identical traits lie together only with `keep`, two of Specialization never; lasting and plain always can."""
    market = "market {} BAR+DIP HER+MED MES+REN REV+MOU AST+SPI"
    for rules in rules_with("identical_pair", value):
        text = f"tiny; rules {rules}; seat 1 | BAR+MIL; {OTHERS}; {market}"
        assert codes_of(at(text.format("AGR+AGR*")).market[0].traits) == "AGR+AGR*"
        for pair, fine in (("WEA+WEA", value == "keep"), ("SPE+SPE", False)):
            if fine:
                assert codes_of(at(text.format(pair)).market[0].traits) == pair
            else:
                with pytest.raises(PositionError, match="R-SETUP-4"):
                    at(text.format(pair))


@pytest.mark.rule("R-DRAFT-4")
@pytest.mark.parametrize("edition", ["FR", "WEB"])
@pytest.mark.parametrize(
    ("code", "strength"),
    [("AGR", 2), ("AGR*", 1), ("CUR", 0), ("WEA", 3), ("GEN", 2), ("AST", 5), ("BAR", 6), ("MES", 5), ("REV", 4)],
)
def test_an_identical_pair_has_the_printed_strength_twice(edition: str, code: str, strength: int) -> None:
    """Without the 1 more that Specialization gives."""
    others = "LIV+LIV* MIN+MIN* POR+POR* SPI+SLA HER+MOU"
    state = at(f"tiny; rules {edition}; round 0; seat 1; seat 2; seat 3; market {code}+{code} {others}")
    [taken] = of_kind(CivilizationTaken, play(state, "take 1"))
    assert taken.pawns == strength + strength + 8


@pytest.mark.rule("R-SCORE-1", "R-SCORE-2")
@pytest.mark.parametrize(
    ("code", "as_active", "as_declined"),
    [("AGR", 10, 6), ("LIV*", 10, 10), ("MIN", 14, 6), ("POR*", 10, 10), ("CUR", 22, 6), ("MOU", 10, 6)],
)
def test_an_identical_pair_scores_twice(code: str, as_active: int, as_declined: int) -> None:
    """Two copies pay like two by Specialization, two lasting ones also in decline."""
    text = f"tiny; rules FR; seat 1 | {code}+{code} ARA BOS COL DOL ERB FEN GOR HAM; seat 2 | BAR+HER; seat 3 | DIP+SLA"
    for action, vp in (("hold ARA=1 BOS=1 COL=1 DOL=1 ERB=1 FEN=1 GOR=1 HAM=1", as_active), ("decline", as_declined)):
        [scored] = of_kind(Scored, play(at(text), action))
        assert scored.vp == vp


@pytest.mark.rule("R-CONQ-3")
@pytest.mark.parametrize(
    ("attacker", "defender", "expected"),
    [
        ("BAR+HER", "LIV+CUR", 3),
        ("WEA+WEA", "LIV+CUR", 1),
        ("GAL+GAL", "LIV+CUR", 1),
        ("BAR+HER", "MIL+MIL", 5),
        ("BAR+BAR", "LIV+CUR", 3),
        ("HER+HER", "LIV+CUR", 3),
    ],
)
def test_an_identical_pair_counts_twice_in_conquest_and_defence(attacker: str, defender: str, expected: int) -> None:
    """From BOS along the coast to ARA with one pawn in it."""
    state = at(f"tiny; rules FR; seat 1 | {attacker} reserve=9 BOS; seat 2 | {defender} ARA=1; seat 3 | POR+SLA")
    assert cost(state, "ARA") == expected


@pytest.mark.rule("R-MOB-4", "R-CONQ-7", "R-PEACE-1", "R-REORG-5")
def test_an_identical_pair_acts_twice() -> None:
    """Two of Medicine, General, Spies, Diplomacy or Forts do what Specialization lets them do."""
    for pair, more in (("MED+MED", 2), ("GEN+GEN", 14)):
        state = at(f"tiny; rules FR; turn 3; seat 1 | {pair} ARA=4; {OTHERS}")
        [started] = of_kind(TurnStarted, play(state, "hold"))
        assert started.reserve == 3 + more
    spies = at(f"tiny; rules FR; seat 1 | SPI+SPI reserve=9 BOS; {OTHERS}")
    play(spies, "x COL spy", "x ARA spy")
    assert pawns(spies, "COL", "ARA") == [2, 2]
    diplomacy = at(f"tiny; rules FR; seat 1 | DIP+DIP reserve=9 BOS; {OTHERS}")
    play(diplomacy, "peace 2", "peace 3")
    forts = at(f"tiny; rules FR; seat 1 | FOR+FOR reserve=2 BOS COL; {OTHERS}")
    play(forts, "hold BOS=2 COL=2 fort BOS COL")
    assert forts.forts == forts.board.set_named(["BOS", "COL"])


@pytest.mark.rule("R-ENTRY-3", "R-REORG-2", "R-DECL-1")
def test_an_identical_pair_keeps_the_exceptions_of_specialization() -> None:
    """Two of Astronomy, Revolution, Messages or Renaissance do what one does."""
    for pair, entries in (("AST+AST", "ARA BOS FEN GOR"), ("REV+REV", "ARA BOS COL DOL ERB FEN GOR HAM")):
        state = at(f"tiny; rules FR; seat 1 | {pair} reserve=9; {OTHERS}; neutral -")
        assert [action[2:] for action in legal(state) if action.startswith("x ")] == entries.split()
    assert allowed(at(f"tiny; rules FR; seat 1 | MES+MES FEN COL; {OTHERS}"), "hold FEN=1 COL=1")
    renaissance = at(f"tiny; rules FR; seat 1 | REN+REN FEN; {OTHERS}")
    play(renaissance, "hold FEN=1", "decline", "take 1")
    assert renaissance.phase == "start"
    assert active(renaissance, 1).reserve > 0
