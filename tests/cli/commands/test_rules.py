"""`vinci rules`: rules by id, group or trait, as printed in docs/rules.md."""

import re

import pytest

from tests.support.cli_runner import vinci
from tests.support.paths import DOCS
from vinci_cli.text import i18n, manual
from vinci_codec.match_fields import described
from vinci_rules.editions import option_kinds
from vinci_rules.traits import KINDS

DOCUMENT = (DOCS / "rules.md").read_text(encoding="utf-8")
IDS = re.findall(r"^- (R-[A-Z]+-\d+) ", DOCUMENT, re.MULTILINE)
CHANGE_NO_RULE = {
    "seats", "board", "edition", "seed", "advice", "rated", "clock", "substitute", "start", "tries", "sealed", "from_position",
}  # fmt: skip
"""Choices for a match that leave the rules as they are, or choose among sets of options."""
PLAIN = sorted(kind.names["en"] for kind in KINDS if not kind.lasting)


def test_rules_without_a_name_are_complete() -> None:
    """Without a name the command prints the whole document but what is for contributors."""
    status, text = vinci("rules")
    assert status == 0
    shown, hidden = manual.LINK.sub(r"\1", DOCUMENT).split("<!--")
    assert text.strip() == shown.strip()
    assert "vinci_rules" in hidden
    assert "vinci_rules" not in text


@pytest.mark.parametrize("rule", IDS)
def test_rule_by_id(rule: str) -> None:
    """Each rule is printed by its id, complete and alone, without notes on its sources."""
    status, text = vinci("rules", rule)
    assert status == 0
    name, _, words = text.strip().partition("  ")
    assert name == rule
    whole = manual.OF_SOURCES.sub("", manual.LINK.sub(r"\1", " ".join(DOCUMENT.split())))
    assert f"- {rule} {words}" in whole
    rest = whole.partition(f"- {rule} {words}")[2]
    assert re.match(r"(?: - R-| #| \||$)", rest), f"{rule} goes on: {rest[:60]}"


def test_ids_ignore_case() -> None:
    """Ids may be typed in lower case."""
    assert vinci("rules", "r-conq-3") == vinci("rules", "R-CONQ-3")


def test_rules_by_group() -> None:
    """R-CONQ prints all rules of conquest and none of contact."""
    status, text = vinci("rules", "R-CONQ")
    assert status == 0
    assert re.findall(r"^(R-\S+)  ", text, re.MULTILINE) == [rule for rule in IDS if rule.startswith("R-CONQ-")]


@pytest.mark.parametrize("name", PLAIN)
def test_trait_by_name_or_code(name: str) -> None:
    """A trait is printed by name or code, with its strength and the rules that its effect names."""
    status, text = vinci("rules", name)
    assert status == 0
    plain = next(kind for kind in KINDS if kind.names["en"] == name)
    strength = "other" if plain.code == "SPE" else str(plain.strength)
    assert re.match(rf"{name}  strength {re.escape(strength)}\b", text)
    for rule in re.findall(r"R-[A-Z]+-\d+", text.splitlines()[0]):
        assert f"\n{rule}  " in text
    assert vinci("rules", plain.code.lower()).text == text


def test_every_trait_has_an_effect() -> None:
    """Every trait of the table in section 6 has an effect."""
    assert sorted(manual.traits_by_name()) == PLAIN


@pytest.mark.parametrize("name", ["Mines*", "MIN*", "mines", "Lasting Mines"])
def test_lasting_trait_is_printed_with_the_plain_one(name: str) -> None:
    """The lasting kind is printed with the plain one, by any of its names."""
    assert vinci("rules", name).text == "Mines  strength 2. +2 VP per province with a mine; lasting kind (1)\n"


