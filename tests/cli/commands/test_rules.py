"""`vinci rules`: the rules by id, group or trait, as they stand in docs/rules.md."""

import re

import pytest

from tests.support.cli_runner import vinci
from tests.support.paths import DOCS
from vinci_cli.text import manual
from vinci_rules.editions import option_kinds
from vinci_rules.traits import KINDS

DOCUMENT = (DOCS / "rules.md").read_text(encoding="utf-8")
IDS = re.findall(r"^- (R-[A-Z]+-\d+) ", DOCUMENT, re.MULTILINE)
PLAIN = sorted(kind.names["en"] for kind in KINDS if not kind.lasting)


def test_all_rules() -> None:
    """Without a name: the document."""
    status, text = vinci("rules")
    assert status == 0
    assert text.strip() == DOCUMENT.strip()


@pytest.mark.parametrize("rule", IDS)
def test_a_rule(rule: str) -> None:
    """Each rule by its id, whole and nothing else."""
    status, text = vinci("rules", rule)
    assert status == 0
    name, _, words = text.strip().partition("  ")
    assert name == rule
    whole = " ".join(DOCUMENT.split())
    assert f"- {rule} {words}" in whole
    rest = whole.partition(f"- {rule} {words}")[2]
    assert re.match(r"(?: - R-| #| \||$)", rest), f"{rule} goes on: {rest[:60]}"


def test_a_rule_in_small_letters() -> None:
    """Capitals do not matter."""
    assert vinci("rules", "r-conq-3") == vinci("rules", "R-CONQ-3")


def test_a_group_of_rules() -> None:
    """R-CONQ: all rules of conquest, and none of contact."""
    status, text = vinci("rules", "R-CONQ")
    assert status == 0
    assert re.findall(r"^(R-\S+)  ", text, re.MULTILINE) == [rule for rule in IDS if rule.startswith("R-CONQ-")]


@pytest.mark.parametrize("name", PLAIN)
def test_a_trait(name: str) -> None:
    """Each trait by its name or its code, with its strength and the rules that its effect names."""
    status, text = vinci("rules", name)
    assert status == 0
    plain = next(kind for kind in KINDS if kind.names["en"] == name)
    strength = "other" if plain.code == "SPE" else str(plain.strength)
    assert re.match(rf"{name}  strength {re.escape(strength)}\b", text)
    for rule in re.findall(r"R-[A-Z]+-\d+", text.splitlines()[0]):
        assert f"\n{rule}  " in text
    assert vinci("rules", plain.code.lower()).text == text


def test_every_trait_has_its_effect() -> None:
    """The table of section 6 is read to its end."""
    assert sorted(manual.traits_by_name()) == PLAIN


@pytest.mark.parametrize("name", ["Mines*", "MIN*", "mines", "Lasting Mines"])
def test_a_lasting_trait(name: str) -> None:
    """The lasting kind is told with the plain one, whether named as the market, a position or the data names it."""
    assert (
        vinci("rules", name).text
        == "Mines  strength 2 (house). +2 VP per province with a mine; lasting kind (1, house)\n"
    )


def test_the_effect_of_weapons() -> None:
    """Check the output of `vinci rules Weapons`."""
    assert vinci("rules", "Weapons").text == "Weapons  strength 3 (review). conquests cost 1 less\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Weapon", "Weapons"), ("weapns", "Weapons"), ("R-CONQ-33", "R-CONQ-3"), ("conq", "R-CONQ"), ("RCONQ", "R-CONQ")],
)
def test_an_unknown_name_is_answered_with_a_suggestion(typed: str, meant: str) -> None:
    """Almost right: what was probably meant, and all that there is; status 2."""
    status, text = vinci("rules", typed)
    assert status == 2
    assert f"no rule or trait {typed!r}. Did you mean {meant}?" in text
    assert "R-SETUP, R-DRAFT" in text
    assert "Agriculture, Livestock" in text


def test_an_unknown_name_that_is_like_nothing() -> None:
    """Nothing alike: no suggestion, but the list."""
    status, text = vinci("rules", "xyzzy")
    assert status == 2
    assert "Did you mean" not in text
    assert "R-SETUP, R-DRAFT" in text


def test_the_table_of_editions_is_that_of_the_data() -> None:
    """Section 12 has every option with the value that each edition plays by."""
    assert manual.options_by_edition() == {kind.name: kind.by_edition for kind in option_kinds()}


def test_the_rules_begin_with_the_game_in_short() -> None:
    """The aim, one round in order and the tutorial come before the first rule; every trait has a sentence, not only ids."""
    opening = DOCUMENT.partition("- R-SETUP-1 ")[0]
    assert "`vinci tutorial`" in opening
    words = ["Aim", "Mobilise", "Conquer", "Reorganise", "Score", "Decline"]
    assert [opening.index(word) for word in words] == sorted(opening.index(word) for word in words)
    for name, text in manual.traits_by_name().items():
        effect = re.sub(r"R-[A-Z]+-\d+", "", text.partition(". ")[2])
        assert len(effect.split()) >= 4, name