def test_weapons_output() -> None:
    """The output of `vinci rules Weapons` is as expected."""
    assert vinci("rules", "Weapons").text == "Weapons  strength 3. conquests cost 1 less\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Weapon", "Weapons"),
        ("weapns", "Weapons"),
        ("R-CONQ-33", "R-CONQ-3"),
        ("conq", "R-CONQ"),
        ("RCONQ", "R-CONQ"),
        ("R-SCOR-1", "R-SCORE-1"),
        ("conq-99", "R-CONQ"),
    ],
)
def test_unknown_name_gets_a_suggestion(typed: str, meant: str) -> None:
    """An unknown name that resembles a known one gets a suggestion and the list of names, with status 2."""
    status, text = vinci("rules", typed)
    assert status == 2
    assert f"no rule or trait {typed!r}. Did you mean {meant}?" in text
    assert "R-SETUP, R-DRAFT" in text
    assert "Agriculture, Livestock" in text


@pytest.mark.parametrize("name", ["xyzzy", "R-NOPE-1", "R-NOPE"])
def test_unknown_name_without_resemblance_gets_the_list(name: str) -> None:
    """An unknown name that resembles none gets the list of names only; what all ids share is no resemblance."""
    status, text = vinci("rules", name)
    assert status == 2
    assert "Did you mean" not in text
    assert "R-SETUP, R-DRAFT" in text


def test_table_of_editions_matches_the_data() -> None:
    """Section 12 has every option with its value in each edition."""
    section = DOCUMENT.partition("\n## 12. ")[2]
    head, _rule, *rows = [
        [cell.strip() for cell in line.strip("| ").split("|")] for line in section.splitlines() if line.startswith("|")
    ]
    table = {
        name.strip("`"): {edition: value.split()[0] for edition, value in zip(head[1:], values, strict=True)}
        for name, *values in rows
    }
    assert table == {kind.name: kind.by_edition for kind in option_kinds()}


@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_rules_name_the_options_that_change_them(code: str) -> None:
    """A rule ends with the options that change it, as forms and `--option` name them; each option is in its rule."""
    i18n.choose(code)
    fields = described()
    assert fields.keys() >= CHANGE_NO_RULE
    changed: dict[str, list[str]] = {}
    for rule, text in manual.rules_by_id().items():
        remark = manual.OF_OPTIONS.search(text)
        named = re.findall(r"([^(]+) \(`(\w+)`\)(?:, |$)", remark[1]) if remark else []
        assert [name for name, _option in named] == [fields[option].text.names[code] for _name, option in named], rule
        options = {option for _name, option in named}
        words = {word for words in re.findall("`([^`]+)`", text) for word in words.split(" = ")}
        values = {value.code for option in options for value in fields[option].values}
        assert words - values - {"decline", "peace", "hold", "*"} == options, rule  # actions, and the star of traits
        for option in options:
            changed.setdefault(option, []).append(rule)
    assert changed.keys() == fields.keys() - CHANGE_NO_RULE
    assert [option for option, rules in changed.items() if fields[option].rule not in ["", *rules]] == []


def test_rules_begin_with_a_summary() -> None:
    """Aim, round and tutorial come before the first rule, and the effect of every trait is a sentence, not only ids."""
    opening = DOCUMENT.partition("- R-SETUP-1 ")[0]
    assert "`vinci tutorial`" in opening
    words = ["Aim", "Mobilise", "Conquer", "Reorganise", "Score", "Decline"]
    assert [opening.index(word) for word in words] == sorted(opening.index(word) for word in words)
    for name, text in manual.traits_by_name().items():
        effect = re.sub(r"R-[A-Z]+-\d+", "", text.partition(". ")[2])
        assert len(effect.split()) >= 4, name


@pytest.mark.parametrize("code", ["en", "fr", "nl", "de"])
def test_a_rule_is_printed_without_notes_on_its_sources(code: str) -> None:
    """The whole document explains which rules are our own; a rule alone would only raise the question."""
    for name in ("R-DRAFT-2", "R-CONTACT-1", "R-LAND-3", "Mines"):
        status, text = vinci("--lang", code, "rules", name)
        assert status == 0
        assert not re.search(r"house|maison|huisregel|Hausregel|\(WEB|WEB[^)]*\.\)", text)
    assert re.search("house|maison|huisregel|Hausregel", vinci("--lang", code, "rules").text)
